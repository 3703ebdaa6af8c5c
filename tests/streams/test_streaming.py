"""`Compressor`, `Decompressor` and the one-shot functions: the promises of the interface."""

from __future__ import annotations

import array
import copy
import gc
import pickle
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

import pytest

import glnzip
from glnzip.format import container
from tests.checks import decompress_pieces, sample, state
from tests.conftest import NEW_CODEC, ZlibCodec

pytestmark = pytest.mark.usefixtures("small_blocks")

DATA = sample(1000)


def test_compressor_ends_once():
    compressor = glnzip.Compressor()
    frame = compressor.compress(DATA) + compressor.flush()
    assert glnzip.decompress(frame) == DATA
    with pytest.raises(ValueError, match="flushed"):
        compressor.compress(b"more")
    with pytest.raises(ValueError, match="flushed"):
        compressor.flush()


def test_decompressor_tells_where_it_stands():
    frame = glnzip.compress(DATA, level=4)
    decompressor = glnzip.Decompressor()
    levels, outputs = [decompressor.level], []
    for piece in (frame[:10], frame[10:11]):
        assert state(decompressor) == "needs input"
        outputs.append(decompressor.decompress(piece))
        levels.append(decompressor.level)
    assert (levels, outputs) == ([None, None, 4], [b"", b""])
    assert decompressor.decompress(frame[11:], 100) == DATA[:100]
    assert state(decompressor) == "has more"
    assert decompressor.unused_data == b""
    assert decompressor.decompress(b"next frame") == DATA[100:]
    assert state(decompressor) == "at the end"
    assert decompressor.unused_data == b"next frame"
    with pytest.raises(EOFError, match="end of the frame"):
        decompressor.decompress(b"")


def test_no_room_is_no_end():
    decompressor = glnzip.Decompressor()
    assert decompressor.decompress(glnzip.compress(DATA), 0) == b""
    assert state(decompressor) == "has more"
    assert decompressor.decompress(b"", len(DATA)) == DATA
    assert state(decompressor) == "at the end", "the end needs no room of its own"


def test_data_come_out_as_soon_as_a_block_is_in():
    compressor = glnzip.Compressor()
    decompressor = glnzip.Decompressor()
    for start in range(0, 640, 64):
        block = DATA[start : start + 64]
        assert decompressor.decompress(compressor.compress(block)) == block


def test_progress_counts_what_was_coded():
    told: list[int] = []
    compressor = glnzip.Compressor(progress=told.append)
    compressor.compress(DATA[:63])
    assert told == []
    compressor.compress(DATA[63:200])
    assert told == [64, 64, 64]
    frame = compressor.flush()
    assert sum(told) == 200
    assert frame == glnzip.compress(DATA[:200])[-len(frame) :]


def test_progress_counts_what_was_decoded():
    told: list[int] = []
    decompressor = glnzip.Decompressor(progress=told.append)
    frame = glnzip.compress(DATA)
    decompressor.decompress(frame[:-10], 100)
    assert 100 <= sum(told) < 200
    decompressor.decompress(frame[-10:])
    assert sum(told) == len(DATA)
    assert max(told) <= 64


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
@pytest.mark.parametrize("coder", [glnzip.Compressor, glnzip.Decompressor])
def test_a_coder_cannot_be_copied(coder, duplicate):
    with pytest.raises(TypeError, match="cannot copy or pickle"):
        duplicate(coder())


def test_a_damaged_frame_stays_damaged():
    decompressor = glnzip.Decompressor()
    for _ in range(2):
        with pytest.raises(glnzip.CorruptStreamError):
            decompressor.decompress(b"no frame")


def test_a_memory_limit_is_a_number_of_bytes():
    for limit in ("1 GB", 1e9):
        with pytest.raises(TypeError):
            glnzip.Decompressor(memory_limit=limit)  # type: ignore[arg-type]


class Seven:
    def __index__(self) -> int:
        return 7


def test_a_length_is_a_whole_number_of_any_type():
    decompressor = glnzip.Decompressor()
    for length in (None, 7.0):
        with pytest.raises(TypeError):
            decompressor.decompress(b"", length)  # type: ignore[arg-type]
    assert decompressor.decompress(glnzip.compress(DATA), Seven()) == DATA[:7]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"max_output": 5e6}, TypeError),
        ({"threads": 1.5}, TypeError),
        ({"threads": 0}, ValueError),
    ],
)
def test_what_is_no_limit_is_told_before_anything_is_read(options, error):
    with pytest.raises(error):
        glnzip.decompress(b"no frame", **options)


def test_an_error_of_the_progress_callback_ends_the_compressor():
    def stop(count: int) -> None:
        raise InterruptedError("enough")

    compressor = glnzip.Compressor(progress=stop)
    with pytest.raises(InterruptedError):
        compressor.compress(DATA)
    with pytest.raises(glnzip.GlnzipError, match="enough"):
        compressor.compress(DATA)


def test_full_size_blocks(monkeypatch):
    monkeypatch.setattr("glnzip.streams.compressor.BLOCK_BYTES", container.BLOCK_BYTES)
    data = DATA * 2200
    frame = glnzip.compress(data)
    (info,) = glnzip.frame_info(frame)
    assert info.blocks == 3
    assert glnzip.decompress(frame) == data
    assert decompress_pieces([frame], max_length=100_000) == data


