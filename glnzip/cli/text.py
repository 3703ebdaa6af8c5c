"""Sizes, ratios, times and file names as text, and sizes as users write them."""

from __future__ import annotations

import re
import sys

import click

from glnzip.system import units
from glnzip.system.machine import usable_memory
from glnzip.system.units import human_size as human_size


def printable(name: str) -> str:
    """`name` on one line, with no character that could steer a terminal."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name
    )


def counted(count: int, what: str) -> str:
    """So many of what is named in the singular."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def human_time(seconds: float) -> str:
    """`seconds` as m:ss or h:mm:ss."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def ratio(compressed: int, original: int) -> str:
    """The compressed size as a share of the original size."""
    return f"{100 * compressed / original:.1f} %" if original else "-"


def speed(original: int, seconds: float) -> str:
    """Original bytes a second."""
    return f"{human_size(original / seconds)}/s" if seconds > 0 else "-"


def parsed_size(text: str) -> int:
    """A size as users write it, in bytes."""
    try:
        return units.parsed_size(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def parsed_memory_limit(text: str) -> int | None:
    """A size, or a percentage of the machine's memory; None, which means all of it, for ``0``."""
    if text == "0":
        return None
    if text == "max":
        return sys.maxsize
    share = re.fullmatch(r"(\d+)%", text)
    if share is None:
        return parsed_size(text)
    if not 1 <= int(share[1]) <= 100:
        raise click.BadParameter(f"{text!r} is not from 1% to 100%")
    memory = usable_memory()
    if memory is None:
        raise click.BadParameter("the size of this machine's memory is unknown")
    return memory * int(share[1]) // 100
