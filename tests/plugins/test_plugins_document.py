"""The examples of docs/PLUGINS.md do what they say: each asserts what must come out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import glnzip

DOCUMENT = (Path(glnzip.__file__).parents[1] / "docs" / "PLUGINS.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.split("\n\n")[0])
def test_an_example(example, tmp_path, monkeypatch, quick_model):
    for package in re.findall(r"^import (?!glnzip)(\w+)", example, re.MULTILINE):
        pytest.importorskip(package, minversion="3.1.3" if package == "zarr" else None)
    assert "assert" in example
    monkeypatch.chdir(tmp_path)
    exec(example, {})