def test_level_is_in_the_frame_and_checked():
    assert glnzip.compress(DATA) == glnzip.compress(DATA, level=glnzip.DEFAULT_LEVEL)
    assert glnzip.compress(DATA, level=1) != glnzip.compress(DATA, level=9)
    for wrong in (0, 10):
        with pytest.raises(ValueError, match="level"):
            glnzip.compress(DATA, level=wrong)
    with pytest.raises(TypeError):
        glnzip.Compressor("6")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "data",
    [
        bytearray(DATA),
        memoryview(DATA),
        memoryview(DATA).cast("I"),
        memoryview(DATA).cast("B", (10, 100)),
        array.array("d", [1.5, 2.5]),
        array.array("i"),
        memoryview(DATA)[::3],
    ],
    ids=["bytearray", "memoryview", "words", "two axes", "array", "empty array", "every third"],
)
def test_any_bytes_like_object(data):
    plain = memoryview(data).tobytes()
    frame = glnzip.compress(data)
    assert frame == glnzip.compress(plain)
    assert glnzip.decompress(memoryview(frame)) == plain
    assert glnzip.Decompressor().decompress(bytearray(frame)) == plain


@pytest.mark.parametrize("data", ["text", None, 5, [1, 2]])
def test_other_objects_are_refused_and_do_no_harm(data):
    compressor = glnzip.Compressor()
    decompressor = glnzip.Decompressor()
    for call in (glnzip.compress, glnzip.decompress, compressor.compress, decompressor.decompress):
        with pytest.raises(TypeError):
            call(data)
    assert decompressor.decompress(compressor.compress(DATA) + compressor.flush()) == DATA


def test_frames_one_after_the_other_are_one_stream():
    frames = glnzip.compress(DATA, level=1) + glnzip.compress(b"") + glnzip.compress(b"end")
    assert glnzip.decompress(frames) == DATA + b"end"


def test_no_bytes_are_no_stream():
    with pytest.raises(glnzip.TruncatedStreamError):
        glnzip.decompress(b"")


def test_output_limit():
    frame = glnzip.compress(DATA)
    assert glnzip.decompress(frame, max_output=len(DATA)) == DATA
    assert glnzip.decompress(frame, max_output=1 << 62) == DATA
    assert glnzip.decompress(glnzip.compress(b""), max_output=0) == b""
    for limit in (0, 1, len(DATA) - 1):
        with pytest.raises(glnzip.OutputLimitError, match=f"{limit} bytes"):
            glnzip.decompress(frame, max_output=limit)


def test_an_interrupted_compressor_refuses_to_go_on(monkeypatch):
    compressor = glnzip.Compressor()
    with monkeypatch.context() as patch:

        def interrupt(*arguments: object) -> bytes:
            raise KeyboardInterrupt

        patch.setattr(ZlibCodec, "encode", interrupt)
        with pytest.raises(KeyboardInterrupt):
            compressor.compress(DATA)
    with pytest.raises(glnzip.GlnzipError, match=r"earlier call did not finish: KeyboardInterrupt"):
        compressor.flush()


def test_threads_take_turns(monkeypatch):
    encode = ZlibCodec.encode
    inside: list[object] = []

    def slow_encode(codec: ZlibCodec, *arguments: Any) -> bytes | None:
        assert not inside, "two threads in one model"
        inside.append(codec)
        time.sleep(0.002)
        inside.pop()
        return encode(codec, *arguments)

    monkeypatch.setattr(ZlibCodec, "encode", slow_encode)
    compressor = glnzip.Compressor()
    pieces: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: pieces.append(compressor.compress(b"x" * 640)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pieces) == 4


def test_a_dropped_decompressor_frees_its_model_at_once(monkeypatch):
    models = []

    class Watched(ZlibCodec):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            models.append(weakref.ref(self))

    frame = glnzip.compress(DATA)
    monkeypatch.setattr(NEW_CODEC, Watched)
    decompressor = glnzip.Decompressor()
    decompressor.decompress(frame, 1)
    gc.disable()
    try:
        (model,) = models
        assert model() is not None
        del decompressor
        assert model() is None
    finally:
        gc.enable()


def test_import_is_light():
    heavy = {"numba", "numpy", "click", "concurrent.futures"}
    code = f"import glnzip, sys; print(sys.modules.keys() & {heavy} or 'light')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "light"


def test_public_names():
    assert sorted(glnzip.__all__) == sorted(set(glnzip.__all__))
    assert all(getattr(glnzip, name) is not None for name in glnzip.__all__)
    assert glnzip.__version__.count(".") == 2


@pytest.mark.parametrize("block_size", [None, 100])
def test_a_compressor_is_refused_when_it_is_made(monkeypatch, block_size):
    """No data are taken, and no prior is read, for a model that has no room."""
    monkeypatch.setattr("glnzip.priors.allowance.usable_memory", lambda: 1000)
    with pytest.raises(glnzip.MemoryLimitError, match="level 9 needs about"):
        glnzip.Compressor(9, prior="no such file", block_size=block_size)
