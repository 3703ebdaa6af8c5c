"""Making lexicons: classes of words that stand between the same words."""

from __future__ import annotations

import random
from itertools import pairwise
from math import log

import numpy as np
import pytest

import glnzip
from glnzip.format.block_type import LEXICON, LEXICON_HEADING, TEXT, BlockType
from glnzip.planner.planner import choose_block_type
from glnzip.training import lexicon
from glnzip.training.lexicon import make_lexicon

ARTICLES, NOUNS, VERBS = (b"a", b"the", b"every"), (b"cat", b"dog", b"cow"), (b"eats", b"sees")


def sentences(count: int, seed: int = 1) -> bytes:
    choose = random.Random(seed).choice
    words = [
        [choose(ARTICLES), choose(NOUNS), choose(VERBS), choose(ARTICLES), choose(NOUNS)]
        for _ in range(count)
    ]
    return b"".join(b" ".join(sentence) + b".\n\n" for sentence in words)


def classes_of(made: bytes) -> list[set[bytes]]:
    assert made.startswith(LEXICON_HEADING)
    assert made.endswith(b"\n\n"), "the blank line is the last class"
    return [set(line.split()) for line in made.splitlines()[1:-1]]


def test_words_of_a_kind_come_to_be_together() -> None:
    made = classes_of(make_lexicon([sentences(300)], 4))
    assert sorted(map(sorted, made)) == sorted(map(sorted, (ARTICLES, NOUNS, VERBS, (b".",))))


def test_case_and_boundaries_of_texts_do_not_matter() -> None:
    text = sentences(100)
    whole = make_lexicon([text], 4)
    assert make_lexicon([text.upper()], 4) == whole
    assert make_lexicon([text[:-2]], 4) == whole


def test_rare_words_are_known_by_their_endings() -> None:
    rare = [b"%swards" % bytes([c]) for c in range(97, 105)]
    text = b" ".join(b"a %s cat sees." % word for word in rare) + sentences(50)
    made = classes_of(make_lexicon([text], 5))
    assert not any(set(rare) & line for line in made)
    assert sum(b"RDS" in line for line in made) == 1


@pytest.mark.parametrize("text", [b"", b" \n\n\n ", b"once", b"\xff\xfe\x00 1 2 1 1 2\n"])
def test_texts_of_hardly_a_word(text: bytes) -> None:
    classes_of(make_lexicon([text], 7))


def information(sequence: list[int], class_of: list[int]) -> float:
    """The part of the log-likelihood that depends on classes, in float64 (Martin et al., eq. 4)."""
    pairs: dict[tuple[int, int], int] = {}
    members: dict[int, int] = {}
    for a, b in pairwise(sequence):
        pair = class_of[a], class_of[b]
        pairs[pair] = pairs.get(pair, 0) + 1
    for w in sequence:
        members[class_of[w]] = members.get(class_of[w], 0) + 1
    return sum(n * log(n) for n in pairs.values()) - 2 * sum(n * log(n) for n in members.values())


def test_no_single_move_is_better() -> None:
    words, classes = 12, 3
    sequence = np.random.default_rng(5).integers(0, words, 400)
    sequence[::2] //= 3  # so that there is something to find
    members = lexicon._sorted_into_classes(sequence, words, classes)
    class_of = [
        next(c for c in range(classes + 1) if w in (*members, [words - 1])[c]) for w in range(words)
    ]
    best = information(sequence.tolist(), class_of)
    for word in range(words - 1):
        for c in range(classes):
            moved = [*class_of[:word], c, *class_of[word + 1 :]]
            assert information(sequence.tolist(), moved) <= best + 0.01


@pytest.mark.parametrize("classes", [0, 127])
def test_numbers_of_classes_out_of_range(classes: int) -> None:
    with pytest.raises(ValueError, match="1 to 126"):
        make_lexicon([b"text"], classes)


def test_the_planner_knows_a_lexicon_by_its_heading() -> None:
    made = make_lexicon([sentences(20)], 4)
    assert choose_block_type(made) == BlockType(LEXICON)
    assert choose_block_type(made[1:]) == BlockType(TEXT)


def test_a_lexicon_in_a_frame() -> None:
    made = make_lexicon([sentences(20)], 4)
    for data in (made, LEXICON_HEADING, LEXICON_HEADING + bytes(range(256)) * 9):
        assert glnzip.decompress(glnzip.compress(data, level=1, prior=None)) == data
