"""A model that goes back to where it started, at the price of what it has touched.

A message of 200 bytes touches one or two megabytes of the 800 of a model. A fresh copy, even one
that the system makes page by page, would take longer than to code the message. So the model is kept
together with its *origin*, which is never written to, and what a `journal` says was touched is
copied from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.bytemodel import journal as journals
from glnzip.bytemodel.journal import new_journal, put_back_places, put_back_weights
from glnzip.bytemodel.state import ByteModel, ByteView, Model
from glnzip.state_image import named_arrays

JOURNAL_BYTES = 4096
"""A message up to this length has room in the journal; after a longer one the model is lost."""

_TABLES = {
    ".recent.slots": journals.SLOTS,
    ".recent.directs": journals.DIRECTS,
    ".recent.runs": journals.RUNS,
    ".recent.match_tables": journals.MATCHES,
    ".recent.nodes": journals.NODES,
    ".as_bytes.learned.curves": journals.CURVES,
    ".recent.ring": journals.RING,
}
_WEIGHTS = ".as_bytes.learned.network.weights"


class RewindableView:
    """One way to see bytes, with what all views share, and the way back to its origin.

    Parameters
    ----------
    model, origin
        Two models of equal content.
    text
        Whether the bytes are text.
    """

    def __init__(self, model: Model, origin: Model, *, text: bool) -> None:
        self.model, self._origin = _in_bytes(model, text), _in_bytes(origin, text)
        scratch = self.model.as_bytes.scratch
        most = max(2 * scratch.contexts.size, 8 * scratch.knots.size, 17 * model.recent.machines.size)
        self.journal = new_journal((JOURNAL_BYTES + 1) * most)
        self._tables = []
        self._small = []
        for (name, array), (_, before) in zip(
            named_arrays(self.model), named_arrays(self._origin), strict=True
        ):
            if name.startswith((".as_pixels", ".as_bytes.lineup")):
                continue
            if name in _TABLES:
                self._tables.append((_TABLES[name], _flat(array, np.uint32), _flat(before, np.uint32)))
            elif name != _WEIGHTS:
                self._small.append((_flat(array, np.uint8), _flat(before, np.uint8)))

    def rewind(self) -> bool:
        """Make the model what it was before the message; return whether that could be done."""
        places, counts = self.journal
        if counts.max() > places.shape[1]:
            return False
        put_back_weights(self.model.as_bytes.learned.network, self._origin.as_bytes.learned.network)
        for number, table, before in self._tables:
            words = journals.PLACE_WORDS[number]
            put_back_places(table, before, places[number], counts[number], words)
        for array, before in self._small:
            array[:] = before
        counts[:] = 0
        return True


def _in_bytes(model: Model, text: bool) -> ByteModel:
    view: ByteView = model.as_text if text else model.as_binary
    return ByteModel(view, model.as_pixels, model.recent)


def _flat(array: Any, dtype: Any) -> Any:
    return array.reshape(-1).view(np.ndarray).view(dtype)
