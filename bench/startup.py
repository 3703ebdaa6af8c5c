"""Time of whole processes: ``python -m bench.startup [--level N] [--cold]``.

Small files and ``--help`` cost what starting costs. ``--cold`` also measures the first run ever on
a machine, with an empty kernel cache, in which Numba compiles everything.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from bench import child, inputs, ours, report
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL

SMALL_BYTES = 1_000


def seconds(command: Sequence[str], rounds: int, stdout: Path) -> float:
    """Return the median seconds of `command`, after one run that is not counted."""
    child.run(command, stdout=str(stdout))
    return statistics.median(child.run(command, stdout=str(stdout)).seconds for _ in range(rounds))


def first_run_seconds(command: Sequence[str]) -> float:
    """Return the seconds of `command` with an empty kernel cache."""
    with tempfile.TemporaryDirectory(prefix="glnzip-cold-") as cache:
        empty: Mapping[str, str] = {"GLNZIP_CACHE_DIR": cache}
        return child.run(command, environment=empty).seconds


@click.command()
@click.option(
    "--level", type=click.IntRange(MIN_LEVEL, MAX_LEVEL), default=DEFAULT_LEVEL, show_default=True
)
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--cold", is_flag=True, help="Also measure a run that compiles every kernel.")
def main(level: int, rounds: int, cold: bool) -> None:
    """Time whole glnzip processes: help, version, and a file of 1,000 bytes both ways."""
    with tempfile.TemporaryDirectory(prefix="glnzip-bench-") as name:
        source, packed, restored = (Path(name) / part for part in ("small", "packed", "restored"))
        source.write_bytes(inputs.made_up_text(SMALL_BYTES))
        compress = ours.command("compress", f"-{level}", "-c", str(source))
        took = {
            "--help": seconds(ours.command("--help"), rounds, restored),
            "--version": seconds(ours.command("--version"), rounds, restored),
            "compress 1,000 bytes": seconds(compress, rounds, packed),
            "decompress them": seconds(
                ours.command("decompress", "-c", str(packed)), rounds, restored
            ),
        }
        if cold:
            took["compress them, nothing compiled yet"] = first_run_seconds(compress)
    click.echo(f"{ours.program(level)}, whole processes, median of {rounds} runs (cold: one run)\n")
    click.echo(report.table(["command", "seconds"], [[k, f"{v:.2f}"] for k, v in took.items()]))


if __name__ == "__main__":
    main()
