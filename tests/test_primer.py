"""The primer: its manifest, how it is built, and that it holds nothing of a test file."""

from __future__ import annotations

import gzip
import io
import re
import struct
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

import corpora
import glnzip
from corpora import primer
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
from corpora.primer.transforms import EMBEDDED, LETTERS, TRANSFORMS, letters
from glnzip.format.block_type import FONT, LEXICON, LEXICON_HEADING, TEXT
from tests.fonts import font

MANIFEST = read_manifest()
PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
LINE = b"letters enough for a line"
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
        ("strike_once", b"_\x08aB\x08B", b"aB"),
        ("readable", b"\x01" + LINE + b"\0short\0" + LINE + b"\2", LINE + b"\n" + LINE),
        ("strip_html", b"<p>\n  one <b>two</b>\n  </p>\n\n\n\n<p>", b"one two\n\n"),
    ],
)
def test_transformations(name: str, before: bytes, after: bytes) -> None:
    assert TRANSFORMS[name](before) == after


def test_what_is_packed_is_unpacked() -> None:
    pages = [b"<p>one</p>" * 99, b"<p>two</p>" * 99]
    packed = b"".join(gzip.compress(page, mtime=0) for page in pages)
    unpacked = TRANSFORMS["unpacked"](packed)
    assert all(page in unpacked for page in pages)
    assert len(packed) < len(b"".join(pages)) < len(unpacked)


@pytest.mark.parametrize("long_places", [False, True])
def test_letters_are_the_first_outlines_of_a_font(long_places: bool) -> None:
    whole = font(LETTERS + 20, long_places=long_places)
    some = letters(whole)
    tables, fewer = tables_of(whole), tables_of(some)
    assert sorted(fewer) == [tag for tag in EMBEDDED if tag in tables]
    assert all(tables[tag].startswith(table) for tag, table in fewer.items())
    form = f">{LETTERS + 1}{'I' if long_places else 'H'}"
    places = struct.unpack(form, fewer[b"loca"])
    assert len(fewer[b"glyf"]) == places[-1] * (1 if long_places else 2) < len(tables[b"glyf"])
    assert len(fewer[b"hmtx"]) == 4 * LETTERS


def tables_of(whole: bytes) -> dict[bytes, bytes]:
    """The tables of a font, by their tags."""
    (count,) = struct.unpack_from(">H", whole, 4)
    entries = [struct.unpack_from(">4sIII", whole, 12 + 16 * k) for k in range(count)]
    return {tag: whole[start : start + size] for tag, _, start, size in entries}


def package_of(archive: Path) -> Package:
    digest = sha256(archive.read_bytes()).hexdigest()
    about = "for this test"
    return Package("tiny", "pypi", "tiny", "1.0", archive.name, digest, "MIT", about, (Part("b"),))


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


def test_what_is_to_be_left_out_is(
    tiny: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "read_left_out", lambda: [b"\none", b"PAGE "])
    cut = [data for _, data in build.cut_segments(tiny, tmp_path)]
    assert cut == [b"two\n", b".TH 1\n"]


def test_notices_are_shipped_once(tiny: Manifest, tmp_path: Path) -> None:
    second = tiny.packages["tiny"]._replace(key="second", name="another")
    both = tiny._replace(packages={**tiny.packages, "second": second})
    text = build.licences(both, tmp_path)
    assert text.count("unwanted") == 1
    assert "another 1.0, b\n" in text
    assert text.endswith("tiny 1.0, b\n" + "=" * 80 + "\n\nthe same as another 1.0, b\n")


def test_a_notice_may_be_a_part_of_a_file(tiny: Manifest, tmp_path: Path) -> None:
    one = tiny.packages["tiny"]._replace(notices=(Part("a/text", 4, 7),))
    text = build.licences(tiny._replace(packages={"tiny": one}), tmp_path)
    assert text.endswith("tiny 1.0, a/text\n" + "=" * 80 + "\n\ntwo\n")


def test_the_package_tells_its_licences() -> None:
    (declared,) = re.findall('^license = "(.*)"', PYPROJECT.read_text("utf-8"), re.MULTILINE)
    own_words = {
        "Public domain": "LicenseRef-Public-Domain",
        "WordNet-3.0": "LicenseRef-WordNet-3.0",
    }
    used = {package.licence for package in MANIFEST.packages.values()}
    assert used == set(MANIFEST.licences)
    assert set(declared.split(" AND ")) == {own_words.get(name, name) for name in used} | {"MIT"}


def test_the_lexicon_is_of_the_categories_that_it_says(tiny: Manifest, tmp_path: Path) -> None:
    lexicon = build.lexicon_of(tiny, 3 * list(build.cut_segments(tiny, tmp_path)))
    assert set(lexicon.split()) == {b"glnzip", b"lexicon", b"one", b"two"}


