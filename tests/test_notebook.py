"""The notebook in docs/ is one, runs from top to bottom, and shows what comes of it."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glnzip
from glnzip.jit import jit_is_on

pytest.importorskip("matplotlib")
pytest.importorskip("sklearn")

FILE = Path(glnzip.__file__).parents[1] / "docs" / "clustering.ipynb"
MOST_BYTES = 60_000
NOTEBOOK = json.loads(FILE.read_text(encoding="utf-8"))
CODE = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def test_its_form() -> None:
    """What version 4.5 of the format asks of every cell; one picture, and no errors."""
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    assert FILE.stat().st_size < MOST_BYTES
    names = [cell["id"] for cell in NOTEBOOK["cells"]]
    assert len(set(names)) == len(names)
    for cell in NOTEBOOK["cells"]:
        kind, needed = cell["cell_type"], {"cell_type", "id", "metadata", "source"}
        assert set(cell) == needed | ({"execution_count", "outputs"} if kind == "code" else set())
    assert [cell["execution_count"] for cell in CODE] == [*range(1, len(CODE) + 1)]
    outputs = [output for cell in CODE for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} == {"stream", "display_data"}
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 1


@pytest.mark.skipif(not jit_is_on(), reason="takes many minutes without the JIT")
def test_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """And prints as many lines as it shows; their figures depend on the version of Python."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in CODE:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("".join(cell["source"]), str(FILE), "exec"), names)
        shown = "".join("".join(output.get("text", "")) for output in cell["outputs"])
        assert len(printed.getvalue().splitlines()) == len(shown.splitlines())
    distances, labels = names["distances"], names["labels"]
    assert distances.shape == (len(labels), len(labels))
    nearest = np.argmin(distances + 9 * np.eye(len(labels)), axis=1)
    assert (labels[nearest] == labels).mean() > 0.8
