"""The codes of a block as libbzip2 chooses them (J. Seward, bzip2 1.0, compress.c and huffman.c).

It has two to six codes, and for each 50 symbols the one that makes them shortest. Four times, it
makes each code anew for the symbols that were given to it.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline

MOST_CODES = 6
LONGEST = 20
GROUP = 50
"""Symbols that have the same code."""

_ROUNDS = 4
_DEAR = 15  # bits, at first, of a symbol that a code is not for
_LONGEST_MADE = 17
_FEW = (200, 600, 1200, 2400)  # symbols that have 2, 3, 4, 5 codes
_WEIGHT_SHIFT = 8  # below a weight is the depth of its tree


@inline
def choose_codes(symbols, made, size, lengths, selectors, counts, tree):
    """Choose the codes of a block.

    Parameters
    ----------
    symbols : uint16[:]
    made, size : int
        How many there are, and how many different ones there can be.
    lengths : int64[MOST_CODES, ALPHABET]
        Filled with the lengths of codes.
    selectors : uint8[:]
        Filled with the code of each group.
    counts : int64[MOST_CODES, ALPHABET]
        For this function alone.
    tree : int64[3, 2 * ALPHABET + 2]
        The same.

    Returns
    -------
    int
        How many codes there are.
    """
    codes = np.int64(2)
    for few in _FEW:
        if made >= few:
            codes += 1
    _first_codes(symbols, made, size, codes, lengths, counts)
    groups = (made + GROUP - 1) // GROUP
    for _ in range(_ROUNDS):
        counts[:] = 0
        for group in range(groups):
            begin = group * GROUP
            end = min(begin + GROUP, made)
            best = np.int64(0)
            least = np.int64(1) << 30
            for code in range(codes):
                cost = np.int64(0)
                for i in range(begin, end):
                    cost += lengths[code, symbols[i]]
                if cost < least:
                    least = cost
                    best = np.int64(code)
            selectors[group] = best
            for i in range(begin, end):
                counts[best, symbols[i]] += 1
        for code in range(codes):
            _make_code(counts[code], size, lengths[code], tree)
    return codes


@inline
def _first_codes(symbols, made, size, codes, lengths, counts):
    """Each code is for a range of symbols, the last one for the first of them, all as frequent."""
    counts[0] = 0
    for i in range(made):
        counts[0, symbols[i]] += 1
    left = np.int64(made)
    begin = np.int64(0)
    for code in range(codes - 1, -1, -1):
        wanted = left // (code + 1)
        end = begin - 1
        sum_of = np.int64(0)
        while sum_of < wanted and end < size - 1:
            end += 1
            sum_of += counts[0, end]
        if end > begin and code != codes - 1 and code != 0 and (codes - 1 - code) & 1 == 1:
            sum_of -= counts[0, end]
            end -= 1
        for symbol in range(size):
            lengths[code, symbol] = 0 if begin <= symbol and symbol <= end else _DEAR
        begin = end + 1
        left -= sum_of


@inline
def _make_code(counts, size, lengths, tree):
    """The lengths of a Huffman code; what never occurs counts once.

    While one is too long, weights are halved.
    """
    weights, parents, heap = tree[0], tree[1], tree[2]
    for symbol in range(size):
        weights[symbol + 1] = max(counts[symbol], 1) << _WEIGHT_SHIFT
    while True:
        _make_tree(size, weights, parents, heap)
        longest = np.int64(0)
        for symbol in range(size):
            length = np.int64(0)
            node = np.int64(symbol + 1)
            while parents[node] > 0:
                node = parents[node]
                length += 1
            lengths[symbol] = length
            longest = max(longest, length)
        if longest <= _LONGEST_MADE:
            return
        for symbol in range(size):
            weights[symbol + 1] = (
                1 + ((weights[symbol + 1] >> _WEIGHT_SHIFT) >> 1)
            ) << _WEIGHT_SHIFT


@inline
def _make_tree(size, weights, parents, heap):
    """Nodes count from 1, symbols first; the root has no parent, 0."""
    heap[0] = 0
    weights[0] = 0
    in_heap = np.int64(0)
    for node in range(1, size + 1):
        in_heap += 1
        _rise(heap, weights, in_heap, np.int64(node))
    nodes = np.int64(size)
    while in_heap > 1:
        one = heap[1]
        _sink(heap, weights, in_heap - 1, heap[in_heap])
        other = heap[1]
        _sink(heap, weights, in_heap - 2, heap[in_heap - 1])
        in_heap -= 2
        nodes += 1
        parents[one] = parents[other] = nodes
        both = (weights[one] >> _WEIGHT_SHIFT) + (weights[other] >> _WEIGHT_SHIFT)
        mask = (1 << _WEIGHT_SHIFT) - 1
        depth = 1 + max(weights[one] & mask, weights[other] & mask)
        weights[nodes] = both << _WEIGHT_SHIFT | depth
        in_heap += 1
        _rise(heap, weights, in_heap, nodes)
    parents[nodes] = 0


@inline
def _rise(heap, weights, place, node):
    """Put a node at the end of the heap; it goes up while it is lighter than the one above."""
    while weights[node] < weights[heap[place >> 1]]:
        heap[place] = heap[place >> 1]
        place >>= 1
    heap[place] = node


@inline
def _sink(heap, weights, size, node):
    """Put a node at the top of a heap of so many; it goes down unless it is the lightest."""
    place = np.int64(1)
    while 2 * place <= size:
        below = 2 * place
        if below < size and weights[heap[below + 1]] < weights[heap[below]]:
            below += 1
        if weights[node] < weights[heap[below]]:
            break
        heap[place] = heap[below]
        place = below
    heap[place] = node
