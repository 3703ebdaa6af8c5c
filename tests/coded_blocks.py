"""Code some blocks and print a digest of each payload: ``python -m tests.coded_blocks 1000 1 6``.

A test runs this in processes with other settings of the compiler and compares what they print. With
``--cpu NAME`` the kernels that came with the package are compiled for that CPU, and no others.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import (
    A64,
    AUDIO,
    BINARY,
    BITMAP,
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
    WIDE_IMAGE,
    WIDE_VOLUME,
    BlockType,
)
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.model.build import new_model
from tests.checks import sample
from tests.class_files import class_file
from tests.fixed_data import a64_code
from tests.fonts import font
from tests.packed import Jpeg
from tests.python_modules import module
from tests.samples import machine_code

LEVELS = (MIN_LEVEL, 4, DEFAULT_LEVEL, MAX_LEVEL)
BLOCK_TYPES = (
    BlockType(TEXT),
    BlockType(TEXT, 20),
    BlockType(LEXICON),
    BlockType(CALLS_AND_DATA),
    BlockType(BITMAP, 9),
    BlockType(NUMBERS, 24, step=4, sample_form=12),
    BlockType(RECORDS, 8, step=64),
    BlockType(A64, address=4098),
    BlockType(FONT),
    BlockType(CLASS_FILES),
    BlockType(PYTHON_CODE),
)
BLOCK_TYPES_OF_SAMPLES = (  # which all levels see alike, and plain Python slowly
    BlockType(IMAGE, 12, step=3),
    BlockType(WIDE_IMAGE, 24, step=4, sample_form=6),
    BlockType(WIDE_VOLUME, 24, step=2, sample_form=6, slice_bytes=96),
    BlockType(AUDIO, 0, step=4, sample_form=2, phase=1),
)


def payload(codec: BlockCodec, block: bytes, block_type: BlockType) -> bytes:
    """Code a block that begins with enough zeros for the payload to be always shorter."""
    coded = codec.encode(bytes(len(block) // 4) + block, block_type)
    assert coded is not None
    return coded


def digests(length: int, levels: Sequence[int] = LEVELS) -> list[str]:
    """Digests of blocks of about this length, seen in each way, at some levels."""
    result = []
    for level in levels:
        codec = BlockCodec(new_model(level))
        block_types = (*BLOCK_TYPES, *BLOCK_TYPES_OF_SAMPLES) if level == MIN_LEVEL else BLOCK_TYPES
        for seed, block_type in enumerate(block_types):
            block = sample(2 * length, seed)[length:]
            if block_type.kind == CALLS_AND_DATA:
                block = machine_code(length // 20, seed)[:length]
            elif block_type.kind == A64:
                block = a64_code(length)
            elif block_type.kind == FONT:
                block = font(max(2, length // 60), names=0)[:length]
            elif block_type.kind == CLASS_FILES:
                block = class_file(1 + length // 400)[:length]
            elif block_type.kind == PYTHON_CODE:
                block = module(1 + length // 400)[:length]
            coded = payload(codec, block, block_type)
            digest = hashlib.sha256(coded).hexdigest()[:16]
            result.append(f"level {level}, {block_type}: {len(coded)} bytes, {digest}")
    picture = Jpeg(2, 1 + length // 300, interval=3)
    codec = BlockCodec(new_model(MIN_LEVEL))
    codec.learn(picture.header[20:], BlockType(BINARY))
    coded = codec.encode(bytes(picture.scan), BlockType(JPEG, len(picture.header) - 20)) or b""
    result.append(f"JPEG: {len(coded)} bytes, {hashlib.sha256(coded).hexdigest()[:16]}")
    return result


def compile_for(cpu: str) -> None:
    """Have LLVM take this machine for another one, which has what all CPUs of that name have."""
    import llvmlite.binding as llvm

    llvm.get_host_cpu_name = lambda: cpu
    llvm.get_host_cpu_features = llvm.FeatureMap


def main() -> None:
    """Print a digest a line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("length", type=int)
    parser.add_argument("levels", type=int, nargs="+")
    parser.add_argument("--cpu")
    arguments = parser.parse_args()
    if arguments.cpu:
        compile_for(arguments.cpu)
    print("\n".join(digests(arguments.length, arguments.levels)))
    if arguments.cpu:
        assert "numba" not in sys.modules, "some kernels are not those of the package"


if __name__ == "__main__":
    main()
