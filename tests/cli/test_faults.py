"""Interruptions and faults, done for real: the input stays, and no output is there by half.

Each case starts `glnzip` as a process of its own and ends it, fills its disk, breaks what it reads
or forbids what it writes. What must hold afterwards is always the same, and is in `check_unharmed`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import glnzip
from tests.checks import sample
from tests.cli.test_cli_process import ENVIRONMENT, GLNZIP, names, run, start, wait_until

pytestmark = pytest.mark.slow

LONG = sample(600_000)  # takes seconds
UNFINISHED = ".glnzip-"  # what the name of an unfinished output starts with


@pytest.fixture(scope="module")
def packed() -> bytes:
    """Compressed data that take seconds to decompress."""
    return glnzip.compress(LONG, level=1, prior=None)


def check_unharmed(folder: Path, source: str, content: bytes, *, leftover: bool = False) -> None:
    """The input is what it was; beside it is nothing, or something under an unfinished name."""
    assert (folder / source).read_bytes() == content
    others = [name for name in names(folder) if name != source]
    assert all(name.startswith(UNFINISHED) for name in others), others
    assert leftover or not others


@pytest.mark.parametrize("fatal", ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGXCPU", "SIGKILL"])
@pytest.mark.parametrize("command", ["compress", "decompress"])
def test_ended_by_a_signal(tmp_path: Path, packed: bytes, fatal: str, command: str) -> None:
    number = signal.Signals[fatal]
    if signal.getsignal(number) == signal.SIG_IGN:  # as of jobs in the background; it is inherited
        signal.signal(number, signal.SIG_DFL)
    source, content = ("a", LONG) if command == "compress" else ("a.gln", packed)
    (tmp_path / source).write_bytes(content)
    process = start(command, "-q", "--rm", source, folder=tmp_path)
    wait_until(lambda: any(name.startswith(UNFINISHED) for name in names(tmp_path)))
    process.send_signal(number)
    _, messages = process.communicate(timeout=60)
    assert (process.returncode, messages) == (-number, b"")
    check_unharmed(tmp_path, source, content, leftover=number == signal.SIGKILL)


def test_ended_while_verifying(tmp_path: Path) -> None:
    """The new file is complete, but not yet known to be right."""
    (tmp_path / "a").write_bytes(LONG)
    process = start("compress", "-1", "-q", "--rm", "--verify", "a", folder=tmp_path)
    wait_until(lambda: sum(os.path.getsize(tmp_path / name) for name in names(tmp_path)) > 700_000)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM
    check_unharmed(tmp_path, "a", LONG)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KB; only root can make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a file system cannot be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk(tmp_path: Path, small_disk: Path) -> None:
    data = os.urandom(50_000)
    (small_disk / "a").write_bytes(data)
    done = run("compress", "-1", "-q", "--rm", "a", folder=small_disk)
    assert (done.returncode, done.stderr) == (
        1,
        b"glnzip: a: cannot write to a.gln: No space left on device\n",
    )
    check_unharmed(small_disk, "a", data)
    packed = glnzip.compress(bytes(100_000), level=1, prior=None)
    (small_disk / "a").unlink()
    (small_disk / "b.gln").write_bytes(packed)
    done = run("decompress", "-q", "--rm", "b.gln", folder=small_disk)
    assert (done.returncode, done.stderr) == (
        1,
        b"glnzip: b.gln: cannot write to b: No space left on device\n",
    )
    check_unharmed(small_disk, "b.gln", packed)


def test_a_disk_that_cannot_be_written_to(small_disk: Path) -> None:
    (small_disk / "a").write_bytes(b"content")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    done = run("compress", "-1", "-q", "--rm", "a", folder=small_disk)
    assert done.returncode == 1
    assert b"cannot create a.gln: Read-only file system" in done.stderr
    check_unharmed(small_disk, "a", b"content")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """A file whose reading fails in its middle, and one that may not be opened."""
    if not os.path.exists("/proc/self/mem"):
        pytest.skip("the system has no file that cannot be read")
    done = run("-1", "-q", "-o", "out", "/proc/self/mem", folder=tmp_path)
    assert (done.returncode, done.stderr) == (
        1,
        b"glnzip: /proc/self/mem: Input/output error\n",
    )
    assert names(tmp_path) == []
    done = run("-1", "-q", "missing", "-o", "out", folder=tmp_path)
    assert (done.returncode, names(tmp_path)) == (1, [])
    assert b"missing: No such file or directory" in done.stderr


def run_without_privileges(*arguments: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run glnzip bound by permissions, as root is not."""
    command = [*GLNZIP, *arguments]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root has every right, and there is no setpriv to give some up")
        rights = "-dac_override,-dac_read_search"
        command = ["setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}", *command]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, timeout=120, check=False
    )


def test_without_the_right_to_read_or_write(tmp_path: Path) -> None:
    secret, closed = tmp_path / "secret", tmp_path / "closed"
    secret.write_bytes(b"content")
    secret.chmod(0)
    done = run_without_privileges("-1", "-q", "--rm", "secret", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"glnzip: secret: Permission denied\n")
    assert names(tmp_path) == ["secret"]
    closed.mkdir()
    (closed / "a").write_bytes(b"content")
    closed.chmod(0o555)
    done = run_without_privileges("-1", "-q", "--rm", "a", folder=closed)
    assert done.returncode == 1
    assert b"cannot create a.gln: Permission denied" in done.stderr
    check_unharmed(closed, "a", b"content")
    closed.chmod(0o755)


def test_a_reader_that_goes_away(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "a.gln").write_bytes(packed)
    process = start("-dc", "-q", "a.gln", folder=tmp_path)
    assert process.stdout is not None
    assert process.stdout.read(1000) == LONG[:1000]
    process.stdout.close()
    process.stdout = None
    _, messages = process.communicate(timeout=60)
    assert (process.returncode, messages) == (-signal.SIGPIPE, b"")
    check_unharmed(tmp_path, "a.gln", packed)


@pytest.mark.parametrize("force", [False, True])
def test_two_processes_on_one_file(tmp_path: Path, force: bool) -> None:
    """Both make the same output under names of their own; one comes first."""
    data = sample(100_000)
    (tmp_path / "a").write_bytes(data)
    options = ("compress", "-1", "-q", *(["-f"] if force else []), "a")
    processes = [start(*options, folder=tmp_path) for _ in range(2)]
    messages = [process.communicate(timeout=60)[1] for process in processes]
    assert names(tmp_path) == ["a", "a.gln"]
    assert glnzip.decompress((tmp_path / "a.gln").read_bytes()) == data
    codes = [process.returncode for process in processes]
    assert 0 in codes
    for code, message in zip(codes, messages, strict=True):
        assert code == 0 or (not force and b"exists already" in message)


def test_two_processes_that_remove_the_same_file(tmp_path: Path) -> None:
    data = sample(100_000)
    (tmp_path / "a").write_bytes(data)
    processes = [start("-1", "-q", "--rm", "-f", "a", folder=tmp_path) for _ in range(2)]
    for process in processes:
        _, messages = process.communicate(timeout=60)
        assert process.returncode == 0 or b"No such file" in messages
    assert names(tmp_path) == ["a.gln"]
    assert glnzip.decompress((tmp_path / "a.gln").read_bytes()) == data
