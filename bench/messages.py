"""The yardstick for messages: their size beside that of frames, and how many a second.

    python -m bench.messages                  # cuts of a sample of prose, and made-up records
    python -m bench.messages book.txt --lines events.jsonl

Every message is 100 to 300 bytes long. It is compressed and decompressed by one `MessageCodec`, and
compressed by `glnzip.compress` with the same level and prior. Speeds count the CPU time of this
process, kernels and model ready, as messages of 200 bytes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import click

import corpora
import glnzip
from bench import inputs, ours, report
from bench.peers import NotRestored
from corpora.make_samples import Dice
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.messages import MAX_CHECK_BYTES

SHORTEST, LONGEST = 100, 300
USUAL = 200
SAMPLE = corpora.HERE / "samples" / "prose.txt"


class Result(NamedTuple):
    """What was found on some messages, in bytes and seconds."""

    messages: int
    original: int
    packed: int
    frames: int
    most_added: int
    pack_seconds: float
    unpack_seconds: float


def cuts(text: bytes, count: int) -> list[bytes]:
    """Return stretches of whole words from all over a text."""
    dice = Dice(1)
    words = text.split()
    stretches: list[bytes] = []
    while len(stretches) < count:
        at = dice.below(len(words) - LONGEST // 2)
        wanted = SHORTEST + dice.below(LONGEST - SHORTEST)
        stretch = b""
        while len(stretch) < wanted:
            stretch += b" " + words[at] if stretch else words[at]
            at += 1
        if len(stretch) <= LONGEST:
            stretches.append(stretch)
    return stretches


def lines(text: bytes, count: int) -> list[bytes]:
    """Return lines from all over a text."""
    found = [line for line in text.split(b"\n") if SHORTEST <= len(line) <= LONGEST]
    return found[:: max(1, len(found) // count)][:count]


def records(count: int) -> list[bytes]:
    """Return JSON objects as sensors, shops and services would send them."""
    dice = Dice(2)
    names = ["alder", "birch", "cedar", "fir", "hazel", "maple", "oak", "rowan"]
    found: list[bytes] = []
    while len(found) < count:
        reading = {
            "id": dice.below(10**6),
            "time": f"2031-{1 + dice.below(12):02}-{1 + dice.below(28):02}T"
            f"{dice.below(24):02}:{dice.below(60):02}:{dice.below(60):02}Z",
            "station": dice.pick(names),
            "temperature": dice.below(450) / 10 - 10,
            "humidity": 20 + dice.below(80),
            "battery": 3 + dice.below(120) / 100,
        }
        item = [
            {"sku": f"{dice.pick('ABCDE')}-{dice.below(1000):03}", "count": 1 + dice.below(8)}
            for _ in range(1 + dice.below(4))
        ]
        order = {"type": "order", "customer": dice.below(10**5), "items": item, "paid": True}
        event = {
            "level": dice.pick(["info", "warning", "error"]),
            "service": dice.pick(["gateway", "storage", "login", "mail"]),
            "message": dice.pick(["connection closed by peer", "user not found", "disk is full"]),
            "user": dice.below(10**4),
            "duration_ms": dice.below(5000),
        }
        record = json.dumps(dice.pick([reading, order, event])).encode()
        if SHORTEST <= len(record) <= LONGEST:
            found.append(record)
    return found


def measure(
    messages: Sequence[bytes], codec: glnzip.MessageCodec, frame: Callable[[bytes], bytes]
) -> Result:
    """Compress and decompress all messages; raise `NotRestored` if one is changed."""
    started = time.process_time()
    packed = [codec.compress(message) for message in messages]
    between = time.process_time()
    restored = [codec.decompress(message) for message in packed]
    ended = time.process_time()
    if restored != list(messages):
        raise NotRestored("a message is not restored")
    pairs = zip(messages, packed, strict=True)
    return Result(
        messages=len(messages),
        original=sum(map(len, messages)),
        packed=sum(map(len, packed)),
        frames=sum(len(frame(message)) for message in messages),
        most_added=max(len(after) - len(before) for before, after in pairs),
        pack_seconds=between - started,
        unpack_seconds=ended - between,
    )


def row(name: str, found: Result) -> list[str]:
    """Return one row of the table."""
    usual = found.original / USUAL
    return [
        name,
        f"{found.messages:,}",
        f"{found.original:,}",
        f"{found.packed:,}",
        f"{found.frames:,}",
        f"{found.packed / found.frames:.3f}",
        f"{found.most_added:+}",
        f"{usual / found.pack_seconds:,.0f}",
        f"{usual / found.unpack_seconds:,.0f}",
    ]


def total(results: Sequence[Result]) -> Result:
    """Return the sum of all results."""
    *columns, most_added, pack, unpack = zip(*results, strict=True)
    messages, original, packed, frames = (sum(column) for column in columns)
    return Result(messages, original, packed, frames, max(most_added), sum(pack), sum(unpack))


@click.command()
@click.argument("names", nargs=-1, metavar="[FILE]...")
@click.option("--lines", "by_lines", multiple=True, metavar="FILE", help="Its lines are messages.")
@click.option("--count", type=click.IntRange(min=1), default=500, show_default=True)
@click.option(
    "--level", type=click.IntRange(MIN_LEVEL, MAX_LEVEL), default=DEFAULT_LEVEL, show_default=True
)
@click.option("--prior", type=click.Choice(list(ours.PRIORS)), default="shipped", show_default=True)
@click.option("--check", type=click.IntRange(0, MAX_CHECK_BYTES), default=0)
def main(
    names: tuple[str, ...],
    by_lines: tuple[str, ...],
    count: int,
    level: int,
    prior: str,
    check: int,
) -> None:
    """Measure messages cut from each FILE, or made here if none is given."""
    sets = {}
    try:
        for name in names:
            sets[name] = cuts(inputs.by_name(name).read_bytes(), count)
        for name in by_lines:
            sets[name] = lines(inputs.by_name(name).read_bytes(), count)
        sets = sets or {SAMPLE.name: cuts(SAMPLE.read_bytes(), count), "records": records(count)}
        codec = glnzip.MessageCodec(level, prior=ours.PRIORS[prior], check_bytes=check)
        for _ in range(3):  # kernels, then the model that is kept
            codec.compress(ours.TINY)

        def frame(message: bytes) -> bytes:
            return glnzip.compress(message, level=level, prior=ours.PRIORS[prior])

        results = {name: measure(messages, codec, frame) for name, messages in sets.items()}
    except (corpora.CorpusMissing, NotRestored) as reason:
        raise click.ClickException(str(reason)) from reason
    heads = ["from", "messages", "bytes", "as messages", "as frames", "ratio", "most added"]
    rows = [row(name, found) for name, found in results.items()]
    rows.append(row("all", total(list(results.values()))))
    click.echo(f"{ours.program(level, prior)}, check of {check} bytes\n")
    click.echo(report.table([*heads, "compressed/s", "decompressed/s"], rows))


if __name__ == "__main__":
    main()
