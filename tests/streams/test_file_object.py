"""`open` and `GlnzipFile` behave as `lzma.open` and `LZMAFile` do."""

from __future__ import annotations

import copy
import io
import lzma
import os
import pickle
import tarfile
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import glnzip
from tests.checks import sample
from tests.conftest import NEW_CODEC, ZlibCodec

pytestmark = pytest.mark.usefixtures("small_blocks")

DATA = sample(3000)
LINES = io.BytesIO(DATA).readlines()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A compressed file with `DATA`, in two frames with an empty one between."""
    path = tmp_path / "data.gln"
    frames = [glnzip.compress(DATA[:1000]), glnzip.compress(b""), glnzip.compress(DATA[1000:])]
    path.write_bytes(b"".join(frames))
    return path


@pytest.mark.parametrize("convert", [Path, str, os.fsencode], ids=["Path", "str", "bytes"])
def test_write_and_read_by_path(tmp_path, convert):
    name = convert(str(tmp_path / "new.gln"))
    with glnzip.open(name, "wb", level=3) as file:
        assert file.mode == "wb"
        assert file.writable()
        assert not file.readable()
        assert not file.seekable()
        assert file.write(DATA[:700]) == 700
        assert file.write(memoryview(DATA[700:]).cast("I")) == len(DATA) - 700
        assert file.tell() == len(DATA)
    with glnzip.open(name) as file:
        assert file.mode == "rb"
        assert file.readable()
        assert not file.writable()
        assert file.seekable()
        assert file.name == name or file.name == os.fspath(name)
        assert file.fileno() >= 0
        assert file.read() == DATA
        assert file.read() == b""
        assert file.tell() == len(DATA)


def test_a_file_object_that_was_given_stays_open():
    target = io.BytesIO()
    with glnzip.GlnzipFile(target, "w") as file:
        file.write(DATA)
    assert not target.closed
    target.seek(0)
    with glnzip.open(target) as file:
        assert file.read() == DATA
    assert not target.closed
    assert glnzip.decompress(target.getvalue()) == DATA


def test_mode_x_never_overwrites(path, tmp_path):
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        glnzip.open(path, "xb")
    assert path.read_bytes() == before
    with glnzip.open(tmp_path / "other.gln", "x") as file:
        file.write(DATA)
    assert glnzip.decompress((tmp_path / "other.gln").read_bytes()) == DATA


def test_a_wrong_argument_leaves_the_file_alone(path):
    before = path.read_bytes()
    for mode in ("", "rw", "ar", "wbb", "U", "rbt", "wtb", "r+b"):
        with pytest.raises(ValueError, match="mode"):
            glnzip.open(path, mode)
    with pytest.raises(ValueError, match="level"):
        glnzip.open(path, "w", level=10)
    with pytest.raises(ValueError, match="text mode"):
        glnzip.open(path, "wb", encoding="utf-8")
    with pytest.raises(TypeError, match="path or a binary file"):
        glnzip.open(None)  # type: ignore[call-overload]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"level": 0}, ValueError),
        ({"block_size": 0}, ValueError),
        ({"memory_limit": "1 GB"}, TypeError),
        ({"prior": 5}, TypeError),
        ({"prior": "no such file"}, FileNotFoundError),
        ({"prior": "cut"}, glnzip.BadPriorError),
        ({"prior": "damaged"}, glnzip.BadPriorError),
        ({"prior": "damaged", "block_size": 100}, glnzip.BadPriorError),
        ({"mode": "wt", "encoding": "nonsense"}, LookupError),
        ({"mode": "wt", "encoding": "hex"}, LookupError),
        ({"mode": "wt", "errors": "nonsense"}, LookupError),
        ({"mode": "wt", "newline": "x"}, ValueError),
    ],
    ids=str,
)
def test_a_wrong_argument_never_empties_a_file(path, monkeypatch, arguments, error):
    before = path.read_bytes()
    monkeypatch.chdir(path.parent)
    Path("cut").write_bytes(glnzip.compress(DATA)[:-1])
    Path("damaged").write_bytes(glnzip.compress(DATA)[:-1] + b"?")  # found only by decoding it
    with pytest.raises(error):
        glnzip.open(path, **{"mode": "w", **arguments})
    assert path.read_bytes() == before


def test_a_prior_may_be_named_by_its_path(tmp_path):
    prior = tmp_path / "prior.gln"
    prior.write_bytes(glnzip.compress(DATA, prior=None))
    packed = io.BytesIO()
    with glnzip.open(packed, "w", prior=prior, block_size=100) as file:
        file.write(DATA)
    assert glnzip.decompress(packed.getvalue(), prior=prior) == DATA
    packed.seek(0)
    with glnzip.open(packed, prior=str(prior)) as file:
        prior.unlink()  # it is read once, not once a frame
        assert file.read() == DATA


@pytest.mark.parametrize("mode", ["a", "ab"])
def test_append_adds_a_frame(path, mode):
    before = path.read_bytes()
    with glnzip.open(path, mode) as file:
        assert file.mode == "wb"
        file.write(b"more")
    assert path.read_bytes() == before + glnzip.compress(b"more")
    with glnzip.open(path, "at") as file:
        file.write(" text")
    assert glnzip.decompress(path.read_bytes()) == DATA + b"more text"


def test_append_makes_a_file_that_is_not_there(tmp_path):
    with glnzip.GlnzipFile(tmp_path / "new.gln", "a") as file:
        file.write(DATA)
    assert glnzip.decompress((tmp_path / "new.gln").read_bytes()) == DATA


def test_text(tmp_path):
    path = tmp_path / "text.gln"
    text = "Grüße\nan alle\n"
    with glnzip.open(path, "wt", encoding="utf-8", newline="\r\n") as file:
        file.write(text)
    with glnzip.open(path, "rb") as file:
        assert file.read() == text.replace("\n", "\r\n").encode()
    with glnzip.open(path, "rt", encoding="utf-8") as file:
        assert list(file) == text.splitlines(keepends=True)
    with glnzip.open(path, "rt", encoding="ascii", errors="replace") as file:
        assert file.readline() == "Gr\ufffd\ufffd\ufffd\ufffde\n"
    with io.TextIOWrapper(glnzip.GlnzipFile(path), encoding="utf-8") as wrapper:
        assert wrapper.read() == text


def test_lines_and_peek(path):
    with glnzip.open(path) as file:
        assert file.peek()[:3] == DATA[:3]
        assert file.tell() == 0
        assert file.readline() == LINES[0]
        assert file.readline(3) == LINES[1][:3]
    with glnzip.open(path) as file:
        assert list(file) == LINES
    with glnzip.open(path) as file:
        assert file.readlines() == LINES


def test_ways_to_read(path):
    with glnzip.open(path) as file:
        parts = [file.read(10), file.read(0), file.read1(5), file.read1()]
        buffer = bytearray(7)
        assert file.readinto(buffer) == 7
        parts.append(bytes(buffer))
        parts += [file.read(None), file.read1(), file.read(5)]
    assert len(parts[0]) == 10
    assert 0 < len(parts[2]) <= 5
    assert b"".join(parts) == DATA


def test_arguments_by_keyword_as_in_lzma(path):
    packed = io.BytesIO(lzma.compress(DATA))
    with glnzip.open(path) as ours, lzma.open(packed) as theirs:
        for file in (ours, theirs):
            assert file.read(size=5) == DATA[:5]
            assert file.read1(size=5) == DATA[5:10]
            assert file.readline(size=5) == DATA[10:15]
            assert DATA[15:].startswith(file.peek(size=1))
            assert file.seek(offset=7, whence=0) == 7
    with glnzip.open(io.BytesIO(), "w") as file:
        assert file.write(data=b"abc") == 3


def test_a_whence_of_its_own_is_refused_and_does_no_harm(path):
    with glnzip.open(path) as file:
        file.read(10)
        with pytest.raises(ValueError, match="whence"):
            file.seek(0, 3)
        assert file.read() == DATA[10:]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    moves=st.lists(
        st.tuples(
            st.sampled_from([io.SEEK_SET, io.SEEK_CUR, io.SEEK_END]),
            st.integers(0, 4000),
            st.integers(0, 500),
        ),
        max_size=6,
    )
)
@pytest.mark.parametrize("in_parts", [False, True])
def test_seek_as_lzma_does(in_parts, moves, path):
    packed = io.BytesIO(lzma.compress(DATA))
    if in_parts:
        path.write_bytes(
            glnzip.compress(DATA[:2000], block_size=300) + glnzip.compress(DATA[2000:])
        )
    with glnzip.open(path) as ours, lzma.open(packed) as theirs:
        for whence, offset, count in moves:
            offset = {io.SEEK_SET: offset, io.SEEK_CUR: offset - 2000, io.SEEK_END: -offset}[whence]
            assert ours.seek(offset, whence) == theirs.seek(offset, whence)
            assert ours.read(count) == theirs.read(count)
            assert ours.tell() == theirs.tell()


def test_a_stream_inside_a_file_starts_where_the_file_stands(path):
    outer = io.BytesIO(b"label: " + path.read_bytes())
    outer.seek(7)
    with glnzip.open(outer) as file:
        assert file.read(50) == DATA[:50]
        file.seek(10)
        assert file.read() == DATA[10:]


def test_a_pipe_can_be_read_but_not_rewound(path):
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as source:
        with os.fdopen(write_end, "wb") as sink:
            sink.write(path.read_bytes())
        with glnzip.open(source) as file:
            assert not file.seekable()
            with pytest.raises(io.UnsupportedOperation):
                file.seek(0)
            assert file.read() == DATA


def test_wrong_direction(path, tmp_path):
    with glnzip.open(path) as file, pytest.raises(io.UnsupportedOperation):
        file.write(b"")
    with glnzip.open(tmp_path / "new.gln", "w") as file:
        for call in (file.read, file.read1, file.readline, file.peek, lambda: file.seek(0)):
            with pytest.raises(io.UnsupportedOperation):
                call()


def test_closed(path, tmp_path):
    for file in (glnzip.open(path), glnzip.open(tmp_path / "new.gln", "w")):
        before = file.closed
        file.close()
        file.close()
        assert (before, file.closed) == (False, True)
        for call in (file.read, file.fileno, file.readable, file.tell, file.__enter__):
            with pytest.raises(ValueError, match="closed"):
                call()
        with pytest.raises(ValueError, match="closed"):
            file.write(b"")


@pytest.mark.parametrize("mode", ["r", "w"])
def test_a_closed_file_frees_its_model(monkeypatch, mode):
    more_than_is_buffered = DATA * (2 + io.DEFAULT_BUFFER_SIZE // len(DATA))
    packed = io.BytesIO(glnzip.compress(more_than_is_buffered))
    models: list[weakref.ref[ZlibCodec]] = []

    class Watched(ZlibCodec):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            models.append(weakref.ref(self))

    monkeypatch.setattr(NEW_CODEC, Watched)
    file = glnzip.GlnzipFile(packed, mode)
    if mode == "r":
        file.read(1)
    else:
        file.write(DATA)
    (model,) = models
    assert model() is not None
    file.close()
    assert model() is None


def test_a_nameless_file():
    with glnzip.open(io.BytesIO(), "w") as file:
        assert not hasattr(file, "name")


@pytest.mark.parametrize("cut", [1, 4, 20])
def test_truncated_file(path, cut):
    path.write_bytes(path.read_bytes()[:-cut])
    with glnzip.open(path) as file, pytest.raises(EOFError):
        file.read()
    with glnzip.open(path) as file, pytest.raises(glnzip.TruncatedStreamError):
        list(file)


def test_damaged_file_and_trailing_bytes(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with glnzip.open(path) as file, pytest.raises(glnzip.CorruptStreamError, match="check"):
        file.read()
    path.write_bytes(whole + b"\n")
    with glnzip.open(path) as file, pytest.raises(glnzip.CorruptStreamError, match="last frame"):
        file.read()


def test_a_failed_write_never_makes_a_whole_file(tmp_path, monkeypatch):
    def interrupt(*arguments: object) -> bytes:
        raise KeyboardInterrupt

    path = tmp_path / "broken.gln"
    file = glnzip.open(path, "w")
    file.write(DATA)
    monkeypatch.setattr(ZlibCodec, "encode", interrupt)
    with pytest.raises(KeyboardInterrupt), file:
        file.write(DATA)
    with pytest.raises(glnzip.TruncatedStreamError):
        glnzip.decompress(path.read_bytes())


def test_a_file_that_takes_little_at_a_time():
    class Slow(io.BytesIO):
        def write(self, data, /):
            return super().write(data[:7])

    target = Slow()
    with glnzip.open(target, "w") as file:
        file.write(DATA)
    assert glnzip.decompress(target.getvalue()) == DATA


def test_a_full_disk_never_makes_a_whole_file():
    class FullDisk(io.BytesIO):
        def write(self, data, /):
            if self.tell() > 0:
                raise OSError("no space left")
            return super().write(data)

    disk = FullDisk()
    file = glnzip.GlnzipFile(disk, "w")
    file.write(DATA)
    with pytest.raises(OSError, match="no space"):
        file.write(DATA)
    for call in (lambda: file.write(DATA), file.flush, file.close):
        with pytest.raises(glnzip.GlnzipError, match="the file is incomplete"):
            call()
    assert file.closed
    file.close()
    with pytest.raises(glnzip.TruncatedStreamError):
        glnzip.decompress(disk.getvalue())


@pytest.mark.parametrize("mode", ["wb", "wt"])
def test_the_error_that_leaves_a_with_block_comes_out(tmp_path, monkeypatch, mode):
    def interrupt(*arguments: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(ZlibCodec, "encode", interrupt)
    file = glnzip.open(tmp_path / "new.gln", mode)
    binary = file if isinstance(file, glnzip.GlnzipFile) else file.buffer
    raw = binary._file
    assert raw is not None
    with pytest.raises(KeyboardInterrupt), file:
        binary.write(DATA)
    assert file.closed
    assert raw.closed


@pytest.mark.parametrize("wrong", ["text", None, 5])
def test_what_is_no_data_does_no_harm(wrong):
    packed = io.BytesIO()
    with glnzip.open(packed, "w") as file:
        file.write(DATA[:100])
        with pytest.raises(TypeError):
            file.write(wrong)
        file.write(DATA[100:])
        assert file.tell() == len(DATA)
    assert packed.getvalue() == glnzip.compress(DATA)


def test_threads_write_one_after_the_other(monkeypatch):
    encode = ZlibCodec.encode

    def slow_encode(self, block, block_type, progress=None):
        time.sleep(0.0005)  # lets another thread in, if it can
        return encode(self, block, block_type, progress)

    monkeypatch.setattr(ZlibCodec, "encode", slow_encode)
    packed = io.BytesIO()
    with glnzip.open(packed, "w") as file:

        def write(name: bytes) -> None:
            for _ in range(10):
                file.write(name * 100)

        run_threads([partial(write, name) for name in (b"a", b"b", b"c", b"d")])
        assert file.tell() == 4000
    data = glnzip.decompress(packed.getvalue())
    pieces = [data[start : start + 100] for start in range(0, 4000, 100)]
    assert sorted(pieces) == sorted(name * 100 for name in (b"a", b"b", b"c", b"d") * 10)


def test_threads_read_and_seek_one_after_the_other(path, monkeypatch):
    decode = ZlibCodec.decode
    inside = threading.Lock()

    def lonely_decode(self, most):
        assert inside.acquire(blocking=False), "two threads in one model"
        time.sleep(0.0005)
        inside.release()
        return decode(self, most)

    monkeypatch.setattr(ZlibCodec, "decode", lonely_decode)
    with glnzip.open(path) as file:
        pieces: list[bytes] = []
        run_threads([lambda: pieces.extend(iter(lambda: file.read(50), b""))] * 4)
        assert sum(map(len, pieces)) == len(DATA)
        run_threads([lambda: file.seek(0)] * 2 + [lambda: file.read(2000)] * 2)


def run_threads(tasks: list[Callable[[], object]]) -> None:
    """Run them all at once; none may fail."""
    failures: list[BaseException] = []

    def run(task: Callable[[], object]) -> None:
        try:
            task()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_progress_counts_what_was_coded_and_may_ask_for_the_place():
    told: list[int] = []
    file: glnzip.GlnzipFile

    def tell(count: int) -> None:
        assert 0 <= file.tell() <= len(DATA)
        told.append(count)

    packed = io.BytesIO()
    with glnzip.open(packed, "wb", progress=tell) as file:
        file.write(DATA)
    assert (sum(told), max(told)) == (len(DATA), 64)
    told.clear()
    packed.seek(0)
    with glnzip.open(packed, "rb", progress=tell) as file:
        assert file.read() == DATA
    assert (sum(told), max(told)) == (len(DATA), 64)


@pytest.mark.parametrize("call", ["write", "close"])
def test_a_progress_callback_that_uses_the_file_is_an_error_and_no_deadlock(call):
    arguments = {"write": (b"more",), "close": ()}[call]
    file = glnzip.GlnzipFile(
        io.BytesIO(), "w", progress=lambda count: getattr(file, call)(*arguments)
    )
    with pytest.raises(glnzip.GlnzipError, match="incomplete"), file:
        file.write(DATA)


@pytest.mark.parametrize("mode", ["r", "w"])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_file_cannot_be_copied(path, mode, duplicate):
    with glnzip.GlnzipFile(path, mode) as file, pytest.raises(TypeError, match="copy or pickle"):
        duplicate(file)


def test_after_an_error_reading_goes_on_only_from_a_place_that_was_sought():
    stream = bytearray(glnzip.compress(DATA, block_size=500))
    first, second, *_ = glnzip.frame_info(bytes(stream))
    stream[first.compressed_bytes + second.compressed_bytes - 1] ^= 1  # the check of the second
    with glnzip.open(io.BytesIO(bytes(stream))) as file:
        for _ in range(3):
            with pytest.raises(glnzip.CorruptStreamError, match="check"):
                file.read()
        assert file.seek(100) == 100
        assert file.read(400) == DATA[100:500]
        assert file.seek(1000) == 1000
        assert file.read() == DATA[1000:]


def test_after_a_seek_that_failed_nothing_is_read_from_elsewhere(path):
    path.write_bytes(path.read_bytes()[:-1])
    with glnzip.open(path) as file:
        assert file.read(10) == DATA[:10]
        with pytest.raises(EOFError):
            file.seek(0, io.SEEK_END)
        with pytest.raises(EOFError):
            file.read(10)
        assert file.seek(20) == 20
        assert file.read(10) == DATA[20:30]


def test_a_file_that_grew_after_its_end_was_missed_is_not_read_on(path):
    whole = path.read_bytes()
    packed = io.BytesIO(whole[:-30])
    with glnzip.open(packed) as file:
        with pytest.raises(EOFError):
            file.read()  # what was decoded is lost with the error
        packed.write(whole[-30:])
        packed.seek(len(whole) - 30)
        with pytest.raises(EOFError):
            file.read()
        file.seek(0)
        assert file.read() == DATA


def test_an_interrupted_read_can_begin_anew(path, monkeypatch):
    def interrupt(*arguments: object) -> bytes:
        raise KeyboardInterrupt

    with glnzip.open(path) as file:
        with monkeypatch.context() as patch:
            patch.setattr(ZlibCodec, "decode", interrupt)
            with pytest.raises(KeyboardInterrupt):
                file.read()
        with pytest.raises(glnzip.GlnzipError, match="earlier call did not finish"):
            file.read()
        file.seek(0)
        assert file.read() == DATA


def test_tar(tmp_path):
    (tmp_path / "a.txt").write_bytes(DATA)
    (tmp_path / "b.txt").write_bytes(b"short")
    archive = tmp_path / "both.tar.gln"
    with glnzip.open(archive, "wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
        tar.add(tmp_path / "a.txt", "a.txt")
        tar.add(tmp_path / "b.txt", "b.txt")
    for mode in ("r:", "r|"):
        with glnzip.open(archive) as file, tarfile.open(fileobj=file, mode=mode) as tar:
            contents = {
                member.name: member_file.read()
                for member in tar
                if (member_file := tar.extractfile(member))
            }
        assert contents == {"a.txt": DATA, "b.txt": b"short"}


def test_seeking_decodes_no_other_parts(monkeypatch):
    data = DATA * 20
    stream = glnzip.compress(data, block_size=1000)
    decoded = []

    def counted(*arguments):
        decoded.append(arguments)
        return ZlibCodec(*arguments[:2])

    monkeypatch.setattr(NEW_CODEC, counted)
    outer = io.BytesIO(b"other data" + stream)
    outer.seek(10)
    with glnzip.open(outer) as file:
        file.seek(len(data) - 1500)
        assert file.read(10) == data[-1500:-1490]
        assert len(decoded) <= 2
        file.seek(5)
        assert file.read(10) == data[5:15]
        assert len(decoded) <= 3


def test_seeking_in_a_damaged_stream_works_up_to_the_damage():
    stream = bytearray(glnzip.compress(DATA, block_size=500))
    first, second, *_ = glnzip.frame_info(bytes(stream))
    stream[first.compressed_bytes + second.compressed_bytes] ^= 1  # the third magic number
    with glnzip.open(io.BytesIO(bytes(stream))) as file:
        assert file.seek(900) == 900
        assert file.read(100) == DATA[900:1000]
        with pytest.raises(glnzip.CorruptStreamError):
            file.read(1)


def test_flush_lets_a_reader_have_all_that_was_written():
    packed = io.BytesIO()
    with glnzip.open(packed, "wt", newline="") as file:
        for number in range(5):
            file.write(f"message {number}\n")
            file.flush()
            received = glnzip.Decompressor().decompress(packed.getvalue())
            assert received.endswith(f"message {number}\n".encode())
    whole = packed.getvalue()
    assert glnzip.decompress(whole) == b"".join(b"message %d\n" % number for number in range(5))
    (info,) = glnzip.frame_info(whole)
    assert info.blocks == 5


def test_flush_without_data_or_at_the_end_changes_nothing():
    packed = io.BytesIO()
    with glnzip.open(packed, "wb") as file:
        file.flush()
        file.write(b"data")
        file.flush()
        file.flush()
    assert packed.getvalue() == glnzip.compress(b"data")
    with pytest.raises(ValueError, match="closed"):
        file.flush()
    with glnzip.open(io.BytesIO(packed.getvalue())) as reader:
        reader.flush()
        assert reader.read() == b"data"
