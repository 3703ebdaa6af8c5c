"""What is saved of damaged streams: all that is sound, and nothing that is wrong."""

from __future__ import annotations

import io
import random
import tracemalloc
from collections.abc import Callable
from typing import BinaryIO, cast

import pytest

import glnzip
from glnzip.format.block_type import TEXT, BlockType
from glnzip.format.container import (
    MAGIC,
    MAX_OFFSET,
    BlockHeader,
    FrameHeader,
    Place,
    write_block_header,
    write_frame_header,
)
from glnzip.format.levels import MODEL_GENERATION
from glnzip.streams import recovery
from glnzip.streams.recovery import Damage, Loss
from tests.checks import sample
from tests.streams.test_parts import frames_of, part

pytestmark = pytest.mark.usefixtures("small_blocks")

BLOCK = 150
DATA = sample(20 * BLOCK - 7)
STREAM = b""  # of DATA, in 20 parts: made once there is a model


@pytest.fixture(scope="module", autouse=True)
def stream(small_blocks: int) -> bytes:
    global STREAM
    STREAM = glnzip.compress(DATA, block_size=BLOCK)
    assert len(frames_of(STREAM)) == 20
    return STREAM


def saved(stream: bytes) -> tuple[glnzip.Recovery, bytes]:
    """What is found in a stream, and the data; a sink that cannot seek gets the same."""
    file, pipe = io.BytesIO(), Pipe()
    recovery = glnzip.recover(io.BytesIO(stream), file)
    assert glnzip.recover(io.BytesIO(stream), cast(BinaryIO, pipe)) == recovery
    assert bytes(pipe.data) == file.getvalue()
    assert glnzip.recover(io.BytesIO(stream), None) == recovery
    return recovery, file.getvalue()


