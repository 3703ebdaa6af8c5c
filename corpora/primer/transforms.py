"""The named transformations that the manifest may ask for.

Each takes and returns bytes, and is a pure function: the same package gives the same primer
everywhere. Texts come in many layouts; these bring them to the one in which most text is found.
"""

from __future__ import annotations

import re
import struct
import textwrap
from collections.abc import Callable

from glnzip.transforms.unpacking.unpack import unpack

LONGEST_RUN = 32
LETTERS = 130  # glyphs of a font: those of ASCII and some more come first
FONT_HEADER, FONT_ENTRY = 12, 16  # bytes of the directory of a font (OpenType 1.9)
EMBEDDED = b"cvt |fpgm|glyf|head|hhea|hmtx|loca|maxp|prep".split(b"|")  # tables in documents


def squeeze(data: bytes) -> bytes:
    """Shorten every run of one byte to at most 32, so that no two files share a long run."""
    return re.sub(rb"(.)\1{32,}", lambda run: run[0][:LONGEST_RUN], data, flags=re.DOTALL)


def lf(data: bytes) -> bytes:
    """End lines by a line feed alone."""
    return data.replace(b"\r\n", b"\n")


def wrap(data: bytes) -> bytes:
    """Break lines longer than 72 characters at spaces, as in mail and most plain texts."""
    lines = []
    for line in data.decode("utf-8").split("\n"):
        if len(line) > 72:
            lines += textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False)
        else:
            lines.append(line)
    return "\n".join(lines).encode("utf-8")


def plain(data: bytes) -> bytes:
    """Write quotation marks, dashes and the like as a typewriter does; drop the byte order mark."""
    return data.decode("utf-8").lstrip("\ufeff").translate(PLAIN).encode("utf-8")


def strike_once(data: bytes) -> bytes:
    """Take out what a printer overstrikes to show bold and underlined letters."""
    return re.sub(rb".\x08", b"", data)


def strip_html(data: bytes) -> bytes:
    """Take tags and indentation out of HTML that holds plain paragraphs only."""
    text = re.sub(rb"\n[ \t]+", b"\n", re.sub(rb"<[^>]*>", b"", data))
    return re.sub(rb"\n{3,}", b"\n\n", text.lstrip())


def unpacked(data: bytes) -> bytes:
    """What a model sees of data that carry others: these, and what they are carried in."""
    content = b""
    while data:
        found = unpack(data, final=True)
        content += found.content
        data = data[found.taken :]
    return content


def readable(data: bytes) -> bytes:
    """Leave out what is no text, as pictures and fonts in a document are none."""
    return b"\n".join(re.findall(rb"[\t\n\r -~\x80-\xff]{24,}", data))


def letters(data: bytes) -> bytes:
    """Make a TrueType font of the first glyphs of another, as those are that documents embed."""
    (count,) = struct.unpack_from(">H", data, 4)
    entries = (FONT_HEADER + FONT_ENTRY * k for k in range(count))
    directory = {data[at : at + 4]: struct.unpack_from(">II", data, at + 8) for at in entries}
    tables = {tag: data[start : start + size] for tag, (start, size) in directory.items()}
    (is_long,) = struct.unpack_from(">h", tables[b"head"], 50)
    place, unit = ("I", 1) if is_long else ("H", 2)
    places = struct.unpack_from(f">{LETTERS + 1}{place}", tables[b"loca"])
    sizes = {
        b"glyf": unit * places[LETTERS],
        b"hmtx": 4 * LETTERS,
        b"loca": struct.calcsize(place) * (LETTERS + 1),
    }
    kept = {tag: tables[tag][: sizes.get(tag)] for tag in EMBEDDED if tag in tables}
    at = FONT_HEADER + FONT_ENTRY * len(kept)
    head = struct.pack(">4sHHHH", b"\0\1\0\0", len(kept), 128, 3, 16)
    body = b""
    for tag, table in kept.items():
        head += struct.pack(">4sIII", tag, 0, at + len(body), len(table))
        body += table + bytes(-len(table) % 4)
    return head + body


PLAIN = str.maketrans(
    {
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "--",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{NO-BREAK SPACE}": " ",
    }
)

TRANSFORMS: dict[str, Callable[[bytes], bytes]] = {
    "squeeze": squeeze,
    "lf": lf,
    "wrap": wrap,
    "plain": plain,
    "strike_once": strike_once,
    "strip_html": strip_html,
    "unpacked": unpacked,
    "readable": readable,
    "letters": letters,
}
