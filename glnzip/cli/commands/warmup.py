"""`glnzip warmup`: compile and prepare ahead, for a fresh machine or a container image."""

from __future__ import annotations

import sys
import time

from glnzip import warmup as compile_and_prepare
from glnzip.cli import options as given
from glnzip.cli.command_line import command
from glnzip.cli.options import chosen_level
from glnzip.cli.preparation import not_kept, preparation_shown
from glnzip.cli.priors import chosen_prior
from glnzip.cli.report import FAILURE, SUCCESS, say
from glnzip.cli.text import printable
from glnzip.errors import GlnzipError
from glnzip.priors.prior import SHIPPED_PRIOR_ID, Prior


@command
@given.level
@given.prior
@given.quiet
def warmup(level: int | None, prior: str | None, quiet: bool) -> None:
    """Compile the model and prepare a prior in advance.

    Both are kept in your cache folder, so later runs start at once. Each call prepares the prior
    for one level.
    """
    used = chosen_prior(prior)
    with preparation_shown(quiet=quiet):
        status = warm_up(chosen_level(level), used, quiet=quiet)
    sys.exit(status)


def warm_up(level: int, prior: Prior | None, *, quiet: bool) -> int:
    """Run every kernel once, prepare a prior, say where all is kept; return the exit status."""
    from glnzip.cache import cache_root, why_unusable
    from glnzip.jit import why_plain

    start = time.monotonic()
    try:
        kept = compile_and_prepare(level, prior=prior)
    except (GlnzipError, MemoryError) as error:
        say(f"warmup: {str(error) or 'not enough memory'}")
        return FAILURE
    if reason := why_plain():
        if not quiet:
            say(f"the model runs as plain Python; there is nothing to compile: {reason}")
        return SUCCESS
    if not kept:
        say(f"the model {not_kept(why_unusable() or 'the disk may be full')}")
        return FAILURE
    if not quiet:
        seconds = time.monotonic() - start
        place = printable(str(cache_root()))
        priors = f" with {_name(prior)}, level {level}," if prior is not None else ""
        say(f"the model{priors} is ready after {seconds:.1f} s; it is kept in {place}")
    return SUCCESS


def _name(prior: Prior) -> str:
    return f"the {'shipped ' if prior.id == SHIPPED_PRIOR_ID else ''}prior {prior.id}"
