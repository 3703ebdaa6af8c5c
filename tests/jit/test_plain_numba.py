"""A Numba that has changed within: kernels run all the same, and say the same.

What a later Numba may lack is taken away by another name for it in glnzip's own code. The model is
not compiled here, which takes minutes; `tests.jit.later_numba` does it.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from glnzip import jit
from glnzip.cli.preparation import preparation_shown
from glnzip.errors import MemoryLimitError
from glnzip.jit import lanes
from glnzip.jit.lanes import LANES, add_scaled
from glnzip.jit.part import NO_COMPILER, Part
from glnzip.system import notices
from tests.conftest import fail_if_slower

pytestmark = pytest.mark.skipif(not jit.jit_is_on(), reason="nothing is compiled")

SLOWER = "the model runs at a fifth of its speed: "
PLAIN = "very slow, as little as 50 bytes a second: compiling fails ("


class Tables(NamedTuple):
    weights: Any
    inputs: Any


@jit.outlined
def half(number):
    return number >> 1


@jit.inline
def put_half(counts, number):
    """A part that calls a part."""
    counts[number & 3] += half(number)


def short(counts, number):
    """A kernel that is compiled in a moment."""
    put_half(counts, number)
    return counts[number & 3] + 1


def every_call(tables, counts, number):
    """A part, one that is an attribute of its module, and one that is vector code elsewhere."""
    put_half(counts, number)
    add_scaled(tables.weights, 0, tables.inputs, 0, LANES, np.float32(0.1), np.float32(3))
    tables.weights[LANES] = lanes.dot(tables.weights, 0, tables.inputs, 0, LANES)
    if number > 100:
        raise ValueError("too large", 100)
    return counts[number & 3] + 1


@pytest.fixture(autouse=True)
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[Path]:
    """An empty place for compiled kernels, and a process that has found out nothing yet."""
    caplog.set_level(logging.INFO, "glnzip")
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.setattr(jit, "_why_slower", [])
    from numba.extending import typeof_impl

    from glnzip.jit import kernel_compiler

    kernel_compiler.usable_options.cache_clear()
    yield tmp_path / "kernels" / jit.folder_name()
    typeof_impl.register(Part)(kernel_compiler._part_as_function)
    NO_COMPILER.clear()
    jit.notice_if_plain.cache_clear()
    kernel_compiler.usable_options.cache_clear()


def take_away(name: str, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the module mean by this name something that is not there."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    changed, count = re.subn(rf"\b{name}\b", f"{name}_gone", source)
    assert count, f"{name} is not used"
    without = ModuleType(module.__name__)
    monkeypatch.delitem(sys.modules, "glnzip.jit.part_compiler", raising=False)  # has the others'
    monkeypatch.setitem(sys.modules, module.__name__, without)
    try:
        exec(compile(changed, "changed", "exec"), vars(without))
    except ImportError:
        monkeypatch.setitem(sys.modules, module.__name__, None)
    for imported in {"loaded", "this_cpu"} & vars(without).keys():
        if getattr(jit, imported) is getattr(module, imported):
            monkeypatch.setattr(jit, imported, getattr(without, imported))


def called(kernel: Any) -> list[Any]:
    """What comes of a call of `every_call`."""
    weights = np.full(LANES + 1, 0.3, np.float32)
    tables = Tables(weights, np.linspace(0.1, 40, LANES, dtype=np.float32))
    counts = np.arange(4)
    return [kernel(tables, counts, 7), weights.tolist(), counts.tolist()]


def expected() -> list[Any]:
    """What comes of it in plain Python."""
    NO_COMPILER.append("it is not wanted")
    try:
        return called(every_call)
    finally:
        NO_COMPILER.clear()


@pytest.mark.parametrize(
    ("module", "name", "speed"),
    [
        ("kernel_compiler", "cpu_target", "at a fifth of its speed"),
        ("kernel_compiler", "resolve_value_type", "at a fifth of its speed"),
        ("kernel_compiler", "_nrt", "at a fifth of its speed"),
        ("kernel_compiler", "_compiler", "at a fifth of its speed"),
        ("kernel_compiler", "_final_module", "at a fifth of its speed"),
        ("kernel_compiler", "_get_compiled_object", "at a fifth of its speed"),
        ("kernel_compiler", "pipeline_class", "a tenth slower"),
        ("part_compiler", "CPUCodeLibrary", "a tenth slower"),
        ("part_compiler", "_get_module_for_linking", "a tenth slower"),
        ("part_compiler", "insert_user_function", "a tenth slower"),
        ("unsigned_index", "DefaultPassBuilder", "a tenth slower"),
        ("unsigned_index", "calltypes", "a tenth slower"),
        ("machine_code", "get_host_cpu_features", "at a fifth of its speed"),
        ("machine_code", "create_mcjit_compiler", "at a fifth of its speed"),
    ],
)
def test_a_name_that_is_gone(
    module: str,
    name: str,
    speed: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    take_away(name, import_module(f"glnzip.jit.{module}"), monkeypatch)
    kernel, counts = jit.kernel(short), np.arange(4)
    assert [kernel(counts, 7), kernel(counts, 8)] == [7, 5]
    assert counts.tolist() == [4, 1, 2, 6]
    (message,) = caplog.messages
    assert message.startswith(f"the model runs {speed}: ")
    assert name in message or "import" in message


def test_a_call_that_numba_makes_in_another_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its compiled code says by another number that all is well."""
    monkeypatch.setattr("glnzip.jit.machine_code._RETURNED", 1)
    assert jit.kernel(short)(np.arange(4), 7) == 7
    assert caplog.messages[0].startswith(SLOWER)


