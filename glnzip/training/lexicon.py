"""Lexicons: the words of texts, sorted into classes by the words that they stand between.

The classes are those that say most about the class of the token that follows: words are moved, one
after the other, each to where the mutual information of neighbours becomes largest, until few move
any more (the exchange algorithm; Kneser and Ney, "Improved clustering techniques for class-based
statistical language modelling", 1993; with the words in order of frequency, as by Martin, Liermann
and Ney, 1998). Sums are of integers, so that the same texts give the same lexicon everywhere.

What a lexicon looks like, and what a model makes of one, `glnzip.model.contexts.word_classes` says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from glnzip.format.block_type import LEXICON_HEADING
from glnzip.gln.logistic import exact_log
from glnzip.jit import inline, kernel
from glnzip.model.contexts.word_classes import LEXICON_CLASSES

_TOKEN = re.compile(rb"[A-Za-z\x80-\xff]+|\n\n+|[^\sA-Za-z\x80-\xff]")
_BLANK_LINE = b"\n\n"
_LEAST_COUNT = 3  # rarer words share a class with those of the same ending
_LEAST_ENDING = 4
_ENDING_BYTES = 3
_MOST_ROUNDS = 12
_FEW_MOVED = 200  # a round that moves fewer words than one in so many is the last
_UNITS = 1 << 16  # of information, a nat


def make_lexicon(texts: Iterable[bytes], classes: int) -> bytes:
    """Sort the words of texts into classes.

    Parameters
    ----------
    texts
        In any language and encoding that keeps ASCII letters as they are.
    classes
        How many there are to be, 1 to 126; fewer may be left.

    Returns
    -------
    bytes
        A text of a line for each class. Words that come but once or twice are not in it. A model
        takes it for a lexicon if it fits one block, that is, if it has up to 1,048,576 bytes.

    Raises
    ------
    ValueError
        If the number of classes is out of range.
    """
    if not 1 <= classes < LEXICON_CLASSES:
        raise ValueError(f"a lexicon has 1 to {LEXICON_CLASSES - 1} classes, not {classes}")
    tokens = [token for text in texts for token in (*_tokens(text), _BLANK_LINE)]
    names = _names(tokens)
    rest = len(names)  # words too rare even for their ending; after them comes the blank line
    number = {name: i for i, name in enumerate(names)} | {_BLANK_LINE: rest + 1}
    sequence = np.array([number.get(t, number.get(_ending(t), rest)) for t in tokens], np.int64)
    members = _sorted_into_classes(sequence, rest + 2, classes)
    lines = [b" ".join(sorted(names[i] for i in line if i < rest)) for line in members]
    # The blank line is a class of its own, the last.
    return b"".join([LEXICON_HEADING, *(line + b"\n" for line in lines if line), b"\n"])


def _tokens(text: bytes) -> list[bytes]:
    """Words, signs and blank lines, as `glnzip.model.contexts.word_classes` sees them."""
    return [
        _BLANK_LINE if token.startswith(b"\n") else token for token in _TOKEN.findall(text.lower())
    ]


def _ending(word: bytes) -> bytes:
    """What stands in the lexicon for all rare words that end like this one."""
    return word[-_ENDING_BYTES:].upper()


def _names(tokens: list[bytes]) -> list[bytes]:
    """What is to have a class, the most frequent first; but for the blank line."""
    counts = Counter(tokens)
    del counts[_BLANK_LINE]
    common = [token for token, count in counts.most_common() if count >= _LEAST_COUNT]
    endings: Counter[bytes] = Counter()
    for token, count in counts.items():
        last = token[-1:]
        if count < _LEAST_COUNT and len(token) >= _ENDING_BYTES and last.isalpha():
            endings[_ending(token)] += count
    return common + [name for name, count in endings.most_common() if count >= _LEAST_ENDING]


def _sorted_into_classes(sequence: Any, words: int, classes: int) -> list[list[int]]:
    """The words of each class, given a sequence of words; the last of them stays by itself."""
    counts = np.bincount(sequence, minlength=words)
    order = np.argsort(-counts[:-1], kind="stable")
    class_of = np.full(words, classes, np.int64)
    class_of[order] = np.arange(words - 1) % classes
    pairs, times = np.unique(sequence[:-1] * words + sequence[1:], return_counts=True)
    after = _rows(pairs // words, pairs % words, times, words)
    before = _rows(pairs % words, pairs // words, times, words)
    n = np.arange(sequence.size + 1, dtype=np.int64)
    logs = np.rint(exact_log(np.maximum(n, 1).astype(np.float64)) * _UNITS)
    information = n * logs.astype(np.int64)
    members = np.zeros((3, classes + 1), np.int64)
    pairs = np.zeros((classes + 1, classes + 1), np.int64)
    exchange(class_of, order, counts, *after, *before, information, pairs, members)
    return [np.flatnonzero(class_of == c).tolist() for c in range(classes)]


def _rows(words: Any, neighbours: Any, times: Any, count: int) -> tuple[Any, Any]:
    """A sparse matrix: where each word's row begins; its neighbours and how often they come."""
    order = np.argsort(words, kind="stable")
    starts = np.searchsorted(words[order], np.arange(count + 1))
    return starts, np.stack((neighbours[order], times[order]), axis=1)


