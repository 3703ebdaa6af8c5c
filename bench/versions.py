"""New versions beside the old ones: ``python -m bench.versions OLD NEW [OLD NEW]... [--level N]``.

Each new file is compressed with the old one as its base, and by the programs that have the same to
offer, where they are installed, at their strongest. Each result is decompressed and compared. What
is timed is the whole process, with kernels and shipped prior ready; the base is seen in it.
"""

from __future__ import annotations

import filecmp
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from bench import child, ours, report
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL

HEADS = ["new file", "bytes", "program", "packed", "seconds", "seconds back"]


def commands(old: str, level: int) -> dict[str, tuple[list[str], list[str]]]:
    """For each program: how to compress the file that is named last, and how to decompress it."""
    compress, decompress = (
        ours.command("compress", f"-{level}", "-c"),
        ours.command("decompress", "-c"),
    )
    zstd = ["zstd", "-q", "--long=31", "-c"]
    xdelta3 = ["xdelta3", "-c", "-B", str(1 << 26), "-s", old]
    return {
        "glnzip": (compress, decompress),
        "glnzip --base": ([*compress, "--base", old], [*decompress, "--base", old]),
        "zstd --patch-from": (
            [*zstd, "--ultra", "-22", f"--patch-from={old}"],
            [*zstd, "-d", f"--patch-from={old}"],
        ),
        "xdelta3": ([*xdelta3, "-9", "-S", "lzma", "-e"], [*xdelta3, "-d"]),
    }


def versions(old: Path, new: Path, level: int) -> Iterator[list[str]]:
    """Yield a row for each program."""
    with tempfile.TemporaryDirectory(prefix="glnzip-bench-") as name:
        packed, back = Path(name) / "packed", Path(name) / "back"
        for program, (compress, decompress) in commands(str(old), level).items():
            if shutil.which(compress[0]) is None:
                continue
            there = child.run([*compress, str(new)], stdout=str(packed))
            again = child.run([*decompress, str(packed)], stdout=str(back))
            if not filecmp.cmp(new, back, shallow=False):
                raise click.ClickException(f"{program} did not bring {new} back")
            size, whole = packed.stat().st_size, new.stat().st_size
            yield [
                new.name,
                f"{whole:,}",
                program,
                f"{size:,}",
                f"{there.seconds:,.1f}",
                f"{again.seconds:,.1f}",
            ]


@click.command()
@click.argument(
    "files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True
)
@click.option(
    "--level", type=click.IntRange(MIN_LEVEL, MAX_LEVEL), default=DEFAULT_LEVEL, show_default=True
)
def main(files: Sequence[Path], level: int) -> None:
    """Compress each second one of FILES, with the one before it as its base."""
    if len(files) % 2:
        raise click.UsageError("an old file and a new one are needed, in turns")
    ours.warm_up(level, "shipped")
    pairs = zip(files[::2], files[1::2], strict=True)
    rows = [row for old, new in pairs for row in versions(old, new, level)]
    click.echo(f"{ours.program(level, 'shipped')}\n")
    click.echo(report.table(HEADS, rows))


if __name__ == "__main__":
    main()
