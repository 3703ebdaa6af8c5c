"""Runs glnzip: in this process, kernels ready, for speed; as a child process for memory.

The in-process figures are those of a caller of the Python API: each call builds a fresh model, as
every new stream does, and that is included. Start-up is measured by `bench.startup` instead.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import glnzip
from bench import child
from bench.peers import NotRestored
from bench.results import FileResult, WarmUp
from glnzip import jit

PRIORS = {"shipped": glnzip.SHIPPED_PRIOR, "none": None}
TINY = b"A few bytes are enough to make every kernel ready. " * 4


def program(level: int, prior: str = "none") -> str:
    """Return the name of glnzip at `level`, with a prior of `PRIORS`, in tables."""
    return f"glnzip -{level}" if prior == "shipped" else f"glnzip -{level} --prior {prior}"


def timed_round_trip(original: bytes, level: int, prior: str = "none") -> tuple[int, float, float]:
    """Return the packed size and the seconds of both directions; raise `NotRestored` if need be."""
    started = time.perf_counter()
    packed = glnzip.compress(original, level=level, prior=PRIORS[prior])
    between = time.perf_counter()
    restored = glnzip.decompress(packed)
    ended = time.perf_counter()
    if restored != original:
        raise NotRestored(f"{program(level, prior)} does not restore {len(original)} bytes")
    return len(packed), between - started, ended - between


def warm_up(level: int, prior: str = "none") -> WarmUp:
    """Make kernels and prior ready; return what that cost beyond the same work done again."""
    from_cache = jit.kernels_are_cached()
    _, *first = timed_round_trip(TINY, level, prior)
    _, *again = timed_round_trip(TINY, level, prior)
    return WarmUp(level, max(0.0, sum(first) - sum(again)), from_cache)


def round_trip(
    level: int, set_name: str, file: str, original: bytes, prior: str = "none"
) -> FileResult:
    """Compress and decompress one file in this process; call `warm_up` once before."""
    packed_bytes, pack_seconds, unpack_seconds = timed_round_trip(original, level, prior)
    return FileResult(
        program=program(level, prior),
        set_name=set_name,
        file=file,
        original_bytes=len(original),
        packed_bytes=packed_bytes,
        pack_seconds=pack_seconds,
        unpack_seconds=unpack_seconds,
        peak_bytes=None,
    )


def command(*arguments: str) -> list[str]:
    """Return the command line of glnzip with `arguments`, run by this Python."""
    return [sys.executable, "-m", "glnzip", *arguments]


def peak_bytes(
    level: int, original: bytes, prior: str = "none", *, through_pipes: bool = False
) -> tuple[int, int]:
    """Return the peak memory of a process that compresses, and of one that decompresses."""
    compress = command("compress", f"-{level}")
    if prior != "shipped":
        compress += ["--prior", prior]
    with tempfile.TemporaryDirectory(prefix="glnzip-bench-") as name:
        packed, restored = Path(name) / "packed", Path(name) / "restored"
        if through_pipes:
            packing = child.run(compress, piped=original, stdout=str(packed))
            unpacking = child.run(
                command("decompress"), piped=packed.read_bytes(), stdout=str(restored)
            )
        else:
            source = Path(name) / "original"
            source.write_bytes(original)
            packing = child.run([*compress, "-c", str(source)], stdout=str(packed))
            unpacking = child.run(command("decompress", "-c", str(packed)), stdout=str(restored))
        if restored.read_bytes() != original:
            raise NotRestored(f"the {program(level, prior)} command does not restore its input")
    return packing.peak_bytes, unpacking.peak_bytes
