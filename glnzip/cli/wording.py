"""Sizes, ratios, times and file names as text."""

from __future__ import annotations

from glnzip.system.units import human_size as human_size


def printable(name: str) -> str:
    """`name` on one line, with no character that could steer a terminal."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name
    )


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
