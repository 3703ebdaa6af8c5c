"""How time and memory grow with the data: ``python -m bench.growth FILE [--level N ...]``.

The first 1, 10 and 100 million bytes of a file are compressed, as many of these as it has; so one
that large and of many kinds of data is wanted, such as the archive of a source distribution,
unpacked. What is timed is the whole process, start to exit, with kernels and prior ready.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from bench import child, ours, report
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL

SIZES = (1_000_000, 10_000_000, 100_000_000)


def growth(source: Path, level: int, sizes: Sequence[int] = SIZES) -> Iterator[list[str]]:
    """Yield a row for each size: bytes, packed bytes, seconds, seconds for a MB, memory in MB."""
    with tempfile.TemporaryDirectory(prefix="glnzip-bench-") as name:
        beginning, packed = Path(name) / "beginning", Path(name) / "packed"
        for size in sizes:
            with source.open("rb") as stream:
                beginning.write_bytes(stream.read(size))
            if beginning.stat().st_size < size:
                return
            command = ours.command("compress", f"-{level}", "-c", str(beginning))
            run = child.run(command, stdout=str(packed))
            yield [
                f"{size:,}",
                f"{packed.stat().st_size:,}",
                f"{run.seconds:,.1f}",
                f"{run.seconds * 1e6 / size:,.2f}",
                f"{run.peak_bytes / 1e6:,.0f}",
            ]


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--level",
    "levels",
    type=click.IntRange(MIN_LEVEL, MAX_LEVEL),
    multiple=True,
    default=(MIN_LEVEL, DEFAULT_LEVEL),
    show_default=True,
)
def main(source: Path, levels: tuple[int, ...]) -> None:
    """Compress more and more of SOURCE and print what it takes."""
    for level in levels:
        ours.warm_up(level, "shipped")
        click.echo(f"{ours.program(level, 'shipped')}\n")
        heads = ["bytes", "packed", "seconds", "seconds for a MB", "memory, MB"]
        click.echo(report.table(heads, growth(source, level)))


if __name__ == "__main__":
    main()
