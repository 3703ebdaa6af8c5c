"""The set of files as people have them: its manifest, how it is extracted, and its table."""

from __future__ import annotations

import io
import json
import re
import statistics
import tarfile
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path, PurePosixPath

import pytest
from click.testing import CliRunner

import corpora
import glnzip
from bench.peers import Peer
from bench.real import (
    ALL,
    KEPT_ASIDE,
    Archive,
    Manifest,
    RealFile,
    __main__,
    fetch,
    kept_aside,
    read_manifest,
    table,
)
from bench.real.archive import extract, tar_of
from bench.results import FileResult, Session
from corpora.primer import read_manifest as read_primer

MANIFESTS = {name: read_manifest(name) for name in KEPT_ASIDE}
every_set = pytest.mark.parametrize("manifest", MANIFESTS.values(), ids=list(MANIFESTS))

SILESIA = "dickens mozilla mr nci ooffice osdb reymont samba sao webster xml x-ray"
MAXIMUM_COMPRESSION = (
    "A10.jpg AcroRd32.exe english.dic FlashMX.pdf FP.LOG MSO97.DLL ohs.doc rafale.bmp vcfiu.hlp "
    "world95.txt"
)
LARGE_TEXT = "enwik8 enwik9"

CONTENTS = {"pkg-1/a.txt": b"a text\n" * 9, "pkg-1/b.gz": b"\x1f\x8b not unpacked", "pkg-1/c": b""}
COPY = Peer("copy", "cp {file} {packed}", "cat < {packed} > {restored}")
ABSENT = Peer("absent -9", "glnzip-no-such-program {file}", "glnzip-no-such-program")


def row(name: str, data: bytes, member: str, kind: str = "text", aside: bool = False) -> RealFile:
    digest = sha256(data).hexdigest()
    return RealFile(name, kind, "pkg-1.tar.gz", member, len(data), digest, aside)


def tar_archive(path: Path) -> Path:
    """A source distribution that was made up."""
    with tarfile.open(path, "w:gz") as archive:
        for name, data in CONTENTS.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def zip_archive(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in CONTENTS.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def made_up(tmp_path: Path) -> Manifest:
    """A set of one archive, which is there, and of three files, which are not extracted yet."""
    archive = tar_archive(tmp_path / "archives" / "pkg-1.tar.gz")
    packed = archive.read_bytes()
    files = [
        row("a.txt", CONTENTS["pkg-1/a.txt"], "pkg-1/a.txt"),
        row("b.gz", CONTENTS["pkg-1/b.gz"], "pkg-1/b.gz", "gzip", aside=True),
        row("pkg.tar.gz", packed, "", "gzip"),
    ]
    digest = sha256(packed).hexdigest()
    return Manifest({archive.name: Archive(archive.name, "pkg", "1", digest)}, files)


@pytest.fixture(autouse=True)
def archives_folder(tmp_path: Path) -> None:
    (tmp_path / "archives").mkdir()


# ---- the manifest


@every_set
def test_the_manifest_is_well_formed(manifest: Manifest) -> None:
    names = [file.name for file in manifest.files]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9]+)+", name) for name in names)
    assert ALL not in names
    assert len({file.sha256 for file in manifest.files}) == len(names)
    digests = [file.sha256 for file in manifest.files]
    digests += [archive.sha256 for archive in manifest.archives.values()]
    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in digests)
    assert {file.archive for file in manifest.files} == set(manifest.archives)
    assert all(name.endswith((".whl", ".tar.gz", ".zip")) for name in manifest.archives)


@pytest.mark.parametrize(
    ("name", "total", "smallest", "largest", "median"),
    [
        ("packed", range(20_000_000, 45_000_000), 1_000, 2_000_000, 200_000),
        ("plain", range(5_000_000, 9_000_000), 1_000, 600_000, 200_000),
        ("measured", range(12_000_000, 22_000_000), 20_000, 1_600_000, 250_000),
    ],
)
def test_a_set_has_the_sizes_that_were_wanted(
    name: str, total: range, smallest: int, largest: int, median: int
) -> None:
    sizes = [file.size for file in MANIFESTS[name].files]
    assert len(sizes) >= 66
    assert sum(sizes) in total
    assert smallest <= min(sizes) <= max(sizes) <= largest
    assert 50_000 <= statistics.median(sizes) <= median


@pytest.mark.parametrize(("name", "share"), KEPT_ASIDE.items())
def test_of_each_kind_some_are_kept_aside(name: str, share: int) -> None:
    files = MANIFESTS[name].files
    assert {file.name: file.aside for file in files} == kept_aside(files, share)
    for kind in {file.kind for file in files}:
        ordered = sorted((f.sha256, f.aside) for f in files if f.kind == kind)
        assert [aside for _, aside in ordered[share - 1 :: share]] == [True] * (
            len(ordered) // share
        )
        assert sum(aside for _, aside in ordered) == len(ordered) // share > 0


