"""What stands where a sign was found: each kind of carrier is looked at by a function of its own.

They return an `Entry`, or None where there is no such carrier or nothing would be gained; where one
goes on after the end of what is known, they raise `UnfinishedError`, and where it has more data
than there is room for, `TooLongError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from glnzip.format.block_type import BlockType
from glnzip.format.numbers import write_number, write_numbers
from glnzip.transforms.deflate.bits import padded
from glnzip.transforms.deflate.stream import TooLongError, UnfinishedError
from glnzip.transforms.unpacking import archives, pictures, programs, sounds
from glnzip.transforms.unpacking.bzip2 import whole_stream
from glnzip.transforms.unpacking.chunks import chunked
from glnzip.transforms.unpacking.file_signs import (
    AR,
    BITMAP_HEADER,
    COMPACT_FONT,
    CPIO,
    ELF,
    FONT,
    MACH_O,
    MODE,
    PE,
    PNM,
    SOUND,
    TIFF,
)
from glnzip.transforms.unpacking.fonts import compact_font, font, font_piece
from glnzip.transforms.unpacking.gif import first_image, shown_image
from glnzip.transforms.unpacking.jpeg import picture_entry
from glnzip.transforms.unpacking.mails import printable_entry
from glnzip.transforms.unpacking.parts import (
    ASCII85,
    BEHIND,
    CHUNKS,
    DEFLATED,
    DIRECTORY_BYTES,
    DIRECTORY_FIELDS,
    DIRECTORY_PLACE,
    ENTRIES,
    FIELDS_BYTES,
    IN_PASSES,
    LOCAL_BYTES,
    LOCAL_FIELDS,
    LOCAL_NAME,
    MOST_BYTES,
    MOST_STEP,
    SIGNED_BEHIND,
    STORED,
    TYPE1,
    WITH_ADLER,
    WITH_CRC,
    Member,
    check_after,
    directory_entry,
    fields_of_member,
    without_sign,
    zip_fields,
)
from glnzip.transforms.unpacking.passes import bytes_in_passes
from glnzip.transforms.unpacking.pdf_fonts import page_of_glyphs
from glnzip.transforms.unpacking.pdf_pictures import in_pdf
from glnzip.transforms.unpacking.pixels import pixels_seen_as, without_filters, without_passes
from glnzip.transforms.unpacking.places import Place
from glnzip.transforms.unpacking.runs import Run
from glnzip.transforms.unpacking.signs import (
    BZIP2,
    CENTRAL,
    CHOSEN,
    DATA,
    GIF,
    GZIP,
    HEADER,
    LOCAL,
    PICTURE,
    PRINTABLE,
    PRIVATE,
    SHOWN,
    TAR,
    ZLIB,
)
from glnzip.transforms.unpacking.texts import joined, read
from glnzip.transforms.unpacking.tiff import tiff
from glnzip.transforms.unpacking.type1 import deciphered
from glnzip.transforms.unpacking.undone import undone, window_bits_of
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_LEAST_ZLIB = 24  # bytes; what is shorter is there by chance, or not worth it
_LONGEST_TEXT = 1 << 12  # of a name or comment in gzip
_ZIP_DEFLATED = 8  # methods of zip
_ZIP_STORED = 0
_MOST_PRIVATE = 1 << 19  # bytes of the private part of a font ...
_PRIVATE_BEGINS = 1 << 9  # ... and of what it begins with
_PRIVATE_END = b"closefile"
_PFB_BINARY = b"\x80\2"  # how a part of a font begins in a PFB file
_PFB_HEADER = 6
_PNG_HEADER_BYTES = 29  # up to the end of the fields
_PALETTE = 3  # a colour type of PNG
_CHANNELS = {0: 1, 2: 3, _PALETTE: 1, 4: 2, 6: 4}


def entry_at(window: Window, place: Place) -> Entry | None:
    """The carrier at a place; it may begin a little earlier or later."""
    if isinstance(place.what, Run):
        return _text(window, place.what)
    return _LOOKS[place.what](window, place.start)


def _text(window: Window, run: Run) -> Entry | None:
    """Bytes as text; of one that is too long, whole lines and groups, so that it can go on."""
    at, kind, lines = run.start, run.kind, run.lines
    if not run.ends:
        if window.waits(at):
            raise UnfinishedError
        if kind == ASCII85 and window.final:
            return None
    cut = not run.ends and not window.final
    count = lines.whole(run.characters) if cut else run.characters
    found = read(kind, joined(window.bytes_at(at, run.end - at), count, lines), ends=not cut)
    if found is None:
        return None
    data, count = found
    written = write_number(len(data)) + write_number(len(lines.separator))
    if lines.separator:
        first = lines.first if lines.first != lines.width else 0
        written += lines.separator + write_number(lines.width) + write_number(first)
    end = at + lines.length(count)
    return Entry(at, end, kind, written, data, [Piece(len(data), True)], cut=cut)


def _stream_entry(window: Window, at: int, kind: int, window_bits: int = 15) -> Entry | None:
    """A stream with its check behind it."""

    def fits(data: Any, size: int) -> bool:
        check = check_after(kind, data)
        return window.bytes_at(at + size, len(check)) == check

    stream = undone(window, window.buffer[at:], window_bits, fits)
    if stream is None:
        return None
    end = at + stream.size + len(check_after(kind, stream.data))
    numbers = write_number(len(stream.data)) + stream.recipe
    return Entry(at, end, kind, numbers, stream.data, [Piece(len(stream.data), True)])


def _zlib(window: Window, at: int) -> Entry | None:
    entry = _stream_entry(window, at + 2, WITH_ADLER, window_bits_of(int(window.buffer[at])))
    if entry is None or entry.end - at < _LEAST_ZLIB:
        return None
    return in_pdf(window, at, entry)


def _gzip(window: Window, at: int) -> Entry | None:
    place = gzip_stream(window, at)
    return None if place is None else _stream_entry(window, place, WITH_CRC)


def gzip_stream(window: Window, at: int) -> int | None:
    """Where the stream behind a header of gzip begins (RFC 1952, section 2.3)."""
    flags = int(window.buffer[at + 3])
    place = at + 10
    if flags & 4:
        place += 2 + window.number_at(place, 2)
    for flag in (8, 16):  # a name, a comment
        if flags & flag:
            end = window.buffer[place : place + _LONGEST_TEXT].tobytes().find(0)
            if end < 0 and place + _LONGEST_TEXT <= window.end:
                return None
            place = place + end + 1 if end >= 0 else window.end + 1
    place += 2 if flags & 2 else 0
    window.bytes_at(place, 1)
    return place


def member_stream(window: Window, at: int) -> int | None:
    """Where what a local header of zip stands before begins, if that is a stream."""
    method, place = _behind_local(window, at)
    return place if method == _ZIP_DEFLATED else None


def _behind_local(window: Window, at: int) -> tuple[int, int]:
    """The method of a member of a zip archive, and where it begins (APPNOTE of PKWARE, 4.3.7)."""
    header = window.bytes_at(at, LOCAL_BYTES)
    texts = sum(int.from_bytes(header[k : k + 2], "little") for k in (LOCAL_NAME, LOCAL_NAME + 2))
    place = at + LOCAL_BYTES + texts
    window.bytes_at(place, 0)
    return int.from_bytes(header[8:10], "little"), place


def _local(window: Window, at: int) -> Entry | None:
    """A member of a zip archive."""
    method, place = _behind_local(window, at)
    start = at + LOCAL_FIELDS
    fields = window.bytes_at(start, FIELDS_BYTES)
    kinds: tuple[int, ...] = (DEFLATED, SIGNED_BEHIND, BEHIND)
    if method == _ZIP_STORED:
        packed = int.from_bytes(fields[8:], "little")
        if packed > MOST_BYTES or window.is_worn:
            return None
        window.tried(packed)
        data, recipe, kinds = window.bytes_at(place, packed), b"", (STORED,)
        if is_long_picture(data):
            return None  # portions of a stream are taken of what is not packed alone
    elif method == _ZIP_DEFLATED:
        stream = undone(window, window.buffer[place:])
        if stream is None:
            return None
        data, recipe, packed = stream
    else:
        return None
    for kind in kinds:
        within, behind = fields_of_member(kind, data, packed)
        end = place + packed + len(behind)
        if fields == within and window.bytes_at(place + packed, len(behind)) == behind:
            window.add_member(at, zip_fields(data, packed))
            texts = start + FIELDS_BYTES
            head = window.bytes_at(texts, place - texts)
            numbers = write_number(len(data)) + recipe
            pieces = [Piece(len(head)), Piece(len(data), True)]
            return Entry(start, end, kind, numbers, head + data, pieces)
    return None


def _central(window: Window, at: int) -> Entry | None:
    """Entries of a zip directory, as far as they fit members that were seen."""
    first = window.numbers.get(window.bytes_at(at + DIRECTORY_FIELDS, FIELDS_BYTES))
    if first is None:
        return None
    base = window.members[first].place - window.number_at(at + DIRECTORY_PLACE, 4)
    content = bytearray()
    place, count = at, 0
    for member in window.members[first:]:
        own_and_texts, end = _own_of_entry(window, place, member, base)
        if not end:
            break
        content += own_and_texts
        place = end
        count += 1
    if not count:
        return None
    numbers = write_numbers([count, first, without_sign(base)])
    return Entry(at, place, ENTRIES, numbers, bytes(content), [Piece(len(content))])


def _own_of_entry(window: Window, at: int, member: Member, base: int) -> tuple[bytes, int]:
    """What an entry of a directory has of its own, and where it ends; 0 if it is of another."""
    if at + DIRECTORY_BYTES > window.end:
        return b"", 0
    head = window.bytes_at(at, DIRECTORY_BYTES)
    name, *lengths = (int.from_bytes(head[k : k + 2], "little") for k in (28, 30, 32))
    texts = at + DIRECTORY_BYTES + name
    end = texts + sum(lengths)
    if end > window.end:
        return b"", 0
    own = head[4:6] + head[30:DIRECTORY_PLACE]
    last = window.bytes_at(texts, end - texts)
    local = window.bytes_at(
        member.place, LOCAL_BYTES + window.number_at(member.place + LOCAL_NAME, 2)
    )
    same = directory_entry(local, member, base, own, last) == window.bytes_at(at, end - at)
    return own + last, end if same else 0


def _header(window: Window, at: int) -> Entry | None:
    """The header of a PNG: what it says will be of use when its data come."""
    window.picture = window.bytes_at(at + 4, 13)
    window.picture_start = at - 12
    return None


def _data(window: Window, at: int) -> Entry | None:
    """The data chunks of a PNG: one zlib stream, cut into pieces."""
    start = at - 4
    if start < 0 or window.is_worn:
        return None
    sizes: list[int] = []
    place = start
    parts = []
    while True:
        size = int.from_bytes(window.bytes_at(place, 4), "big")
        if window.bytes_at(place + 4, 4) != b"IDAT":
            break
        if size > MOST_BYTES:
            raise TooLongError
        parts.append(window.buffer[place + 8 : place + 8 + size])
        window.bytes_at(place, 12 + size)
        sizes.append(size)
        place += 12 + size
        window.tried(12 + size)
    packed = np.concatenate(parts) if parts else np.zeros(0, np.uint8)
    if packed.size < 6 or window.bytes_at(start, place - start) != chunked(packed.tobytes(), sizes):
        return None
    try:
        stream = undone(window, padded(packed[2:-4]), window_bits_of(int(packed[0])))
    except UnfinishedError:
        return None
    if stream is None or stream.size != packed.size - 6:
        return None
    if check_after(WITH_ADLER, stream.data) != packed[-4:].tobytes():
        return None
    rows = rows_of(window.picture, len(stream.data))
    window.picture = None  # it has no other data
    found = _without_filters(stream.data, rows)
    form = [rows.row, rows.step] if found else [0, 0]
    if found and rows.height:
        form = [rows.row, rows.step | IN_PASSES, rows.height]
    content, pieces = found or (stream.data, [Piece(len(stream.data), True)])
    numbers = [int.from_bytes(packed[:2].tobytes(), "big"), *form, *_sizes(sizes)]
    numbers.append(len(stream.data))
    written = write_numbers(numbers) + stream.recipe
    return Entry(start, place, CHUNKS, written, content, pieces)


def _without_filters(data: bytes, rows: PixelRows) -> tuple[bytes, list[Piece]] | None:
    """The filters and the pixels of a picture, if these are its rows, in passes or not."""
    if not rows.row:
        return None
    if not rows.height:
        return without_filters(data, rows.row, rows.step, rows.block_type)
    return without_passes(data, rows.row, rows.step, rows.height, rows.block_type)


def _private(window: Window, at: int) -> Entry | None:
    """The private part of a Type 1 font, behind ``eexec`` and perhaps a header of PFB."""
    if window.is_worn or window.bytes_at(at - 2, 5) != b"eexec":
        return None
    gap = window.bytes_at(at + 3, 2)
    start = at + 3 + (2 if gap == b"\r\n" else 1)
    if window.bytes_at(start, 2) == _PFB_BINARY:
        start += _PFB_HEADER
    if b"/Private" not in deciphered(window.bytes_at(start, _PRIVATE_BEGINS)):
        return None
    known = min(_MOST_PRIVATE, window.end - start)
    data = window.bytes_at(start, known)
    end = deciphered(data).find(_PRIVATE_END)
    if end < 0:
        window.tried(known)
        if known < _MOST_PRIVATE:
            raise UnfinishedError
        return None
    size = end + len(_PRIVATE_END)
    clear = deciphered(data[:size])
    return Entry(start, start + size, TYPE1, write_number(size), clear, [font_piece(size)])


def _sizes(sizes: list[int]) -> list[int]:
    """How many chunks; all sizes but the last, or the first alone if they are the same."""
    first = sizes[:-1]
    same = len(first) > 0 and first[0] > 0 and len(set(first)) == 1
    return [len(sizes) << 1 | same, *(first[:1] if same else first)]


def is_long_picture(data: bytes) -> bool:
    """Whether these are a PNG with more pixels than there is room for."""
    if len(data) < _PNG_HEADER_BYTES or data[12:16] != b"IHDR":
        return False
    rows = rows_of(data[16:_PNG_HEADER_BYTES])
    return rows.row > 0 and rows.bytes * int.from_bytes(data[20:24], "big") > MOST_BYTES


class PixelRows(NamedTuple):
    """Data that are rows of pixels, each behind the byte of its filter."""

    row: int = 0
    """Bytes of pixels; 0 if they are none."""
    step: int = 0
    """Bytes of a pixel."""
    block_type: BlockType | None = None
    """What the pixels are to a model."""
    height: int = 0
    """Rows of a picture in passes; 0 if it is in none."""

    @property
    def bytes(self) -> int:
        """That the data are a multiple of."""
        return 1 + self.row if self.row else 1


def rows_of(picture: bytes | None, length: int | None = None) -> PixelRows:
    """What the data of a picture are, of so many bytes if that is known."""
    if picture is None:
        return PixelRows()
    width, height = (int.from_bytes(picture[k : k + 4], "big") for k in (0, 4))
    depth, colours, interlaced = picture[8], picture[9], picture[12]
    bits = _CHANNELS.get(colours, 0) * depth
    row, step = (width * bits + 7) // 8, max(1, bits // 8)
    if not 0 < row < MOST_BYTES or not height or step > MOST_STEP:
        return PixelRows()
    if interlaced:
        fits = bits % 8 == 0 and length == bytes_in_passes(row, step, height)[1]
    else:
        fits = length in (None, (1 + row) * height)
    if not fits:
        return PixelRows()
    channels = 0 if colours == _PALETTE else _CHANNELS[colours]
    seen_as = pixels_seen_as(row, depth, channels)
    return PixelRows(row, step, seen_as, height if interlaced else 0)


_LOOKS: dict[int, Callable[[Window, int], Entry | None]] = {
    LOCAL: _local,
    CENTRAL: _central,
    GZIP: _gzip,
    BZIP2: whole_stream,
    CHOSEN: page_of_glyphs,
    GIF: first_image,
    SHOWN: shown_image,
    HEADER: _header,
    DATA: _data,
    PICTURE: picture_entry,
    PRIVATE: _private,
    PRINTABLE: printable_entry,
    TAR: archives.see_tar,
    ZLIB: _zlib,
    MODE: archives.see_old_tar,
    AR: archives.see_ar,
    CPIO: archives.see_cpio,
    BITMAP_HEADER: pictures.bitmap,
    PNM: pictures.pnm,
    TIFF: tiff,
    SOUND: sounds.sound,
    PE: programs.see_pe,
    ELF: programs.see_elf,
    MACH_O: programs.see_mach_o,
    FONT: font,
    COMPACT_FONT: compact_font,
}
