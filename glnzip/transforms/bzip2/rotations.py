"""Rotations of a block in their order, and the block again from their last bytes.

M. Burrows and D. Wheeler, "A block-sorting lossless data compression algorithm", 1994. The block is
turned until it begins with its least rotation: then its rotations have the order of its suffixes
(R. Giancarlo, A. Restivo, M. Sciortino, "From first principles to the Burrows and Wheeler
transform and beyond", 2007). These are sorted by inducing (G. Nong, S. Zhang, W. Chan, "Two
efficient algorithms for linear time suffix array construction", 2011), in a time that grows as the
block does, whatever is in it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, kernel

_BYTES = 257  # and the end


class Sorted(NamedTuple):
    """The rotations of a block in their order."""

    last: Any
    """uint8[:]: the last byte of each."""
    first: int
    """The number of the block itself; the least one, if there are others like it."""
    alike: int
    """How many are like each other."""


def sort_rotations(block: Any) -> Sorted:
    """Sort the rotations of a block (uint8[:]), which has a byte at least."""
    start = int(_least_rotation(block))
    turned = np.concatenate([block[start:], block[:start]])
    text = np.zeros(block.size + 1, np.int32)
    text[:-1] = turned
    text[:-1] += 1
    order = _suffixes(text, _BYTES)[1:]
    alike = block.size // int(_period(turned))
    own = int(np.flatnonzero(order == (block.size - start) % block.size)[0])
    return Sorted(turned[order - 1], own - own % alike, alike)


@kernel
def _least_rotation(block):
    """Where the least rotation begins: of two that are compared, the worse one gives way."""
    size = np.int64(block.size)
    i, j, same = np.int64(0), np.int64(1), np.int64(0)
    while i < size and j < size and same < size:
        one = block[(i + same) % size]
        other = block[(j + same) % size]
        if one == other:
            same += 1
            continue
        if one > other:
            i += same + 1
        else:
            j += same + 1
        if i == j:
            j += 1
        same = np.int64(0)
    return min(i, j)


@kernel
def _period(turned):
    """The length of what is repeated in a block, which begins with its least rotation."""
    size = np.int64(turned.size)
    period = np.int64(1)
    for i in range(1, size):
        if turned[i] != turned[i - period]:  # it is greater
            period = np.int64(i + 1)
    return period if size % period == 0 else size


def _suffixes(text: Any, alphabet: int) -> Any:
    """The suffixes of a text in their order: int32[:].

    Parameters
    ----------
    text : int32[:]
        Numbers below `alphabet`; the last one is 0, and no other.
    alphabet : int
    """
    order = np.full(text.size, -1, np.int32)
    smaller = np.zeros(text.size, np.uint8)
    starts = np.zeros(alphabet + 1, np.int64)
    places = np.zeros(alphabet + 1, np.int64)
    count = int(_sort_parts(text, smaller, starts, places, order))
    names = np.zeros(text.size, np.int32)
    reduced = np.zeros(count, np.int32)
    marks = np.zeros(count, np.int32)
    distinct = int(_name_parts(text, smaller, order, names, reduced, marks))
    if distinct < count:
        ranks = _suffixes(reduced, distinct)
    else:
        ranks = np.zeros(count, np.int32)
        ranks[reduced] = np.arange(count, dtype=np.int32)
    _sort_all(text, smaller, starts, places, marks[ranks], order)
    return order


@kernel
def _sort_parts(text, smaller, starts, places, order):
    """Sort what lies between two marks: suffixes that are smaller than the next, behind greater."""
    size = np.int64(text.size)
    smaller[size - 1] = 1
    for i in range(size - 2, -1, -1):
        same = text[i] == text[i + 1] and smaller[i + 1] == 1
        smaller[i] = 1 if text[i] < text[i + 1] or same else 0
    for i in range(size):
        starts[text[i] + 1] += 1
    for symbol in range(1, starts.size):
        starts[symbol] += starts[symbol - 1]
    _ends(starts, places)
    count = np.int64(0)
    for i in range(size - 1, 0, -1):
        if _is_mark(smaller, i):
            places[text[i]] -= 1
            order[places[text[i]]] = i
            count += 1
    _induce(text, smaller, starts, places, order)
    return count


@kernel
def _name_parts(text, smaller, order, names, reduced, marks):
    """Number the parts in their order, those that are alike by the same; how many differ."""
    size = np.int64(text.size)
    name = np.int64(-1)
    before = np.int64(-1)
    for i in range(size):
        place = np.int64(order[i])
        if place > 0 and _is_mark(smaller, place):
            if before < 0 or not _are_alike(text, smaller, before, place):
                name += 1
            names[place] = name
            before = place
    count = np.int64(0)
    for i in range(1, size):
        if _is_mark(smaller, i):
            reduced[count] = names[i]
            marks[count] = i
            count += 1
    return name + 1


@kernel
def _sort_all(text, smaller, starts, places, marks, order):
    """Sort all suffixes, those at marks being sorted."""
    for i in range(order.size):
        order[i] = -1
    _ends(starts, places)
    for k in range(marks.size - 1, -1, -1):
        symbol = text[marks[k]]
        places[symbol] -= 1
        order[places[symbol]] = marks[k]
    _induce(text, smaller, starts, places, order)


@inline
def _is_mark(smaller, i):
    return smaller[i] == 1 and smaller[i - 1] == 0


@inline
def _are_alike(text, smaller, one, other):
    """Whether two parts have the same symbols, each up to the next mark."""
    k = np.int64(0)
    while text[one + k] == text[other + k] and smaller[one + k] == smaller[other + k]:
        if k > 0 and _is_mark(smaller, one + k):
            return _is_mark(smaller, other + k)
        k += 1
    return False


@inline
def _ends(starts, places):
    """The places behind those of each symbol."""
    for symbol in range(starts.size - 1):
        places[symbol] = starts[symbol + 1]


@inline
def _induce(text, smaller, starts, places, order):
    """Put all suffixes in order behind those that are there already."""
    size = np.int64(text.size)
    for symbol in range(starts.size):
        places[symbol] = starts[symbol]
    for i in range(size):
        place = np.int64(order[i]) - 1
        if place >= 0 and smaller[place] == 0:
            order[places[text[place]]] = place
            places[text[place]] += 1
    _ends(starts, places)
    for i in range(size - 1, -1, -1):
        place = np.int64(order[i]) - 1
        if place >= 0 and smaller[place] == 1:
            places[text[place]] -= 1
            order[places[text[place]]] = place


@inline
def undo_rotations(last, count, first, order, starts, block):
    """The block again.

    Parameters
    ----------
    last : uint8[:]
        The last bytes of its rotations, so many.
    count, first : int
        The number of the block itself among them.
    order : int32[:]
        For this function alone, as many.
    starts : int64[:]
        The same: 257 or more.
    block : uint8[:]
        To be filled.

    Returns
    -------
    int
        How many rotations are alike.
    """
    for symbol in range(_BYTES):
        starts[symbol] = 0
    for i in range(count):
        starts[np.int64(last[i]) + 1] += 1
    for symbol in range(1, _BYTES):
        starts[symbol] += starts[symbol - 1]
    for i in range(count):
        symbol = np.int64(last[i])
        order[starts[symbol]] = i
        starts[symbol] += 1
    at = np.int64(first)
    period = np.int64(0)
    for i in range(count):
        at = np.int64(order[at])
        block[i] = last[at]
        if at == first and period == 0:
            period = np.int64(i + 1)
    return count // period if period > 0 else np.int64(1)
