"""State maps: a small context in, the probability of a one out, learned from what followed.

An entry is a uint32: a 22-bit probability above a 10-bit count. The step towards each observed bit
is ``1 / (count + 1.5)``, so a new entry learns fast and an old one averages over about `limit`
bits (the state maps of lpaq; Mahoney, 2007).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.gln.logistic import STRETCH, STRETCH_BITS
from glnzip.jit import inline

COUNT_BITS = 10
COUNT_MASK = (1 << COUNT_BITS) - 1
PROBABILITY_BITS = 22
UNSEEN = 1 << 31
"""Probability 1/2, count 0. Large tables hold entries xor this, so that a new one is all zeros."""
_STEP_BITS = 16
_STRETCH_SHIFT = COUNT_BITS + PROBABILITY_BITS - STRETCH_BITS
_HALF = np.float32(1 << (STRETCH_BITS - 1))
_CENTRED = np.float32(4 / (1 << STRETCH_BITS))  # scales p - 1/2 to about +-2
RECIPROCALS = ((1 << _STEP_BITS) / (np.arange(1 << COUNT_BITS) + 1.5)).astype(np.int64)


def new_map(first_guess: Any, count: int) -> Any:
    """Entries that start at `first_guess` (float64[:]) as if seen `count` times: uint32[:]."""
    scaled = np.asarray(first_guess, np.float64) * (1 << PROBABILITY_BITS)
    top = (1 << PROBABILITY_BITS) - 1
    entries = np.clip(scaled, 0, top).astype(np.uint32)
    return (entries << np.uint32(COUNT_BITS)) | np.uint32(count)


def make_quick(entries: Any, count: int) -> None:
    """Let entries (uint32[:]) learn as quickly as if seen at most `count` times."""
    counts = entries & np.uint32(COUNT_MASK)
    np.minimum(counts, np.uint32(count), out=counts)
    entries &= ~np.uint32(COUNT_MASK)  # in place, as some are large
    entries |= counts


@inline
def stretched(entry):
    """The logit of an entry's probability, float32."""
    return STRETCH[np.int64(entry) >> _STRETCH_SHIFT]


@inline
def opinion(entry):
    """Two inputs for the network: the logit ``stretch(p)`` and ``4 (p - 1/2)``, float32."""
    p = np.int64(entry) >> _STRETCH_SHIFT
    return STRETCH[p], (np.float32(p) - _HALF) * _CENTRED


@inline
def adapted(entry, bit, limit):
    """The entry after it has seen `bit` (0 or 1), its count capped at `limit`: int64."""
    entry = np.int64(entry)
    count = entry & COUNT_MASK
    p = entry >> COUNT_BITS
    target = (bit << PROBABILITY_BITS) - bit
    p += ((target - p) * RECIPROCALS[count]) >> _STEP_BITS
    return (p << COUNT_BITS) | min(count + 1, limit)
