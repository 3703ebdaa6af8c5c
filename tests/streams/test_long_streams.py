"""Streams longer than any test can wait for: their counters are set just below what might break.

2**31 and 2**32 are where numbers of 32 bits end. A position is also an index of the ring of recent
bytes and of the tables of the match models, so what is coded across such a point must come back,
and must still profit from what came before it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import pytest

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import AUDIO, BINARY, BITMAP, IMAGE, TEXT, BlockType
from glnzip.format.container import (
    MAX_OFFSET,
    FrameHeader,
    Place,
    Succession,
    read_frame_header,
    write_frame_header,
)
from glnzip.format.levels import MODEL_GENERATION
from glnzip.model.build import new_model
from tests.checks import sample
from tests.cli.test_cli_process import ENVIRONMENT, GLNZIP

pytestmark = pytest.mark.slow

EDGES = (1 << 31, 1 << 32, 1 << 40)
BLOCK_TYPES = (
    BlockType(TEXT),
    BlockType(BINARY, 40),
    BlockType(BITMAP, 30),
    BlockType(IMAGE, 60, 3),
    BlockType(AUDIO, 0, 4, 2, 1),
)
PROSE = b"".join(b"line %d: %s\n" % (i, sample(30, i % 7)) for i in range(60))


def codec_at(position: int, level: int) -> BlockCodec:
    """A model that takes itself for one that has seen so many bytes."""
    codec: Any = BlockCodec(new_model(level))
    codec.model.recent.now[0].position = position
    return codec


def coded(codec: BlockCodec, block_type: BlockType) -> list[bytes]:
    """The payloads of three blocks; the last two repeat the first."""
    payloads = []
    for _ in range(3):
        payload = codec.encode(PROSE, block_type)
        assert payload is not None
        payloads.append(payload)
    return payloads


@pytest.mark.parametrize("block_type", BLOCK_TYPES, ids=str)
@pytest.mark.parametrize("level", [1, 6])
def test_coding_across_the_ends_of_32_bits(level: int, block_type: BlockType) -> None:
    usual = [len(payload) for payload in coded(codec_at(1 << 16, level), block_type)]
    for edge in EDGES:
        for start in (edge - len(PROSE) // 2, edge - 2 * len(PROSE) + 5):
            payloads = coded(codec_at(start, level), block_type)
            decoder = codec_at(start, level)
            for payload in payloads:
                decoder.begin_decode(payload, len(PROSE), block_type)
                assert decoder.decode(len(PROSE)) == PROSE
            for payload, length in zip(payloads, usual, strict=True):
                assert abs(len(payload) - length) <= 2 + length // 50


def test_places_reach_as_far_as_the_format() -> None:
    place = Place(b"name", MAX_OFFSET - 10)
    header = FrameHeader(MODEL_GENERATION, 6, None, place)
    written = write_frame_header(header)
    at = 0

    def take(count: int) -> bytes:
        nonlocal at
        at += count
        return written[at - count : at]

    assert read_frame_header(take) == header
    succession = Succession()
    succession._expected = place
    succession.begin(place)
    succession.end(place, last=False, length=10)
    succession.begin(Place(b"name", MAX_OFFSET))


@pytest.mark.skipif("GLNZIP_LONG_TESTS" not in os.environ, reason="takes ten minutes")
def test_a_long_pipe_takes_constant_memory() -> None:
    """200 MB through the fastest level, and back: the memory of the processes does not grow."""
    megabytes = [sample(1 << 20, seed) for seed in range(40)]  # the model forgets the first ones
    command = f"{sys.executable} -m glnzip"
    assert command.split()[1:] == GLNZIP[1:]
    pipe = subprocess.Popen(
        f"{command} -1 -q --prior none | {command} -dc -q",
        shell=True,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert pipe.stdin is not None
    assert pipe.stdout is not None
    start = time.monotonic()
    if os.fork() == 0:
        for number in range(200):
            pipe.stdin.write(megabytes[number % 40])
        os._exit(0)
    pipe.stdin.close()
    peaks = []
    for number in range(200):
        assert pipe.stdout.read(1 << 20) == megabytes[number % 40]
        if number % 20 == 10:
            peaks.append(resident_of_children(pipe.pid))
    assert pipe.stdout.read(1) == b""
    assert pipe.wait() == 0
    print(f"{time.monotonic() - start:.0f} s, peaks {peaks} KB")
    assert max(peaks) < 1.05 * peaks[1]


def resident_of_children(parent: int) -> int:
    """The largest peak of memory, in KB, of the processes that a shell has started."""
    children = subprocess.run(
        ["pgrep", "-P", str(parent)], capture_output=True, text=True, check=True
    ).stdout.split()
    peaks = []
    for child in children:
        with open(f"/proc/{child}/status") as status:
            peaks += [int(line.split()[1]) for line in status if line.startswith("VmHWM")]
    return max(peaks)
