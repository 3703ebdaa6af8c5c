"""Arrays of numbers are found, with their form, their phase, steps and rows; other data are not."""

from __future__ import annotations

import math
import random
import struct

import numpy as np
import pytest

from glnzip.format.block_type import FLOATS, NUMBER_FORMS, NUMBERS, SAMPLE_FORMS
from glnzip.planner.distances import count_sizes
from glnzip.planner.numbers import as_floats, guess_numbers
from glnzip.planner.planner import choose_block_type
from tests.samples import machine_code


def walks(count: int, form: int, channels: int, seed: int = 1) -> bytes:
    """Smooth walks far from each other, a number of each in turn."""
    width, _, little = SAMPLE_FORMS[form]
    kind = ("f" if width == 4 else "d") if form in FLOATS else ("i" if width == 4 else "q")
    chance = random.Random(seed)
    at = [1000.0 * 7**c for c in range(channels)]
    speed = [0.0] * channels
    numbers = []
    for _ in range(count):
        for c in range(channels):
            speed[c] = 0.99 * speed[c] + chance.gauss(0, 0.01)
            at[c] += speed[c]
            numbers.append(at[c] if form in FLOATS else int(at[c] * (1e5 if width == 4 else 1e14)))
    return struct.pack(f"{'<' if little else '>'}{len(numbers)}{kind}", *numbers)


def frames(atoms: int, count: int) -> bytes:
    """Atoms that move little from frame to frame, and have nothing to do with each other."""
    chance = random.Random(3)
    places = [chance.uniform(-50, 50) for _ in range(atoms)]
    data = b""
    for _ in range(count):
        places = [place + chance.gauss(0, 0.01) for place in places]
        data += struct.pack(f"<{atoms}f", *places)
    return data


@pytest.mark.parametrize("form", NUMBER_FORMS)
@pytest.mark.parametrize("phase", [0, 4])
def test_forms(form: int, phase: int) -> None:
    width = SAMPLE_FORMS[form][0]
    phase %= width
    found = choose_block_type(b"head"[:phase] + walks(3000, form, 1))
    assert found.kind == NUMBERS
    assert SAMPLE_FORMS[found.sample_form] == SAMPLE_FORMS[form]
    assert (found.phase, found.step) == (phase, width)


@pytest.mark.parametrize("channels", [3, 5])
def test_channels(channels: int) -> None:
    guesses = guess_numbers(np.frombuffer(walks(2000, 12, channels), np.uint8), 6)
    like = [guess for guess in guesses if as_floats(guess).sample_form == 12]
    assert [guess.row_bytes or guess.step for guess in like] == [4 * channels]


def test_frames_of_a_simulation_are_rows() -> None:
    found = choose_block_type(frames(700, 12))
    assert (found.kind, found.row_bytes, found.sample_form) == (NUMBERS, 2800, 12)


def test_other_data() -> None:
    chance = random.Random(2)
    prose = b" ".join(chance.choice((b"some", b"words", b"and", b"others")) for _ in range(4000))
    for data in (chance.randbytes(20_000), prose, machine_code(300), bytes(9000), b"", b"abc"):
        assert choose_block_type(data).kind != NUMBERS
    waves = (int(100 * math.sin(t / 9)) for t in range(9000))
    assert choose_block_type(struct.pack("<9000h", *waves)).kind != NUMBERS


def test_sizes_of_differences() -> None:
    chance = random.Random(4)
    numbers = np.array([chance.randrange(-(1 << 31), 1 << 31) for _ in range(300)], np.int64)
    places = np.array([100, 200, 299], np.int64)
    sums = np.zeros(100, np.int64)
    count_sizes(numbers, places, sums)
    for back in range(1, 101):
        differences = [abs(int(numbers[place] - numbers[place - back])) for place in places]
        assert sums[back - 1] == sum(difference.bit_length() for difference in differences)
