"""A Dask cluster on this machine: ``python -m bench.cluster [FILE] [--level N ...]``.

How much faster are two workers than one? The blocks of a file are compressed by this process alone
and with two threads, and by clusters of one and of two processes, all in turns; every result must
be the same bytes. Each run waits for a quiet moment, and the best round of each counts: other jobs
can only make it slower. Scheduler and client are threads of this process; what they cost is its
processor time.

How much can a scheduler pass on? Blocks of zeros go to workers that do nothing with them.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import glnzip
from bench import inputs, machine, ours, report
from bench.results import FOLDER, kb_s
from glnzip.format.levels import MAX_LEVEL, MIN_LEVEL

if TYPE_CHECKING:
    from distributed import Client

PASSED_BYTES = (1_000, 1 << 20, 16 << 20)
LEAST_PASSED = 1 << 29
QUIET_PERCENT = 5.0
PATIENCE_SECONDS = 15.0


class Run(NamedTuple):
    """What one compression took."""

    seconds: float
    own: float
    """Of processor time, of this process."""
    of_workers: float
    """The same of the workers."""


@contextmanager
def cluster_of(workers: int) -> Iterator[Client]:
    """A client of so many processes with a thread each."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, memory_limit=None
        ) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield client


def wait_for_quiet() -> None:
    """Wait until other jobs rest, but not for long."""
    import psutil

    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end and psutil.cpu_percent(0.3) > QUIET_PERCENT:
        pass


def timed(compress: Callable[[], bytes], expected: bytes, client: Client | None) -> Run:
    """Time a compression whose result is known."""

    def of_workers() -> float:
        return sum(client.run(time.process_time).values()) if client else 0.0

    wait_for_quiet()
    theirs, own, started = of_workers(), time.process_time(), time.perf_counter()
    packed = compress()
    seconds, own = time.perf_counter() - started, time.process_time() - own
    if packed != expected:
        raise click.ClickException("a cluster makes other bytes than one machine")
    return Run(seconds, own, of_workers() - theirs)


def in_turns(data: bytes, level: int, prior: str, block_size: int, rounds: int) -> Iterator[str]:
    """Yield the rows of a table: this process, two threads of it, one worker, two."""
    from glnzip.dask import compress as compress_there

    options: dict[str, Any] = {
        "level": level,
        "prior": ours.PRIORS[prior],
        "block_size": block_size,
    }
    expected = glnzip.compress(data, **options)
    with cluster_of(1) as one, cluster_of(2) as two:
        ways: dict[str, tuple[Callable[[], bytes], Client | None]] = {
            "no cluster": (partial(glnzip.compress, data, **options), None),
            "no cluster, two threads": (
                partial(glnzip.compress, data, **options, threads=2),
                None,
            ),
            "one worker": (partial(compress_there, data, one, **options), one),
            "two workers": (partial(compress_there, data, two, **options), two),
        }
        for way in ways.values():
            timed(way[0], expected, way[1])  # kernels and priors are loaded
        runs: dict[str, list[Run]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, (compress, client) in ways.items():
                runs[name].append(timed(compress, expected, client))
    alone = min(runs["one worker"]).seconds
    for name, taken in runs.items():
        best = min(taken)
        yield report.line(
            [
                f"`-{level}`, {name}",
                f"{best.seconds:.2f}",
                f"{statistics.median(run.seconds for run in taken):.2f}",
                f"{kb_s(len(data), best.seconds):,.0f}",
                f"{alone / best.seconds:.2f}",
                f"{min(run.own for run in taken):.2f}",
                f"{min(run.of_workers for run in taken):.2f}",
            ]
        )


def nothing(data: bytes, *, progress: Callable[[int], object]) -> bytes:
    """Work that is none."""
    return b""


def passed_on(size: int) -> list[str]:
    """Return a row: blocks of a size a second, and bytes, through the scheduler to two workers."""
    from glnzip.dask.cluster import Cluster
    from glnzip.dask.machines import Machines

    data, count = bytes(size), max(32, min(2048, LEAST_PASSED // size))
    with cluster_of(2) as client, Cluster(client) as cluster, Machines(cluster, "zeros") as workers:
        workers.submit(nothing, data, models=0).result()
        waiting = deque([workers.submit(nothing, data, models=0) for _ in range(4)])
        own, started = time.process_time(), time.perf_counter()
        for _ in range(count):
            waiting.popleft().result()
            waiting.append(workers.submit(nothing, data, models=0))
        seconds, own = time.perf_counter() - started, time.process_time() - own
    return [
        f"{size:,}",
        f"{count / seconds:,.0f}",
        f"{size * count / seconds / 1e6:,.1f}",
        f"{1000 * own / count:.2f}",
    ]


def measured(
    source: Path, size: int, levels: Sequence[int], prior: str, block_size: int, rounds: int
) -> Iterator[str]:
    """Yield all of it as Markdown, piece by piece."""
    data = source.read_bytes()[:size]
    yield (
        f"{source.name}, the first {len(data):,} bytes in blocks of {block_size:,}; "
        f"{rounds} rounds in turns. Seconds, KB/s and processor time are the best of each.\n\n"
    )
    heads = ["", "seconds", "median", "KB/s", "x one worker", "own CPU, s", "workers' CPU, s"]
    yield report.table(heads, [])
    for level in levels:
        yield from in_turns(data, level, prior, block_size, rounds)
    yield "\nThrough the scheduler to two workers that do nothing:\n\n"
    yield report.table(["bytes in a block", "blocks/s", "MB/s", "own CPU, ms a block"], [])
    for size in PASSED_BYTES:
        yield report.line(passed_on(size))


@click.command()
@click.argument("file", default="dickens")
@click.option(
    "--level",
    "levels",
    type=click.IntRange(MIN_LEVEL, MAX_LEVEL),
    multiple=True,
    default=(1, 4, 6),
    show_default=True,
)
@click.option("--prior", type=click.Choice(list(ours.PRIORS)), default="shipped", show_default=True)
@click.option("--size", type=int, default=2 << 20, show_default=True)
@click.option("--block-size", type=int, default=1 << 18, show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=FOLDER / "cluster.md")
def main(
    file: str,
    levels: tuple[int, ...],
    prior: str,
    size: int,
    block_size: int,
    rounds: int,
    out: Path,
) -> None:
    """Time clusters of one and two processes on FILE, and what a scheduler passes on."""
    facts = "".join(f"- {key}: {value}\n" for key, value in machine.describe().items())
    made_by = f"Made by `python -m bench.cluster {' '.join(sys.argv[1:])}`.\n\n"
    parts = [f"# A cluster on one machine\n\n{made_by}{facts}\n"]
    for part in measured(inputs.by_name(file), size, levels, prior, block_size, rounds):
        click.echo(part, nl=False)
        parts.append(part)
    out.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
