"""The encoder's look at what comes: which bytes belong together, and what is packed among them.

A *stretch* is the beginning of the data that are left, ready to be coded: as they are, or unpacked
(`glnzip.transforms.unpacking`), in blocks that each have a type of their own. What becomes of data
depends on them alone, on what headers before them have told, and on how many there are when they
are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from glnzip.format.block_type import (
    A64,
    BINARY,
    BITMAP,
    CLASS_FILES,
    FONT,
    IMAGE,
    IMAGES,
    JPEG,
    MEDIA,
    NUMBERS,
    PYTHON_CODE,
    SAMPLED,
    TEXT,
    BlockType,
)
from glnzip.format.container import BLOCK_BYTES, MAX_ADDRESS, StretchHeader
from glnzip.planner import planner
from glnzip.planner.a64 import changes_of_code
from glnzip.planner.changes import SHORTEST, changes
from glnzip.planner.volumes import or_slices
from glnzip.transforms.a64_words import WORD_BYTES
from glnzip.transforms.unpacking.long_streams import GoesOn
from glnzip.transforms.unpacking.samples import is_of_palette, with_rows
from glnzip.transforms.unpacking.unpack import unpack
from glnzip.transforms.unpacking.window import Piece

_LEAST_DOCUMENT = 1 << 12  # bytes; for less, and for text, it does not pay to learn anew
_LEAST_SAMPLES = 1 << 14  # the same of a picture or a sound
_ALIGNMENT = 8  # bytes: numbers begin at multiples of their size, behind headers too
_PALETTES_ARE_BYTES = 6  # from this level on
_TELLING = 1024  # bytes; what a smaller piece is, its neighbours say
_READ = (A64, NUMBERS, FONT, CLASS_FILES, PYTHON_CODE)
_SEEN_OTHERWISE = (*_READ, BITMAP, *SAMPLED)  # than a base is
_PARTS, _PART, _VALUES = 16, 32, 8  # of a block, by which it may be known; bytes of each; of these


class Block(NamedTuple):
    """Bytes that a model sees, and how."""

    data: bytes
    block_type: BlockType
    anew: bool = False
    """Whether it begins a document that is unlike those before."""


class Stretch(NamedTuple):
    """The next data, as they are to be coded."""

    length: int
    """Bytes of data."""
    header: StretchHeader | None
    """What stands before the blocks; None if their data are the data themselves."""
    blocks: list[Block]
    """The first have the recipe, if the data were unpacked."""
    cuts: list[int]
    """Where, from its end on, what follows is of another kind, as a header in it has told."""
    begun: GoesOn | None = None
    """What goes on after it: a packed stream, or the scan of a JPEG."""
    address: int | None = None
    """That of what follows it, if it ends as A64 code."""


def next_stretch(
    data: bytes,
    level: int,
    *,
    final: bool,
    cuts: Sequence[int] = (),
    begun: GoesOn | None = None,
    address: int | None = None,
    is_known: Callable[[bytes], bool] | None = None,
) -> Stretch | None:
    """What the beginning of the data is to be coded as.

    Parameters
    ----------
    data : bytes
        All that has come and is not coded yet.
    level : int
    final : bool
        Whether they end here.
    cuts : sequence of int
    begun : GoesOn, optional
    address : int, optional
        Those of the stretch before.
    is_known : callable, optional
        As of `unpack`.

    Returns
    -------
    Stretch or None
        None if more data must come first.
    """
    taken, recipe, content, pieces, ahead, goes_on = unpack(
        data, final=final, cuts=cuts, begun=begun, is_known=is_known
    )
    if not taken:
        return None
    seen = _blocks(content, list(_split(content, pieces)), level)
    if is_known is not None:
        seen = (_as_bytes_if_known(block, is_known) for block in seen)
    blocks = list(_with_addresses(seen, address))
    address = _address_after(blocks[-1])
    if not recipe:
        return Stretch(taken, None, blocks, ahead, goes_on, address)
    header = StretchHeader(taken, len(recipe), len(content))
    blocks = [*_cut(recipe, BlockType(BINARY)), *blocks]
    return Stretch(taken, header, blocks, ahead, goes_on, address)


def plain_stretch(
    data: bytes, level: int, is_known: Callable[[bytes], bool] | None = None
) -> Stretch:
    """All of the data as one block, whatever is in them; `is_known` is as of `next_stretch`."""
    block = Block(data, planner.choose_block_type(data, level))
    if is_known is not None:
        block = _as_bytes_if_known(block, is_known)
    return Stretch(len(data), None, [block], [])


def _split(content: bytes, pieces: list[Piece]) -> Iterator[Piece]:
    """The pieces, cut where they change from text, or from A64 code, to something else."""
    at = 0
    for piece in pieces:
        start, end = at, at + piece.length
        if piece.block_type is None and piece.length >= SHORTEST:
            of_text = changes(np.frombuffer(content, np.uint8, piece.length, start))
            for place in sorted([*of_text, *changes_of_code(content[start:end])]):
                change = start + place & -_ALIGNMENT
                if change > at:
                    yield piece._replace(length=change - at, first=piece.first and at == start)
                    at = change
        yield piece._replace(length=end - at, first=piece.first and at == start)
        at = end


def _blocks(content: bytes, pieces: list[Piece], level: int) -> Iterator[Block]:
    """Neighbouring pieces that are alike, together."""
    at = 0
    for length, block_type, anew in _runs(content, pieces, level):
        end = at + length
        if block_type is not None:
            yield from _cut(content[at:end], block_type, anew=anew)
        else:
            for start in range(at, end, BLOCK_BYTES):
                data = content[start : min(start + BLOCK_BYTES, end)]
                block_type = planner.choose_block_type(data, level)
                yield Block(data, block_type, anew and start == at)
        at = end


def _as_bytes_if_known(block: Block, is_known: Callable[[bytes], bool]) -> Block:
    """A block; as other data if the model knows half of it as it is, and would see it otherwise.

    Parts of it tell, but those of few values, which may be anywhere.
    """
    if block.block_type.kind not in _SEEN_OTHERWISE:
        return block
    data = block.data
    places = range(0, len(data), len(data) // _PARTS + 1)
    parts = [part for at in places if len(set(part := data[at : at + _PART])) >= _VALUES]
    known = sum(map(is_known, parts))
    return block._replace(block_type=BlockType(BINARY)) if 0 < len(parts) <= 2 * known else block


def _with_addresses(blocks: Iterable[Block], address: int | None) -> Iterator[Block]:
    """The blocks; those of A64 code at the addresses at which it goes on."""
    for block in blocks:
        own = block.block_type
        if own.kind == A64 and address is not None and (address - own.address) % WORD_BYTES == 0:
            block = block._replace(block_type=own._replace(address=address))
        address = _address_after(block)
        yield block


def _address_after(block: Block) -> int | None:
    """The address of what follows a block of A64 code."""
    if block.block_type.kind != A64:
        return None
    return (block.block_type.address + len(block.data)) % (MAX_ADDRESS + 1)


def _cut(data: bytes, block_type: BlockType, *, anew: bool = False) -> Iterator[Block]:
    """Blocks of a type that is known, of whole rows or samples."""
    scan = block_type.kind == JPEG
    unit = block_type.row_bytes or block_type.step or 1
    size = BLOCK_BYTES - (0 if scan else BLOCK_BYTES % unit)
    for start in range(0, len(data), size):
        yield Block(data[start : start + size], block_type, anew and start == 0)
        if scan:
            block_type = BlockType(JPEG)  # it goes on


class _Run(NamedTuple):
    """Bytes that are alike."""

    length: int
    block_type: BlockType | None
    """If it is known beforehand."""
    anew: bool = False


def _runs(content: bytes, pieces: list[Piece], level: int) -> Iterator[_Run]:
    """What is alike, one after the other."""
    at = length = 0
    kind: int | None = None  # of the run
    anew = False
    for piece in pieces:
        own = None  # looked for where it is not known, and where there are others to tell it from
        if piece.block_type is None and len(pieces) > 1:
            own = _kind(content[at : at + piece.length], level)
        at += piece.length
        alone = piece.block_type is not None or own in MEDIA
        begins = piece.first and piece.length >= _LEAST_DOCUMENT and own != TEXT
        differs = kind in MEDIA or (None not in (own, kind) and own != kind)
        if length and (alone or begins or differs):
            yield _Run(length, None, anew)
            length, kind, anew = 0, None, False
        if piece.block_type is not None:
            block_type = _known(content, at - piece.length, piece.length, piece.block_type, level)
            samples = block_type.kind in SAMPLED and piece.length >= _LEAST_SAMPLES
            yield _Run(piece.length, block_type, piece.first and samples)
            continue
        length += piece.length
        kind = kind if own is None else own
        anew = anew or begins
    if length:
        yield _Run(length, None, anew)


def _known(content: bytes, at: int, length: int, block_type: BlockType, level: int) -> BlockType:
    """What is known of a piece, as the models of a level should see it.

    Colours of a palette are an image, but where models of bytes know enough to find more in them.
    Of images of shades it is not known whether they have slices.
    """
    if block_type.kind in IMAGES:
        middle = at + max(length - BLOCK_BYTES, 0) // 2
        seen = np.frombuffer(content, np.uint8, min(length, BLOCK_BYTES), middle)
        return or_slices(seen, block_type)
    if not is_of_palette(block_type):
        return block_type
    if level < _PALETTES_ARE_BYTES:
        return BlockType(IMAGE, block_type.row_bytes, 1)
    return with_rows(block_type.row_bytes)


def _kind(data: bytes, level: int) -> int | None:
    """What tells a piece from its neighbours; None if it is too small to tell."""
    if len(data) < _TELLING:
        return None
    if planner.is_text(np.frombuffer(data, np.uint8)):
        return TEXT
    return planner.choose_block_type(data[:BLOCK_BYTES], level).kind
