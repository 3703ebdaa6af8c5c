"""The fields of the format: written and read back, in range, and refused out of range."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.format import container
from glnzip.format.block_type import (
    A64,
    AUDIO,
    AUDIO_FORMS,
    BLOCK_MODELS,
    IMAGE,
    IMAGES,
    MAX_CHANNELS,
    MAX_IMAGE_CHANNELS,
    MAX_NUMBERS,
    NUMBER_FORMS,
    NUMBERS,
    RECORDS,
    SAMPLE_FORMS,
    VOLUME,
    VOLUMES,
    WIDE_FORMS,
    WIDE_IMAGE,
    BlockType,
)
from glnzip.format.container import (
    BLOCK_BYTES,
    MAX_ADDRESS,
    MAX_NUMBER_ROW,
    MAX_OFFSET,
    MAX_RECORD_BYTES,
    MAX_ROW_BYTES,
    MAX_SLICE_BYTES,
    MIN_RECORD_BYTES,
    MIN_SLICE_ROWS,
    BlockHeader,
    FrameEnd,
    FrameHeader,
    Place,
    Succession,
)
from glnzip.format.levels import LEVELS, MODEL_GENERATION, check_level, memory_bytes
from tests.checks import NEWER, OLDER, frame_head


def reader(data: bytes) -> container.Take:
    """A `take` over `data` that fails when they run out."""
    file = io.BytesIO(data)

    def take(count: int) -> bytes:
        taken = file.read(count)
        assert len(taken) == count, "read beyond the end"
        return taken

    return take


frame_headers = st.builds(
    FrameHeader,
    generation=st.integers(0, 15),
    level=st.integers(0, 15),
    prior_id=st.none() | st.binary(min_size=4, max_size=4),
    place=st.none()
    | st.builds(
        Place,
        whole=st.binary(min_size=4, max_size=4),
        offset=st.integers(0, 300) | st.integers(0, MAX_OFFSET),
    ),
)


@st.composite
def block_plans(draw: st.DrawFn) -> BlockType:
    kind = draw(st.sampled_from(sorted(BLOCK_MODELS)))
    row_bytes = draw(st.integers(1 if kind in IMAGES else 0, MAX_ROW_BYTES))
    if kind in VOLUMES:
        width = 1 if kind == VOLUME else 2
        row_bytes = max(row_bytes // width * width, width)
        slice_bytes = draw(st.integers(MIN_SLICE_ROWS * row_bytes, MAX_SLICE_BYTES))
        form = 0 if kind == VOLUME else draw(st.sampled_from(WIDE_FORMS))
        phase = draw(st.integers(0, width - 1))
        return BlockType(kind, row_bytes, width, form, phase, slice_bytes)
    if kind == IMAGE:
        return BlockType(kind, row_bytes, draw(st.integers(1, MAX_IMAGE_CHANNELS)))
    if kind == WIDE_IMAGE:
        form, phase = draw(st.sampled_from(WIDE_FORMS)), draw(st.integers(0, 1))
        channels = draw(st.integers(1, MAX_IMAGE_CHANNELS))
        return BlockType(kind, max(row_bytes & ~1, 2), 2 * channels, form, phase)
    if kind == NUMBERS:
        form = draw(st.sampled_from(NUMBER_FORMS))
        width = SAMPLE_FORMS[form][0]
        step, phase = draw(st.integers(1, MAX_NUMBERS)), draw(st.integers(0, width - 1))
        rows = draw(st.integers(0, MAX_NUMBER_ROW // width))
        return BlockType(kind, width * rows, width * step, form, phase)
    if kind == AUDIO:
        form = draw(st.sampled_from(AUDIO_FORMS))
        width = SAMPLE_FORMS[form][0]
        channels, phase = draw(st.integers(1, MAX_CHANNELS)), draw(st.integers(0, width - 1))
        return BlockType(kind, row_bytes, width * channels, form, phase)
    if kind == RECORDS:
        records = st.integers(MIN_RECORD_BYTES, MAX_RECORD_BYTES)
        return BlockType(kind, row_bytes, draw(records))
    if kind == A64:
        return BlockType(kind, row_bytes, address=draw(st.integers(0, MAX_ADDRESS)))
    return BlockType(kind, row_bytes)


@st.composite
def block_headers(draw: st.DrawFn) -> BlockHeader:
    stored = draw(st.booleans())
    length = draw(st.integers(1, BLOCK_BYTES))
    return BlockHeader(
        stored=stored,
        block_type=draw(block_plans()),
        length=length,
        body_length=length if stored else draw(st.integers(0, length - 1)),
    )


@given(frame_headers)
def test_frame_header_reads_back(header):
    assert container.read_frame_header(reader(container.write_frame_header(header))) == header


@given(block_headers())
def test_block_header_reads_back(header):
    written = container.write_block_header(header)
    assert len(written) <= 15
    assert container.read_block_header(reader(written)) == header


@pytest.mark.parametrize("last", [True, False])
def test_end_tag_reads_back(last):
    end = FrameEnd(last)
    written = container.write_end_tag(end)
    assert len(written) == 1
    assert container.read_block_header(reader(written), Place(b"name", 0)) == end


@given(st.binary(max_size=300), st.binary(min_size=4, max_size=4))
def test_masking_undoes_itself_and_hides_other_frames(body, whole):
    place = Place(whole, 0)
    assert container.masked(container.masked(body, place), place) == body
    assert container.masked(body, None) == body
    if any(whole):
        hidden = container.masked(b"...\xd7GLN...", place)
        assert b"\xd7GLN" not in hidden


A, B = b"aaaa", b"bbbb"


def follow(frames: list[tuple[Place | None, bool, int]]) -> Succession:
    """Tell a succession of frames: places, whether it is the last part, and bytes of data."""
    succession = Succession()
    for place, last, length in frames:
        succession.begin(place)
        succession.end(place, last, length)
    return succession


@pytest.mark.parametrize(
    ("frames", "complete"),
    [
        ([(None, True, 5), (None, True, 0)], True),
        ([(Place(A, 0), False, 5), (Place(A, 5), False, 0), (Place(A, 5), True, 1)], True),
        ([(Place(A, 0), True, 5), (Place(A, 0), True, 5), (None, True, 7)], True),
        ([(None, True, 5), (Place(A, 0), False, 5)], False),
    ],
)
def test_frames_that_follow_each_other(frames, complete):
    assert follow(frames).complete == complete


@pytest.mark.parametrize(
    "frames",
    [
        [(Place(A, 1), True, 5)],
        [(None, True, 5), (Place(A, 5), True, 5)],
        [(Place(A, 0), False, 5), (Place(A, 4), True, 5)],
        [(Place(A, 0), False, 5), (Place(A, 0), True, 5)],
        [(Place(A, 0), False, 5), (Place(B, 5), True, 5)],
        [(Place(A, 0), False, 5), (Place(B, 0), True, 5)],
        [(Place(A, 0), False, 5), (None, True, 5)],
        [(Place(A, 0), True, 5), (Place(A, 5), True, 5)],
    ],
)
def test_frames_that_do_not_follow_each_other(frames):
    with pytest.raises(glnzip.CorruptStreamError, match="order"):
        follow(frames)


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (b"\x03\x00", "length 0"),
        (b"\x03\x81\x80\x80\x08", "length 16777217"),
        (b"\x03\x05\x00", "length 0"),
        (b"\x03\x05\x05\x85\x00", "shortest"),
        (b"\x0b\x05", "tag 11"),
        (b"\x17\x05", "tag 23"),
        (b"\x13\x05\x05\x05", "tag 19"),
        (b"\x04", "tag 4"),  # an end tag before more parts, in a frame that is none
        (b"\x08", "tag 8"),  # an end tag with a kind
        (b"\x10\x05", "tag 16"),  # an end tag with rows
        (b"\x20\x05", "tag 32"),  # an end tag with a form
        (b"\xa6\x05", "tag 166"),  # pixels with a form
        (b"\x3e\x05", "tag 62"),  # a form of audio that is none
        (b"\x5a\x05\x04\x01\x0f", "slice length 15"),
        (b"\x5a\x05\x04\x01\x81\x80\x40", "slice length 1048577"),
        (b"\x4a\x05\x01", "without rows"),
        (b"\x5a\x05\x04\x02", "step 2"),
        (b"\x7a\x05\x04\x02\x22", "is unknown"),
        (b"\x7a\x05\x05\x02\x02\x14", "within a sample"),
        (b"\x6e\x05", "tag 110"),  # a sound with one
        (b"\xe6\x05", "tag 230"),
        (b"\x02\x00", "block length 0"),
        (b"\x02\x81\x80\x40", "block length 1048577"),
        (b"\x02\x80\x80\x80", "block length is above"),
        (b"\x02\x85\x00", "shortest"),
        (b"\x12\x05\x00", "row length 0"),
        (b"\x12\x05\x80\x80\x04", "row length 65536"),
        (b"\x0a\x05\x01", "without rows"),
        (b"\x1a\x05\x03\x00", "step 0"),
        (b"\x1a\x05\x03\x05", "step 5"),
        (b"\x0e\x05\x00\x00", "step 0"),
        (b"\x0e\x05\x09\x00", "step 9"),  # nine channels of one byte
        (b"\x0e\x05\x03\x02", "step 3"),  # one and a half samples
        (b"\x0e\x05\x1b\x04", "step 27"),  # nine channels of three bytes
        (b"\x0e\x05\x02\x06", "sample form 6"),
        (b"\x0e\x05\x01\x10", "sample form 16"),  # phase 1 of single bytes
        (b"\x0e\x05\x02\x22", "sample form 34"),  # phase 2 of two bytes
        (b"\x0e\x05\x03\x34", "sample form 52"),  # phase 3 of three bytes
        (b"\x01\x05\x05", "payload length 5"),
        (b"\x01\x01\x01", "payload length 1 is not in 0..0"),
        (b"\x01\x81\x01\x85\x00", "shortest"),
        (b"\x01\x05\x80", "payload length is above"),
    ],
)
def test_block_header_out_of_range_is_refused(header, reason):
    with pytest.raises(glnzip.CorruptStreamError, match=reason):
        container.read_block_header(reader(header))


@given(st.binary(min_size=12, max_size=12))
def test_any_bytes_read_as_a_header_in_range_or_are_refused(data):
    try:
        header = container.read_block_header(reader(data))
    except glnzip.CorruptStreamError:
        return
    if isinstance(header, BlockHeader):
        assert 1 <= header.length <= BLOCK_BYTES
        assert 0 <= header.block_type.row_bytes <= MAX_ROW_BYTES
        assert header.body_length == header.length or not header.stored
        assert data.startswith(container.write_block_header(header)), "two ways to write a header"


@pytest.mark.parametrize(
    ("header", "error", "reason"),
    [
        (b"\xd7GLX", glnzip.CorruptStreamError, "not a glnzip frame"),
        (b"\x97GLN\x01\x76\x00", glnzip.CorruptStreamError, "not a glnzip frame"),
        (b"\xd7GLN\x02", glnzip.UnsupportedStreamError, "version 2"),
        (b"\xd7GLN\x00", glnzip.UnsupportedStreamError, "version 0"),
        (frame_head(generation=OLDER), glnzip.UnsupportedStreamError, f"generation {OLDER}"),
        (frame_head(generation=NEWER), glnzip.UnsupportedStreamError, f"generation {NEWER}"),
        (frame_head(0), glnzip.UnsupportedStreamError, "level 0"),
        (frame_head(10), glnzip.UnsupportedStreamError, "level 10"),
        (b"\xd7GLN\x01\x76\x08name\x80\x00", glnzip.CorruptStreamError, "shortest"),
        (b"\xd7GLN\x01\x76\x08name" + b"\xff" * 9, glnzip.CorruptStreamError, "offset is above"),
        (b"\xd7GLN\x01\x76\x00", glnzip.CorruptStreamError, "its check does not match"),
        (b"\xd7GLN\x01\x86\x00", glnzip.CorruptStreamError, "its check does not match"),
        (b"\xd7GLN\x01\x70\x00", glnzip.CorruptStreamError, "its check does not match"),
    ],
)
def test_frame_header_that_cannot_be_decoded_says_what_is_needed(header, error, reason):
    with pytest.raises(error, match=reason):
        container.check_supported(container.read_frame_header(reader(header)))


HEADERS = [
    FrameHeader(MODEL_GENERATION, 6),
    FrameHeader(MODEL_GENERATION, 9, b"\1\2\3\4"),
    FrameHeader(MODEL_GENERATION, 1, None, Place(b"name", 0)),
    FrameHeader(MODEL_GENERATION, 6, b"\1\2\3\4", Place(b"name", 1 << 20)),
    FrameHeader(MODEL_GENERATION, 6, b"\1\2\3\4", Place(b"name", MAX_OFFSET)),
]
BLOCK = b"\x02\x14" + bytes(20) + b"\x00none"  # what may be taken for the header's end


@pytest.mark.parametrize("header", HEADERS)
def test_wrong_bits_of_a_frame_header_are_found(header):
    """One, or any within six in a row, unless the header now seems to be longer or shorter."""
    written = container.write_frame_header(header)
    sound = int.from_bytes(written[5:], "big")
    for pattern in range(1, 64, 2):
        for shift in range(8 * len(written[5:]) - pattern.bit_length() + 1):
            damaged = (sound ^ pattern << shift).to_bytes(len(written[5:]), "big")
            file = io.BytesIO(written[:5] + damaged + BLOCK)
            with suppress(glnzip.CorruptStreamError):
                container.read_frame_header(file.read)
                assert file.tell() != len(written)


def test_levels():
    assert [memory_bytes(level) for level in LEVELS] == sorted(map(memory_bytes, LEVELS))
    for level in LEVELS:
        container.check_supported(FrameHeader(MODEL_GENERATION, level))
    for wrong in (0, 10, -1):
        with pytest.raises(ValueError, match=f"level must be 1 to 9, not {wrong}"):
            check_level(wrong)
    with pytest.raises(TypeError):
        check_level(6.0)  # type: ignore[arg-type]
