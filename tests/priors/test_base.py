"""Bases: the rule by which they are seen, against the document, and what they are good for."""

from __future__ import annotations

import doctest
import gzip
import pickle
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip import Base
from glnzip.errors import BadPriorError, PriorMismatchError
from glnzip.format.block_type import BINARY, CALLS, TEXT, BlockType
from glnzip.planner.stretches import next_stretch
from glnzip.priors import base as base_module
from glnzip.priors import base_blocks, prepared
from glnzip.priors.base_blocks import blocks_of
from glnzip.priors.prior import SHIPPED_PRIOR_ID
from glnzip.priors.prior_file import MAX_PRIOR_BYTES
from tests.packed import Deflate, by_zlib, gzip_file, ours, png_file, zip_file
from tests.priors.small_priors import empty_cache, forget_images, images
from tests.samples import machine_code

WORDS = b"".join(b"line %d of a text, which is %d letters long\n" % (n, n * n) for n in range(300))
ROOM = 64 << 20
WORN = ("many that are none", "names without an end", "members behind the end")
"""The search ends before the last stream."""


def zipped(*members: bytes, deflate: Deflate = by_zlib, behind: bool = False) -> bytes:
    named = {f"member {number}": member for number, member in enumerate(members)}
    return zip_file(named, deflate, behind=behind)


def gzipped(data: bytes, flags: int = 0) -> bytes:
    """gzip with the fields that the flags tell of."""
    packed = gzip_file(data)
    fields = b""
    if flags & 4:
        fields += b"\5\0extra"
    if flags & 8:
        fields += b"a name\0"
    if flags & 16:
        fields += b"a comment\0"
    if flags & 2:
        fields += b"\1\2"
    return packed[:3] + bytes([flags]) + packed[4:10] + fields + packed[10:]


def pdf_like(data: bytes, end_of_line: bytes) -> bytes:
    return b"<< /Length 1 >>\nstream" + end_of_line + zlib.compress(data) + b"\nendstream\n"


FILES = {
    "text": WORDS,
    "other bytes": bytes(range(256)) * 9,
    "zeros": bytes(70000),
    "code": machine_code(3000, with_data=False),
    "several blocks": WORDS * 12,
    "zip": zipped(WORDS, bytes(range(256)) * 4, b""),
    "encrypted zip": zipped(WORDS).replace(b"PK\3\4\x14\0\0", b"PK\3\4\x14\0\1"),
    "zip in a pipe": zipped(WORDS, behind=True),
    "gzip": gzipped(WORDS),
    "gzip with all fields": gzipped(WORDS, 2 | 4 | 8 | 16),
    "gzip of members": gzipped(WORDS) + gzipped(WORDS[:900]),
    "unknown flags of gzip": gzipped(WORDS, 32),
    "PDF": pdf_like(WORDS, b"\n") + pdf_like(b"a", b"\r\n") + b"stream\r" + zlib.compress(WORDS),
    "zlib alone": zlib.compress(WORDS),
    "zip cut": zipped(WORDS)[:-700],
    "name cut": gzipped(WORDS, 8)[:14],
    "extra field cut": gzipped(WORDS, 4)[:11],
    "stream at the end": b"endstream\n",
    "many that are none": 70 * (b"PK\3\4" + bytes(4) + b"\x08" + bytes(21) + b"\xff")
    + gzipped(WORDS),
    "names without an end": 70 * b"\x1f\x8b\x08\x08 an unending name"
    + zipped(WORDS).replace(b"\0", b"x"),
    "members behind the end": 70 * (b"PK\3\4" + bytes(4) + b"\x08\0" + b"\xff" * 20)
    + gzipped(WORDS),
    "stored in deflate": gzip.compress(bytes(range(256)), compresslevel=0),
}


def unpacked(stream: bytes, room: int) -> tuple[bytes, int] | None:
    """A deflate stream at the beginning, by the zlib of this machine: its data, its length."""
    unpacker = zlib.decompressobj(wbits=-15)
    try:
        data = unpacker.decompress(stream)
    except zlib.error:
        return None
    if not unpacker.eof or len(data) > room:
        return None
    return data, len(stream) - len(unpacker.unused_data)


