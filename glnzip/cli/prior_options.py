"""Which prior `--prior` means, and what is shown while a model learns one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

from glnzip.cli import wording
from glnzip.cli.progress import Progress, may_draw
from glnzip.cli.work import FAILURE, complain, reason, say
from glnzip.errors import GlnzipError
from glnzip.priors import watching
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.system import notices
from glnzip.system.unfinished import undone_if_killed

NONE = "none"
SHIPPED = "shipped"


def chosen_prior(name: str | None, by: str = "") -> Prior | None:
    """The prior of this name: none, the shipped one (also if nothing is named), or that of a file.

    Ends the program if the file cannot be used, naming the variable that chose it, if any.
    """
    try:
        return _prior(name)
    except (GlnzipError, OSError) as error:
        complain(f"{by}: {name}" if by else str(name), error)
        sys.exit(FAILURE)


def prior_at_hand(name: str | None, by: str) -> tuple[Prior | None, str]:
    """The prior that the variable `by` chooses for reading, or why it cannot be had.

    Then it is the shipped one: most streams need no other.
    """
    try:
        return _prior(name), ""
    except (GlnzipError, OSError) as error:
        return SHIPPED_PRIOR, f"{by} names {name}, which cannot be used: {reason(error)}"


def _prior(name: str | None) -> Prior | None:
    if name in (None, "", SHIPPED):
        return SHIPPED_PRIOR
    return None if name == NONE else Prior.load(name)


def not_kept(reason: str) -> str:
    """What is said where nothing can be kept for later runs."""
    from glnzip.cache import cache_root

    place = f" in {cache_root()}" if cache_root() else ""
    text = f"cannot be kept{place}: {reason}; GLNZIP_CACHE_DIR names another folder"
    return wording.printable(text)


@contextmanager
def preparation_shown(*, quiet: bool, drawn: bool = True) -> Iterator[None]:
    """Within the block, say what takes long; when a model learns a prior, show how far it is.

    If `drawn`, the latter is a line that is drawn anew.
    """
    before = notices.tell, watching.watch
    notices.tell = _keep_quiet if quiet else say
    if not quiet:
        watching.watch = partial(_show, drawn=drawn)
    try:
        yield
    finally:
        notices.tell, watching.watch = before


def _keep_quiet(text: str) -> None:
    pass


@contextmanager
def _show(task: str, total: int, *, drawn: bool) -> Iterator[Callable[[int], object]]:
    from glnzip.cache import why_unusable
    from glnzip.jit import hours_as_plain

    size = wording.human_size(total)
    if hours := hours_as_plain(total):
        size += f", about {hours:,} hours without Numba"
    reason = why_unusable()
    say(f"{task} ({size})" if reason is None else f"{task} ({size}); it {not_kept(reason)}")
    progress = Progress(task, total, compressing=True, visible=drawn and may_draw())
    with undone_if_killed(progress.close), closing(progress):
        yield lambda count: progress.advance(count, 0)
