"""Kernels that came with the package: of these sources, free of any machine, never in the way."""

from __future__ import annotations

import ast
import logging
import lzma
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glnzip
from glnzip import jit
from glnzip.cache.build import KERNEL_SOURCES
from glnzip.jit import assembly, kernel_compiler
from glnzip.jit.assembly import ENTRY, FOLDER, SOURCES, assembly_file, is_of_use, kept_assembly
from glnzip.jit.machine_code import kinds_and_words, loaded, object_of
from glnzip.transforms.unpacking import signs
from release.kernels import made_by, optimised

pytestmark = pytest.mark.skipif(not jit.jit_is_on(), reason="nothing is compiled")

FILES = sorted(FOLDER.glob("*.ll.xz"))
ROOT = FOLDER.parents[2]
ARGUMENTS = (np.frombuffer(bytes(300) + b"PK\3\4" + bytes(100), np.uint8).copy(), 1, 400)
FOUND = 300 << 5
next_sign: Any = signs.next_sign


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """None of Numba's, and an empty cache."""
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path / "cache"))


def text_of(file: Path) -> str:
    return lzma.decompress(file.read_bytes()).decode()


def fresh(function: Callable[..., Any]) -> Any:
    """A kernel of which nothing was loaded yet."""
    return jit.kernel(getattr(function, "py_func", function))


@jit.outlined
def _outlined(number):
    return number * number + 1


@jit.inline
def _inline(number):
    return _outlined(number + 1) + _outlined(number + 2)


def test_outlined_parts_stay_functions_where_inline_parts_call_them() -> None:
    def give(number: int) -> int:
        return int(_inline(number))

    text = kernel_compiler.assembly(give, (3,))
    assert text is not None
    inlined = set(re.findall(r"^attributes (#\d+) = \{ alwaysinline", text, re.MULTILINE))
    functions = re.findall(r"^define .*?(?: (#\d+))? \{$", text, re.MULTILINE)
    assert sum(function in inlined for function in functions) == 1


def test_they_are_of_these_sources() -> None:
    first, second = (FOLDER / SOURCES).read_text(encoding="ascii").splitlines()
    assert first == KERNEL_SOURCES.loaded.hex(), "a kernel may have changed: run `make kernels`"
    assert second.startswith("cpython-")
    assert is_of_use()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_they_need_nothing_and_name_no_place(file: Path) -> None:
    text = text_of(file)
    declared = re.findall(r"^declare .*?@([\w.]+)", text, re.M)
    assert all(name.startswith("llvm.") or name == "sqrt" for name in declared)
    assert re.findall(r"^define (?!internal)[^@]*@(\w+)", text, re.M) == [ENTRY]
    assert not re.search(r"inttoptr \(i64 \d", text)
    assert not re.search(r"\.py\b", text)
    assert not re.search(r"@llvm\.(x86|aarch64)\.", text)
    assert not re.search(r"nocreateundeforpoison|target_mem|@llvm\.lifetime", text), "for LLVM 20"
    assert not re.search(r"\b(fast|reassoc|contract|afn|arcp|nnan|ninf)\b", text)


def test_every_kernel_of_streams_and_messages_is_there() -> None:
    names = {file.name.rsplit("-", 1)[0] for file in FILES}
    coding = Path(glnzip.__file__).parent / "coding"
    for module in coding.glob("*.py"):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            marks = map(ast.unparse, getattr(node, "decorator_list", []))
            assert "kernel" not in marks or getattr(node, "name", None) in names


def test_numba_makes_the_same_text() -> None:
    second = (FOLDER / SOURCES).read_text(encoding="ascii").splitlines()[1]
    if second != made_by():
        pytest.skip(f"they were made by {second}")
    from glnzip.jit import kernel_compiler

    function = next_sign.py_func
    made = kernel_compiler.assembly(function, ARGUMENTS)
    assert made is not None
    assert optimised(made) == text_of(
        FOLDER / assembly_file(function, kinds_and_words(ARGUMENTS)[0])
    )


def test_a_kernel_from_assembly(caplog: pytest.LogCaptureFixture) -> None:
    kernel = fresh(next_sign)
    assert kernel(*ARGUMENTS) == FOUND
    kinds, words = kinds_and_words(ARGUMENTS)
    text = kept_assembly(kernel.py_func, kinds)
    assert text is not None
    assert loaded(ENTRY, object_of(text))(words, ARGUMENTS) == FOUND
    assert fresh(next_sign)(*ARGUMENTS) == FOUND  # from the cache


def test_the_first_use_needs_no_numba(tmp_path: Path) -> None:
    """Whatever the process does, until a kernel is needed that did not come with the package."""
    program = (
        "import sys, glnzip\n"
        "data = bytes(range(256)) + b'some text, ' * 20\n"
        "for level in (1, 6):\n"
        "    packed = glnzip.compress(data, level=level, prior=None)\n"
        "    assert glnzip.decompress(packed) == data\n"
        "message = glnzip.compress_message(data, level=1, prior=None)\n"
        "assert glnzip.decompress_message(message, level=1, prior=None) == data\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


@pytest.mark.parametrize("name", ["NUMBA_OPT", "NUMBA_CPU_NAME"])
def test_settings_of_numba_count(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "")
    assert not is_of_use()


@pytest.mark.parametrize("sources", ["0" * 64, "", "\xe4", None])
def test_of_other_sources_they_are_of_no_use(
    sources: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "FOLDER", tmp_path)
    if sources is not None:
        (tmp_path / SOURCES).write_text(sources, encoding="latin-1")
    assert kept_assembly(next_sign.py_func, kinds_and_words(ARGUMENTS)[0]) is None
    assert fresh(next_sign)(*ARGUMENTS) == FOUND


@pytest.mark.parametrize("damage", ["gone", "no xz", "cut", "no assembly", "another entry"])
def test_what_is_damaged_is_compiled_from_its_source(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    file = FOLDER / assembly_file(next_sign.py_func, kinds_and_words(ARGUMENTS)[0])
    whole = file.read_bytes()
    wrong = {
        "no xz": b"assembly",
        "cut": whole[:-100],
        "no assembly": lzma.compress(b"define i33 @kernel(\n"),
        "another entry": lzma.compress(b"define i32 @other() {\n ret i32 0\n}\n"),
    }
    monkeypatch.setattr(assembly, "FOLDER", tmp_path)
    (tmp_path / SOURCES).write_text(KERNEL_SOURCES.loaded.hex())
    if damage != "gone":
        (tmp_path / file.name).write_bytes(wrong[damage])
    assert fresh(next_sign)(*ARGUMENTS) == FOUND
    told = [message for message in caplog.messages if "is compiled from its source" in message]
    assert len(told) == (damage in ("no assembly", "another entry"))
