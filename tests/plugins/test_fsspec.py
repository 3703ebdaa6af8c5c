"""Files ending in .gln through fsspec, and through what stands on it."""

from __future__ import annotations

import pytest

import glnzip
from tests.checks import sample
from tests.plugins.fresh_process import run

fsspec = pytest.importorskip("fsspec")
from glnzip.plugins.fsspec import register  # noqa: E402

pytestmark = pytest.mark.usefixtures("quick_model")

TEXT = "a line of text, é\nand another\n" * 50
DATA = sample(3000)


@pytest.fixture(autouse=True)
def registered():
    register(level=1, prior=None)


@pytest.fixture(params=["memory", "file"])
def path(request, tmp_path):
    """The URL of a file in a file system that fsspec has."""
    return f"{'memory:/' if request.param == 'memory' else tmp_path.as_uri()}/notes.txt.gln"


def packed(path: str) -> bytes:
    with fsspec.open(path, "rb") as file:
        return file.read()


@pytest.mark.parametrize("compression", ["gln", "infer"])
def test_bytes_come_back(path, compression):
    with fsspec.open(path, "wb", compression=compression) as file:
        for start in range(0, len(DATA), 700):
            file.write(DATA[start : start + 700])
    (frame,) = glnzip.frame_info(packed(path))
    assert (frame.level, frame.prior_id, frame.original_bytes) == (1, None, len(DATA))
    with fsspec.open(path, "rb", compression=compression) as file:
        assert file.read(10) == DATA[:10]
        assert file.seek(-10, 2) == len(DATA) - 10
        assert file.read() == DATA[-10:]


def test_text_comes_back(path):
    with fsspec.open(path, "wt", encoding="utf-8", newline="", compression="infer") as file:
        file.write(TEXT)
    assert glnzip.decompress(packed(path)).decode("utf-8") == TEXT
    with fsspec.open(path, "rt", encoding="utf-8", compression="infer") as file:
        assert list(file) == TEXT.splitlines(keepends=True)


def test_a_file_of_a_file_system(path):
    system, name = fsspec.core.url_to_fs(path)
    with system.open(name, "wb", compression="infer") as file:
        file.write(DATA)
    assert glnzip.decompress(packed(path)) == DATA
    with system.open(name, "rb", compression="gln") as file:
        assert file.read() == DATA


def test_a_damaged_file_is_told(path):
    with fsspec.open(path, "wb", compression="infer") as file:
        file.write(DATA)
    damaged = packed(path)[:-1]
    with fsspec.open(path, "wb") as file:
        file.write(damaged)
    with (
        fsspec.open(path, "rb", compression="infer") as file,
        pytest.raises(glnzip.TruncatedStreamError),
    ):
        file.read()


def test_the_last_registration_counts(path):
    register(level=2)
    with fsspec.open(path, "wb", compression="infer") as file:
        file.write(DATA)
    (frame,) = glnzip.frame_info(packed(path))
    assert (frame.level, frame.prior_id) == (2, glnzip.SHIPPED_PRIOR.id)
    assert "gln" in fsspec.available_compressions()


def test_pandas_tables(path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"day": [1, 2], "place": ["Bern", "Zürich"]})
    with fsspec.open(path, "wt", encoding="utf-8", newline="", compression="infer") as file:
        table.to_csv(file, index=False, lineterminator="\n")
    assert glnzip.decompress(packed(path)).decode() == "day,place\n1,Bern\n2,Zürich\n"
    with fsspec.open(path, "rt", encoding="utf-8", compression="infer") as file:
        pandas.testing.assert_frame_equal(pandas.read_csv(file), table)


def test_pandas_alone_compresses_nothing(tmp_path):
    """As docs/PLUGINS.md says."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"day": [1, 2]})
    table.to_csv(tmp_path / "table.csv.gln", index=False)
    assert (tmp_path / "table.csv.gln").read_text() == "day\n1\n2\n"
    with pytest.raises(ValueError, match="Unrecognized compression type: gln"):
        table.to_csv(tmp_path / "table.csv.gln", compression="gln")


def test_dask_bags_in_threads(tmp_path):
    dask = pytest.importorskip("dask")
    bag = pytest.importorskip("dask.bag")
    for number in range(3):
        with glnzip.open(tmp_path / f"{number}.txt.gln", "wt") as file:
            file.write(f"file {number}\n" * 2)
    for compression in ("gln", "infer"):
        lines = bag.read_text(str(tmp_path / "*.gln"), compression=compression)
        assert lines.compute(scheduler="threads") == [
            f"file {number}\n" for number in range(3) for _ in range(2)
        ]
        with dask.config.set(scheduler="threads"):
            lines.to_textfiles(str(tmp_path / "out-*"), compression="gln")
        assert glnzip.decompress((tmp_path / "out-1").read_bytes()).split() == [b"file", b"1"] * 2


def test_dask_bags_in_processes(tmp_path):
    """As docs/PLUGINS.md says; with the real model."""
    pytest.importorskip("dask.bag")
    run(
        "import dask.bag, glnzip.plugins.fsspec as plugin, sys\n"
        "plugin.register(level=1, prior=None)\n"
        f"names = {str(tmp_path / '*.txt.gln')!r}\n"
        "with dask.config.set({'multiprocessing.initializer': plugin.register}):\n"
        "    dask.bag.from_sequence('ab', npartitions=2).to_textfiles(names, compression='gln')\n"
        "    lines = dask.bag.read_text(names, compression='infer')\n"
        "    assert lines.compute(scheduler='processes') == ['a', 'b']\n"
    )


@pytest.mark.parametrize("compression", ["gln", "infer"])
def test_dask_tables(tmp_path, compression):
    pytest.importorskip("pyarrow")
    frames = pytest.importorskip("dask.dataframe")
    names = str(tmp_path / "*.csv.gln")
    table = frames.from_dict({"day": [1, 2]}, npartitions=2)
    table.to_csv(names, index=False, compression="gln")
    read = frames.read_csv(names, compression=compression, blocksize=None)
    assert list(read.compute()["day"]) == [1, 2]
