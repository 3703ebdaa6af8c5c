"""What data cost: the ideal length of their code, byte by byte.

The model sees the data as it does when `compress` codes them; in place of the coder, the logarithms
of its probabilities are added up. What is left out are the headers of frame and blocks, and less
than a byte a block by which the coder is not ideal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from glnzip.format.container import BLOCK_BYTES
from glnzip.format.levels import DEFAULT_LEVEL, check_level
from glnzip.frames.pending import PendingData
from glnzip.priors.allowance import NO_LIMITS, check_models
from glnzip.priors.opening import open_codec
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    import numpy as np
    from _typeshed import ReadableBuffer, StrPath
    from numpy.typing import NDArray

    from glnzip.coding.block_codec import BlockCodec
    from glnzip.format.block_type import BlockType
    from glnzip.frames.share import Report
    from glnzip.planner.stretches import Stretch


def cost_bits(
    data: ReadableBuffer,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    unpack: bool = True,
    progress: Callable[[int], object] | None = None,
) -> NDArray[np.float64]:
    """How many bits each byte of the data costs when they are compressed.

    Parameters
    ----------
    data
        Any bytes-like object.
    level, prior, unpack, progress
        As for `compress`.

    Returns
    -------
    float64[len(data)]
        Bits, multiples of 1/65536. Their sum is the ideal code length; what `compress` makes is a
        few bytes longer for its headers. Data that are unpacked for the model have no cost byte by
        byte: what they cost unpacked is spread evenly over the packed bytes. A block that is stored
        costs 8 bits a byte.

    Raises
    ------
    GlnzipError
        If there is not enough memory for the model, or the prior cannot be used.

    Examples
    --------
    >>> cost_bits(b"abracadabra abracadabra", level=1, prior=None).round().astype(int).tolist()
    [8, 8, 8, 8, 7, 8, 7, 8, 5, 5, 4, 9, 8, 4, 3, 2, 2, 2, 1, 1, 1, 1, 1]
    """
    import numpy as np

    check_models(check_level(level), NO_LIMITS)
    stretches = measured_stretches(byte_view(data), level, as_prior(prior), unpack, progress)
    return np.concatenate([np.zeros(0), *(stretch.spread() for stretch in stretches)])


class Measured(NamedTuple):
    """A stretch of the data, and what it costs."""

    original: bytes
    stretch: Stretch
    costs: list[NDArray[np.float64]]
    """Bits of each byte of each of its blocks."""

    def spread(self) -> NDArray[np.float64]:
        """Bits of each byte of the data; where they were unpacked, all have the same share."""
        import numpy as np

        together = np.concatenate(self.costs)
        if self.stretch.header is None:
            return together
        return np.full(len(self.original), together.sum() / len(self.original))


class Measures(Protocol):
    """What measures blocks: a `BlockCodec`, or what does as it does."""

    def begin_document(self) -> None: ...

    def measure(
        self, block: bytes, block_type: BlockType, progress: Report | None = None
    ) -> NDArray[np.float64]: ...


def measured_stretches(
    data: memoryview,
    level: int,
    prior: Prior | None,
    unpack: bool,
    progress: Report | None,
    using: Callable[[BlockCodec], Measures] = lambda codec: codec,
) -> Iterator[Measured]:
    """One stretch after the other; the data come as they do when they are compressed.

    `using` makes of the codec what is to measure; other parameters are those of `cost_bits`.
    """
    measures: Measures | None = None
    pending = PendingData(
        level, progress, unpacks=unpack, is_known=None if prior is None else prior.has_seen
    )
    for start in range(0, len(data) + 1, BLOCK_BYTES):
        piece = bytes(data[start : start + BLOCK_BYTES])
        for original, stretch, report in pending.stretches(piece, final=len(piece) < BLOCK_BYTES):
            costs = []
            for seen, block_type, anew in stretch.blocks:
                if measures is None:
                    codec = open_codec(level, prior, NO_LIMITS, progress, len(seen), block_type)
                    measures = using(codec)
                elif anew:
                    measures.begin_document()
                costs.append(measures.measure(seen, block_type, report))
            yield Measured(original, stretch, costs)
