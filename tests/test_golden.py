"""What was compressed once decompresses for ever, and is compressed to the same bytes again.

The files are made by `tests.make_golden`, never here. Where this fails, either the change is a
mistake, or it is meant and needs a new `MODEL_GENERATION`. Those with the shipped prior, which has
to be prepared, are read in `tests.priors.test_shipped_prior`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import glnzip
from glnzip.format.block_type import BLOCK_MODELS
from glnzip.format.levels import LEVELS, MODEL_GENERATION
from glnzip.planner.planner import choose_block_type
from tests import make_golden

FOLDER = make_golden.folder_of(MODEL_GENERATION)
PACKED = sorted(set(FOLDER.glob("*.gln")) - set(FOLDER.glob(f"{make_golden.SHIPPED}.*")))


def test_this_generation_has_golden_files() -> None:
    assert FOLDER.is_dir(), f"generation {MODEL_GENERATION} has no golden files: run `make golden`"
    originals = set(make_golden.inputs())
    packed = {f"{name}.{level}.gln" for name in originals for level in make_golden.levels_of(name)}
    assert {file.name for file in FOLDER.iterdir()} == originals | packed


def check_golden_file(packed: Path) -> None:
    """It decodes to its input, and that is compressed to it again."""
    name, level, _ = packed.name.split(".")
    original = (FOLDER / name).read_bytes()
    frame = packed.read_bytes()
    assert {info.level for info in glnzip.frame_info(frame)} == {int(level)}
    assert make_golden.decompressed(name, frame, int(level), FOLDER) == original
    assert make_golden.compressed(name, original, int(level), FOLDER) == frame


@pytest.mark.parametrize("packed", PACKED, ids=lambda file: file.name)
def test_golden_file(packed: Path) -> None:
    check_golden_file(packed)


def test_golden_files_are_of_every_kind() -> None:
    types = [choose_block_type(data) for data in make_golden.inputs().values() if data]
    assert {block_type.kind for block_type in types} == set(BLOCK_MODELS)


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
