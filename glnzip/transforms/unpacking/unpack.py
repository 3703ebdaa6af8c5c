"""From data to content and a recipe: layer by layer, what is packed is unpacked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import write_number, write_numbers
from glnzip.transforms.deflate.bits import padded
from glnzip.transforms.deflate.stream import TooLongError, UnfinishedError
from glnzip.transforms.unpacking.bzip2 import BegunBlocks
from glnzip.transforms.unpacking.carriers import entry_at
from glnzip.transforms.unpacking.long_streams import (
    LEAST_PORTION,
    USUAL_PORTION,
    Begun,
    GoesOn,
    first_portion,
    next_portion,
)
from glnzip.transforms.unpacking.parts import (
    ENTRIES,
    GLYPHS,
    MEMBERS,
    MOST_BYTES,
    MOST_LAYERS,
    PORTION,
    UNCHANGED,
)
from glnzip.transforms.unpacking.pdf_pictures import dictionary_start
from glnzip.transforms.unpacking.places import Place, Places
from glnzip.transforms.unpacking.repack import Repacker
from glnzip.transforms.unpacking.repeated import repeated_as_bytes
from glnzip.transforms.unpacking.signs import DATA, ZLIB
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_MOST_GROWTH = 512  # times as many bytes: more take long to model, and are few as they are
_SMALLEST = 20  # bytes: what is smaller carries nothing
_MOST_CUTS = 512  # that are kept for what follows
_LONG_HEADER = 512  # bytes from a sign to what it stands for: others may be between them


class Unpacked(NamedTuple):
    """What the beginning of some data has come to."""

    taken: int
    """How many bytes of the data it is."""
    recipe: bytes
    """Empty if nothing was unpacked."""
    content: bytes
    """Without a recipe, these data themselves."""
    pieces: list[Piece]
    """Of the content."""
    cuts: list[int]
    """Where, from the end of these data on, what follows is of another kind, as they have told."""
    begun: GoesOn | None = None
    """What goes on after these data."""


def unpack(
    data: bytes,
    *,
    final: bool,
    cuts: Sequence[int] = (),
    begun: GoesOn | None = None,
    portion: int = USUAL_PORTION,
    is_known: Callable[[bytes], bool] | None = None,
) -> Unpacked:
    """Unpack as many of the data as can be dealt with now.

    Parameters
    ----------
    data : bytes
        At most `MOST_BYTES` are looked at.
    final : bool
        Whether nothing will follow. Otherwise a carrier that is not complete is left for another
        time; 0 bytes are taken where it begins at once.
    cuts : sequence of int
        Where the data are of another kind than before, as those have told that came earlier.
    begun : GoesOn, optional
        What goes on with the first of the data.
    portion : int
        Bytes of data that are taken at once of a stream that is too long.
    is_known : callable, optional
        Called with packed data; what a model knows as they are is left so.

    Returns
    -------
    Unpacked
        It was packed again, and has become the same.
    """
    if final and len(data) < _SMALLEST:
        return Unpacked(len(data), b"", data, [Piece(len(data))], [])
    while True:
        found, crowded = _seen_through(data, final, cuts, begun, portion, is_known)
        if not crowded or found.begun is None or portion <= LEAST_PORTION:
            break
        portion //= 2
    if crowded and found.begun is None:  # what lies deeper has more room if there are fewer data
        fewer = unpack(
            data[: found.taken // 2],
            final=False,
            cuts=cuts,
            begun=begun,
            portion=portion,
            is_known=is_known,
        )
        if fewer.taken:
            return fewer
    original = data[: found.taken]
    if not found.recipe or _packs_again(found, original, begun):
        return found
    return Unpacked(found.taken, b"", original, [Piece(found.taken)], found.cuts)


def _seen_through(
    data: bytes,
    final: bool,
    cuts: Sequence[int],
    begun: GoesOn | None,
    portion: int,
    is_known: Callable[[bytes], bool] | None,
) -> tuple[Unpacked, bool]:
    """What may become of the data, layer by layer, and whether there was no room for some of it."""
    final = final and len(data) <= MOST_BYTES
    window = Window(padded(np.frombuffer(data, np.uint8)[:MOST_BYTES]), final=final)
    found = _Search(window, is_known, portion).run([(0, window.end)], begun)
    taken, goes_on = found.taken, found.begun
    window.cuts += cuts
    ahead = sorted({place - taken for place in window.cuts if place > taken})[:_MOST_CUTS]
    content, pieces = data[:taken], [Piece(taken)]
    layers: list[bytes] = []
    crowded = False
    while found.entries or found.window.cuts:
        content, pieces = _content(content, pieces, found)
        if any(entry.kind != UNCHANGED for entry in found.entries):
            layers.append(_layer_recipe(found.entries))
        if len(layers) == MOST_LAYERS:
            break
        window = Window(padded(np.frombuffer(content, np.uint8)), final=True)
        found = _Search(window, is_known).run(_fresh(pieces))
        crowded = crowded or found.crowded
    pieces = repeated_as_bytes(content, pieces)
    recipe = write_number(len(layers)) + b"".join(reversed(layers)) if layers else b""
    return Unpacked(taken, recipe, content, pieces, ahead, goes_on), crowded and bool(layers)


def _packs_again(made: Unpacked, original: bytes, begun: GoesOn | None) -> bool:
    """Whether a reader would make the very same data again."""
    if max(len(made.recipe), len(made.content)) > MOST_BYTES:
        return False
    before = begun.stream if isinstance(begun, Begun | BegunBlocks) else None
    try:
        return Repacker(before).repack(made.recipe, made.content) == original
    except CorruptStreamError:
        return False


def _growth(entry: Entry) -> int:
    return len(entry.content) - (entry.end - entry.start)


def _is_bomb(entry: Entry, begun: GoesOn | None = None) -> bool:
    """Whether what was packed grows too much, together with what has begun before."""
    size, content = entry.end - entry.start, len(entry.content)
    if isinstance(begun, Begun | BegunBlocks):
        size, content = size + begun.size, content + begun.content
    return content > _MOST_GROWTH * size


class _Found(NamedTuple):
    """What was found among some data."""

    entries: list[Entry]
    window: Window
    taken: int
    """How many of the data are dealt with so."""
    begun: GoesOn | None
    """A stream that goes on after them."""
    crowded: bool
    """Whether anything was left out that there was no room for."""


class _Search:
    """The search for carriers in a window.

    Parameters
    ----------
    window
    is_known
        As of `unpack`.
    portion
        As of `unpack`; 0 if the data are what other data have become, which are taken as a whole.
    """

    def __init__(
        self, window: Window, is_known: Callable[[bytes], bool] | None, portion: int = 0
    ) -> None:
        self.window = window
        self.is_known = is_known
        self.portion = portion
        self.entries: list[Entry] = []
        self.grown = 0
        """How many bytes more the content has than the data."""
        self.begun: GoesOn | None = None
        """A stream that goes on where the search has stopped."""
        self.crowded = False
        """Whether anything was left out that there was no room for."""

    def run(self, ranges: Iterable[tuple[int, int]], begun: GoesOn | None = None) -> _Found:
        """Look for carriers in ranges, behind what has begun before.

        Not all data are taken where there is no room for more content, or something is unfinished.
        """
        stop = None if begun is None else self.go_on(begun)
        for begin, end in ranges:
            if stop is not None:
                break
            stop = self.look(begin, end)
        if stop is None:
            stop = min(self.window.end, MOST_BYTES - self.grown)
        kept = [
            entry
            for entry in self.entries
            if all(place.stop <= stop and self._stays(place) for place in entry.told_at)
        ]
        return _Found(kept, self.window, stop, self.begun, self.crowded)

    def _stays(self, place: range) -> bool:
        """Whether nothing that stands at a place becomes something else."""
        k = bisect_left(self.entries, place.stop, key=lambda entry: entry.start)
        return k == 0 or self.entries[k - 1].end <= place.start

    def go_on(self, begun: GoesOn) -> int | None:
        """See what goes on with the first of the data; return where to stop, if anywhere."""
        try:
            found = next_portion(self.window, begun, self.portion)
        except UnfinishedError:
            if self.window.waits(0):
                self.begun = begun
                return 0
            found = None
        if found is None or not self._has_room(found.entry) or _is_bomb(found.entry, begun):
            return None
        self._add(found.entry)
        self.begun = found.begun
        return found.entry.end if found.entry.cut else None

    def look(self, begin: int, end: int, *, in_header: bool = False) -> int | None:
        """Look in a range; return where to stop, if that is before its end.

        In a long header of an entry there may be others, but what is found there stops nothing.
        """
        after = max(begin, self.entries[-1].end if self.entries else 0)
        places = Places(self.window.buffer, after, end)
        while (place := places.next(after)) is not None:
            in_vain = self.window.in_vain
            begun = None
            self.window.searched = range(begin, end)
            try:
                entry = entry_at(self.window, place)
            except UnfinishedError:
                beginning = self._beginning(place, begin, after)
                if self.window.waits(beginning) and not in_header:
                    return self._leave(beginning)
                entry, begun = self._first_portion(place, in_vain, in_header)
            except TooLongError:
                entry, begun = self._first_portion(place, in_vain, in_header)
            if entry is None:
                continue
            if entry.start < after or entry.end > end:
                self.window.tried(entry.end - place.start)
                continue
            entry = self._left_if_known(entry)
            if _is_bomb(entry):
                continue
            if entry.start - place.start > _LONG_HEADER and not in_header:
                self.look(place.start + 1, entry.start, in_header=True)
            if not self._has_room(entry):
                self.crowded = True
                if self.entries and not in_header and self.portion:
                    beginning = self._beginning(place, begin, after)
                    last = self.entries[-1].end
                    return self._leave(min(beginning, last) if beginning > begin else last)
                continue
            self.window.in_vain = in_vain  # what was tried for this entry was not
            self._add(entry)
            after = entry.end
            if entry.cut and not in_header:
                self.begun = begun
                return after
        return None

    def _has_room(self, entry: Entry) -> bool:
        """Whether the content does not become too long by an entry.

        Data that others have become are taken as a whole.
        """
        end = entry.end if self.portion else self.window.end
        return end + self.grown + _growth(entry) <= MOST_BYTES

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.grown += _growth(entry)

    def _first_portion(
        self, place: Place, in_vain: int, in_header: bool
    ) -> tuple[Entry | None, GoesOn | None]:
        """That of a stream which is too long, and what goes on after it.

        What was looked at to find out that it is so was not in vain, if there is one.
        """
        if in_header or not self.portion:
            return None, None
        tried = self.window.in_vain - in_vain
        self.window.in_vain = in_vain
        try:
            found = first_portion(self.window, place, self.portion)
        except UnfinishedError:
            found = None
        if found is None:
            self.window.tried(tried)
            return None, None
        return found

    def _left_if_known(self, entry: Entry) -> Entry:
        """The entry, or one of the data as they are, where the model knows them.

        The directory of a zip archive takes all its members as entries.
        """
        untouched = entry.cut or entry.kind in (UNCHANGED, *MEMBERS, ENTRIES, PORTION)
        if self.is_known is None or untouched:
            return entry
        packed = bytes(self.window.buffer[entry.start : entry.end])
        if not self.is_known(packed):
            return entry
        pieces = [Piece(len(packed))]
        return entry._replace(kind=UNCHANGED, numbers=b"", content=packed, pieces=pieces)

    def _beginning(self, place: Place, begin: int, after: int) -> int:
        """Where what is found begins: pixels need the header of their PNG, or their dictionary."""
        if place.what == ZLIB:
            return max(dictionary_start(self.window, place.start), after)
        if place.what != DATA:
            return max(place.start, after)
        if self.window.picture is not None and self.window.picture_start >= begin:
            return self.window.picture_start
        return max(place.start - 4, after)

    def _leave(self, stop: int) -> int:
        """Leave what lies behind a place for another time; return the place."""
        while self.entries and self.entries[-1].end > stop:
            self.grown -= _growth(self.entries.pop())
        return stop


def _fresh(pieces: list[Piece]) -> Iterator[tuple[int, int]]:
    """Where the pieces lie that other carriers may be in."""
    at = 0
    for piece in pieces:
        if piece.fresh:
            yield at, at + piece.length
        at += piece.length


def _layer_recipe(entries: list[Entry]) -> bytes:
    """The entries as bytes: for each the bytes since the last one, its kind, its numbers."""
    ends = [entry.end for entry in entries]
    grown = [0, *accumulate(map(_growth, entries))]
    entries = [entry for entry in entries if entry.kind != UNCHANGED]
    written = bytearray(write_number(len(entries)))
    after = 0
    fonts = b""
    for entry in entries:
        written += write_number(entry.start - after) + write_number(entry.kind) + entry.numbers
        after = entry.end
        if entry.kind == GLYPHS:
            before, fonts = fonts, write_number(len(entry.told_at)) + entry.shared
            starts = [place.start for place in entry.told_at]
            fonts += write_numbers(start + grown[bisect_right(ends, start)] for start in starts)
            written += fonts if fonts != before else write_number(0)
    return bytes(written)


def _content(data: bytes, pieces: list[Piece], found: _Found) -> tuple[bytes, list[Piece]]:
    """What the data have become, and its pieces; each entry lies within a piece of the data."""
    content = bytearray()
    made: list[Piece] = []
    left = deque(found.entries)
    cuts = sorted(set(found.window.cuts))
    at = begin = end = 0

    def keep(until: int, piece: Piece) -> None:
        """The data up to a place stay as they are."""
        nonlocal at
        content.extend(data[at:until])
        inner = cuts[bisect_right(cuts, at) : bisect_left(cuts, until)]
        for stop in [*inner, until] if piece.block_type is None else [until]:
            if stop > at:
                first = at in found.window.files or (piece.first and at == begin)
                made.append(piece._replace(length=stop - at, fresh=False, first=first))
                at = stop

    for piece in pieces:
        begin, end = end, end + piece.length
        while left and left[0].start < end:
            entry = left.popleft()
            keep(entry.start, piece)
            made.extend(entry.pieces)
            content += entry.content
            at = entry.end
        keep(end, piece)
    return bytes(content), made