@kernel
def exchange(class_of, order, counts, after, follow, before, precede, information, pairs, scratch):
    """Move words between classes until few of a round move.

    Parameters
    ----------
    class_of : int64[words]
        Where each word is; changed in place.
    order : int64[...]
        The words that may move, in the order in which they are looked at. None comes to be in the
        last class.
    counts : int64[words]
        How often each comes.
    after, before : int64[words + 1]
        Where each word's rows of `follow` and `precede` begin.
    follow, precede : int64[pairs, 2]
        Neighbours of words, and how often they are that.
    information : int64[...]
        ``n log n`` in any unit.
    pairs, scratch : int64[classes, classes], int64[3, classes]
        Zeros.
    """
    # Of classes: their tokens; those right and left of the word that is looked at.
    members, right, left = scratch[0], scratch[1], scratch[2]
    for w in range(class_of.size):
        members[class_of[w]] += counts[w]
        for k in range(after[w], after[w + 1]):
            pairs[class_of[w], class_of[follow[k, 0]]] += follow[k, 1]
    for _ in range(_MOST_ROUNDS):
        moved = 0
        for w in order:
            own = class_of[w]
            twice = _neighbours(w, class_of, after, follow, right)
            _neighbours(w, class_of, before, precede, left)
            _add(pairs, members, own, right, left, twice, counts[w], -1)
            best, most = own, np.int64(-1) << 62
            for c in range(members.size - 1):
                gain = _gain(pairs, members, c, right, left, twice, counts[w], information)
                if gain > most:
                    best, most = c, gain
            _add(pairs, members, best, right, left, twice, counts[w], 1)
            class_of[w] = best
            moved += best != own
        if moved * _FEW_MOVED < class_of.size:
            break


@inline
def _neighbours(word, class_of, starts, rows, found):
    """Count the classes of a word's neighbours; return how often the word is its own."""
    found[:] = 0
    twice = np.int64(0)
    for k in range(starts[word], starts[word + 1]):
        if rows[k, 0] == word:
            twice = rows[k, 1]
        else:
            found[class_of[rows[k, 0]]] += rows[k, 1]
    return twice


@inline
def _add(pairs, members, c, right, left, twice, count, sign):
    """Put a word into a class, or with ``sign`` -1 take it out."""
    for e in range(members.size):
        pairs[c, e] += sign * right[e]
        pairs[e, c] += sign * left[e]
    pairs[c, c] += sign * twice
    members[c] += sign * count


@inline
def _gain(pairs, members, c, right, left, twice, count, information):
    """What a word in class `c` adds to the mutual information of neighbours."""
    gain = np.int64(0)
    for e in range(members.size):
        if e != c:
            gain += information[pairs[c, e] + right[e]] - information[pairs[c, e]]
            gain += information[pairs[e, c] + left[e]] - information[pairs[e, c]]
    own = pairs[c, c]
    gain += information[own + right[c] + left[c] + twice] - information[own]
    return gain - 2 * (information[members[c] + count] - information[members[c]])
