"""`open_tar` does what `tarfile.open` does, and its end is that of the compressed file."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

import glnzip
from tests.checks import sample

pytestmark = pytest.mark.usefixtures("quick_model")

FILES = {f"folder/{number}": sample(700 * number, number) for number in range(4)}


class Pipe(io.RawIOBase):
    """A file that cannot seek."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._data.read(size)


def write_files(where: Path) -> Path:
    """Make the folder that `FILES` are in."""
    for name, data in FILES.items():
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_bytes(data)
    return where / "folder"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with `FILES`."""
    return write_files(tmp_path / "source")


@pytest.fixture
def path(folder: Path, tmp_path: Path) -> Path:
    """An archive of that folder."""
    with glnzip.open_tar(tmp_path / "a.tar.gln", "w") as archive:
        archive.add(folder, "folder")
    return tmp_path / "a.tar.gln"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[glnzip.GlnzipFile]:
    """The compressed files that archives were opened in."""
    files: list[glnzip.GlnzipFile] = []

    def open_file(*arguments: Any, **options: Any) -> glnzip.GlnzipFile:
        files.append(glnzip.GlnzipFile(*arguments, **options))
        return files[-1]

    monkeypatch.setattr("glnzip.streams.tar.GlnzipFile", open_file)
    return files


def contents(archive: tarfile.TarFile) -> dict[str, bytes]:
    """The files in an archive, read in order."""
    return {
        member.name: file.read()
        for member in archive
        if (file := archive.extractfile(member)) is not None
    }


@pytest.mark.parametrize("mode", ["w", "w|", "x"])
def test_what_is_added_comes_back(folder, tmp_path, mode):
    name = tmp_path / "new.tar.gln"
    with glnzip.open_tar(name, mode, level=1, prior=None) as archive:
        archive.add(folder, "folder")
    (frame,) = glnzip.frame_info(name.read_bytes())
    assert (frame.level, frame.prior_id) == (1, None)
    with tarfile.open(fileobj=io.BytesIO(glnzip.decompress(name.read_bytes()))) as plain:
        assert contents(plain) == FILES
    with glnzip.open_tar(str(name)) as archive:
        assert contents(archive) == FILES
        extracted = archive.extractfile("folder/1")  # backwards
        assert extracted is not None
        assert extracted.read() == FILES["folder/1"]
    with glnzip.open_tar(name, "r|") as archive:
        assert contents(archive) == FILES


def test_an_archive_in_its_own_folder_is_left_out(folder):
    name = folder / "a.tar.gln"
    with glnzip.open_tar(name, "w") as archive:
        archive.add(folder, "folder")
    with glnzip.open_tar(name) as archive:
        assert contents(archive) == FILES


def test_a_pipe_is_read_without_seeking(path, tmp_path):
    pipe = Pipe(path.read_bytes())
    with glnzip.open_tar(pipe, "r|") as archive:  # type: ignore[arg-type]
        archive.extractall(tmp_path / "out")
    assert {name: (tmp_path / "out" / name).read_bytes() for name in FILES} == FILES
    assert not pipe.closed


def test_mode_x_never_overwrites(path):
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        glnzip.open_tar(path, "x")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("mode", "options", "error", "reason"),
    [
        ("a", {}, ValueError, "nothing can be added"),
        ("a:", {}, ValueError, "nothing can be added"),
        ("w:gz", {}, ValueError, r"mode 'w:gz' is not one of r, r\|, w, w\|, x$"),
        ("w", {"level": 0}, ValueError, "level"),
        ("w", {"no_option": 1}, TypeError, "no_option"),
        ("w", {"pax_headers": {1: 2}}, AttributeError, "encode"),
    ],
)
def test_a_wrong_argument_never_empties_a_file(path, mode, options, error, reason):
    before = path.read_bytes()
    with pytest.raises(error, match=reason):
        glnzip.open_tar(path, mode, **options)
    assert path.read_bytes() == before


@pytest.mark.parametrize("mode", ["r", "r|", "w", "x"])
def test_the_end_of_an_archive_closes_the_compressed_file(path, tmp_path, mode, opened):
    name = path if mode[0] == "r" else tmp_path / "new.tar.gln"
    for error in (None, ZeroDivisionError):
        archive = glnzip.open_tar(name, mode)
        assert not opened[-1].closed
        if error is None:
            archive.close()
        else:
            with pytest.raises(error), archive:
                raise error
        assert opened[-1].closed
        if mode == "x":
            name.unlink()


def test_a_failed_write_is_told_and_the_file_closed(folder, opened):
    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError("no space left")

    archive = glnzip.open_tar(Full(), "w", block_size=100)
    with pytest.raises(OSError, match="no space left"), archive:
        archive.add(folder)
    assert opened[0].closed


def test_an_archive_that_cannot_be_ended_is_closed(opened):
    target = io.BytesIO()
    archive = glnzip.open_tar(target, "w")
    target.close()
    with pytest.raises(ValueError, match="closed file"):
        archive.close()
    assert opened[0].closed


@pytest.mark.parametrize("mode", ["r", "r|"])
def test_what_is_no_archive_is_told_and_the_file_closed(mode, opened):
    for stream, error in (
        (glnzip.compress(b"no archive, but long enough to be one" * 100), tarfile.ReadError),
        (glnzip.compress(b""), tarfile.ReadError),
        (b"no stream", glnzip.CorruptStreamError),
        (b"", glnzip.TruncatedStreamError),
    ):
        with pytest.raises(error):
            glnzip.open_tar(io.BytesIO(stream), mode)
        assert opened.pop().closed


@pytest.mark.parametrize("mode", ["r", "r|"])
def test_the_check_is_verified_behind_the_last_member(path, tmp_path, mode):
    """Though the end of an archive says that nothing more is to be read."""
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    archive = glnzip.open_tar(io.BytesIO(damaged), mode)
    with pytest.raises(glnzip.CorruptStreamError), archive:
        archive.extractall(tmp_path / "out")


@pytest.mark.parametrize("mode", ["r", "r|"])
def test_an_archive_of_nothing(tmp_path, mode):
    with glnzip.open_tar(tmp_path / "a.tar.gln", "w"):
        pass
    with glnzip.open_tar(tmp_path / "a.tar.gln", mode) as archive:
        assert archive.getmembers() == []


@pytest.mark.skipif(not hasattr(tarfile, "data_filter"), reason="this Python has no filters")
def test_what_leads_out_of_the_folder_is_not_extracted(tmp_path):
    (tmp_path / "out").mkdir()
    name = tmp_path / "a.tar.gln"
    with glnzip.open_tar(name, "w") as archive:
        archive.addfile(tarfile.TarInfo("../outside"))
    with glnzip.open_tar(name) as archive, pytest.raises(tarfile.OutsideDestinationError):
        archive.extractall(tmp_path / "out")
    assert not (tmp_path / "outside").exists()
    with glnzip.open_tar(name) as archive:
        archive.extractall(tmp_path / "out", filter="fully_trusted")
    assert (tmp_path / "outside").exists()
