"""Fonts of a PDF whose strings are numbers of glyphs, and the pages that show text in them.

A page names its fonts, and what they are stands elsewhere in the file, before it or behind it, in
an object of its own or in a stream of objects (ISO 32000-1, 7.3.10 and 7.5.7). Names are taken for
those of the whole file: where there are several fonts of a name, the one is taken that has letters
for the most glyphs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import write_number
from glnzip.transforms.unpacking.glyphs import (
    MOST_FONTS,
    MOST_NAME,
    MOST_TOLD,
    NAME,
    Font,
    Glyphs,
    Strings,
    as_digits,
    as_letters,
    strings_of,
)
from glnzip.transforms.unpacking.parts import GLYPHS
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_HEADER = b"%PDF-"
_PAGE_ENDS = b"endstream"
_CMAP = b"begincmap"
_BEFORE_CMAP = 1 << 10  # bytes, from where its object begins
_FONT = re.compile(rb"/(%b)\s+[-+.\d]+\s+T\Z" % NAME)  # up to its operator, Tf
_LONGEST_FONT = 160
_OBJECT = re.compile(rb"\b(\d{1,9})\s+\d{1,5}\s+obj\b")
_OBJECTS = re.compile(rb"/Type\s*/ObjStm\b")
_STREAM = re.compile(rb"stream\r?\n")
_LONGEST_DICTIONARY = 1 << 10
_NUMBER = re.compile(rb"\d{1,9}")
_LETTERS = re.compile(rb"/ToUnicode\s+(\d{1,9})\s+\d{1,5}\s+R\b")
_RESOURCE = re.compile(rb"/(%b)\s+(\d{1,9})\s+\d{1,5}\s+R\b" % NAME)
_MOST_OF_A_NAME = 8  # fonts that are tried
_LEAST_LETTERS, _LEAST_MORE = 512, 64  # of a page, and of others; to tell of fewer does not pay


def page_of_glyphs(window: Window, at: int) -> Entry | None:
    """What of a page has text in digits, from the place on where a font is chosen."""
    if window.pdf_fonts is None:
        window.pdf_fonts = PdfFonts(window)
    known: PdfFonts = window.pdf_fonts
    return known.page(at)


class PdfFonts:
    """The fonts of the PDF in a window whose letters are known.

    Parameters
    ----------
    window
    """

    def __init__(self, window: Window) -> None:
        self._data = window.buffer[: window.end].tobytes()
        self._bounds = [match.start() for match in re.finditer(_HEADER, self._data)]
        self._bounds.append(len(self._data))  # of files
        self._names: dict[int, dict[bytes, list[int]]] = {}  # CMaps, by files
        self._glyphs: dict[int, Glyphs] = {}  # by CMaps
        self._told = 0
        self._seen = self._bounds[0]  # up to where pages were looked at
        self._taken: set[int] = set()  # files that have pages with letters
        self._heads = len(self._data)  # bytes that may be looked at in streams of objects

    def page(self, at: int) -> Entry | None:
        """What stands from a place on where a font is chosen, up to the last string of a page."""
        name = _FONT.search(self._data, max(0, at - _LONGEST_FONT), at + 1)
        if at < self._seen or not name:
            return None
        file = bisect_right(self._bounds, at)
        start, stop = self._bounds[file - 1 : file + 1]
        if start not in self._names:
            self._names[start] = self._fonts(start, stop)
        if name[1] not in self._names[start]:
            return None
        end = self._data.find(_PAGE_ENDS, at, stop)
        self._seen = end if end >= 0 else stop
        if end < 0:
            return None
        least = _LEAST_MORE if start in self._taken else _LEAST_LETTERS
        page = self._data[name.start() : end]
        entry = self._entry(name.start(), page, self._names[start], least)
        if entry is not None:
            self._taken.add(start)
        return entry

    def _entry(
        self, begin: int, page: bytes, names: dict[bytes, list[int]], least: int
    ) -> Entry | None:
        """What a page has from a place on, if so many glyphs have letters."""
        fonts: dict[bytes, Font] = {}
        numbers, places = [], []
        letters = 0
        for name, strings in strings_of(page).items():
            known, place = self._best(names.get(name, []), strings)
            if known and len(name) <= MOST_NAME and len(fonts) < MOST_FONTS:
                letters += known
                glyphs = self._glyphs[place]
                fonts[name] = Font(glyphs, strings.capitals)
                numbers.append(write_number(len(name)) + name + write_number(strings.capitals))
                places.append(range(place, place + glyphs.size))
        page = page[: page.rfind(b">") + 1]
        content = as_letters(page, fonts)
        if letters < least or not _comes_back(content, fonts, page):
            return None
        return Entry(
            begin,
            begin + len(page),
            GLYPHS,
            write_number(len(content)),
            content,
            [Piece(len(content))],
            shared=b"".join(numbers),
            told_at=tuple(places),
        )

    def _best(self, cmaps: list[int], strings: Strings) -> tuple[int, int]:
        """How many glyphs of strings have letters, at most, and where the CMap begins."""
        if strings.has_literals:
            return 0, 0
        known = (
            (sum(map(self._known(place).knows, strings.digits)), place)
            for place in cmaps[:_MOST_OF_A_NAME]
        )
        return max(known, default=(0, 0))

    def _known(self, place: int) -> Glyphs:
        """What a CMap tells; nothing if there was too much before."""
        if place not in self._glyphs:
            try:
                glyphs = Glyphs(self._data, place, MOST_TOLD - self._told)
            except CorruptStreamError:
                self._told = MOST_TOLD
                glyphs = Glyphs(b"")
            self._told += glyphs.told
            self._glyphs[place] = glyphs
        return self._glyphs[place]

    def _fonts(self, start: int, end: int) -> dict[bytes, list[int]]:
        """Where the CMaps of fonts begin, by names."""
        objects = dict(self._objects(start, end))
        begins = sorted((place, number) for number, place in objects.items())
        cmaps: dict[int, int] = {}
        for match in _LETTERS.finditer(self._data, start, end):
            place = objects.get(int(match[1]), end)
            cmap = self._data.find(_CMAP, place, min(place + _BEFORE_CMAP, end))
            k = bisect_right(begins, (match.start(), 0))
            if cmap >= 0 and k:
                cmaps[begins[k - 1][1]] = cmap
        names: dict[bytes, list[int]] = {}
        for match in _RESOURCE.finditer(self._data, start, end):
            font = int(match[2])
            if font in cmaps and cmaps[font] not in names.setdefault(match[1], []):
                names[match[1]].append(cmaps[font])
        return names

    def _objects(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Their numbers, and where they begin; of a number, the last one counts."""
        for match in _OBJECTS.finditer(self._data, start, end):
            yield from self._objects_in_stream(match.end(), end)
        for match in _OBJECT.finditer(self._data, start, end):
            yield int(match[1]), match.end()

    def _objects_in_stream(self, at: int, end: int) -> Iterator[tuple[int, int]]:
        """Those in a stream of objects, whose type stands before a place."""
        stream = _STREAM.search(self._data, at, min(at + _LONGEST_DICTIONARY, end))
        if not stream:
            return
        before = self._data[max(0, at - _LONGEST_DICTIONARY) : stream.start()]
        numbers = before[before.rfind(b"obj") :]
        count, first = (re.search(rb"/%b\s+(\d{1,9})" % key, numbers) for key in (b"N", b"First"))
        if not count or not first:
            return
        size = min(int(first[1]), end - stream.end())
        self._heads -= size
        if self._heads < 0:
            return
        head = self._data[stream.end() : stream.end() + size]
        pairs = [int(number) for number in _NUMBER.findall(head)[: 2 * int(count[1])]]
        for number, place in zip(pairs[::2], pairs[1::2], strict=False):
            yield number, stream.end() + int(first[1]) + place


def _comes_back(content: bytes, fonts: dict[bytes, Font], page: bytes) -> bool:
    """Whether letters become the page again."""
    try:
        return as_digits(content, fonts) == page
    except CorruptStreamError:
        return False
