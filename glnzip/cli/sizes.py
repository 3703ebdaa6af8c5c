"""Sizes in bytes as users write them: ``4096``, ``64K``, ``1MiB``, ``1.5G``, ``50%`` of memory."""

from __future__ import annotations

import re
import sys

import click

from glnzip.system.machine import usable_memory

_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def size(text: str) -> int:
    """The bytes that `text` stands for; K, M, G and T count in steps of 1024, as in xz and zstd."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    count = int(float(match[1]) * _FACTORS[match[2].upper()]) if match else 0
    if count < 1:
        raise click.BadParameter(f"{text!r} is not a size such as 4096, 64K, 1M or 1.5G")
    return count


def memory_limit(text: str) -> int | None:
    """A size, or per cent of the machine's memory; None, for all of it, of ``0``; ``max``."""
    if text == "0":
        return None
    if text == "max":
        return sys.maxsize
    share = re.fullmatch(r"(\d+)%", text)
    if share is None:
        return size(text)
    if not 1 <= int(share[1]) <= 100:
        raise click.BadParameter(f"{text!r} is not from 1% to 100%")
    memory = usable_memory()
    if memory is None:
        raise click.BadParameter("how much memory this machine has is not known")
    return memory * int(share[1]) // 100
