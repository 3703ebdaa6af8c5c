"""What others make of the same data, those that are at hand, each at its smallest."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import subprocess
from collections.abc import Callable, Iterator

_ZSTD_LEVEL = 22


def rival_sizes(data: bytes) -> Iterator[tuple[str, int]]:
    """Names of other compressors, and bytes that they make of the data."""
    yield "gzip -9", len(gzip.compress(data, 9, mtime=0))
    yield "bzip2 -9", len(bz2.compress(data, 9))
    yield "xz -9e", len(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
    zstd = _zstd()
    if zstd is not None:
        yield f"zstd --ultra -{_ZSTD_LEVEL}", len(zstd(data))


def _zstd() -> Callable[[bytes], bytes] | None:
    """Zstandard of Python's library (3.14), of the package `zstandard`, or the program."""
    try:
        from compression import zstd  # type: ignore[import-not-found]

        return lambda data: bytes(zstd.compress(data, _ZSTD_LEVEL))
    except ImportError:
        pass
    try:
        import zstandard

        return zstandard.ZstdCompressor(_ZSTD_LEVEL).compress
    except ImportError:
        pass
    program = shutil.which("zstd")
    return None if program is None else lambda data: _output_of(program, data)


def _output_of(program: str, data: bytes) -> bytes:
    command = [program, "--ultra", f"-{_ZSTD_LEVEL}", "-c", "-q"]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout
