"""The Huffman codes that zlib makes for tokens, and how it writes their lengths.

Codes of minimal length are not unique. Those of zlib follow from the order in which its heap hands
out nodes of equal weight, from how it shortens codes that became too long, and from how it writes
their lengths. All of this is done here in the same way, so that most headers of most streams need
no description.

The method is that of zlib's ``trees.c`` (J.-l. Gailly and M. Adler), the same since 1995. Other
programs find codes of the same lengths by sorting symbols, and the only difference is which symbols
of equal counts have the longer ones: `sort_alike`.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.transforms.deflate.bits import write_bits
from glnzip.transforms.deflate.codes import (
    CODE_LENGTHS,
    DISTANCES,
    END,
    LENGTH_CODE,
    LITERALS,
    LONGEST,
    LONGEST_LENGTH_CODE,
    ORDER,
    distance_code,
    reversed_codes,
)
from glnzip.transforms.deflate.scratch import NODES

_REPEATED, _FEW_ZEROS, _MANY_ZEROS = 16, 17, 18


@inline
def _is_smaller(weights, depths, a, b):
    return weights[a] < weights[b] or (weights[a] == weights[b] and depths[a] <= depths[b])


@inline
def _sift(heap, size, place, weights, depths):
    """Let the node at `place` sink to where no node below it is smaller."""
    node = heap[place]
    child = place << 1
    while child <= size:
        if child < size and _is_smaller(weights, depths, heap[child + 1], heap[child]):
            child += 1
        if _is_smaller(weights, depths, node, heap[child]):
            break
        heap[place] = heap[child]
        place = child
        child <<= 1
    heap[place] = node


@inline
def code_lengths(counts, symbols, longest, lengths, scratch):
    """The lengths of zlib's codes for symbols that occur so often.

    Parameters
    ----------
    counts : int64[:]
        At least `symbols` numbers. Where fewer than two symbols occur, others are taken to.
    symbols, longest : int
        How many symbols there are, and how many bits a code may have.
    lengths : int64[:]
        Receives the lengths.
    scratch : Scratch

    Returns
    -------
    int
        The last symbol that has a code.
    """
    weights, depths, parents = scratch.weights, scratch.depths, scratch.parents
    bits, heap, of_length = scratch.bits, scratch.heap, scratch.of_length
    size = np.int64(0)
    last = np.int64(-1)
    for symbol in range(symbols):
        weights[symbol] = counts[symbol]
        depths[symbol] = 0
        lengths[symbol] = 0
        if counts[symbol] > 0:
            size += 1
            heap[size] = symbol
            last = symbol
    while size < 2:
        extra = np.int64(0)
        if last < 2:
            last += 1
            extra = last
        size += 1
        heap[size] = extra
        weights[extra] = 1
    for place in range(size >> 1):
        _sift(heap, size, (size >> 1) - place, weights, depths)
    top = np.int64(NODES)  # from here on, nodes that have been taken out, the heaviest first
    node = np.int64(symbols)
    while size >= 2:
        first = heap[1]
        heap[1] = heap[size]
        size -= 1
        _sift(heap, size, 1, weights, depths)
        second = heap[1]
        heap[top - 1] = first
        heap[top - 2] = second
        top -= 2
        weights[node] = weights[first] + weights[second]
        depths[node] = max(depths[first], depths[second]) + 1
        parents[first] = node
        parents[second] = node
        heap[1] = node
        node += 1
        _sift(heap, size, 1, weights, depths)
    top -= 1
    heap[top] = heap[1]
    bits[heap[top]] = 0
    for length in range(of_length.size):
        of_length[length] = 0
    too_long = np.int64(0)
    for place in range(top + 1, NODES):
        node = heap[place]
        length = bits[parents[node]] + 1
        if length > longest:
            length = np.int64(longest)
            too_long += 1
        bits[node] = length
        if node < symbols:
            of_length[length] += 1
            lengths[node] = length
    if too_long > 0:
        while too_long > 0:
            length = np.int64(longest - 1)
            while of_length[length] == 0:
                length -= 1
            of_length[length] -= 1
            of_length[length + 1] += 2
            of_length[longest] -= 1
            too_long -= 2
        place = np.int64(NODES)
        for step in range(longest):
            length = np.int64(longest - step)
            left = of_length[length]
            while left > 0:
                place -= 1
                node = heap[place]
                if node < symbols:
                    lengths[node] = length
                    left -= 1
    return last


@inline
def sort_alike(counts, symbols, lengths):
    """Let, of symbols that occur equally often, the first have the longest codes."""
    for first in range(symbols):
        for other in range(first + 1, symbols if counts[first] > 0 else 0):
            if counts[other] == counts[first] and lengths[other] > lengths[first]:
                longer = lengths[other]
                lengths[other] = lengths[first]
                lengths[first] = longer


@inline
def _as_runs(lengths, count, runs, written):
    """Lengths of codes as zlib writes them: symbols of the third code, ``symbol | extra << 8``.

    They are appended to those that were `written` before; returns how many there are now.
    """
    before = np.int64(-1)
    i = np.int64(0)
    while i < count:
        length = lengths[i]
        most = np.int64(138 if length == 0 else 6 if length == before else 7)
        least = np.int64(3 if length == 0 or length == before else 4)
        run = np.int64(1)
        while run < most and i + run < count and lengths[i + run] == length:
            run += 1
        if run < least:
            for _ in range(run):
                runs[written] = length
                written += 1
        elif length > 0:
            rest = run
            if length != before:
                runs[written] = length
                written += 1
                rest -= 1
            runs[written] = _REPEATED | (rest - 3) << 8
            written += 1
        elif run <= 10:
            runs[written] = _FEW_ZEROS | (run - 3) << 8
            written += 1
        else:
            runs[written] = _MANY_ZEROS | (run - 11) << 8
            written += 1
        before = length
        i += run
    return written


@inline
def write_header(tokens, begin, end, stream, cursor, sorts, scratch):
    """Write the header that zlib gives to a dynamic block of these tokens.

    Parameters
    ----------
    tokens : uint32[:]
        Those from `begin` to `end` are in the block.
    stream, cursor
        Where there is room for it.
    sorts : bool
        Whether symbols are sorted where counts are equal, which zlib does not do.
    scratch : Scratch
        `first` and `second` receive the lengths of the codes.
    """
    first, second, third = scratch.first, scratch.second, scratch.third
    counts, distances = scratch.counts, scratch.other_counts
    runs, codes = scratch.runs, scratch.codes
    for symbol in range(LITERALS):
        counts[symbol] = 0
    for symbol in range(DISTANCES):
        distances[symbol] = 0
    counts[END] = 1
    for t in range(begin, end):
        token = np.int64(tokens[t])
        if token >> 16 == 0:
            counts[token] += 1
        else:
            counts[END + 1 + LENGTH_CODE[token >> 16]] += 1
            distances[distance_code(token & 0xFFFF)] += 1
    last_first = code_lengths(counts, LITERALS, LONGEST, first, scratch)
    last_second = code_lengths(distances, DISTANCES, LONGEST, second, scratch)
    if sorts:
        sort_alike(counts, LITERALS, first)
        sort_alike(distances, DISTANCES, second)
    written = _as_runs(first, last_first + 1, runs, 0)
    written = _as_runs(second, last_second + 1, runs, written)
    for symbol in range(CODE_LENGTHS):
        counts[symbol] = 0
    for r in range(written):
        counts[runs[r] & 255] += 1
    code_lengths(counts, CODE_LENGTHS, LONGEST_LENGTH_CODE, third, scratch)
    if sorts:
        sort_alike(counts, CODE_LENGTHS, third)
    given = np.int64(CODE_LENGTHS)
    while given > 4 and third[ORDER[given - 1]] == 0:
        given -= 1
    reversed_codes(third, CODE_LENGTHS, codes)
    write_bits(stream, cursor, last_first + 1 - 257, 5)
    write_bits(stream, cursor, last_second, 5)
    write_bits(stream, cursor, given - 4, 4)
    for i in range(given):
        write_bits(stream, cursor, third[ORDER[i]], 3)
    for r in range(written):
        symbol = runs[r] & 255
        write_bits(stream, cursor, codes[symbol], third[symbol])
        extra = 2 if symbol == _REPEATED else 3 if symbol == _FEW_ZEROS else 7
        if symbol >= _REPEATED:
            write_bits(stream, cursor, runs[r] >> 8, extra)
