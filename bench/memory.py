"""Peak memory of the glnzip command: ``python -m bench.memory [--level N]``.

Memory should depend on the level alone, so a small file, a large file and a pipe are compared.
"""

from __future__ import annotations

import click

from bench import inputs, ours, report
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL

SMALL_BYTES = 1_000


@click.command()
@click.option(
    "--level", type=click.IntRange(MIN_LEVEL, MAX_LEVEL), default=DEFAULT_LEVEL, show_default=True
)
@click.option("--megabytes", default=10, show_default=True, help="Size of the large input.")
def main(level: int, megabytes: int) -> None:
    """Compress and decompress made-up text in child processes and print their peak memory."""
    large_bytes = megabytes * 1_000_000
    rows = []
    for size, through_pipes in ((SMALL_BYTES, False), (large_bytes, False), (large_bytes, True)):
        original = inputs.made_up_text(size)
        peaks = ours.peak_bytes(level, original, through_pipes=through_pipes)
        source = "pipe" if through_pipes else "file"
        rows.append([f"{source}, {size:,} bytes", *(f"{peak / 1e6:,.0f}" for peak in peaks)])
    click.echo(f"{ours.program(level)}, peak memory of the whole process in MB (10^6 bytes)\n")
    click.echo(report.table(["input", "compress", "decompress"], rows))


if __name__ == "__main__":
    main()
