"""Small files of the kinds that are not packed but looked into: pictures, sounds, archives."""

from __future__ import annotations

import random
import struct

from tests.samples import hills, tone

WIDTH, ROWS = 42, 32


def padded_rows(data: bytes, row: int, unit: int = 4) -> bytes:
    """Rows of bytes, each filled up to a multiple of the unit."""
    fill = bytes(-row % unit)
    return b"".join(data[i : i + row] + fill for i in range(0, len(data), row))


def dib(bits: int, *, doubled: bool = False, table: bytes = b"", size: int = 40) -> bytes:
    """The header of a bitmap, and its colours."""
    rows = ROWS * (1 + doubled)
    width = ROWS if doubled else WIDTH
    told = 0 if doubled else (WIDTH * bits + 31) // 32 * 4 * ROWS
    head = struct.pack(
        "<LllHHLLllLL", size, width, rows, 1, bits, 0, told, 0, 0, len(table) // 4, 0
    )
    return head + bytes(size - 40) + table


def bmp(pixels: bytes, bits: int, table: bytes = b"", size: int = 40) -> bytes:
    """A BMP; two bytes more than needed are between header and pixels."""
    head = dib(bits, table=table, size=size)
    start = 14 + len(head) + 2
    return struct.pack("<2sLLL", b"BM", start + len(pixels), 0, start) + head + b"\0\0" + pixels


def greys() -> bytes:
    """A table of colours that are shades of grey."""
    return b"".join(bytes([k, k, k, 0]) for k in range(256))


def tiff(
    pixels: bytes,
    channels: int,
    *,
    order: str = "<",
    strips: int = 4,
    packed: int = 1,
    depth: int = 8,
    numbers: int = 1,
) -> bytes:
    """A TIFF whose strips come first."""
    size = len(pixels) // strips
    places = struct.pack(f"{order}{strips}L", *range(8, 8 + len(pixels), size))
    sizes = struct.pack(f"{order}{strips}L", *[size] * strips)
    end = 8 + len(pixels)
    fields = [(256, 3, 1, WIDTH), (257, 3, 1, ROWS), (259, 3, 1, packed), (277, 3, 1, channels)]
    depths = struct.pack(f"{order}{channels}H", *[depth] * channels)
    if channels > 2:
        fields.append((258, 3, channels, end + 8 * strips))
    else:
        fields.append((258, 3, channels, depth))
    if numbers > 1:
        fields.append((339, 3, 1, numbers))
    fields += [(273, 4, strips, end), (279, 4, strips, end + 4 * strips)]
    page = struct.pack(f"{order}H", len(fields))
    for tag, kind, count, value in sorted(fields):
        form = "HH" if kind == 3 and count == 1 else "L"
        page += struct.pack(f"{order}HHL{form}", tag, kind, count, *[value, 0][: len(form)])
    behind = places + sizes + depths
    place = end + len(behind)
    magic = b"II*\0" if order == "<" else b"MM\0*"
    return magic + struct.pack(f"{order}L", place) + pixels + behind + page + bytes(4)


def wav(samples: bytes, width: int, channels: int, *, form: int = 1) -> bytes:
    """A WAV with a chunk of odd length before its samples."""
    align = width * channels
    body = struct.pack("<HHLLHH", form, channels, 8000, 8000 * align, align, 8 * width)
    chunks = [(b"fmt ", body), (b"note", b"abc"), (b"data", samples)]
    data = b"WAVE" + b"".join(
        name + struct.pack("<L", len(part)) + part + bytes(len(part) % 2) for name, part in chunks
    )
    return b"RIFF" + struct.pack("<L", len(data)) + data


def aiff(samples: bytes, width: int, channels: int, packed: bytes = b"") -> bytes:
    """An AIFF, or AIFF-C if it is said how it is packed."""
    frames = len(samples) // (width * channels)
    body = struct.pack(">HLH", channels, frames, 8 * width) + bytes(10)
    body += packed + bytes(2) if packed else b""
    chunks = [(b"COMM", body), (b"SSND", bytes(8) + samples)]
    data = (b"AIFC" if packed else b"AIFF") + b"".join(
        name + struct.pack(">L", len(part)) + part + bytes(len(part) % 2) for name, part in chunks
    )
    return b"FORM" + struct.pack(">L", len(data)) + data


