"""Compiled kernels on disk: found again, private, and harmless however damaged.

Most tests compile a function of one line under the name of the model's kernel, which takes a
moment. One compiles the model itself.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import glnzip
from glnzip import jit
from glnzip.cache import cache_root, open_folder
from glnzip.cache.build import ORIGIN
from glnzip.cache.folder import CacheFolder
from glnzip.cli.commands import warmup
from glnzip.coding.bit_loop import run_bytes
from glnzip.jit.assembly import is_of_use
from glnzip.jit.kernel_cache import KERNEL_SUFFIX

pytestmark = pytest.mark.skipif(not jit.jit_is_on(), reason="nothing is compiled")

ROOT = Path(glnzip.__file__).parents[1]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for compiled kernels; the folder itself does not exist yet."""
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path / "kernels"))
    return tmp_path / "kernels" / jit.folder_name()


def small_kernel() -> Any:
    """A kernel of one line that is not compiled yet."""

    def add_one(number):
        return number + 1

    add_one.__name__ = jit.MAIN_KERNEL
    return jit.kernel(add_one)


def call_small_kernel() -> bool:
    """Compile or load a small kernel and call it; whether it was loaded."""
    small = small_kernel()
    assert small(41) == 42
    return not small.compiled_here


def only_file(folder: Path) -> Path:
    (file,) = (file for file in folder.iterdir() if file.name != ORIGIN)
    assert file.match(f"{jit.MAIN_KERNEL}-*{KERNEL_SUFFIX}")
    return file


def test_kernels_are_compiled_once(folder: Path) -> None:
    assert not jit.kernels_are_cached()
    assert not call_small_kernel()
    assert jit.kernels_are_cached()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert only_file(folder).stat().st_mode & 0o777 == 0o600
    assert call_small_kernel()


def test_the_main_kernel_is_compiled_beside_another_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def compile_beside(code: str) -> bool:
        begun.append(code)
        return True

    def compiled_now() -> bool:
        monkeypatch.setattr("glnzip.system.beside.end", lambda: False)
        return not call_small_kernel()

    monkeypatch.setattr("glnzip.system.beside.begin", compile_beside)
    monkeypatch.setattr("glnzip.system.beside.end", compiled_now)
    another = small_kernel()
    another.__name__ = "another"
    assert another(1) == 2
    assert begun == [jit._CALL_MAIN_KERNEL]
    assert call_small_kernel()  # waits for the process, and finds what it has left
    begun.clear()
    third = small_kernel()
    third.__name__ = "third"
    assert third(1) == 2
    assert not begun, "the main kernel is there"


def test_without_the_process_beside_the_main_kernel_is_compiled_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glnzip.system.beside.end", lambda: True)  # it has failed
    assert not call_small_kernel()


def test_compiling_the_model_is_told(caplog: pytest.LogCaptureFixture) -> None:
    call_small_kernel()
    call_small_kernel()
    assert caplog.messages == ["compiling the model for this machine, once (about 15 s)"]


def test_why_what_is_compiled_is_not_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels").chmod(0o777)
    call_small_kernel()
    (message,) = caplog.messages
    assert message.startswith("compiling the model for this machine, which cannot be kept: others")


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def flip_a_bit(file: Path) -> None:
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)


def fill_with_zeros(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def make_something_else(file: Path) -> None:
    open_folder(file.parent.name).write(file.name, b"sound, but no kernel")


def rename_another(file: Path) -> None:
    """Sound, but of another CPU, or of other types."""
    open_folder(file.parent.name).write("another", b"glnzip kernel\nsymbol\ncode")
    os.replace(file.with_name("another"), file)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.unlink(),
        cut,
        flip_a_bit,
        fill_with_zeros,
        make_something_else,
        rename_another,
    ],
    ids=["empty", "missing", "cut", "flipped bit", "zeros", "something else", "renamed"],
)
def test_a_damaged_file_is_replaced(damage: Callable[[Path], object], folder: Path) -> None:
    call_small_kernel()
    damage(only_file(folder))
    assert not jit.kernels_are_cached()
    assert not call_small_kernel()
    assert call_small_kernel()
    assert jit.kernels_are_cached()


