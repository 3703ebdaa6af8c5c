"""Which tokens zlib makes of data: its search for matches, told again step by step.

zlib keeps the places of all three-byte strings in chains, by a hash, and follows a chain for some
steps to find the longest match. At the levels 1 to 3 it takes what it finds; above, it looks one
byte further first, and takes a literal if there is a longer match. `predict_token` says what comes
next, and `follow` tells it what came, which need not be the same: so streams of other programs can
be described by where they differ.

Both take a `Search`. The method is that of zlib's ``deflate.c`` (J.-l. Gailly and M. Adler), whose
choices have been the same since version 1.0; `PACES` is its table of levels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline

LEAST_MATCH, MOST_MATCH = 3, 258
WINDOW_BITS = range(9, 16)  # zlib's; it takes 8 for 9
_TOO_FAR = 4096  # a match of three bytes from further away is not worth its distance
_AHEAD = MOST_MATCH + LEAST_MATCH + 1  # bytes less than a window that a match may reach back

# Strategies: those of zlib; and two that are not, the cheapest path with shorter or longer tokens
DEFAULT, FILTERED, HUFFMAN_ONLY, RUNS, SHORT_PATH, LONG_PATH = range(6)
_SHORT_IF_FILTERED = 5

# For each level: a match so long quarters the chain of the next search; one so long is not
# compared with the next (at the levels 1 to 3: is not entered in the chains); one so long ends a
# search; steps of a chain.
PACES = np.array(
    [
        [0, 0, 0, 0],
        [4, 4, 8, 4],
        [4, 5, 16, 8],
        [4, 6, 32, 32],
        [4, 4, 16, 16],
        [8, 16, 32, 32],
        [8, 16, 128, 128],
        [8, 32, 128, 256],
        [32, 128, 258, 1024],
        [32, 258, 258, 4096],
    ],
    np.int64,
)
_LAST_QUICK_LEVEL = 3


class Search(NamedTuple):
    """What zlib knows of the data before a place, or another parser of the whole.

    Attributes
    ----------
    settings : int64[10]
        Level, strategy, bits of the hash, its shift, window, a row of `PACES`, and whether all is
        forgotten at empty stored blocks.
    heads : int32[1 << bits of the hash]
        The last place of each hash; 0 is none.
    links : int32[window]
        The place before, of the same hash.
    found : int64[4]
        The next place to enter; a place where a match was looked for beforehand, its length and
        its distance.
    path : uint32[:]
        The token at each place, for `SHORT_PATH` and `LONG_PATH`.
    """

    settings: Any
    heads: Any
    links: Any
    found: Any
    path: Any


LEVEL, STRATEGY, HASH_BITS, SHIFT, WINDOW, GOOD, LAZY, NICE, CHAIN, FORGETS = range(10)
_NEXT, _PLACE, _LENGTH, _DISTANCE = range(4)


def new_search(
    level: int, strategy: int, memory: int, window_bits: int, forgets: bool = False
) -> Search:
    """zlib before the first byte; `memory` is its memLevel, and it `forgets` at a full flush."""
    bits = memory + 7
    pace = PACES[level].tolist()
    settings = [level, strategy, bits, (bits + LEAST_MATCH - 1) // LEAST_MATCH, 1 << window_bits]
    return Search(
        settings=np.array([*settings, *pace, forgets], np.int64),
        heads=np.zeros(1 << bits, np.int32),
        links=np.zeros(1 << window_bits, np.int32),
        found=np.array([0, -1, 0, 0], np.int64),
        path=np.zeros(0, np.uint32),
    )


@inline
def is_deferred(search, place):
    """Whether what is predicted at a place is a literal for the sake of what follows."""
    return search.found[_PLACE] == place + 1


@inline
def _enter(search, data, place):
    """Put the next place into its chain, and all before it that are not there yet."""
    settings = search.settings
    mask = (np.int64(1) << settings[HASH_BITS]) - 1
    shift = settings[SHIFT]
    end = min(place + 1, data.size - LEAST_MATCH + 1)
    for i in range(search.found[_NEXT], end):
        first, second, third = np.int64(data[i]), np.int64(data[i + 1]), np.int64(data[i + 2])
        number = ((first << shift << shift) ^ (second << shift) ^ third) & mask
        search.links[i & (settings[WINDOW] - 1)] = search.heads[number]
        search.heads[number] = i
    search.found[_NEXT] = max(search.found[_NEXT], place + 1)


@inline
def _longest(search, data, place, before):
    """Look for a match at a place that was entered just now, longer than `before`.

    Returns
    -------
    int
        ``length << 16 | distance``, or ``before << 16`` if there is none.
    """
    settings = search.settings
    best = np.int64(before) << 16
    length = np.int64(before)
    room = min(np.int64(data.size) - place, np.int64(MOST_MATCH))
    if room < LEAST_MATCH or room <= length:
        return best
    steps = settings[CHAIN]
    if before >= settings[GOOD]:
        steps >>= 2
    nice = min(settings[NICE], room)
    farthest = settings[WINDOW] - _AHEAD
    mask = settings[WINDOW] - 1
    candidate = np.int64(search.links[place & mask])
    if candidate == 0 or place - candidate > farthest:
        return best
    least = max(np.int64(0), place - farthest)
    while True:
        if data[candidate + length] == data[place + length] and data[candidate] == data[place]:
            same = np.int64(0)
            while same < room and data[candidate + same] == data[place + same]:
                same += 1
            if same > length:
                length = same
                best = length << 16 | (place - candidate)
                if length >= nice:
                    break
        candidate = np.int64(search.links[candidate & mask])
        steps -= 1
        if candidate <= least or steps == 0:
            break
    return best


@inline
def _worth(search, match):
    """The match, or none if zlib would not take it."""
    length = match >> 16
    if search.settings[STRATEGY] == FILTERED and length <= _SHORT_IF_FILTERED:
        return np.int64(0)
    if length == LEAST_MATCH and match & 0xFFFF > _TOO_FAR:
        return np.int64(0)
    return match


@inline
def predict_token(search, data, place):
    """What zlib would say next: a literal or ``length << 16 | distance``."""
    literal = np.int64(data[place])
    settings, found = search.settings, search.found
    if settings[STRATEGY] >= SHORT_PATH:
        return np.int64(search.path[place])
    if settings[STRATEGY] == HUFFMAN_ONLY:
        return literal
    if settings[STRATEGY] == RUNS:
        run = np.int64(0)
        if place > 0:
            room = min(np.int64(data.size) - place, np.int64(MOST_MATCH))
            while run < room and data[place + run] == data[place - 1]:
                run += 1
        return run << 16 | 1 if run >= LEAST_MATCH else literal
    if settings[LEVEL] <= _LAST_QUICK_LEVEL:
        _enter(search, data, place)
        match = _longest(search, data, place, LEAST_MATCH - 1)
        return match if match >> 16 >= LEAST_MATCH else literal
    if found[_PLACE] == place:
        match = found[_LENGTH] << 16 | found[_DISTANCE]
    else:
        _enter(search, data, place)
        match = _worth(search, _longest(search, data, place, LEAST_MATCH - 1))
    length = match >> 16
    if length < LEAST_MATCH:
        return literal
    if length < settings[LAZY] and place + 1 < data.size:
        _enter(search, data, place + 1)
        following = _longest(search, data, place + 1, length)
        if following >> 16 > length:
            following = _worth(search, following)
        if following >> 16 > length:
            found[_PLACE] = place + 1
            found[_LENGTH] = following >> 16
            found[_DISTANCE] = following & 0xFFFF
            return literal
    return match


@inline
def follow(search, data, place, token):
    """See the token that came at a place for which a prediction was made."""
    length = token >> 16
    if length == 0 or search.settings[STRATEGY] >= HUFFMAN_ONLY:
        return
    if search.settings[LEVEL] <= _LAST_QUICK_LEVEL and (
        length > search.settings[LAZY] or data.size - place - length < LEAST_MATCH
    ):
        search.found[_NEXT] = place + length
    else:
        pass_by(search, data, place, length)


@inline
def pass_by(search, data, place, length):
    """See data that no tokens stand for: they are entered, and nothing more.

    No data at all are the mark of a flush.
    """
    if search.settings[STRATEGY] >= HUFFMAN_ONLY:
        return
    if length > 0:
        _enter(search, data, place + length - 1)
    elif search.settings[FORGETS] > 0:
        for i in range(search.heads.size):
            search.heads[i] = 0
