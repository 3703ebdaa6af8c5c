"""The images of the paper's experiments: found, verified, or an error that says what is wrong."""

from __future__ import annotations

import gzip
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import corpora
from bench.paper import data, fetch


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
    with pytest.raises(corpora.CorpusMissing, match="missing: run `make fetch`"):
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


def idx(array: Any) -> bytes:
    """A gzipped IDX file of bytes."""
    sizes = np.array(array.shape, ">u4").tobytes()
    return gzip.compress(bytes([0, 0, 8, array.ndim]) + sizes + array.tobytes())


def amat(images: Any) -> bytes:
    return "".join(" ".join(map(str, image)) + "\n" for image in images).encode()


IMAGES = (np.arange(2 * 784) % 3 == 0).astype(np.uint8).reshape(2, 784)


def test_idx_files_are_read():
    array = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    assert np.array_equal(fetch.read_idx(idx(array)), array)
    assert fetch.read_idx(idx(array[0, 0])).shape == (4,)


def test_texts_of_bits_are_read():
    assert np.array_equal(np.unpackbits(fetch.read_amat(amat(IMAGES)), axis=1), IMAGES)


@pytest.mark.parametrize(
    "content",
    [
        b"no gzip",
        idx(IMAGES)[:-9],
        gzip.compress(b"\0\0\x08"),
        gzip.compress(b"\0\0\x0d\x01\0\0\0\0"),
        gzip.compress(b"\0\0\x08\x01\0\0\0\x05abcd"),
    ],
    ids=["no gzip", "cut", "no sizes", "another type", "too short"],
)
def test_other_files_are_no_idx_files(content: bytes):
    with pytest.raises(corpora.CorpusMissing):
        fetch.read_idx(content)


@pytest.mark.parametrize(
    "text", [b"", amat(IMAGES)[:-2], amat(IMAGES).replace(b"1", b"2", 1), amat(IMAGES)[::-1]]
)
def test_other_texts_are_no_bits(text: bytes):
    with pytest.raises(corpora.CorpusMissing):
        fetch.read_amat(text)


def test_what_is_fetched_is_verified_and_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(corpora, "HERE", tmp_path)
    monkeypatch.delenv("GLNZIP_DATA", raising=False)
    arrays = {"mnist.npz": np.arange(8, dtype=np.uint8), NAME: np.packbits(IMAGES, axis=1)}
    contents = {"mnist.npz": idx(arrays["mnist.npz"]), NAME: amat(IMAGES)}
    served = {s.address: contents[name] for name, row in fetch.FILES.items() for s in row.values()}
    digests = {
        f"{name}/{field}": sha256(arrays[name].tobytes()).hexdigest()
        for name, row in fetch.FILES.items()
        for field in row
    }
    assert digests.keys() == data.DIGESTS.keys()
    monkeypatch.setattr(data, "DIGESTS", digests)
    monkeypatch.setattr(fetch, "download", lambda address, most: served[address])
    outcome = CliRunner().invoke(fetch.main)
    assert outcome.exit_code == 0, outcome.output
    assert np.array_equal(data.binary_mnist().valid, IMAGES)
    monkeypatch.setattr(fetch, "download", None)
    assert CliRunner().invoke(fetch.main).exit_code == 0, "it is there already"
    digests["mnist.npz/test_labels"] = "0" * 64
    monkeypatch.setattr(fetch, "download", lambda address, most: served[address])
    outcome = CliRunner().invoke(fetch.main)
    assert outcome.exit_code == 1
    assert "test_labels is not what it should be" in outcome.output


def test_named_folders_are_verified_and_left_alone(tiny: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fetch, "download", None)
    outcome = CliRunner().invoke(fetch.main)
    assert outcome.exit_code == 1
    assert f"{NAME}: verified" in outcome.output
    assert sorted(path.name for path in tiny.parent.iterdir()) == [NAME]
