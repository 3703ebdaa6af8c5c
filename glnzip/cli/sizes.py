"""Sizes in bytes as users write them: ``4096``, ``64K``, ``1MiB``, ``1.5G``."""

from __future__ import annotations

import re

import click

_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def size(text: str) -> int:
    """The bytes that `text` stands for; K, M, G and T count in steps of 1024, as in xz and zstd."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    count = int(float(match[1]) * _FACTORS[match[2].upper()]) if match else 0
    if count < 1:
        raise click.BadParameter(f"{text!r} is not a size such as 4096, 64K, 1M or 1.5G")
    return count
