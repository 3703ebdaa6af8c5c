"""Limits so small that streams of a few thousand bytes are too long for a stretch."""

from __future__ import annotations

import pytest

from glnzip.transforms.unpacking import carriers, long_streams, parts, undone, unpack, window
from glnzip.transforms.unpacking.bzip2 import BegunBlocks
from glnzip.transforms.unpacking.repack import Repacker
from glnzip.transforms.unpacking.tiff import BegunStrips
from glnzip.transforms.unpacking.unpack import Unpacked

MOST = 3000
"""Bytes of a stretch, and of its content."""
PORTION = 700
"""Bytes of data of a portion."""


def leave_little_room(monkeypatch: pytest.MonkeyPatch, most: int = MOST) -> None:
    """Set the limits."""
    for module in (carriers, long_streams, parts, undone, unpack, window):
        monkeypatch.setattr(module, "MOST_BYTES", most)
    monkeypatch.setattr(long_streams, "_LEAST", 0)
    assert unpack.unpack.__kwdefaults__ is not None
    monkeypatch.setitem(unpack.unpack.__kwdefaults__, "portion", PORTION)
    for module in (long_streams, unpack):
        monkeypatch.setattr(module, "LEAST_PORTION", PORTION // 4)


def stretches(data: bytes, *, piece: int = 0, portion: int = PORTION) -> list[Unpacked]:
    """What the data become, stretch after stretch, if they come in pieces of so many bytes.

    They are packed again, and have become the same.
    """
    packer = Repacker()
    made = []
    begun = None
    begin, end = 0, piece or len(data)
    while begin < len(data):
        final = end >= len(data)
        found = unpack.unpack(data[begin:end], final=final, begun=begun, portion=portion)
        if not found.taken:
            assert not final
            end += piece
            continue
        original = data[begin : begin + found.taken]
        if found.recipe:
            assert max(len(found.recipe), len(found.content)) <= parts.MOST_BYTES
            assert packer.repack(found.recipe, found.content) == original
        else:
            assert found.content == original
        assert sum(of.length for of in found.pieces) == len(found.content)
        made.append(found)
        begin, begun = begin + found.taken, found.begun
        end = max(end, begin + piece)
    assert begun is None or isinstance(begun, BegunBlocks | BegunStrips)  # the data were cut
    return made