@every_set
def test_nothing_of_the_famous_corpora_is_in_it(manifest: Manifest) -> None:
    listed = [
        row for corpus in corpora.manifest()["corpora"] for row in corpora.corpus_files(corpus)
    ]
    famous = {name.lower() for name in f"{SILESIA} {MAXIMUM_COMPRESSION} {LARGE_TEXT}".split()}
    famous |= {row.name.lower() for row in listed}
    for file in manifest.files:
        for name in (file.name, PurePosixPath(file.member).name):
            assert name.lower() not in famous
    assert not {row.sha256 for row in listed} & {file.sha256 for file in manifest.files}


@every_set
def test_nothing_of_it_has_taught_the_shipped_prior(manifest: Manifest) -> None:
    def canonical(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    taught = {canonical(package.name) for package in read_primer().packages.values()}
    assert not taught & {canonical(archive.project) for archive in manifest.archives.values()}


# ---- archives


@pytest.mark.parametrize("pack", [tar_archive, zip_archive])
def test_members_are_extracted_as_they_are(pack, tmp_path: Path) -> None:
    archive = pack(tmp_path / "pkg-1")
    files = [
        row("our-name.txt", CONTENTS["pkg-1/a.txt"], "pkg-1/a.txt"),
        row("b.gz", CONTENTS["pkg-1/b.gz"], "pkg-1/b.gz"),
        row("whole", archive.read_bytes(), ""),
    ]
    assert extract(archive, files) == {
        "our-name.txt": CONTENTS["pkg-1/a.txt"],
        "b.gz": CONTENTS["pkg-1/b.gz"],
        "whole": archive.read_bytes(),
    }


@pytest.mark.parametrize("pack", [tar_archive, zip_archive])
def test_wrong_and_absent_members_are_refused(pack, tmp_path: Path) -> None:
    archive = pack(tmp_path / "pkg-1")
    right = CONTENTS["pkg-1/a.txt"]
    with pytest.raises(corpora.CorpusMissing, match="SHA-256"):
        extract(archive, [row("a.txt", right[::-1], "pkg-1/a.txt")])
    with pytest.raises(corpora.CorpusMissing, match="64 expected"):
        extract(archive, [row("a.txt", right + b"\n", "pkg-1/a.txt")])
    with pytest.raises(corpora.CorpusMissing, match="pkg-1/absent"):
        extract(archive, [row("a.txt", right, "pkg-1/absent")])


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pkg-1").write_bytes(b"an error page")
    with pytest.raises(corpora.CorpusMissing, match="cannot extract"):
        extract(tmp_path / "pkg-1", [row("a.txt", b"", "pkg-1/a.txt")])


def test_the_tar_is_the_same_bytes_twice() -> None:
    contents = {"b": b"second", "a": b"first"}
    packed = tar_of(contents)
    assert packed == tar_of(dict(reversed(contents.items())))
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        members = archive.getmembers()
    assert [member.name for member in members] == ["a", "b"]
    for member in members:
        assert (member.mtime, member.uid, member.gid, member.mode) == (0, 0, 0, 0o644)
        assert (member.uname, member.gname) == ("", "")
    assert packed[257:265] == b"ustar\x0000"


# ---- fetching


def no_pip(archive: Archive) -> list[str]:
    raise AssertionError(f"{archive.name} is downloaded")


def test_fetching_fills_both_folders(
    made_up: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "download_command", no_pip)
    fetch.fetch(made_up, tmp_path)
    assert (tmp_path / "development" / "a.txt").read_bytes() == CONTENTS["pkg-1/a.txt"]
    assert (tmp_path / "aside" / "b.gz").read_bytes() == CONTENTS["pkg-1/b.gz"]
    for half, names in (("development", ["a.txt", "pkg.tar.gz"]), ("aside", ["b.gz"])):
        with tarfile.open(tmp_path / half / "all.tar") as archive:
            assert archive.getnames() == names
    # What is there is not even extracted again; what is damaged is.
    (tmp_path / "archives" / "pkg-1.tar.gz").rename(tmp_path / "away")
    fetch.fetch(made_up, tmp_path)
    (tmp_path / "away").rename(tmp_path / "archives" / "pkg-1.tar.gz")
    (tmp_path / "aside" / "b.gz").write_bytes(b"damaged")
    fetch.fetch(made_up, tmp_path)
    assert (tmp_path / "aside" / "b.gz").read_bytes() == CONTENTS["pkg-1/b.gz"]


def test_another_archive_is_refused(made_up: Manifest, tmp_path: Path) -> None:
    (tmp_path / "archives" / "pkg-1.tar.gz").write_bytes(b"another")
    with pytest.raises(corpora.CorpusMissing, match="another SHA-256 than the manifest says"):
        fetch.fetch(made_up, tmp_path)
    assert not (tmp_path / "development").exists()


def test_a_failed_download_tells_what_pip_said(
    made_up: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "archives" / "pkg-1.tar.gz").unlink()
    monkeypatch.setattr(
        fetch, "download_command", lambda archive: ["sh", "-c", "echo no such thing >&2; exit 1"]
    )
    with pytest.raises(corpora.CorpusMissing, match=r"cannot download pkg-1.tar.gz: no such thing"):
        fetch.fetch(made_up, tmp_path)


def test_a_wheel_is_downloaded_for_what_its_name_tells() -> None:
    name = "pkg_a-2.0-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"
    command = " ".join(fetch.download_command(Archive(name, "pkg-a", "2.0", "")))
    assert "pkg-a==2.0 --only-binary :all: --python-version 3.11" in command
    assert command.endswith(
        "--abi cp311 --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64"
    )
    command = " ".join(fetch.download_command(Archive("pkg-a-2.0.tar.gz", "pkg-a", "2.0", "")))
    assert command.endswith("pkg-a==2.0 --no-binary pkg-a --ignore-requires-python")


# ---- the table


def test_peers_that_are_not_here_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "PEERS", (COPY, ABSENT))
    listed = "glnzip-no-such-program,cp"
    assert table.chosen_peers(listed) == ([COPY], ["glnzip-no-such-program"])
    assert table.chosen_peers("none") == ([], [])
    with pytest.raises(ValueError, match="'gzip' is none of cp"):
        table.chosen_peers("gzip")


