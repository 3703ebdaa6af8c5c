"""A mark before a picture or a sound: it is seen as if none had been before it."""

from __future__ import annotations

import pytest

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import AUDIO, IMAGE, TEXT, BlockType
from glnzip.model.build import new_model
from tests.fixed_data import LEXICON
from tests.samples import hills, tone


def coded(codec: BlockCodec, data: bytes, block_type: BlockType) -> int:
    payload = codec.encode(data, block_type)
    assert payload is not None
    return len(payload)


@pytest.mark.parametrize(
    ("data", "other", "block_type"),
    [
        (hills(40, 20, 3), hills(60, 20, 3, 5)[::-1], BlockType(IMAGE, 120, 3)),
        (tone(800, 2, 1), tone(700, 2, 2, 5)[::-1], BlockType(AUDIO, 0, 2, 2)),
    ],
    ids=["image", "audio"],
)
def test_samples_begin_anew(data, other, block_type):
    codec = BlockCodec(new_model(1))
    codec.encode(LEXICON, BlockType(TEXT))
    alone = coded(codec, data, block_type)
    coded(codec, other, block_type)
    codec.begin_document()
    assert abs(coded(codec, data, block_type) - alone) <= 4  # the bytes before it are others
    assert coded(codec, data, block_type) < alone - 20


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
