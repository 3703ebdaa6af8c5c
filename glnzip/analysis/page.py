"""Analyses as a page, which holds all it needs, and as plain figures for programs.

The folder `web` has what it is made of: its frame, its style, and the parts of its script, which
draws the figures that stand in it as JSON. Its policy lets this style and this script through, by
their hashes, and nothing from anywhere else.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import asdict
from hashlib import sha256
from importlib.resources import files
from typing import Any

import numpy as np

from glnzip.analysis.families import FAMILIES
from glnzip.analysis.figures import Analysis, View

MOST_CELLS = 4096
"""Of the strip: so many parts of the data have their costs summed up."""
DEFAULT_DETAIL = 1 << 21
"""Bytes of each file that a page holds one by one: each takes up to three there."""

_SCRIPTS = (
    "writing.js",
    "characters.js",
    "tables.js",
    "view.js",
    "drawing.js",
    "bytes.js",
    "strip.js",
    "page.js",
)
"""In the order in which they are run."""
_SCALE = 63.75
"""A cost in the page is a byte, this times its square root: finer where it is small, at most 16
bits. The script knows it, too."""


def plain(name: str, analysis: Analysis) -> dict[str, Any]:
    """The figures of an analysis as JSON knows them, under the name of a file."""
    views = ("file", "seen")
    figures = {key: value for key, value in vars(analysis).items() if key not in views}
    cell, cells = _cells(analysis.file)
    return {
        "file": name,
        **{key: _plain_value(value) for key, value in figures.items()},
        "regions": _plain_value(analysis.file.regions),
        "strip": {"cell_bytes": cell, "bits": cells},
    }


def section(name: str, analysis: Analysis, *, detail: int = DEFAULT_DETAIL) -> dict[str, Any]:
    """What a page is to hold of an analysis: its plain figures, and single bytes.

    Parameters
    ----------
    name
        Of the file.
    analysis
    detail
        How many bytes there are to be one by one, of the file and of what was unpacked of it; of
        all, there are sums.
    """
    views = [_view("the file", analysis.file, detail)]
    if analysis.unpacked:
        views[0]["note"] = "Unpacked data have one cost, the mean of what they cost unpacked."
        views.append(_view("as the model sees it, unpacked", analysis.seen, detail))
    return {**plain(name, analysis), "views": views}


def page(sections: list[dict[str, Any]]) -> str:
    """A page, as HTML; whatever is in its sections, nothing is taken for a part of the page."""
    style, script = _part("page.css"), "\n".join(map(_part, _SCRIPTS))
    parts = {
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "script": script,
        "figures": _escaped({"families": FAMILIES, "files": sections}),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _part("page.html"))


def _part(name: str) -> str:
    return (files("glnzip.analysis") / "web" / name).read_text(encoding="utf-8")


def _escaped(figures: Any) -> str:
    """JSON in which nothing can end the element that it stands in."""
    return json.dumps(figures, separators=(",", ":")).replace("<", "\\u003c")


def _hash(text: str) -> str:
    """How a policy names what stands in a page."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def _plain_value(value: Any) -> Any:
    return [asdict(each) for each in value] if isinstance(value, list) else value


def _view(label: str, view: View, detail: int) -> dict[str, Any]:
    """A view as the script takes it."""
    cell, cells = _cells(view)
    roots = np.rint(np.sqrt(view.costs[:detail]) * _SCALE)
    return {
        "label": label,
        "bytes": len(view.data),
        "cell": cell,
        "cells": [round(bits, 3) for bits in cells],
        "regions": [{"offset": r.offset, "bytes": r.bytes, "kind": r.kind} for r in view.regions],
        "data": base64.b64encode(view.data[:detail]).decode(),
        "costs": base64.b64encode(np.minimum(roots, 255).astype(np.uint8).tobytes()).decode(),
    }


def _cells(view: View) -> tuple[int, list[float]]:
    """The bytes in a cell of the strip, and the bits of each."""
    cell = max(1, -(-len(view.data) // MOST_CELLS))
    starts = np.arange(0, len(view.data), cell)
    return cell, np.add.reduceat(view.costs, starts).tolist() if starts.size else []