def begin_of_stream(file: bytes, at: int) -> int | None:
    """Step 1 of the rule: where the stream begins that a sign at a place stands before."""

    def number(place: int) -> int:
        return int.from_bytes(file[place : place + 2], "little")

    if file.startswith(b"PK\3\4", at) and number(at + 8) == 8 and not number(at + 6) & 1:
        return at + 30 + number(at + 26) + number(at + 28)
    if file.startswith(b"\x1f\x8b\x08", at) and at + 3 < len(file) and file[at + 3] < 32:
        flags, begin = file[at + 3], at + 10
        if flags & 4:
            begin += 2 + number(begin)
        for flag in (8, 16):
            if flags & flag:
                begin = file.index(0, begin) + 1 if 0 in file[begin:] else len(file)
        return begin + (2 if flags & 2 else 0)
    for sign in (b"stream\n", b"stream\r\n"):
        if file.startswith(sign, at):
            first, second = (*file[at + len(sign) :][:2], 0, 0)[:2]
            if first % 16 == 8 and (256 * first + second) % 31 == 0 and not second & 32:
                return at + len(sign) + 2
    return None


def runs(file: bytes) -> list[bytes]:
    """Steps 1 to 3, as docs/FORMAT.md has them."""
    found, start, at, failures, room = [], 0, 0, 0, ROOM - len(file)
    while at < len(file) and failures < 64:
        begin = begin_of_stream(file, at)
        at += 1
        if begin is None:
            continue
        stream = unpacked(file[begin:], room)
        if stream is None:
            failures += 1
            continue
        found += [file[start:begin], stream[0]]
        room -= len(stream[0])
        start = at = begin + stream[1]
    return [*found, file[start:]]


def kind(block: bytes) -> int:
    """Step 4."""
    controls = sum(byte in {*range(1, 9), *range(14, 27), *range(28, 32)} for byte in block)
    if 50 * controls <= len(block) - block.count(0):
        return TEXT
    calls = sum(block[i] == 0xE8 and block[i + 4] in (0, 255) for i in range(len(block) - 4))
    return CALLS if 256 * calls >= len(block) else BINARY


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_a_base_is_seen_as_the_document_says(file: bytes) -> None:
    blocks = [
        (BlockType(kind(block)), block)
        for run in runs(file)
        for start in range(0, len(run), 65536)
        if (block := run[start : start + 65536])
    ]
    memorised, learned = blocks_of(file)
    assert memorised + learned == blocks
    assert learned == blocks[-16:]


def test_what_the_files_show() -> None:
    """They show something: the rule is taken at each of its turns."""
    seen = {name: blocks_of(file) for name, file in FILES.items()}
    for name in ("zip", "zip in a pipe", "gzip", "gzip with all fields", "PDF"):
        assert (BlockType(TEXT), WORDS) in seen[name][1]
    assert len(seen["gzip of members"][1]) == 5
    for name in ("unknown flags of gzip", "encrypted zip", "zlib alone", "zip cut", *WORN):
        assert WORDS not in [block for _, block in seen[name][1]]
    assert {block_type.kind for block_type, _ in seen["code"][1]} == {CALLS}
    assert {block_type.kind for block_type, _ in seen["other bytes"][1]} == {BINARY}


def test_the_last_blocks_are_learned() -> None:
    memorised, learned = blocks_of(WORDS * 90)
    assert len(memorised) > 1
    assert len(learned) == 16
    assert b"".join(block for _, block in memorised + learned) == WORDS * 90


def test_streams_without_room_stay_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    file = gzipped(WORDS) + gzipped(WORDS[:900])
    monkeypatch.setattr(base_blocks, "MAX_PRIOR_BYTES", len(file) + len(WORDS) - 1)
    blocks = [block for _, block in blocks_of(file)[1]]
    assert WORDS not in blocks
    assert WORDS[:900] in blocks


@given(
    st.lists(
        st.sampled_from([b"PK\3\4", b"\x1f\x8b\x08", b"stream\n\x78\x9c", b"\x08\0", b"\0" * 9])
    )
    .map(b"".join)
    .flatmap(lambda start: st.binary(max_size=200).map(lambda rest: start + rest))
)
def test_any_file_can_be_seen(file: bytes) -> None:
    memorised, learned = blocks_of(file)
    assert [block for _, block in memorised + learned] == [run for run in runs(file) if run]


