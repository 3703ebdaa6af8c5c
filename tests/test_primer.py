"""The primer: its manifest, how it is built, and that it holds nothing of a test file."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

import glnzip
from corpora.primer import (
    LexiconRow,
    Manifest,
    Package,
    Part,
    Segment,
    archives,
    build,
    check,
    read_manifest,
)
from corpora.primer.transforms import TRANSFORMS
from glnzip.format.block_type import LEXICON_HEADING

MANIFEST = read_manifest()
MEMBERS = {"a/text": b"one\ntwo\n", "a/page.1.gz": gzip.compress(b".TH PAGE 1\n"), "b": b"unwanted"}


def tar_of(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return target.getvalue()


def zip_of(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target.getvalue()


def deb_of(members: dict[str, bytes]) -> bytes:
    packed = archives.AR_MAGIC
    files = [("debian-binary", b"2.0"), ("data.tar.xz", tar_of(members, "w:xz"))]
    for name, data in files:
        packed += f"{name:16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode() + data
        packed += b"\n" * (len(data) % 2)
    return packed


@pytest.mark.parametrize("pack", [tar_of, zip_of, deb_of])
def test_members_of_every_kind_of_archive(pack, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(pack(MEMBERS))
    found = archives.read_members(archive, ["a/text", "a/page.1.gz"])
    assert found == {"a/text": b"one\ntwo\n", "a/page.1.gz": b".TH PAGE 1\n"}
    with pytest.raises(KeyError):
        archives.read_members(archive, ["absent"])


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("squeeze", b"ab" + b"-" * 100 + b"\0" * 32, b"ab" + b"-" * 32 + b"\0" * 32),
        ("lf", b"one\r\ntwo\r", b"one\ntwo\r"),
        (
            "wrap",
            b"word " * 20 + b"\n\nnext",
            b"word " * 13 + b"word\n" + b"word " * 5 + b"word\n\nnext",
        ),
        ("plain", "\ufeff\u201cIt\u2019s\u201d \u2014 \u00e9".encode(), b'"It\'s" -- \xc3\xa9'),
        ("latin1", "\u2019caf\u00e9\u4e00".encode(), b"'caf\xe9"),
        ("strike_once", b"_\x08aB\x08B", b"aB"),
        ("strip_html", b"<p>\n  one <b>two</b>\n  </p>\n\n\n\n<p>", b"one two\n\n"),
        (
            "refer",
            b"@book{x,\n title={A {B} of\n  c},\n author={Doe, J. and Roe, R.},\n year={1987}\n}\n",
            b"%A Doe, J.\n%A Roe, R.\n%D 1987\n%T A B of c\n",
        ),
    ],
)
def test_transformations(name: str, before: bytes, after: bytes) -> None:
    assert TRANSFORMS[name](before) == after


def package_of(archive: Path) -> Package:
    digest = sha256(archive.read_bytes()).hexdigest()
    return Package("tiny", "pypi", "tiny", "1.0", archive.name, digest, "MIT", "for this test")


@pytest.fixture
def tiny(tmp_path: Path) -> Manifest:
    """A manifest of one package, already downloaded to `tmp_path`, and two segments."""
    archive = tmp_path / "tiny-1.0.tar.gz"
    archive.write_bytes(tar_of(MEMBERS))
    segments = [
        Segment("lines", "data", "tiny", (), (Part("a/text", 4), Part("a/text", 0, 4))),
        Segment("page", "markup", "tiny", ("lf",), (Part("a/page.1.gz"),)),
    ]
    lexicon = LexiconRow(2, frozenset(["data"]))
    return Manifest(["MIT"], {"tiny": package_of(archive)}, lexicon, segments)


def test_segments_are_cut_in_order(tiny: Manifest, tmp_path: Path) -> None:
    cut = [data for _, data in build.cut_segments(tiny, tmp_path)]
    assert cut == [b"two\none\n", b".TH PAGE 1\n"]
    assert build.write_segments(build.cut_segments(tiny, tmp_path), tmp_path / "out") == 19
    assert (tmp_path / "out" / "001-markup-page").read_bytes() == cut[1]


def test_the_lexicon_is_of_the_categories_that_it_says(tiny: Manifest, tmp_path: Path) -> None:
    lexicon = build.lexicon_of(tiny, 3 * list(build.cut_segments(tiny, tmp_path)))
    assert set(lexicon.split()) == {b"glnzip", b"lexicon", b"one", b"two"}


def test_another_package_is_refused(tiny: Manifest, tmp_path: Path) -> None:
    (tmp_path / "tiny-1.0.tar.gz").write_bytes(tar_of(MEMBERS) + b"\0")
    with pytest.raises(build.PrimerError, match="SHA-256"):
        list(build.cut_segments(tiny, tmp_path))


def test_each_segment_is_memorised_but_for_its_end() -> None:
    segments = [LEXICON_HEADING + b"one two\n", b"prose " * 20, b"int main(void)\n" * 9]
    prior = glnzip.Prior(build.plain_prior(segments))
    blocks = [
        (block, frame.memorised)
        for frame in prior.frames()
        for _, block in frame.blocks(lambda count: None)
    ]
    cuts = [len(segments[0]), *(len(data) - len(data) // 12 for data in segments[1:])]
    assert blocks == [
        *((data[:cut], True) for data, cut in zip(segments, cuts, strict=True)),
        *((data[cut:], False) for data, cut in zip(segments[1:], cuts[1:], strict=True)),
    ]


@pytest.mark.parametrize("key", MANIFEST.packages)
def test_packages_are_pinned_and_free(key: str) -> None:
    package = MANIFEST.packages[key]
    assert re.fullmatch(r"[0-9a-f]{64}", package.sha256)
    assert package.licence in MANIFEST.licences
    assert package.version.replace(":", "%3a") in package.archive
    assert build.download_command(package)


def test_the_lexicon_is_of_categories_that_exist() -> None:
    assert MANIFEST.lexicon.categories <= {segment.category for segment in MANIFEST.segments}


def test_no_licence_asks_for_more_than_attribution() -> None:
    assert not [name for name in MANIFEST.licences if re.search("GPL|GFDL|NC|SA", name)]


def test_segments_are_sound() -> None:
    names = [segment.name for segment in MANIFEST.segments]
    assert len(set(names)) == len(names)
    assert {segment.package for segment in MANIFEST.segments} == MANIFEST.packages.keys()
    for segment in MANIFEST.segments:
        assert segment.parts
        assert set(segment.by) <= TRANSFORMS.keys()
        assert segment.by[-1] == "squeeze", "nothing may bring long runs back"


SECRET = bytes(range(65, 65 + 60))


def test_a_planted_passage_is_found() -> None:
    files = check.TestFiles({"first": b"." * 99, "second": b"before<" + SECRET + b">after"})
    passages = list(files.passages("segment", b"other text " + SECRET[:50] + b"| and more"))
    assert passages == [check.Passage("segment", 11, 61, "second", SECRET[:50])]


@pytest.mark.parametrize("length", [0, 1, check.WINDOW - 1])
def test_shorter_passages_are_none(length: int) -> None:
    files = check.TestFiles({"file": b"before<" + SECRET + b">after"})
    assert not list(files.passages("segment", b"other " + SECRET[:length] + b" text" * 20))


def test_equal_hashes_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MULTIPLIER", 1)  # so the order of bytes does not count
    files = check.TestFiles({"file": SECRET})
    assert not list(files.passages("segment", SECRET[::-1]))
