"""Making a prior from samples: choose them, compress them, measure what they are worth.

The new prior is a stream in which every sample is a block, so that the model sees samples begin and
end as data will later. With a base of the user's own, the stream of the base comes first: a prior
file never needs another one beside it, except for the shipped one.

Nothing here is random: the same samples in the same order give the same prior.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glnzip.errors import GlnzipError
from glnzip.format.levels import DEFAULT_LEVEL, check_level
from glnzip.priors.prior import SHIPPED_PRIOR, SHIPPED_PRIOR_ID, Prior, as_prior
from glnzip.priors.watching import Report
from glnzip.streams.compressor import Compressor
from glnzip.streams.oneshot import compress, decompress

if TYPE_CHECKING:
    from _typeshed import StrPath

DEFAULT_PRIMER_BYTES = 1 << 20
_HELD_OUT_SHARE = 10  # every so many samples one is held out ...
_HELD_OUT_LEAST = 3  # ... but this many at least, or half of them
_HELD_OUT_BYTES = 1 << 18  # they are compressed twice, one by one
_CHECKED = 8


@dataclass(frozen=True)
class Gain:
    """What a prior is worth to samples that it was not made from, each compressed alone."""

    samples: int
    original: int
    """Bytes of the samples."""
    before: int
    """Bytes of their frames with the base alone."""
    after: int
    """Bytes of their frames with a prior made from the other samples."""


def train_prior(
    samples: Iterable[bytes],
    *,
    base: Prior | StrPath | None = SHIPPED_PRIOR,
    level: int = DEFAULT_LEVEL,
    size: int = DEFAULT_PRIMER_BYTES,
    progress: Report | None = None,
) -> Prior:
    """Make a prior from samples of some kind of data.

    Parameters
    ----------
    samples
        Each as it would be compressed alone: a message, a file. Later ones count a little more.
    base
        The prior that the new one starts from, or the path of its file; None for nothing.
    level
        The level that the prior will mostly be used with. It can be used with every level; with
        this one it is prepared already.
    size
        If the samples are more bytes than this, as many as fit are chosen, evenly spread.
    progress
        Called with the number of bytes of samples coded since the last call.

    Returns
    -------
    Prior
        Its `data` are what `Prior.load` wants to find in a file. Some of the samples have been
        compressed and decompressed with it.

    Raises
    ------
    ValueError
        If there are no samples, or they are all empty.
    """
    chosen = choose(list(samples), size)
    prior = make_prior(chosen, as_prior(base), check_level(level), progress)
    check_prior(prior, chosen, level)
    return prior


def choose(samples: Sequence[bytes], size: int) -> list[bytes]:
    """As many samples as fit into `size` bytes, evenly spread over their bytes.

    If not even one fits, the beginning of the first.
    """
    samples = [sample for sample in samples if sample]
    if not samples:
        raise ValueError("there are no samples, or they are all empty")
    total = max(size, sum(map(len, samples)))
    chosen, seen, taken = [], 0, 0
    for sample in samples:
        seen += len(sample)
        if taken + len(sample) <= size * seen // total:
            taken += len(sample)
            chosen.append(sample)
    return chosen or [samples[0][:size]]


def split(samples: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Samples to train with and, evenly spread among them, samples to hold out."""
    count = max(len(samples) // _HELD_OUT_SHARE, min(_HELD_OUT_LEAST, len(samples) // 2))
    held = {(2 * k + 1) * len(samples) // (2 * count) for k in range(count)}
    return (
        [sample for i, sample in enumerate(samples) if i not in held],
        [sample for i, sample in enumerate(samples) if i in held],
    )


def make_prior(
    samples: Sequence[bytes], base: Prior | None, level: int, progress: Report | None = None
) -> Prior:
    """A prior that has seen these samples, one after the other, after `base`."""
    if base is None or base.id == SHIPPED_PRIOR_ID:
        start, before = base, b""
    else:
        start, before = base.base, base.data
    compressor = Compressor(level, prior=start, progress=progress, unpack=False)
    pieces = [before]
    for sample in samples:
        pieces += [compressor.compress(sample), compressor.end_block()]
    return Prior(b"".join([*pieces, compressor.flush()]), prior=start)


def check_prior(prior: Prior, samples: Sequence[bytes], level: int) -> None:
    """Compress and decompress some of the samples with a prior; GlnzipError if one is changed."""
    from glnzip.priors.prepared import prepare

    prepare(level, prior)
    for sample in samples[:: -(-len(samples) // _CHECKED)]:
        frame = compress(sample, level=level, prior=prior)
        if decompress(frame, prior=prior) != sample:
            raise GlnzipError("the new prior does not work: a round trip changed a sample")


def measure_gain(
    samples: Sequence[bytes], base: Prior | None, level: int, size: int
) -> Gain | None:
    """What a prior made from most of the samples is worth to the others; None if there is one."""
    from glnzip.priors.prepared import kept_ready

    training, held_out = split([sample for sample in samples if sample])
    if not held_out:
        return None
    held_out = choose(held_out, _HELD_OUT_BYTES)
    before = sum(len(compress(sample, level=level, prior=base)) for sample in held_out)
    prior = make_prior(choose(training, size), base, level)
    with kept_ready(level, prior):
        after = sum(len(compress(sample, level=level, prior=prior)) for sample in held_out)
    return Gain(len(held_out), sum(map(len, held_out)), before, after)
