"""Small files of the kinds that are unpacked or looked into: gzip, zip, PNG, PDF, tar, JPEG, text.

They are packed by the zlib of this Python, or, where the bytes must be the same for ever, by our
own `rebuild` (`ours`).
"""

from __future__ import annotations

import base64
import io
import quopri
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from glnzip.transforms.bzip2.recipe import OpenBlocks, take_recipe
from glnzip.transforms.bzip2.recipe import rebuild as rebuild_blocks
from glnzip.transforms.deflate.recipe import rebuild
from glnzip.transforms.deflate.recipe_bytes import read_recipe
from tests.gif import drawn, gif_file, image
from tests.samples import hills
from tests.scans import ManyScans, segment
from tests.tiff import ZLIB, Page, tiff_file

LEVEL_6 = bytes.fromhex("06f80101020000")
"""The recipe of one dynamic block by zlib at level 6."""

CHEAPEST = bytes.fromhex("46f80101010000")
"""That of the cheapest path in fixed codes."""
CORRECTED = bytes.fromhex("06f801010201000000000100020100")
"""As at level 6, but the first long match is a byte shorter and reaches to the nearest place."""

Deflate = Callable[[bytes], bytes]


def ours(data: bytes, recipe: bytes = LEVEL_6) -> bytes:
    """A deflate stream, the same on every machine."""
    return rebuild(np.frombuffer(bytearray(data), np.uint8), read_recipe(recipe)).tobytes()


OTHERS: Sequence[Deflate] = [partial(ours, recipe=recipe) for recipe in (CHEAPEST, CORRECTED)]
"""What makes streams that zlib would not have made."""


def by_zlib(data: bytes, level: int = 6) -> bytes:
    """A deflate stream by the zlib of this Python."""
    machine = zlib.compressobj(level, zlib.DEFLATED, -15)
    return machine.compress(data) + machine.flush()


def zlib_stream(data: bytes, deflate: Deflate = by_zlib) -> bytes:
    """A zlib stream (RFC 1950)."""
    return b"\x78\x9c" + deflate(data) + zlib.adler32(data).to_bytes(4, "big")


def gzip_file(data: bytes, deflate: Deflate = by_zlib, name: bytes = b"") -> bytes:
    """A gzip file (RFC 1952)."""
    head = b"\x1f\x8b\x08" + (b"\x08" if name else b"\0") + bytes(5) + b"\x03"
    head += name + b"\0" if name else b""
    return head + deflate(data) + struct.pack("<LL", zlib.crc32(data), len(data))


def bzip2_file(data: bytes, level: int = 1) -> bytes:
    """A file of bzip2, the same on every machine."""
    told = take_recipe(io.BytesIO(bytes(3)).read, len(data))
    made, _ = rebuild_blocks(data, OpenBlocks(level), told, goes_on=False)
    return b"BZh%d" % level + made


def zip_file(
    members: dict[str, bytes], deflate: Deflate = by_zlib, *, behind: bool = False, stored: str = ""
) -> bytes:
    """A zip archive; the sizes may stand behind the data, and the member `stored` is not packed."""
    archive = b""
    directory = b""
    for name, data in members.items():
        method, packed = (0, data) if name == stored else (8, deflate(data))
        fields = struct.pack("<LLL", zlib.crc32(data), len(packed), len(data))
        late = behind and method == 8
        common = struct.pack("<HHHHH", 20, 8 * late, method, 0, 0x5921)
        lengths = struct.pack("<HH", len(name), 0)
        place = struct.pack("<L", len(archive))
        archive += b"PK\3\4" + common + (bytes(12) if late else fields) + lengths + name.encode()
        archive += packed + (b"PK\7\x08" + fields if late else b"")
        directory += b"PK\1\2\x14\0" + common + fields + lengths + bytes(10) + place + name.encode()
    end = struct.pack("<HHHHLLH", 0, 0, len(members), len(members), len(directory), len(archive), 0)
    return archive + directory + b"PK\5\6" + end


