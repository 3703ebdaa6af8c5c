"""Sizes as text, and back."""

from __future__ import annotations

import re

_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def human_size(count: float) -> str:
    """`count` bytes in three digits; 1000 bytes are 1 KB, as for disks and networks."""
    unit = "B"
    for larger in ("KB", "MB", "GB", "TB"):
        if count < 999.5:
            break
        count, unit = count / 1000, larger
    return f"{count:.0f} {unit}" if unit == "B" or count >= 99.95 else f"{count:.3g} {unit}"


def parsed_size(text: str) -> int:
    """The bytes that `text` stands for: ``4096``, ``64K``, ``1MiB``, ``1.5G``.

    K, M, G and T count in steps of 1024, as in xz and zstd. Raises ValueError if it is no size.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    count = int(float(match[1]) * _FACTORS[match[2].upper()]) if match else 0
    if count < 1:
        raise ValueError(f"{text!r} is not a size such as 4096, 64K, 1M or 1.5G")
    return count
