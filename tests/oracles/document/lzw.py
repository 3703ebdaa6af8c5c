"""Section "LZW" of docs/UNPACKING.md: what LZW makes of data."""

from __future__ import annotations

from tests.oracles.document.numbers import Numbers, require

LIMIT = 16_777_217


def exceptions(numbers: Numbers, least: int, end: int, count: int = LIMIT) -> dict[int, int]:
    """By the place of each: what it has instead."""
    found = {}
    place = -1
    for _ in range(numbers.below(count)):
        place += 1 + numbers.below(count)
        found[place] = numbers.below(end)
        require(found[place] >= least)
    return found


def lzw(data: bytes, recipe: bytes) -> bytes:
    """The bytes that a recipe makes of some data."""
    numbers = Numbers(recipe)
    bits, flags, codes = numbers.below(9), numbers.below(8), numbers.below(LIMIT)
    require(bits >= 2)
    others, tokens = exceptions(numbers, 0, LIMIT), exceptions(numbers, 1, LIMIT)
    behind, pad = numbers.below(LIMIT), numbers.below(128)
    tail = numbers.take(numbers.below(256))
    require(not numbers.rest())
    clear = 1 << bits
    require(max(data, default=0) < clear)
    highest = flags & 4 > 0
    written = ""

    def write(code: int, width: int) -> None:
        nonlocal written
        written += f"{code:0{width}b}"[:: 1 if highest else -1]

    if flags & 1 == 0:
        write(clear, bits + 1)
    place = run = token = n = 0
    width = bits + 1
    strings = {bytes([byte]): byte for byte in range(clear)}
    while place < len(data):
        if n == others.get(run, codes or None):
            write(clear, width)
            run, n, width = run + 1, 0, bits + 1
            strings = {bytes([byte]): byte for byte in range(clear)}
            continue
        size = 1
        most = tokens.get(token, LIMIT)
        while size < most and place + size < len(data):
            if data[place : place + size + 1] not in strings:
                break
            size += 1
        write(strings[data[place : place + size]], width)
        token, n = token + 1, n + 1
        if place + size < len(data) and clear + 1 + n < 4096:
            strings.setdefault(data[place : place + size + 1], clear + 1 + n)
        place += size
        if clear + 1 + n + highest == 1 << width and width < 12:
            width += 1
    for _ in range(behind):
        write(clear, width)
        width = bits + 1
    if flags & 2 == 0:
        write(clear + 1, width)
    left = -len(written) % 8
    fill = f"{pad:07b}"[7 - left :]
    written += fill if highest else fill[::-1]
    parts = [written[i : i + 8] for i in range(0, len(written), 8)]
    return bytes(int(part if highest else part[::-1], 2) for part in parts) + tail
