"""Archives that `shutil` makes and unpacks."""

from __future__ import annotations

import logging
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import glnzip
from glnzip.plugins.shutil import register
from tests.streams.test_tar import FILES, write_files

pytestmark = pytest.mark.usefixtures("quick_model")

filters = pytest.mark.skipif(
    not hasattr(tarfile, "data_filter"), reason="this Python has no filters"
)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register(level=1, prior=None)
    register(level=2, prior=None)  # the last one counts
    yield
    shutil.unregister_archive_format("gln.tar")
    shutil.unregister_unpack_format("gln.tar")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with `FILES`, in one that has nothing else."""
    return write_files(tmp_path / "source")


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_folder_comes_back(folder, tmp_path):
    base = tmp_path / "new" / "archive"
    name = shutil.make_archive(str(base), "gln.tar", folder.parent, "folder")
    assert name == f"{base}.tar.gln"
    (frame,) = glnzip.frame_info(Path(name).read_bytes())
    assert (frame.level, frame.prior_id) == (2, None)
    shutil.unpack_archive(name, tmp_path / "out")
    assert files_in(tmp_path / "out") == FILES
    short = Path(name).rename(tmp_path / "archive.tgln")
    shutil.unpack_archive(short, tmp_path / "again")
    assert files_in(tmp_path / "again") == FILES


def test_names_in_archives_are_those_of_gztar(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder.parent)
    for where in ({}, {"root_dir": "folder"}, {"base_dir": "folder"}, {"root_dir": folder}):
        made = shutil.make_archive("../ours", "gln.tar", **where)
        theirs = shutil.make_archive("../theirs", "gztar", **where)
        assert made == theirs.replace("theirs", "ours").replace(".gz", ".gln")
        with glnzip.open_tar(made) as ours, tarfile.open(theirs) as expected:
            assert ours.getnames() == expected.getnames()


def test_a_trial_makes_nothing(folder, tmp_path, caplog):
    caplog.set_level(logging.INFO)
    base = tmp_path / "new" / "archive"
    name = shutil.make_archive(
        str(base), "gln.tar", folder, dry_run=True, logger=logging.getLogger("trial")
    )
    assert name == f"{base}.tar.gln"
    assert not base.parent.exists()
    assert f"creating {name}" in caplog.text


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such owners")
def test_owner_and_group(folder, tmp_path):
    import grp
    import pwd

    group = grp.getgrgid(os.getgid()).gr_name
    owner = pwd.getpwuid(os.getuid()).pw_name
    name = shutil.make_archive(str(tmp_path / "a"), "gln.tar", folder, owner=owner, group=group)
    with glnzip.open_tar(name) as archive:
        assert {(member.uname, member.gname) for member in archive} == {(owner, group)}
    before = Path(name).read_bytes()
    with pytest.raises(KeyError, match="nobody of this name"):
        shutil.make_archive(str(tmp_path / "a"), "gln.tar", folder, owner="nobody of this name")
    assert Path(name).read_bytes() == before


@filters
def test_what_leads_out_of_the_folder_is_not_extracted(tmp_path):
    (tmp_path / "out").mkdir()
    name = tmp_path / "a.tar.gln"
    with glnzip.open_tar(name, "w") as archive:
        archive.addfile(tarfile.TarInfo("../outside"))
    with pytest.raises(tarfile.OutsideDestinationError):
        shutil.unpack_archive(name, tmp_path / "out")
    with pytest.raises(tarfile.OutsideDestinationError):
        shutil.unpack_archive(name, tmp_path / "out", filter="data")
    assert not (tmp_path / "outside").exists()
    shutil.unpack_archive(name, tmp_path / "out", filter="fully_trusted")
    assert (tmp_path / "outside").exists()


@pytest.mark.parametrize("data", [b"no stream", glnzip.compress(b"", level=1, prior=None)])
def test_what_is_no_archive_is_told(data, tmp_path):
    (tmp_path / "a.tar.gln").write_bytes(data)
    with pytest.raises(shutil.ReadError, match=r"a\.tar\.gln is no tar file compressed by glnzip"):
        shutil.unpack_archive(tmp_path / "a.tar.gln", tmp_path / "out")


def test_damage_is_told(folder, tmp_path):
    name = shutil.make_archive(str(tmp_path / "a"), "gln.tar", folder)
    damaged = bytearray(Path(name).read_bytes())
    damaged[-1] ^= 1
    Path(name).write_bytes(damaged)
    with pytest.raises(glnzip.CorruptStreamError):
        shutil.unpack_archive(name, tmp_path / "out")
