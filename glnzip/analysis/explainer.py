"""A codec that measures what blocks cost, and shares what the model has saved among its inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from glnzip.analysis.attribution import Gains
from glnzip.analysis.explain_loop import explain_block, gains_of, kernel_for
from glnzip.coding.bit_loop import MEASURE
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BlockType
from glnzip.jit import jit_is_on, kernels_are_cached
from glnzip.system.notices import notice

_SLICE_BYTES = 1 << 14 if jit_is_on() else 1 << 6  # kernels return this often, as those of codecs


@dataclass
class Saved:
    """What a block model has coded, and what it has saved by that."""

    by_inputs: Any
    """float64[inputs + 1]: bits that each input has saved, then the biases."""
    bytes: int = 0
    bits: float = 0.0
    """What they cost."""


class Explainer(BlockCodec):
    """Measures as another codec does, whose model it takes.

    Parameters
    ----------
    codec : BlockCodec
    saved : dict of str to Saved
        By block model; it is added to. Blocks that are stored have saved nothing.
    """

    def __init__(self, codec: BlockCodec, saved: dict[str, Saved]) -> None:
        super().__init__(codec.model)
        self._saved = saved
        self._gains: Gains | None = None

    def measure(
        self, block: bytes, block_type: BlockType, progress: Callable[[int], object] | None = None
    ) -> Any:
        """What a block costs: see `BlockCodec.measure`."""
        name = block_type.block_model
        gains = self._gains = gains_of(self.model, name)
        costs = super().measure(block, block_type, progress)
        bits = float(costs.sum())
        if bits < 8 * len(block):
            own = np.concatenate([gains.of_inputs, gains.of_biases])
            saved = self._saved.setdefault(name, Saved(np.zeros(own.size)))
            saved.by_inputs += own
            saved.bytes += len(block)
            saved.bits += bits
        return costs

    def _run(
        self, direction: int, end: int, progress: Callable[[int], object] | None = None
    ) -> None:
        assert direction == MEASURE, "it codes nothing"
        _tell_if_it_compiles(kernel_for(self._block_type).__name__)
        while self._done < end:
            stop = min(self._done + _SLICE_BYTES, end)
            arrays = (self.model, self._gains, self._coder, self._payload, self._data)
            explain_block(self._block_type, *arrays, self._done, stop)
            measured, self._done = stop - self._done, stop
            if progress is not None:
                progress(measured)


@cache
def _tell_if_it_compiles(kernel: str) -> None:
    """Tell, once, that the kernel of this name takes a while before it runs."""
    if not kernels_are_cached(kernel):
        notice("compiling the analysis of such data for this machine, once (about 20 s)")
