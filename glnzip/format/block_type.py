"""How the model should see a block: `glnzip.planner.planner` looks, and the block header says.

Looking at the whole block beforehand costs the encoder little and the decoder nothing.
"""

from __future__ import annotations

from typing import NamedTuple

BYTES, BITMAP, IMAGE, AUDIO = range(4)

# Forms of bytes: text; other data; x86 code whose calls, or calls and data addresses, are rewritten
# (`glnzip.transforms.x86_addresses`); text that tells the model the classes of words
# (`glnzip.model.contexts.word_classes`).
TEXT, BINARY, CALLS, CALLS_AND_DATA, LEXICON = range(5)
LEXICON_HEADING = b"glnzip lexicon\n"
"""How a block begins that the planner takes for a lexicon."""

MAX_IMAGE_STEP = 4
MAX_CHANNELS = 8  # of sound

# How a sample of audio is written: bytes, whether signed, whether the lowest byte comes first.
SAMPLE_FORMS = (
    (1, False, True),
    (1, True, True),
    (2, True, True),
    (2, True, False),
    (3, True, True),
    (3, True, False),
)


class BlockType(NamedTuple):
    """What the block header says to the model.

    Attributes
    ----------
    kind : int
        `BYTES`; `BITMAP` for an image of one bit a pixel; `IMAGE` for one of whole bytes; `AUDIO`.
    row_bytes : int
        Length of a row (of a table, a record, an image); 0 for none.
    step : int
        Of an image or audio: bytes from one sample to the next of the same channel.
    form : int
        Of bytes: `TEXT`, `BINARY`, `CALLS`, `CALLS_AND_DATA` or `LEXICON`. Of audio: how a sample
        is written, an index of `SAMPLE_FORMS`.
    phase : int
        Of audio: bytes at the block's start that end a sample begun before.
    """

    kind: int
    row_bytes: int
    step: int = 0
    form: int = 0
    phase: int = 0


def block_model_used(block_type: BlockType) -> str:
    """The field of a `glnzip.model.state.Model` that sees such a block."""
    if block_type.kind == BYTES:
        return "text" if block_type.form in (TEXT, LEXICON) else "binary"
    return {BITMAP: "bitmap", IMAGE: "image", AUDIO: "audio"}[block_type.kind]
