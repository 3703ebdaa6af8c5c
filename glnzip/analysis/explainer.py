"""A codec that measures what blocks cost, and shares what the model has saved among its inputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glnzip.analysis.attribution import Gains, explain_slice, new_gains
from glnzip.coding.bit_loop import MEASURE, byte_parts
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import OF_BYTES, BlockType
from glnzip.jit import jit_is_on, kernels_are_cached
from glnzip.system.notices import notice

_SLICE_BYTES = 1 << 14 if jit_is_on() else 1 << 6  # kernels return this often, as those of codecs


@dataclass
class Saved:
    """What a block model has coded, and what it has saved by that."""

    bytes: int = 0
    bits: float = 0.0
    """What they cost."""
    by_inputs: Any = None
    """float64[inputs + 2]: bits that each input has saved, then the biases, then clipping. None for
    block models that are not of bytes, whose inputs are not told apart."""


class Explainer(BlockCodec):
    """Measures as another codec does, whose model it takes.

    Attributes
    ----------
    saved : dict of str to Saved
        By block model. Blocks that are stored have saved nothing.
    """

    def __init__(self, codec: BlockCodec) -> None:
        super().__init__(codec.model)
        self.saved: defaultdict[str, Saved] = defaultdict(Saved)
        self._gains: Gains | None = None
        if not kernels_are_cached(explain_slice.__name__):
            notice("compiling the analysis for this machine, once (about 15 s)")

    def measure(
        self, block: bytes, block_type: BlockType, progress: Callable[[int], object] | None = None
    ) -> Any:
        """What a block costs: see `BlockCodec.measure`."""
        name = block_type.block_model
        self._gains = new_gains(getattr(self.model, name)) if name in OF_BYTES else None
        costs = super().measure(block, block_type, progress)
        bits = float(costs.sum())
        if bits < 8 * len(block):
            saved = self.saved[name]
            saved.bytes += len(block)
            saved.bits += bits
            if self._gains is not None:
                own = np.concatenate([self._gains.of_inputs, self._gains.of_others])
                saved.by_inputs = own if saved.by_inputs is None else saved.by_inputs + own
        return costs

    def _run(
        self, direction: int, end: int, progress: Callable[[int], object] | None = None
    ) -> None:
        if self._gains is None:
            super()._run(direction, end, progress)
            return
        assert direction == MEASURE, "it codes nothing"
        model = byte_parts(self.model, self._block_type)
        while self._done < end:
            stop = min(self._done + _SLICE_BYTES, end)
            arrays = (self._gains, self._coder, self._payload, self._data)
            explain_slice(self._block_type, model, *arrays, self._done, stop)
            measured, self._done = stop - self._done, stop
            if progress is not None:
                progress(measured)
