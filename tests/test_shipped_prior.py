"""The prior that comes with the package, and that everything uses unless told otherwise.

It is prepared once, for the quickest level, in the cache folder of the test run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import glnzip
from glnzip import Prior, primed
from glnzip.prior import SHIPPED_PRIOR_HASH, SHIPPED_PRIOR_ID
from tests.checks import compress_pieces, decompress_pieces, pieces_of, sample
from tests.priors import empty_cache

LEVEL = 1
SHIPPED = glnzip.SHIPPED_PRIOR


@pytest.fixture(scope="module", autouse=True)
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prior]:
    """Its file as that of any prior, whose id has to be found; prepared for the level."""
    with pytest.MonkeyPatch.context() as patch:
        empty_cache(tmp_path_factory.mktemp("cache"), patch)
        prior = Prior(SHIPPED.data)
        assert not prior.hash_is_known
        assert primed.prepare(LEVEL, prior)
        yield prior


def test_the_id_is_that_of_the_file(prepared: Prior) -> None:
    assert prepared.content_hash == SHIPPED.content_hash == SHIPPED_PRIOR_HASH
    assert prepared.base is SHIPPED.base is None
    assert prepared.original_bytes == SHIPPED.original_bytes


def test_it_is_the_default_everywhere(tmp_path: Path) -> None:
    data = sample(2000)
    frame = glnzip.compress(data, level=LEVEL)
    (info,) = glnzip.frame_info(frame)
    assert info.prior_id == SHIPPED_PRIOR_ID
    assert compress_pieces(pieces_of(data, [300]), LEVEL, SHIPPED) == frame
    with glnzip.open(tmp_path / "file.gln", "wb", level=LEVEL) as file:
        file.write(data)
    assert (tmp_path / "file.gln").read_bytes() == frame
    assert decompress_pieces(pieces_of(frame, [70])) == data
    assert glnzip.decompress(frame) == data
    with glnzip.open(tmp_path / "file.gln") as file:
        assert file.read() == data


def test_it_helps() -> None:
    text = b"This is a sentence in English, and it is here to be compressed.\n"
    without = glnzip.compress(text, level=LEVEL, prior=None)
    assert len(glnzip.compress(text, level=LEVEL)) < len(without)


def test_the_package_holds_little() -> None:
    assert len(SHIPPED.data) <= 3_000_000
