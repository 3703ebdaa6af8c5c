"""What is said while the library is busy before the actual work: compiling, preparing a prior."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial

from glnzip.cli.progress import may_draw, progress_line
from glnzip.cli.report import say
from glnzip.cli.text import human_size, printable
from glnzip.priors import watching
from glnzip.system import beside, notices


@contextmanager
def preparation_shown(*, quiet: bool, verbose: bool = False, drawn: bool = True) -> Iterator[None]:
    """Within the block, say what takes long; while a prior is prepared, show how far it is.

    If `drawn`, the latter is a progress line. If `verbose`, details are told as well. A process may
    be started to compile beside this one: the program is the command line.
    """
    before = notices.tell, notices.tell_detail, watching.watch, beside.is_allowed
    beside.is_allowed = True
    notices.tell = _keep_quiet if quiet else cache(say)  # each once
    notices.tell_detail = notices.tell if verbose else _keep_quiet
    if not quiet:
        watching.watch = partial(_show, drawn=drawn)
    try:
        yield
    finally:
        notices.tell, notices.tell_detail, watching.watch, beside.is_allowed = before


def not_kept(reason: str) -> str:
    """What is said where nothing can be kept for later runs."""
    from glnzip.cache import cache_root

    place = f" in {cache_root()}" if cache_root() else ""
    text = f"cannot be kept{place}: {reason}; GLNZIP_CACHE_DIR can name another folder"
    return printable(text)


def _keep_quiet(text: str) -> None:
    pass


@contextmanager
def _show(task: str, total: int, once: bool, *, drawn: bool) -> Iterator[Callable[[int], object]]:
    from glnzip.cache import why_unusable
    from glnzip.jit import hours_as_plain

    size = human_size(total)
    if hours := hours_as_plain(total):
        size += f", about {hours:,} hours without Numba"
    reason = why_unusable() if once else None
    say(f"{task} ({size})" if reason is None else f"{task} ({size}); it {not_kept(reason)}")
    with progress_line(task, total, compressing=True, visible=drawn and may_draw()) as progress:
        yield lambda count: progress.advance(count, 0)
