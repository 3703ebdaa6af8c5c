"""Where data change from text to something else, though no header says so.

Data are seen in units. A unit is text if nearly all of its bytes are ASCII, and is none if it has
controls; of others it is not known, and they go with their neighbours. So text in other writing,
and tables and pictures that have no controls by chance, change nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import kernel

_UNIT = 1 << 12
_LEAST = 1 << 13  # bytes of a kind; for less it does not pay to change
SHORTEST = 2 * _LEAST
"""Bytes; in less there is no change that pays."""

_CONTROLS = [*range(9), *range(14, 27), *range(28, 32)]
_PLAIN = [*range(9, 14), *range(32, 127)]
_CONTROL, _ASCII = 1, 2
_BYTES_FOR_A_CONTROL = 50  # of text; a unit with more controls is none
_ASCII_PER_CENT = 95


def _kinds_of_bytes() -> Any:
    kinds = np.zeros(256, np.uint8)
    kinds[_CONTROLS] = _CONTROL
    kinds[_PLAIN] = _ASCII
    return kinds


_BYTE_KINDS = _kinds_of_bytes()


def changes(data: Any) -> list[int]:
    """The places where data (uint8[:]) change from text to something else, or back."""
    places: list[int] = []
    last: _Run | None = None
    for run in _long_runs(data):
        if last and last.is_text != run.is_text:
            # The change is where controls begin or end, between the last unit and the first.
            start, end = (last.end - 1) * _UNIT, (run.start + 1) * _UNIT
            controls = np.flatnonzero(_BYTE_KINDS[data[start:end]] == _CONTROL)
            place = start + int(controls[-1] + 1 if run.is_text else controls[0])
            if places and place - places[-1] < _LEAST:
                places.pop()  # a few bytes that two units have a part of
            else:
                places.append(place)
        last = run
    return places


class _Run(NamedTuple):
    """Units that are all text, or none of them; of some between them it may not be known."""

    is_text: bool
    start: int
    end: int


def _long_runs(data: Any) -> list[_Run]:
    """Those that are long enough to pay."""
    units = -(-data.size // _UNIT)
    seen = np.zeros((units, 2), np.int64)
    _count(data, seen)
    sizes = np.full(units, _UNIT)
    sizes[-1:] = data.size - (units - 1) * _UNIT
    other = _BYTES_FOR_A_CONTROL * seen[:, 0] > sizes
    text = ~other & (100 * seen[:, 1] >= _ASCII_PER_CENT * sizes)
    known = np.flatnonzero(text | other)
    if not known.size:
        return []
    first = [0, *(np.flatnonzero(np.diff(text[known])) + 1)]  # of each run, in what is known
    runs = [
        _Run(bool(text[known[a]]), int(known[a]), int(known[b - 1]) + 1)
        for a, b in zip(first, [*first[1:], known.size], strict=True)
    ]
    return [run for run in runs if (run.end - run.start) * _UNIT >= _LEAST]


@kernel
def _count(data, seen):
    """Count controls and ASCII of each unit: int64[units, 2]."""
    for i in range(data.size):
        kind = _BYTE_KINDS[data[i]]
        unit = i // _UNIT
        seen[unit, 0] += kind & 1
        seen[unit, 1] += kind >> 1
