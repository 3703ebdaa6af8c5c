"""From messages to payloads and back: the model and the coder behind `glnzip.messages`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from glnzip.coding.arithmetic import CODER
from glnzip.coding.arrays import Bytes, writable
from glnzip.coding.bit_loop import DECODE, ENCODE
from glnzip.coding.endings import ENDING, ending_bytes
from glnzip.coding.message_loop import AHEAD, run_message
from glnzip.errors import CorruptStreamError, OutputLimitError
from glnzip.format.block_type import BINARY, TEXT, BlockType
from glnzip.jit import notice_if_plain
from glnzip.jit.records import new_records
from glnzip.messages.undo import UndoableModel
from glnzip.model.state import Model
from glnzip.planner.planner import is_text
from glnzip.priors.allowance import NO_LIMITS, Allowance, check_allowed
from glnzip.priors.prepared import origin_and_copies, prepared_model
from glnzip.priors.prior_stream import PriorStream
from glnzip.priors.watching import Report

_FIRST_OTHER = 0xC0  # first bytes below are of text
_FIRST_STORED = 0xFF
_SLICE_BYTES = 1 << 14  # kernels return this often, so that Ctrl-C is prompt


class MessageCoder:
    """Codes messages, each from the same model.

    The first one is coded by a model that is quick to have and is not kept: it may be the only one.
    Then a model is rewound after every message. If it cannot be, or if a message was not finished,
    because of an error or of Ctrl-C, a new one takes its place.
    """

    def __init__(
        self,
        level: int,
        prior: PriorStream | None,
        allowance: Allowance = NO_LIMITS,
        progress: Report | None = None,
    ) -> None:
        check_allowed(level, prior, allowance)
        notice_if_plain()
        self._progress: Report = progress or (lambda count: None)
        self._level = level
        self._prior = prior
        self._is_first = True
        self._model: UndoableModel | None = None
        self._origin: Model | None = None
        self._copy: Callable[[], Model] | None = None

    def encode(self, original: bytes) -> bytes | None:
        """The payload of a message that is not empty, or None if it would be longer than that."""
        data = writable(original)
        payload = np.zeros(data.size, np.uint8)
        kind = TEXT if is_text(data) else BINARY
        model = self._take_model()
        coder, ending = _begin(kind)
        for start in range(0, data.size, _SLICE_BYTES):
            end = min(start + _SLICE_BYTES, data.size)
            _run(ENCODE, kind, model, coder, ending, payload, data, start, end)
            self._progress(end - start)
        self._give_back(model, kind)
        return ending_bytes(ending[0], payload)

    def decode(self, payload: bytes, max_length: int) -> bytes:
        """The message of a payload that `encode` may have made.

        Raises
        ------
        CorruptStreamError
            If no message has this payload.
        OutputLimitError
            If the message is longer than `max_length`.
        """
        kind = TEXT if payload[0] < _FIRST_OTHER else BINARY
        received = writable(payload)
        model = self._take_model()
        coder, ending = _begin(kind)
        coder[0]["code"] = int.from_bytes(payload[:AHEAD].ljust(AHEAD, b"\0"), "big")
        coder[0]["at"] = AHEAD
        data: Bytes = np.zeros(0, np.uint8)
        done = 0
        while done == data.size < max_length:
            data = np.concatenate((data, np.zeros(min(_SLICE_BYTES, max_length - done), np.uint8)))
            start = done
            done = _run(DECODE, kind, model, coder, ending, received, data, done, data.size)
            self._progress(done - start)
        self._give_back(model, kind)
        if ending_bytes(ending[0], received) == payload:
            return bytes(data[:done])
        if done == max_length:
            raise OutputLimitError(f"the message is longer than the {max_length} bytes allowed")
        raise CorruptStreamError("the message is truncated or damaged")

    def _take_model(self) -> UndoableModel:
        """A model ready for a message; until it is given back, there is none."""
        model, self._model = self._model, None
        if model is not None:
            return model
        if self._is_first:
            self._is_first = False
            return UndoableModel(prepared_model(self._level, self._prior, 0), None)
        if self._copy is None:
            self._origin, self._copy = origin_and_copies(self._level, self._prior)
        return UndoableModel(self._copy(), self._origin)

    def _give_back(self, model: UndoableModel, kind: int) -> None:
        if model.undo(kind):
            self._model = model


def _begin(kind: int) -> tuple[Any, Any]:
    """A coder that begins in the part of its interval that a kind has, and the first ending."""
    coder, ending = new_records(1, CODER), new_records(1, ENDING)
    first, last = (0, _FIRST_OTHER) if kind == TEXT else (_FIRST_OTHER, _FIRST_STORED)
    coder[0] = (first << 24, (last << 24) - 1, 0, 0)
    return coder, ending


def _run(direction: int, kind: int, model: UndoableModel, *rest: Any) -> int:
    stop: int = run_message(direction, BlockType(kind), *model.seen_as(kind), *rest)
    return stop
