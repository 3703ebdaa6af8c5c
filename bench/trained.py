"""A prior made of samples, beside a zstd dictionary made of the same.

    python -m bench.trained                        # made-up JSON records
    python -m bench.trained --lines events.jsonl

Every second record is a sample; the others are compressed, each alone: as frames and as messages of
glnzip with the trained prior, and by ``zstd -19 --no-check`` with the trained dictionary.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

import glnzip
from bench import inputs, report
from bench.messages import lines, records
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL

DICTIONARY_BYTES = 112_640
"""The size that zstd makes if none is given."""


def by_dictionary(samples: Sequence[bytes], messages: Sequence[bytes]) -> int:
    """Bytes of all messages by zstd; raise `click.ClickException` if it cannot be had."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        for name, contents in (("samples", samples), ("messages", messages)):
            (folder / name).mkdir()
            for number, content in enumerate(contents):
                (folder / name / f"{number}").write_bytes(content)
        train = f"zstd -q --train -r samples -o dictionary --maxdict={DICTIONARY_BYTES}"
        try:
            for command in (train, "zstd -q -19 --no-check -D dictionary -r messages"):
                subprocess.run(command.split(), cwd=folder, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise click.ClickException(f"zstd: {error}") from error
        return sum(file.stat().st_size for file in (folder / "messages").glob("*.zst"))


def by_prior(samples: Sequence[bytes], messages: Sequence[bytes], level: int) -> tuple[int, int]:
    """Bytes of all messages as frames and as messages of glnzip."""
    prior = glnzip.train_prior(samples, level=level)
    codec = glnzip.MessageCodec(level, prior=prior)
    frames = sum(len(glnzip.compress(message, level=level, prior=prior)) for message in messages)
    return frames, sum(len(codec.compress(message)) for message in messages)


@click.command()
@click.option("--lines", "by_lines", metavar="FILE", help="Its lines are the records.")
@click.option("--count", type=click.IntRange(min=2), default=2000, show_default=True)
@click.option(
    "--level", type=click.IntRange(MIN_LEVEL, MAX_LEVEL), default=DEFAULT_LEVEL, show_default=True
)
def main(by_lines: str | None, count: int, level: int) -> None:
    """Compare on COUNT samples and as many others."""
    if by_lines is None:
        found = records(2 * count)
    else:
        found = lines(inputs.by_name(by_lines).read_bytes(), 2 * count)
    samples, messages = found[::2], found[1::2]
    dictionary = by_dictionary(samples, messages)
    frames, packed = by_prior(samples, messages, level)
    original = sum(map(len, messages))
    rows = [
        [name, f"{size:,}", f"{size / dictionary:.3f}"]
        for name, size in (
            ("as they are", original),
            ("zstd -19 with its dictionary", dictionary),
            (f"glnzip -{level}, frames", frames),
            (f"glnzip -{level}, messages", packed),
        )
    ]
    click.echo(f"{len(messages):,} records after {len(samples):,} samples\n")
    click.echo(report.table(["way", "bytes", "x zstd"], rows))


if __name__ == "__main__":
    main()
