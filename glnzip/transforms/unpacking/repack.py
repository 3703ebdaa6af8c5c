"""From content and a recipe back to the data that they were made of.

A recipe begins with the number of its layers. The first one is applied to the content, the next to
what has come of that. A layer is a number of entries, and for each of them the bytes since the last
one, its kind (`glnzip.transforms.unpacking.parts`) and the numbers of its kind:

    0 to 2, streams        bytes of data; the recipe of the stream, its length before it
    3, stored member       bytes of data
    4 to 6, other members  as for a stream
    7, zip directory       entries; the first member that they tell of; from where places count, as
                           2 n, or 2 n - 1 for -n
    8, chunks              the header of the zlib stream; bytes of a row of pixels, 0 if they are
                           filtered as they were; bytes of a pixel, and 16 if they are in passes,
                           then also the rows; 2 for each chunk and 1 if all but the last have the
                           same size; the size of the first, or those of all but the last; then as
                           for a stream
    9, scans               bytes before them, from the tables on; bytes of the one scan; bytes of
                           the segments between them; the bit that fills up bytes; bits that wait
                           for a run at most; how many breaks there are, and for each the scans and
                           the units since the last one
    10 to 14, text         bytes of data; bytes between lines, and, if there are any, those, the
                           characters of a line, and of the first, 0 for as many
    15, font               bytes of data
    16, quoted-printable   bytes of data; 1 for CR and LF, 2 for small letters, 4 for each of the
                           ways to break lines; characters of a line that is broken, and of one that
                           is not; how many bytes have the other form, and which; how many others
                           have, and for each the bytes since the last one; how many lines are
                           broken elsewhere, and for each the lines since the last one, and by how
                           many bytes, as 2 n, or 2 n - 1 for -n
    17, portion            flags (`portions`); bytes of a row of pixels and of a pixel, as for 8;
                           bytes of data; how many of them it does not tell; if it is in chunks,
                           bytes before the stream and behind it, the length before each, and of
                           chunks that begin in it, 2 for each and 1 if all but the last have the
                           same size, and that of each, or of the last two; then as for a stream
    18, filtered rows      bytes of a row of pixels; bytes of a pixel; then as for a stream
    19, image of GIF       pixels; those of a row, if rows are in four passes, or 0; the recipe of
                           LZW, its length before it; bytes of a block; exceptions (`exceptions`)
    20, blocks of bzip2    flags (`portions`); if none come before, the level; bytes of data; the
                           recipe of blocks
    21, strips of a TIFF   1 for LZW, 0 for zlib; bytes of pixels, and of a row; samples of a pixel,
                           or 0 if they are no differences; what samples are (`differences`); bytes
                           of a strip; exceptions; for each strip how many bytes stand before it,
                           and these; the recipe of LZW, its length before it, or the header of a
                           zlib stream, and then as for a stream
    22, text of a PDF      bytes of text; how many fonts it has, or 0 for those of the text before,
                           and for each its name, the length before it, and 1 if digits of numbers
                           are capitals; then for each where in the content its letters are told

Nothing is trusted: whatever the recipe and the content are, data or an error come out, and no more
than `MOST_BYTES` of them.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.transforms.bzip2.recipe import LEVELS, OpenBlocks
from glnzip.transforms.bzip2.recipe import rebuild as rebuild_blocks
from glnzip.transforms.bzip2.recipe import take_recipe as take_blocks
from glnzip.transforms.deflate.portion import rebuild_portion
from glnzip.transforms.deflate.recipe import rebuild
from glnzip.transforms.deflate.recipe_bytes import read_recipe
from glnzip.transforms.differences import OF_TWO_LOWEST_FIRST, are_whole, differences
from glnzip.transforms.exceptions import VALUE, cut, number_in_recipe, take_exceptions, take_sizes
from glnzip.transforms.gif_form import MOST_IN_BLOCK, in_blocks, in_passes
from glnzip.transforms.jpeg.encode import MOST_WAITING
from glnzip.transforms.jpeg.scans import MOST_SCANS, Habits, separate_scans
from glnzip.transforms.lzw.recipe import Recipe as LzwRecipe
from glnzip.transforms.lzw.recipe import read_recipe as read_lzw
from glnzip.transforms.lzw.recipe import rebuild as rebuild_lzw
from glnzip.transforms.unpacking.chunks import chunked, through_chunks
from glnzip.transforms.unpacking.glyphs import (
    MOST_FONTS,
    MOST_NAME,
    MOST_TOLD,
    Font,
    Glyphs,
    as_digits,
)
from glnzip.transforms.unpacking.parts import (
    BLOCKS,
    CHUNK_BYTES,
    CHUNKS,
    ENTRIES,
    FILTERED,
    GIF_IMAGE,
    GLYPHS,
    IN_PASSES,
    LAST_KIND,
    LOCAL_BYTES,
    LOCAL_FIELDS,
    LOCAL_NAME,
    MEMBERS,
    MOST_BETWEEN,
    MOST_BYTES,
    MOST_CHUNK,
    MOST_LAYERS,
    MOST_PLACE,
    MOST_SEPARATOR,
    MOST_STEP,
    MOST_TAIL,
    OWN_BYTES,
    PORTION,
    QUOTED,
    SCANS,
    STORED,
    STREAMS,
    STRIPS,
    TEXTS,
    TYPE1,
    WITH_ADLER,
    Member,
    check_after,
    directory_entry,
    fields_of_member,
    with_sign,
    zip_fields,
)
from glnzip.transforms.unpacking.passes import bytes_in_passes
from glnzip.transforms.unpacking.passes import in_passes as whole_in_passes
from glnzip.transforms.unpacking.portions import (
    CONTINUES,
    GOES_ON,
    IN_CHUNKS,
    OpenStream,
)
from glnzip.transforms.unpacking.quoted import BETWEEN_CHARACTERS, MOST_OTHERS, Manner, quoted
from glnzip.transforms.unpacking.rows import filtered
from glnzip.transforms.unpacking.texts import Lines, broken, written
from glnzip.transforms.unpacking.type1 import enciphered


def repack(recipe: bytes, content: bytes) -> bytes:
    """The data that `unpack` has made the recipe and the content of.

    Raises
    ------
    CorruptStreamError
        If they do not fit each other.
    """
    return Repacker().repack(recipe, content)


class Repacker:
    """Packs again what `unpack` has made of data, stretch after stretch.

    Parameters
    ----------
    stream
        What goes on from stretches before.
    """

    def __init__(self, stream: OpenStream | OpenBlocks | None = None) -> None:
        self.stream = stream

    def repack(self, recipe: bytes, content: bytes) -> bytes:
        """The data of a stretch, as `repack`."""
        numbers = _Bytes(recipe)
        for _ in range(numbers.number(MOST_LAYERS, least=1)):
            layer = _Layer(numbers, content, self.stream)
            content, self.stream = layer.data(), layer.stream
        numbers.check_end()
        return content


class _Bytes:
    """Bytes that are used up from the front."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)
        self._left = len(data)

    def take(self, count: int) -> bytes:
        """The next so many bytes."""
        self._left -= count
        if self._left < 0:
            raise CorruptStreamError("a recipe does not fit its content")
        return self._file.read(count)

    def number(self, most: int, least: int = 0) -> int:
        """The next number."""
        return number_in_recipe(self.take, range(least, most + 1))

    def rest(self) -> bytes:
        """All that is left."""
        return self.take(self._left)

    def check_end(self) -> None:
        """Raise an error if anything is left."""
        if self._left:
            raise CorruptStreamError("a recipe does not fit its content")


