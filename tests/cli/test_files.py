"""What happens to files: where an output may go, when an input may go, and what is refused."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

import glnzip
from glnzip.cli.commands import compress
from glnzip.cli.files import (
    RefusedError,
    Source,
    open_source,
    standard_output,
    streams_that_wait,
)
from tests.cli.inside import DATA, files, run, write

pytestmark = pytest.mark.usefixtures("quick_model", "in_empty_folder")

NOWHERE = Source(io.BytesIO(), None, named=False)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--rm"], ["file on disk", "renamed", "folder on disk", "input removed"]),
        (["--rm", "--no-sync"], ["renamed", "input removed"]),
        (["--rm", "--no-sync", "--synchronous", "-k"], ["renamed"]),
    ],
)
@pytest.mark.parametrize("source", ["a", "a.gln", "folder/a"])
def test_the_output_is_on_the_disk_before_the_input_is_removed(
    source: str, options: list[str], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole of it, and its name: after a power failure one of the two files is there."""
    os.mkdir("folder")
    write(source, glnzip.compress(DATA) if source == "a.gln" else DATA)
    size = len(DATA) if source == "a.gln" else len(glnzip.compress(DATA))
    events: list[str] = []
    fsync, replace, unlink = os.fsync, os.replace, os.unlink

    def watched_fsync(descriptor: int) -> None:
        fsync(descriptor)
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            assert os.path.samestat(status, os.stat(os.path.dirname(source) or "."))
            events.append("folder on disk")
        else:
            assert status.st_size == size
            events.append("file on disk")

    def watched_replace(old: str, new: str) -> None:
        replace(old, new)
        events.append("renamed")

    def watched_unlink(path: str) -> None:
        unlink(path)
        events.append("input removed")
        assert path == source

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    monkeypatch.setattr(os, "unlink", watched_unlink)
    run("-d" if source == "a.gln" else "-z", *options, source)
    assert events == expected


