"""A benchmark session as Markdown: totals beside other programs, then every file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench import peers
from bench.results import Session, Total

NOTES = """\
KB is 1,000 bytes; speeds count original bytes. Each file is compressed alone, container included,
and every result of this run was decompressed and compared with the original.

- glnzip is timed inside one process with its kernels ready, building a fresh model for each file;
  other programs are timed as whole processes, start-up included, on one thread.
- "x zpaq" is compression speed as a multiple of `zpaq -m5 -t1`. On sets with many small files
  zpaq's start-up weighs on it; `python -m bench.speed` compares on single large files.
- Memory is the peak of a child process over both directions; for glnzip on the largest file. Below
  about 10 MB it says no more than that.
- Rows marked measured or published are recorded figures (`bench/peers.json`), not from this run;
  their "x zpaq" was found on alice29.txt. Programs with pre-trained models say so in their names.
"""


def line(cells: Sequence[str]) -> str:
    """Return one row of a Markdown table."""
    return f"| {' | '.join(cells)} |\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose first column is text and whose others are figures."""
    return "".join(map(line, [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]))


def shown(value: float | None, form: str) -> str:
    """Return `value` by a format such as ``",.1f"``, or a dash if it is not known."""
    return "-" if value is None else format(value, form)


def speed_ratio(total: Total, totals: Sequence[Total]) -> float | None:
    """Return the compression speed as a multiple of zpaq's in the same run, or as recorded."""
    yardstick = next((t.pack_kb_s for t in totals if t.program == peers.ZPAQ.name), None)
    if yardstick and total.pack_kb_s:
        return total.pack_kb_s / yardstick
    return total.times_zpaq


def all_totals(session: Session, set_name: str) -> list[Total]:
    """Return the totals of this run and the recorded ones, smallest first."""
    totals = session.totals(set_name)
    already = [total.program for total in totals]
    totals += peers.recorded_totals(set_name, totals[0].original_bytes, already)
    return sorted(totals, key=lambda total: total.packed_bytes)


def totals_table(session: Session, set_name: str) -> str:
    """Return one row a program."""
    totals = all_totals(session, set_name)
    heads = ["program", "bytes", "bits per byte", "compress KB/s", "decompress KB/s"]
    heads += ["x zpaq", "peak MB", "source"]
    return table(
        heads,
        [
            [
                f"**{total.program}**" if total.program.startswith("glnzip") else total.program,
                f"{total.packed_bytes:,}",
                f"{total.bits_per_byte:.3f}",
                shown(total.pack_kb_s, ",.0f"),
                shown(total.unpack_kb_s, ",.0f"),
                shown(speed_ratio(total, totals), ".3g"),
                shown(total.peak_bytes and total.peak_bytes / 1e6, ",.0f"),
                total.source,
            ]
            for total in totals
        ],
    )


def files_table(session: Session, set_name: str) -> str:
    """Return one row a file: bytes by each program of this run."""
    programs = [total.program for total in session.totals(set_name)]
    packed = {(r.file, r.program): f"{r.packed_bytes:,}" for r in session.of(set_name)}
    originals = {r.file: f"{r.original_bytes:,}" for r in session.of(set_name)}
    return table(
        ["file", "original", *programs],
        [
            [file, original, *(packed.get((file, program), "-") for program in programs)]
            for file, original in originals.items()
        ],
    )


def markdown(session: Session) -> str:
    """Return the whole report."""
    parts = [f"# glnzip beside other compressors\n\nMade by `{session.command}`.\n\n"]
    parts.append("".join(f"- {key}: {value}\n" for key, value in session.machine.items()))
    for warm_up in session.warm_ups:
        how = "loaded from the cache" if warm_up.from_cache else "compiled"
        parts.append(
            f"- kernels at level {warm_up.level}: {how} in {warm_up.seconds:.1f} s, "
            "not part of any speed below\n"
        )
    for set_name in session.set_names:
        originals = {r.file: r.original_bytes for r in session.of(set_name)}
        parts.append(
            f"\n## {set_name}: {len(originals)} files, {sum(originals.values()):,} bytes\n\n"
        )
        parts.append(totals_table(session, set_name))
        parts.append(f"\n### {set_name}, bytes of each file\n\n")
        parts.append(files_table(session, set_name))
    return "".join(parts) + "\n## What the figures are\n\n" + NOTES
