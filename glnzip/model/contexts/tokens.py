"""Features of tokens: how long ago a word came, what it stands under, how it sounds.

A *token* is a run of letters and digits with A to Z folded, a *gap* the bytes between two of them.
A word that came a moment ago comes again; the ``To:`` or ``size=`` before it says what kind of word
it is; and of one that never came before, vowels and consonants still say how it may go on. (The
word model of paq8px has contexts like these.)
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import word_classes
from glnzip.model.contexts.bytes import binary_digits, byte_class, fold_case
from glnzip.model.hashing import U32, hashed_pair

(
    TOKEN_AGE,  # hash of the token so far, and how long ago it was a whole one
    TOKEN_HERE,  # hash of the same, or of the last byte in a gap, and the kilobyte of the stream
    TOKEN_NAMED,  # hash of it, of the last byte, and of the token before the last ":" or "="
    GAP_AGE,  # hash of the gap so far, of the token before it, and of the age as above
    GAP_NAMED,  # hash of the gap so far, and of the token before the last ":" or "="
    LAST_FIVE,  # hash of the last five letters and digits, across gaps
    SOUNDS,  # hash of what the last four bytes of this token, or of this gap, are like
    ENCLOSED,  # hash of the token so far, the last byte, and the bracket or quote around them
    SINCE,  # classes of the distances to the last capital and to the last mark: three bits each
    END,  # the first number of the next module of features
) = range(word_classes.END, word_classes.END + 10)

_PLACES = 1 << 15
_KILOBYTE_BITS = 10
_NEAR = 64  # bytes; shorter distances are of one class
_LONGEST = 6  # letters of a token that are told apart
_FAR = 7  # the class of the largest distances to a capital or a mark

TOKENS = np.dtype(
    [
        ("token", np.int64),  # hash of the letters and digits so far; 0 in a gap
        ("length", np.int64),  # how many they are, at most _LONGEST
        ("before", np.int64),  # the last whole token
        ("name", np.int64),  # the last one that a colon or an equals sign followed
        ("gap", np.int64),  # hash of the gap so far; 0 in a token
        ("enclosing", np.int64),  # the open bracket or quote, 0 if there is none
        ("capital", np.int64),  # position after the last capital letter
        ("mark", np.int64),  # position after the last of . , ; : ! ?
        ("five", np.int64),  # the last five letters and digits
        ("sounds", np.int64),  # kinds of the last four bytes of this token or gap
        ("seen", np.int64, _PLACES),  # by token, the position after the last whole one
    ]
)


@inline
def see_token_parts(recent, byte):
    """Bring these features up to date after `byte`, as `features.see_byte` does the others."""
    tokens = recent.tokens[0]
    position = recent.now[0].position
    kind = byte_class(byte)
    folded = fold_case(byte)
    if kind == 1 or kind == 2:
        _extend_token(tokens, folded, kind)
    else:
        _extend_gap(tokens, byte, position)
        _see_sign(tokens, byte, position)
    if folded != byte:
        tokens.capital = position
    _combine(recent.features, tokens, byte, folded, position)


@inline
def _extend_token(tokens, folded, kind):
    if tokens.token == 0:
        tokens.gap = 0
        tokens.sounds = 0
    tokens.token = hashed_pair(tokens.token, folded)
    tokens.length = min(tokens.length + 1, _LONGEST)
    tokens.five = (tokens.five << 8 | folded) & 0xFFFFFFFFFF
    tokens.sounds = (tokens.sounds << 8 | _sound(folded, kind)) & U32


@inline
def _sound(folded, kind):
    """The kind of a letter or digit: e, another vowel, y, a consonant; any digit, any other."""
    if kind == 2:
        return 48
    if folded >= 128:
        return 128
    if folded == 101 or folded == 121:  # e, y
        return folded
    return 97 if folded == 97 or folded == 105 or folded == 111 or folded == 117 else 98


@inline
def _extend_gap(tokens, byte, position):
    if tokens.token != 0:
        tokens.seen[tokens.token & _PLACES - 1] = position
        if byte == 58 or byte == 61:  # : =
            tokens.name = tokens.token
        tokens.before = tokens.token
        tokens.token = 0
        tokens.length = 0
        tokens.sounds = 0
    tokens.gap = hashed_pair(tokens.gap, 32 if byte == 10 else byte)
    tokens.sounds = (tokens.sounds << 8 | byte) & U32


@inline
def _see_sign(tokens, byte, position):
    if byte == 40 or byte == 91 or byte == 123 or byte == 60:  # ( [ { <
        tokens.enclosing = byte
    elif byte == 41 or byte == 93 or byte == 125 or byte == 62:  # ) ] } >
        tokens.enclosing = 0
    elif byte == 34 or byte == 39:  # a second quote ends what the first began
        tokens.enclosing = 0 if tokens.enclosing == byte else byte
    elif byte == 46 or byte == 44 or byte == 59 or byte == 58 or byte == 33 or byte == 63:
        tokens.mark = position


@inline
def _combine(features, tokens, byte, folded, position):
    token = tokens.token
    age = _age(tokens, position)
    here = token if token != 0 else byte
    features[TOKEN_AGE] = hashed_pair(token, age)
    features[TOKEN_HERE] = hashed_pair(here, position >> _KILOBYTE_BITS & U32)
    features[TOKEN_NAMED] = hashed_pair(hashed_pair(token, byte), tokens.name)
    features[GAP_AGE] = hashed_pair(hashed_pair(tokens.before, tokens.gap), age)
    features[GAP_NAMED] = hashed_pair(tokens.gap, tokens.name)
    features[LAST_FIVE] = hashed_pair(tokens.five & U32, tokens.five >> 32)
    features[SOUNDS] = hashed_pair(tokens.length << 1 | (age > 0), tokens.sounds)
    features[ENCLOSED] = hashed_pair(tokens.enclosing, hashed_pair(token, folded))
    since_capital = min(binary_digits(position - tokens.capital), _FAR)
    since_mark = min(binary_digits(position - tokens.mark), _FAR)
    features[SINCE] = since_capital << 3 | since_mark


@inline
def _age(tokens, position):
    """Class of the distance to where the token so far was a whole one; 0 if it never was."""
    seen = tokens.seen[tokens.token & _PLACES - 1]
    if tokens.token == 0 or seen == 0:
        return 0
    return binary_digits(position - seen + _NEAR)