def zip_by_python(members: dict[str, bytes]) -> bytes:
    """A zip archive by Python's own module."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def png_file(
    width: int,
    rows: int,
    channels: int = 3,
    deflate: Deflate = by_zlib,
    *,
    chunk: int = 400,
    filters: Sequence[int] = (0, 1, 2, 3, 4),
    interlaced: bool = False,
) -> bytes:
    """A PNG of hills whose rows are filtered in turns."""
    pixels = hills(width, rows, channels)
    if interlaced:
        data = filtered_passes(pixels, width, channels, filters)
    else:
        data = filtered_rows(pixels, width * channels, channels, filters)
    packed = zlib_stream(data, deflate)
    colours = {1: 0, 3: 2, 2: 4, 4: 6}[channels]
    head = struct.pack(">LLBBBBB", width, rows, 8, colours, 0, 0, interlaced)
    parts = [packed[i : i + chunk] for i in range(0, len(packed), chunk)]
    chunks = [(b"IHDR", head), *((b"IDAT", part) for part in parts), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
        for kind, body in chunks
    )


def filtered_rows(pixels: bytes, row: int, step: int, filters: Sequence[int]) -> bytes:
    """Rows of pixels, each behind its filter; the filters come in turns."""
    data = bytearray()
    before = bytes(row)
    for y in range(len(pixels) // row):
        line = pixels[y * row : (y + 1) * row]
        which = filters[y % len(filters)]
        data.append(which)
        data += bytes(
            value - _taken(which, *_around(line, before, x, step)) & 255
            for x, value in enumerate(line)
        )
        before = line
    return bytes(data)


ADAM7 = [
    *("16462646", "77777777", "56565656", "77777777"),
    *("36463646", "77777777", "56565656", "77777777"),
]
"""The pass of each pixel (the specification of PNG, 8.2)."""


def filtered_passes(pixels: bytes, width: int, step: int, filters: Sequence[int]) -> bytes:
    """Pixels of a picture in seven passes, each filtered as `filtered_rows` does."""
    data = b""
    for number in "1234567":
        lines = [
            [x for x in range(width) if ADAM7[y % 8][x % 8] == number]
            for y in range(len(pixels) // (width * step))
        ]
        part = b"".join(
            pixels[(y * width + x) * step :][:step] for y, line in enumerate(lines) for x in line
        )
        if part:
            row = step * max(map(len, lines))
            data += filtered_rows(part, row, step, filters)
    return data


def _around(line: bytes, before: bytes, x: int, step: int) -> tuple[int, int, int]:
    left, corner = (line[x - step], before[x - step]) if x >= step else (0, 0)
    return left, before[x], corner


def _taken(which: int, left: int, above: int, corner: int) -> int:
    """What a filter takes away (the specification of PNG, 9.2)."""
    guess = left + above - corner
    nearest = min((abs(guess - v), i) for i, v in enumerate((left, above, corner)))[1]
    best = (left, above, corner)[nearest]
    return (0, left, above, (left + above) // 2, best)[which]


def pdf_file(texts: Sequence[bytes]) -> bytes:
    """Something like a PDF: streams between other text."""
    parts = [pdf_object(b"/Filter/FlateDecode", text) for text in texts]
    return b"".join([b"%PDF-1.4\n", *parts, b"trailer\n<<>>\n%%EOF\n"])


def pdf_object(
    entries: bytes, data: bytes, deflate: Deflate = by_zlib, begins: bytes = b"\nstream\n"
) -> bytes:
    """A stream of a PDF, with entries of its dictionary."""
    packed = zlib_stream(data, deflate)
    head = b"7 0 obj\n<</Length %d%b>>%b" % (len(packed), entries, begins)
    return head + packed + b"\nendstream\nendobj\n"


def pdf_picture(width: int, rows: int, deflate: Deflate = by_zlib) -> bytes:
    """A stream of a PDF with coloured hills, as a PNG has them."""
    entries = b"/Subtype/Image/ColorSpace/DeviceRGB/BitsPerComponent 8/Width %d/Height %d" % (
        width,
        rows,
    )
    entries += b"/DecodeParms<</Predictor 15/Colors 3/Columns %d>>" % width
    data = filtered_rows(hills(width, rows, 3), 3 * width, 3, range(5))
    return pdf_object(entries, data, deflate)


def adobe_cipher(plain: bytes, key: int) -> bytes:
    """Encrypted as Adobe says (Type 1 Font Format, 7.1)."""
    cipher = bytearray()
    for byte in plain:
        cipher.append(byte ^ key >> 8)
        key = ((cipher[-1] + key) * 52845 + 22719) % 65536
    return bytes(cipher)


def type1_font(programs: Sequence[bytes], *, pfb: bool = False) -> bytes:
    """Something like a Type 1 font."""
    clear = b"lenIdup /Private 8 dict dup begin\n/lenIV 4 def\n/CharStrings 1 dict dup begin\n"
    for i, program in enumerate(programs):
        packed = adobe_cipher(b"\0\0\0\0" + program, 4330)
        clear += b"/g%d %d RD " % (i, len(packed)) + packed + b" ND\n"
    private = adobe_cipher(clear + b"end\nmark currentfile closefile\n", 55665)
    head = b"\x80\2" + len(private).to_bytes(4, "little") if pfb else b""
    text = b"%!PS-AdobeFont-1.0: Some 1.0\n/FontName /Some def\ncurrentfile eexec\n"
    return text + head + private + (b"0" * 64 + b"\n") * 8 + b"cleartomark\n"


def pdf_page(text: bytes) -> bytes:
    """Lines of text as a page of PDF shows them, with a move within each word and behind it."""
    moved = ([b"(%s)-15(%s)" % (w[:2], w[2:]) for w in line.split()] for line in text.splitlines())
    return b"BT\n" + b"".join(b"[%s]TJ 0 -12 Td\n" % b"-333".join(line) for line in moved) + b"ET\n"


def pdf_of_glyphs(
    text: str, form: str = "{:04X}", shift: int = 29, separator: bytes = b" -3 "
) -> bytes:
    """A PDF whose pages show text by numbers of glyphs: those of letters, less a shift."""
    wide = len(form.format(0)) > 2
    words = [
        b"<%b>" % "".join(form.format(ord(letter) - shift) for letter in word).encode()
        for word in text.split()
    ]
    letters = sorted({letter for word in text.split() for letter in word})
    pairs = [f"<{form.format(ord(letter) - shift)}> <{ord(letter):04x}>\n" for letter in letters]
    cmap = b"begincmap\n1 begincodespacerange <%b> endcodespacerange\n" % (
        b"0000" if wide else b"00"
    )
    cmap += f"{len(pairs)} beginbfchar\n{''.join(pairs)}endbfchar\nendcmap\n".encode()
    pages = [
        b"BT /F1 9 Tf [%b] TJ /F2 9 Tf (plain) Tj ET" % separator.join(words[k::2])
        for k in range(2)
    ]
    parts = [b"%PDF-1.4\n", *(pdf_object(b"", page, by_zlib) for page in pages)]
    parts.append(b"4 0 obj\n<</Font<</F1 5 0 R/F2 6 0 R>>>>\nendobj\n5 0 obj\n")
    parts.append(b"<</Type/Font/ToUnicode 7 0 R>>\nendobj\n" + pdf_object(b"", cmap, by_zlib))
    return b"".join(parts)


def tar_file(members: dict[str, bytes]) -> bytes:
    """A tar archive."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in members.items():
            header = tarfile.TarInfo(name)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return file.getvalue()


