"""Files of the cache appear whole, under their own name, and nothing unfinished stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import glnzip
from glnzip.cache import CacheFolder, cache_root, open_folder, why_unusable
from glnzip.cache.folder import UNFINISHED
from glnzip.system.unfinished import undo_all

ROOT = Path(glnzip.__file__).parents[1]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "some"


@pytest.fixture
def folder(path: Path) -> CacheFolder:
    return open_folder("some", make=True)


def test_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of these variables that is set tells."""
    values = (str(tmp_path / "xdg"), str(tmp_path / "app"), "g")
    expected = [
        Path.home() / ".cache" / "glnzip",
        tmp_path / "xdg" / "glnzip",
        tmp_path / "app" / "glnzip",
        Path("g"),
    ]
    variables = ("XDG_CACHE_HOME", "LOCALAPPDATA", "GLNZIP_CACHE_DIR")
    for name in variables:
        monkeypatch.setenv(name, "")
    assert cache_root() == expected[0]
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # to be ignored, says its specification
    assert cache_root() == expected[0]
    for name, value, place in zip(variables, values, expected[1:], strict=True):
        monkeypatch.setenv(name, value)
        assert cache_root() == place


def started(program: str) -> subprocess.Popen[bytes]:
    """A process at work on the folder, which has printed its first line."""
    program = (
        "from glnzip.cache import open_folder\n"
        f"folder = open_folder('some')\n{program}\n"
        "    print('ready', flush=True)\n"
        "    input()\n"
    )
    command = [sys.executable, "-c", program]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def test_what_was_written_is_read(folder: CacheFolder, path: Path) -> None:
    folder.write("file", b"content")
    folder.write("empty", b"")
    assert folder.read("file") == b"content"
    assert folder.read("empty") == b""
    assert folder.read("missing") is None
    assert folder.names() == ["empty", "file"]
    assert folder.names("f*") == ["file"]
    assert folder.disk_bytes("file") > 0
    folder.remove("file")
    folder.remove("file")
    assert os.listdir(path) == ["empty"]


@pytest.mark.parametrize("at", [0, 31, 32, -1])
def test_a_flipped_bit(folder: CacheFolder, path: Path, at: int) -> None:
    folder.write("file", b"content")
    content = bytearray((path / "file").read_bytes())
    content[at] ^= 1
    (path / "file").write_bytes(content)
    assert folder.read("file") is None


def test_a_file_under_the_name_of_another(folder: CacheFolder, path: Path) -> None:
    """The hash of another prior, or a kernel of another kind, would make unreadable files."""
    folder.write("one", b"content of one")
    folder.write("other", b"content of the other")
    os.replace(path / "one", path / "other")
    assert folder.read("other") is None


def test_a_file_that_failed_is_not_there(folder: CacheFolder, path: Path) -> None:
    folder.write("file", b"before")
    with suppress(ZeroDivisionError), folder.new_file("file") as file:
        file.write(b"half of" * (1 // 0))
    assert folder.read("file") == b"before"
    assert os.listdir(path) == ["file"]


@pytest.mark.parametrize("durable", [True, False])
def test_a_durable_file_is_on_the_disk_before_it_has_its_name(
    folder: CacheFolder, path: Path, monkeypatch: pytest.MonkeyPatch, durable: bool
) -> None:
    synced: list[tuple[bytes, bool]] = []

    def sync(descriptor: int) -> None:
        synced.append((os.pread(descriptor, 100, 0), (path / "file").exists()))

    monkeypatch.setattr(os, "fsync", sync)
    with folder.new_file("file", durable=durable) as file:
        file.write(b"content")
    assert synced == ([(b"content", False)] if durable else [])
    assert (path / "file").read_bytes() == b"content"


def test_what_is_unfinished_is_undone_by_a_signal(folder: CacheFolder, path: Path) -> None:
    with suppress(FileNotFoundError), folder.new_file("file"):
        (unfinished,) = os.listdir(path)
        assert unfinished.startswith(UNFINISHED)
        undo_all()
        assert os.listdir(path) == []


def test_what_a_killed_process_has_left_is_removed(folder: CacheFolder, path: Path) -> None:
    """By the next one that writes, but not while anybody may still be at it."""
    process = started("with folder.new_file('file'):")
    (unfinished,) = os.listdir(path)
    os.utime(path / unfinished, (0, 0))
    folder.write("first", b"")
    assert sorted(os.listdir(path)) == ["first", unfinished], "it is being written to"
    process.kill()
    process.communicate()
    folder.write("second", b"")
    assert sorted(os.listdir(path)) == ["first", "second"]
    (path / unfinished).touch()
    folder.write("third", b"")
    assert (path / unfinished).exists(), "somebody has just begun with it"


@pytest.mark.parametrize("dies", [False, True])
def test_a_lock_is_waited_for_and_ends_with_its_process(folder: CacheFolder, dies: bool) -> None:
    process = started("with folder.locked('work'):")

    def waiting() -> None:
        events.append("waiting")
        if dies:
            process.send_signal(signal.SIGKILL)
        else:
            assert process.stdin is not None
            process.stdin.write(b"\n")
            process.stdin.flush()

    events: list[str] = []
    with folder.locked("other work", waiting):
        events.append("in")
    with folder.locked("work", waiting):
        events.append("in")
    assert events == ["in", "waiting", "in"]
    process.communicate()


def test_a_folder_without_locks(folder: CacheFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(CacheFolder, "_opened", refuse)
    with folder.locked("work"):
        pass


def test_a_file_without_a_name(folder: CacheFolder, path: Path) -> None:
    with folder.nameless_file() as file:
        file.write(b"content")
        file.flush()
        kept = os.dup(file.fileno())
    assert os.listdir(path) == []
    assert os.pread(kept, 7, 0) == b"content"
    os.close(kept)


def test_why_nothing_is_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert why_unusable() is None
    assert os.listdir(path.parent) == []
    path.parent.chmod(0o777)
    assert why_unusable() == f"others can write to {path.parent}"
    path.parent.rmdir()
    path.parent.touch()
    assert why_unusable() == "Not a directory"
