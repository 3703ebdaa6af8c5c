"""A mark before a picture or a sound: it is seen as if none had been before it."""

from __future__ import annotations

import pytest

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import AUDIO, IMAGE, TEXT, BlockType
from glnzip.model.build import new_model
from tests.fixed_data import LEXICON
from tests.samples import hills, tone


@pytest.mark.parametrize(
    ("data", "other", "block_type"),
    [
        (hills(40, 20, 3), hills(60, 20, 3, 5)[::-1], BlockType(IMAGE, 120, 3)),
        (tone(800, 2, 1), tone(700, 2, 2, 5)[::-1], BlockType(AUDIO, 0, 2, 2)),
    ],
    ids=["image", "audio"],
)
def test_samples_begin_anew(data, other, block_type):
    payloads = []
    for before, marked in ((BlockType(TEXT), False), (block_type, True), (block_type, False)):
        codec = BlockCodec(new_model(1))
        codec.encode(other, before)
        if marked:
            codec.begin_document()
        payloads.append(codec.encode(data, block_type))
    unseen, anew, after = payloads
    assert anew == unseen != after


def test_other_blocks_do_not_notice():
    """Text goes on as if the mark before the sound were not there."""
    texts = []
    for marked in (False, True):
        codec = BlockCodec(new_model(1))
        codec.encode(LEXICON, BlockType(TEXT))
        if marked:
            codec.begin_document()
        codec.encode(tone(800, 2, 1), BlockType(AUDIO, 0, 2, 2))
        texts.append(codec.encode(LEXICON[::-1], BlockType(TEXT)))
    assert texts[0] == texts[1]