def test_ids_never_change() -> None:
    """What was compressed with a base once is to be had with it for good."""
    archive = zipped(WORDS, deflate=ours)
    file = WORDS + FILES["code"] + archive[:-900] + gzip_file(bytes(range(256)) * 4, ours) + archive
    assert Base(file, prior=None).id == "d609116a"


def test_a_base_is_the_prior_of_its_frame() -> None:
    base = Base(WORDS)
    assert glnzip.Prior(base.data) == base
    assert base.base is glnzip.SHIPPED_PRIOR
    (info,) = glnzip.frame_info(base.data)
    assert info.prior_id == SHIPPED_PRIOR_ID
    assert info.original_bytes == len(WORDS)


def test_what_cannot_be_a_base(tmp_path: Path) -> None:
    with pytest.raises(BadPriorError, match="the base cannot be used: it is empty"):
        Base(b"")
    with pytest.raises(BadPriorError, match="is longer than the limit, 67,108,864 bytes"):
        Base(bytes(MAX_PRIOR_BYTES + 1))
    (tmp_path / "old").write_bytes(b"")
    with pytest.raises(BadPriorError, match=r"the base .*old cannot be used"):
        Base.load(tmp_path / "old")
    with pytest.raises(FileNotFoundError):
        Base.load(tmp_path / "older")


NEW = WORDS.replace(b"line 150 of", b"the middle of")


@pytest.mark.parametrize("pack", [bytes, zipped, gzipped], ids=["as it is", "zip", "gzip"])
def test_a_new_version_takes_little(pack) -> None:
    old, new = pack(WORDS), pack(NEW)
    base = Base(old, prior=None)
    packed = glnzip.compress(new, level=1, prior=base)
    assert len(packed) < 250
    assert glnzip.decompress(packed, prior=Base(old, prior=None)) == new
    assert 6 * len(packed) < len(glnzip.compress(new, level=1, prior=None))
    with pytest.raises(PriorMismatchError, match=f"needs the prior {base.id}; none was given"):
        glnzip.decompress(packed)
    with pytest.raises(PriorMismatchError, match=f"needs the prior {base.id}; the one given"):
        glnzip.decompress(packed, prior=Base(new, prior=None))
    costs = glnzip.cost_bits(new, level=1, prior=base)
    assert len(packed) - 40 < costs.sum() / 8 < len(packed)


def test_the_example() -> None:
    failed, tried = doctest.testmod(base_module, extraglobs=vars(glnzip))
    assert (failed, tried) == (0, 4)


def test_what_is_packed_in_both_stays_so() -> None:
    """Its pixels are not in the base, but its bytes are."""
    picture = png_file(60, 40)
    base = Base(WORDS + picture, prior=None)
    assert base.has_seen(picture)
    new = NEW + picture
    for is_known in (None, base.has_seen):
        stretch = next_stretch(new, 1, final=True, is_known=is_known)
        assert stretch is not None
        assert (stretch.header is None) == (is_known is not None)
    packed = glnzip.compress(new, level=1, prior=base)
    assert len(packed) < 80
    assert glnzip.decompress(packed, prior=base) == new


def test_a_base_is_pickled_as_a_base() -> None:
    """Another process has to do the same with it, and take no more of it than its file."""
    base = Base(WORDS, prior=None, name="old")
    assert base.has_seen(WORDS[30:])
    pickled = pickle.dumps(base)
    assert len(pickled) < len(WORDS) + 600
    again = pickle.loads(pickled)
    assert (type(again), again.id, again.title) == (Base, base.id, "the base old")
    assert again.has_seen(WORDS[30:])


def test_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file has another base: the cache folder would be full of them."""
    forget_images()
    folder = empty_cache(tmp_path / "cache", monkeypatch)
    before = sorted(folder.rglob("*.hash"))
    base = Base(WORDS, prior=None)
    assert base.hash_is_known
    packed = glnzip.compress(NEW, level=1, prior=base)
    assert images(folder) == []
    assert sorted(folder.rglob("*.hash")) == before
    replays = []
    monkeypatch.setattr(prepared, "_replay", lambda *arguments: replays.append(arguments))
    assert glnzip.decompress(packed, prior=base) == NEW  # this process has it still
    assert replays == []