def test_another_package_is_refused(tiny: Manifest, tmp_path: Path) -> None:
    (tmp_path / "tiny-1.0.tar.gz").write_bytes(tar_of(MEMBERS) + b"\0")
    with pytest.raises(build.PrimerError, match="SHA-256"):
        list(build.cut_segments(tiny, tmp_path))


def test_each_segment_but_a_font_is_memorised_but_for_its_end() -> None:
    lexicon, *segments = [LEXICON_HEADING + b"one two\n", b"prose " * 20, b"int main(void)\n" * 9]
    outlines = font(9)
    categories = {"prose": segments[0], "code": segments[1], "font": outlines}
    seen = [(Segment(name, name, "", (), ()), data) for name, data in categories.items()]
    prior = glnzip.Prior(build.plain_prior(lexicon, seen))
    blocks = [
        (block, block_type.kind, frame.memorised)
        for frame in prior.frames()
        for block_type, block in frame.blocks(lambda count: None)
    ]
    cuts = [len(data) - len(data) // 24 for data in segments]
    assert blocks == [
        (lexicon, LEXICON, True),
        *((data[:cut], TEXT, True) for data, cut in zip(segments, cuts, strict=True)),
        (outlines, FONT, True),
        *((data[cut:], TEXT, False) for data, cut in zip(segments, cuts, strict=True)),
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


def test_no_licence_reaches_further_than_what_it_is_of() -> None:
    assert not [name for name in MANIFEST.licences if re.search("GPL|GFDL|NC|SA", name)]


def test_licences_of_fonts_are_of_fonts_alone() -> None:
    """They ask that nobody sells the fonts by themselves, which nobody can who has but letters."""
    theirs = {"OFL-1.1", "Bitstream-Vera"}
    for segment in MANIFEST.segments:
        licence = MANIFEST.packages[segment.package].licence
        assert (segment.category == "font") == (licence in theirs)


def test_segments_are_sound() -> None:
    names = [segment.name for segment in MANIFEST.segments]
    assert len(set(names)) == len(names)
    assert {segment.package for segment in MANIFEST.segments} == MANIFEST.packages.keys()
    for segment in MANIFEST.segments:
        assert segment.parts
        assert set(segment.by) <= TRANSFORMS.keys()
        if segment.category != "font":  # without some of its bytes it is none
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


def test_another_edition_is_found_too() -> None:
    text = b"It is a truth,  that  Whoever reads this,\nhas read it elsewhere"
    files = {"book": b"before " + text.upper().replace(b"\n", b"\r\n   ") + b" after"}
    ((passage, original),) = check.in_common({"segment": b"so: " + text + b"!"}, files)
    assert passage.text == text.lower().translate(None, b" \n")
    assert original == text


def test_rulers_say_nothing() -> None:
    assert not list(check.in_common({"segment": b"-=" * 50}, {"book": b"-=" * 60}))


def test_what_is_found_can_be_left_out(
    tiny: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "tiny-1.0.tar.gz"
    archive.write_bytes(tar_of({**MEMBERS, "a/text": SECRET + b" and more\n"}))
    tiny = tiny._replace(packages={"tiny": package_of(archive)})
    tiny = tiny._replace(segments=[Segment("lines", "data", "tiny", (), (Part("a/text"),))])
    monkeypatch.setattr(corpora, "manifest", lambda: {"corpora": {}})
    monkeypatch.setattr(check, "read_manifest", lambda: tiny)
    listed = tmp_path / "left_out.json"
    listed.write_text("[]")
    for module in (primer, check):
        monkeypatch.setattr(module, "LEFT_OUT", listed)
    (tmp_path / "against").mkdir()
    (tmp_path / "against" / "book").write_bytes(b"<" + SECRET[5:45] + b">")
    options = ["--cache", str(tmp_path), "--against", str(tmp_path / "against")]
    run = CliRunner().invoke
    assert run(check.main, options).exit_code == 1
    assert primer.read_left_out() == []
    assert run(check.main, [*options, "--leave-out"]).exit_code == 1
    assert primer.read_left_out()
    done = run(check.main, options)
    assert done.exit_code == 0, done.output
    assert "0 passages in common" in done.output
    ((_, left),) = build.cut_segments(tiny, tmp_path)
    assert left == SECRET[:5] + SECRET[45:] + b" and more\n"


def test_equal_hashes_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MULTIPLIER", 1)  # so the order of bytes does not count
    files = check.TestFiles({"file": SECRET})
    assert not list(files.passages("segment", SECRET[::-1]))
