"""Features of binary data against a plain transcription, and records where they are known."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from glnzip.jit import kernel
from glnzip.model.build import FEATURES
from glnzip.model.contexts import binary as b
from glnzip.model.contexts.binary import see_binary
from tests.model.memory.histories import new_recent
from tests.samples import machine_code

CHANCE = random.Random(1)
RECORDS = b"".join(struct.pack("<IHBx4s", n, 7 * n & 65535, n % 3, b"item") for n in range(150))
TEXTS = b"".join(bytes([n % 30]) + b"x" * (n % 37) for n in range(40)) + b"\x7f" + b"y" * 300
DATA = {
    "records": RECORDS,
    "texts": TEXTS,
    "code": machine_code(25),
    "noise": CHANCE.randbytes(1500),
    "few values": bytes(CHANCE.choice((0, 0, 1, 9)) for _ in range(1500)),
    "two lengths": RECORDS[:900]
    + bytes(CHANCE.choice(range(7)) if n % 10 else 200 for n in range(3000)),
}


@kernel
def follow_data(data, recent, seen):
    """Show the bytes one by one, and keep the features after each."""
    now = recent.now[0]
    for i in range(data.size):
        byte = np.int64(data[i])
        recent.buffer[now.position & (recent.buffer.size - 1)] = byte
        now.position += 1
        now.last4 = (now.last4 << 8 | byte) & 0xFFFFFFFF
        see_binary(recent, byte)
        for k in range(seen.shape[1]):
            seen[i, k] = recent.features[k]


def features_after_each_byte(data: bytes, position: int = 0) -> Any:
    recent = new_recent(position=position)
    seen = np.zeros((len(data), FEATURES), np.int64)
    follow_data(np.frombuffer(bytearray(data), np.uint8), recent, seen)
    return seen


class Votes:
    """Which record length the distances of equal bytes speak for: four candidates at a time."""

    def __init__(self) -> None:
        self.lengths, self.votes, self.record = [0] * 4, [0] * 4, 0

    def vote(self, length: int) -> None:
        """Count a vote; a newcomer takes the first empty place, or weakens all others."""
        places = [k for k in range(4) if self.lengths[k] == length]
        free = [k for k in range(4) if self.votes[k] == 0]
        if not places and not free:
            self.votes = [v - 1 for v in self.votes]
            return
        place = places[-1] if places else free[0]
        if not places:
            self.lengths[place], self.votes[place] = length, 0
        self.votes[place] = min(self.votes[place] + 1, 63)
        best = max(range(4), key=lambda k: (self.votes[k], k == place, -k))
        if self.votes[best] > 12:
            self.record = self.lengths[best]


class Mark:
    """The byte that marks records: most votes, counted as they come."""

    def __init__(self) -> None:
        self.byte = self.votes = 0

    def vote(self, byte: int) -> None:
        """A vote for another byte takes one away; when there is none left, it decides."""
        if byte == self.byte:
            self.votes = min(self.votes + 1, 63)
        elif self.votes:
            self.votes -= 1
        else:
            self.byte = byte


def stands_on(past: bytes, gap: int) -> bool:
    """Whether the last byte also stands three and four gaps before."""
    return past[-1] == past[-1 - 3 * gap] == past[-1 - 4 * gap]


def halves(*values: int) -> int:
    """The high halves of bytes, as digits of one number."""
    return int("".join(f"{value:02x}"[0] for value in values), 16)


def tops(past: bytes) -> str:
    """The first three binary digits of each of the last three bytes."""
    return "".join(f"{byte:08b}"[:3] for byte in past[-3:])


def few(past: bytes) -> str:
    """The first two of the last two bytes, and the last two of the last."""
    return f"{past[-2]:08b}"[:2] + f"{past[-1]:08b}"[:2] + f"{past[-1]:08b}"[-2:]


def expected(data: bytes, start: int) -> Iterator[dict[int, int]]:
    """The features of binary data after each byte, but for those of code."""
    votes, mark = Votes(), Mark()
    seen, gaps, pairs = [0] * 256, [0] * 256, [0] * 65536
    head = length_of_text = same = 0
    before = 0
    after_tops, after_few = {}, {}
    for i, byte in enumerate(data):
        here = start + i + 1
        past = bytes(20_000) + data[: i + 1]
        after_tops[tops(past[:-1])] = after_few[few(past[:-1])] = byte
        places = range(len(past) - 16, len(past))
        fours = [2 * (past[k] == past[k - 4]) + (past[k] == 0) for k in places]
        fours = [0] * max(15 - i, 0) + fours[max(15 - i, 0) :]
        last_four = sum(flags << 2 * (3 - k) for k, flags in enumerate(fours[12:]))
        gap, seen[byte] = here - seen[byte], here
        if gap == gaps[byte] and 2 <= gap <= 4095 and (gap >= 16 or stands_on(past, gap)):
            votes.vote(gap)
            if gap == votes.record:
                mark.vote(byte)
        gaps[byte] = gap
        pair, before = before << 8 | byte, byte
        since, pairs[pair] = here - pairs[pair], here
        length = votes.record or 4
        same = (same << 1 | (byte == past[-1 - length])) & 255
        if byte in (*range(32), 127):
            head, length_of_text = byte, 0
        else:
            length_of_text += 1
        yield {
            b.PAIR_SINCE: since.bit_length(),
            b.ZERO_SINCE: min(here - seen[0], 255),
            b.RECORD: votes.record,
            b.RECORD_PLACE: (i + 1) % length,
            b.UP: past[-length],
            b.SAME_UP: same,
            b.UPS: sum(past[-k * length] << 8 * (k - 1) for k in range(1, 5)),
            b.PLACE_IN_4: (i + 1) % 4,
            b.FOURS: sum(flags << 2 * (15 - k) for k, flags in enumerate(fours)),
            b.FOURS_NOW: last_four,
            b.FOURS_AND_PLACE: (i + 1) % 4 * 256 + last_four,
            b.INDIRECT_TOPS: after_tops.get(tops(past), 0),
            b.INDIRECT_FEW: after_few.get(few(past), 0),
            b.PLANE: (past[-length] + byte - past[-1 - length]) % 256,
            b.HEIGHTS: halves(past[-length], past[-2 * length], byte, past[-2]),
            b.FIELD: min(here - seen[mark.byte], 255),
            b.TEXT_LEFT: head - length_of_text if length_of_text <= head else 255,
            b.TEXT_PLACE: head << 8 | min(length_of_text, 255),
        }


@pytest.mark.parametrize("start", [0, (1 << 32) - 400])
@pytest.mark.parametrize("name", DATA)
def test_features_are_those_of_a_plain_recount(name: str, start: int) -> None:
    found = features_after_each_byte(DATA[name], start)
    for i, features in enumerate(expected(DATA[name], start)):
        for k, value in features.items():
            assert found[i, k] == value, (i, k)


@pytest.mark.parametrize("length", [2, 3, 12, 40, 300])
def test_the_length_of_a_record_is_found(length: int) -> None:
    """Two bytes of each record never change; after some records all features are about them."""
    chance = random.Random(length)
    rows = (b"\x00\xe9" + bytes(chance.choices(range(1, 200), k=length - 2)) for _ in range(40))
    features = features_after_each_byte(b"".join(rows))
    assert (features[25 * length :, b.RECORD] == length).all()
    places = features[25 * length :, b.RECORD_PLACE]
    assert (places == np.arange(25 * length + 1, 40 * length + 1) % length).all()


def test_a_text_is_as_long_as_the_byte_before_it_says() -> None:
    features = features_after_each_byte(b"\x05seven")
    assert features[:, b.TEXT_LEFT].tolist() == [5, 4, 3, 2, 1, 0]
    assert features_after_each_byte(b"\x05sevens")[-1, b.TEXT_LEFT] == 255


@pytest.mark.parametrize("name", DATA)
def test_no_feature_is_negative(name: str) -> None:
    """Kernels use features as indices."""
    features = features_after_each_byte(DATA[name], 5_000_000_000)
    assert (features >= 0).all()
    assert (features < 1 << 40).all(), "products with a hash multiplier must fit"
