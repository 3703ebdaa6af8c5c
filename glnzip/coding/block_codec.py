"""From blocks of bytes to coded payloads and back: the model and the coder behind the container.

A stream is cut into blocks of at most ``BLOCK_BYTES``. The model is adaptive and carries on from
block to block; the arithmetic coder starts afresh in each, so that a block is coded or stored as
whichever is smaller, and can be decoded once all of it has arrived.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from glnzip.coding.arithmetic import new_coder
from glnzip.coding.arrays import Bytes, writable
from glnzip.coding.bit_costs import bit_costs
from glnzip.coding.bit_loop import (
    CHANCE_BYTES,
    DECODE,
    ENCODE,
    LEARN,
    MEASURE,
    byte_parts,
    run_block,
)
from glnzip.coding.memorise_loop import memorise_block
from glnzip.format.block_type import (
    A64,
    CALLS,
    CALLS_AND_DATA,
    CLASS_FILES,
    NUMBERS,
    OF_BYTES,
    PYTHON_CODE,
    TEXT,
    BlockType,
)
from glnzip.jit import jit_is_on, notice_if_plain
from glnzip.model.build import begin_document
from glnzip.model.state import Model
from glnzip.transforms import class_numbers, python_columns
from glnzip.transforms.a64_words import to_fields, to_words, turn_words
from glnzip.transforms.byte_order import turn_numbers
from glnzip.transforms.x86_addresses import to_absolute, to_relative


class _Rewriting(NamedTuple):
    """How data are rewritten in place before the model sees them, and turned back."""

    turn: Callable[[Any, BlockType], None]
    turn_back: Callable[[Any, BlockType], None]


_REWRITTEN = {
    CALLS: _Rewriting(to_absolute, to_relative),
    CALLS_AND_DATA: _Rewriting(to_absolute, to_relative),
    A64: _Rewriting(to_fields, to_words),
    NUMBERS: _Rewriting(turn_numbers, turn_numbers),
    CLASS_FILES: _Rewriting(class_numbers.to_told, class_numbers.to_meant),
    PYTHON_CODE: _Rewriting(python_columns.to_told, python_columns.to_meant),
}
_TURNED_COSTS = {NUMBERS: turn_numbers, A64: turn_words}

# Kernels return this often, so that Ctrl-C is prompt and progress is seen.
_SLICE_BYTES = 1 << 14 if jit_is_on() else 1 << 6


class BlockCodec:
    """One direction of one stream: the model's state and the block that is being coded.

    Parameters
    ----------
    model : Model
        Where the stream begins; coding goes on changing it.
    """

    def __init__(self, model: Model) -> None:
        notice_if_plain()
        self.model = model
        """The model as it stands."""
        self._coder = new_coder()
        self._payload: Bytes = np.zeros(0, np.uint8)
        self._data: Bytes = np.zeros(0, np.uint8)
        self._block_type = BlockType(TEXT)
        self._anew = False
        self._done = 0  # bytes that the model has seen ...
        self._delivered = 0  # ... and that `decode` has handed out

    def encode(
        self, block: bytes, block_type: BlockType, progress: Callable[[int], object] | None = None
    ) -> bytes | None:
        """Code a block.

        Parameters
        ----------
        block : bytes
            At most ``BLOCK_BYTES``.
        block_type : BlockType
            How the model is to see it.
        progress : callable, optional
            Called now and then with the number of bytes coded since the last call.

        Returns
        -------
        bytes or None
            The payload, or None if it would not be smaller than the block. The model has learned
            the block in both cases.
        """
        self._begin(np.zeros(len(block), np.uint8), as_seen(block, block_type), block_type)
        self._run(ENCODE, len(block), progress)
        return self._finish_payload()

    def learn(
        self, block: bytes, block_type: BlockType, progress: Callable[[int], object] | None = None
    ) -> None:
        """Let the model see a block without coding it."""
        self._begin(np.zeros(0, np.uint8), as_seen(block, block_type), block_type)
        self._run(LEARN, len(block), progress)

    def measure(
        self, block: bytes, block_type: BlockType, progress: Callable[[int], object] | None = None
    ) -> Any:
        """What a block costs; the model learns it as if it were coded.

        Returns
        -------
        float64[len(block)]
            Bits of each byte, by the model's probabilities. 8.0 for all if they are more together,
            since such a block is stored.
        """
        chances = np.zeros(8 * CHANCE_BYTES * len(block), np.uint8)
        self._begin(chances, as_seen(block, block_type), block_type)
        self._run(MEASURE, len(block), progress)
        costs = bit_costs(chances.view("<u2")).reshape(-1, 8).sum(1)
        if block_type.kind in _TURNED_COSTS:
            _TURNED_COSTS[block_type.kind](costs, block_type)
        return costs if costs.sum() < 8 * len(block) else np.full(len(block), 8.0)

    def memorise(
        self, block: bytes, block_type: BlockType, progress: Callable[[int], object] | None = None
    ) -> None:
        """Let the model see a block of bytes without asking it; it learns one of other kinds."""
        if block_type.block_model not in OF_BYTES:
            self.learn(block, block_type, progress)
            return
        self._begin(np.zeros(0, np.uint8), as_seen(block, block_type), block_type)
        for memorised in memorise_block(byte_parts(self.model, block_type), block_type, self._data):
            if progress is not None:
                progress(memorised)

    def begin_document(self) -> None:
        """The next block begins a document that is unlike those before."""
        self._anew = True

    def begin_decode(self, payload: bytes, length: int, block_type: BlockType) -> None:
        """Start a block of `length` original bytes; `decode` then delivers them."""
        self._begin(writable(payload), np.zeros(length, np.uint8), block_type)
        first = bytes(payload[:4]).ljust(4, b"\0")
        self._coder[0]["code"] = int.from_bytes(first, "big")
        self._coder[0]["at"] = 4

    def decode(self, most: int) -> bytes:
        """The next 1 to `most` original bytes of the block; ``b""`` when it is complete."""
        start = self._delivered
        end = min(start + min(most, _SLICE_BYTES), self._data.size)
        if self._block_type.kind not in _REWRITTEN:
            self._run(DECODE, end)
        elif self._done < self._data.size:  # only the whole of it can be turned back
            self._run(DECODE, self._data.size)
            _REWRITTEN[self._block_type.kind].turn_back(self._data, self._block_type)
        self._delivered = end
        return self._data[start:end].tobytes()

    def _begin(self, payload: Bytes, data: Bytes, block_type: BlockType) -> None:
        self._payload = payload
        self._data = data
        self._done = self._delivered = 0
        self._coder = new_coder()
        self._block_type = block_type
        if self._anew:
            self.model = begin_document(self.model, block_type.block_model)
            self._anew = False

    def _run(
        self, direction: int, end: int, progress: Callable[[int], object] | None = None
    ) -> None:
        while self._done < end:
            stop = min(self._done + _SLICE_BYTES, end)
            arrays = (self.model, self._coder, self._payload, self._data)
            run_block(direction, self._block_type, *arrays, self._done, stop)
            coded, self._done = stop - self._done, stop
            if progress is not None:
                progress(coded)

    def _finish_payload(self) -> bytes | None:
        """End the payload with the fewest bytes that the decoder, reading zeros after, needs."""
        low, high, at = (int(self._coder[0][name]) for name in ("low", "high", "at"))
        for kept in range(5):
            unit = 1 << (32 - 8 * kept)
            code = -(-low // unit) * unit
            if code <= high:
                break
        if at + kept >= self._data.size:
            return None
        whole = self._payload[:at].tobytes() + code.to_bytes(5, "big")[1 : 1 + kept]
        return whole.rstrip(b"\0")


def as_seen(block: bytes, block_type: BlockType) -> Bytes:
    """The block as the model sees it: code and numbers are rewritten."""
    data = writable(block)
    if block_type.kind in _REWRITTEN:
        _REWRITTEN[block_type.kind].turn(data, block_type)
    return data


OpenCodec = Callable[[int, BlockType], BlockCodec]
"""Opens a codec for a first block of so many bytes that is seen so."""
