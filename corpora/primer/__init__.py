"""The primer: what the shipped prior has seen, and where each byte of it comes from.

`manifest.json` lists the packages of public archives that the primer is taken from, pinned by
version and SHA-256, and then its *segments* in the order in which the model sees them. A segment
is data of one kind: files of one package or ranges of them, one after the other, perhaps changed
by a named transformation. Before them the model sees a *lexicon*, the words of those segments that
are of certain categories, sorted into classes (`glnzip.training.lexicon`). None of these data are
committed; whoever wants another primer edits the manifest and nothing else.

=========== =======================================================================
archives    reads the files inside packages
transforms  the named transformations
build       ``python -m corpora.primer.build``: packages -> segments -> a prior file
check       ``python -m corpora.primer.check``: no segment has anything of a test file
=========== =======================================================================

The order matters: the model forgets, so what is most like the data that users have comes last. And
DMC models have no nodes left after some megabytes: fonts, which would take most of them and gain
nothing, come later than that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

MANIFEST = Path(__file__).with_name("manifest.json")
LEFT_OUT = Path(__file__).with_name("left_out.json")
"""Passages that test files have as well: see `check`. Each byte is a character."""


class Part(NamedTuple):
    """A file of a package, or the bytes from `start` to `end` of it, as it is in the package."""

    member: str
    start: int = 0
    end: int | None = None


class Package(NamedTuple):
    """A package that parts of the primer are taken from."""

    key: str  # what segments call it
    registry: str  # pypi, npm or debian
    name: str
    version: str
    archive: str  # the name of the file that the registry serves
    sha256: str
    licence: str  # of what is taken from it
    about: str
    notices: tuple[Part, ...] = ()  # what whoever ships what is taken has to ship as well


class Segment(NamedTuple):
    """Data of one kind that the model sees one after the other, starting with a new block."""

    name: str
    category: str
    package: str
    by: tuple[str, ...]  # names of transformations, applied to each part in this order
    parts: tuple[Part, ...]


class LexiconRow(NamedTuple):
    """What the lexicon is made of."""

    classes: int
    categories: frozenset[str]  # of segments


class Manifest(NamedTuple):
    """All of `manifest.json`."""

    licences: list[str]  # what a package's licence may be
    packages: dict[str, Package]
    lexicon: LexiconRow
    segments: list[Segment]


def read_manifest(path: Path = MANIFEST) -> Manifest:
    """Read and return a manifest."""
    listed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    packages = {key: _package(key, row) for key, row in listed["packages"].items()}
    lexicon = LexiconRow(listed["lexicon"]["classes"], frozenset(listed["lexicon"]["categories"]))
    segments = [_segment(row) for row in listed["segments"]]
    return Manifest(listed["licences"], packages, lexicon, segments)


def read_left_out() -> list[bytes]:
    """Read the passages that are to be cut out of all segments."""
    return [passage.encode("latin-1") for passage in json.loads(LEFT_OUT.read_text("utf-8"))]


def _package(key: str, row: dict[str, Any]) -> Package:
    return Package(key, **{**row, "notices": _parts(row.get("notices", ()))})


def _segment(row: dict[str, Any]) -> Segment:
    by, parts = tuple(row.get("by", ())), _parts(row["parts"])
    return Segment(row["name"], row["category"], row["package"], by, parts)


def _parts(listed: Iterable[Any]) -> tuple[Part, ...]:
    """A part is written as the name of a member, or as a list of it and its two ends."""
    return tuple(Part(part) if isinstance(part, str) else Part(*part) for part in listed)
