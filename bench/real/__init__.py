"""Files as people have them: three sets to develop and measure with.

The classical corpora are texts, tables and objects of long ago that nothing has packed. What fills
a disk today is mostly packed already: PDF, office documents, PNG and JPEG, jars, wheels. The set
*packed* has such files, of many producers. The rest are files of today's formats: Markdown, JSON,
YAML, logs, TypeScript, Rust, notebooks, mail, texts in many languages, records. The set *plain* has
those. What instruments and machines write is rare in both: pictures of 16 bits, arrays of floats,
records of fixed width, columns of numbers, machine code. The set *measured* has those.

=========== ======================================================================
fetch       ``python -m bench.real fetch FOLDER``: download, verify and extract a set
table       ``python -m bench.real table FOLDER``: bytes by glnzip and by its peers
----------- ----------------------------------------------------------------------
archive     members of an archive, and a tar file that is always the same
=========== ======================================================================

`packed.json`, `plain.json` and `measured.json` list the files. None is part of this project: each
is a member of a package on PyPI, or is such a package itself. The manifests have the SHA-256 of
both, so the sets are the same everywhere.

Most kinds are called by what they are. Of the others, ``office`` is DOCX, XLSX, PPTX, ODF and EPUB;
``java`` jars and class files; ``zip`` wheels and other zip files; ``program`` EXE and DLL;
``image`` GIF, BMP, TIFF and ICO; ``text`` HTML, CSV and SVG; ``paged`` what has pages within it:
SQLite, and DOC, XLS and PPT of old.

Of the set *measured*, ``picture16`` is pictures and volumes of 16-bit numbers: DICOM, NIfTI, FITS;
``drawn`` pictures that were drawn and not photographed: BMP, most with a palette, an icon, a bitmap
font; ``float`` arrays of 32-bit and 64-bit floats, and weights of models; ``records`` binary
records: chess openings and endgames, signals, a laser scan, DBF, SHP, DTA, an ephemeris; ``table``
numbers as text; ``list`` paths, hosts, agents and an index, one a line; ``bytecode`` PYC,
WebAssembly, CIL, MO and QM; ``program`` DLL and PYD for x86 and x64, and code for S/390 and ARM;
``document`` PostScript, XML, and PDF that is not deflated. As far as headers tell, nothing in it is
compressed inside but the one table of endgames, whose format is a packed one.

**How files were chosen.** By kind, producer and size alone, before any of them was compressed; none
was added or left out for how well anything compresses it. Nothing of the Calgary, Canterbury,
Silesia, Maximum Compression and Large Text corpora is in them, nor is any package that the shipped
prior is made of.

**What is kept aside.** Of every kind, a third of the packed files and half of the others are out of
reach while one develops: `kept_aside` says which. They are measured once, at the end, and that is
the figure that counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import corpora

KEPT_ASIDE = {"packed": 3, "plain": 2, "measured": 2}
"""The sets; of each kind, every third or second file is kept aside."""

DEVELOPMENT = "development"
ASIDE = "aside"
"""The two halves of the set, and the folders that they are in."""

ALL = "all.tar"
"""The file in each of the folders that holds all the others."""


class Archive(NamedTuple):
    """A package on PyPI, in one of its forms."""

    name: str  # of the file
    project: str
    version: str
    sha256: str


class RealFile(NamedTuple):
    """One file of the set."""

    name: str  # ours
    kind: str
    archive: str
    member: str  # its path in the archive; empty where it is the archive itself
    size: int
    sha256: str
    aside: bool

    @property
    def half(self) -> str:
        """The folder that the file belongs in."""
        return ASIDE if self.aside else DEVELOPMENT

    def check(self, data: bytes) -> None:
        """Raise `corpora.CorpusMissing` unless `data` is this file."""
        corpora.CorpusFile(self.half, self.name, self.size, self.sha256).check(data)


class Manifest(NamedTuple):
    """All archives by name, and all files in order."""

    archives: dict[str, Archive]
    files: list[RealFile]

    def half(self, half: str) -> list[RealFile]:
        """Return the files of `DEVELOPMENT` or of `ASIDE`."""
        return [file for file in self.files if file.half == half]


def read_manifest(name: str = "packed") -> Manifest:
    """Return the manifest of a set, checked for nothing."""
    path = Path(__file__).with_name(f"{name}.json")
    listed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    archives = {name: Archive(name, **row) for name, row in listed["archives"].items()}
    return Manifest(archives, [RealFile(**row) for row in listed["files"]])


def kept_aside(files: Iterable[RealFile], share: int) -> dict[str, bool]:
    """Return which files are to be kept aside, by name: of each kind every `share`-th.

    The order is that of their SHA-256, which is as good as a lot and cannot be chosen. A file that
    is added or taken away moves others of its kind from one half to the other, so the set is not
    changed while something is developed with it.
    """
    seen: dict[str, int] = {}
    aside = {}
    for file in sorted(files, key=lambda file: file.sha256):
        seen[file.kind] = seen.get(file.kind, 0) + 1
        aside[file.name] = seen[file.kind] % share == 0
    return aside
