"""What kinds of blocks are called where people read of them."""

from glnzip.format.block_type import (
    AUDIO,
    BINARY,
    BITMAP,
    CALLS,
    CALLS_AND_DATA,
    IMAGE,
    JPEG,
    LEXICON,
    NUMBERS,
    RECORDS,
    TEXT,
    WIDE_IMAGE,
)

KIND_NAMES = {
    TEXT: "text", LEXICON: "lexicon", BINARY: "other", CALLS: "x86 code",
    CALLS_AND_DATA: "x86 code", BITMAP: "bitmap", IMAGE: "image", WIDE_IMAGE: "image",
    AUDIO: "audio", JPEG: "JPEG", NUMBERS: "numbers", RECORDS: "records",
}  # fmt: skip
"""By the kind of a `glnzip.format.block_type.BlockType`."""
