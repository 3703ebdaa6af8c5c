"""Damage of every kind: always a `GlnzipError`, never wrong data, a crash, a hang or a flood."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.format.container import FrameHeader, write_frame_header
from glnzip.format.levels import MODEL_GENERATION
from tests.checks import NEWER, OLDER, check_rejected, frame_head, sample
from tests.conftest import NEW_CODEC

pytestmark = pytest.mark.usefixtures("small_blocks")

HEADER = write_frame_header(FrameHeader(MODEL_GENERATION, 6))


@pytest.fixture(scope="module")
def frame(small_blocks: int) -> bytes:
    """A small frame with coded and stored blocks."""
    frame = glnzip.compress(sample(330))
    (info,) = glnzip.frame_info(frame)
    assert info.coded_blocks > 0
    assert info.stored_blocks > 0
    return frame


def test_cut_at_every_byte(frame):
    for length in range(len(frame)):
        check_rejected(frame[:length], glnzip.TruncatedStreamError)


def test_second_frame_cut_at_every_byte(frame):
    for length in range(1, len(frame)):
        with pytest.raises(glnzip.TruncatedStreamError):
            glnzip.decompress(frame + frame[:length])


def test_every_flipped_bit(frame):
    for bit in range(8 * len(frame)):
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        check_rejected(bytes(damaged))


def test_every_byte_left_out_doubled_or_zeroed(frame):
    for at in range(len(frame)):
        for damaged in (
            frame[:at] + frame[at + 1 :],
            frame[:at] + frame[at : at + 1] + frame[at:],
            frame[:at] + bytes(4) + frame[at + 4 :],
        ):
            if damaged != frame:
                check_rejected(damaged)


@given(st.binary(max_size=300))
def test_random_bytes(data):
    check_rejected(data)


@given(st.binary(max_size=300))
def test_random_bytes_after_a_sound_header(data):
    check_rejected(HEADER + data)


@pytest.mark.parametrize("trailer", [b"\n", bytes(4), b"\xd7GLM", b"GLN", b"\xd8" * 100])
def test_trailing_bytes(frame, trailer):
    with pytest.raises(glnzip.CorruptStreamError, match="after the last frame"):
        glnzip.decompress(frame + trailer)
    decompressor = glnzip.Decompressor()
    decompressor.decompress(frame + trailer)
    assert decompressor.unused_data == trailer


@pytest.mark.parametrize(
    ("header", "error", "need"),
    [
        (b"\xd7GLN\x02", glnzip.UnsupportedStreamError, "version 2"),
        (frame_head(generation=OLDER), glnzip.UnsupportedStreamError, f"generation {OLDER}"),
        (frame_head(generation=NEWER), glnzip.UnsupportedStreamError, f"generation {NEWER}"),
        (frame_head(15), glnzip.UnsupportedStreamError, "level 15"),
        (frame_head(prior_id=b"name"), glnzip.PriorMismatchError, b"name".hex()),
    ],
)
def test_what_a_frame_needs_is_told_as_soon_as_it_is_known(header, error, need):
    with pytest.raises(error, match=need):
        glnzip.Decompressor().decompress(header)
    check_rejected(header, error, need)


def test_blocks_in_another_order(frame):
    """Blocks that are sound one by one are still refused out of order."""
    first, second = b"\x02\x03abc", b"\x02\x03xyz"
    check = glnzip.compress(b"abc", prior=None)[-4:]
    check_rejected(HEADER + second + first + b"\x00" + check, message="check")


@pytest.mark.parametrize(
    "claim",
    [
        b"\x02\x80\x80\x40",  # stored, 1 MB
        b"\x01\x80\x80\x40\xff\xff\x3f",  # coded, 1 MB less 1 byte of payload
        b"\x02\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\x01\x80\x80\x40\xff\xff\xff\xff\x7f",
        b"\x12\x05\xff\xff\xff\xff\x7f",
    ],
)
def test_large_claims_take_no_memory(claim):
    tracemalloc.start()
    try:
        check_rejected(HEADER + claim + b"only a few bytes", glnzip.GlnzipError)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 300_000


def test_no_model_before_a_block_has_come_whole(monkeypatch):
    def no_model(*arguments: object) -> None:
        raise AssertionError("a model was allocated")

    monkeypatch.setattr(NEW_CODEC, no_model)
    for data in (b"", HEADER, HEADER + b"\x02\x05abcd", HEADER + b"\x01\x05\x04abc"):
        check_rejected(data, glnzip.TruncatedStreamError)
    check_rejected(frame_head(15) + b"\x02\x01a", glnzip.UnsupportedStreamError)


def test_no_model_of_a_damaged_level(monkeypatch, frame):
    """Level 9 would take gigabytes, and minutes for its prior, before the last check could tell."""
    monkeypatch.setattr(NEW_CODEC, None)
    for bit in range(8):
        damaged = bytearray(frame)
        damaged[5] ^= 1 << bit
        check_rejected(bytes(damaged), glnzip.CorruptStreamError, "its check does not match")


def test_an_endless_stream_stops_at_the_output_limit():
    bomb = HEADER + b"\x01\x80\x80\x40\x01?" * 100  # 100 MB from 700 bytes
    tracemalloc.start()
    try:
        with pytest.raises(glnzip.OutputLimitError, match="100,000 bytes"):
            glnzip.decompress(bomb, max_output=100_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


def test_many_frames_take_time_in_proportion():
    frame = glnzip.compress(b"")
    assert glnzip.decompress(frame * 20_000) == b""


def test_a_failed_decompressor_stays_failed(frame):
    decompressor = glnzip.Decompressor()
    with pytest.raises(glnzip.CorruptStreamError):
        decompressor.decompress(b"no frame")
    with pytest.raises(glnzip.GlnzipError, match=r"earlier call.*not a glnzip frame"):
        decompressor.decompress(frame)
    assert not decompressor.eof


def test_too_little_memory_is_told(monkeypatch, frame):
    class Hungry:
        def __init__(self, *arguments: object) -> None:
            raise MemoryError

    monkeypatch.setattr(NEW_CODEC, Hungry)
    with pytest.raises(glnzip.GlnzipError, match=r"level 6 needs about [0-9.]+ GB"):
        glnzip.decompress(frame)
    with pytest.raises(glnzip.GlnzipError, match=r"level 2 needs about [0-9]+ MB"):
        glnzip.compress(b"data", level=2)
