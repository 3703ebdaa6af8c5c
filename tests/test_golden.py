"""What was compressed once decompresses for ever, and is compressed to the same bytes again.

The latter is tried at some levels, and at all with ``GLNZIP_LONG_TESTS`` in the environment: the
model is the same in both directions, and what the encoder chooses hardly depends on the level.

The files are made by `tests.make_golden`, never here. Where this fails, either the change is a
mistake, or it is meant and needs a new `MODEL_GENERATION`. The files of a generation that this
build lacks are tests, too: they are refused, and by name. Those with the shipped prior, which has
to be prepared, are read in `tests.priors.test_shipped_prior`.
"""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path

import pytest

import glnzip
from glnzip.format.block_type import BLOCK_MODELS
from glnzip.format.levels import (
    DEFAULT_LEVEL,
    LEVELS,
    MAX_LEVEL,
    MIN_LEVEL,
    MODEL_GENERATION,
    PLAIN_LEVEL,
)
from glnzip.priors.prior import SHIPPED_FILE
from glnzip.priors.prior_file import unpacked
from tests import make_golden
from tests.checks import by_level, kinds_of

MADE_AGAIN = LEVELS if "GLNZIP_LONG_TESTS" in os.environ else (MIN_LEVEL, DEFAULT_LEVEL, MAX_LEVEL)
FOLDER = make_golden.folder_of(MODEL_GENERATION)
PACKED = [
    file
    for file in sorted(make_golden.GOLDEN.glob("*/*.gln"))
    if file not in make_golden.packed_files(make_golden.SHIPPED, FOLDER)
]


def level_of(packed: Path) -> int:
    """The part of the name before the last: `prose.6.gln` was made at level 6."""
    return int(packed.name.split(".")[1])


def test_this_generation_has_golden_files() -> None:
    assert FOLDER.is_dir(), f"generation {MODEL_GENERATION} has no golden files: run `make golden`"
    names = make_golden.inputs()
    packed = {file for name in names for file in make_golden.packed_files(name, FOLDER)}
    assert set(FOLDER.iterdir()) == packed | {FOLDER / name for name in names}


def test_the_shipped_prior_is_of_every_generation() -> None:
    """It is plain."""
    (frame,) = glnzip.frame_info(unpacked(SHIPPED_FILE.read_bytes()))
    assert frame.level == PLAIN_LEVEL


def check_golden_file(packed: Path) -> None:
    """It decodes to its input, and that is compressed to it again, at levels `MADE_AGAIN`."""
    name, level = packed.name.split(".")[0], level_of(packed)
    original = (FOLDER / name).read_bytes()
    frame = packed.read_bytes()
    assert {info.level for info in glnzip.frame_info(frame)} == {level}
    assert make_golden.decompressed(name, frame, level, FOLDER) == original
    if level in MADE_AGAIN:
        assert make_golden.compressed(name, original, level, FOLDER) == frame


def check_refused(packed: Path, present: int) -> None:
    """It can be listed; whoever decodes it is told the generation it needs and the one there is."""
    frame = packed.read_bytes()
    needed = packed.parent.name
    assert {str(info.generation) for info in glnzip.frame_info(frame)} == {needed}
    message = f"needs model generation {needed}; this build has generation {present}"
    for decompress in (glnzip.decompress, glnzip.Decompressor().decompress):
        with pytest.raises(glnzip.UnsupportedStreamError, match=message):
            decompress(frame)


@pytest.mark.parametrize(
    "packed", by_level(PACKED, level_of), ids=lambda file: f"{file.parent.name}/{file.name}"
)
def test_golden_file(packed: Path) -> None:
    if packed.parent == FOLDER:
        check_golden_file(packed)
    else:
        check_refused(packed, MODEL_GENERATION)


def test_the_next_generation_refuses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glnzip.format.container.MODEL_GENERATION", MODEL_GENERATION + 1)
    for packed in FOLDER.glob("*.gln"):
        check_refused(packed, MODEL_GENERATION + 1)


def test_golden_files_are_of_every_kind() -> None:
    kinds = [kinds_of(data) for data in make_golden.inputs().values() if data]
    assert set(chain(*kinds)) == set(BLOCK_MODELS)


def test_golden_files_are_never_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_golden, "GOLDEN", tmp_path)
    monkeypatch.setattr(make_golden, "inputs", lambda: {"empty": b""})
    folder = tmp_path / str(MODEL_GENERATION)
    assert make_golden.main() == 0
    assert len(list(folder.iterdir())) == 1 + len(LEVELS)
    assert list(tmp_path.iterdir()) == [folder]
    (folder / "empty").write_bytes(b"changed by hand")
    assert make_golden.main() == 1
    assert "never changed" in capsys.readouterr().err
    monkeypatch.setattr(make_golden, "inputs", lambda: {"empty": b"", "one-byte": b"A"})
    assert make_golden.main() == 0
    assert len(list(folder.iterdir())) == 2 + 2 * len(LEVELS)
    assert (folder / "empty").read_bytes() == b"changed by hand"
    monkeypatch.setattr(make_golden, "MODEL_GENERATION", MODEL_GENERATION + 1)
    assert make_golden.main() == 0
    assert len(list(tmp_path.iterdir())) == 2
