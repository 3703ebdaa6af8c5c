"""A Dask cluster on this machine: ``python -m bench.cluster [FILE] [--level N ...]``.

How much faster are two workers than one? The blocks of a file are compressed by this process alone
and by clusters of one and of two processes, in turns; every result must be the same bytes.
The scheduler has a process of its own, the client is in this one.

Where the machine has other work, seconds say little. So it is also told how long a run would have
taken had no worker waited for a processor: what Linux says that the busiest thread of each has
waited, on the average, is taken off. What others do to caches and memory stays in it.

How much can a scheduler pass on? Blocks of zeros go to workers that do nothing with them.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
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


class Run(NamedTuple):
    """What one compression took."""

    alone: float
    """Seconds, less those that workers waited for a processor."""
    seconds: float
    client: float
    """Of processor time."""
    scheduler: float
    workers: float


class Used(NamedTuple):
    """What a process has had of processors so far, in seconds."""

    processor: float
    waited: dict[str, float]
    """By each thread, for a processor."""


def used() -> Used:
    """What this process has had; without Linux nobody knows how long it waited."""
    waited = {
        path.parent.name: int(path.read_text().split()[1]) / 1e9
        for path in Path("/proc/self/task").glob("*/schedstat")
    }
    return Used(time.process_time(), waited)


@contextmanager
def cluster_of(workers: int) -> Iterator[Client]:
    """A client of a scheduler, and of so many workers with a thread each, all processes."""
    from distributed import Client

    with TemporaryDirectory(prefix="glnzip-bench-") as folder, ExitStack() as stack:
        told = f"{folder}/scheduler.json"
        for name in ("scheduler", *["worker"] * workers):
            options = ["--scheduler-file", told, "--no-dashboard"]
            options += ["--port", "0"] if name == "scheduler" else ["--nthreads", "1", "--no-nanny"]
            process = Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{name}", *options],
                stdout=DEVNULL,
                stderr=DEVNULL,
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
        client = stack.enter_context(Client(scheduler_file=told, set_as_default=False))
        client.wait_for_workers(workers)
        yield client


def timed(compress: Callable[[], bytes], expected: bytes, client: Client | None) -> Run:
    """Time a compression whose result is known, by this process or by the workers of a client."""

    def by_all() -> tuple[list[Used], float]:
        if client is None:
            return [used()], 0.0
        return list(client.run(used).values()), client.run_on_scheduler(time.process_time)

    before, scheduler = by_all()
    own, started = time.process_time(), time.perf_counter()
    packed = compress()
    seconds, own = time.perf_counter() - started, time.process_time() - own
    after, scheduler_after = by_all()
    if packed != expected:
        raise click.ClickException("a cluster makes other bytes than one machine")
    pairs = list(zip(before, after, strict=True))
    waits = [
        max((total - old.waited.get(thread, 0) for thread, total in new.waited.items()), default=0)
        for old, new in pairs
    ]
    return Run(
        seconds - statistics.mean(waits),
        seconds,
        own,
        scheduler_after - scheduler,
        sum(new.processor - old.processor for old, new in pairs),
    )


def in_turns(data: bytes, level: int, prior: str, block_size: int, rounds: int) -> Iterator[str]:
    """Yield the rows of a table: this process, one worker, two."""
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
            "one worker": (partial(compress_there, data, one, **options), one),
            "two workers": (partial(compress_there, data, two, **options), two),
        }
        for way in ways.values():
            timed(way[0], expected, way[1])  # kernels and priors are loaded
        runs: dict[str, list[Run]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, (compress, client) in ways.items():
                runs[name].append(timed(compress, expected, client))
    medians = {
        name: Run(*(statistics.median(column) for column in zip(*taken, strict=True)))
        for name, taken in runs.items()
    }
    for name, median in medians.items():
        yield report.line(
            [
                f"`-{level}`, {name}",
                f"{median.seconds:.2f}",
                f"{median.alone:.2f}",
                f"{kb_s(len(data), median.alone):,.0f}",
                f"{medians['one worker'].alone / median.alone:.2f}",
                *(
                    f"{value:.2f}" if "worker" in name else "-"
                    for value in (median.client, median.scheduler, median.workers)
                ),
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
        scheduler = client.run_on_scheduler(time.process_time)
        own, started = time.process_time(), time.perf_counter()
        for _ in range(count):
            waiting.popleft().result()
            waiting.append(workers.submit(nothing, data, models=0))
        seconds, own = time.perf_counter() - started, time.process_time() - own
        scheduler = client.run_on_scheduler(time.process_time) - scheduler
    return [
        f"{size:,}",
        f"{count / seconds:,.0f}",
        f"{size * count / seconds / 1e6:,.1f}",
        f"{1000 * own / count:.2f}",
        f"{1000 * scheduler / count:.2f}",
    ]


def measured(
    source: Path, size: int, levels: Sequence[int], prior: str, block_size: int, rounds: int
) -> Iterator[str]:
    """Yield all of it as Markdown, piece by piece."""
    data = source.read_bytes()[:size]
    yield (
        f"{source.name}, the first {len(data):,} bytes in blocks of {block_size:,}; "
        f"medians of {rounds} rounds in turns.\n\n"
    )
    heads = ["", "seconds", "without waiting", "KB/s", "x one worker"]
    heads += ["client, CPU s", "scheduler", "workers"]
    yield report.table(heads, [])
    for level in levels:
        yield from in_turns(data, level, prior, block_size, rounds)
    yield "\nThrough the scheduler to two workers that do nothing:\n\n"
    heads = ["bytes in a block", "blocks/s", "MB/s", "client, CPU ms a block", "scheduler"]
    yield report.table(heads, [])
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
@click.option("--size", type=int, default=4 << 20, show_default=True)
@click.option("--block-size", type=int, default=1 << 19, show_default=True)
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
