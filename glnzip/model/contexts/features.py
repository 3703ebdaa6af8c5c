"""Features that every block of bytes has: the last bytes, words, rows and lines, what followed.

A *feature* is a small integer that says something of the bytes so far, or of what a part of the
model expects. It is computed once a byte (those of the matches and order hits: every bit), and the
rows of the table (`glnzip.model.table`) combine features into contexts, gates and APMs. Kernels
never ask what a feature means, so a new one is a name and its computation here, or in the module
that it fits better, and a row of the table.

Features are numbered module after module, in this order: `features`, `binary`, `code`, `syntax`,
`word_classes`, `tokens`, `fields`, `numbers`.
"""

from __future__ import annotations

from glnzip.jit import inline
from glnzip.model.contexts.bytes import byte_class, fold_case
from glnzip.model.contexts.shown import HIDDEN, OUTSIDE, shown_byte
from glnzip.model.hashing import U32, hashed_pair

(
    NONE,  # always 0
    LAST,  # the last byte
    SECOND,  # the byte before it
    THIRD,
    PAIR,  # the last two
    WORD,  # hash of the letters of the word so far, case folded; 0 between words
    WORD_BEFORE,  # the same for the whole words before it
    WORD_TWO_BEFORE,
    WORD_THREE_BEFORE,
    LETTERS,  # length of the word so far, at most 15
    TEXT_FORM,  # the last 8 bytes as classes of two bits: letter, digit, space, other
    LINE_START,  # the first two bytes of the line
    COLUMN,  # bytes since the line began, at most 255
    ABOVE,  # the byte one row or line above the one to come
    ABOVE_TWICE,  # two rows above; of text: the byte above and to the right
    INDIRECT_1,  # the two bytes that followed the last two occurrences of the last byte
    INDIRECT_2,  # the same for the last two bytes
    INDIRECT_3,  # and for the last three
    INDIRECT_1_OF_3,  # the three bytes that followed the last three of the last byte
    ROW_PLACE,  # place in the row, when the block has rows
    EXPECTED,  # byte that the longest match expects next, plus 1; 0 without one
    MATCH_STRENGTH,  # class of its length, 0 (no match) to 15
    MATCH_AND_LETTERS,  # MATCH_STRENGTH and LETTERS, four bits each
    ORDER_HITS,  # how many of the plain orders have been here before
    SEGMENT,  # number of the block within a general prior, and of the data after it (`byte_model`)
    END,  # the first number of the next module of features
) = range(26)


@inline
def see_byte(recent, byte):
    """Bring all features up to date after `byte`; the history buffer includes it.

    Returns what words see of the byte: see `shown`.
    """
    now = recent.now[0]
    features = recent.features
    features[THIRD] = features[SECOND]
    features[SECOND] = features[LAST]
    features[LAST] = byte
    features[PAIR] = features[SECOND] << 8 | byte
    features[TEXT_FORM] = ((features[TEXT_FORM] << 2) | byte_class(byte)) & 0xFFFF
    seen = HIDDEN
    if not _is_half(features):
        seen = _follow_text(now, features, recent.shown[0])
    _follow_rows(recent, now, features, byte)
    _follow_successors(recent, features, byte)
    return seen


@inline
def _follow_text(now, features, shown):
    """Words as a reader sees them; those of text that is shown are kept apart from others."""
    was_outside = shown.place == OUTSIDE
    seen = shown_byte(shown, now.last4, now.position)
    if seen != HIDDEN:
        shown.last4 = (shown.last4 << 8 | seen) & U32
        _follow_words(features, seen)
    if was_outside != (shown.place == OUTSIDE):
        for i in range(shown.words.size):
            word = features[WORD_BEFORE + i]
            features[WORD_BEFORE + i] = shown.words[i]
            shown.words[i] = word
    return seen


@inline
def _is_half(features):
    """Whether the last byte is the zero of a letter of 16 bits, as the letter before has one."""
    return features[LAST] == 0 and features[THIRD] == 0 and byte_class(features[SECOND]) == 1


@inline
def _follow_words(features, byte):
    if byte_class(byte) == 1:
        features[WORD] = hashed_pair(features[WORD], fold_case(byte))
        features[LETTERS] = min(features[LETTERS] + 1, 15)
    elif features[WORD] != 0:
        features[WORD_THREE_BEFORE] = features[WORD_TWO_BEFORE]
        features[WORD_TWO_BEFORE] = features[WORD_BEFORE]
        features[WORD_BEFORE] = features[WORD]
        features[WORD] = 0
        features[LETTERS] = 0


@inline
def _follow_rows(recent, now, features, byte):
    """Column and start of line; the bytes above, by row if the block has rows, else by line."""
    buffer_mask = recent.buffer.size - 1
    position = now.position
    if byte == 10:
        now.line_before = now.line
        now.line = position
        features[LINE_START] = 0
    column = position - now.line
    if 0 < column and column <= 2:
        features[LINE_START] = (features[LINE_START] << 8 | byte) & 0xFFFF
    features[COLUMN] = min(column, 255)
    if now.row_bytes > 0:
        features[ROW_PLACE] = (position - now.block_start) % now.row_bytes
        features[ABOVE] = recent.buffer[(position - now.row_bytes) & buffer_mask]
        features[ABOVE_TWICE] = recent.buffer[(position - 2 * now.row_bytes) & buffer_mask]
    else:
        above = now.line_before + column
        features[ROW_PLACE] = 0
        if above < now.line:
            features[ABOVE] = recent.buffer[above & buffer_mask]
            features[ABOVE_TWICE] = recent.buffer[(above + 1) & buffer_mask]
        else:  # the line above was shorter
            features[ABOVE] = 10
            features[ABOVE_TWICE] = 10


@inline
def _follow_successors(recent, features, byte):
    """Indirect contexts: what came next the last times the same bytes were seen."""
    before = features[SECOND]
    followers = recent.indirect_1
    followers[before] = (followers[before] << 8 | byte) & 0xFFFFFF
    features[INDIRECT_1] = followers[byte] & 0xFFFF
    features[INDIRECT_1_OF_3] = followers[byte]
    if recent.indirect_2.size > 0:
        pairs = recent.indirect_2
        pair = features[THIRD] << 8 | before
        pairs[pair] = (pairs[pair] << 8 | byte) & 0xFFFF
        features[INDIRECT_2] = pairs[features[PAIR]]
    if recent.indirect_3.size > 0:
        threes = recent.indirect_3
        three = indirect_3_place(recent.now[0].last4 >> 8)
        threes[three] = (threes[three] << 8 | byte) & 0xFFFF
        features[INDIRECT_3] = threes[indirect_3_place(recent.now[0].last4)]


@inline
def indirect_3_place(last4):
    """Where `indirect_3` has what followed the three lowest bytes."""
    return hashed_pair(last4 & 0xFFFFFF, 0) & 0xFFFF
