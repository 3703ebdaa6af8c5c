"""The `glnzip` command as a process of its own, with the real model, as a user runs it."""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import glnzip
from tests.checks import sample

GLNZIP = [sys.executable, "-m", "glnzip"]
# Without a prior unless a test asks for one: preparing the shipped one takes a while.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    "PYTHONPATH": str(Path(glnzip.__file__).parents[1]),
    "GLNZIP_PRIOR": "none",
}
PATIENCE_SECONDS = 300  # the first process on a machine compiles the kernels


def run(*arguments: str, folder: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run glnzip to its end."""
    return subprocess.run(
        [*GLNZIP, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        input=stdin,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def _heed_signals() -> None:
    """A job in the background ignores some, and so would what the tests start from there."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(
    *arguments: str,
    folder: Path,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
) -> subprocess.Popen[bytes]:
    """Start glnzip and let it run."""
    return subprocess.Popen(
        [*GLNZIP, *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        preexec_fn=_heed_signals,
    )


def wait_until(condition: Callable[[], object]) -> None:
    """Wait, but not for ever."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(os.listdir(folder))


def test_files_and_back(tmp_path: Path) -> None:
    data = sample(20_000)
    (tmp_path / "a").write_bytes(data)
    (tmp_path / "a").chmod(0o604)
    done = run("-v", "--rm", "a", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"a: 20,000 -> " in done.stderr
    assert names(tmp_path) == ["a.gln"]
    assert run("-t", "a.gln", folder=tmp_path).returncode == 0
    done = run("decompress", "-q", "a.gln", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "a").read_bytes() == data
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o604


def test_pipe_and_back(tmp_path: Path) -> None:
    data = sample(5_000)
    compressed = run("-1", "-q", folder=tmp_path, stdin=data).stdout
    assert compressed == glnzip.compress(data, level=1, prior=None)
    assert run("-dc", folder=tmp_path, stdin=compressed * 2).stdout == data * 2


@pytest.mark.slow
def test_damage_is_found(tmp_path: Path) -> None:
    frame = bytearray(glnzip.compress(sample(5_000), prior=None))
    frame[len(frame) // 2] ^= 4
    (tmp_path / "a.gln").write_bytes(frame)
    done = run("-q", "-d", "a.gln", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(b"glnzip: a.gln: ")
    assert names(tmp_path) == ["a.gln"]


@pytest.mark.slow
def test_tar(tmp_path: Path) -> None:
    version = subprocess.run(["tar", "--version"], capture_output=True, check=False).stdout
    if b"GNU tar" not in version:
        pytest.skip("only GNU tar has -I")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a").write_bytes(sample(5_000))
    tar = ["tar", "-I", shlex.join([*GLNZIP, "-q"])]
    for arguments in (["-cf", "x.tar.gln", "folder"], ["-xf", "x.tar.gln", "-C", "out"]):
        (tmp_path / "out").mkdir(exist_ok=True)
        subprocess.run([*tar, *arguments], cwd=tmp_path, env=ENVIRONMENT, check=True)
    assert (tmp_path / "out" / "folder" / "a").read_bytes() == sample(5_000)


@pytest.mark.slow
def test_interrupted_in_the_middle_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(sample(3_000_000))
    process = start("-q", "--rm", "a", folder=tmp_path)
    wait_until(lambda: len(names(tmp_path)) == 2)
    time.sleep(1.5)
    assert names(tmp_path)[0].startswith(".glnzip-")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (-signal.SIGINT, b"")  # a shell shows 130
    assert names(tmp_path) == ["a"]


def test_flushed_data_come_out_of_a_pipe_at_once(tmp_path: Path) -> None:
    compressor = glnzip.Compressor(1, prior=None)
    process = start("-dc", "-q", folder=tmp_path, stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    for line in (b"first line\n", b"second line\n"):
        process.stdin.write(compressor.compress(line) + compressor.end_block())
        process.stdin.flush()
        assert select.select([process.stdout], [], [], PATIENCE_SECONDS)[0], "nothing came"
        assert process.stdout.readline() == line
    process.stdin.write(compressor.flush())
    rest, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, rest, errors) == (0, b"", b"")


def test_terminated_while_waiting_for_input(tmp_path: Path) -> None:
    process = start("-q", "-o", "a.gln", folder=tmp_path, stdin=subprocess.PIPE)
    wait_until(lambda: len(names(tmp_path)) == 1)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (-signal.SIGTERM, b"")  # a shell shows 143
    assert names(tmp_path) == []


def test_nohup(tmp_path: Path) -> None:
    """What ignored a signal before goes on doing so."""
    process = subprocess.Popen(
        [*GLNZIP, "-q", "-o", "a.gln"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    wait_until(lambda: names(tmp_path))
    process.send_signal(signal.SIGHUP)
    process.communicate(b"", timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert names(tmp_path) == ["a.gln"]


def test_closed_pipe_ends_it_quietly(tmp_path: Path) -> None:
    process = start("-q", folder=tmp_path, stdin=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, errors = process.communicate(b"", timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (-signal.SIGPIPE, b"")  # a shell shows 141


def test_full_disk_is_an_error(tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("the system has no /dev/full")
    with open("/dev/full", "wb") as full:
        process = start("-q", folder=tmp_path, stdout=full.fileno())
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert b"cannot write to standard output: No space left on device" in errors
    assert b"Traceback" not in errors


def test_closed_standard_output_is_an_error(tmp_path: Path) -> None:
    command = f"{shlex.join([*GLNZIP, '-q'])} >&-"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_output_appended_to_the_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    with open(tmp_path / "a", "ab") as appended:
        process = start("-q", "-c", "a", folder=tmp_path, stdout=appended.fileno())
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert b"the same file as the output, standard output" in errors
    assert (tmp_path / "a").read_bytes() == b"abc"


@pytest.mark.parametrize("arguments", [["-c"], ["compress"], ["-d"], ["test"], ["-l"]])
def test_terminals_are_refused(tmp_path: Path, arguments: list[str]) -> None:
    pty = pytest.importorskip("pty")
    near, far = pty.openpty()
    try:
        process = start(*arguments, folder=tmp_path, stdin=far, stdout=far)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        os.close(near)
        os.close(far)
    assert process.returncode == 1
    assert b"a terminal (see --help)" in errors


def test_what_is_typed_ends_once(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    near, far = pty.openpty()
    try:
        process = start("-1", folder=tmp_path, stdin=far)
        os.write(near, b"hello\n\4")  # ends with Ctrl-D
        packed, errors = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        os.close(near)
        os.close(far)
    assert (process.returncode, errors) == (0, b"")
    assert glnzip.decompress(packed) == b"hello\n"


def test_a_pipe_that_does_not_wait_for_data(tmp_path: Path) -> None:
    """Whoever shares the pipe has set that; it does not make its data end."""
    far, near = os.pipe()
    os.set_blocking(far, False)
    process = start("-1", "-o", "a.gln", folder=tmp_path, stdin=far)
    wait_until(lambda: names(tmp_path))  # it has nothing to read yet
    os.write(near, b"hello")
    os.close(near)
    process.communicate(timeout=PATIENCE_SECONDS)
    assert not os.get_blocking(far), "it is as it was"
    os.close(far)
    assert glnzip.decompress((tmp_path / "a.gln").read_bytes()) == b"hello"


@pytest.mark.slow
def test_long_work_shows_progress_on_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    near, far = pty.openpty()
    process = start("-1", "-o", "a.gln", folder=tmp_path, stdin=subprocess.PIPE, stderr=far)
    os.close(far)
    wait_until(lambda: names(tmp_path))
    time.sleep(1.2)  # the work has begun, and is long because its input is slow
    process.communicate(sample(600_000), timeout=PATIENCE_SECONDS)
    shown = os.read(near, 4096)
    os.close(near)
    assert process.returncode == 0
    counts = [int(kilobytes) for kilobytes in re.findall(rb"standard input  (\d+) KB  ", shown)]
    assert counts == sorted(counts)
    assert counts[0] > 0
    assert counts[-1] <= 600
    assert shown.endswith(b"\r\x1b[K")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_owner_is_kept_by_root(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    os.chown(tmp_path / "a", 1234, 2345)
    assert run("a", folder=tmp_path).returncode == 0
    status = (tmp_path / "a.gln").stat()
    assert (status.st_uid, status.st_gid) == (1234, 2345)


def test_output_made_from_standard_input_takes_nothing_over(tmp_path: Path) -> None:
    (tmp_path / "a").touch(mode=0o400)
    os.utime(tmp_path / "a", (0, 0))
    with open(tmp_path / "a", "rb") as redirected:
        process = start("-o", "a.gln", folder=tmp_path, stdin=redirected.fileno())
        process.communicate(timeout=PATIENCE_SECONDS)
    (tmp_path / "usual").touch()
    usual, made = (tmp_path / "usual").stat(), (tmp_path / "a.gln").stat()
    assert made.st_mode == usual.st_mode
    assert made.st_mtime > 0


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_imports_nothing_heavy(tmp_path: Path, option: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "glnzip", option],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        check=True,
    )
    imported = {line.split("|")[-1].strip() for line in done.stderr.decode().splitlines()}
    assert "click" in imported
    assert not imported & {"numba", "numpy", "llvmlite", "json", "asyncio", "importlib.metadata"}


def test_a_name_that_the_locale_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "ü.gln").write_bytes(glnzip.compress(b"", level=1, prior=None))
    done = subprocess.run(
        [*GLNZIP, "-l", "ü.gln"],
        cwd=tmp_path,
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.endswith(b"  \\xfc.gln\n")


def test_warmup(tmp_path: Path) -> None:
    done = run("warmup", folder=tmp_path)
    assert done.returncode == 0
    *before, last = done.stderr.decode().splitlines()
    assert last.startswith("glnzip: the model is ready")
    assert all("compiling the model" in line for line in before), "nothing else is said"