def in_lines(text: bytes, width: int, between: bytes = b"\n") -> bytes:
    """A text in lines of a width."""
    return between.join(text[i : i + width] for i in range(0, len(text), width))


def mail(data: bytes) -> bytes:
    """A mail with something attached (RFC 2045)."""
    head = b"MIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return head + in_lines(base64.b64encode(data), 76, b"\r\n") + b"\r\n"


def letter(text: bytes) -> bytes:
    """A mail in quoted-printable, as Python writes it, and a part that is not."""
    head = b"Content-Transfer-Encoding: quoted-printable\n\n"
    quoted = quopri.encodestring(b"Stra\xc3\x9fe = 5 \n" * 12 + text.replace(b"\n", b" ") + b"\n")
    return head + quoted + b'--border\nContent-Type: text/plain; charset="utf-8"\n\nno more\n'


def postscript(data: bytes) -> bytes:
    """A picture in PostScript, as ASCII85."""
    return b"%!PS\nimage\n" + base64.a85encode(data, wrapcol=72, adobe=True) + b"\nshowpage\n"


def rich_text(data: bytes) -> bytes:
    """A document with a picture in hexadecimal digits (RTF)."""
    return rb"{\rtf1{\pict\pngblip" + b"\n" + in_lines(data.hex().encode(), 64) + b"\n}}\n"


def drawing(data: bytes) -> bytes:
    """A drawing with something in its address (RFC 2397)."""
    return b'<svg><image href="data:x/y;base64,' + base64.b64encode(data) + b'"/></svg>\n'


