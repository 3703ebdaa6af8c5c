"""What the library has to tell its user in passing: that it is busy for minutes, and why."""

from __future__ import annotations

from collections.abc import Callable


def _log(text: str) -> None:
    """A warning of the logger "glnzip"; if nobody handles it, it is printed on standard error."""
    import logging

    logging.getLogger("glnzip").warning(text)


tell: Callable[[str], object] = _log
"""How it is told; a program may have another way."""


def _log_detail(text: str) -> None:
    """A message of that logger for those who want details."""
    import logging

    logging.getLogger("glnzip").info(text)


tell_detail: Callable[[str], object] = _log_detail
"""How that is told which changes nothing for most users."""


def notice(text: str) -> None:
    """Tell the user something, in a line."""
    tell(text)


def detail(text: str) -> None:
    """Tell those who want details something, in a line."""
    tell_detail(text)