class Pipe(io.RawIOBase):
    """A sink that can only be written to."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.data += data
        return len(data)


def flip(chance: random.Random, stream: bytes) -> bytes:
    damaged = bytearray(stream)
    for _ in range(chance.choice((1, 1, 3, 30))):
        damaged[chance.randrange(len(stream))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def cut(chance: random.Random, stream: bytes) -> bytes:
    start = chance.randrange(len(stream))
    return stream[:start] + stream[start + chance.choice((1, 5, 100, 1000)) :]


def insert(chance: random.Random, stream: bytes) -> bytes:
    start, other = chance.randrange(len(stream)), chance.randrange(len(stream))
    length = chance.choice((1, 7, 200))
    added = chance.choice((chance.randbytes(length), bytes(length), stream[other:][:length]))
    return stream[:start] + added + stream[start:]


def swap(chance: random.Random, stream: bytes) -> bytes:
    frames = frames_of(stream)
    if chance.random() < 0.5:  # whole frames
        one, other = chance.sample(range(len(frames)), 2)
        frames[one], frames[other] = frames[other], frames[one]
        return b"".join(frames)
    a, b, c = sorted(chance.sample(range(len(stream)), 3))
    return stream[:a] + stream[b:c] + stream[a:b] + stream[c:]


def check_all_that_can_be_is_saved(damaged: bytes) -> None:
    recovery, output = saved(damaged)
    sound = [frame in damaged for frame in frames_of(STREAM)]
    assert recovery.frames >= sum(sound)
    for i, is_sound in enumerate(sound):
        part = slice(i * BLOCK, (i + 1) * BLOCK)
        if is_sound:
            assert output[part] == DATA[part]
        else:
            assert not any(output[part]), "what was not found is zeros"
    lost = [i for i, is_sound in enumerate(sound) if not is_sound]
    told = {
        i for i in range(20) for start, end in recovery.losses
        if start <= i * BLOCK and (end is None or i * BLOCK < end)
    }  # fmt: skip
    assert told == set(lost)
    assert not (recovery.complete and lost)


@pytest.mark.slow
@pytest.mark.parametrize("damage", [flip, cut, insert, swap])
def test_a_thousand_damages(damage: Callable[[random.Random, bytes], bytes]) -> None:
    for seed in range(250):
        check_all_that_can_be_is_saved(damage(random.Random(seed), STREAM))


def test_a_sound_stream_is_saved_whole():
    recovery, output = saved(STREAM)
    assert output == DATA
    assert recovery == glnzip.Recovery(frames=20, original_bytes=len(DATA))
    assert recovery.complete


def test_what_is_lost_is_told_by_place():
    frames = frames_of(STREAM)
    damaged = b"".join(frames[:3] + frames[5:-1])
    recovery, output = saved(damaged)
    assert recovery.damages == []
    assert recovery.losses == [Loss(3 * BLOCK, 5 * BLOCK), Loss(19 * BLOCK, None)]
    assert output == DATA[: 3 * BLOCK] + bytes(2 * BLOCK) + DATA[5 * BLOCK : 19 * BLOCK]
    assert recovery.original_bytes == 17 * BLOCK


def test_damage_is_told_by_the_bytes_of_the_file():
    frames = frames_of(STREAM)
    start = len(b"".join(frames[:4]))
    damaged = bytearray(STREAM)
    damaged[start + 30] ^= 1
    recovery, _ = saved(bytes(damaged))
    ((at, end, reason),) = recovery.damages
    assert (at, end) == (start, start + len(frames[4]))
    assert "check" in reason
    nothing, output = saved(b"no frame at all")
    (damage,) = nothing.damages
    assert damage == Damage(0, 15, "these bytes are not a glnzip frame (wrong magic number)")
    assert output == b""


def test_frames_that_are_no_parts_are_joined():
    first, second, third = (glnzip.compress(sample(100, seed)) for seed in range(3))
    damaged = bytearray(first + second + third)
    damaged[len(first) + 20] ^= 1
    recovery, output = saved(bytes(damaged))
    assert output == sample(100, 0) + sample(100, 2)
    assert len(recovery.damages) == 1
    assert recovery.losses == []
    assert not recovery.complete


def test_wholes_are_kept_apart():
    again = glnzip.compress(DATA[:400], block_size=BLOCK)
    recovery, output = saved(STREAM + again + STREAM + glnzip.compress(b"xyz"))
    assert recovery.complete
    assert output == DATA + DATA[:400] + DATA + b"xyz"


def test_frames_within_the_data_are_never_taken_for_parts():
    """A compressed file does not get smaller, so it is stored: as it stands, but for a mask."""
    chance = random.Random(5)
    inner = glnzip.compress(chance.randbytes(100), block_size=60)
    data = chance.randbytes(20) + inner + glnzip.compress(chance.randbytes(30))
    stream = glnzip.compress(data, block_size=400)
    assert inner not in stream
    for at in range(len(stream)):
        damaged = bytearray(stream)
        damaged[at] ^= 0x81
        recovery, output = saved(bytes(damaged))
        assert (recovery.frames, output) == (0, b"")


def test_a_frame_within_a_stored_frame_that_has_kept_its_shape_is_none():
    inner = glnzip.compress(b"precious")
    stream = bytearray(glnzip.compress(bytes(range(7)) + inner))
    assert bytes(inner) in stream
    stream[-1] ^= 1
    recovery, output = saved(bytes(stream))
    assert (recovery.frames, output) == (0, b"")


def count_tries(monkeypatch: pytest.MonkeyPatch, stream: bytes) -> int:
    """How many parts were offered to a whole in the search, of which nothing was lost."""
    tries = 0
    add = recovery._Whole.add

    def counted(*arguments):
        nonlocal tries
        tries += 1
        return add(*arguments)

    monkeypatch.setattr(recovery._Whole, "add", counted)
    assert glnzip.recover(io.BytesIO(stream), None).complete
    return tries


def test_wholes_are_looked_up_by_name(monkeypatch):
    """A stranger's stream may have a hundred thousand, and asking each of them takes hours."""
    stream = b"".join(part(number.to_bytes(4, "big"), 0) for number in range(300))
    assert count_tries(monkeypatch, stream) == 0


def test_wholes_of_the_same_name_are_not_all_tried(monkeypatch):
    stream = b"".join(part(b"name", 0, number.to_bytes(2, "big")) for number in range(300))
    assert count_tries(monkeypatch, stream) < 20 * 300


def test_parts_are_not_sorted_in_at_any_distance(monkeypatch):
    """To move a hundred thousand others for each part would take hours; it loses nothing."""
    frames = frames_of(STREAM)
    backwards = b"".join(reversed(frames))
    assert saved(backwards)[1] == DATA
    monkeypatch.setattr(recovery, "_MOST_MOVED", 12)
    found, output = saved(backwards)
    assert found.original_bytes == len(DATA)
    assert output.count(DATA[7 * BLOCK :]) == 1
    assert output.count(DATA[: 7 * BLOCK]) == 1


def test_what_is_there_twice_is_saved_once():
    """Where streams meet it would be another whole; elsewhere it is a repetition."""
    frames = frames_of(STREAM)
    found, output = saved(b"".join(frames[:9] + frames[3:6] + frames[9:]))
    assert found.complete
    assert output == DATA
    other = part(bytes.fromhex(str(next(glnzip.frame_info(STREAM)).whole)), 3 * BLOCK, b"other")
    found, output = saved(b"".join([*frames[:9], other, *frames[9:]]))
    assert found.original_bytes == len(DATA) + 5


