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
_FIRST_LENGTH = 4  # until there is a better guess

BINARY = np.dtype(
    [
        ("seen", np.int64, 256),  # position after the last occurrence of each byte
        ("gaps", np.int64, 256),  # the distance between its last two
        ("pairs_seen", np.int64, 65536),  # as `seen`, of each pair of bytes
        ("lengths", np.int64, CANDIDATES),  # candidates for the length of a record
        ("votes", np.int64, CANDIDATES),
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
    if gap == binary.gaps[byte] and _SHORTEST <= gap and gap <= _LONGEST:
        _vote(recent.features, binary, gap)
    binary.gaps[byte] = gap


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
    now = recent.now[0]
    features = recent.features
    ring_mask = recent.ring.size - 1
    length = features[f.RECORD] if features[f.RECORD] > 0 else _FIRST_LENGTH
    repeated = byte == recent.ring[(now.position - 1 - length) & ring_mask]
    features[f.SAME_UP] = (features[f.SAME_UP] << 1 | repeated) & 255
    features[f.UP] = recent.ring[(now.position - length) & ring_mask]
    features[f.RECORD_PLACE] = (now.position - now.block_start) % length


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
