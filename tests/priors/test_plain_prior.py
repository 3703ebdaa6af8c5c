"""Plain priors: what a model is shown of them, and what happens to damaged ones."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

import glnzip
from glnzip import Prior
from glnzip.coding.block_codec import BlockCodec
from glnzip.errors import BadPriorError
from glnzip.format.block_type import BITMAP, CALLS, LEXICON, TEXT, BlockType
from glnzip.format.container import (
    BlockHeader,
    FrameEnd,
    FrameHeader,
    StretchHeader,
    write_block_header,
    write_end_tag,
    write_frame_header,
    write_stretch_header,
)
from glnzip.format.levels import MODEL_GENERATION, model_bytes
from glnzip.model.build import leave_mix, new_model, restart_learning
from glnzip.model.roles import named_arrays
from glnzip.priors import checkpoint, prepared, prior_file
from glnzip.priors.allowance import most_bytes
from glnzip.priors.plain_frame import PLAIN_HEADER, PlainFrame, write_plain_frame
from tests.fixed_data import LEXICON as WORDS
from tests.priors.small_priors import RECORD, SAMPLES, empty_cache, forget_images
from tests.samples import machine_code

MEMORISED = [
    (BlockType(LEXICON), WORDS[:400]),
    (BlockType(TEXT), b"".join(SAMPLES[:20])),
    (BlockType(CALLS), machine_code(20, with_data=False)),
    (BlockType(BITMAP, 4), bytes(range(200))),
]
LEARNED = [(BlockType(TEXT), b"".join(SAMPLES[20:]))]
FRAME = write_plain_frame(MEMORISED, LEARNED)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    forget_images()
    return empty_cache(tmp_path / "cache", monkeypatch)


def test_bytes_count_by_the_time_that_they_take() -> None:
    counted: list[int] = []
    frame = next(Prior(FRAME).frames())
    of_memorised, of_learned = frame.reports(counted.append)
    memorised = sum(len(block) for _, block in MEMORISED)
    learned = sum(len(block) for _, block in LEARNED)
    of_memorised(memorised)
    of_learned(learned)
    assert sum(counted) == memorised + learned
    assert counted[1] / learned == pytest.approx(12 * counted[0] / memorised, rel=0.02)
    next(frame.blocks(lambda count: None))
    assert frame.reports(print) == (print, print), "it is not read from its beginning"


@pytest.mark.parametrize(
    ("level", "data"),
    [(1, FRAME), (6, FRAME), (1, lzma.compress(FRAME))],
    ids=["1", "6", "1, by xz"],
)
def test_a_model_memorises_and_then_learns(level: int, data: bytes) -> None:
    codec = BlockCodec(new_model(level))
    for block_type, block in MEMORISED:
        codec.memorise(block, block_type)
    for block_type, block in LEARNED:
        codec.learn(block, block_type)
    leave_mix(codec.model)
    restart_learning(codec.model)
    prior = Prior(data)
    expected = codec.encode(RECORD, BlockType(TEXT))
    assert expected is not None
    frame = glnzip.compress(RECORD, level=level, prior=prior)
    assert expected in frame
    assert glnzip.decompress(frame, prior=prior) == RECORD


def test_what_is_memorised_is_not_learned() -> None:
    model, learned = new_model(6), dict(named_arrays(new_model(6)))
    codec = BlockCodec(model)
    for block_type, block in MEMORISED[:3]:
        codec.memorise(block, block_type)
    changed = {
        name for name, array in named_arrays(model) if not np.array_equal(array, learned[name])
    }
    assert not [name for name in changed if "maps" in name or "network" in name]
    assert {"recent.slots", "recent.runs", "recent.nodes"} <= changed
    assert "recent.counters" not in changed


def test_what_is_memorised_helps() -> None:
    none = write_plain_frame([], LEARNED)
    with_words, without = (
        glnzip.compress(b"".join(SAMPLES[5:9]), level=6, prior=Prior(data))
        for data in (FRAME, none)
    )
    assert len(with_words) < len(without)


def test_the_id_tells_what_is_memorised() -> None:
    blocks = MEMORISED + LEARNED
    priors = [write_plain_frame(blocks[:n], blocks[n:]) for n in range(len(blocks) + 1)]
    assert len({Prior(data).id for data in priors}) == len(priors)


def test_frames_of_all_sorts_are_one_prior() -> None:
    coded = glnzip.compress(SAMPLES[0], level=2, prior=None)
    prior = Prior(FRAME + coded + FRAME)
    assert prior.original_bytes == 2 * Prior(FRAME).original_bytes + len(SAMPLES[0])
    frame = glnzip.compress(RECORD, level=1, prior=prior)
    assert glnzip.decompress(frame, prior=Prior(FRAME + coded + FRAME)) == RECORD


def test_an_interrupted_preparation_is_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was memorised is not seen again, and the rest as it would have been."""
    prior = Prior(FRAME)
    assert prior.id
    with prepared.kept_ready(1, prior):
        expected = glnzip.compress(RECORD, level=1, prior=prior)
    monkeypatch.setattr(checkpoint, "INTERVAL_SECONDS", 0.0)
    shown: list[bytes] = []
    blocks = PlainFrame.blocks

    def noted(frame: PlainFrame, report: object) -> object:
        for block_type, block in blocks(frame, lambda count: None):
            if len(shown) == 3:
                raise KeyboardInterrupt
            shown.append(block)
            yield block_type, block

    with monkeypatch.context() as patch:
        patch.setattr(PlainFrame, "blocks", noted)
        with pytest.raises(KeyboardInterrupt):
            glnzip.compress(RECORD, level=1, prior=prior)
    begun = PlainFrame.__init__
    places: list[tuple[int, bool]] = []

    def watched(frame: PlainFrame, *arguments: object, **options: bool) -> None:
        begun(frame, *arguments, **options)  # type: ignore[arg-type]
        places.append((frame.position, frame.memorised))

    monkeypatch.setattr(PlainFrame, "__init__", watched)
    assert glnzip.compress(RECORD, level=1, prior=prior) == expected
    before = sum(
        len(write_block_header(BlockHeader(True, block_type, len(block), len(block)))) + len(block)
        for block_type, block in MEMORISED[:3]
    )
    assert places == [(len(write_frame_header(PLAIN_HEADER)) + 1 + before, True)]


