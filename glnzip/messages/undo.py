"""Models that go back to where they started, at the price of what was touched.

A message of 200 bytes touches one or two megabytes of a model's 800. A new model for the next one,
even one whose pages the system copies as they are touched, would take longer to make than the
message to code. So a model is kept beside its *origin*, a model of equal content that is never
written to; and what has been touched since, by the word of an undo log, is copied from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.coding.bit_loop import byte_parts
from glnzip.format.block_type import BINARY, TEXT, BlockType
from glnzip.model.roles import LOGGED, ROLES, is_one_of, logged_number, named_arrays
from glnzip.model.state import ByteParts, Model
from glnzip.model.undo_log import (
    ROWS,
    UndoLog,
    new_undo_log,
    next_message,
    plant_trees,
    put_back_clones,
    put_back_places,
    put_back_rows,
)

LOGGED_BYTES = 4096
"""A message of up to so many bytes has room in the undo log."""

_BY_ROWS = ("*.learned.network.weights", "*.learned.network.steps")
_BY_OTHERS = (
    "bitmap.*",
    "recent.word_classes",
    "recent.numbers",
    "recent.squares.*",
    "recent.a64",
    "recent.font",
    "recent.class_files",
    "recent.python_code",
)
_UNTOUCHED = {
    TEXT: (*_BY_OTHERS, "recent.binary", "recent.instructions", "recent.relocations"),
    BINARY: (*_BY_OTHERS, "recent.syntax", "recent.tokens", "recent.fields"),
}
"""By the kind of a message, what only other blocks change."""


class UndoableModel:
    """A model for one message after the other.

    Parameters
    ----------
    model
        What codes the messages.
    origin
        A model of equal content, which is only read; None if there will be no second message.
    room
        How many bytes at a time can be undone.
    """

    def __init__(self, model: Model, origin: Model | None, room: int = LOGGED_BYTES) -> None:
        plant_trees(model.recent.dmcs, model.recent.nodes)
        if origin is not None:
            plant_trees(origin.recent.dmcs, origin.recent.nodes)
        self.model = model
        """It, as it stands."""
        self._parts = {}
        self._undo_logs = {}
        self._origin = origin
        self._ways_back: dict[int, _WayBack] = {}
        self._held = {}  # of the places in the undo log, those that stay in it
        for kind in (TEXT, BINARY):
            parts = self._parts[kind] = byte_parts(model, BlockType(kind))
            self._undo_logs[kind] = new_undo_log(parts, 0 if origin is None else room)
            self._held[kind] = np.zeros_like(self._undo_logs[kind].counts)

    def seen_as(self, kind: int) -> tuple[ByteParts, UndoLog]:
        """What codes messages of a kind, `TEXT` or `BINARY`, and the undo log for it."""
        return self._parts[kind], self._undo_logs[kind]

    def undo(self, kind: int) -> bool:
        """Go back to before the message, which was of this kind; return whether that is possible.

        After a message too long for the undo log it is not: then the model is of no use any more.
        """
        undo_log = self._undo_logs[kind]
        if self._origin is None or undo_log.counts.max() > undo_log.places.shape[1]:
            return False
        if kind not in self._ways_back:
            before = byte_parts(self._origin, BlockType(kind))
            self._ways_back[kind] = _WayBack(self._parts[kind], before, kind)
        self._ways_back[kind].go(undo_log.places, undo_log.counts)
        next_message(undo_log)
        undo_log.counts[:] = self._held[kind]
        return True

    def hold(self, kind: int) -> None:
        """Have `undo` go back to here from now on; the origin has come to the same place."""
        self._held[kind] = self._undo_logs[kind].counts.copy()

    def release(self, kind: int) -> bool:
        """Go back to where the first message began, as the origin has done; see `undo`."""
        self._held[kind] = np.zeros_like(self._undo_logs[kind].counts)
        return self.undo(kind)


class _WayBack:
    """What to copy from where, after a message of one kind."""

    def __init__(self, model: ByteParts, origin: ByteParts, kind: int) -> None:
        self._networks = model.byte_model.learned.network, origin.byte_model.learned.network
        self._dmcs = model.recent.dmcs, origin.recent.dmcs
        self._nodes = model.recent.nodes, origin.recent.nodes
        self._tables = []  # with the number that they have in the undo log
        self._small = []  # all of each is copied
        left_out = (*ROLES.constant, *_BY_ROWS, *_UNTOUCHED[kind])
        pairs = zip(named_arrays(model), named_arrays(origin), strict=True)
        for (name, array), (_, before) in pairs:
            number = logged_number(name)
            if number is not None:
                flat = _flat(array, np.uint32), _flat(before, np.uint32)
                self._tables.append((number, *flat))
            elif not is_one_of(name, left_out):
                self._small.append((_flat(array, np.uint8), _flat(before, np.uint8)))

    def go(self, places: Any, counts: Any) -> None:
        """Copy what the undo log says, and what is not in it."""
        for number, table, before in self._tables:
            put_back_places(table, before, places[number], counts[number], LOGGED[number].words)
        put_back_rows(*self._networks, places[ROWS], counts[ROWS])
        put_back_clones(*self._nodes, *self._dmcs)
        for array, before in self._small:  # the DMC models among them: how many nodes they have
            array[:] = before


def _flat(array: Any, dtype: Any) -> Any:
    """The whole of an array as numbers in a row."""
    return array.view(np.ndarray).reshape(-1).view(dtype)
