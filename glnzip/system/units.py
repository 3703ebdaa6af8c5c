"""Sizes as text."""

from __future__ import annotations


def human_size(count: float) -> str:
    """`count` bytes in three digits; 1000 bytes are 1 KB, as for disks and networks."""
    unit = "B"
    for larger in ("KB", "MB", "GB", "TB"):
        if count < 999.5:
            break
        count, unit = count / 1000, larger
    return f"{count:.0f} {unit}" if unit == "B" or count >= 99.95 else f"{count:.3g} {unit}"