def ar(members: dict[str, bytes]) -> bytes:
    """An archive of ar."""
    parts = [b"!<arch>\n"]
    for name, data in members.items():
        head = f"{name + '/':16}{0:<12}{0:<6}{0:<6}{'100644':8}{len(data):<10}`\n"
        parts.append(head.encode() + data + b"\n" * (len(data) % 2))
    return b"".join(parts)


def cpio(members: dict[str, bytes], form: str) -> bytes:
    """An archive of cpio: `new`, `octal`, `old` (low bytes first) or `swapped`."""
    parts = []
    for name, data in members.items():
        text = name.encode() + b"\0"
        if form == "new":
            fields = [1, 0o100644, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(text), 0]
            head = b"070701" + b"".join(b"%08X" % field for field in fields) + text
            unit = 4
        elif form == "octal":
            fields = [1, 1, 0o100644, 0, 0, 1, 0]
            head = b"070707" + b"".join(b"%06o" % field for field in fields)
            head += b"%011o%06o%011o" % (0, len(text), len(data)) + text
            unit = 1
        else:
            words = [0o070707, 1, 1, 0o100644, 0, 0, 1, 0, 0, 0, len(text)]
            words += [len(data) >> 16, len(data) & 0xFFFF]
            head = struct.pack(("<" if form == "old" else ">") + "13H", *words) + text
            unit = 2
        parts += [head, bytes(-len(head) % unit), data, bytes(-len(data) % unit)]
    return b"".join(parts)


def pe(code: bytes, rest: bytes) -> bytes:
    """A program for Windows: a section of code, and one of other data."""
    start = 64 + 24 + 2 * 40
    sections = b"".join(
        name + struct.pack("<LLLL", 0, 0, len(part), place) + bytes(12) + struct.pack("<L", flags)
        for name, part, place, flags in (
            (b".text\0\0\0", code, start, 0x60000020),
            (b".rdata\0\0", rest, start + len(code), 0x40000040),
        )
    )
    head = b"MZ" + bytes(58) + struct.pack("<L", 64)
    head += b"PE\0\0" + struct.pack("<HHLLLHH", 0x8664, 2, 0, 0, 0, 0, 0)
    return head + sections + code + rest


def library(seed: int, *, wide: bool = False, code: int = 9000, data: int = 4096) -> bytes:
    """A library for Windows: so much code and data that have addresses, and the table of these."""
    chance = random.Random(seed)
    size, base = (8, 0x180000000) if wide else (4, 0x10000000)
    starts = (0x1000, 0x2000 + (code & ~0xFFF))  # of sections, in memory
    behind = starts[1] + (data & ~0xFFF) + 0x1000
    parts, places = [], []
    for start, length, most in zip(starts, (code, data), (90, 9), strict=True):
        part = bytearray(chance.randbytes(length))
        at = chance.randrange(9)
        while at + size <= length:
            address = base + chance.randrange(starts[0], behind)
            part[at : at + size] = address.to_bytes(size, "little")
            places.append(start + at)
            at += size + chance.randrange(most)
        parts.append(bytes(part))
    table = b""
    for page in sorted({at & ~0xFFF for at in places}):
        entries = [(10 if wide else 3) << 12 | at - page for at in places if at & ~0xFFF == page]
        entries += [0] * (len(entries) % 2)
        table += struct.pack("<LL", page, 8 + 2 * len(entries))
        table += struct.pack(f"<{len(entries)}H", *entries)
    optional = bytearray(240 if wide else 224)
    optional[:2] = struct.pack("<H", 0x20B if wide else 0x10B)
    struct.pack_into("<Q" if wide else "<L", optional, 24 if wide else 28, base)
    struct.pack_into("<L", optional, 56, behind + 0x1000)
    struct.pack_into("<LL", optional, 152 if wide else 136, behind, len(table))
    head = b"MZ" + bytes(58) + struct.pack("<L", 128) + bytes(64)
    head += b"PE\0\0" + struct.pack("<HHLLLHH", 0x8664, 3, 0, 0, 0, len(optional), 0)
    place = len(head) + len(optional) + 3 * 40
    for name, start, content, flags in (
        (b".text\0\0\0", starts[0], parts[0], 0x60000020),
        (b".data\0\0\0", starts[1], parts[1], 0xC0000040),
        (b".reloc\0\0", behind, table, 0x42000040),
    ):
        length = len(content)
        optional += name + struct.pack("<LLLL", length, start, length, place) + bytes(12)
        optional += struct.pack("<L", flags)
        place += length
    return bytes(head + optional) + b"".join(parts) + table


