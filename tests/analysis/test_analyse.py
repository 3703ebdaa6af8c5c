"""All figures of an analysis add up to the compressed file."""

from __future__ import annotations

import json
import lzma

import numpy as np
import pytest

import glnzip
from glnzip.analysis import rivals
from glnzip.analysis.analyse import RECIPE, UNPACKED, analyse, passes
from glnzip.analysis.byte_classes import CLASS_OF, CLASSES
from glnzip.analysis.figures import Amount, Analysis
from glnzip.analysis.page import plain
from glnzip.analysis.rivals import rival_sizes
from glnzip.format.levels import LEVELS
from glnzip.priors.prior import Prior
from tests.checks import sample
from tests.packed import gzip_file
from tests.streams.test_cost import KINDS, NOISE

TEXT = b"".join(
    b"Station %d had %d degrees in the shade on day %d.\n" % (n % 7, n * n % 31, n)
    for n in range(30)
)


def whole(analysis: Analysis) -> float:
    return analysis.data_bits + sum(part.bits for part in analysis.overhead)


def total(amounts: list[Amount]) -> tuple[int, float]:
    return sum(each.bytes for each in amounts), sum(each.bits for each in amounts)


@pytest.mark.parametrize("name", KINDS)
def test_sums(name: str) -> None:
    data = KINDS[name]
    found = analyse(data, level=1, prior=None)
    assert found.compressed_bytes == len(glnzip.compress(data, level=1, prior=None))
    assert whole(found) == 8 * found.compressed_bytes
    assert total(found.kinds) == (len(data), found.data_bits)
    assert total(found.classes) == (len(found.seen.data), found.data_bits)
    assert np.array_equal(found.file.costs, glnzip.cost_bits(data, level=1, prior=None))
    assert found.seen.costs.sum() == found.data_bits
    for view in (found.file, found.seen):
        ends = [region.offset + region.bytes for region in view.regions]
        assert [0, *ends[:-1]] == [region.offset for region in view.regions]
        assert ends[-1] == len(view.data) == len(view.costs)
    for saving in found.savings:
        assert sum(s.bits for s in saving.shares) == 8 * saving.bytes - saving.bits
    stored = 8 * (len(found.seen.data) - sum(saving.bytes for saving in found.savings))
    assert sum(saving.bits for saving in found.savings) + stored == found.data_bits


def test_what_was_packed_is_told_unpacked() -> None:
    text = sample(5000)
    found = analyse(gzip_file(text), level=1, prior=None)
    (region,) = found.file.regions
    assert region.kind == UNPACKED
    assert region.content == found.unpacked
    assert total(found.unpacked) == (len(found.seen.data), found.data_bits)
    assert RECIPE in {amount.name for amount in found.unpacked}
    assert text in found.seen.data
    packed = analyse(gzip_file(text), level=1, prior=None, unpack=False)
    assert packed.unpacked == []
    assert packed.seen.data == gzip_file(text)


def test_marks_of_documents_are_counted() -> None:
    found = analyse(KINDS["several"] + KINDS["sound"] * 8, level=1, prior=None)
    assert whole(found) == 8 * found.compressed_bytes


def test_what_a_prior_is_worth() -> None:
    prior = glnzip.train_prior([TEXT] * 3, base=None, level=1)
    found = analyse(TEXT, level=1, prior=prior)
    without = len(glnzip.compress(TEXT, level=1, prior=None))
    assert found.prior_id == prior.id
    assert found.prior_gain == without - found.compressed_bytes > 0
    names = [size.name for size in found.sizes[:2]]
    assert names == [f"glnzip -1 --prior {prior.id}", "glnzip -1 --prior none"]
    assert whole(found) == 8 * found.compressed_bytes


def test_a_prior_that_is_in_the_way_is_left() -> None:
    """With `or_none`; the analysis is of what was compressed."""
    prior = glnzip.train_prior([TEXT] * 3, base=None, level=1)
    found = analyse(NOISE[:1000], level=1, prior=prior, or_none=True)
    assert found.prior_id is None
    assert whole(found) == 8 * found.compressed_bytes
    assert found.prior_gain is not None
    assert found.prior_gain < 0


@pytest.mark.slow
def test_every_level() -> None:
    found = analyse(TEXT, level=1, prior=None, every_level=True)
    sizes = {size.name: size.bytes for size in found.sizes}
    for level in LEVELS:
        packed = glnzip.compress(TEXT, level=level, prior=None)
        assert sizes[f"glnzip -{level} --prior none"] == len(packed)


@pytest.mark.parametrize("with_prior", [False, True])
def test_progress_is_told_as_often_as_data_are_coded(with_prior: bool) -> None:
    prior = glnzip.train_prior([TEXT] * 3, base=None, level=1) if with_prior else None
    told: list[int] = []
    analyse(TEXT, level=1, prior=prior, progress=told.append)
    assert sum(told) == passes(prior) * len(TEXT)


def test_nothing() -> None:
    found = analyse(b"", level=1, prior=None)
    assert (found.original_bytes, found.data_bits) == (0, 0)
    assert whole(found) == 8 * found.compressed_bytes
    assert [*found.savings, *found.kinds, *found.classes, *found.file.regions] == []


def test_parameters_are_checked() -> None:
    with pytest.raises(ValueError, match="level"):
        analyse(b"x", level=10)


def test_plain_figures_are_json() -> None:
    found = analyse(TEXT, level=1, prior=None)
    figures = json.loads(json.dumps(plain("name", found)))
    assert figures["file"] == "name"
    assert sum(figures["strip"]["bits"]) == found.data_bits
    assert figures["strip"]["cell_bytes"] == 1
    assert figures["kinds"] == [{"name": "text", "bytes": len(TEXT), "bits": found.data_bits}]
    assert "seen" not in figures


@pytest.mark.parametrize(
    ("byte", "expected"),
    [
        ("a", "letters"),
        ("7", "digits"),
        ("\t", "white space"),
        ("~", "punctuation"),
        ("\0", "zeros"),
        ("\x1b", "other control bytes"),
        ("\x7f", "other control bytes"),
        ("\xb5", "128 to 255"),
        ("\xb2", "128 to 255"),
    ],
)
def test_classes_of_bytes(byte: str, expected: str) -> None:
    assert CLASSES[CLASS_OF[ord(byte)]] == expected


def test_rivals_are_asked() -> None:
    sizes = dict(rival_sizes(TEXT))
    assert sizes["xz -9e"] == len(lzma.compress(TEXT, preset=9 | lzma.PRESET_EXTREME))
    assert {"gzip -9", "bzip2 -9"} <= set(sizes)


def test_zstd_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rivals, "_zstd", lambda: None)
    assert len(dict(rival_sizes(TEXT))) == 3


def test_a_prior_may_be_named_by_its_file(tmp_path) -> None:
    prior = glnzip.train_prior([TEXT] * 3, base=None, level=1)
    file = tmp_path / "prior.gln"
    file.write_bytes(prior.data)
    assert analyse(TEXT, level=1, prior=file).prior_id == Prior.load(file).id
