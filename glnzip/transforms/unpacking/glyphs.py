"""Text of PDF that is shown by numbers of glyphs, as the letters that they stand for.

Where a font, or a part of one, is embedded, text is mostly shown by the numbers that its glyphs
have there, in hexadecimal digits: ``<00240025> Tj`` (ISO 32000-1, 7.3.4.3 and 9.4.3). A CMap tells
which letters these are, so that text can be copied (9.10.3). Models of text know words: so the
string becomes ``(AB) Tj``, in UTF-8. A number that has no letter of its own becomes a character of
a plane for private use.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from glnzip.errors import CorruptStreamError

MOST_CMAP = 1 << 18
"""Bytes of a CMap."""

MOST_TOLD = 1 << 22
"""Bytes of CMaps, and glyphs that they tell of, in a layer."""

MOST_FONTS = 255
"""Fonts of a page."""

MOST_NAME = 127
"""Bytes of the name of a font."""

NAME = rb"[^\s()<>\[\]{}/%]+"
"""A name behind its slash, as a pattern (ISO 32000-1, 7.3.5)."""

_END = b"endcmap"
_WIDTHS, _SINGLE, _RANGES = b"begincodespacerange", b"beginbfchar", b"beginbfrange"
_OF_CMAP = re.compile(
    rb"<([0-9A-Fa-f\s]+)>|((?:begin|end)(?:bfchar|bfrange|codespacerange)|[\[\]])"
)
_SPACES = b" \t\n\r\f\v"
_LETTER_DIGITS = 4
_PRIVATE = 0x100000  # the first character of the last plane for private use
_NUMBERS = 1 << 16
_ESCAPED = frozenset(b"()")
_UNFIT = frozenset(b"\\\x7f")
_ENCODINGS = {1: "latin-1", 2: "utf-16-be"}  # by the bytes of a number: from 0 up to all ones

_LITERAL = rb"\([^)\\]*(?:\\.[^)\\]*){0,255}"  # without its end
_TOKEN = re.compile(
    rb"/%b\s*(?:<[0-9A-Fa-f\s]*>|%b\)?)"  # of a dictionary
    rb"|<([0-9A-Fa-f]+)>|(%b)(\))?|/(%b)\s+[-+.\d]+\s+Tf" % (NAME, _LITERAL, _LITERAL, NAME),
    re.DOTALL,
)


class Glyphs:
    """The letters of a font.

    Parameters
    ----------
    data
        Where the CMap is among others.
    place
        Where it begins.
    most
        Bytes, and glyphs, that may be looked at.

    Raises
    ------
    CorruptStreamError
        If there are more.
    """

    def __init__(self, data: bytes, place: int = 0, most: int = MOST_TOLD) -> None:
        end = data.find(_END, place, place + MOST_CMAP)
        if end < 0:
            end = max(place, min(place + MOST_CMAP, len(data)))
        self.size = end - place
        """Bytes that tell of them."""
        self.told = self.size
        """These, and glyphs."""
        self.width = 1
        """Bytes of a number."""
        self._letters = _Letters()
        self._numbers = _Numbers()
        if self.size <= most:
            self._see(data[place:end], most)
        if self.told > most:
            raise CorruptStreamError("a recipe tells of too many letters")

    def _see(self, cmap: bytes, most: int) -> None:
        letters: dict[int, int] = {}
        for first, last, letter in self._ranges(cmap):
            for number in range(first, min(last, _NUMBERS - 1, first + most - self.told) + 1):
                letters[number] = letter + number - first
            self.told += max(0, last - first + 1)
        for number, letter in sorted(letters.items()):
            if _is_plain(letter) and letter not in self._numbers:
                self._numbers[letter] = number
                self._letters[number] = ("\\" if letter in _ESCAPED else "") + chr(letter)

    def _ranges(self, cmap: bytes) -> Iterator[tuple[int, int, int]]:
        """First and last number of glyphs whose letters follow each other; the first letter."""
        section, listed = b"", False
        before: list[int] = []
        for digits, word in _OF_CMAP.findall(cmap):
            digits = digits.translate(None, _SPACES)
            if word == b"[":
                listed = True
            elif word:
                section, listed, before = word if word != b"]" else section, False, []
            elif section == _WIDTHS:
                self.width = 2 if len(digits) > 2 else 1
            elif len(before) < (1 if section == _SINGLE else 2):
                before.append(int(digits[-_LETTER_DIGITS:] or b"0", 16))
            elif section in (_SINGLE, _RANGES):
                letter = int(digits, 16) if len(digits) == _LETTER_DIGITS else 0
                if listed and section == _RANGES:
                    yield before[0], before[0], letter
                    before[0] += 1
                else:
                    yield before[0], before[-1], letter
                    before = []

    def knows(self, digits: bytes) -> int:
        """How many of the numbers in a string have letters."""
        codes = self._codes(digits)
        return 0 if codes is None else sum(ord(code) in self._letters for code in codes)

    def literal(self, digits: bytes) -> bytes | None:
        """A string of letters, for the digits of one of numbers; None if that has none."""
        codes = self._codes(digits)
        if codes is None:
            return None
        return b"(%b)" % codes.translate(self._letters).encode()

    def _codes(self, digits: bytes) -> str | None:
        """A character for each number."""
        if len(digits) % (2 * self.width):
            return None
        try:
            codes = unhexlify(digits).decode(_ENCODINGS[self.width])
        except UnicodeDecodeError:
            return None
        return codes if not codes or ord(max(codes)) < _NUMBERS else None

    def digits(self, literal: bytes) -> bytes:
        """The opposite of `literal`, in small digits."""
        try:
            letters = literal[1:-1].replace(b"\\", b"").decode()
            return letters.translate(self._numbers).encode(_ENCODINGS[self.width]).hex().encode()
        except UnicodeError as error:
            raise CorruptStreamError("a recipe does not fit its content") from error


class _Letters(dict[int, str]):
    """Letters by numbers, as `str.translate` takes them."""

    def __missing__(self, number: int) -> str:
        return chr(_PRIVATE + number)


class _Numbers(dict[int, int]):
    """Numbers by letters, likewise."""

    def __missing__(self, letter: int) -> int:
        if not _PRIVATE <= letter < _PRIVATE + _NUMBERS:
            raise CorruptStreamError("a recipe does not fit its content")
        return letter - _PRIVATE


def _is_plain(letter: int) -> bool:
    """Whether it may stand in a string as it is, perhaps behind a backslash."""
    return letter not in _UNFIT and (0x20 <= letter < 0xD800 or 0xE000 <= letter < _NUMBERS)


class Font(NamedTuple):
    """A font of a page whose strings are digits."""

    glyphs: Glyphs
    capitals: bool
    """Whether digits are."""


class Strings(NamedTuple):
    """How text is shown in a font."""

    digits: list[bytes]
    """Those of its strings of numbers."""
    has_literals: bool

    @property
    def capitals(self) -> bool:
        """Whether all digits may be."""
        return all(digits == digits.upper() for digits in self.digits)


def strings_of(page: bytes) -> dict[bytes, Strings]:
    """The strings that operators of a page may show, by fonts."""
    found: dict[bytes, Strings] = {}
    font = b""
    for digits, literal, _, name in _TOKEN.findall(page):
        if name:
            font = name
        elif digits or literal:
            strings = found.get(font, Strings([], False))
            strings.digits.extend([digits] if digits else [])
            found[font] = strings._replace(has_literals=strings.has_literals or bool(literal))
    return found


def as_letters(page: bytes, fonts: Mapping[bytes, Font]) -> bytes:
    """A page whose strings are letters where they were digits; `as_digits` is the way back.

    Strings that would not become the same again stay digits.
    """

    def literal(font: Font, digits: bytes | None, _: bytes | None) -> bytes | None:
        if not digits:
            return None
        made = font.glyphs.literal(digits)
        return made if made and _as_written(font, made) == b"<%b>" % digits else None

    return _crossed(page, fonts, literal)


def as_digits(page: bytes, fonts: Mapping[bytes, Font]) -> bytes:
    """A page whose strings are digits where `as_letters` has made letters of them."""

    def written(font: Font, _: bytes | None, literal: bytes | None) -> bytes | None:
        return _as_written(font, literal) if literal else None

    return _crossed(page, fonts, written)


def _as_written(font: Font, literal: bytes) -> bytes:
    digits = font.glyphs.digits(literal)
    return b"<%b>" % (digits.upper() if font.capitals else digits)


def _crossed(
    page: bytes,
    fonts: Mapping[bytes, Font],
    other: Callable[[Font, bytes | None, bytes | None], bytes | None],
) -> bytes:
    """A page with other strings, where there are any: of a font, for digits or a literal."""
    made = bytearray()
    font = None
    at = 0
    for token in _TOKEN.finditer(page):
        digits, literal, end, name = token.groups()
        if name:
            font = fonts.get(name)
        elif font:
            string = other(font, digits, literal + end if literal and end else None)
            if string is not None:
                made += page[at : token.start()] + string
                at = token.end()
    return bytes(made + page[at:])
