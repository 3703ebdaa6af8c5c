"""What kinds of blocks are called where people read of them."""

from glnzip.format.block_type import (
    A64,
    AUDIO,
    BINARY,
    BITMAP,
    CALLS,
    CALLS_AND_DATA,
    CLASS_FILES,
    FONT,
    IMAGE,
    JPEG,
    LEXICON,
    NUMBERS,
    PYTHON_CODE,
    RECORDS,
    TEXT,
    VOLUME,
    WIDE_IMAGE,
    WIDE_VOLUME,
)

KIND_NAMES = {
    TEXT: "text", LEXICON: "lexicon", BINARY: "other", CALLS: "x86 code",
    CALLS_AND_DATA: "x86 code", A64: "A64 code", FONT: "font", CLASS_FILES: "Java classes",
    PYTHON_CODE: "Python code", BITMAP: "bitmap", IMAGE: "image", WIDE_IMAGE: "image",
    VOLUME: "volume", WIDE_VOLUME: "volume", AUDIO: "audio", JPEG: "JPEG",
    NUMBERS: "numbers", RECORDS: "records",
}  # fmt: skip
"""By the kind of a `glnzip.format.block_type.BlockType`."""
