"""One sample there and back (``make demo``): the commands, the comparison, ratio and speed."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import corpora
from bench import ours
from bench.results import kb_s
from glnzip.format.levels import DEFAULT_LEVEL

SAMPLE = corpora.HERE / "samples" / "prose.txt"


def show_and_run(*arguments: str) -> None:
    """Print a glnzip command as a user would type it, and run it."""
    print("$", shlex.join(["glnzip", *arguments]), flush=True)
    subprocess.run(ours.command(*arguments), check=True)


def main() -> int:
    """Return the exit status: 0 if the sample came back unchanged."""
    original = SAMPLE.read_bytes()
    with tempfile.TemporaryDirectory(prefix="glnzip-demo-") as name:
        packed, restored = Path(name) / "prose.txt.gln", Path(name) / "prose.txt"
        show_and_run("compress", "-o", str(packed), str(SAMPLE))
        show_and_run("decompress", "-o", str(restored), str(packed))
        if restored.read_bytes() != original:
            print("FAILED: the restored file differs from the original")
            return 1
        packed_bytes = packed.stat().st_size
    print(f"\nverified: the restored file equals the original, {len(original):,} bytes")
    print(
        f"ratio: {len(original):,} -> {packed_bytes:,} bytes, "
        f"{packed_bytes / len(original):.1%} of the original, "
        f"{8 * packed_bytes / len(original):.3f} bits per byte"
    )
    ours.warm_up(DEFAULT_LEVEL)
    _, pack_seconds, unpack_seconds = ours.timed_round_trip(original, DEFAULT_LEVEL)
    print(
        f"speed, kernels ready: {kb_s(len(original), pack_seconds):,.0f} KB/s to compress, "
        f"{kb_s(len(original), unpack_seconds):,.0f} KB/s to decompress"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
