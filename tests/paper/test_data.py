"""The images of the paper's experiments: found, verified, or an error that says what is wrong."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corpora
from bench.paper import data


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of three tiny arrays, whose checksums are the ones expected."""
    rows: dict[str, Any] = {
        name: np.arange(4, dtype=np.uint8).reshape(2, 2) + i for i, name in enumerate(FIELDS)
    }
    np.savez(tmp_path / NAME, **rows)
    digests = {f"{NAME}/{k}": sha256(a.tobytes()).hexdigest() for k, a in rows.items()}
    monkeypatch.setattr(data, "DIGESTS", digests)
    monkeypatch.setenv("GLNZIP_DATA", str(tmp_path))
    return tmp_path / NAME


NAME = "binarized_mnist.npz"
FIELDS = data.BinaryMnist._fields


def test_arrays_are_found_and_unpacked(tiny: Path):
    found = data.binary_mnist()
    assert found.train.tolist() == [[0] * 15 + [1], [0] * 6 + [1, 0] + [0] * 6 + [1, 1]]
    assert found.test.shape == (2, 16)


def test_missing_files_are_named(tiny: Path):
    tiny.unlink()
    with pytest.raises(corpora.CorpusMissing, match="missing: set GLNZIP_DATA"):
        data.binary_mnist()


def test_other_content_is_refused(tiny: Path):
    with np.load(tiny) as loaded:
        rows = dict(loaded)
    rows["valid"] = rows["valid"] + np.uint8(1)
    np.savez(tiny, **rows)
    with pytest.raises(corpora.CorpusMissing, match="valid is not what it should be"):
        data.binary_mnist()


@pytest.mark.parametrize("content", [b"", b"PK no archive", b"x" * 100])
def test_damaged_files_are_refused(tiny: Path, content: bytes):
    tiny.write_bytes(content)
    with pytest.raises(corpora.CorpusMissing, match="damaged"):
        data.binary_mnist()


def test_without_the_variable_they_lie_beside_the_corpora(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("GLNZIP_DATA", raising=False)
    assert data.folder() == corpora.HERE / "data" / "paper"
