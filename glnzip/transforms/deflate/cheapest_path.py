"""Which tokens make the shortest stream, by the codes of its blocks: a guess at optimal parsers.

zopfli, 7-Zip, libdeflate at its highest levels and others look for the tokens that cost the fewest
bits. What a token costs, their last round knew about as well as the codes say that were made of it.
So the codes come first here, out of the recipe; then, from the end of each block to its beginning,
the cheapest way to the end is found from every place, whichever way led there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.transforms.deflate.codes import (
    DISTANCE_EXTRA,
    DISTANCES,
    END,
    FIXED_DISTANCES,
    FIXED_LITERALS,
    LENGTH_CODE,
    LENGTH_EXTRA,
    distance_code,
)
from glnzip.transforms.deflate.places import FARTHEST, Places, same_bytes
from glnzip.transforms.deflate.scratch import new_scratch
from glnzip.transforms.deflate.stream import (
    DATA_END,
    DYNAMIC,
    FIXED,
    HEADER,
    KIND,
    read_code_lengths,
)
from glnzip.transforms.deflate.zlib_parse import LEAST_MATCH, MOST_MATCH

_NEAR_STEPS, _FAR_STEPS = 32, 1024
_NO_CODE = 1 << 20  # bits, for what the codes of a block cannot say
_DEAREST = 1 << 29  # way to the end: as many bits as are told apart


class _Costs(NamedTuple):
    """Bits of the tokens of a block: of literals, lengths and distances, by their codes."""

    literals: Any
    lengths: Any
    distances: Any


def cheapest_path(
    data: Any, begin: int, blocks: Any, headers: Any, places: Places, longer: bool
) -> Any:
    """The token that the cheapest way to the end of its block begins with, for each place.

    Parameters
    ----------
    data : uint8[:]
    begin : int
        Where the first block begins.
    blocks : int64[blocks, BLOCK_COLUMNS]
        `KIND`; `DATA_END`, which does not fall; for dynamic codes, `HEADER`.
    headers : uint8[:]
        Bits, with `SPARE` bytes behind them.
    places : Places
        Those of the data.
    longer : bool
        Whether the longer of two tokens is taken if their ways cost the same.

    Returns
    -------
    uint32[:]
        Zeros, where there are no codes in the place of a header, and in stored blocks.
    """
    path = np.zeros(len(data), np.uint32)
    left = np.zeros(len(data) + 1, np.int32)
    costs = _Costs(*(np.zeros(n, np.int64) for n in (END, MOST_MATCH + 1, DISTANCES)))
    _find(path, data, begin, blocks, headers, places, longer, left, costs, new_scratch())
    return path


@kernel
def _find(path, data, first, blocks, headers, places, longer, left, costs, scratch):
    for back in range(blocks.shape[0]):
        b = blocks.shape[0] - 1 - back
        begin = np.int64(first)
        if b > 0:
            begin = blocks[b - 1, DATA_END]
        end = blocks[b, DATA_END]
        if blocks[b, KIND] == FIXED:
            _set_costs(costs, FIXED_LITERALS, FIXED_DISTANCES)
        elif blocks[b, KIND] == DYNAMIC:
            scratch.cursor[0] = blocks[b, HEADER]
            lengths = scratch.first
            used = read_code_lengths(headers, scratch.cursor, lengths, scratch.codes, scratch.table)
            if used < 0:
                continue
            literals = used & 511
            _set_costs(costs, lengths[:literals], lengths[literals : literals + (used >> 9)])
        else:
            continue
        left[end] = 0
        for place in range(end - begin):
            _choose(path, data, end - 1 - place, end, places, longer, left, costs)


@inline
def _set_costs(costs, first, second):
    for i in range(END):
        costs.literals[i] = first[i] if first[i] > 0 else _NO_CODE
    for i in range(LEAST_MATCH, MOST_MATCH + 1):
        code = LENGTH_CODE[i]
        symbol = END + 1 + code
        costs.lengths[i] = _NO_CODE
        if symbol < first.size and first[symbol] > 0:
            costs.lengths[i] = first[symbol] + LENGTH_EXTRA[code]
    for i in range(DISTANCES):
        costs.distances[i] = _NO_CODE
        if i < second.size and second[i] > 0:
            costs.distances[i] = second[i] + DISTANCE_EXTRA[i]


@inline
def _choose(path, data, place, end, places, longer, left, costs):
    """Find the way on from a place, those behind it being known."""
    best = costs.literals[data[place]] + left[place + 1]
    token = np.int64(data[place])
    room = min(end - place, np.int64(MOST_MATCH))
    length = np.int64(LEAST_MATCH - 1)
    if room >= LEAST_MATCH:
        for far in range(2):
            if far == 0 and data[place] != data[place + 1]:
                continue  # the far chain is the same
            candidate = np.int64(places.far[place] if far else places.near[place])
            steps = np.int64(_FAR_STEPS if far else _NEAR_STEPS)
            while candidate >= 0 and place - candidate <= FARTHEST and steps > 0 and length < room:
                if data[candidate + length] == data[place + length]:
                    same = same_bytes(data, candidate, place, room)
                    steps -= same >> 3  # it takes time, too
                    distance = place - candidate
                    bits = costs.distances[distance_code(distance)]
                    for n in range(length + 1, same + 1):
                        whole = bits + costs.lengths[n] + left[place + n]
                        if whole < best or (longer and whole == best):
                            best = whole
                            token = n << 16 | distance
                    length = max(length, same)
                candidate = np.int64(places.far[candidate] if far else places.near[candidate])
                steps -= 1
    left[place] = min(best, np.int64(_DEAREST))
    path[place] = token