class Jpeg:
    """A baseline JPEG (ITU-T T.81) of made-up coefficients.

    All symbols of the rest have codes of 8 bits, all of the means codes of 4.

    Parameters
    ----------
    columns, rows
        Of MCUs; colour pictures have four blocks of light in each.
    """

    def __init__(
        self, columns: int, rows: int, *, colour: bool = True, interval: int = 0, seed: int = 1
    ) -> None:
        chance = random.Random(seed)
        self.blocks: list[list[int]] = []
        """The coefficients of every block, in the order of the scan; means come as such."""
        layout = [0, 0, 0, 0, 1, 2] if colour else [0]
        size = 16 if colour else 8
        quantisers = b"\xff\xdb\0\x43\0" + bytes(8 + k for k in range(64))
        components = [(1, 0x22), (2, 0x11), (3, 0x11)] if colour else [(1, 0x11)]
        frame = struct.pack(">BHHB", 8, rows * size, columns * size, len(components))
        frame += b"".join(bytes([name, factors, 0]) for name, factors in components)
        scan = bytes([len(components)]) + b"".join(bytes([name, 0]) for name, _ in components)
        restart = b"\xff\xdd\0\4" + interval.to_bytes(2, "big") if interval else b""
        self.header = b"".join(
            [
                b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0",
                quantisers,
                segment(0xC0, frame),
                segment(0xC4, b"\0" + bytes([0, 0, 0, 12, *[0] * 12]) + bytes(range(12))),
                segment(0xC4, b"\x10" + bytes([0] * 7 + [len(_REST)] + [0] * 8) + bytes(_REST)),
                restart,
                segment(0xDA, scan + b"\0\x3f\0"),
            ]
        )
        self.scan = bytearray()
        bits = ""
        means = [0, 0, 0]
        for mcu in range(columns * rows):
            if interval and mcu and mcu % interval == 0:
                self._put(bits)
                self.scan += bytes([0xFF, 0xD0 | (mcu // interval - 1) % 8])
                bits, means = "", [0, 0, 0]
            for component in layout:
                block = _block(chance, component)
                bits += _coded(block, means[component])
                means[component] = block[0]
                self.blocks.append(block)
        self._put(bits)
        self.data = self.header + bytes(self.scan) + b"\xff\xd9"

    def _put(self, bits: str) -> None:
        bits += "1" * (-len(bits) % 8)
        for i in range(0, len(bits), 8):
            byte = int(bits[i : i + 8], 2)
            self.scan += bytes([byte, 0]) if byte == 0xFF else bytes([byte])


_REST = [0, 0xF0] + [run << 4 | size for run in range(16) for size in range(1, 11)]


def _block(chance: random.Random, component: int) -> list[int]:
    block = [0] * 64
    block[0] = chance.randrange(-400, 400)
    for k in range(1, 64):
        if chance.random() < 8 / (8 + (k + 2 * component) ** 1.5):
            block[k] = chance.choice((-1, 1)) * chance.randrange(1, 2 + 60 // k)
    if chance.random() < 0.05:
        block[63] = 1
    return block


def _coded(block: list[int], before: int) -> str:
    size = abs(block[0] - before).bit_length()
    bits = f"{size:04b}" + _extra(block[0] - before, size)
    zeros = 0
    for value in block[1:]:
        if not value:
            zeros += 1
            continue
        while zeros > 15:
            bits += f"{_REST.index(0xF0):08b}"
            zeros -= 16
        size = abs(value).bit_length()
        bits += f"{_REST.index(zeros << 4 | size):08b}" + _extra(value, size)
        zeros = 0
    return bits + (f"{_REST.index(0):08b}" if zeros else "")


def _extra(value: int, size: int) -> str:
    number = value if value >= 0 else value + (1 << size) - 1
    return f"{number:0{size}b}" if size else ""


def all_kinds(text: bytes, deflate: Deflate = by_zlib) -> dict[str, Any]:
    """A file of each kind, by name; some carry others."""
    picture = png_file(30, 20, 3, deflate)
    office = zip_file(
        {"a.xml": text, "b.png": picture, "c.xml": text[:50]}, deflate, stored="b.png"
    )
    return {
        "gzip": gzip_file(text, deflate, b"notes.txt"),
        "zip": zip_file({"one": text, "empty": b"", "two": text[::-1]}, deflate),
        "behind": zip_file({"one": text, "two": text * 2}, deflate, behind=True),
        "png": picture,
        "picture in pdf": pdf_picture(30, 20, deflate),
        "interlaced": png_file(21, 14, 3, deflate, interlaced=True),
        "grey": png_file(50, 9, 1, deflate, chunk=1 << 20),
        "office": office,
        "nested": gzip_file(zip_file({"office": office, "text": text}, deflate), deflate),
        "mail": mail(zip_file({"text": text}, deflate)),
        "letter": letter(text),
        "postscript": postscript(zlib_stream(text, deflate)),
        "rich text": rich_text(picture),
        "drawing": drawing(gzip_file(text, deflate)),
        "jpeg": Jpeg(3, 2, interval=2).data,
        "font": pdf_file([type1_font([text[:40], text[40:90]])]),
        "glyphs": pdf_of_glyphs((text * 9)[:1500].decode("latin-1")),
        "tiff": tar_file(
            {
                "lzw.tif": tiff_file([Page(hills(30, 20, 3), 30)]),
                "zlib.tif": tiff_file(
                    [Page(hills(20, 20, 2), 20, 1, 16, packed=ZLIB)],
                    by_zlib=partial(zlib_stream, deflate=deflate),
                ),
            }
        ),
        "bzip2": tar_file({"notes.bz2": bzip2_file(text * 3), "more.bz2": bzip2_file(bytes(900))}),
        "gif": gif_file([image(drawn(40, 30), 40), image(drawn(40, 30, seed=3), 40, passes=True)]),
        "progressive": ManyScans(40, 20, breaks=0.2).data,
        "tar": tar_file({"one.txt": text, "two.png": picture, "three.jpg": Jpeg(2, 2).data}),
    }