@pytest.mark.slow
def test_memory_does_not_grow_with_frames_that_are_no_parts():
    """Nor with parts in their order: what follows directly is joined."""
    for frame in (lambda at: part(b"name", at, b"a", last=False), lambda at: glnzip.compress(b"")):
        source = io.BytesIO(b"".join(frame(number) for number in range(3000)))
        tracemalloc.start()
        found = glnzip.recover(source, None)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert found.frames == 3000
        assert peak < 300_000


class Watched(io.BytesIO):
    """A file that counts the bytes that are read."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


def test_no_more_is_read_than_needed():
    """The search may begin again every few bytes, and each beginning see the same large blocks."""
    start = write_frame_header(FrameHeader(MODEL_GENERATION, 1))
    large = write_block_header(BlockHeader(True, BlockType(TEXT), 100_000, 100_000))
    for stream in (MAGIC * 10_000, nested(100, large + bytes(100_000)), start * 5000):
        source = Watched(stream)
        assert glnzip.recover(source, None).frames == 0
        assert source.count < 100 * len(stream)
    skipped = Watched(nested(100, large + bytes(100_000)))
    glnzip.recover(skipped, None)
    assert skipped.count < 3 * len(skipped.getvalue())


def nested(count: int, tail: bytes) -> bytes:
    """Beginnings of frames, each of which sees the others as a stored block before the tail."""
    start = write_frame_header(FrameHeader(MODEL_GENERATION, 1))
    stream = tail
    for _ in range(count):
        inside = len(stream) - len(tail)
        skipped = write_block_header(BlockHeader(True, BlockType(TEXT), inside, inside))
        stream = start + (skipped if inside else b"") + stream
    return stream


def test_frames_within_others_are_not_walked_for_ever():
    """All share a tail of many small blocks; in vain, they would be walked 100 x 1000 times."""
    tail = b"\x02\x01x" * 1000
    stream = nested(100, tail) + b"\xff" + STREAM
    found, _ = saved(stream)
    assert found.damages[-1].reason.startswith("given up here: too many")
    assert found.damages[-1].end == len(stream)
    few, output = saved(nested(3, tail) + b"\xff" + STREAM)
    assert (few.frames, output) == (20, DATA)


def test_damaged_data_are_limited_as_well():
    """Else a limit to the output would not limit the time: nothing comes out of wrong frames."""
    tail = b"\x02\x64" + bytes(100) + b"\0" + b"none" + b"more"
    stream = nested(100, tail)
    found = glnzip.recover(io.BytesIO(stream), None, max_output=5000)
    assert found.damages[-1].reason.startswith("given up here: more data are damaged")
    saved_before = glnzip.recover(io.BytesIO(STREAM + stream), None, max_output=5000)
    assert saved_before.original_bytes == len(DATA)


def test_frames_within_others_are_not_decoded_for_ever(monkeypatch):
    """Each of a million might be decoded to the end that they share, which is wrong."""
    decoded = 0
    decode = recovery._decode

    def counted(*arguments, **more):
        nonlocal decoded
        decoded += 1
        decode(*arguments, **more)

    monkeypatch.setattr(recovery, "_decode", counted)
    stream = nested(1000, b"\x02\x64" + bytes(100) + b"\0" + b"none" + b"more")
    found = glnzip.recover(io.BytesIO(stream), None)
    assert found.damages[-1].reason.startswith("given up here: too many")
    assert decoded < 50


def test_a_frame_alone_may_not_be_longer_than_the_output():
    wrong = bytearray(glnzip.compress(DATA))
    wrong[-1] ^= 1
    with pytest.raises(glnzip.OutputLimitError):
        glnzip.recover(io.BytesIO(wrong), None, max_output=BLOCK)


def test_limits():
    with pytest.raises(glnzip.OutputLimitError):
        glnzip.recover(io.BytesIO(STREAM), None, max_output=len(DATA) - 1)
    assert glnzip.recover(io.BytesIO(STREAM), None, max_output=len(DATA)).complete
    recovery = glnzip.recover(io.BytesIO(STREAM), None, memory_limit=1000)
    assert recovery.frames == 0
    assert "level 6 needs about" in recovery.damages[0].reason


def test_a_far_place_takes_neither_time_nor_room(tmp_path):
    """A sound frame may claim any offset: the gap before it is a hole."""
    path = tmp_path / "output"
    with path.open("wb") as sink:
        source = io.BytesIO(part(b"name", 1 << 40, b"far away"))
        recovery = glnzip.recover(source, sink, max_output=1 << 41)
    assert recovery.losses == [Loss(0, 1 << 40)]
    status = path.stat()
    assert status.st_size == (1 << 40) + 8
    assert status.st_blocks * 512 < 1 << 20


def test_zeros_are_in_proportion_to_the_file():
    """Else a frame of 24 bytes fills the memory, or the disk."""
    frame = part(b"name", 50_000, b"abc")
    _, output = saved(frame)
    assert output == bytes(50_000) + b"abc"
    far = part(b"name", 4096 * 40, b"abc")
    assert len(far) < 40
    several = part(b"near", 0, b"abc") + part(b"far.", 4096 * 60) + part(b"next", 4096 * 60)
    for stream, zeros in ((far, 4096 * 40), (several, 4096 * 120)):
        told = glnzip.recover(io.BytesIO(stream), None)
        length = zeros + told.original_bytes
        file, pipe = io.BytesIO(), Pipe()
        for sink in (file, cast(BinaryIO, pipe)):
            with pytest.raises(glnzip.OutputLimitError, match=f"would be {length:,}.*max_output"):
                glnzip.recover(io.BytesIO(stream), sink)
        assert not file.getvalue()
        assert not pipe.data
        assert glnzip.recover(io.BytesIO(stream), file, max_output=length) == told
        assert len(file.getvalue()) == length
        with pytest.raises(glnzip.OutputLimitError):
            glnzip.recover(io.BytesIO(stream), None, max_output=length - 1)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("offset", [1 << 62, MAX_OFFSET])
@pytest.mark.parametrize("blocks", [(), (b"data",)])
def test_a_place_that_is_farther_than_any_output_can_be(tmp_path, count, offset, blocks):
    """What a sink says to it depends on the system: it may have no room, or so much of it."""
    stream = b"".join(part(bytes([i]) * 4, offset, *blocks) for i in range(count))
    told = glnzip.recover(io.BytesIO(stream), None)
    length = count * (offset + 4 * len(blocks))
    assert sum((end or 0) - start for start, end in told.losses) == count * offset
    with pytest.raises(glnzip.OutputLimitError):
        glnzip.recover(io.BytesIO(stream), io.BytesIO())
    with pytest.raises(glnzip.OutputLimitError):
        glnzip.recover(io.BytesIO(stream), io.BytesIO(), max_output=length)
    if offset == MAX_OFFSET:
        with (
            (tmp_path / "output").open("wb") as file,
            pytest.raises(glnzip.OutputLimitError),
        ):
            glnzip.recover(io.BytesIO(stream), file, max_output=length)


def test_zeros_at_the_end_are_zeros():
    """An empty part may belong after what was lost; a hole that nothing follows is no data."""
    found, output = saved(part(b"name", 100))
    assert output == bytes(100)
    assert found.losses == [Loss(0, 100)]


def test_nothing_is_not_complete():
    with pytest.raises(glnzip.TruncatedStreamError) as error:
        glnzip.decompress(b"")
    found, output = saved(b"")
    assert not found.complete
    assert found == glnzip.Recovery(damages=[Damage(0, 0, str(error.value))])
    assert output == b""
    assert not glnzip.Recovery().complete


@pytest.mark.parametrize("change", ["shorter", "other"])
def test_a_file_that_changes_is_not_taken_for_what_it_was(change):
    frame = part(b"name", 5, b"some data")
    other = {"shorter": frame[:-1], "other": part(b"name", 5, b"som") + bytes(6)}[change]

    class Changing(io.BytesIO):
        starts = 0

        def seek(self, offset: int, whence: int = 0, /) -> int:
            self.starts += (offset, whence) == (0, 0)
            if self.starts == 3:  # to find its length, to walk, to decode
                self.getbuffer()[: len(other)] = other
                if change == "shorter":
                    self.truncate(len(other))
            return super().seek(offset, whence)

    found = glnzip.recover(Changing(frame), None)
    assert found.frames == 0
    assert "changed" in found.damages[0].reason


def test_what_a_frame_needs_is_told():
    header = FrameHeader(MODEL_GENERATION, 6, b"\1\2\3\4", Place(b"name", 0))
    other = write_frame_header(header)
    recovery, _ = saved(other + b"\x02\x01a\x00" + bytes(4))
    assert "needs the prior 01020304" in recovery.damages[0].reason
