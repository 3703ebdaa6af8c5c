"""The prior that comes with the package, and that everything uses unless told otherwise.

It is prepared once, for the default level; the image stays in the cache folder, for whoever uses
glnzip next.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import corpora
import glnzip
from corpora.primer import build, check, read_manifest
from glnzip import Prior
from glnzip.format.levels import DEFAULT_LEVEL, LEVELS
from glnzip.priors import prepared
from glnzip.priors.prior import (
    SHIPPED_FILE,
    SHIPPED_PRIOR_HASH,
    SHIPPED_PRIOR_ID,
)
from tests import make_golden
from tests.checks import compress_pieces, decompress_pieces, need_test_data, pieces_of, sample
from tests.test_golden import FOLDER, check_golden_file

pytestmark = pytest.mark.slow

LEVEL = DEFAULT_LEVEL
SHIPPED = glnzip.SHIPPED_PRIOR


@pytest.fixture(scope="module", autouse=True)
def ready() -> Prior:
    """Its file as that of any prior, whose id has to be found; prepared for the level."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Prior, "_kept_hash", lambda self: None)  # an earlier run of this has kept it
        prior = Prior(SHIPPED.data)
        assert not prior.hash_is_known
        assert prepared.prepare(LEVEL, prior)
    return prior


def test_the_id_is_that_of_the_file(ready: Prior) -> None:
    assert ready.content_hash == SHIPPED.content_hash == SHIPPED_PRIOR_HASH
    assert ready.base is SHIPPED.base is None
    assert ready.original_bytes == SHIPPED.original_bytes


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


@pytest.mark.parametrize("level", LEVELS)
def test_golden_file(level: int) -> None:
    if level != LEVEL and "GLNZIP_LONG_TESTS" not in os.environ:
        pytest.skip("preparing it for all levels takes ten minutes")
    check_golden_file(FOLDER / f"{make_golden.SHIPPED}.{level}.gln")


def test_it_helps() -> None:
    text = b"This is a sentence in English, and it is here to be compressed.\n"
    without = glnzip.compress(text, level=LEVEL, prior=None)
    assert len(glnzip.compress(text, level=LEVEL)) < len(without)


def test_it_has_nothing_of_a_test_file() -> None:
    for corpus in corpora.usual():
        need_test_data(corpora.missing_reason(corpus), "GLNZIP_CORPORA")
    frames = SHIPPED.frames()
    data = b"".join(block for frame in frames for _, block in frame.blocks(lambda count: None))
    assert len(data) == SHIPPED.original_bytes
    assert not list(check.in_common({"shipped": data}, check.read_test_files([])))


def test_its_sources_are_named() -> None:
    """Their licences ask for it; whoever installs the package has the notice."""
    manifest = read_manifest()
    notice = (SHIPPED_FILE.parent / "NOTICE.md").read_text(encoding="utf-8")
    assert notice == build.notice(manifest)
    licences = (SHIPPED_FILE.parent / "LICENCES.txt").read_text(encoding="utf-8")
    for package in manifest.packages.values():
        for part in package.notices:
            assert f"\n{package.name} {package.version}, {part.member}\n" in licences


def test_the_package_holds_little() -> None:
    assert len(SHIPPED.data) <= 4_500_000
