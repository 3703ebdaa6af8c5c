"""The same bytes whatever compiles the model, and for whatever CPU; no index is out of bounds.

In this process they are compared with those on record (see `tests.determinism`). Each of the cases
is a process with other settings, and prints digests of the blocks it has coded. They run side by
side, because most of their time is the compiler's. What they compile is kept in pytest's cache. The
one that has every index checked meets hostile blocks, too.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

import glnzip
from glnzip.format.block_type import A64, BLOCK_MODELS, JPEG, RECORDS, VOLUMES
from glnzip.format.levels import LEVELS, MIN_LEVEL
from glnzip.jit import jit_is_on
from tests import determinism, fixed_data
from tests.checks import kinds_of
from tests.coded_blocks import LEVELS as SOME_LEVELS
from tests.coded_blocks import digests
from tests.make_golden import FEW_LEVELS

SHORT, MEDIUM, LONG = 40, 1000, 10_000

PLAIN = {"NUMBA_DISABLE_JIT": "1"}
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}
FROM_SOURCE = "compiled from source, every index checked"
CASES: dict[str, tuple[int, Sequence[int], Sequence[str], dict[str, str]]] = {
    "plain Python": (SHORT, FEW_LEVELS, (), PLAIN),
    FROM_SOURCE: (MEDIUM, SOME_LEVELS, (), CHECKED),
    "any CPU": (LONG, SOME_LEVELS, ("--cpu", "generic"), {}),
}
if platform.machine() in ("x86_64", "AMD64"):
    CASES["a CPU of 2013"] = (LONG, SOME_LEVELS, ("--cpu", "haswell"), {})


@pytest.mark.slow
@pytest.mark.skipif(not jit_is_on(), reason="takes an hour without the JIT")
def test_the_bytes_on_record(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        determinism.main(["--short", str(MIN_LEVEL)])
    output = capsys.readouterr().out
    assert ended.value.code == 0, output
    assert output.startswith("the same bytes: 26 frames, short set, levels 1")


def test_every_frame_is_on_record() -> None:
    assert determinism.RECORD.exists(), "this generation has no record: run `make golden`"
    names = [*fixed_data.pieces(), "primed", "memorised"]
    assert set(determinism.recorded()) == {
        f"{name}/{piece}.{level}.gln"
        for name in determinism.SETS.values()
        for piece in names
        for level in LEVELS
    }


def test_what_differs_is_told_and_what_is_on_record_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "record"
    before = f"{'0' * 64}  short/known.1.gln\n"
    record.write_text(before)
    monkeypatch.setattr(determinism, "RECORD", record)
    made = {"short/known.1.gln": b"", "short/new.1.gln": b"new"}
    monkeypatch.setattr(determinism, "frames", lambda level, short: made.items())
    run = partial(CliRunner().invoke, determinism.main)
    output = run(["--short", "1"])
    assert output.exit_code == 1
    assert "short/known.1.gln: OTHER BYTES\nshort/new.1.gln: not on record\n" in output.stdout
    output = run(["--short", "1", "--record"])
    assert output.exit_code == 1
    assert "short/known.1.gln: OTHER BYTES\n1 frames differ" in output.stdout
    assert record.read_text() == f"{before}{sha256(b'new').hexdigest()}  short/new.1.gln\n"


def test_the_data_show_all_kinds() -> None:
    def kinds(*, short: bool) -> set[int]:
        return set(chain(*map(kinds_of, fixed_data.pieces(short=short).values())))

    assert kinds(short=False) == set(BLOCK_MODELS) - {JPEG}
    too_long = {A64, JPEG, RECORDS, *VOLUMES}
    assert kinds(short=True) == set(BLOCK_MODELS) - too_long


def started(kernels: Path, settings: dict[str, str], *command: object) -> subprocess.Popen[str]:
    """A module of the tests that runs in another process, with kernels of its own."""
    # Warnings of the plain path would be ours: values that overflow. Numba has its own.
    warnings = ["-W", "error"] if settings == PLAIN else []
    others = {name: it for name, it in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.Popen(
        [sys.executable, *warnings, "-m", *map(str, command)],
        env={**others, **settings, "GLNZIP_CACHE_DIR": str(kernels)},
        cwd=Path(glnzip.__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Case:
    """A process that codes blocks, and what it has printed when it has ended."""

    def __init__(self, name: str, kernels: Path) -> None:
        length, levels, options, settings = CASES[name]
        module = "tests.checked_blocks" if settings == CHECKED else "tests.coded_blocks"
        self._process = started(kernels, settings, module, length, *levels, *options)
        self._digests = length, levels

    @cached_property
    def _output(self) -> tuple[str, str]:
        return self._process.communicate(timeout=900)

    def check_digests(self) -> None:
        """They are those of the blocks that this process codes."""
        output, errors = self._output
        assert output.splitlines() == digests(*self._digests), errors

    def check_end(self) -> None:
        """It has ended well."""
        _, errors = self._output
        assert self._process.returncode == 0, errors


@pytest.fixture(scope="module")
def cases(other_kernels: Path) -> dict[str, Case]:
    """All of them, started."""
    return {name: Case(name, other_kernels) for name in CASES}


@pytest.mark.slow
@pytest.mark.skipif(not jit_is_on(), reason="there is only the plain model to compare")
@pytest.mark.parametrize("name", CASES)
def test_same_bytes(name: str, cases: dict[str, Case]) -> None:
    cases[name].check_digests()
    if name != FROM_SOURCE:
        cases[name].check_end()


@pytest.mark.slow
@pytest.mark.skipif(not jit_is_on(), reason="plain Python checks bounds in every test")
def test_hostile_blocks(cases: dict[str, Case]) -> None:
    cases[FROM_SOURCE].check_end()
