"""A short campaign of `tests.fuzz` with the quick model, and frames whose fields are anything."""

from __future__ import annotations

import io
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glnzip
from glnzip.format.container import (
    BlockHeader,
    FrameEnd,
    FrameHeader,
    write_block_header,
    write_end_tag,
    write_frame_header,
)
from glnzip.format.levels import MODEL_GENERATION
from tests import fuzz
from tests.format.test_container import block_headers, frame_headers
from tests.little_room import leave_little_room

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("small_blocks")]


def test_a_short_campaign() -> None:
    fuzz.run_random("container", 1500, seed=2)


@pytest.mark.parametrize("target", ["sealed", "prior"])
def test_a_short_campaign_of_right_checks(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLNZIP_CACHE_DIR", os.devnull)
    for module, name in fuzz.CHECKS:
        monkeypatch.setattr(f"{module}.{name}", fuzz.no_check)
    fuzz.run_random(target, 1500, seed=2)


@pytest.mark.parametrize("target", ["unpacking", "recipes"])
def test_a_short_campaign_of_carriers(target: str) -> None:
    fuzz.run_random(target, 1000, seed=2)


def test_a_short_campaign_of_long_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_little_room(monkeypatch)
    fuzz.run_random("portions", 1000, seed=2)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """Frames whose every field is in its range, and whose content is anything."""
    header = draw(frame_headers | st.just(FrameHeader(MODEL_GENERATION, 6)))
    stream = write_frame_header(header)
    for block in draw(st.lists(block_headers(), max_size=4)):
        short = BlockHeader(block.stored, block.block_type, min(block.length, 200), 0)
        body = draw(st.binary(max_size=short.length - (not short.stored)))
        if short.stored:
            body = body.ljust(short.length, b"x")
        stream += write_block_header(short._replace(body_length=len(body))) + body
    stream += write_end_tag(FrameEnd(draw(st.booleans())))
    return stream + draw(st.binary(min_size=4, max_size=4))


@settings(max_examples=300)
@given(st.lists(streams(), max_size=3))
def test_frames_with_any_fields(frames: list[bytes]) -> None:
    fuzz.container()(b"".join(frames))


@given(st.binary(max_size=200))
def test_what_is_saved_of_anything_is_bounded(data: bytes) -> None:
    recovery = glnzip.recover(io.BytesIO(data), None, max_output=1000)
    assert recovery.original_bytes <= 1000
