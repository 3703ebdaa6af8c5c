"""Small data of the kinds that the model sees in ways of their own: images, sound, x86 code."""

from __future__ import annotations

import math
import random
import struct
from typing import Literal

from glnzip.format.block_type import FLOATS, SAMPLE_FORMS


def hills(width: int, rows: int, step: int, seed: int = 1) -> bytes:
    """A smooth image with a little noise; its channels resemble each other."""
    chance = random.Random(seed)
    data = bytearray()
    for y in range(rows):
        for x in range(width):
            light = 110 + 60 * math.sin(x / 9) + 40 * math.cos(y / 7 + x / 31)
            for c in range(step):
                data.append(int(light) + 5 * c + chance.randrange(4))
    return bytes(data)


def wide_hills(width: int, rows: int, channels: int, form: int, seed: int = 1) -> bytes:
    """Such an image of two bytes a sample, written as `form` says, above and below 256."""
    chance = random.Random(seed)
    _, signed, little = SAMPLE_FORMS[form]
    data = bytearray()
    for y in range(rows):
        for x in range(width):
            light = 700 + 600 * math.sin(x / 19) + 400 * math.cos(y / 17 + x / 31)
            for c in range(channels):
                value = int(light) + 50 * c + chance.randrange(32)
                value = value - 900 if signed else max(value, 0)
                data += value.to_bytes(2, "little" if little else "big", signed=signed)
    return bytes(data)


def waves(count: int, form: int, channels: int = 1, seed: int = 5) -> bytes:
    """Numbers of slow waves, a channel beside the other, written as `form` says."""
    width, _, little = SAMPLE_FORMS[form]
    kind = ("f" if width == 4 else "d") if form in FLOATS else ("i" if width == 4 else "q")
    chance = random.Random(seed)
    numbers: list[float] = []
    for t in range(count):
        for c in range(channels):
            numbers.append(1000 * math.sin(t / 23 + c) + 80 * c + chance.random())
    if form not in FLOATS:
        numbers = [int(1000 * number) for number in numbers]
    return struct.pack(f"{'<' if little else '>'}{len(numbers)}{kind}", *numbers)


def tone(samples: int, form: int, channels: int, seed: int = 2) -> bytes:
    """Two tones and a little noise, written as `form` says."""
    width, signed, little = SAMPLE_FORMS[form]
    chance = random.Random(seed)
    half = 1 << 8 * width - 1
    data = b""
    for t in range(samples):
        for c in range(channels):
            wave = math.sin(t / 11 + c) + math.sin(t / 4.7) / 2
            value = int(wave * half / 4) + chance.randrange(1 + half // 64)
            order: Literal["little", "big"] = "little" if little else "big"
            value = value if signed else value + half
            data += value.to_bytes(width, order, signed=signed)
    return data


def machine_code(functions: int, seed: int = 3, *, with_data: bool = True) -> bytes:
    """x86 code of small functions that call each other; 64-bit, its data stand at addresses."""
    chance = random.Random(seed)
    targets = [chance.randrange(-(1 << 20), 1 << 20) for _ in range(12)]
    code = bytearray()

    def to(opcode: str) -> None:
        """An instruction that ends in the distance to one of the targets."""
        code.extend(bytes.fromhex(opcode))
        distance = chance.choice(targets) - (len(code) + 4)
        code.extend(distance.to_bytes(4, "little", signed=True))

    for _ in range(functions):
        code += bytes.fromhex("55 48 89 e5 48 83 ec") + bytes([chance.choice((16, 32, 48))])
        for _ in range(chance.randrange(3, 9)):
            if with_data:
                to(chance.choice(("48 8d 3d", "8b 05", "48 8b 15")))  # lea, mov, mov
            code += b"\x89\x45" + bytes([256 - 4 * chance.randrange(1, 9)])  # mov [rbp - n], eax
            to(chance.choice(("e8", "e8", "e8", "e9", "0f 85")))  # call, jmp, jne
            code += b"\x85\xc0\x74" + bytes([chance.randrange(2, 30)])  # test eax, eax; je
        code += b"\xc9\xc3"
    return bytes(code)