def elf(code: bytes, rest: bytes, *, wide: bool = True, order: str = "<") -> bytes:
    """A program of ELF: its headers, code and data are loaded."""
    word = "Q" if wide else "L"
    sizes = (64, 56) if wide else (52, 32)
    start = sizes[0] + 3 * sizes[1]
    form = bytes([1 + wide, 1 if order == "<" else 2, 1])
    head = b"\x7fELF" + form + bytes(9) + struct.pack(f"{order}HHL", 3, 62, 1)
    head += struct.pack(f"{order}3{word}L", 0, sizes[0], 0, 0)
    head += struct.pack(f"{order}6H", *sizes, 3, 0, 0, 0)
    for place, length, flags in (
        (0, start, 4),
        (start, len(code), 5),
        (start + len(code), len(rest), 6),
    ):
        fields = struct.pack(f"{order}5{word}", place, place, place, length, length)
        own = struct.pack(f"{order}L", flags)
        head += struct.pack(f"{order}L", 1) + (own + fields if wide else fields + own)
        head += struct.pack(f"{order}{word}", 4096)
    return head + code + rest


def mach_o(code: bytes, rest: bytes, *, wide: bool = True) -> bytes:
    """A program of macOS: a segment of a section of code and one of other data."""
    word, each, head = ("Q", 80, 72) if wide else ("L", 68, 56)
    first = 32 if wide else 28
    start = first + 24 + head + 2 * each  # an identity is told before the segment
    sections = b"".join(
        bytes(32)
        + struct.pack(f"<2{word}L", 4096, len(part), place)
        + struct.pack("<3L", 4, 0, 0)
        + struct.pack("<L", flags)
        + bytes(12 if wide else 8)
        for part, place, flags in ((code, start, 0x80000400), (rest, start + len(code), 0))
    )
    total = start + len(code) + len(rest)
    segment = struct.pack("<LL", 0x19 if wide else 1, head + len(sections)) + bytes(16)
    segment += struct.pack(f"<4{word}4L", 4096, total, 0, total, 7, 5, 2, 0)
    commands = struct.pack("<LL", 0x1B, 24) + bytes(16) + segment + sections
    magic = 0xFEEDFACF if wide else 0xFEEDFACE
    header = struct.pack("<7L", magic, 0x01000007, 3, 2, 2, len(commands), 0)
    return header + bytes(first - 28) + commands + code + rest


def all_raw() -> dict[str, bytes]:
    """A file of each kind, by name."""
    colours = hills(WIDTH, ROWS, 3)
    sound = tone(1000, 2, 2)
    return {
        "bmp": bmp(padded_rows(colours, 3 * WIDTH), 24),
        "icon": dib(32, doubled=True) + hills(ROWS, ROWS, 4) + bytes(ROWS * 4),
        "tiff": tiff(colours, 3),
        "ppm": b"P6\n# hills\n%d %d\n255\n" % (WIDTH, ROWS) + colours,
        "wav": wav(sound, 2, 2),
        "aiff": aiff(sound, 2, 2),
        "ar": ar({"one": colours, "two": sound}),
        "cpio": cpio({"one": colours, "two": sound}, "new"),
    }
