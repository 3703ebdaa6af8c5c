"""Sizes in bytes as users write them: ``4096``, ``64K``, ``1MiB``, ``1.5G``, ``50%`` of memory."""

from __future__ import annotations

import os
import re

import click

_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_NO_LIMIT = ("0", "max")


def size(text: str) -> int:
    """The bytes that `text` stands for; K, M, G and T count in steps of 1024, as in xz and zstd."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    count = int(float(match[1]) * _FACTORS[match[2].upper()]) if match else 0
    if count < 1:
        raise click.BadParameter(f"{text!r} is not a size such as 4096, 64K, 1M or 1.5G")
    return count


def memory_limit(text: str) -> int | None:
    """A size, or per cent of the machine's memory; None, for no limit, of ``0`` and ``max``."""
    if text in _NO_LIMIT:
        return None
    share = re.fullmatch(r"(\d+)%", text)
    if share is None:
        return size(text)
    if not 1 <= int(share[1]) <= 100:
        raise click.BadParameter(f"{text!r} is not from 1% to 100%")
    return _machine_memory() * int(share[1]) // 100


def _machine_memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not on every system
        raise click.BadParameter("how much memory this machine has is not known") from None
