"""Getting ready ahead of the first use: compiling the model, preparing a prior."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from glnzip.errors import GlnzipError
from glnzip.format.levels import DEFAULT_LEVEL, MIN_LEVEL, check_level
from glnzip.messages import MessageCodec
from glnzip.priors.allowance import Allowance, check_allowed
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.priors.watching import Report, counted_by
from glnzip.streams.oneshot import compress, decompress

if TYPE_CHECKING:
    from _typeshed import StrPath

# All levels share their kernels, so the level with the least memory compiles them for all. The
# second sample does not compress: it takes the way of stored blocks, and is long enough for the
# planner to look for rows.
_SAMPLES = (b"glnzip" * 50, random.Random(0).randbytes(600))


def warmup(
    level: int = DEFAULT_LEVEL,
    *,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    memory_limit: int | None = None,
    progress: Report | None = None,
) -> bool:
    """Compile the model and prepare a prior, which otherwise happens when they are first used.

    Both are kept in the user's cache folder for later processes.

    Parameters
    ----------
    level
        The level that the prior is prepared for, 1 to 9.
    prior
        What the model is to have seen, or the path of its file; None only compiles.
    memory_limit
        Refuse what takes more bytes of memory; None for what the machine has.
    progress
        Called now and then with the number of bytes of the prior that the model has seen since the
        last call; all in all they are `Prior.original_bytes`.

    Returns
    -------
    bool
        Whether later processes will find both; False where nothing can be kept, and where nothing
        is compiled.

    Raises
    ------
    MemoryLimitError
        If that takes too much memory.
    GlnzipError
        If the prior is damaged, or the model does not work on this machine.
    """
    from glnzip.jit import jit_is_on, kernels_are_cached
    from glnzip.priors.prepared import prepare

    prior = as_prior(prior)
    check_allowed(check_level(level), prior, Allowance(memory_limit))
    if not jit_is_on():
        return False
    with counted_by(progress):
        _try_out()
        return kernels_are_cached() and (prior is None or prepare(level, prior))


def _try_out() -> None:
    """See that data and messages come back; all kernels are compiled by that."""
    codec = MessageCodec(MIN_LEVEL, prior=None)
    for sample in _SAMPLES:
        restored = decompress(compress(sample, level=MIN_LEVEL, prior=None))
        if {restored, codec.decompress(codec.compress(sample))} != {sample}:
            raise GlnzipError(
                "the model does not work on this machine: a round trip changed the data"
            )
