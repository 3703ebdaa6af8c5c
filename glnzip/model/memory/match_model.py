"""Match models: find the longest earlier occurrence of the recent bytes and expect what followed.

Each match model keeps a pointer to the byte it expects next. It is found through a hash of the
last `minimum` bytes and verified backwards, so a hash collision never counts as a match. After a
wrong guess the pointer moves on for a while (*recovery*: an edited copy often goes on as before)
until a new verified match is found. A state map turns length and recent misses into the
probability that the expected bit comes true.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.jit.memory_access import prefetch
from glnzip.model.memory.state_map import adapted
from glnzip.model.table.limits import MATCH_MAP_LIMIT

LONGEST = 400  # lengths are counted up to here
_VERIFIED = 48  # bytes compared backwards when a match is looked up
STRENGTHS = 256  # 32 length classes x 4 recent-miss classes x the expected bit


@inline
def length_class(length):
    """0..31: exact up to 15, then in steps of 4, 16 and 64."""
    if length < 16:
        return length
    if length < 32:
        return 16 + ((length - 16) >> 2)
    if length < 96:
        return 20 + ((length - 32) >> 4)
    return min(24 + ((length - 96) >> 6), 31)


@inline
def miss_class(misses):
    """0..3: how recently, and how often, the pointer was wrong."""
    if misses == 0:
        return 0
    if misses & 3:
        return 3 if misses & (misses - 1) else 2
    return 1


@inline
def expect_place(recent, m, high_nibble):
    """Half of a byte is known: fetch the entry that `see_byte` will look up with all of it."""
    tables = recent.match_tables
    for low_nibble in (0, 15):  # places of bytes in a row lie in a row, in one line or two
        byte = high_nibble << 4 | low_nibble
        prefetch(tables, m * tables.shape[1] + _hash_after(recent, recent.matches[m], byte))


@inline
def expect_candidate(recent, m, byte):
    """A byte is known: fetch the earlier bytes that `see_byte` may compare with the last ones."""
    candidate = np.int64(recent.match_tables[m, _hash_after(recent, recent.matches[m], byte)])
    prefetch(recent.buffer, (candidate - 1) & (recent.buffer.size - 1))


@inline
def _hash_after(recent, match, byte):
    """The hash of the last `minimum` bytes and `byte`, a place in the match's table.

    Multiplying by an odd number times 2**shift drops the oldest byte out of the hash in time.
    """
    places = recent.match_tables.shape[1]
    return (match.hash * (0x2F7 << match.shift) + byte + 1) & (places - 1)


@inline
def see_byte(recent, m, byte):
    """Move match model `m` past `byte`, and look for a match if it has none or a failing one."""
    now = recent.now[0]
    match = recent.matches[m]
    buffer = recent.buffer
    mask = buffer.size - 1
    follow(match, buffer, byte)
    match.hash = _hash_after(recent, match, byte)
    place = match.hash
    if match.length < match.minimum:
        candidate = recent.match_tables[m, place]
        # The table holds positions modulo 2**31; the nearest one before now is meant.
        candidate = now.position - ((now.position - candidate) & 0x7FFFFFFF)
        if candidate > 0 and now.position - candidate < mask:
            length = 0
            while (
                length < _VERIFIED
                and length < candidate
                and buffer[(candidate - 1 - length) & mask]
                == buffer[(now.position - 1 - length) & mask]
            ):
                length += 1
            if length >= match.minimum:
                match.pointer = candidate
                match.length = length
                match.misses = 0
    recent.match_tables[m, place] = now.position & 0x7FFFFFFF
    expect_next(match, buffer)


@inline
def follow(match, buffer, byte):
    """Move a match past a byte, be it the expected one or not."""
    if match.pointer > 0:
        if buffer[match.pointer & buffer.size - 1] == byte:
            match.length = min(match.length + 1, LONGEST)
            match.misses = (match.misses << 1) & 255
        else:
            match.length = 0
            match.misses = (match.misses << 1 | 1) & 255
        match.pointer += 1
        if match.misses & 15 == 15:
            match.pointer = 0
    else:
        match.length = 0  # it may be that of relocations


@inline
def expect_next(match, buffer):
    """Expect the byte that a match has come to."""
    expected = np.int64(buffer[match.pointer & buffer.size - 1]) | 256
    match.expected = expected if match.pointer > 0 else np.int64(0)


@inline
def expected_bit(match, partial, bits_known):
    """The next bit this match expects, or -1 when the byte so far already contradicts it."""
    if match.expected == 0 or (match.expected >> (8 - bits_known)) != partial:
        return -1
    return (match.expected >> (7 - bits_known)) & 1


@inline
def map_index(match, m, bit):
    """Which entry of the match maps speaks for this match when it expects `bit`."""
    strength = length_class(match.length) << 2 | miss_class(match.misses)
    return m * STRENGTHS + (strength << 1 | bit)


@inline
def learn_bit(maps, index, bit):
    """Let the map entry used for the last prediction see the bit."""
    maps[index] = adapted(maps[index], bit, MATCH_MAP_LIMIT)