def slow_kernel(function: Any) -> Any:
    """A kernel in a process that knows no fast way."""
    jit._why_slower[:] = ["a name is gone"]
    return jit.kernel(function)


def test_every_call_and_every_error() -> None:
    kernel = slow_kernel(every_call)
    assert called(kernel) == expected()
    tables = Tables(np.zeros(LANES + 1, np.float32), np.zeros(LANES, np.float32))
    with pytest.raises(ValueError, match="too large") as raised:
        kernel(tables, np.zeros(4, np.int64), 101)
    assert raised.value.args == ("too large", 100)


def test_what_is_compiled_is_kept(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    first = slow_kernel(short)
    assert first(np.arange(4), 7) == 7
    assert first.compiled_here == 1
    jit._why_slower.clear()
    second: Any = jit.kernel(short)
    assert second(np.arange(4), 7) == 7
    assert second.compiled_here == 0
    assert caplog.messages == [f"{SLOWER}a name is gone"]
    (file,) = folder.glob("*.kernel")
    file.write_bytes(file.read_bytes()[:-1])
    third = slow_kernel(short)
    assert third(np.arange(4), 7) == 7
    assert third.compiled_here == 1, "damaged files are not used"


def test_numba_keeps_nothing_itself() -> None:
    """Beside a kernel it would find code whose parts have changed since."""
    import numba

    before = numba.config.CACHE_DIR
    slow_kernel(short)(np.arange(4), 7)
    assert numba.config.CACHE_DIR == before
    assert not list(Path(__file__).parent.rglob("*.nb[ci]"))


def test_a_kernel_without_a_file(folder: Path) -> None:
    names: dict[str, Any] = {}
    exec("def double(number): return 2 * number", names)
    kernel = slow_kernel(names["double"])
    assert kernel(21) == 42
    assert kernel.compiled_here == 1
    assert not list(folder.glob("*.kernel"))


def test_what_numba_cannot_compile_at_all(caplog: pytest.LogCaptureFixture) -> None:
    def digits(number):
        return eval(str(number))

    assert jit.kernel(digits)(42) == 42
    fast, plain = caplog.messages
    assert fast.startswith(SLOWER)
    assert plain.startswith(PLAIN)
    assert jit.kernel(short)(np.arange(4), 7) == 7
    assert len(caplog.messages) == 2, "said once"


def test_a_kernel_that_makes_the_tests_slow_fails_one() -> None:
    fail_if_slower(before=None)
    slow_kernel(short)
    with pytest.raises(pytest.fail.Exception, match=r"not compiled in the fast way: a name is gon"):
        fail_if_slower(before=None)
    fail_if_slower(before="a name is gone")


@pytest.mark.parametrize("error", [MemoryError(), MemoryLimitError("too much")])
def test_too_little_memory_is_no_reason(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("glnzip.jit.kernel_compiler.object_file", fail)
    with pytest.raises(type(error)):
        jit.kernel(short)(np.arange(4), 7)
    assert jit.why_slower() is None


def test_who_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for quiet, verbose in ((False, False), (True, True), (False, True)):
        with preparation_shown(quiet=quiet, verbose=verbose):
            notices.detail(f"{quiet} {verbose}")
    assert capsys.readouterr().err == "glnzip: False True\n"