def test_no_second_model_is_needed() -> None:
    for level in (1, 9):
        assert most_bytes(level, Prior(FRAME)) == model_bytes(level)


@pytest.mark.parametrize("end", range(0, len(FRAME), 37))
def test_one_that_ends_early_is_refused(end: int) -> None:
    with pytest.raises(BadPriorError):
        _ = Prior(FRAME[:end]).id


@pytest.mark.parametrize("at", range(4, len(FRAME), 41))
def test_a_damaged_one_is_refused(at: int) -> None:
    damaged = bytearray(FRAME)
    damaged[at] ^= 4
    with pytest.raises(glnzip.GlnzipError):
        _ = Prior(bytes(damaged)).id


HEAD = write_frame_header(PLAIN_HEADER)
TEXT_BLOCK = BlockHeader(True, BlockType(TEXT), 1, 1)


@pytest.mark.parametrize(
    "rest",
    [
        write_block_header(BlockHeader(False, BlockType(TEXT), 9, 1)) + b"a",
        write_stretch_header(StretchHeader(1, 1, 1)) + 2 * (write_block_header(TEXT_BLOCK) + b"a"),
        b"\x07" + write_block_header(TEXT_BLOCK) + b"a",
    ],
    ids=["coded", "a stretch", "a mark"],
)
def test_blocks_that_no_plain_frame_has(rest: bytes) -> None:
    with pytest.raises(BadPriorError, match="damaged"):
        Prior(HEAD + rest + write_end_tag(FrameEnd(last=True)) + bytes(4))


@pytest.mark.parametrize(("generation", "level"), [(MODEL_GENERATION, 0), (0, 3), (0, 12)])
def test_a_header_that_is_half_plain(generation: int, level: int) -> None:
    header = write_frame_header(FrameHeader(generation, level))
    prior = Prior(header + write_end_tag(FrameEnd(last=True)) + bytes(4))
    with pytest.raises(BadPriorError):
        _ = prior.id


def test_data_cannot_be_plain() -> None:
    for decompress in (glnzip.decompress, glnzip.Decompressor().decompress):
        with pytest.raises(glnzip.UnsupportedStreamError, match="plain: it stands for a prior"):
            decompress(FRAME)


@pytest.mark.parametrize("kind", ["cut", "damaged", "more behind", "too long"])
def test_what_xz_cannot_unpack(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prior_file, "_MOST_FILE_BYTES", 1 << 16)
    packed = lzma.compress(FRAME if kind != "too long" else bytes(1 << 17))
    changed = {
        "cut": packed[:-20],
        "damaged": packed[:60] + bytes([packed[60] ^ 1]) + packed[61:],
        "more behind": packed + b"more",
        "too long": packed,
    }
    with pytest.raises(BadPriorError):
        Prior(changed[kind])
