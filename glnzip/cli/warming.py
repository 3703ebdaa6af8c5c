"""`glnzip warmup`: compile and prepare ahead, for a fresh machine or a container image."""

from __future__ import annotations

import random
import time

from glnzip import jit
from glnzip.cache import cache_root, why_unusable
from glnzip.cache.housekeeping import clear_cache
from glnzip.cli import wording
from glnzip.cli.priming import not_kept
from glnzip.cli.work import FAILURE, SUCCESS, say
from glnzip.levels import MIN_LEVEL
from glnzip.messages import MessageCodec
from glnzip.priors.prior import SHIPPED_PRIOR_ID, Prior
from glnzip.streams.oneshot import compress, decompress

# All levels share their kernels, so the level with the least memory compiles them for all. The
# second sample does not compress: it takes the way of stored blocks, and is long enough for the
# planner to look for rows.
SAMPLES = (b"glnzip" * 50, random.Random(0).randbytes(600))


def warm_up(level: int, prior: Prior | None, *, quiet: bool) -> int:
    """Run every kernel once, prepare a prior, say where all is kept; return the exit status."""
    if not jit.jit_is_on():
        if not quiet:
            say(f"the model runs as plain Python, there is nothing to compile: {jit.why_plain()}")
        return SUCCESS
    start = time.monotonic()
    if not _kernels_work():
        say("the model does not work on this machine: a round trip changed the data")
        return FAILURE
    kept = jit.kernels_are_cached() and (prior is None or _prepare(level, prior))
    seconds = time.monotonic() - start
    if not kept:
        say(f"the model {not_kept(why_unusable() or 'the disk is full')}")
        return FAILURE
    if not quiet:
        place = wording.printable(str(cache_root()))
        priors = f" with {_name(prior)}, level {level}," if prior is not None else ""
        say(f"the model{priors} is ready after {seconds:.1f} s; it is kept in {place}")
    return SUCCESS


def _kernels_work() -> bool:
    """Whether data and messages come back; all kernels are compiled by that."""
    codec = MessageCodec(MIN_LEVEL, prior=None)
    return all(
        decompress(compress(sample, level=MIN_LEVEL, prior=None)) == sample
        and codec.decompress(codec.compress(sample)) == sample
        for sample in SAMPLES
    )


def clear_up(*, quiet: bool) -> int:
    """Remove all that was ever compiled or prepared; return the exit status."""
    freed = clear_cache()
    if not quiet:
        say(f"{wording.human_size(freed)} of disk set free")
    return SUCCESS


def _prepare(level: int, prior: Prior) -> bool:
    from glnzip.priors.primed import prepare  # brings the model with it

    return prepare(level, prior)


def _name(prior: Prior) -> str:
    return f"the {'shipped ' if prior.id == SHIPPED_PRIOR_ID else ''}prior {prior.id}"