def test_sums_are_of_kinds_and_of_all_without_the_tar() -> None:
    def result(program: str, kind: str, file: str, original: int, packed: int) -> FileResult:
        return FileResult(program, kind, file, original, packed, 1.0, 1.0, None)

    session = Session("", {})
    for program, factor in (("glnzip -6", 1), ("copy", 10)):
        session.files += [
            result(program, "pdf", "a.pdf", 10_000, 100 * factor),
            result(program, "pdf", "b.pdf", 20_000, 200 * factor),
            result(program, "png", "c.png", 5_000, 50 * factor),
            result(program, "tar", "all.tar", 36_000, 111 * factor),
        ]
    assert table.sums(session).splitlines()[2:] == [
        "| pdf | 2 | 30,000 | 300 | 3,000 |",
        "| png | 1 | 5,000 | 50 | 500 |",
        "| **all** | 3 | 35,000 | 350 | 3,500 |",
    ]


def test_the_command_prints_rows_and_sums_and_saves_figures(
    made_up: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch.fetch(made_up, tmp_path)
    monkeypatch.setattr(glnzip, "compress", lambda data, level, prior: zlib.compress(data, level))
    monkeypatch.setattr(glnzip, "decompress", zlib.decompress)
    monkeypatch.setattr(__main__, "read_manifest", lambda _: made_up)
    monkeypatch.setattr(table, "PEERS", (COPY, ABSENT))
    options = ["--level", "1", "--prior", "none", "--tar", "--json", str(tmp_path / "figures.json")]
    options += ["--peers", "cp,glnzip-no-such-program"]
    done = CliRunner().invoke(__main__.main, ["table", str(tmp_path), *options])
    assert done.exit_code == 0, done.output
    assert "glnzip-no-such-program is left out" in done.output
    text, sdist = (file for file in made_up.files if not file.aside)
    packed = len(zlib.compress(CONTENTS["pkg-1/a.txt"], 1))
    assert "| file | kind | original | glnzip -1 --prior none | copy |" in done.output
    assert f"| a.txt | text | {text.size} | {packed} | {text.size} |" in done.output
    assert "| all.tar | tar | 10,240 |" in done.output
    assert f"| **all** | 2 | {text.size + sdist.size} |" in done.output
    assert "b.gz" not in done.output
    saved = json.loads((tmp_path / "figures.json").read_text())["files"]
    assert [(r["file"], r["program"]) for r in saved] == [
        (file, program)
        for file in ("a.txt", "pkg.tar.gz", "all.tar")
        for program in ("glnzip -1 --prior none", "copy")
    ]
    (tmp_path / "aside" / "b.gz").unlink()
    done = CliRunner().invoke(
        __main__.main, ["table", str(tmp_path), "--aside", "--peers", "none", "--prior", "none"]
    )
    assert done.exit_code == 1
    assert "run `python -m bench.real fetch" in done.output
