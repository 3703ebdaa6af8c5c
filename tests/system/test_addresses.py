"""Where `ulimit -v` leaves too little, that is an error and no crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import glnzip
from glnzip import jit
from glnzip.jit.assembly import is_of_use
from glnzip.system import machine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not jit.jit_is_on(), reason="there is no compiler"),
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell"),
]

ROOT = Path(glnzip.__file__).parents[1]


def run_with(megabytes: int, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in so much address space."""
    limited = (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({megabytes << 20}, {megabytes << 20}))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", limited + program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


COMMAND = (
    "import sys; sys.argv = ['glnzip', '-1', '--prior', 'none', '-o', '/dev/null', 'LICENSE']\n"
    "from glnzip.cli import main; main()"
)


@pytest.mark.parametrize("megabytes", [120, 200, 260, 320, 380, 392, 396, 398, 400])
def test_loading_the_model(megabytes: int) -> None:
    """Below what LLVM takes, it cannot be found; a little above, it used to crash."""
    glnzip.compress(b"data", level=1, prior=None)  # it is compiled
    done = run_with(megabytes, COMMAND)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("glnzip: LICENSE: ")
    assert "memory" in line or "address space" in line
    assert "libllvmlite" not in line


@pytest.mark.parametrize("megabytes", [450, 800])
def test_compiling(megabytes: int, tmp_path: Path) -> None:
    program = (
        f"import os; os.environ['GLNZIP_CACHE_DIR'] = {str(tmp_path)!r}\n"
        "from glnzip import jit; from glnzip.jit import assembly\n"
        "assembly.is_of_use = jit.is_of_use = lambda: False\n"
    )
    done = run_with(megabytes, program + COMMAND)
    assert done.returncode == 1
    assert "to compile the model takes about 944 MB of address space" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not is_of_use(), reason="it is compiled from its source")
@pytest.mark.parametrize("megabytes", [350, 420, 520, 600, 1000])
def test_compiling_what_came_with_the_package(megabytes: int, tmp_path: Path) -> None:
    program = f"import os; os.environ['GLNZIP_CACHE_DIR'] = {str(tmp_path)!r}\n{COMMAND}"
    done = run_with(megabytes, program)
    assert done.returncode == (megabytes < 1000)
    assert (" of address space; " in done.stderr) == (megabytes < 1000)
    assert "Traceback" not in done.stderr


def test_where_there_is_no_limit() -> None:
    import resource

    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        assert machine.free_addresses() is None
    done = run_with(
        1000, "from glnzip.system import machine; print(0 < machine.free_addresses() < 1000 << 20)"
    )
    assert done.stdout == "True\n"
