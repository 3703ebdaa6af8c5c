"""The test files: which there are, where they lie, and whether they are the right ones.

`manifest.json` lists every file of the Calgary, Canterbury, large, artificial and miscellaneous
corpora, and three of Silesia, with its size, its SHA-256 and the address of the archive it comes
from. The files themselves are not part of this project. They are looked for in the folder named by
the environment variable ``GLNZIP_CORPORA``, else in ``corpora/data``, one folder a corpus; the
command ``python -m corpora.fetch`` fills that folder.

A *set* is a list of files measured together. Every corpus is a set under its own name, and
``calgary14`` is the 14 Calgary files of the published tables (``calgary`` is all 18).

>>> from corpora import find
>>> [path.name for path in find("canterbury")][:2]      # doctest: +SKIP
['alice29.txt', 'asyoulik.txt']

The small files in `corpora/samples` were made for this project and are always there.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent


class CorpusMissing(Exception):
    """A corpus file is not at hand, or is not the file the manifest describes."""


class CorpusFile(NamedTuple):
    """One row of the manifest."""

    corpus: str
    name: str
    size: int
    sha256: str

    def check(self, data: bytes) -> None:
        """Raise `CorpusMissing` unless `data` is this file."""
        if len(data) != self.size:
            raise CorpusMissing(
                f"{self.corpus}/{self.name}: {len(data)} bytes, {self.size} expected"
            )
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise CorpusMissing(f"{self.corpus}/{self.name}: wrong SHA-256, the file is damaged")


def manifest() -> dict[str, Any]:
    """Return the manifest as it is written."""
    loaded: dict[str, Any] = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    return loaded


def corpus_files(corpus: str) -> list[CorpusFile]:
    """Return the manifest's rows for one corpus, in order."""
    rows = manifest()["corpora"][corpus]["files"]
    return [CorpusFile(corpus, row["name"], row["size"], row["sha256"]) for row in rows]


def set_names() -> list[str]:
    """Return the names that `set_files` and `find` take."""
    listed = manifest()
    return [*listed["corpora"], *listed["sets"]]


def usual() -> list[str]:
    """Return the corpora that are fetched if none is named: all but those of a large archive."""
    return [name for name, row in manifest()["corpora"].items() if not row.get("on_request")]


def set_files(set_name: str) -> list[CorpusFile]:
    """Return the manifest's rows for one set, in order."""
    listed = manifest()
    if set_name in listed["corpora"]:
        return corpus_files(set_name)
    if set_name in listed["sets"]:
        subset = listed["sets"][set_name]
        return [row for row in corpus_files(subset["corpus"]) if row.name in subset["files"]]
    raise ValueError(f"no set is named {set_name!r}; there are: {', '.join(set_names())}")


def folder() -> Path:
    """Return where the corpora are looked for, whether or not they are there."""
    named = os.environ.get("GLNZIP_CORPORA")
    return Path(named) if named else HERE / "data"


def find(set_name: str) -> list[Path]:
    """Return the files of a set, each one verified.

    Parameters
    ----------
    set_name
        One of `set_names`.

    Raises
    ------
    CorpusMissing
        If a file is absent or is not the one the manifest describes.
    """
    paths = []
    for row in set_files(set_name):
        path = folder() / row.corpus / row.name
        if not path.is_file():
            raise CorpusMissing(f"{path} is missing: run `make fetch`, or set GLNZIP_CORPORA")
        row.check(path.read_bytes())
        paths.append(path)
    return paths


def missing_reason(set_name: str) -> str | None:
    """Return None if `find` would succeed, else why not: what a skipped test should say."""
    try:
        find(set_name)
    except CorpusMissing as reason:
        return str(reason)
    return None


def samples() -> list[Path]:
    """Return the small files made for this project."""
    return sorted(p for p in (HERE / "samples").iterdir() if p.name != "README.md")
