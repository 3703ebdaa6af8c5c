"""The rewriting of x86 code is exact for any bytes, and makes equal targets look equal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BINARY, CALLS, CALLS_AND_DATA, TEXT, BlockType
from glnzip.format.levels import MIN_LEVEL
from glnzip.model.build import new_model
from glnzip.transforms.x86_addresses import code_kind, to_absolute, to_relative

FORMS = (CALLS, CALLS_AND_DATA)
NEAR_CODE = st.lists(
    st.sampled_from([0, 0, 255, 0xE8, 0xE9, 0x0F, 0x84, 0x05, 0x48, 0x8B, 0x66, 0xC7, 0x81, 1]),
    max_size=200,
).map(bytes)


def as_array(data):
    return np.frombuffer(bytearray(data), np.uint8)


def calls(targets):
    """Code that calls each of `targets` in turn, with an instruction of three bytes between."""
    code = bytearray()
    for target in targets:
        distance = (target - (len(code) + 5)) & 0xFFFFFFFF
        code += b"\xe8" + distance.to_bytes(4, "little") + b"\x48\x89\xc7"
    return bytes(code)


@pytest.mark.parametrize(
    ("there", "back"), [(to_absolute, to_relative), (to_relative, to_absolute)]
)
@pytest.mark.parametrize("form", FORMS)
@given(data=st.one_of(st.binary(max_size=100), NEAR_CODE))
def test_what_is_rewritten_turns_back(there, back, form, data):
    """A decoder may meet any bytes, and what it makes of them an encoder gives the same payload."""
    array = as_array(data)
    there(array, BlockType(form))
    back(array, BlockType(form))
    assert array.tobytes() == data


def test_calls_of_one_target_become_equal():
    array = as_array(calls([0x1234] * 20))
    to_absolute(array, BlockType(CALLS))
    assert {array.reshape(-1, 8)[:, :5].tobytes()[k : k + 5] for k in range(0, 100, 5)} == {
        b"\xe8\x00\x12\x34\x00"
    }


def test_addresses_of_data_count_from_the_end_of_the_instruction():
    constant = b"\xc7\x05\x10\x00\x00\x00\x01\x02\x03\x04"  # mov dword [rip + 0x10], constant
    array = as_array(constant)
    to_absolute(array, BlockType(CALLS_AND_DATA))
    assert array.tobytes() == b"\xc7\x05\x00\x00\x1a\x00\x01\x02\x03\x04"


def test_code_is_recognised_by_targets_that_repeat():
    assert code_kind(as_array(calls([0x1000, 0x2000, 0x3000] * 40))) == CALLS
    assert code_kind(as_array(b"\xe8\x05\x00\x00\x00\x90" * 200)) == BINARY  # equal distances
    assert code_kind(as_array(b"All that is left is text. " * 100)) == BINARY
    assert code_kind(as_array(b"")) == BINARY


@pytest.mark.parametrize("form", [TEXT, BINARY, CALLS, CALLS_AND_DATA])
def test_only_code_is_rewritten(form):
    """A rewritten block is delivered in pieces, like any other, once all of it is decoded."""
    code = calls([0x1000, 0x2000] * 20)
    block_type = BlockType(form)
    seen = as_array(code)
    if form in FORMS:
        to_absolute(seen, block_type)
        assert seen.tobytes() != code
    payload = BlockCodec(new_model(MIN_LEVEL)).encode(code, block_type)
    assert payload is not None
    decoder = BlockCodec(new_model(MIN_LEVEL))
    decoder.begin_decode(payload, len(code), block_type)
    pieces = list(iter(lambda: decoder.decode(7), b""))
    assert b"".join(pieces) == code
    assert {len(piece) for piece in pieces[:-1]} == {7}
    assert bytes(decoder.model.recent.buffer[: len(code)]) == seen.tobytes()
