"""`glnzip warmup`: compile and prepare ahead, for a fresh machine or a container image."""

from __future__ import annotations

import time

from glnzip import jit
from glnzip.cache import cache_root, why_unusable
from glnzip.cache.housekeeping import clear_cache
from glnzip.cli import wording
from glnzip.cli.prior_options import not_kept
from glnzip.cli.work import FAILURE, SUCCESS, say
from glnzip.errors import GlnzipError
from glnzip.priors.prior import SHIPPED_PRIOR_ID, Prior
from glnzip.warmup import warmup


def warm_up(level: int, prior: Prior | None, *, quiet: bool) -> int:
    """Run every kernel once, prepare a prior, say where all is kept; return the exit status."""
    start = time.monotonic()
    try:
        kept = warmup(level, prior=prior)
    except (GlnzipError, MemoryError) as error:
        say(f"warmup: {str(error) or 'not enough memory'}")
        return FAILURE
    if reason := jit.why_plain():
        if not quiet:
            say(f"the model runs as plain Python, there is nothing to compile: {reason}")
        return SUCCESS
    if not kept:
        say(f"the model {not_kept(why_unusable() or 'the disk may be full')}")
        return FAILURE
    if not quiet:
        seconds = time.monotonic() - start
        place = wording.printable(str(cache_root()))
        priors = f" with {_name(prior)}, level {level}," if prior is not None else ""
        say(f"the model{priors} is ready after {seconds:.1f} s; it is kept in {place}")
    return SUCCESS


def clear_up(*, quiet: bool) -> int:
    """Remove all that was ever compiled or prepared; return the exit status."""
    freed = clear_cache()
    if not quiet:
        say(f"{wording.human_size(freed)} of disk set free")
    return SUCCESS


def _name(prior: Prior) -> str:
    return f"the {'shipped ' if prior.id == SHIPPED_PRIOR_ID else ''}prior {prior.id}"
