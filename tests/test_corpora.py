"""The test files: the manifest, finding and verifying them, fetching them, and our own samples."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import corpora
from corpora import fetch, make_samples
from tests.checks import need_test_data

TINY = {"one": b"first file", "two": b"second file, a little longer"}


def tar_of(members: dict[str, bytes]) -> bytes:
    """A .tar.gz with these members."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return target.getvalue()


def rows_of(files: dict[str, bytes]) -> list[corpora.CorpusFile]:
    """Manifest rows that describe these files."""
    return [
        corpora.CorpusFile("tiny", name, len(data), hashlib.sha256(data).hexdigest())
        for name, data in files.items()
    ]


@pytest.fixture
def tiny_corpus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A manifest of one small corpus, to be kept under a temporary folder."""
    files = [row._asdict() for row in rows_of(TINY)]
    listed = {
        "corpora": {"tiny": {"archive": "https://example.invalid/tiny.tar.gz", "files": files}},
        "sets": {"half": {"corpus": "tiny", "files": ["two"]}},
    }
    monkeypatch.setattr(corpora, "manifest", lambda: listed)
    monkeypatch.setattr(corpora, "HERE", tmp_path)
    monkeypatch.delenv("GLNZIP_CORPORA", raising=False)
    return tmp_path / "data" / "tiny"


def keep(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


@pytest.mark.parametrize(
    ("set_name", "files", "size"),
    [
        ("calgary", 18, 3_251_493),
        ("calgary14", 14, 3_141_622),
        ("canterbury", 11, 2_810_784),
        ("large", 2, 6_520_792),
        ("artificial", 4, 300_001),
        ("misc", 1, 1_000_000),
    ],
)
def test_sets_are_those_of_published_tables(set_name: str, files: int, size: int):
    rows = corpora.set_files(set_name)
    assert len(rows) == files
    assert sum(row.size for row in rows) == size


def test_every_corpus_names_its_source_and_licence():
    for corpus in corpora.manifest()["corpora"].values():
        assert corpus["archive"].startswith("https://")
        assert corpus["licence"]


def test_unknown_set_is_named_with_those_that_exist():
    with pytest.raises(ValueError, match=r"nonesuch.*calgary14"):
        corpora.set_files("nonesuch")


def test_files_at_hand_are_those_of_the_manifest():
    need_test_data(corpora.missing_reason("calgary14"), "GLNZIP_CORPORA")
    assert [path.name for path in corpora.find("calgary14")][:3] == ["bib", "book1", "book2"]


def test_find_tells_what_is_missing(tiny_corpus: Path):
    keep(tiny_corpus, {"one": TINY["one"]})
    with pytest.raises(corpora.CorpusMissing, match=r"two is missing.*make fetch"):
        corpora.find("tiny")
    assert "make fetch" in (corpora.missing_reason("half") or "")


@pytest.mark.parametrize(
    ("damaged", "message"), [(b"second", "6 bytes, 28 expected"), (b"S" * 28, "SHA-256")]
)
def test_find_refuses_a_damaged_file(tiny_corpus: Path, damaged: bytes, message: str):
    keep(tiny_corpus, {**TINY, "two": damaged})
    with pytest.raises(corpora.CorpusMissing, match=message):
        corpora.find("half")


def test_fetch_keeps_verified_files(tiny_corpus: Path, monkeypatch: pytest.MonkeyPatch):
    archive = tar_of({"folder/one": TINY["one"], "two": TINY["two"], "unlisted": b"x"})
    monkeypatch.setattr(fetch, "download", lambda address: archive)
    fetch.fetch("tiny")
    assert {path.name: path.read_bytes() for path in tiny_corpus.iterdir()} == TINY
    assert corpora.missing_reason("tiny") is None


def test_a_zip_file_is_fetched_as_well(tiny_corpus: Path, monkeypatch: pytest.MonkeyPatch):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"folder/one": TINY["one"], "two": TINY["two"], "other": b"x"}.items():
            archive.writestr(name, data)
    monkeypatch.setattr(fetch, "download", lambda address: file.getvalue())
    fetch.fetch("tiny")
    assert {path.name: path.read_bytes() for path in tiny_corpus.iterdir()} == TINY


def test_a_large_archive_is_fetched_only_if_it_is_named():
    assert set(corpora.manifest()["corpora"]) - set(corpora.usual()) == {"silesia"}


def test_no_path_in_an_archive_reaches_the_disk(tiny_corpus: Path, monkeypatch: pytest.MonkeyPatch):
    archive = tar_of({"../../one": TINY["one"], "/two": TINY["two"]})
    monkeypatch.setattr(fetch, "download", lambda address: archive)
    fetch.fetch("tiny")
    assert {path.name for path in tiny_corpus.iterdir()} == set(TINY)
    assert {path.name for path in tiny_corpus.parent.parent.iterdir()} == {"data"}


@pytest.mark.parametrize(
    ("archive", "message"),
    [
        (b"not an archive", "damaged"),
        (tar_of(TINY)[:60], "damaged"),
        (tar_of({"one": TINY["one"]}), "lacks two"),
        (tar_of({**TINY, "two": b"wrong length"}), "lacks two"),
        (tar_of({**TINY, "two": b"S" * 28}), "wrong SHA-256"),
    ],
    ids=["no archive", "cut", "a file missing", "a wrong length", "a wrong hash"],
)
def test_a_bad_archive_is_refused(archive: bytes, message: str):
    with pytest.raises(corpora.CorpusMissing, match=message):
        fetch.extract(archive, rows_of(TINY))


def test_download_tells_the_cause():
    with pytest.raises(corpora.CorpusMissing, match="cannot download file:///nonesuch"):
        fetch.download("file:///nonesuch")


def test_download_refuses_what_is_too_large(tmp_path: Path):
    (tmp_path / "archive").write_bytes(b"12345")
    assert fetch.download((tmp_path / "archive").as_uri(), most=5) == b"12345"
    with pytest.raises(corpora.CorpusMissing, match="larger than 4 bytes"):
        fetch.download((tmp_path / "archive").as_uri(), most=4)


def test_command_never_downloads_over_a_named_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(address: str) -> bytes:
        raise AssertionError("must not download")

    monkeypatch.setenv("GLNZIP_CORPORA", str(tmp_path))
    monkeypatch.setattr(fetch, "download", refuse)
    result = CliRunner().invoke(fetch.main, ["--set", "misc"])
    assert result.exit_code == 1
    assert "pi.txt is missing" in result.output


def test_samples_are_small_and_those_generated_are_reproduced():
    assert sum(path.stat().st_size for path in corpora.samples()) <= 150_000
    contents = {path.name: path.read_bytes() for path in corpora.samples()}
    for name, make in make_samples.GENERATED.items():
        assert contents.pop(name) == make(), name
    assert set(contents) == {"prose.txt", "ring_buffer.c"}


def test_samples_are_described():
    described = (corpora.HERE / "samples" / "README.md").read_text(encoding="utf-8")
    for path in corpora.samples():
        assert f"`{path.name}`" in described
