"""Drive the model with everything it should never meet: ``python -m tests.hostile_blocks``.

Numba does not check indices. A test runs this with ``NUMBA_BOUNDSCHECK=1``, which makes it raise an
IndexError; the network's vector loops, which even that leaves unchecked, then look before each bit
whether neurons have chosen rows of their own. Buckets are copied unchecked as well, where their
check byte is read.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from glnzip.coding.bit_loop import LEARN, run_block
from glnzip.coding.block_codec import BlockCodec
from glnzip.errors import GlnzipError
from glnzip.format.block_type import (
    A64,
    AUDIO,
    AUDIO_FORMS,
    BINARY,
    BITMAP,
    CALLS,
    CALLS_AND_DATA,
    CLASS_FILES,
    FONT,
    IMAGE,
    JPEG,
    LEXICON,
    MAX_CHANNELS,
    MAX_IMAGE_CHANNELS,
    MAX_NUMBERS,
    NUMBER_FORMS,
    NUMBERS,
    PYTHON_CODE,
    RECORDS,
    SAMPLE_FORMS,
    TEXT,
    VOLUME,
    WIDE_FORMS,
    WIDE_IMAGE,
    WIDE_VOLUME,
    BlockType,
)
from glnzip.format.container import (
    MAX_ADDRESS,
    MAX_NUMBER_ROW,
    MAX_RECORD_BYTES,
    MAX_SLICE_BYTES,
    MIN_RECORD_BYTES,
    MIN_SLICE_ROWS,
)
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.jit import inline
from glnzip.messages.message_coder import MessageCoder
from glnzip.model.build import new_model
from glnzip.model.roles import named_arrays
from tests.checks import sample
from tests.class_files import class_file
from tests.compact_fonts import compact_font, opentype, private_part
from tests.fonts import font
from tests.model.model_parts import networks_of
from tests.python_modules import module
from tests.raw_files import library
from tests.samples import waves

LEVELS = (MIN_LEVEL, DEFAULT_LEVEL, MAX_LEVEL)
ROW_BYTES = (0, 1, 2, 3, 5, 7, 8, 9, 63, 255, 257, 1023, 4097, 32769, 65534, 65535)
POSITIONS = (0, 1 << 16, (1 << 31) - 900, (1 << 32) - 900, (1 << 40) - 900)
SMALL_RING = 1 << 10  # so that it wraps around


def check_that_numbers_are_numbers(codec: Any) -> None:
    """No weight, mean or scale has become infinite, or none at all."""
    for name, array in named_arrays(codec.model):
        learned = array.dtype.kind == "f" and not name.endswith(
            ("network.bounds", "first_stage.bounds")
        )
        fields = [array[field] for field in array.dtype.names or ()]
        floats = [part for part in fields if part.dtype.kind == "f"] + [array] * learned
        if not all(np.isfinite(part).all() for part in floats):
            raise ValueError(f"{name} holds infinities")


def check_that_bounds_are_checked(codec: Any, block_type: BlockType) -> None:
    """Fail unless the plan's kernel raises errors for indices and rows that are out of bounds."""
    nothing = np.zeros(0, np.uint8)
    try:
        run_block(LEARN, block_type, codec.model, codec._coder, nothing, nothing, 0, 1)
    except IndexError:
        for network in networks_of(codec.model):
            network.rows[:] = 0  # no context is one of them
        try:
            codec.learn(b"a", block_type)
        except AssertionError:
            return
    raise RuntimeError("bounds are not checked: this run proves nothing")


@inline
def element(array, index):
    """The element of an array, for `check_that_nothing_counts_from_the_end`."""
    return array[index]


def check_that_nothing_counts_from_the_end() -> None:
    """Fail unless a negative index is an error."""
    try:
        element(np.zeros(3, np.uint8), -1)
    except IndexError:
        return
    raise AssertionError("a negative index is taken for one from the end")


def plans_of_bytes(chance: random.Random) -> Iterator[BlockType]:
    """Bytes of every form, and pixels, with rows of all lengths."""
    for row_bytes in (*ROW_BYTES, *(chance.randrange(1, 65536) for _ in range(4))):
        for form in (TEXT, BINARY, LEXICON, chance.choice((CALLS, CALLS_AND_DATA))):
            yield BlockType(form, row_bytes)
        yield BlockType(BITMAP, row_bytes)
        yield BlockType(JPEG, row_bytes)
    for row_bytes in ROW_BYTES[::4]:  # which these do not look at
        yield BlockType(A64, row_bytes, address=chance.randrange(MAX_ADDRESS + 1))
        for form in (FONT, CLASS_FILES, PYTHON_CODE):
            yield BlockType(form, row_bytes)


def plans_of_numbers() -> Iterator[BlockType]:
    """Images of every step, volumes, with rows of all lengths; sounds of every form and phase."""
    for row_bytes in ROW_BYTES[1:]:
        for step in range(1, MAX_IMAGE_CHANNELS + 1):
            yield BlockType(IMAGE, row_bytes, step)
            for form in WIDE_FORMS:
                yield BlockType(WIDE_IMAGE, row_bytes, 2 * step, form, step % 2)
        for slice_bytes in (MIN_SLICE_ROWS * row_bytes, MAX_SLICE_BYTES):
            yield BlockType(VOLUME, row_bytes, 1, slice_bytes=slice_bytes)
            yield BlockType(WIDE_VOLUME, row_bytes, 2, WIDE_FORMS[0], 1, slice_bytes)
    for form in AUDIO_FORMS:
        width = SAMPLE_FORMS[form][0]
        for channels in (1, 2, MAX_CHANNELS):
            for phase in range(width):
                yield BlockType(AUDIO, 0, width * channels, form, phase)


