"""`--keep-going`: what is saved of damaged data from anywhere, and what is said of it."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import BinaryIO, cast

import pytest

import glnzip
from glnzip.cli.files import Source, standard_output
from glnzip.cli.options import Settings
from glnzip.cli.progress import Progress
from glnzip.cli.recovery import recover_stream
from glnzip.errors import CorruptStreamError
from tests.cli.inside import DATA, SlowPipe, run, write

pytestmark = pytest.mark.usefixtures("quick_model", "in_empty_folder")

PARTS = [DATA[start : start + 500] for start in range(0, len(DATA), 500)]


def packed() -> tuple[bytes, list[int]]:
    """Four blocks that can be decoded alone, and where each ends."""
    stream = glnzip.compress(DATA, block_size=500)
    ends = [0]
    for frame in glnzip.frame_info(stream):
        ends.append(ends[-1] + frame.compressed_bytes)
    return stream, ends[1:]


def without_the_second() -> bytes:
    """The four blocks, the second of which is damaged."""
    stream, ends = packed()
    return stream[: ends[0]] + bytes(ends[1] - ends[0]) + stream[ends[1] :]


def test_which_bytes_are_damaged_and_lost_is_said_to_the_byte() -> None:
    _, ends = packed()
    result = run("-dc", "--keep-going", stdin=without_the_second(), status=1)
    damaged, lost, sum_ = result.stderr.splitlines()
    assert damaged.startswith(
        f"glnzip: standard input: bytes {ends[0]:,} to {ends[1] - 1:,} are damaged: "
    )
    assert lost == "glnzip: standard input: data bytes 500 to 999 are lost, now zeros"
    assert sum_ == (
        "glnzip: standard input: saved 1,500 bytes of data in 3 sound blocks; the rest is lost"
    )


def test_a_lost_end_has_no_end() -> None:
    stream, ends = packed()
    result = run("-dc", "--keep-going", stdin=stream[: ends[1] + 9], status=1)
    assert result.stdout_bytes == DATA[:1000]
    assert "data bytes from 1,000 on are lost\n" in result.stderr
    result = run("-dc", "--keep-going", stdin=stream[: ends[0] + 9], status=1)
    assert "saved 500 bytes of data in 1 sound block; the rest is lost\n" in result.stderr


def test_a_pipe() -> None:
    pipe = cast(BinaryIO, io.BufferedReader(SlowPipe(without_the_second())))
    saved = run("-dc", "--keep-going", stdin=pipe, status=1).stdout_bytes
    assert saved == PARTS[0] + bytes(500) + PARTS[2] + PARTS[3]


def test_standard_output_that_is_appended_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros are written there: a hole would be filled with what follows."""
    write("out", b"before")
    with open("out", "ab") as appended:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(appended))
        progress = Progress("", None, compressing=False, visible=False)
        damaged = io.BytesIO(without_the_second())
        with standard_output(Source(damaged, None, named=False), terminal=False) as sink:
            recover_stream(damaged, sink, Settings(), progress)
    saved = PARTS[0] + bytes(500) + PARTS[2] + PARTS[3]
    assert Path("out").read_bytes() == b"before" + saved


def test_data_that_need_a_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    write("p.gln", glnzip.compress(b"words of a kind", prior=None))
    own = glnzip.Prior.load("p.gln")
    write("a.gln", glnzip.compress(DATA) + glnzip.compress(DATA, prior=own))
    options = ("-dc", "--keep-going", "a.gln")
    assert run(*options, "--prior", "p.gln").stdout_bytes == DATA * 2
    monkeypatch.setenv("GLNZIP_PRIOR", "missing")
    result = run(*options, status=1)
    assert result.stdout_bytes == DATA
    assert "a.gln: GLNZIP_PRIOR names missing, which cannot be used: No such" in result.stderr


def test_sizes_are_reported() -> None:
    write("a.gln", packed()[0])
    size = os.stat("a.gln").st_size
    assert f"a.gln: {size} -> 2,000 bytes" in run("-tv", "--keep-going", "a.gln").stderr


def test_of_nothing_sound_nothing_is_saved() -> None:
    progress = Progress("", None, compressing=False, visible=False)
    for content, why in ((b"", "ends before its end"), (b"no frame", "not a glnzip frame")):
        sink = io.BytesIO()
        with pytest.raises(CorruptStreamError, match=why):
            recover_stream(io.BytesIO(content), sink, Settings(), progress)
        assert sink.getvalue() == b""
