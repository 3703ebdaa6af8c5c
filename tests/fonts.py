"""Fonts as TrueType has them, made up: outlines, programs, metrics and names in their tables."""

from __future__ import annotations

import struct
from itertools import accumulate, pairwise

from corpora.make_samples import Dice

TEXTS = b"This font was made up for a test, and has no letters that anyone could read. "


def font(
    count: int,
    *,
    alignment: int = 4,
    long_places: bool = False,
    widths_first: bool = False,
    names: int = 1200,
    others: int = 0,
    seed: int = 1,
) -> bytes:
    """A font of so many outlines, and empty ones, each at a multiple of the alignment.

    `names` are the bytes of text in it, `others` those of a table that no one reads; hmtx comes
    after glyf, or before it.
    """
    dice = Dice(seed)
    outlines, lefts = [], []
    for k in range(count):
        outline, left = (b"", 0) if k % 7 == 3 else _outline(dice, k)
        outlines.append(outline + bytes(-len(outline) % alignment))
        lefts.append(left)
    places = list(accumulate(map(len, outlines), initial=0))
    places_form = f">{len(places)}{'I' if long_places else 'H'}"
    whole = max(count - 3, 1)  # entries of hmtx that have a width
    widths = [struct.pack(">Hh", 500 + 60 * dice.below(9), left) for left in lefts[:whole]]
    tables = {
        b"OS/2": bytes(dice.below(200) for _ in range(60)),
        b"fpgm": _program(dice, 40),
        b"glyf": b"".join(outlines),
        b"head": bytes(50) + struct.pack(">hh", long_places, 0),
        b"hhea": bytes(34) + struct.pack(">H", whole),
        b"hmtx": b"".join(widths) + struct.pack(f">{count - whole}h", *lefts[whole:]),
        b"loca": struct.pack(places_form, *(n if long_places else n // 2 for n in places)),
        b"name": (TEXTS * (names // len(TEXTS) + 1))[:names],
        b"prep": _program(dice, 20),
    }
    if others:
        tables[b"GPOS"] = (b"another table" * others)[:others]
    order = sorted(tables)
    if widths_first:
        order = [b"head", b"hhea", b"hmtx", *(tag for tag in order if tag[:1] != b"h")]
    bodies = [tables[tag] + bytes(-len(tables[tag]) % 4) for tag in order]
    behind = 12 + 16 * len(order)
    starts = dict(zip(order, accumulate(map(len, bodies), initial=behind), strict=False))
    head = b"\0\1\0\0" + struct.pack(">HHHH", len(order), 128, 3, 16 * len(order) - 128)
    entries = [
        tag + struct.pack(">III", 0x9E3779B1 * k & 0xFFFFFFFF, starts[tag], len(tables[tag]))
        for k, tag in enumerate(sorted(tables))
    ]
    return head + b"".join(entries) + b"".join(bodies)


def _outline(dice: Dice, k: int) -> tuple[bytes, int]:
    """An outline and its left side; some are made of others."""
    if k % 9 == 8:
        return _made_of_others(dice, k), -20
    shapes = [_contour(dice) for _ in range(1 + dice.below(3))]
    points = [point for shape in shapes for point in shape]
    ends = [end - 1 for end in accumulate(map(len, shapes))]
    flags, steps = bytearray(), [bytearray(), bytearray()]
    for (x0, y0, _), (x, y, on) in pairwise([(0, 0, 0), *points]):
        flag = on
        for axis, (step, short, same) in enumerate(((x - x0, 2, 16), (y - y0, 4, 32))):
            if step == 0:
                flag |= same
            elif abs(step) < 256:
                flag |= short | (same if step > 0 else 0)
                steps[axis].append(abs(step))
            else:
                steps[axis] += struct.pack(">h", step)
        flags.append(flag)
    box = [f(point[axis] for point in points) for f in (min, max) for axis in (0, 1)]
    program = _program(dice, dice.below(3) * 9)
    head = struct.pack(f">5h{len(ends)}HH", len(ends), *box, *ends, len(program))
    return head + program + _shortened(flags) + b"".join(steps), box[0]


def _contour(dice: Dice) -> list[tuple[int, int, int]]:
    """Points, each with whether the curve goes through it."""
    x, y = 40 * dice.below(8), 50 * dice.below(6)
    points = [(x, y, 1)]
    for k in range(3 + dice.below(9)):
        along = (-1 if dice.below(2) else 1) * (300 if dice.below(12) == 0 else 8 * dice.below(20))
        x, y = (x + along, y) if k % 2 else (x + dice.below(3), y + along)
        points.append((x, y, int(dice.below(3) > 0)))
    return points


def _shortened(flags: bytearray) -> bytes:
    """Flags that come again are told once, and how often."""
    told = bytearray()
    at = 0
    while at < len(flags):
        more = 0
        while flags[at + more : at + more + 1] == flags[at + more + 1 : at + more + 2]:
            more += 1
        told += bytes([flags[at] | 8, more]) if more else flags[at : at + 1]
        at += 1 + more
    return bytes(told)


def _made_of_others(dice: Dice, k: int) -> bytes:
    """Two outlines, one at places of bytes, one of words and larger; perhaps a program."""
    has_program = 256 * (k % 2)
    first = struct.pack(">HHbb", 32 | 2, dice.below(k), 5, -3)
    second = struct.pack(">HHhhh", 8 | 2 | 1 | has_program, dice.below(k), 300, -2, 0x2000)
    program = _program(dice, 12) if has_program else b""
    length = struct.pack(">H", len(program)) if has_program else b""
    return struct.pack(">5h", -1, -20, -9, 400, 500) + first + second + length + program


def _program(dice: Dice, operations: int) -> bytes:
    """Values that are pushed, in each of the four ways, and what takes them."""
    program = bytearray()
    for k in range(operations // 4):
        count = 1 + dice.below(4)
        values = [dice.below(60) for _ in range(count)]
        words = struct.pack(f">{count}h", *(5 * value - 200 for value in values))
        program += (
            bytes([0x40, count, *values]),
            bytes([0xB0 + count - 1, *values]),
            bytes([0x41, count]) + words,
            bytes([0xB8 + count - 1]) + words,
        )[(k + dice.below(2)) % 4]
        program += bytes([0x2F, 0x39, 0xE0 + dice.below(3), 0x31][dice.below(4)] for _ in values)
    return bytes(program)