def plans_of_arrays(chance: random.Random) -> Iterator[BlockType]:
    """Numbers of every form and phase, with steps and rows of all lengths; records."""
    for form in NUMBER_FORMS:
        width = SAMPLE_FORMS[form][0]
        for count in (1, chance.randrange(2, MAX_NUMBERS), MAX_NUMBERS):
            row = width * chance.choice((0, 1, 40, chance.randrange(1, MAX_NUMBER_ROW // width)))
            yield BlockType(NUMBERS, row, width * count, form, chance.randrange(width))
    for record in (MIN_RECORD_BYTES, chance.randrange(2, 5000), MAX_RECORD_BYTES):
        yield BlockType(RECORDS, chance.choice(ROW_BYTES), record)


def programs(chance: random.Random) -> Iterator[bytes]:
    """Programs for Windows, whose headers say anything."""
    for seed in range(4):
        data = bytearray(library(seed, wide=seed % 2 == 1, code=100, data=40))
        for _ in range(3 * seed):
            place = chance.randrange(128, 512)
            size = chance.choice((1, 4, 8))
            data[place : place + size] = chance.choice((b"\0", b"\xff", b"\x80", b"\x10")) * size
        yield bytes(data)


def fonts(chance: random.Random) -> Iterator[bytes]:
    """Fonts whose tables, outlines and programs say anything; the first of each what is so."""
    for seed in range(4):
        for made in (
            font(9, names=0, alignment=1 + seed % 2, widths_first=seed % 3 == 1),
            compact_font(5, seed=1 + seed, by_fonts=seed % 2 == 1),
            opentype(compact_font(3)) + bytes(100),
            private_part(3),
        ):
            data = bytearray(made)
            for _ in range(4 * seed):
                place = chance.randrange(4, len(data) if seed > 2 else 160)
                size = chance.choice((1, 2, 4))
                data[place : place + size] = (
                    chance.choice((b"\0", b"\xff", b"\x80", b"\x07")) * size
                )
            yield bytes(data)


def classes(chance: random.Random) -> Iterator[bytes]:
    """Class files that say anything; the first one says what is so."""
    for seed in range(5):
        data = bytearray(class_file(2, seed=1 + seed, forward=seed % 2 == 0))
        for _ in range(4 * seed):
            place = chance.randrange(8, len(data) if seed > 2 else 160)
            size = chance.choice((1, 2, 4))
            data[place : place + size] = chance.choice((b"\0", b"\xff", b"\x80", b"\x07")) * size
        yield bytes(data)


def modules(chance: random.Random) -> Iterator[bytes]:
    """Modules of Python that say anything; the first one says what is so."""
    for seed in range(5):
        data = bytearray(module(3, seed=1 + seed, version=(11, 8, 11, 7, 11)[seed]))
        for _ in range(6 * seed):
            place = chance.randrange(16, len(data))
            size = chance.choice((1, 1, 4))
            data[place : place + size] = chance.choice((b"\0", b"\xff", b"\x80", b"\x07")) * size
        yield bytes(data)


def hostile_messages(coder: MessageCoder, blocks: Iterable[bytes]) -> None:
    """Code messages, and decode what no sender has made; after each the model is put back."""
    for _ in range(2):
        for block in filter(None, blocks):
            coder.encode(block)
            with suppress(GlnzipError):
                coder.decode(block, 200)


def main() -> None:
    """Decode, learn and encode hostile blocks, in all views and at the edges of positions."""
    chance = random.Random(1)
    for block_type in (BlockType(TEXT), BlockType(IMAGE, 1, 1)):
        check_that_bounds_are_checked(BlockCodec(new_model(MIN_LEVEL)), block_type)
    extremes = (b"", bytes(40), b"\xff" * 40, b"\x00\xff" * 60, b"\x80\x7f\x00\x01" * 30)
    blocks = (*extremes, chance.randbytes(100), sample(150), waves(20, 12), waves(12, 15))
    check_that_nothing_counts_from_the_end()
    for level in LEVELS:
        # seen alike at all levels
        for position in POSITIONS if level == MIN_LEVEL else POSITIONS[level % 2 :: 2]:
            codec: Any = BlockCodec(new_model(level))
            recent = codec.model.recent._replace(buffer=np.zeros(SMALL_RING, np.uint8))
            codec.model = codec.model._replace(recent=recent)
            recent.now[0].position = position
            block_types = [*plans_of_bytes(chance), *plans_of_arrays(chance)]
            if level == MIN_LEVEL:  # numbers are seen alike at all levels
                block_types += plans_of_numbers()
                chance.shuffle(block_types)
            for block_type in block_types:
                block, length = chance.choice(blocks), chance.randrange(1, 120)
                codec.begin_decode(block, length, block_type)
                codec.decode(length)
                codec.learn(chance.choice(blocks), block_type)
                codec.encode(chance.choice(blocks), block_type)
            for data in programs(chance):
                codec.learn(data, BlockType(chance.choice((BINARY, CALLS))))
            for data in fonts(chance):
                codec.learn(data, BlockType(FONT))
            for data in classes(chance):
                codec.learn(data, BlockType(CLASS_FILES))
            for data in modules(chance):
                codec.learn(data, BlockType(PYTHON_CODE))
        check_that_numbers_are_numbers(codec)
    for level in LEVELS[:2]:
        hostile_messages(MessageCoder(level, None), blocks)


if __name__ == "__main__":
    main()
