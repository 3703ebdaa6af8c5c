"""Features of tokens against a recount of the whole history."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest

from glnzip.model.contexts import tokens as t
from glnzip.model.contexts.tokens import see_token_parts
from glnzip.model.hashing import hashed_pair
from glnzip.model.table.byte_table import TOKENS_FROM_LEVEL
from tests.model.memory.histories import add_byte, new_recent

MAIL = b"""From: Ann <ann@x1.org>
Subject: the "YEAR 2000", again; it's (nearly) here
Size=1024 size=1024

Yes! Why do you say: "why"? [Ann's] caf\xc3\xa9 {7}
"""
NOISE = bytes(random.Random(2).choices(b"aeYb19 .:=\n\"'(<)>\x80\x00", k=1500))
SAMPLES = {"mail": MAIL, "noise": NOISE, "far apart": b"One" + b" x" * 900 + b" one"}

TOKEN = re.compile(rb"[A-Za-z0-9\x80-\xff]+")
FEATURES = (
    t.TOKEN_AGE,
    t.TOKEN_HERE,
    t.TOKEN_NAMED,
    t.GAP_AGE,
    t.GAP_NAMED,
    t.LAST_FIVE,
    t.SOUNDS,
    t.ENCLOSED,
    t.SINCE,
)


def follow(data: bytes, start: int = 0) -> Iterator[tuple[bytes, Any]]:
    """Yield the bytes so far and the features, after each byte of `data`."""
    recent = new_recent(level=TOKENS_FROM_LEVEL, position=start)
    for n, byte in enumerate(data, 1):
        add_byte(recent, byte)
        see_token_parts(recent, byte)
        yield data[:n], recent.features


def name(token: bytes) -> int:
    """The number of a token, or of a gap, whose bytes are the same in capitals or not."""
    return reduce(hashed_pair, token.lower(), 0)


def sound(byte: int) -> int:
    kinds = {b"0123456789": b"0", b"aiou": b"a", b"bcdfghjklmnpqrstvwxz": b"b"}
    return next((kind[0] for members, kind in kinds.items() if byte in members), min(byte, 128))


def expected(past: bytes, start: int) -> dict[int, int]:
    """All features after `past`, from nothing but `past`."""
    at = start + len(past)
    found = list(TOKEN.finditer(past))
    in_token = bool(found) and found[-1].end() == len(past)
    whole = found[:-1] if in_token else found
    token = name(found[-1][0]) if in_token else 0
    gap_bytes = b"" if in_token else past[whole[-1].end() if whole else 0 :]
    gap = reduce(hashed_pair, gap_bytes.replace(b"\n", b" "), 0)
    seen = [start + w.end() + 1 for w in whole if name(w[0]) == token]
    age = (at - seen[-1] + 64).bit_length() if in_token and seen else 0
    named = [w for w in whole if past[w.end() :][:1] in (b":", b"=")]
    title = name(named[-1][0]) if named else 0
    letters = b"".join(w[0] for w in found).lower()[-5:]
    parts = bytes(map(sound, found[-1][0].lower())) if in_token else gap_bytes
    length = min(len(found[-1][0]), 6) if in_token else 0
    capitals = [n + 1 for n, byte in enumerate(past) if 65 <= byte <= 90]
    marks = [n + 1 for n, byte in enumerate(past) if byte in b".,;:!?"]
    since = [(at - (start + n[-1] if n else 0)).bit_length() for n in (capitals, marks)]
    five = int.from_bytes(letters, "big")
    last = past[-1]
    enclosing = 0
    for byte in past:
        if byte in b"([{<":
            enclosing = byte
        elif byte in b")]}>":
            enclosing = 0
        elif byte in b"\"'":
            enclosing = 0 if enclosing == byte else byte
    return {
        t.TOKEN_AGE: hashed_pair(token, age),
        t.TOKEN_HERE: hashed_pair(token or last, at // 1024 % 2**32),
        t.TOKEN_NAMED: hashed_pair(hashed_pair(token, last), title),
        t.GAP_AGE: hashed_pair(hashed_pair(name(whole[-1][0]) if whole else 0, gap), age),
        t.GAP_NAMED: hashed_pair(gap, title),
        t.LAST_FIVE: hashed_pair(five % 2**32, five >> 32),
        t.SOUNDS: hashed_pair(2 * length + (age > 0), int.from_bytes(parts[-4:], "big")),
        t.ENCLOSED: hashed_pair(enclosing, hashed_pair(token, bytes([last]).lower()[0])),
        t.SINCE: 8 * min(since[0], 7) + min(since[1], 7),
    }


@pytest.mark.parametrize("start", [0, (1 << 32) - 100])
@pytest.mark.parametrize("sample", SAMPLES)
def test_features_are_those_of_a_plain_recount(sample: str, start: int) -> None:
    for past, features in follow(SAMPLES[sample], start):
        assert {k: features[k] for k in FEATURES} == expected(past, start), past
