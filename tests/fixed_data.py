"""The data whose compressed bytes are recorded: every kind, and the same for ever.

Nothing here rounds, asks a library for a sine, or draws random numbers in a way that Python may
change, as the data for other tests do (`tests.samples`): the pieces are committed samples, or made
from integers.
"""

from __future__ import annotations

import struct

from corpora import make_samples
from corpora.make_samples import Dice
from tests.class_files import class_file
from tests.compact_fonts import compact_font, opentype
from tests.fonts import font
from tests.python_modules import module

SHORT_BYTES = 5000  # of each piece in the short set: enough for its kind to show
LEXICON = b"""glnzip lexicon
a an the this that every no any each some his her its their our my your
and or but nor yet so than as if while because though
about after among at before behind between by for from in into of on over through to under with
I he she it we they you who which what there
is was are were be been being has had have do did does can could may might must shall should will
came found gave got kept knew left lost made put said saw sent stood thought told took went
black cold dark dear deep dry early few full good great high last late little long low new old
boat day door evening eye face field hand head house lamp letter life light line man moon morning
again almost always ever never not now often once only quite soon still then too very well
AGE BER DAY ESS ING ION ITY KER ORD TER UND
DED LED NED RED SED TED LLY
, ; :
. ! ?
0 1 2 3 4 5 6 7 8 9

"""


def pieces(*, short: bool = False) -> dict[str, bytes]:
    """The pieces by name: 210 KB together, or the beginnings of them."""
    source, track, orders = map(_sample, ("ring_buffer.c", "track.bin", "orders.json"))
    made = {
        "lexicon": LEXICON,
        "prose": _sample("prose.txt"),
        "table": _sample("weather.csv"),
        "records": track,
        "tiles": _sample("tiles.pbm")[8000:],  # the first tiles are empty
        "code": machine_code(16_000),
        "code-32": machine_code(8000, with_data=False),
        "a64": a64_code(20_000),
        "font": font(50),
        "curves": opentype(compact_font(40)),
        "classes": b"".join(class_file(3, seed=seed, forward=seed != 3) for seed in range(1, 6)),
        "modules": b"".join(module(6, seed=k, version=(11, 8, 11, 7)[k % 4]) for k in range(5)),
        "image": landscape(100, 80),
        "drawing": b"P6\n80 50\n255\n" + drawing(80, 50, 3),
        "mosaic": b"P6\n60 50\n255\n" + mosaic(60, 50, 3),
        "wide": wide_landscape(90, 80),
        "slices": slices(12, 100, 24),
        "volume": volume(12, 40, 30),
        "wide volume": volume(9, 36, 30, wide=True),
        "numbers": falling(3000),
        "sound": two_strings(6000),
        "noise": noise(10_000),
        "zeros": bytes(30_000),
        "mixed": source[:2000] + noise(700) + track[:2000] + bytes(2000) + orders[:9000],
    }
    return {name: data[:SHORT_BYTES] for name, data in made.items()} if short else made


def primer(*, short: bool = False) -> tuple[bytes, bytes]:
    """What a prior is made from, and what is compressed with it."""
    prose = _sample("prose.txt")
    return LEXICON, prose[:2000] if short else prose


def _sample(name: str) -> bytes:
    return (make_samples.HERE / name).read_bytes()


def noise(length: int) -> bytes:
    """Bytes that nothing predicts."""
    dice = Dice(1)
    return bytes(dice.below(256) for _ in range(length))


def a64_code(length: int) -> bytes:
    """Functions for a 64-bit ARM processor, which call each other and use a few pages of data."""
    dice = Dice(12)
    code: list[int] = []
    starts: list[int] = []
    while 4 * len(code) < length:
        starts.append(len(code))
        code += [0xA9BE7BFD, 0x910003FD]  # stp x29, x30, [sp, -32]!; mov x29, sp
        for _ in range(4 + dice.below(10)):
            kind, x, n = dice.below(8), dice.below(6), dice.below(5)
            if kind < 2:
                called = starts[dice.below(min(len(starts), 20))]
                code.append(0x94000000 | called - len(code) & 0x3FFFFFF)  # bl
            elif kind < 4:
                page = 40 + n - len(code) // 1024 & 0x1FFFFF
                code.append(0x90000000 | (page & 3) << 29 | page >> 2 << 5 | x)  # adrp
                code.append(0x91000000 | 48 * dice.below(9) << 10 | x << 5 | x)  # add
            elif kind == 4:
                code.append(0xF94003E0 | n << 10 | x)  # ldr x, [sp, 8n]
            elif kind == 5:
                code += [0xF100001F | n << 10 | x << 5, 0x54000041]  # cmp x, n; b.ne
            else:
                code.append(0xAA0003E0 | n << 16 | x)  # mov
        code += [0xA8C27BFD, 0xD65F03C0]  # ldp x29, x30, [sp], 32; ret
    return struct.pack(f"<{len(code)}I", *code)[:length]


