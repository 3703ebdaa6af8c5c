"""Features against a recount of the whole history."""

from __future__ import annotations

import random

import pytest

from glnzip.model.contexts import features as f
from glnzip.model.hashing import U32
from glnzip.model.table.byte_table import INDIRECT_3_FROM_LEVEL
from tests.model.memory.histories import add_byte, new_recent

TEXT = (
    b"The cat sat.\nThe CAT, the 2 cats  and\tthe caf\xc3\xa9 of 1931 sat\n\n"
    b"x = {a: [1, 2], b: (3)}\nx\n  y = cat + THE\n" * 3
)
NOISE = random.Random(1).randbytes(700)


def follow(data: bytes, *, row_bytes: int = 0, start: int = 0, ring_bytes: int = 1 << 16):
    """Yield the bytes so far and the features, after each byte of `data`."""
    recent = new_recent(
        level=INDIRECT_3_FROM_LEVEL, ring_bytes=ring_bytes, position=start, row_bytes=row_bytes
    )
    for n, byte in enumerate(data, 1):
        add_byte(recent, byte)
        f.see_byte(recent, byte)
        yield data[:n], recent.features


def byte_class(byte: int) -> int:
    character = chr(byte)
    if byte >= 128 or (character.isascii() and character.isalpha()):
        return 1
    return 2 if character.isdigit() else 3 if character in " \t\n\v\f\r" else 0


def words_of(past: bytes) -> list[bytes]:
    """The words so far; the last is empty unless a word is going on."""
    words = [b""]
    for byte in past:
        if byte_class(byte) == 1:
            words[-1] += bytes([byte])
        elif words[-1]:
            words.append(b"")
    return words


def folded(word: bytes) -> bytes:
    return bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in word)


@pytest.mark.parametrize("data", [TEXT, NOISE], ids=["text", "noise"])
def test_last_bytes_and_their_classes(data):
    assert [int(byte_class(byte)) for byte in range(256)] == [byte_class(b) for b in range(256)]
    for past, features in follow(data):
        padded = bytes(8) + past
        assert [features[k] for k in (f.LAST, f.SECOND, f.THIRD)] == list(padded[:-4:-1])
        form = 0
        for byte in padded[-8:]:
            form = form << 2 | byte_class(byte)
        if len(past) >= 8:
            assert features[f.TEXT_FORM] == form


@pytest.mark.parametrize("data", [TEXT, NOISE], ids=["text", "noise"])
def test_words(data):
    """A word has one number, whatever its case and wherever it stands; others have others."""
    numbers: dict[bytes, int] = {b"": 0}
    order = (f.WORD, f.WORD_BEFORE, f.WORD_TWO_BEFORE, f.WORD_THREE_BEFORE)
    for past, features in follow(data):
        words = [folded(word) for word in words_of(past)]
        assert features[f.LETTERS] == min(len(words[-1]), 15)
        numbers.setdefault(words[-1], int(features[f.WORD]))
        recent = [b"", b"", b"", *words][:-5:-1]
        assert [features[k] for k in order] == [numbers[word] for word in recent]
    assert len(set(numbers.values())) == len(numbers)
    assert all(0 <= number < 1 << 32 for number in numbers.values())


def test_lines():
    for past, features in follow(TEXT, start=5_000_000_000):
        lines = past.split(b"\n")
        if len(lines) < 3:
            continue
        column = len(lines[-1])
        # The newline itself is column 0, and the newline before it is what lies above that.
        assert features[f.COLUMN] == column
        above = (lines[-2] + b"\n")[column : column + 1] or b"\n"
        assert features[f.ABOVE] == above[0]
        if 1 <= column <= 2:
            assert features[f.LINE_START] == int.from_bytes(lines[-1], "big")
        elif column > 2:
            assert features[f.LINE_START] == int.from_bytes(lines[-1][:2], "big")


def test_long_lines():
    for past, features in follow(b"a" * 600 + b"\n" + b"b" * 600 + b"\n" + b"c" * 600):
        column = (len(past) - 1) % 601 + 1 if past[-1] != 10 else 0
        assert features[f.COLUMN] == min(column, 255)


@pytest.mark.parametrize("start", [0, (1 << 31) - 300, (1 << 32) - 300])
@pytest.mark.parametrize("row_bytes", [1, 2, 7, 100, 255, 256, 300])
def test_rows(row_bytes, start):
    for past, features in follow(NOISE, row_bytes=row_bytes, start=start, ring_bytes=1024):
        assert features[f.ROW_PLACE] == len(past) % row_bytes
        zeros = bytes(2 * row_bytes)
        assert features[f.ABOVE] == (zeros + past)[len(zeros) + len(past) - row_bytes]
        assert features[f.ABOVE_TWICE] == (zeros + past)[len(zeros) + len(past) - 2 * row_bytes]


@pytest.mark.parametrize("row_bytes", [1, 65535])
@pytest.mark.parametrize("start", [0, 5_000_000_000])
def test_rows_longer_than_the_history(row_bytes, start):
    for _, features in follow(NOISE, row_bytes=row_bytes, start=start, ring_bytes=512):
        assert all(0 <= features[k] <= 255 for k in (f.ABOVE, f.ABOVE_TWICE, f.COLUMN))
        assert 0 <= features[f.ROW_PLACE] < row_bytes


@pytest.mark.parametrize("data", [TEXT, NOISE[:80] * 4], ids=["text", "noise"])
def test_what_followed(data):
    """The last bytes that followed the same byte, pair or three bytes, the newest lowest.

    Three bytes share a place in the table with others; not in so few.
    """
    for past, features in follow(data):
        padded = bytes(4) + past
        for length, count, feature in (
            (1, 2, f.INDIRECT_1),
            (1, 3, f.INDIRECT_1_OF_3),
            (2, 2, f.INDIRECT_2),
            (3, 2, f.INDIRECT_3),
        ):
            context = padded[-length:]
            followers = [
                padded[at + length]
                for at in range(4 - length, len(padded) - length)
                if padded[at : at + length] == context
            ]
            assert features[feature] == int.from_bytes([0, 0, 0, *followers][-count:], "big")


@pytest.mark.parametrize("row_bytes", [0, 9])
def test_no_feature_is_negative(row_bytes):
    """Kernels use features as indices."""
    for _, features in follow(TEXT + NOISE, row_bytes=row_bytes, ring_bytes=256):
        assert (features >= 0).all()
        assert (features <= U32).all()


@pytest.mark.parametrize("order", ["le", "be"])
def test_letters_of_16_bits_make_words(order):
    """The zero of a letter is not seen by words; one behind a string ends a word."""
    features = {}
    for name, data in (("wide", "The cat\0".encode(f"utf-16-{order}")), ("narrow", b"The cat\0")):
        *_, (_, features[name]) = follow(bytes(2) + data)
    for k in (f.WORD, f.WORD_BEFORE, f.WORD_TWO_BEFORE, f.LETTERS):
        assert features["wide"][k] == features["narrow"][k]
    *_, (_, ended) = follow(b"\0as\0")
    assert ended[f.WORD] == 0
