"""What data are unpacked to, packed again before it is believed."""

from __future__ import annotations

from glnzip.format.block_type import BlockType
from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.unpack import Unpacked, unpack


def checked(data: bytes, *, final: bool = True) -> Unpacked:
    """What `unpack` says, if it is true."""
    made = unpack(data, final=final)
    assert sum(piece.length for piece in made.pieces) == len(made.content)
    packed = repack(made.recipe, made.content) if made.recipe else made.content
    assert packed == data[: made.taken]
    return made


def typed(made: Unpacked) -> list[tuple[bytes, BlockType]]:
    """The pieces whose types are known."""
    at, pieces = 0, []
    for piece in made.pieces:
        if piece.block_type is not None:
            pieces.append((made.content[at : at + piece.length], piece.block_type))
        at += piece.length
    return pieces