class _Layer:
    """One layer being packed again."""

    def __init__(
        self, numbers: _Bytes, content: bytes, stream: OpenStream | OpenBlocks | None
    ) -> None:
        self.stream = stream
        self._numbers = numbers
        self._content = _Bytes(content)
        self._data = bytearray()
        self._members: list[Member] = []
        self._whole = content
        self._fonts: dict[bytes, Font] = {}
        self._glyphs: dict[int, Glyphs] = {}
        self._told = 0

    def data(self) -> bytes:
        """What the layer was made of."""
        for _ in range(self._numbers.number(MOST_BYTES)):
            self._put(self._content.take(self._numbers.number(MOST_BYTES)))
            self._put(self._packed(self._numbers.number(LAST_KIND)))
        self._put(self._content.rest())
        return bytes(self._data)

    def _put(self, data: bytes) -> None:
        self._data += data
        _check_size(len(self._data))

    def _packed(self, kind: int) -> bytes:
        """The next entry."""
        if kind in STREAMS:
            data = self._content.take(self._numbers.number(MOST_BYTES))
            return self._deflated(data) + check_after(kind, data)
        if kind in MEMBERS:
            return self._member(kind)
        if kind in TEXTS:
            return self._text(kind)
        if kind == TYPE1:
            return enciphered(self._content.take(self._numbers.number(MOST_BYTES)))
        if kind == QUOTED:
            text = self._content.take(self._numbers.number(MOST_BYTES))
            return quoted(text, self._manner(len(text)))
        others = {
            ENTRIES: self._entries,
            CHUNKS: self._chunks,
            SCANS: self._scans,
            PORTION: self._portion,
            FILTERED: self._filtered_stream,
            GIF_IMAGE: self._gif_image,
            BLOCKS: self._blocks,
            STRIPS: self._strips,
            GLYPHS: self._page,
        }
        return others[kind]()

    def _deflated(self, data: bytes) -> bytes:
        """The deflate stream that the next recipe makes of the data."""
        recipe = self._numbers.take(self._numbers.number(MOST_BYTES))
        array: Any = np.frombuffer(bytearray(data), np.uint8)
        return rebuild(array, read_recipe(recipe)).tobytes()

    def _text(self, kind: int) -> bytes:
        """Bytes as text, in lines."""
        size = self._numbers.number(MOST_BYTES)
        separator = self._numbers.take(self._numbers.number(MOST_SEPARATOR))
        text = written(kind, self._content.take(size))
        if not separator:
            return text
        width = self._numbers.number(MOST_BYTES)
        first = self._numbers.number(MOST_BYTES)
        if not width:
            raise CorruptStreamError("a recipe does not fit its content")
        return broken(text, Lines(separator, width, first or width))

    def _manner(self, size: int) -> Manner:
        """How so many bytes are written in quoted-printable."""
        flags = self._numbers.number(4 * BETWEEN_CHARACTERS + 3)
        soft, hard = (self._numbers.number(MOST_BYTES) for _ in range(2))
        others = self._numbers.take(self._numbers.number(MOST_OTHERS))
        toggled = np.zeros(size, np.uint8)
        place = -1
        for _ in range(self._numbers.number(size)):
            place += 1 + self._numbers.number(MOST_BYTES)
            if place >= size:
                raise CorruptStreamError("a recipe does not fit its content")
            toggled[place] = 1
        moves = take_exceptions(self._numbers.take, size, MOST_BYTES, range(2 * MOST_BYTES + 1))
        moves[:, VALUE] = [with_sign(shift) for shift in moves[:, VALUE].tolist()]
        return Manner(
            flags & 1 == 1, flags & 2 == 2, flags >> 2, soft, hard, others, toggled, moves
        )

    def _member(self, kind: int) -> bytes:
        """A member of a zip archive."""
        size = self._numbers.number(MOST_BYTES)
        lengths = self._content.take(4)
        head = lengths + self._content.take(sum(lengths[::2]) + (lengths[1] + lengths[3] << 8))
        data = self._content.take(size)
        packed = data if kind == STORED else self._deflated(data)
        fields = zip_fields(data, len(packed))
        if len(self._data) < LOCAL_FIELDS:
            raise CorruptStreamError("a recipe does not fit its content")
        self._members.append(Member(len(self._data) - LOCAL_FIELDS, fields))
        within, behind = fields_of_member(kind, data, len(packed))
        return within + head + packed + behind

    def _entries(self) -> bytes:
        """Entries of a zip directory."""
        count, first = self._numbers.number(MOST_BYTES), self._numbers.number(MOST_BYTES)
        base = with_sign(self._numbers.number(4 * MOST_PLACE))
        members = self._members[first : first + count]
        if len(members) < count:
            raise CorruptStreamError("a recipe does not fit its content")
        entries = bytearray()
        for member in members:
            own = self._content.take(OWN_BYTES)
            texts = self._content.take(own[2] + own[4] + (own[3] + own[5] << 8))
            head = self._data[member.place : member.place + LOCAL_BYTES]
            name = int.from_bytes(head[LOCAL_NAME : LOCAL_NAME + 2], "little")
            local = self._data[member.place : member.place + LOCAL_BYTES + name]
            entries += directory_entry(bytes(local), member, base, own, texts)
        return bytes(entries)

    def _chunks(self) -> bytes:
        """The data chunks of a PNG."""
        header = self._numbers.number(0xFFFF).to_bytes(2, "big")
        row, step = self._numbers.number(MOST_BYTES), self._numbers.number(IN_PASSES | MOST_STEP)
        height = self._numbers.number(MOST_BYTES) if step > IN_PASSES else 0
        count = self._numbers.number(2 * MOST_BYTES + 1, least=2)
        same = count & 1 == 1 and count > 3
        sizes = [self._numbers.number(MOST_BYTES) for _ in range(1 if same else (count >> 1) - 1)]
        data = self._content.take(self._numbers.number(MOST_BYTES))
        if row:
            if step <= IN_PASSES:
                data = _filtered(data, row, step)
            else:
                data = _interlaced(data, row, step - IN_PASSES, height)
        stream = header + self._deflated(data) + check_after(WITH_ADLER, data)
        if same:
            _check_size(((count >> 1) - 1) * (sizes[0] + CHUNK_BYTES))
            sizes *= (count >> 1) - 1
        return chunked(stream, [*sizes, len(stream) - sum(sizes)])

    def _portion(self) -> bytes:
        """A portion of a stream that is too long for a stretch."""
        flags = self._numbers.number(CONTINUES | GOES_ON | IN_CHUNKS)
        stream = self.stream if flags & CONTINUES else OpenStream()
        if not isinstance(stream, OpenStream):
            raise CorruptStreamError("a recipe does not fit its content")
        row, step = self._numbers.number(MOST_BYTES), self._numbers.number(MOST_STEP)
        size, untold = self._numbers.number(MOST_BYTES), self._numbers.number(MOST_BYTES)
        _check_size(stream.before.untold + size)
        above = b""
        if len(stream.above) not in (0, row):
            raise CorruptStreamError("a recipe does not fit its content")
        data = self._content.take(size)
        if row:
            data, above = _filtered(data, row, step, stream.above), data[-row:] or stream.above
        chunk = stream.chunk
        head = tail = b""
        sizes: list[int] = []
        if flags & IN_CHUNKS:
            head, tail = (self._numbers.take(self._numbers.number(MOST_TAIL)) for _ in range(2))
            sizes = self._sizes()
        recipe = read_recipe(self._numbers.take(self._numbers.number(MOST_BYTES)))
        array: Any = np.frombuffer(data, np.uint8)
        goes_on = flags & GOES_ON > 0
        made, after = rebuild_portion(stream.before, array, recipe, untold, goes_on=goes_on)
        packed = head + made.tobytes() + tail
        if flags & IN_CHUNKS:
            packed, chunk = through_chunks(packed, chunk, sizes)
        self.stream = None if after is None else OpenStream(after, above, chunk)
        return packed

    def _sizes(self) -> list[int]:
        """Those of chunks that begin in a portion."""
        count = self._numbers.number(2 * MOST_BYTES + 1)
        if count & 1 == 0 or count < 4:
            return [self._numbers.number(MOST_CHUNK) for _ in range(count >> 1)]
        size, last = self._numbers.number(MOST_CHUNK), self._numbers.number(MOST_CHUNK)
        before = (count >> 1) - 1
        _check_size(before * (size + CHUNK_BYTES))
        return [size] * before + [last]

    def _filtered_stream(self) -> bytes:
        """The stream of rows behind filters, and its check."""
        row, step = self._numbers.number(MOST_BYTES, least=1), self._numbers.number(MOST_STEP)
        data = _filtered(self._content.take(self._numbers.number(MOST_BYTES)), row, step)
        return self._deflated(data) + check_after(WITH_ADLER, data)

    def _gif_image(self) -> bytes:
        """An image of GIF, from the bits of its pixels on."""
        size, row = self._numbers.number(MOST_BYTES), self._numbers.number(MOST_BYTES)
        pixels = self._content.take(size)
        if row:
            if size % row:
                raise CorruptStreamError("a recipe does not fit its content")
            pixels = in_passes(pixels, row)
        recipe = self._lzw_recipe()
        packed = rebuild_lzw(pixels, recipe, MOST_BYTES)
        sizes = take_sizes(self._numbers.take, MOST_BYTES, range(1, MOST_IN_BLOCK + 1))
        return bytes([recipe.bits]) + in_blocks(packed, sizes)

    def _lzw_recipe(self) -> LzwRecipe:
        """The next recipe of LZW."""
        told = _Bytes(self._numbers.take(self._numbers.number(MOST_BYTES)))
        recipe = read_lzw(told.take, MOST_BYTES)
        told.check_end()
        return recipe

    def _strips(self) -> bytes:
        """Strips of a TIFF."""
        by_lzw = self._numbers.number(1)
        size, row = self._numbers.number(MOST_BYTES), self._numbers.number(MOST_BYTES)
        step, samples = self._numbers.number(MOST_BYTES), self._numbers.number(OF_TWO_LOWEST_FIRST)
        sizes = take_sizes(self._numbers.take, MOST_BYTES, range(1, MOST_BYTES + 1))
        pixels = self._content.take(size)
        if step:
            if not are_whole(size, row, step, samples):
                raise CorruptStreamError("a recipe does not fit its content")
            pixels = differences(pixels, row, step, samples)
        made = bytearray()
        for strip in cut(pixels, sizes):
            made += self._numbers.take(self._numbers.number(MOST_BETWEEN))
            if by_lzw:
                made += rebuild_lzw(strip, self._lzw_recipe(), MOST_BYTES)
            else:
                made += self._numbers.number(0xFFFF).to_bytes(2, "big") + self._deflated(strip)
                made += check_after(WITH_ADLER, strip)
            _check_size(len(made))
        return bytes(made)

    def _blocks(self) -> bytes:
        """Blocks of bzip2."""
        flags = self._numbers.number(CONTINUES | GOES_ON)
        begun = self.stream
        if not flags & CONTINUES:
            begun = OpenBlocks(self._numbers.number(LEVELS[-1], least=LEVELS[0]))
        if not isinstance(begun, OpenBlocks):
            raise CorruptStreamError("a recipe does not fit its content")
        data = self._content.take(self._numbers.number(MOST_BYTES))
        recipe = take_blocks(self._numbers.take, MOST_BYTES)
        made, left = rebuild_blocks(data, begun, recipe, goes_on=flags & GOES_ON > 0)
        if flags:
            self.stream = left
        return made

    def _page(self) -> bytes:
        """Text of a PDF, in digits."""
        text = self._content.take(self._numbers.number(MOST_BYTES))
        count = self._numbers.number(MOST_FONTS)
        if count:
            named = [
                (self._numbers.take(self._numbers.number(MOST_NAME)), self._numbers.number(1))
                for _ in range(count)
            ]
            self._fonts = {
                name: Font(self._next_glyphs(), capitals == 1) for name, capitals in named
            }
        return as_digits(text, self._fonts)

    def _next_glyphs(self) -> Glyphs:
        """The letters of a font."""
        place = self._numbers.number(MOST_BYTES)
        if place not in self._glyphs:
            glyphs = Glyphs(self._whole, place, MOST_TOLD - self._told)
            self._told += glyphs.told
            self._glyphs[place] = glyphs
        return self._glyphs[place]

    def _scans(self) -> bytes:
        """The scans of a JPEG, with the segments between them."""
        head = self._numbers.number(len(self._data))
        scan, between = (self._content.take(self._numbers.number(MOST_BYTES)) for _ in range(2))
        pad, waiting = self._numbers.number(1), self._numbers.number(MOST_WAITING)
        habits = Habits(waiting, pad, [])
        number, unit = 0, -1
        for _ in range(self._numbers.number(MOST_BYTES)):
            step = self._numbers.number(MOST_SCANS)
            unit = self._numbers.number(MOST_BYTES) + 1 + (unit if step == 0 else -1)
            number += step
            habits.breaks.append((number, unit))
        before = bytes(self._data[len(self._data) - head :])
        return separate_scans(before, scan, between, habits, MOST_BYTES)


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise CorruptStreamError("a recipe makes too many data")


def _interlaced(data: bytes, row: int, step: int, height: int) -> bytes:
    """Passes of a PNG, from their filters and the pixels of the whole."""
    filters, size = bytes_in_passes(row, step, height)
    if row % step or not height or len(data) != size:
        raise CorruptStreamError("a recipe does not fit its content")
    array: Any = np.frombuffer(data, np.uint8)
    return whole_in_passes(array[:filters], array[filters:], row, step, height).tobytes()


def _filtered(data: bytes, row: int, step: int, above: bytes = b"") -> bytes:
    """Rows of pixels as PNG and PDF have them, from their filters and the pixels."""
    rows = len(data) // (1 + row)
    if rows * (1 + row) != len(data) or not step:
        raise CorruptStreamError("a recipe does not fit its content")
    array: Any = np.frombuffer(bytearray(data), np.uint8)
    return filtered(array[:rows], array[rows:], row, step, above).tobytes()