@pytest.mark.parametrize(("failing", "status"), [(stat.S_ISREG, 1), (stat.S_ISDIR, 0)])
def test_a_disk_that_cannot_say_that_it_has_the_data(
    failing: Callable[[int], bool], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the input stays; folders are another matter, as many systems cannot do it for them."""

    def fsync(descriptor: int) -> None:
        if failing(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "Input/output error")

    write("a")
    monkeypatch.setattr(os, "fsync", fsync)
    run("--rm", "a", status=status)
    assert files() == (["a"] if status else ["a.gln"])


def test_an_existing_output_is_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a")
    write("a.gln", b"precious")
    monkeypatch.setattr(compress, "compress_stream", lambda *_: pytest.fail("hours of work"))
    assert "exists already" in run("a", status=1).stderr


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("", "the output has no name"),
        ("b" * 300, f"cannot create {'b' * 300}: {os.strerror(errno.ENAMETOOLONG)}"),
        pytest.param(
            "/dev/full",
            "cannot write to /dev/full: No space left on device",
            marks=pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is none"),
        ),
    ],
    ids=["none", "too long", "full"],
)
def test_what_is_wrong_with_an_output_is_told_of_the_output(output: str, expected: str) -> None:
    write("a")
    assert run("a", "-o", output, status=1).stderr == f"glnzip: a: {expected}\n"
    assert files() == ["a"]


def test_an_output_that_becomes_a_pipe_meanwhile_is_not_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("a")
    monkeypatch.setattr(compress, "compress_stream", lambda *_: os.mkfifo("a.gln"))
    assert "no longer a regular file" in run("-f", "a", status=1).stderr
    assert stat.S_ISFIFO(os.stat("a.gln").st_mode)
    assert files() == ["a", "a.gln"]


def test_a_link_to_nowhere_is_replaced_on_request() -> None:
    write("a")
    os.symlink("nowhere", "a.gln")
    run("-f", "a")
    assert not os.path.islink("a.gln")
    assert glnzip.decompress(Path("a.gln").read_bytes()) == DATA
    assert files() == ["a", "a.gln"]


def test_a_disk_is_an_output_that_has_data(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a")
    monkeypatch.setattr(stat, "S_ISBLK", stat.S_ISCHR)  # /dev/null passes for one
    assert "the output, /dev/null, exists" in run("-o", "/dev/null", "a", status=1).stderr
    run("-f", "-o", "/dev/null", "a")


def test_an_unfinished_output_of_a_file_is_for_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It gets the permissions of the input when it is complete."""
    modes: list[int] = []

    def watched(source: object, sink: BinaryIO, *_: object) -> bytes:
        modes.append(stat.S_IMODE(os.fstat(sink.fileno()).st_mode))
        return b""

    monkeypatch.setattr(compress, "compress_stream", watched)
    write("a")
    run("a")
    assert modes == [0o600]
    assert stat.S_IMODE(os.stat("a.gln").st_mode) == 0o640


def test_what_a_file_system_cannot_keep_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    write("a")
    for name in ("chown", "chmod", "utime"):
        monkeypatch.setattr(os, name, refuse)
    run("a")
    assert glnzip.decompress(Path("a.gln").read_bytes()) == DATA


def test_an_input_that_is_a_pipe() -> None:
    """It is read on request, and an output has nothing of its permissions."""
    os.mkfifo("pipe", 0o600)

    def run_on_a_pipe(*options: str, data: bytes) -> bytes:
        writer = threading.Thread(target=lambda: Path("pipe").write_bytes(data))
        writer.start()
        output = run(*options, "pipe").stdout_bytes
        writer.join()
        return output

    packed = run_on_a_pipe("-c", data=DATA)
    assert glnzip.decompress(packed) == DATA
    run_on_a_pipe("-t", data=packed)
    run_on_a_pipe("-l", data=packed)
    run_on_a_pipe("-o", "out", data=DATA)
    assert Path("out").read_bytes() == packed
    Path("usual").touch()
    assert os.stat("out").st_mode == os.stat("usual").st_mode


def test_a_dash_is_standard_input_even_if_a_folder_has_that_name() -> None:
    os.mkdir("-")
    write("-/in it")
    for options in (["-c"], ["-r"]):
        assert glnzip.decompress(run(*options, "-", stdin=DATA).stdout_bytes) == DATA
    write("list", b"")
    assert glnzip.decompress(run("-c", "--files=list", "-", stdin=DATA).stdout_bytes) == DATA
    assert files() == ["-", "list"]


def test_a_file_named_like_standard_input_is_not_removed_for_it() -> None:
    write("-")
    run("--rm", "-o", "out", stdin=DATA)
    assert files() == ["-", "out"]


@pytest.mark.parametrize("command", ["compress", "decompress", "test", "info", "messages"])
def test_every_command_skips_folders(command: str) -> None:
    assert "is a directory; skipped" in run(command, ".", status=1).stderr


def test_any_usual_suffix_is_taken_off() -> None:
    for name in ("a.gln", "b.z", "c.tgln"):
        write(name, glnzip.compress(DATA))
    run("-d", "-S", ".z", "--rm", "a.gln", "b.z", "c.tgln")
    assert files() == ["a", "b", "c.tar"]


class Terminal(io.BytesIO):
    """What passes for a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_and_gives_compressed_data_on_request_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(Terminal()))
    with (
        pytest.raises(RefusedError, match="to a terminal"),
        standard_output(NOWHERE, terminal=False),
    ):
        pass
    with (
        pytest.raises(RefusedError, match="from a terminal"),
        open_source("-", any_kind=True, terminal=False),
    ):
        pass
    with standard_output(NOWHERE, terminal=True) as stream:
        stream.write(DATA)
    with open_source("-", any_kind=True, terminal=True) as source:
        assert source.stream is sys.stdin.buffer


def test_standard_streams_wait_as_long_as_they_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = {0: True, 1: False, 2: False}
    monkeypatch.setattr(os, "get_blocking", waits.__getitem__)
    monkeypatch.setattr(os, "set_blocking", waits.__setitem__)
    with streams_that_wait():
        assert waits == {0: True, 1: True, 2: True}
    assert waits == {0: True, 1: False, 2: False}


def test_what_may_be_typed_on_a_terminal() -> None:
    packed = glnzip.compress(DATA)

    def at(data: bytes) -> BinaryIO:
        return Terminal(data)

    assert glnzip.decompress(run("-c", stdin=at(DATA)).stdout_bytes) == DATA
    for command in (["-dc"], ["test"]):
        assert "not read from a terminal" in run(*command, stdin=at(packed), status=1).stderr
        run(*command, "-f", stdin=at(packed))
    assert "not read from a terminal" in run("info", stdin=at(packed), status=1).stderr


def test_a_terminal_that_is_named_gets_compressed_data_on_request_only() -> None:
    pty = pytest.importorskip("pty")
    near, far = pty.openpty()
    name = os.ttyname(far)
    write("a")
    assert "not written to a terminal" in run("-o", name, "a", status=1).stderr
    run("-f", "-o", name, "a")
    run("-d", "-o", name, stdin=glnzip.compress(b"a line"))
    os.close(near)
    os.close(far)


@pytest.mark.parametrize("output", ["out", os.devnull])
def test_standard_output_may_be_any_other_file(
    output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the same device."""
    write("a")
    with open(output, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        name = "a" if output == "out" else output
        with (
            open_source(name, any_kind=True, terminal=True) as source,
            standard_output(source, terminal=False) as sink,
        ):
            sink.write(source.stream.read())
    if output == "out":
        assert Path("out").read_bytes() == DATA
