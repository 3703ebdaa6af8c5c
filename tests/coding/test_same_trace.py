"""One model step for both directions: encoder and decoder see the same probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xxhash import xxh3_64_intdigest

from glnzip.coding.arithmetic import CODER, TOP, decode_bit, encode_bit
from glnzip.coding.bit_loop import jpeg_parts, sample_parts
from glnzip.format.block_type import (
    A64,
    AUDIO,
    BINARY,
    BITMAP,
    CALLS,
    CLASS_FILES,
    FONT,
    IMAGE,
    JPEG,
    LEXICON,
    NUMBERS,
    PYTHON_CODE,
    SAMPLED,
    TEXT,
    WIDE_IMAGE,
    BlockType,
)
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.jit.records import new_records
from glnzip.model.build import new_model
from glnzip.model.roles import ROLES, is_one_of, named_arrays
from glnzip.model.state import Model
from tests.checks import sample
from tests.class_files import class_file
from tests.fixed_data import a64_code, drawing
from tests.fonts import font
from tests.model.model_parts import contexts_fit, for_bytes, networks_of, with_short_tables
from tests.packed import Jpeg
from tests.python_modules import module
from tests.raw_files import library
from tests.samples import machine_code, waves
from tests.steps import OF_BYTES, OF_JPEG, OF_NUMBERS, Steps

pytestmark = pytest.mark.slow

PICTURE = Jpeg(2, 1)
TABLES = PICTURE.header[20:]
BLOCKS = [
    (BlockType(LEXICON), b"glnzip lexicon\nA the and of\n"),
    (BlockType(TEXT), sample(300)[-150:]),
    (BlockType(BITMAP, 5), sample(60)),
    (BlockType(TEXT, 11), sample(330)[:60]),
    (BlockType(BINARY), sample(330)[-160:]),
    (BlockType(BINARY), library(1, code=60, data=8)[120:190]),
    (BlockType(CALLS), machine_code(3)[:120]),
    (BlockType(IMAGE, 10, step=3), sample(80)),
    (BlockType(IMAGE, 16, step=1), drawing(16, 12, 1)),
    (BlockType(WIDE_IMAGE, 10, step=2, sample_form=2, phase=1), sample(80)),
    (BlockType(AUDIO, 0, step=4, sample_form=2, phase=1), sample(80)),
    (BlockType(NUMBERS, 8, step=4, sample_form=13, phase=1), b"?" + waves(40, 13)),
    (BlockType(A64, address=3), a64_code(100)),
    (BlockType(FONT), font(2, names=0)[:460]),
    (BlockType(CLASS_FILES), class_file(1)[:300]),
    (BlockType(PYTHON_CODE), module(1)[:400]),
    (BlockType(BINARY), TABLES),
    (BlockType(JPEG, len(TABLES)), bytes(PICTURE.scan)),
]


def new_state() -> Model:
    return with_short_tables(new_model(DEFAULT_LEVEL))


def steps_of(model: Model, block_type: BlockType) -> tuple[Steps, Any]:
    """What codes blocks of this type: the steps, and their part of the model."""
    if block_type.kind in SAMPLED:
        return OF_NUMBERS, sample_parts(model)
    if block_type.kind == JPEG:
        return OF_JPEG, jpeg_parts(model)
    return OF_BYTES, for_bytes(model, block_type.kind)


def digests(model: Model) -> dict[str, int]:
    """A digest of each array but those that predicting may write to."""
    arrays = named_arrays(model)
    return {
        name: xxh3_64_intdigest(array)
        for name, array in arrays
        if not is_one_of(name, ROLES.scratch)
    }


@pytest.fixture(scope="module")
def traces() -> dict[str, Any]:
    """Code the blocks one bit at a time, then decode them, and keep what was predicted."""
    payload = np.zeros(3000, np.uint8)
    result: dict[str, Any] = {}
    for direction in ("encode", "decode"):
        model = new_state()
        coder = new_records(1, CODER)[0]
        coder.high = TOP
        if direction == "decode":
            coder.code = int.from_bytes(payload[:4].tobytes(), "big")
            coder.at = 4
        networks = list(networks_of(model))
        predicted, bits, all_fit, predict_learns = [], [], True, False
        for block_type, data in BLOCKS:
            steps, part = steps_of(model, block_type)
            steps.begin_block(part, block_type)
            for i, byte in enumerate(data):
                for shift in range(7, -1, -1):
                    look = direction == "encode" and i % 80 == 0 and shift == i // 80
                    before = digests(model) if look else None
                    p_one = steps.predict_bit(part)
                    if before is not None:
                        predict_learns |= before != digests(model)
                    all_fit &= all(map(contexts_fit, networks))
                    if direction == "encode":
                        bit = byte >> shift & 1
                        encode_bit(coder, payload, p_one, bit)
                    else:
                        bit = decode_bit(coder, payload, p_one)
                    steps.update_bit(part, bit)
                    predicted.append(int(p_one))
                    bits.append(int(bit))
        if direction == "encode":
            at = int(coder.at)
            payload[at : at + 4] = list(int(coder.high).to_bytes(4, "big"))
        result[direction] = predicted, bits
        result[f"{direction} facts"] = all_fit, predict_learns
        result[f"{direction} learned"] = digests(model)
    return result


def test_same_probabilities_and_the_bits_come_back(traces: dict[str, Any]) -> None:
    assert traces["decode"] == traces["encode"]
    _, bits = traces["decode"]
    packed = np.packbits(np.array(bits, np.uint8)).tobytes()
    assert packed == b"".join(data for _, data in BLOCKS)
    assert traces["decode learned"] == traces["encode learned"]


def test_probabilities_are_what_the_coder_can_take(traces: dict[str, Any]) -> None:
    predicted, _ = traces["encode"]
    assert min(predicted) >= 1
    assert max(predicted) <= 65535


def test_the_model_learns_but_not_by_predicting(traces: dict[str, Any]) -> None:
    """Every array that is neither fixed nor scratch has changed, those of no view forgotten."""
    assert traces["encode facts"] == (True, False)
    fresh, after = digests(new_state()), traces["encode learned"]
    unchanged = {name for name in fresh if fresh[name] == after[name]}
    assert unchanged == {name for name in fresh if is_one_of(name, ROLES.constant)}
