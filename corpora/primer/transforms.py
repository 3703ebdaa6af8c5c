"""The named transformations that the manifest may ask for.

Each takes and returns bytes, and is a pure function: the same package gives the same primer
everywhere. Texts come in many layouts; these bring them to the one in which most text is found.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

LONGEST_RUN = 32


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
}