def landscape(width: int, height: int) -> bytes:
    """A picture of three colours with slopes, edges and grain."""
    dice = Dice(2)
    data = bytearray()
    for y in range(height):
        for x in range(width):
            slope = abs(x * 5 % 200 - 100) + y // 2
            light = slope if y > 20 + abs(x - width // 2) // 2 else 180 - y
            data += bytes(light + shade + dice.below(4) for shade in (0, 9, 20))
    return bytes(data)


def slices(count: int, rows: int, width: int) -> bytes:
    """Slices of rows, where most bytes are as in the slice before, some as in the row above."""
    dice = Dice(8)
    record = rows * width
    data = bytearray()
    for at in range(count * record):
        kind = dice.below(20)
        back = record if kind < 16 else width
        data.append(data[at - back] if kind < 19 and back <= at else dice.below(6))
    return bytes(data)


def wide_landscape(width: int, height: int) -> bytes:
    """A grey picture of such a place, of two bytes a sample, the lowest first."""
    dice = Dice(4)
    data = bytearray()
    for y in range(height):
        for x in range(width):
            light = 30 * abs(x * 5 % 200 - 100) + 16 * y if y > 20 else 90 * abs(x - 40)
            data += (light + dice.below(40)).to_bytes(2, "little")
    return bytes(data)


def volume(count: int, rows: int, width: int, *, wide: bool = False) -> bytes:
    """Slices of a body whose grain goes through all of them, of a byte or two a sample."""
    dice = Dice(10)
    grain = [dice.below(12) for _ in range(rows * width)]
    data = bytearray()
    for z in range(count):
        for at in range(rows * width):
            light = 4 * abs(at % width - z - 3) + at // width * (z % 5) // 2 + 7 * (z % 3)
            light += grain[at] + dice.below(5)
            fine = 9 * light + dice.below(9)
            data += fine.to_bytes(2, "little") if wide else bytes([light])
    return bytes(data)


def drawing(width: int, rows: int, step: int) -> bytes:
    """Paper, on which a line of ink goes its way, and dots are; `step` bytes a pixel."""
    dice = Dice(6)
    data = bytearray()
    ink = bytes(range(16, 16 + step))
    at = width // 2
    for _ in range(rows):
        row = bytearray(b"\xf0" * (width * step))
        for x in (at, dice.below(12 * width)):
            if x < width:
                row[x * step : (x + 1) * step] = ink
        at = (at + (dice.below(4) == 0)) % width
        data += row
    return bytes(data)


def mosaic(width: int, rows: int, step: int) -> bytes:
    """Three small pictures, again and again, in any order; `step` bytes a pixel."""
    dice = Dice(9)
    across, down = 9, 7
    tiles = [bytes(dice.below(5) << 5 for _ in range(across * down * step)) for _ in range(3)]
    placed = [dice.below(3) for _ in range((width // across + 1) * (rows // down + 1))]
    data = bytearray()
    for y in range(rows):
        for x in range(width):
            tile = tiles[placed[y // down * (width // across + 1) + x // across]]
            at = (y % down * across + x % across) * step
            data += tile[at : at + step]
    return bytes(data)


def falling(count: int) -> bytes:
    """Floats of four bytes: the height and the speed of what falls, and is thrown up again."""
    dice = Dice(5)
    data = bytearray()
    height, speed = 0, 0
    for _ in range(count):
        speed -= 5
        height += speed
        if height < 0:
            height, speed = 0, 400 + dice.below(300)
        data += struct.pack("<2f", height / 64 + 1.5, speed / 16)
    return bytes(data)


def two_strings(samples: int) -> bytes:
    """Stereo sound of 16 bits: an oscillator on each side, which the dice disturb."""
    dice = Dice(3)
    data = bytearray()
    sides = [(0, 3000), (0, 5000)]
    for _ in range(samples):
        for side, factor in enumerate((32_500, 31_900)):  # 2 cos of the pitch, in 1 / 2**14
            before, now = sides[side]
            after = (factor * now >> 14) - before + dice.step(6)
            sides[side] = now, max(-15_000, min(15_000, after))
            data += sides[side][1].to_bytes(2, "little", signed=True)
    return bytes(data)


def machine_code(length: int, *, with_data: bool = True) -> bytes:
    """x86 code: small functions that call each other; of 64 bits, they read data at addresses."""
    dice = Dice(4)
    targets = [dice.step(1 << 20) for _ in range(12)]
    code = bytearray()

    def to(*opcodes: str) -> None:
        """An instruction that ends in the distance to one of the targets."""
        code.extend(bytes.fromhex(dice.pick(opcodes)))
        distance = dice.pick(targets) - (len(code) + 4)
        code.extend(distance.to_bytes(4, "little", signed=True))

    while len(code) < length:
        code += bytes.fromhex("55 48 89 e5 48 83 ec") + bytes([16 + 16 * dice.below(3)])
        for _ in range(3 + dice.below(6)):
            if with_data:
                to("48 8d 3d", "8b 05", "48 8b 15")  # lea, mov, mov
            code += b"\x89\x45" + bytes([252 - 4 * dice.below(8)])  # mov [rbp - n], eax
            to("e8", "e8", "e8", "e9", "0f 85")  # call, jmp, jne
            code += b"\x85\xc0\x74" + bytes([2 + dice.below(28)])  # test eax, eax; je
        code += b"\xc9\xc3"
    return bytes(code[:length])
