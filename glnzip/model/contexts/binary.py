"""Features of binary data: records, words of four bytes, texts that follow their length.

The length of a record is found on the way, since tables of different records follow each other in
one file; but where the header of a block tells it, that is what it is: so records may be long, of
which each is a table. `features` holds the numbers of these features and what they mean.
"""

from __future__ import annotations

import numpy as np

from glnzip.format.block_type import RECORDS
from glnzip.jit import inline
from glnzip.model.contexts import features as f
from glnzip.model.contexts.bytes import binary_digits
from glnzip.model.hashing import U32

(
    PAIR_SINCE,  # class of the distance to where the last two bytes were seen before
    ZERO_SINCE,  # bytes since the last zero byte, at most 255
    RECORD,  # length of a record, 0 before one is found
    RECORD_PLACE,  # place in that record
    UP,  # the byte one record before the one to come
    SAME_UP,  # of the last eight bytes, which were those of the record before: one bit each
    TEXT_LEFT,  # of a text that follows its length: bytes to come, 255 beyond its end
    TEXT_PLACE,  # the last control character, and bytes since
    PLANE,  # UP, moved on by as much as the last byte differs from the one above it
    UPS,  # UP, and the bytes two, three and four records before the one to come
    HEIGHTS,  # high halves of UP, of the byte above that, of the last byte and of the one before
    FIELD,  # bytes since the one that marks records, at most 255
    PLACE_IN_4,  # bytes since the block began, modulo 4
    FOURS,  # of the last 16 bytes, two bits each: the one four bytes before is the same; it is 0
    FOURS_NOW,  # the same of the last four
    FOURS_AND_PLACE,  # PLACE_IN_4 and FOURS_NOW
    INDIRECT_TOPS,  # what followed the last time that the last three bytes had these top bits
    INDIRECT_FEW,  # and these few bits of the last two
    INDIRECT_BYTE_1,  # the byte that followed the last time after the last byte
    INDIRECT_BYTE_2,  # and after the last two
    END,  # the first number of the next module of features
) = range(f.END, f.END + 21)

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
        ("after_tops", np.int64, 512),  # the byte that followed three with these top bits
        ("after_few", np.int64, 64),  # two of which had these few bits
        ("text_head", np.int64),  # the last byte that was no text
        ("text_bytes", np.int64),  # how many followed it
    ]
)


@inline
def begin_records(recent):
    """A block begins whose header tells the length of its records."""
    recent.features[RECORD] = recent.now[0].step


@inline
def see_binary(recent, byte):
    """Bring these features up to date after `byte`, as `features.see_byte` does the others."""
    _follow_distances(recent, byte)
    _follow_records(recent, byte)
    _follow_fours(recent, byte)
    _follow_parts(recent, byte)
    _follow_texts(recent, byte)


@inline
def _follow_distances(recent, byte):
    binary = recent.binary[0]
    position = recent.now[0].position
    pair = recent.now[0].last4 & 0xFFFF
    since = position - binary.pairs_seen[pair]
    binary.pairs_seen[pair] = position
    recent.features[PAIR_SINCE] = binary_digits(since)
    gap = position - binary.seen[byte]
    binary.seen[byte] = position
    recent.features[ZERO_SINCE] = min(position - binary.seen[0], 255)
    repeats = gap == binary.gaps[byte] and _SHORTEST <= gap and gap <= _LONGEST
    if repeats and (gap >= _LONG or _goes_on(recent, byte, gap)):
        if recent.now[0].kind != RECORDS:
            _vote(recent.features, binary, gap)
        if gap == recent.features[RECORD]:
            _elect_mark(binary, byte)
    binary.gaps[byte] = gap
    recent.features[FIELD] = min(position - binary.seen[binary.mark], 255)


@inline
def _goes_on(recent, byte, length):
    """Whether five equal bytes stand at this distance: three at a short one mean little."""
    last = recent.now[0].position - 1
    buffer_mask = recent.buffer.size - 1
    return (
        recent.buffer[(last - 3 * length) & buffer_mask] == byte
        and recent.buffer[(last - 4 * length) & buffer_mask] == byte
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
        features[RECORD] = binary.lengths[best]


@inline
def _follow_records(recent, byte):
    buffer = recent.buffer
    features = recent.features
    buffer_mask = buffer.size - 1
    at = recent.now[0].position
    length = features[RECORD] if features[RECORD] > 0 else _FIRST_LENGTH
    up = np.int64(buffer[(at - length) & buffer_mask])
    left_above = np.int64(buffer[(at - 1 - length) & buffer_mask])
    features[SAME_UP] = (features[SAME_UP] << 1 | (byte == left_above)) & 255
    features[UP] = up
    features[RECORD_PLACE] = (at - recent.now[0].block_start) % length
    features[PLANE] = (up + byte - left_above) & 255
    up_twice = np.int64(buffer[(at - 2 * length) & buffer_mask])
    up_thrice = np.int64(buffer[(at - 3 * length) & buffer_mask])
    up_four = np.int64(buffer[(at - 4 * length) & buffer_mask])
    features[UPS] = up_four << 24 | up_thrice << 16 | up_twice << 8 | up
    second = np.int64(buffer[(at - 2) & buffer_mask])
    features[HEIGHTS] = (up >> 4) << 12 | (up_twice >> 4) << 8 | (byte >> 4) << 4 | second >> 4


@inline
def _follow_fours(recent, byte):
    """Words of four bytes: place, and what equals the word before or is zero (after paq8px)."""
    now, features = recent.now[0], recent.features
    before = np.int64(recent.buffer[(now.position - 5) & (recent.buffer.size - 1)])
    fours = (features[FOURS] << 2 | (byte == before) << 1 | (byte == 0)) & U32
    features[FOURS] = fours
    features[FOURS_NOW] = fours & 255
    features[PLACE_IN_4] = (now.position - now.block_start) & 3
    features[FOURS_AND_PLACE] = features[PLACE_IN_4] << 8 | features[FOURS_NOW]


@inline
def _follow_parts(recent, byte):
    """What followed bytes of which some bits alone are looked at (the chart model of paq8px)."""
    binary, features = recent.binary[0], recent.features
    last4 = np.int64(recent.now[0].last4)
    binary.after_tops[_tops(last4 >> 8)] = byte
    binary.after_few[_few(last4 >> 8)] = byte
    features[INDIRECT_TOPS] = binary.after_tops[_tops(last4)]
    features[INDIRECT_FEW] = binary.after_few[_few(last4)]
    features[INDIRECT_BYTE_1] = features[f.INDIRECT_1] & 255
    features[INDIRECT_BYTE_2] = features[f.INDIRECT_2] & 255


@inline
def _tops(last4):
    """The three top bits of each of the last three bytes."""
    return last4 >> 15 & 0x1C0 | last4 >> 10 & 0x38 | last4 >> 5 & 7


@inline
def _few(last4):
    """The two top bits of the last byte but one, the two top and the two lowest of the last."""
    return last4 >> 10 & 0x30 | last4 >> 4 & 12 | last4 & 3


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
    features[TEXT_LEFT] = left if left >= 0 else 255
    features[TEXT_PLACE] = binary.text_head << 8 | min(binary.text_bytes, 255)
