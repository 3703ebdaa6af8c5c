"""Features of binary data: records, texts that follow their length, x86 instructions.

The length of a record is found on the way, since tables of different records follow each other in
one file. `features` holds the numbers of these features and what they mean.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import features as f
from glnzip.bytemodel.x86_decoder import (
    ADDRESS,
    X86,
    instruction_word,
    see_code_byte,
)
from glnzip.jit import inline

CANDIDATES = 4  # record lengths that are being counted
_SHORTEST, _LONGEST = 2, 4095  # bytes of a record
_SUREST = 63  # votes; the fewer, the sooner a new length takes over
_SURE = 12
_LONG = 16  # bytes; so far apart, three equal bytes are enough
_FIRST_LENGTH = 4  # until there is a better guess

BINARY = np.dtype(
    [
        ("seen", np.int64, 256),  # position after the last occurrence of each byte
        ("gaps", np.int64, 256),  # the distance between its last two
        ("pairs_seen", np.int64, 65536),  # as `seen`, of each pair of bytes
        ("lengths", np.int64, CANDIDATES),  # candidates for the length of a record
        ("votes", np.int64, CANDIDATES),
        ("mark", np.int64),  # the byte that marks records of the present length
        ("mark_votes", np.int64),
        ("text_head", np.int64),  # the last byte that was no text
        ("text_bytes", np.int64),  # how many followed it
        ("x86", X86),
    ]
)


@inline
def see_binary(recent, byte):
    """Bring these features up to date after `byte`, as `features.see_byte` does the others."""
    _follow_distances(recent, byte)
    _follow_records(recent, byte)
    _follow_texts(recent, byte)
    _follow_code(recent, byte)


@inline
def _follow_distances(recent, byte):
    binary = recent.binary[0]
    position = recent.now[0].position
    pair = recent.now[0].last4 & 0xFFFF
    since = position - binary.pairs_seen[pair]
    binary.pairs_seen[pair] = position
    since_class = 0
    while since > 0:
        since_class += 1
        since >>= 1
    recent.features[f.PAIR_SINCE] = since_class
    gap = position - binary.seen[byte]
    binary.seen[byte] = position
    recent.features[f.ZERO_SINCE] = min(position - binary.seen[0], 255)
    repeats = gap == binary.gaps[byte] and _SHORTEST <= gap and gap <= _LONGEST
    if repeats and (gap >= _LONG or _goes_on(recent, byte, gap)):
        _vote(recent.features, binary, gap)
        if gap == recent.features[f.RECORD]:
            _elect_mark(binary, byte)
    binary.gaps[byte] = gap
    recent.features[f.FIELD] = min(position - binary.seen[binary.mark], 255)


@inline
def _goes_on(recent, byte, length):
    """Whether five equal bytes stand at this distance: three at a short one mean little."""
    last = recent.now[0].position - 1
    ring_mask = recent.ring.size - 1
    return (
        recent.ring[(last - 3 * length) & ring_mask] == byte
        and recent.ring[(last - 4 * length) & ring_mask] == byte
    )


@inline
def _elect_mark(binary, byte):
    """Of the bytes that stand in all records, prefer the one that is found most often."""
    if byte == binary.mark:
        binary.mark_votes = min(binary.mark_votes + 1, _SUREST)
    elif binary.mark_votes > 0:
        binary.mark_votes -= 1
    else:
        binary.mark = byte


@inline
def _vote(features, binary, length):
    """Three equal bytes stand at equal distances: count for this length, or against all others."""
    votes = binary.votes
    place = -1
    for k in range(CANDIDATES):
        if (votes[k] == 0 and place < 0) or binary.lengths[k] == length:
            place = k
    if place < 0:
        for k in range(CANDIDATES):
            votes[k] -= 1
        return
    if binary.lengths[place] != length:
        binary.lengths[place] = length
        votes[place] = 0
    votes[place] = min(votes[place] + 1, _SUREST)
    best = place
    for k in range(CANDIDATES):
        if votes[k] > votes[best]:
            best = k
    if votes[best] > _SURE:
        features[f.RECORD] = binary.lengths[best]


@inline
def _follow_records(recent, byte):
    ring = recent.ring
    features = recent.features
    ring_mask = ring.size - 1
    at = recent.now[0].position
    length = features[f.RECORD] if features[f.RECORD] > 0 else _FIRST_LENGTH
    up = np.int64(ring[(at - length) & ring_mask])
    left_above = np.int64(ring[(at - 1 - length) & ring_mask])
    features[f.SAME_UP] = (features[f.SAME_UP] << 1 | (byte == left_above)) & 255
    features[f.UP] = up
    features[f.RECORD_PLACE] = (at - recent.now[0].block_start) % length
    features[f.PLANE] = (up + byte - left_above) & 255
    up_twice = np.int64(ring[(at - 2 * length) & ring_mask])
    second = np.int64(ring[(at - 2) & ring_mask])
    features[f.HEIGHTS] = (up >> 4) << 12 | (up_twice >> 4) << 8 | (byte >> 4) << 4 | second >> 4


@inline
def _follow_texts(recent, byte):
    binary = recent.binary[0]
    features = recent.features
    if byte < 32 or byte == 127:
        binary.text_head = byte
        binary.text_bytes = 0
    else:
        binary.text_bytes += 1
    left = binary.text_head - binary.text_bytes
    features[f.TEXT_LEFT] = left if left >= 0 else 255
    features[f.TEXT_PLACE] = binary.text_head << 8 | min(binary.text_bytes, 255)


@inline
def _follow_code(recent, byte):
    x86 = recent.binary[0].x86
    features = recent.features
    see_code_byte(x86, byte)
    place = x86.part
    if place >= ADDRESS:
        place = 8 + 4 * (place - ADDRESS) + min(x86.left, 4) - 1
    features[f.CODE_PLACE] = place
    features[f.CODE] = instruction_word(x86) << 4 | place
    features[f.CODE_BEFORE] = x86.before
    features[f.CODE_BEFORE_2] = x86.before_2
    known = x86.opcode if x86.opcode > 0 else x86.before
    features[f.CODE_GATE] = place << 8 | known & 255
