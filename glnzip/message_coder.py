"""From messages to payloads and back: the model and the coder behind `glnzip.messages`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.records import new_records
from glnzip.bytemodel.state import Model
from glnzip.coding.arithmetic import CODER
from glnzip.coding.byte_loops import DECODE, ENCODE
from glnzip.coding.endings import ENDING, ending_bytes, is_reached
from glnzip.coding.message_loop import AHEAD, run_message
from glnzip.errors import CorruptStreamError, OutputLimitError
from glnzip.plan import BINARY, BYTES, TEXT, BlockPlan
from glnzip.planner import is_text
from glnzip.primed import origin_and_copies, primed_model
from glnzip.rewind import RewindableModel

if TYPE_CHECKING:
    from glnzip.prior import Prior

_FIRST_OTHER = 0xC0  # first bytes below are of text
_FIRST_STORED = 0xFF
_SLICE_BYTES = 1 << 14  # kernels return this often, so that Ctrl-C is prompt


class MessageCoder:
    """Codes messages, each from the same model.

    The first one is coded by a model that is quick to have and is not kept: it may be the only one.
    Then a model is rewound after every message. If it cannot be, or if a message was not finished,
    because of an error or of Ctrl-C, a new one takes its place.
    """

    def __init__(self, level: int, prior: Prior | None) -> None:
        self._level = level
        self._prior = prior
        self._origin: Model | None = None
        self._copy: Callable[[], Model] | None = None
        self._model: RewindableModel | None = None
        self._is_first = True
        self._coder = new_records(1, CODER)
        self._ending = new_records(1, ENDING)

    def encode(self, original: bytes) -> bytes | None:
        """The payload of a message that is not empty, or None if it would be longer than that."""
        data = _writable(original)
        payload = np.zeros(data.size, np.uint8)
        form = TEXT if is_text(data) else BINARY
        model = self._begin(form)
        for start in range(0, data.size, _SLICE_BYTES):
            self._run(ENCODE, form, model, payload, data, start, min(start + _SLICE_BYTES, data.size))
        self._end(model, form)
        return ending_bytes(self._ending[0], payload)

    def decode(self, payload: bytes, max_length: int) -> bytes:
        """The message of a payload."""
        form = TEXT if payload[0] < _FIRST_OTHER else BINARY
        received = _writable(payload)
        model = self._begin(form)
        self._coder[0]["code"] = int.from_bytes(payload[:AHEAD].ljust(AHEAD, b"\0"), "big")
        self._coder[0]["at"] = AHEAD
        data: Any = np.zeros(0, np.uint8)
        done = 0
        while done == data.size < max_length:
            data = np.concatenate((data, np.zeros(min(_SLICE_BYTES, max_length - done), np.uint8)))
            done = self._run(DECODE, form, model, received, data, done, data.size)
        self._end(model, form)
        if is_reached(self._ending[0], received):
            return bytes(data[:done])
        if done == max_length:
            raise OutputLimitError(f"the message is longer than the {max_length} bytes allowed")
        raise CorruptStreamError("no message ends as this one does")

    def _run(self, direction: int, form: int, model: RewindableModel, *arrays: Any) -> int:
        plan = BlockPlan(BYTES, 0, form=form)
        view, journal = model.seen_as(form), model.journal
        stop: int = run_message(direction, plan, view, journal, self._coder, self._ending, *arrays)
        return stop

    def _begin(self, form: int) -> RewindableModel:
        """Take a model, and let the coder begin in the part of its interval that the form has."""
        first, last = (0, _FIRST_OTHER) if form == TEXT else (_FIRST_OTHER, _FIRST_STORED)
        self._coder[0] = (first << 24, (last << 24) - 1, 0, 0)
        self._ending[0] = (0, 0, 0)
        model, self._model = self._model or self._new_model(), None
        return model

    def _end(self, model: RewindableModel, form: int) -> None:
        if model.rewind(form):
            self._model = model

    def _new_model(self) -> RewindableModel:
        if self._is_first:
            self._is_first = False
            if self._prior is None:
                return RewindableModel(new_model(self._level), None)
            return RewindableModel(primed_model(self._level, self._prior, 0), None)
        if self._copy is None:
            if self._prior is None:
                self._origin, self._copy = new_model(self._level), lambda: new_model(self._level)
            else:
                self._origin, self._copy = origin_and_copies(self._level, self._prior)
        return RewindableModel(self._copy(), self._origin)


def _writable(data: bytes) -> Any:
    """A copy as an array that kernels may write to: a read-only one would be another signature."""
    return np.frombuffer(bytearray(data), np.uint8)
