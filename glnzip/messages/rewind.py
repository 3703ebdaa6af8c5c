"""Models that go back to where they started, at the price of what was touched.

A message of 200 bytes touches one or two megabytes of a model's 800. A new model for the next one,
even one whose pages the system copies as they are touched, would take longer to make than the
message to code. So a model is kept beside its *origin*, a model of equal content that is never
written to; and what has been touched since, by the word of a journal, is copied from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.bytemodel.journal import (
    CURVES,
    DIRECTS,
    FOLLOWERS,
    MATCHES,
    NODES,
    PLACE_WORDS,
    RING,
    ROWS,
    RUNS,
    SLOTS,
    THREES,
    Journal,
    new_journal,
    next_message,
    plant_trees,
    put_back_clones,
    put_back_places,
    put_back_rows,
)
from glnzip.bytemodel.state import ByteModel, Model
from glnzip.coding.byte_loops import in_bytes
from glnzip.plan import BINARY, TEXT
from glnzip.priors.state_image import named_arrays

JOURNAL_BYTES = 4096
"""A message of up to so many bytes has room in the journal."""

_TABLES = {
    ".recent.slots": SLOTS,
    ".recent.directs": DIRECTS,
    ".recent.runs": RUNS,
    ".recent.match_tables": MATCHES,
    ".recent.nodes": NODES,
    ".recent.ring": RING,
    ".recent.followers_pair": FOLLOWERS,
    ".recent.followers_three": THREES,
    ".as_bytes.learned.curves": CURVES,
}
_BY_ROWS = (".as_bytes.learned.network.weights", ".as_bytes.learned.network.steps")
_SEEN_BY_OTHERS = {
    TEXT: (".recent.binary",),
    BINARY: (".recent.syntax", ".recent.tokens"),
}
"""By the form of a message, what only messages of the other form change."""
_CONSTANT = (".as_bytes.lineup", ".as_pixels", ".recent.word_classes")


class RewindableModel:
    """A model for one message after the other.

    Parameters
    ----------
    model
        What codes the messages.
    origin
        A model of equal content, which is only read; None if there will be no second message.
    """

    def __init__(self, model: Model, origin: Model | None) -> None:
        plant_trees(model.recent.machines, model.recent.nodes)
        if origin is not None:
            plant_trees(origin.recent.machines, origin.recent.nodes)
        self._views = {}
        self._journals = {}
        self._ways_back = {}
        for form in (TEXT, BINARY):
            view = self._views[form] = in_bytes(model, form)
            self._journals[form] = new_journal(view, 0 if origin is None else JOURNAL_BYTES)
            if origin is not None:
                self._ways_back[form] = _WayBack(view, in_bytes(origin, form), form)

    def seen_as(self, form: int) -> tuple[ByteModel, Journal]:
        """What codes messages of a form, `TEXT` or `BINARY`, and the journal for it."""
        return self._views[form], self._journals[form]

    def rewind(self, form: int) -> bool:
        """Go back to before the message, which was of this form; return whether that is possible.

        After a message too long for the journal it is not: then the model is of no use any more.
        """
        journal = self._journals[form]
        if journal.counts.max() > journal.places.shape[1]:
            return False
        self._ways_back[form].go(journal.places, journal.counts)
        next_message(journal)
        return True


class _WayBack:
    """What to copy from where, after a message of one form."""

    def __init__(self, model: ByteModel, origin: ByteModel, form: int) -> None:
        self._networks = model.as_bytes.learned.network, origin.as_bytes.learned.network
        self._machines = model.recent.machines, origin.recent.machines
        self._nodes = model.recent.nodes, origin.recent.nodes
        self._tables = []  # with the number that they have in the journal
        self._small = []  # all of each is copied
        left_out = _CONSTANT + _BY_ROWS + _SEEN_BY_OTHERS[form]
        pairs = zip(named_arrays(model), named_arrays(origin), strict=True)
        for (name, array), (_, before) in pairs:
            if name in _TABLES:
                flat = _flat(array, np.uint32), _flat(before, np.uint32)
                self._tables.append((_TABLES[name], *flat))
            elif not name.startswith(left_out):
                self._small.append((_flat(array, np.uint8), _flat(before, np.uint8)))

    def go(self, places: Any, counts: Any) -> None:
        """Copy what the journal says, and what is not in it."""
        for number, table, before in self._tables:
            put_back_places(table, before, places[number], counts[number], PLACE_WORDS[number])
        put_back_rows(*self._networks, places[ROWS], counts[ROWS])
        put_back_clones(*self._nodes, *self._machines)
        for array, before in self._small:  # the machines among them: how many nodes they have
            array[:] = before


def _flat(array: Any, dtype: Any) -> Any:
    """The whole of an array as numbers in a row."""
    return array.view(np.ndarray).reshape(-1).view(dtype)
