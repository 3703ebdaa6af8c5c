"""The same bytes here as everywhere: ``python -m tests.determinism``.

Compresses fixed data at every level, without a prior and with small ones, compares the SHA-256 of
every frame with the recorded one, and decompresses. Prints what it ran on, and exits with 1 if a
byte differs. ``docs/DETERMINISM.md`` lists where this has been run. It needs nothing but the
package's own dependencies, or without Numba, patience: see ``--short``.

The record belongs to a generation of models, as the golden files do, and is written with them, by
``make golden``; a line that stands in it is never changed.
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import click

import glnzip
from glnzip.format.levels import LEVELS, MAX_LEVEL, MIN_LEVEL, MODEL_GENERATION
from glnzip.jit import jit_is_on
from glnzip.planner.planner import choose_block_type
from glnzip.priors.plain_frame import write_plain_frame
from glnzip.priors.prepared import kept_ready
from tests import fixed_data

RECORD = Path(__file__).parent / "golden" / f"{MODEL_GENERATION}.sha256"
SETS = {False: "whole", True: "short"}
TELLING_FEATURES = ("sse4.2", "avx", "avx2", "fma", "avx512f", "neon", "sve")


def frames(level: int, *, short: bool) -> Iterator[tuple[str, bytes]]:
    """The frames of one set by name, each compressed and decompressed.

    Raises
    ------
    ValueError, GlnzipError
        If one does not decompress to what was compressed.
    """
    for name, piece in fixed_data.pieces(short=short).items():
        yield f"{SETS[short]}/{name}.{level}.gln", _round_trip(piece, level, None)
    start, rest = fixed_data.primer(short=short)
    learned = glnzip.compress(start, level=MIN_LEVEL, prior=None)
    memorised = write_plain_frame([(choose_block_type(start), start)], [])
    for name, stream in (("primed", learned), ("memorised", memorised)):
        prior = glnzip.Prior(stream)
        with kept_ready(level, prior):
            yield f"{SETS[short]}/{name}.{level}.gln", _round_trip(rest, level, prior)


def _round_trip(data: bytes, level: int, prior: glnzip.Prior | None) -> bytes:
    frame = glnzip.compress(data, level=level, prior=prior)
    if glnzip.decompress(frame, prior=prior) != data:
        raise ValueError("a frame was decompressed to other data")
    return frame


def recorded() -> dict[str, str]:
    """The digests on record, by the names of the frames; the format is that of ``sha256sum``."""
    if not RECORD.exists():
        return {}
    lines = RECORD.read_text(encoding="ascii").splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def environment() -> str:
    """What runs the model, in one line."""
    parts = [f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"]
    parts.append(f"NumPy {version('numpy')}")
    if not jit_is_on():
        return ", ".join([*parts, "plain Python"])
    from numba.core.config import OPT
    from numba.core.registry import cpu_target

    _, cpu, features = cpu_target.target_context.codegen().magic_tuple()
    named = [name for name in TELLING_FEATURES if f"+{name}" in features.split(",")]
    parts += [f"Numba {version('numba')}", f"llvmlite {version('llvmlite')}"]
    return ", ".join([*parts, f"for {' '.join([cpu, *named])}", f"optimisation {int(OPT)}"])


@click.command()
@click.argument("levels", nargs=-1, type=click.IntRange(MIN_LEVEL, MAX_LEVEL))
@click.option("--short", is_flag=True, help="Use the beginnings of the data: 55 KB, not 230.")
@click.option("--record", is_flag=True, help="Put on record what is not there.")
def main(levels: tuple[int, ...], short: bool, record: bool) -> None:
    """Compress fixed data and compare every byte with what it was elsewhere.

    All LEVELS are tried unless some are given.
    """
    start = time.monotonic()
    found: dict[str, str] = {}
    for level in levels or LEVELS:
        for name, frame in frames(level, short=short):
            found[name] = sha256(frame).hexdigest()
            click.echo(f"{time.monotonic() - start:5.0f} s  {name}", err=True)
    known = recorded()
    if record:
        known = found | known
        lines = [f"{known[name]}  {name}\n" for name in sorted(known)]
        RECORD.write_text("".join(lines), encoding="ascii")
    different = [name for name, digest in found.items() if known.get(name) != digest]
    for name in different:
        click.echo(f"{name}: {'not on record' if name not in known else 'OTHER BYTES'}")
    result = f"{len(different)} frames differ" if different else "the same bytes"
    what = f"{len(found)} frames, {SETS[short]} set, levels {' '.join(map(str, levels or LEVELS))}"
    click.echo(f"{result}: {what}, {time.monotonic() - start:.0f} s, {environment()}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
