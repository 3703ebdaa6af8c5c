"""Word classes: words that stand in the same places of sentences count as one.

After "a very" comes an adjective, whichever it is, and then a noun. So the classes of the last few
tokens are contexts that come again far more often than the tokens themselves do (class-based
n-grams; Brown, Della Pietra, deSouza, Lai and Mercer, 1992). A *token* is a word (letters), a blank
line, or any other byte that is not white space.

Which words belong together a model learns from a *lexicon*: a block of text whose type says so
(`glnzip.format.block_type`), and which has the tokens of class n in its line n. Line 0 is a
heading. A word in small letters stands for itself; one in capitals for all words that are in no
line and have its *ending*, the last three bytes. `glnzip.training.lexicon` makes lexicons.

Without one, and for words of which it knows nothing, a class is guessed: words that end in the same
two letters, short words, and signs by themselves.

An entry of the table is ``check << 8 | class``, 0 if unused; a token has two places.
"""

from __future__ import annotations

import numpy as np

from glnzip.format.block_type import LEXICON
from glnzip.jit import inline
from glnzip.model.contexts import features as f
from glnzip.model.contexts import syntax
from glnzip.model.contexts.bytes import byte_class
from glnzip.model.hashing import hashed_pair

(
    CLASS,  # the class of the last token (`word_classes`)
    CLASS_AND_LETTERS,  # CLASS and LETTERS, four bits
    CLASSES,  # the classes of the last two tokens
    CLASSES_3,  # of the last three
    END,  # the first number of the next module of features
) = range(syntax.END, syntax.END + 5)

LEXICON_CLASSES = 127  # of lexicons: 1..127; 0 is no class
TABLE_BITS = 18
_CLASS_BITS = 8
_CHECK_SHIFT = 24
_LETTER, _SPACE = 1, 3  # kinds of bytes
_ENDING, _SIGN, _SHORT, _LONG = range(1, 5)  # hashed in beside what is no whole word
_FOLDED = 0xDFDFDF
_GUESS_SHIFT = 20


@inline
def see_token(recent, byte):
    """Follow the classes of the last tokens; called when the other features include `byte`.

    It is what words see, and so are the bytes before it.
    """
    features, now = recent.features, recent.now[0]
    kind = byte_class(byte)
    last3 = recent.shown[0].last4 >> 8
    before = last3 & 255
    if kind != _LETTER and byte_class(before) == _LETTER:
        word, ending = features[f.WORD_BEFORE], hashed_pair(last3 & _FOLDED, _ENDING)
        if now.kind == LEXICON:
            in_capitals = 65 <= before and before <= 90
            _define(recent.word_classes, ending if in_capitals else word, now.lines)
        else:
            _move_on(features, _class_of_word(recent.word_classes, word, ending, last3))
    blank_line = byte == 10 and before == 10 and last3 >> 8 & 255 != 10
    if kind != _LETTER and (kind != _SPACE or blank_line):
        sign = hashed_pair(byte, _SIGN)
        if now.kind == LEXICON:
            _define(recent.word_classes, sign, now.lines)
        else:
            number = _class_of(recent.word_classes, sign)
            _move_on(features, number if number > 0 else byte & LEXICON_CLASSES)
    features[CLASS_AND_LETTERS] = features[CLASS] << 4 | features[f.LETTERS]
    if byte == 10:
        now.lines += 1


@inline
def _class_of_word(table, word, ending, last3):
    """What a lexicon says of the word, or of its ending, or else a guess above all such classes."""
    number = _class_of(table, word)
    if number == 0:
        number = _class_of(table, ending)
    if number == 0:
        length = _LONG if byte_class(last3 >> 16) == _LETTER else _SHORT
        guess = hashed_pair(last3 & _FOLDED & 0xFFFF, length)
        number = LEXICON_CLASSES + 1 + (guess >> _GUESS_SHIFT & LEXICON_CLASSES)
    return number


@inline
def _move_on(features, number):
    features[CLASSES_3] = (features[CLASSES_3] << _CLASS_BITS | number) & 0xFFFFFF
    features[CLASSES] = features[CLASSES_3] & 0xFFFF
    features[CLASS] = number


@inline
def _place(table, token):
    return (token ^ token >> 15) & (table.size - 1)


@inline
def _class_of(table, token):
    """The class of a token (32-bit hash), 0 if it has none."""
    for way in range(2):
        entry = np.int64(table[_place(table, token) ^ way])
        if entry >> _CLASS_BITS == token >> _CHECK_SHIFT:
            return entry & 255
    return np.int64(0)


@inline
def _define(table, token, number):
    """Give a token (32-bit hash) a class; if others have both of its places, at the first."""
    if number < 1 or number > LEXICON_CLASSES:
        return
    check = token >> _CHECK_SHIFT
    place = _place(table, token)
    for way in range(2):
        entry = np.int64(table[place ^ way])
        if entry == 0 or entry >> _CLASS_BITS == check:
            table[place ^ way] = check << _CLASS_BITS | number
            return
    table[place] = check << _CLASS_BITS | number
