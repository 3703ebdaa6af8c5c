"""Objects that joblib stores in files ending in .gln."""

from __future__ import annotations

import io

import numpy as np
import pytest

import glnzip

joblib = pytest.importorskip("joblib")
from glnzip.plugins.joblib import register  # noqa: E402

pytestmark = pytest.mark.usefixtures("quick_model")

WEIGHTS = np.arange(1000.0).reshape(10, 100)
OBJECT = {"weights": WEIGHTS, "name": "é", "none": None}


@pytest.fixture(autouse=True)
def registered():
    register(level=2, prior=None)


def assert_same(loaded):
    np.testing.assert_array_equal(loaded.pop("weights"), WEIGHTS)
    assert loaded == {"name": "é", "none": None}


@pytest.mark.parametrize(
    ("name", "compress", "level"),
    [
        ("a.pkl.gln", 0, 2),
        ("a.pkl.gln", True, 2),
        ("a.pkl.gln", 3, 3),
        ("a.pkl", "gln", 2),
        ("a.pkl", ("gln", 3), 3),
        ("a.pkl.gz", ("gln", 9), 9),
    ],
)
def test_objects_come_back(tmp_path, name, compress, level):
    joblib.dump(OBJECT, tmp_path / name, compress=compress)
    (frame,) = glnzip.frame_info((tmp_path / name).read_bytes())
    assert (frame.level, frame.prior_id) == (level, None)
    assert_same(joblib.load(tmp_path / name))


def test_file_objects(tmp_path):
    file = io.BytesIO()
    joblib.dump(OBJECT, file, compress=("gln", 1))
    file.seek(0)
    assert_same(joblib.load(file))


def test_others_are_not_taken_for_it(tmp_path):
    for compress in (0, 3, "xz"):
        joblib.dump(OBJECT, tmp_path / "a.pkl", compress=compress)
        assert_same(joblib.load(tmp_path / "a.pkl"))


def test_a_level_that_is_none_is_refused(tmp_path):
    with pytest.raises(ValueError, match="level"):
        joblib.dump(OBJECT, tmp_path / "a.pkl", compress=("gln", 10))


def test_damage_is_told_before_anything_is_unpickled(tmp_path):
    """Though a first object could be made long before the check is reached."""
    joblib.dump((Unpickled(), bytes(3 << 20)), tmp_path / "a.pkl", compress="gln")
    whole = (tmp_path / "a.pkl").read_bytes()
    for damaged, error in (
        (whole[:-1], glnzip.TruncatedStreamError),
        (whole[:-1] + bytes([whole[-1] ^ 1]), glnzip.CorruptStreamError),
    ):
        (tmp_path / "a.pkl").write_bytes(damaged)
        with pytest.raises(error):
            joblib.load(tmp_path / "a.pkl")


class Unpickled:
    """What must not be made."""

    def __reduce__(self):
        return pytest.fail, ("unpickled",)


def test_results_that_are_kept(tmp_path):
    memory = joblib.Memory(tmp_path, compress=("gln", 1), verbose=0)
    twice = memory.cache(double)
    np.testing.assert_array_equal(twice(WEIGHTS), 2 * WEIGHTS)
    (kept,) = tmp_path.rglob("output.pkl")
    assert [frame.level for frame in glnzip.frame_info(kept.read_bytes())] == [1]
    np.testing.assert_array_equal(twice(WEIGHTS), 2 * WEIGHTS)


def double(x):
    return 2 * x
