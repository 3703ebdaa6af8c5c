"""Pictures in PDF: what the dictionary before a stream says of its data (ISO 32000-1).

Pictures are rows of pixels (8.9.5), perhaps behind the filters of PNG (7.4.4.4), and tables of
objects are rows of numbers (7.5.8). A dictionary is read by its keys alone, as far as it is there,
and what it says is believed only where the length of the data agrees.
"""

from __future__ import annotations

import re

from glnzip.format.block_type import BlockType
from glnzip.format.numbers import write_numbers
from glnzip.transforms.unpacking.parts import FILTERED, MOST_STEP
from glnzip.transforms.unpacking.pixels import pixels_seen_as, without_filters
from glnzip.transforms.unpacking.samples import with_rows
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_LOOKED_BACK = 1 << 12  # bytes: a palette may be among them
_STREAM = re.compile(rb"stream\r?\n\Z")
_LONGEST_STREAM = 8  # bytes of that
_PARAMETERS = re.compile(rb"/(?:DecodeParms|DP)(?:[\s\[]|null)*<<([^<>]*)>>")  # of the predictor
_NUMBER = re.compile(rb"/(Width|Height|BitsPerComponent|Predictor|Columns|Colors)\s+(\d{1,6})\b")
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")
_MASK = re.compile(rb"/ImageMask\s+true\b")
_PALETTE = re.compile(rb"/Indexed\b")
_ELSEWHERE = re.compile(rb"/ColorSpace\s+\d+\s+\d+\s+R\b")  # where the colours are told
_TABLE = re.compile(rb"/Type\s*/XRef\b")
_FIRST_OF_PNG = 10  # among the numbers of predictors
_CHANNELS = 1, 3, 4, 2  # the most frequent first
_MOST_BEHIND = 2  # bytes: the end of a line


def in_pdf(window: Window, at: int, entry: Entry) -> Entry:
    """The entry of the zlib stream at a place, its data seen as what a PDF says that they are."""
    start = dictionary_start(window, at)
    dictionary = window.bytes_at(start, at - start)
    found = _PARAMETERS.search(dictionary)
    parameters = _numbers(found[1] if found else b"")
    own = _PARAMETERS.sub(b"", dictionary)
    if parameters.get(b"Predictor", 0) >= _FIRST_OF_PNG:
        return _behind_filters(entry, own, parameters)
    return _as_pixels(entry, own) if _PICTURE.search(own) else entry


def dictionary_start(window: Window, at: int) -> int:
    """Where the dictionary of a stream begins, as far as it is there; the place itself if none is.

    It may begin earlier: no more than some thousand bytes are looked at.
    """
    if not _STREAM.search(window.bytes_at(max(0, at - _LONGEST_STREAM), min(at, _LONGEST_STREAM))):
        return at
    start = max(0, at - _LOOKED_BACK)
    return start + max(0, window.bytes_at(start, at - start).rfind(b"obj"))


def _numbers(text: bytes) -> dict[bytes, int]:
    return {key: int(value) for key, value in _NUMBER.findall(text)}


def _behind_filters(entry: Entry, own: bytes, parameters: dict[bytes, int]) -> Entry:
    """Rows that each have a filter in front."""
    depth, channels = parameters.get(b"BitsPerComponent", 8), parameters.get(b"Colors", 1)
    row = (parameters.get(b"Columns", 1) * channels * depth + 7) // 8
    step = max(1, channels * depth // 8)
    size = len(entry.content)
    if not row or not size or size % (1 + row) or step > MOST_STEP:
        return entry
    if _TABLE.search(own):  # the differences of numbers are shorter to tell than the numbers
        return entry._replace(pieces=[Piece(size, block_type=with_rows(1 + row))])
    if not _PICTURE.search(own):
        return entry
    found = without_filters(entry.content, row, step, _seen_as(own, row, depth, channels))
    if found is None:
        return entry
    content, pieces = found
    numbers = write_numbers([row, step]) + entry.numbers
    return entry._replace(kind=FILTERED, numbers=numbers, content=content, pieces=pieces)


def _as_pixels(entry: Entry, own: bytes) -> Entry:
    """Rows as they are; how many channels they have, their length tells."""
    numbers = _numbers(own)
    size, height = len(entry.content), numbers.get(b"Height", 0)
    depth = 1 if _MASK.search(own) else numbers.get(b"BitsPerComponent", 0)
    for channels in _CHANNELS:
        row = (numbers.get(b"Width", 0) * channels * depth + 7) // 8
        if row * height and 0 <= size - row * height <= _MOST_BEHIND:
            break
    else:
        return entry
    block_type = _seen_as(own, row, depth, channels)
    if block_type is None:
        return entry
    return entry._replace(pieces=[Piece(size, first=True, block_type=block_type)])


def _seen_as(own: bytes, row: int, depth: int, channels: int) -> BlockType | None:
    """How a model should see the pixels; None if it is not known whether a byte is a grey."""
    if channels == 1 and depth == 8 and _ELSEWHERE.search(own):
        return None
    return pixels_seen_as(row, depth, 0 if _PALETTE.search(own) else channels)
