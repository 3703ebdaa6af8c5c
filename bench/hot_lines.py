"""Where a kernel spends its time: the lines of the sources, by share of the samples.

    python -m bench.hot_lines --level 6 book1

Linux's ``perf`` looks a thousand times a second where the processor is. The kernel is compiled for
that with what maps its code back to the sources, some of which it inlines a hundred times over; it
is as fast as ever. A line that only reads a table and still has several per cent waits for memory.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import click

from bench import inputs, report
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL

KERNELS = ("run_bytes", "run_samples", "run_jpeg")
TOOLS = ("perf", "addr2line", "size")
_PACKAGE = Path(__file__).resolve().parent.parent / "glnzip"


def watch(kernel: str, file: str, level: int, cap: int, folder: Path) -> None:
    """Compress a file's beginning by a kernel whose machine code and address go to a folder."""
    import glnzip
    from glnzip import jit
    from glnzip.jit.kernel_compiler import object_file
    from glnzip.jit.machine_code import loaded

    make = jit.Kernel._made

    def made(self: Any, kinds: Any, arguments: Any) -> Any:
        if self.__name__ != kernel:
            return make(self, kinds, arguments)
        symbol, code, _ = object_file(self.py_func, arguments)
        native: Any = loaded(symbol, code)
        engine, _ = native.__kwdefaults__["_owned"]
        (folder / "code.o").write_bytes(code)
        (folder / "address").write_text(str(engine.get_function_address(symbol)))
        return native

    jit.Kernel._made = made  # type: ignore[method-assign]
    glnzip.compress(Path(file).read_bytes()[:cap], level=level, prior=None)


def places(folder: Path) -> Counter[int]:
    """Return how often `perf` saw each place of the kernel's code."""
    listed = _output("perf", "script", "-i", str(folder / "samples"), "-F", "ip")
    first, end = int((folder / "address").read_text()), _code_bytes(folder / "code.o")
    seen = (int(address, 16) - first for address in listed.split())
    return Counter(place for place in seen if 0 <= place < end)


def _code_bytes(file: Path) -> int:
    """Return how much of an object file is code; behind that, in memory, other code may lie."""
    sections = (line.split() for line in _output("size", "-A", str(file)).splitlines())
    return sum(int(fields[1]) for fields in sections if fields and fields[0].endswith("text"))


def lines_of(folder: Path, seen: Counter[int]) -> Counter[str]:
    """Return the samples by line of the sources, given those by place of the code."""
    asked = [f"{place:#x}" for place in seen]
    answer = _output("addr2line", "-e", str(folder / "code.o"), *asked)
    found: Counter[str] = Counter()
    for place, line in zip(seen, answer.splitlines(), strict=True):
        source = re.sub(r" \(discriminator \d+\)$", "", line)
        found[source.removeprefix(f"{_PACKAGE}{os.sep}")] += seen[place]
    return found


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@click.command()
@click.argument("file")
@click.option(
    "--level", type=click.IntRange(MIN_LEVEL, MAX_LEVEL), default=DEFAULT_LEVEL, show_default=True
)
@click.option("--kernel", type=click.Choice(KERNELS), default=KERNELS[0], show_default=True)
@click.option("--cap", type=click.IntRange(min=1), default=1_000_000, show_default=True)
@click.option("--top", type=click.IntRange(min=1), default=30, show_default=True)
def main(file: str, level: int, kernel: str, cap: int, top: int) -> None:
    """Tell the lines of the model that compressing FILE spends the most time at."""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        raise click.UsageError(f"this needs {' and '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="glnzip-bench-") as name:
        folder = Path(name)
        call = (kernel, str(inputs.by_name(file)), level, cap, folder)
        code = f"from pathlib import *; from bench.hot_lines import watch; watch(*{call})"
        _record(folder, [sys.executable, "-c", code])
        seen = places(folder) if (folder / "address").exists() else Counter()
        if not seen:
            raise click.ClickException(f"{kernel} was not seen at work")
        found = lines_of(folder, seen)
    rows = [[line, f"{100 * n / seen.total():.1f} %"] for line, n in found.most_common(top)]
    click.echo(f"{kernel} at level {level}: {seen.total()} samples\n")
    click.echo(report.table(["line", "time"], rows))


def _record(folder: Path, command: list[str]) -> None:
    perf = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "1000", "-o", str(folder / "samples")]
    subprocess.run([*perf, *command], check=True, env={**os.environ, "NUMBA_DEBUGINFO": "1"})


if __name__ == "__main__":
    main()
