"""What the library has to tell its user in passing: that it is busy for minutes, and why."""

from __future__ import annotations

from collections.abc import Callable


def _log(text: str) -> None:
    """A warning of the logger "glnzip"; if nobody handles it, it is printed on standard error."""
    import logging

    logging.getLogger("glnzip").warning(text)


tell: Callable[[str], object] = _log
"""How it is told; a program may have another way."""


def notice(text: str) -> None:
    """Tell the user something, in a line."""
    tell(text)
