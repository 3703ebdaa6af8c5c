"""Features of the structure of text against a recount of the whole history."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest

from glnzip.model.contexts import features as f
from glnzip.model.contexts import syntax as s
from glnzip.model.contexts.syntax import DEPTHS, WORDS, see_syntax
from glnzip.model.hashing import hashed_pair
from glnzip.model.state import Recent
from tests.model.memory.histories import add_byte, new_recent

CODE = b"""int main(int argc, char *argv[]) {
    for (i = 0; i < n_2; i++) {
\tprint(f(a, b), "x", [1, 2]);  x = y;
    }
}

(define (caf\xc3\xa9 x) (list x, (car x)
                              'y)
"""
UNBALANCED = b")]} ((x, [y\n}, z;\n" * 3 + b"(" * (DEPTHS + 9) + b"deep, " + b")" * 5 + b"x,"
LONG_LINES = b" ".join(b"w%d" % n for n in range(WORDS + 20)) + b"\na b\n" + b" " * 70000 + b"c\n"
NOISE = bytes(random.Random(1).choices(b"ab1_ \t\n,;(){}[]<>=\x80\x00", k=800))
SAMPLES = {"code": CODE, "unbalanced": UNBALANCED, "noise": NOISE}

IDENTIFIER = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")
SPACE = re.compile(rb"[ \t-\r]+")


def see(recent: Recent, byte: int) -> None:
    """Show a byte to the features, as a block of text does."""
    add_byte(recent, byte)
    f.see_byte(recent, byte)
    see_syntax(recent, byte)


def follow(data: bytes) -> Iterator[tuple[bytes, Any]]:
    """Yield the bytes so far and the features, after each byte of `data`."""
    recent = new_recent()
    for n, byte in enumerate(data, 1):
        see(recent, byte)
        yield data[:n], recent.features


def name(identifier: bytes) -> int:
    return reduce(hashed_pair, identifier, 0)


def complete(identifiers: list[bytes], past: bytes) -> list[bytes]:
    """Without the last one, if it may still go on."""
    return identifiers[:-1] if IDENTIFIER.fullmatch(past[-1:]) else identifiers


def signs(text: bytes) -> bytes:
    return SPACE.sub(b"", IDENTIFIER.sub(b"a", text))


def unless_prose(past: bytes, value: int, features: Any) -> int:
    """The value with the identifier so far; 0 where three identifiers are next to each other."""
    return 0 if signs(past).endswith(b"aaa") else hashed_pair(value, features[s.IDENTIFIER])


def indentation(line: bytes) -> int:
    blank = line[: len(line) - len(line.lstrip(b" \t"))]
    return len(blank) + 7 * blank.count(b"\t")


@pytest.mark.parametrize("data", SAMPLES.values(), ids=SAMPLES)
def test_identifiers_and_shapes(data):
    for past, features in follow(data):
        found = IDENTIFIER.findall(past)
        whole = complete(found, past)
        assert features[s.IDENTIFIER] == (name(found[-1]) if len(found) > len(whole) else 0)
        assert features[s.IDENTIFIER_BEFORE] == (name(whole[-1]) if whole else 0)
        assert features[s.SIGNS] == int.from_bytes(signs(past)[-4:], "big")
        assert features[s.MARKS] == int.from_bytes(
            SPACE.sub(b"", IDENTIFIER.sub(b"", past))[-3:], "big"
        )
        above, line = [b"", *past.split(b"\n")][-2:]
        assert features[s.SHAPE] == name(signs(line))
        shapes = hashed_pair(name(signs(above)), name(signs(line)))
        assert features[s.SHAPES] == unless_prose(past, shapes, features)


@pytest.mark.parametrize("data", SAMPLES.values(), ids=SAMPLES)
def test_lines_above(data):
    for past, features in follow(data):
        *above, line = past.split(b"\n")
        first = [name(found[0]) if (found := IDENTIFIER.findall(text)) else 0 for text in above]
        lines = hashed_pair(*([0, *first][:-3:-1])) if above else 0
        lines = hashed_pair(lines, features[s.INDENTS])
        assert features[s.LINES] == unless_prose(past, lines, features)
        assert features[s.INDENTS] >> 16 == indentation(line)
        assert features[s.INDENTS] >> 1 & 0x7FFF == (indentation(above[-1]) if above else 0)
        assert features[s.INDENTS] & 1 == bool(line.lstrip(b" \t"))
        number = len(complete(IDENTIFIER.findall(line), past))
        with_it = [found for text in above if len(found := IDENTIFIER.findall(text)) > number]
        word = name(with_it[-1][number]) if with_it else 0
        assert features[s.WORD_ABOVE] == unless_prose(past, word, features)


def open_brackets(past: bytes) -> list[list[int]]:
    """What brackets are open, from outside in: byte, column, who opened it, commas since."""
    stack = [[0, 0, 0, 0]]
    for n, byte in enumerate(past):
        character = past[n : n + 1]
        if character in (b"(", b"[", b"{"):
            before = IDENTIFIER.findall(past[:n])
            del stack[DEPTHS - 1 :]
            column = n - past.rfind(b"\n", 0, n)
            stack.append([byte, column, name(before[-1]) if before else 0, 0])
        elif character in (b")", b"]", b"}"):
            del stack[max(len(stack) - 1, 1) :]
        stack[-1][3] += character == b","
        if character in (b"}", b";") or (character == b"\n" and len(stack) == 1):
            stack[-1][3] = 0
    return stack


@pytest.mark.parametrize("data", [CODE, UNBALANCED], ids=["code", "unbalanced"])
def test_brackets(data):
    for past, features in follow(data):
        bracket, column, who, commas = open_brackets(past)[-1]
        here = len(past) - 1 - past.rfind(b"\n")
        assert features[s.BRACKET_PLACE] == ((here - column) & 255) << 8 | bracket
        assert features[s.CALL] == hashed_pair(who, min(commas, 15))


@pytest.mark.parametrize(
    ("text", "first", "commas"),
    [
        (b"f(a, b, ", b"a", 2),
        (b"f(a, b) ", b"f", 0),
        (b"f(a)\nb ", b"b", 0),
        (b"f(a\nb, ", b"a", 1),
        (b"{a, b; c, ", b"c", 1),
        (b"x {a} b ", b"b", 0),
        (b"(a, [b] ", b"a", 1),
        (b"(" + b"a," * 20, b"a", 15),
    ],
)
def test_statement(text, first, commas):
    *_, (_, features) = follow(text)
    assert features[s.STATEMENT] == hashed_pair(hashed_pair(name(first), commas), 0)


@pytest.mark.parametrize(("text", "prose"), [(b"a b c ", 1), (b"a, b c", 0), (b"f(a b cd", 1)])
def test_prose_has_no_statement(text, prose):
    *_, (_, features) = follow(text)
    assert all(
        (features[feature] == 0) == prose
        for feature in (s.STATEMENT, s.LINES, s.SHAPES, s.WORD_ABOVE)
    )


def test_what_is_too_long_is_cut():
    recent = new_recent()
    for byte in LONG_LINES:
        see(recent, byte)
    assert recent.features[s.INDENTS] == 70000 << 1 & 0xFFFF
    last = b"w%d" % (WORDS + 19)  # the words that have no place of their own share the last one
    kept = [b"c", b"b", *(b"w%d" % n for n in range(2, WORDS - 1)), last]
    assert list(recent.syntax[0].words) == [name(word) for word in kept]
