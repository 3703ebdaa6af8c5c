"""What the model knows about the bytes it has seen: one small integer per *feature*.

Features are computed once a byte (those of the match and the order hits: every bit) and combined
by the rows of the table into contexts, gates and APM contexts. A row names features
by number and the kernels never ask what they mean, so a new idea is one feature here and one row in
`table`.
"""

from __future__ import annotations

from glnzip.jit import inline

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
    PAIR_SINCE,  # class of the distance to where the last two bytes were seen before
    ZERO_SINCE,  # bytes since the last zero byte, at most 255
    RECORD,  # length of a record as found on the way (`binary_features`), 0 before one is found
    RECORD_PLACE,  # place in that record
    UP,  # the byte one record before the one to come
    SAME_UP,  # of the last eight bytes, which were those of the record before: one bit each
    TEXT_LEFT,  # of a text that follows its length: bytes to come, 255 beyond its end
    TEXT_PLACE,  # the last control character, and bytes since
    CODE_PLACE,  # part of the x86 instruction that the next byte is, below 16
    CODE,  # the instruction so far, with CODE_PLACE
    CODE_BEFORE,  # the instruction before
    CODE_BEFORE_2,  # the one before that
    CODE_GATE,  # CODE_PLACE and the low byte of the opcode, or of the one before
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
    IDENTIFIER,  # hash of the letters, digits and underscores so far; 0 between identifiers
    IDENTIFIER_BEFORE,  # the same for the whole identifier before
    SHAPE,  # hash of the line so far: its identifiers as one sign each, and no white space
    SIGNS,  # the last four signs of shapes
    MARKS,  # the last three bytes that were neither white space nor of an identifier
    BRACKET_PLACE,  # the open bracket, and the columns since
    CALL,  # hash of the identifier before the open bracket, and of the commas since
    INDENTS,  # indentation of this line and of the one above, and whether this one is complete
    # These are hashed with IDENTIFIER, and 0 in prose: after three identifiers without a mark
    STATEMENT,  # the first identifier of the statement in the bracket, and its commas
    LINES,  # the first identifiers of the two lines above, and INDENTS
    SHAPES,  # SHAPE, and that of the whole line above
    WORD_ABOVE,  # the last identifier in a line with the number of the one to come in this line
    CLASS,  # the class of the last token (`word_classes`)
    CLASS_AND_LETTERS,  # CLASS and LETTERS, four bits
    CLASSES,  # the classes of the last two tokens
    CLASSES_3,  # of the last three
    # A token is a run of letters and digits, case folded; a gap, the bytes between two (`tokens`)
    TOKEN_AGE,  # hash of the token so far, and how long ago it was a whole one
    TOKEN_HERE,  # hash of the same, or of the last byte in a gap, and the kilobyte of the stream
    TOKEN_NAMED,  # hash of it, of the last byte, and of the token before the last ":" or "="
    GAP_AGE,  # hash of the gap so far, of the token before it, and of the age as above
    GAP_NAMED,  # hash of the gap so far, and of the token before the last ":" or "="
    LAST_FIVE,  # hash of the last five letters and digits, across gaps
    SOUNDS,  # hash of what the last four bytes of this token, or of this gap, are like
    ENCLOSED,  # hash of the token so far, the last byte, and the bracket or quote around them
    SINCE,  # classes of the distances to the last capital and to the last mark: three bits each
    SEGMENT,  # number of the block within a general prior, and of the data after it (`byte_view`)
    FEATURES,
) = range(76)

HASH = 0x2C1B3C6D  # odd multipliers below 2**30, so that products with 32-bit values fit int64
HASH_2 = 0x297A2D39
U32 = 0xFFFFFFFF


@inline
def hashed_pair(a, b):
    """A 32-bit hash of two values below 2**32."""
    h = (a * HASH + (b + 1) * HASH_2) & 0x3FFFFFFFFFFFFFFF
    return (h ^ (h >> 23)) & U32


@inline
def binary_digits(value):
    """How many binary digits a value that is not negative has; 0 has none."""
    digits = 0
    while value > 0:
        digits += 1
        value >>= 1
    return digits


@inline
def byte_class(byte):
    """0 other, 1 letter (or part of a UTF-8 character), 2 digit, 3 white space."""
    folded = byte | 32
    if (97 <= folded and folded <= 122) or byte >= 128:
        return 1
    if 48 <= byte and byte <= 57:
        return 2
    if byte == 32 or (9 <= byte and byte <= 13):
        return 3
    return 0


@inline
def fold_case(byte):
    """A to Z as a to z, other bytes as they are."""
    return byte + 32 if 65 <= byte and byte <= 90 else byte


@inline
def see_byte(recent, byte):
    """Bring all features up to date after `byte`; the history buffer includes it."""
    now = recent.now[0]
    features = recent.features
    features[THIRD] = features[SECOND]
    features[SECOND] = features[LAST]
    features[LAST] = byte
    features[PAIR] = features[SECOND] << 8 | byte
    _follow_words(now, features, byte)
    _follow_rows(recent, now, features, byte)
    _follow_successors(recent, features, byte)


@inline
def _follow_words(now, features, byte):
    kind = byte_class(byte)
    features[TEXT_FORM] = ((features[TEXT_FORM] << 2) | kind) & 0xFFFF
    if kind == 1:
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
    pairs = recent.indirect_2
    pair = features[THIRD] << 8 | before
    pairs[pair] = (pairs[pair] << 8 | byte) & 0xFFFF
    features[INDIRECT_2] = pairs[features[PAIR]]
    threes = recent.indirect_3
    three = indirect_3_place(recent.now[0].last4 >> 8)
    threes[three] = (threes[three] << 8 | byte) & 0xFFFF
    features[INDIRECT_3] = threes[indirect_3_place(recent.now[0].last4)]


@inline
def indirect_3_place(last4):
    """Where `indirect_3` has what followed the three lowest bytes."""
    return hashed_pair(last4 & 0xFFFFFF, 0) & 0xFFFF
