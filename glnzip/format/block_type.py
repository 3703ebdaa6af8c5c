"""What kind of data a block holds, as the model sees it: the planner looks, the block header says.

Looking at the whole block beforehand costs the encoder little and the decoder nothing. A new kind
of data is a number and a row of `BLOCK_MODELS` here, what recognises it in `glnzip.planner`, and,
if it has a block model of its own, a table in `glnzip.model.table`.
"""

from __future__ import annotations

from typing import NamedTuple

# Kinds of data. The header has five bits for them, in two places: the two low ones here are its
# bits 2 and 3, the three high ones its bits 5 to 7. The low two are 0 of most that are seen byte by
# byte: text; other data; x86 code whose calls, or calls and data addresses, were made absolute
# (`glnzip.transforms.x86_addresses`); text that tells the model the classes of words
# (`glnzip.model.contexts.word_classes`); numbers (`glnzip.transforms.byte_order`); other data whose
# header tells the length of its records, which the model finds by itself elsewhere; A64 code
# (`glnzip.transforms.a64_words`). Fonts (`glnzip.model.contexts.fonts`), class files of Java
# (`glnzip.transforms.class_reader`) and compiled modules of Python
# (`glnzip.transforms.python_reader`) came later.
TEXT, BITMAP, IMAGE, AUDIO = range(4)
BINARY, CALLS, CALLS_AND_DATA, LEXICON, NUMBERS, RECORDS, A64 = 4, 8, 12, 16, 20, 24, 28
JPEG = 5
WIDE_IMAGE = 6
FONT = 9
CLASS_FILES = 13
PYTHON_CODE = 17
VOLUME, WIDE_VOLUME = 10, 14  # slices, one after the other, which are grey images of these forms

BLOCK_MODELS = {
    TEXT: "text",
    LEXICON: "text",
    BINARY: "binary",
    RECORDS: "binary",
    CALLS: "code",
    CALLS_AND_DATA: "code",
    A64: "code",
    FONT: "code",
    CLASS_FILES: "code",
    PYTHON_CODE: "code",
    NUMBERS: "numbers",
    BITMAP: "bitmap",
    IMAGE: "image",
    WIDE_IMAGE: "image",
    VOLUME: "image",
    WIDE_VOLUME: "image",
    AUDIO: "audio",
    JPEG: "jpeg",
}
"""Which field of a `glnzip.model.state.Model` sees blocks of each kind."""

OF_BYTES = ("text", "binary", "code", "numbers")
"""Those that see data byte by byte, with contexts, and share their memory."""

IMAGES = (IMAGE, WIDE_IMAGE, VOLUME, WIDE_VOLUME)
"""Kinds whose blocks are images of one or two bytes a sample."""

VOLUMES = (VOLUME, WIDE_VOLUME)
"""Which of them have slices."""

MEDIA = (BITMAP, *IMAGES, AUDIO, JPEG)
"""Kinds whose blocks have a geometry of their own."""

SAMPLED = (*IMAGES, AUDIO)
"""Kinds whose blocks are samples."""

LEXICON_HEADING = b"glnzip lexicon\n"
"""How a block begins that the planner takes for a lexicon."""

MAX_IMAGE_CHANNELS = 4
MAX_CHANNELS = 8  # of audio
MAX_NUMBERS = 31  # in a step of numbers
MAX_JPEG_WIDTH = 4096  # blocks beside each other, of all components

# How a sample or a number is written: bytes, whether signed, whether the lowest byte comes first.
SAMPLE_FORMS = (
    (1, False, True),
    (1, True, True),
    (2, True, True),
    (2, True, False),
    (3, True, True),
    (3, True, False),
    (2, False, True),
    (2, False, False),
    (4, True, True),
    (4, True, False),
    (8, True, True),
    (8, True, False),
    (4, True, True),
    (4, True, False),
    (8, True, True),
    (8, True, False),
)
AUDIO_FORMS = range(6)
"""Which of the forms audio may have."""
WIDE_FORMS = (2, 3, 6, 7)
"""Which of them wide images may have."""
NUMBER_FORMS = range(8, 16)
"""Which of them numbers may have."""
WHOLE_NUMBERS, FLOATS = range(8, 12), range(12, 16)
"""Which of these are whole numbers, and which, in the same order, floats (IEEE 754)."""


class BlockType(NamedTuple):
    """What the block header says to the model."""

    kind: int
    """`TEXT`, `BINARY`, `CALLS`, `CALLS_AND_DATA`, `A64`, `FONT`, `CLASS_FILES`, `PYTHON_CODE`,
    `LEXICON`, `NUMBERS` or `RECORDS`;
    `BITMAP` for an image of one bit a pixel; `IMAGE` for one of a byte a sample, `WIDE_IMAGE` of
    two; `VOLUME`, `WIDE_VOLUME` for slices of these; `AUDIO`; `JPEG` for the data of a scan."""
    row_bytes: int = 0
    """Length of a row (of a table, a record, an image, an array), 0 for none; of `JPEG` that of the
    tables just before the block, 0 if it goes on with the scan of the block before."""
    step: int = 0
    """Of an image or audio: bytes from one sample to the next of the same channel; of numbers, to
    the next of the same kind; of records, to the next one."""
    sample_form: int = 0
    """Of audio, wide images and numbers: how one is written, an index of `SAMPLE_FORMS`."""
    phase: int = 0
    """Of the same: bytes at the block's start that end one begun before."""
    slice_bytes: int = 0
    """Of a volume: bytes from a slice to the next."""
    address: int = 0
    """Of A64 code: that of the first byte, as the code counts, as far as it is known."""

    @property
    def block_model(self) -> str:
        """The field of a `glnzip.model.state.Model` that sees such a block."""
        return BLOCK_MODELS[self.kind]