def test_a_file_that_cannot_be_read_or_replaced(folder: Path) -> None:
    call_small_kernel()
    file = only_file(folder)
    file.unlink()
    file.mkdir()
    for _ in range(2):
        assert not jit.kernels_are_cached()
        assert not call_small_kernel()
    assert sorted(os.listdir(folder)) == [ORIGIN, file.name], "nothing unfinished may stay"


def test_a_full_disk(folder: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        assert not call_small_kernel()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert os.listdir(folder) == [ORIGIN]  # which is small enough
    assert not call_small_kernel()
    assert call_small_kernel()


def test_a_folder_that_vanishes(folder: Path) -> None:
    call_small_kernel()
    shutil.rmtree(folder)
    assert not call_small_kernel()
    assert call_small_kernel()


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path / "file"))
    assert not call_small_kernel()
    assert not jit.kernels_are_cached()


def test_a_folder_of_mine_that_others_can_write_to_is_not_used(folder: Path) -> None:
    call_small_kernel()
    folder.chmod(0o770)
    assert not call_small_kernel()
    assert not jit.kernels_are_cached()
    folder.chmod(0o755)
    assert call_small_kernel()


def test_a_folder_of_somebody_else_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    call_small_kernel()
    user = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert not call_small_kernel()
    assert not jit.kernels_are_cached()


def test_a_folder_that_can_only_be_read_still_serves(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_small_kernel()
    folder.chmod(0o500)
    monkeypatch.setattr(CacheFolder, "new_file", None)  # the superuser may write all the same
    assert call_small_kernel()


def test_a_system_without_user_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glnzip.cache.folder.HAS_OWNERS", False)
    monkeypatch.setattr("glnzip.cache.trusted.HAS_OWNERS", False)
    call_small_kernel()
    assert call_small_kernel()


def test_a_user_without_a_home(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("GLNZIP_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert cache_root() is None
    assert not call_small_kernel()
    assert not jit.kernels_are_cached()
    monkeypatch.setattr(warmup, "compile_and_prepare", lambda *_, **__: False)
    assert warmup.warm_up(1, None, quiet=False) == 1
    assert "cannot be kept: there is no home folder; GLNZIP_CACHE" in capsys.readouterr().err


@pytest.mark.slow
def test_many_processes_at_once(folder: Path) -> None:
    program = "from tests.jit.test_jit import call_small_kernel; call_small_kernel()"
    racing = [subprocess.Popen([sys.executable, "-c", program], cwd=ROOT) for _ in range(3)]
    assert [process.wait(timeout=120) for process in racing] == [0, 0, 0]
    only_file(folder)
    assert call_small_kernel()


def test_the_folder_is_named_by_all_that_decides_the_code(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(
        ROOT / "glnzip", tmp_path / "glnzip", ignore=shutil.ignore_patterns("__pycache__")
    )
    program = "from glnzip.jit import folder_name; print(folder_name())"

    def named_by_the_copy() -> str:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    assert named_by_the_copy() == folder.name
    with (tmp_path / "glnzip" / "gln" / "network.py").open("a") as source:
        source.write("# changed\n")
    assert named_by_the_copy() != folder.name
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert jit.folder_name() != folder.name


@pytest.mark.slow
def test_the_model(folder: Path) -> None:
    """What is said to be cached is what a stream needs, and later processes do load it."""
    assert run_bytes.__name__ == jit.MAIN_KERNEL
    program = (
        "import glnzip, glnzip.jit\n"
        "print(glnzip.jit.kernels_are_cached())\n"
        "{call}\n"
        "print(glnzip.jit.kernels_are_cached())\n"
        "from glnzip.coding.bit_loop import run_bytes\n"
        "print(run_bytes.compiled_here, len(run_bytes.natives))\n"
        "import sys; print('numba' in sys.modules)\n"
    )
    round_trip = "assert glnzip.decompress(glnzip.compress(b'so, so', prior=None)) == b'so, so'"
    compiled = f"False True 1 1 {not is_of_use()}"  # by Numba, unless it came with the package
    calls = jit._CALL_MAIN_KERNEL, round_trip  # the first as a process beside another one makes it
    for call, expected in zip(calls, (compiled, "True True 0 1 False"), strict=True):
        done = subprocess.run(
            [sys.executable, "-c", program.format(call=call)],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        assert done.stdout.decode().split() == expected.split()
    assert open_folder(folder.name).read(only_file(folder).name)
