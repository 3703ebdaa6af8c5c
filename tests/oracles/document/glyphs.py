"""Section "Text of a PDF" of docs/UNPACKING.md: numbers of glyphs from letters."""

from __future__ import annotations

from typing import NamedTuple

from tests.oracles.document.numbers import Numbers, require

SPACE = b"\t\n\v\f\r "
DIGITS = b"0123456789abcdefABCDEF"
NO_NAME = SPACE + b"()<>[]{}/%"
SECTIONS = b"bfchar", b"bfrange", b"codespacerange"
WORDS = [begin + name for begin in (b"begin", b"end") for name in SECTIONS] + [b"[", b"]"]
MOST = 4_194_304
PRIVATE = 1_048_576


class Font(NamedTuple):
    width: int
    glyphs: dict[int, int]
    """By letters."""
    capitals: int


class GlyphsOfLayer:
    """What the entries of kind 22 in a layer share."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.fonts: dict[bytes, Font] = {}
        self.counted: dict[int, int] = {}

    def text(self, text: bytes, recipe: Numbers) -> bytes:
        count = recipe.below(256)
        if count:
            told = [(recipe.take(recipe.below(128)), recipe.below(2)) for _ in range(count)]
            self.fonts = {}
            for name, capitals in told:
                self.fonts[name] = Font(*self._letters(recipe.below(16_777_217)), capitals)
        return b"".join(with_digits(text, self.fonts))

    def _letters(self, place: int) -> tuple[int, dict[int, int]]:
        cmap = self.content[place : place + 262_144].split(b"endcmap")[0]
        width, told, count = read(cmap)
        self.counted[place] = len(cmap) + count
        require(sum(self.counted.values()) <= MOST)
        glyphs: dict[int, int] = {}
        for glyph, letter in sorted(told.items()):
            no_letter = letter in (92, 127) or 55_296 <= letter <= 57_343
            if 32 <= letter <= 65_535 and not no_letter:
                glyphs.setdefault(letter, glyph)
        return width, glyphs


def read(cmap: bytes) -> tuple[int, dict[int, int], int]:
    """Width, letters by glyphs, and how many glyphs ranges have."""
    width, count, letters = 1, 0, dict[int, int]()
    section, before, listed = b"", list[bytes](), False
    at = 0
    while at < len(cmap):
        word = next((word for word in WORDS if cmap.startswith(word, at)), None)
        if word == b"[":
            listed = True
        elif word:
            section, before, listed = (section if word == b"]" else word), [], False
        at += len(word or b"")
        end = at + 1
        while cmap[at : at + 1] == b"<" and cmap[end : end + 1] and cmap[end] in SPACE + DIGITS:
            end += 1
        if word or end == at + 1 or cmap[end : end + 1] != b">":
            at += 0 if word else 1
            continue
        digits = bytes(byte for byte in cmap[at + 1 : end] if byte in DIGITS)
        at = end + 1
        before.append(digits)
        letter = value(digits) if len(digits) == 4 else 0
        if section == b"begincodespacerange":
            width = 1 if len(digits) <= 2 else 2
        elif section == b"beginbfchar" and len(before) == 2:
            spans, before = [(value(before[0]), value(before[0]), letter)], []
        elif section == b"beginbfrange" and len(before) > 2 and listed:
            glyph = value(before[0]) + len(before) - 3
            spans = [(glyph, glyph, letter)]
        elif section == b"beginbfrange" and len(before) == 3:
            spans, before = [(value(before[0]), value(before[1]), letter)], []
        else:
            continue
        if section != b"begincodespacerange":
            for first, last, begin in spans:
                count += max(0, last - first + 1)
                require(count <= MOST)
                letters |= {k: begin + k - first for k in range(first, min(last, 65_535) + 1)}
    return width, letters, count


def value(digits: bytes) -> int:
    return int(digits[-4:] or b"0", 16)


def with_digits(text: bytes, fonts: dict[bytes, Font]) -> list[bytes]:
    """The parts of the text with other strings."""
    parts = []
    font = None
    at = 0
    while at < len(text):
        start, at = at, skip_name(text, at)
        if at > start:
            behind = skip(text, at, SPACE)
            if text[behind : behind + 1] == b"(":
                at = literal(text, behind)[0]
            elif text[behind : behind + 1] == b"<":
                end = skip(text, behind + 1, SPACE + DIGITS)
                at = end + 1 if text[end : end + 1] == b">" else at
            number = skip(text, behind, b"+-.0123456789")
            operator = skip(text, number, SPACE)
            if at < behind < number < operator and text.startswith(b"Tf", operator):
                font = fonts.get(text[start + 1 : at])
                at = operator + 2
        elif text[at : at + 1] == b"(":
            at, closed = literal(text, at)
            if closed and font:
                parts.append(string(text[start + 1 : at - 1], font))
                continue
        else:
            at += 1
        parts.append(text[start:at])
    return parts


def skip(text: bytes, at: int, some: bytes) -> int:
    while at < len(text) and text[at] in some:
        at += 1
    return at


def skip_name(text: bytes, at: int) -> int:
    end = at + 1
    while text[at : at + 1] == b"/" and end < len(text) and text[end] not in NO_NAME:
        end += 1
    return end if end > at + 1 else at


def literal(text: bytes, at: int) -> tuple[int, bool]:
    """Where it ends, and whether it is closed."""
    escapes = 0
    at += 1
    while at < len(text) and text[at : at + 1] != b")":
        if text[at : at + 1] == b"\\":
            if escapes == 255 or at + 1 == len(text):
                return at, False
            escapes += 1
            at += 1
        at += 1
    return (at + 1, True) if at < len(text) else (at, False)


def string(letters: bytes, font: Font) -> bytes:
    try:
        characters = letters.replace(b"\\", b"").decode()
    except UnicodeDecodeError:
        characters = ""
        require(False)
    made = b""
    for letter in map(ord, characters):
        glyph = letter - PRIVATE if letter >= PRIVATE else font.glyphs.get(letter, -1)
        require(0 <= glyph < 256**font.width)
        require(font.width == 1 or not 55_296 <= glyph <= 57_343)
        made += glyph.to_bytes(font.width, "big")
    return b"<" + (made.hex().upper() if font.capitals else made.hex()).encode() + b">"
