"""What pieces of data cost alone, and what each of many costs behind the same other one.

The costs are those of `cost_bits`, to the bit. They are had quicker: a model is loaded once, and
put back after each piece at the price of what the piece has touched (`glnzip.messages.undo`). For
many pieces that follow one and the same, the *trunk*, two models learn that: one stays there, and
the other one goes on with a piece and comes back to where the first is.

That is for text and plain bytes of up to `LONGEST`. Other data (pictures, sounds, archives, what is
unpacked, several kinds together) are measured each with a model of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from glnzip.coding.arithmetic import new_coder
from glnzip.coding.arrays import writable
from glnzip.coding.bit_costs import bit_costs
from glnzip.coding.bit_loop import CHANCE_BYTES, MEASURE
from glnzip.coding.endings import ENDING
from glnzip.coding.message_loop import run_message
from glnzip.format.block_type import BINARY, TEXT, BlockType
from glnzip.frames.pending import PendingData
from glnzip.jit.records import new_records
from glnzip.messages.undo import UndoableModel
from glnzip.model.state import Model
from glnzip.priors.prepared import origin_and_copies
from glnzip.priors.prior import Prior
from glnzip.priors.watching import Report
from glnzip.streams.cost import cost_bits

LONGEST = 1 << 15
"""Bytes that are put back; the places that they touch take some kilobytes each."""


class JointCosts:
    """Measures one piece of data after the other, from the same model.

    Parameters
    ----------
    level, prior
        As for `cost_bits`.
    longest
        Bytes of the longest that will be asked for, of two pieces together.
    """

    def __init__(self, level: int, prior: Prior | None, longest: int) -> None:
        self._level = level
        self._prior = prior
        self._room = min(longest, LONGEST)

    def alone(self, data: bytes) -> float:
        """The bits that a piece costs by itself."""
        block_type = self._block_type(data)
        if block_type is None:
            return float(cost_bits(data, level=self._level, prior=self._prior).sum())
        bits = _bits(self._stays, block_type, data)
        _put_back(self._stays, block_type.kind)
        return _stored_if_less(bits, data)

    def behind(self, trunk: bytes, pieces: Sequence[bytes], report: Report) -> list[float]:
        """The bits of ``trunk + piece``, for each of the pieces; their bytes are reported."""
        costs = [0.0] * len(pieces)
        by_type = defaultdict(list)
        for i, piece in enumerate(pieces):
            by_type[self._block_type(trunk + piece)].append(i)
        for block_type, places in by_type.items():
            together = [pieces[i] for i in places]
            for i, cost in zip(places, self._together(trunk, together, block_type), strict=True):
                costs[i] = cost
                report(len(trunk) + len(pieces[i]))
        return costs

    def _together(
        self, trunk: bytes, pieces: Sequence[bytes], block_type: BlockType | None
    ) -> Iterator[float]:
        """As `behind`, for pieces that are seen in one way with what they follow."""
        if block_type is None or len(pieces) == 1:
            return (self.alone(trunk + piece) for piece in pieces)
        return self._branches(trunk, pieces, block_type)

    @cached_property
    def _opened(self) -> tuple[Model, Callable[[], Model]]:
        return origin_and_copies(self._level, self._prior)

    @cached_property
    def _stays(self) -> UndoableModel:
        """A model that is put back to where it began."""
        origin, copy = self._opened
        return UndoableModel(copy(), origin, self._room)

    @cached_property
    def _goes_on(self) -> UndoableModel:
        """A model that is put back to where `_stays` is."""
        _, copy = self._opened
        return UndoableModel(copy(), self._stays.model, self._room)

    def _branches(
        self, trunk: bytes, pieces: Sequence[bytes], block_type: BlockType
    ) -> Iterator[float]:
        """The same, with what they follow learned only once."""
        kind = block_type.kind
        stays, goes_on = self._stays, self._goes_on
        _bits(stays, block_type, trunk)
        of_trunk = _bits(goes_on, block_type, trunk)
        goes_on.hold(kind)
        for piece in pieces:
            bits = of_trunk + _bits(goes_on, block_type, piece, behind=trunk)
            _put_back(goes_on, kind)
            yield _stored_if_less(bits, trunk + piece)
        _put_back(stays, kind)
        goes_on.release(kind)

    def _block_type(self, data: bytes) -> BlockType | None:
        """How all of the data are seen; None if they cannot be put back."""
        if len(data) > self._room:
            return None
        pending = PendingData(self._level, None, unpacks=True)
        stretches = [stretch for _, stretch, _ in pending.stretches(data, final=True)]
        if len(stretches) != 1 or stretches[0].header or len(stretches[0].blocks) != 1:
            return None
        block_type = stretches[0].blocks[0].block_type
        return block_type if block_type.kind in (TEXT, BINARY) else None


def _bits(
    model: UndoableModel, block_type: BlockType, data: bytes, *, behind: bytes = b""
) -> float:
    """What data cost, behind others of the same block that the model has just seen."""
    whole = writable(behind + data)
    chances = np.zeros(8 * CHANCE_BYTES * whole.size, np.uint8)
    parts = model.seen_as(block_type.kind)
    ending = new_records(1, ENDING)
    start = len(behind)
    run_message(MEASURE, block_type, *parts, new_coder(), ending, chances, whole, start, whole.size)
    return float(bit_costs(chances[8 * CHANCE_BYTES * start :].view("<u2")).sum())


def _put_back(model: UndoableModel, kind: int) -> None:
    if not model.undo(kind):
        raise AssertionError("the undo log has room for the longest")


def _stored_if_less(bits: float, data: bytes) -> float:
    """Data that cost more than they have bits are stored."""
    return min(bits, 8.0 * len(data))
