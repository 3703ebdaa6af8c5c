"""Priors: what they mean, what names them, and what is said when one is missing or wrong."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glnzip
from glnzip import Prior
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.container import (
    BlockHeader,
    FrameHeader,
    read_block_header,
    read_frame_header,
    write_frame_header,
)
from glnzip.format.levels import MODEL_GENERATION
from glnzip.model.build import new_model, restart_learning
from glnzip.model.memory.dmc import FIRST_NODES
from glnzip.model.table.byte_table import DMCS
from glnzip.planner.planner import choose_block_type
from glnzip.priors.prior import _ShippedPrior
from tests.checks import (
    check_round_trip,
    compress_pieces,
    decompress_pieces,
    pieces_of,
    sample,
    with_other_head,
)
from tests.priors.small_priors import RECORD, SAMPLES, empty_cache, small_prior


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder for this module, empty at first."""
    with pytest.MonkeyPatch.context() as patch:
        yield empty_cache(tmp_path_factory.mktemp("cache"), patch)


@pytest.fixture(scope="module")
def prior(cache: Path) -> Prior:
    return small_prior()


def bodies(frame: bytes) -> list[bytes]:
    """The bodies of a frame's blocks."""
    at, found = 0, []

    def take(count: int) -> bytes:
        nonlocal at
        at += count
        return frame[at - count : at]

    read_frame_header(take)
    while isinstance(block := read_block_header(take), BlockHeader):
        found.append(take(block.body_length))
    return found


@pytest.mark.parametrize("level", [1, 2])
def test_a_prior_is_a_stream_that_the_model_has_already_seen(level: int, prior: Prior) -> None:
    """The bytes are those that follow when the model has learned the prior's blocks first."""
    codec = BlockCodec(new_model(level))
    for block in SAMPLES:
        codec.learn(block, choose_block_type(block))
    restart_learning(codec.model)
    payload = codec.encode(RECORD, choose_block_type(RECORD))
    assert payload is not None
    assert bodies(glnzip.compress(RECORD, level=level, prior=prior)) == [payload]


def test_after_a_prior_lasting_machines_remember_and_others_start_afresh() -> None:
    model = new_model(6)
    dmcs = model.recent.dmcs
    dmcs["used"] = FIRST_NODES
    restart_learning(model)
    assert dmcs["used"].tolist() == [FIRST_NODES * row.lasting for row in DMCS]
    assert len(set(dmcs["used"])) == 2


def test_a_prior_helps(prior: Prior) -> None:
    with_it = check_round_trip(RECORD, 1, prior)
    assert len(with_it) < len(check_round_trip(RECORD, 1)) - 8
    (info,) = glnzip.frame_info(with_it)
    assert info.prior_id == prior.id
    assert glnzip.decompress(prior.data) == b"".join(SAMPLES)


def test_data_of_all_kinds_survive(prior: Prior) -> None:
    for data in (b"", b"A", sample(3000), bytes(1000), b"".join(SAMPLES) * 2):
        check_round_trip(data, 1, prior)


@settings(max_examples=6)
@given(
    st.builds(sample, st.integers(0, 1500), st.integers(0, 99)),
    st.lists(st.integers(1, 700), min_size=1, max_size=4),
    st.just(-1) | st.integers(1, 100),
)
def test_pieces_never_show(data: bytes, sizes: list[int], max_length: int) -> None:
    prior = small_prior()
    frame = glnzip.compress(data, level=1, prior=prior)
    assert compress_pieces(pieces_of(data, sizes), 1, prior) == frame
    assert decompress_pieces(pieces_of(frame, sizes), max_length, prior) == data


def test_the_id_is_that_of_the_content(prior: Prior) -> None:
    assert prior.id == "1c033b63"  # for ever
    assert Prior(prior.data).id == prior.id
    assert small_prior(level=3).data != prior.data
    assert small_prior(level=3).id == prior.id
    others = [
        Prior(glnzip.compress(b"".join(SAMPLES), level=1, prior=None)),  # other boundaries
        Prior(glnzip.compress(b"".join(SAMPLES), level=1, prior=prior), prior=prior),
        Prior(prior.data + glnzip.compress(b"", prior=None)),
        Prior(prior.data + prior.data),
    ]
    assert others[2].id == prior.id  # no blocks, no difference
    assert len({other.id for other in (prior, *others)}) == len(others)
    assert repr(prior) == f"<glnzip.Prior {prior.id}>"


def test_the_id_is_found_once(prior: Prior, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Prior(prior.data).hash_is_known
    monkeypatch.setattr(Prior, "frames", None)
    assert Prior(prior.data).id == prior.id


def test_any_stream_is_a_prior(tmp_path: Path) -> None:
    path = tmp_path / "older version.gln"
    path.write_bytes(glnzip.compress(sample(2000), level=1, prior=None))
    prior = Prior.load(path)
    assert prior.base is None
    assert prior.original_bytes == 2000
    assert len(check_round_trip(sample(2000), 1, prior)) < 100


def test_a_prior_on_a_prior(prior: Prior) -> None:
    text = b"and now for something else, which is not a record at all. " * 3
    stacked = Prior(glnzip.compress(text, level=1, prior=prior), prior=prior)
    assert stacked.base is prior
    for data in (RECORD, text):
        assert len(check_round_trip(data, 1, stacked)) < len(check_round_trip(data, 1)) - 5
        check_round_trip(data, 2, stacked)
    with pytest.raises(glnzip.PriorMismatchError, match=prior.id):
        Prior(stacked.data)


def test_priors_are_pickled_as_they_were_made(prior: Prior, tmp_path: Path) -> None:
    """With the prior that they stand on and the hash that was found, without what was decoded."""
    stacked = Prior(glnzip.compress(b"more", prior=prior), prior=prior, name="stacked")
    assert stacked.original_bytes == 4
    pickled = pickle.dumps(stacked)
    assert len(pickled) < len(stacked.data) + len(prior.data) + 500
    again = pickle.loads(pickled)
    assert (again.data, again.title, again.base) == (stacked.data, stacked.title, prior)
    assert not again.hash_is_known
    again = pickle.loads(pickle.dumps((stacked.id, stacked)))[1]
    assert again._hash == stacked.content_hash


def test_the_shipped_prior_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(glnzip.SHIPPED_PRIOR)) is glnzip.SHIPPED_PRIOR


def test_frames_of_several_levels_are_one_prior(prior: Prior) -> None:
    once = Prior(prior.data + small_prior(level=2).data)
    same = Prior(small_prior(level=2).data + prior.data)
    assert once.id == same.id
    for level in (1, 2):
        assert check_round_trip(RECORD, level, once) == check_round_trip(RECORD, level, same)


def test_no_prior_or_a_wrong_one_is_an_error_that_names_it(prior: Prior, tmp_path: Path) -> None:
    frame = glnzip.compress(RECORD, level=1, prior=prior)
    other = Prior(glnzip.compress(b"other", level=1, prior=None))
    with pytest.raises(glnzip.PriorMismatchError, match=f"needs the prior {prior.id}; none was"):
        glnzip.decompress(frame)
    with pytest.raises(glnzip.PriorMismatchError, match=f"{prior.id}; the one given is {other.id}"):
        glnzip.decompress(frame, prior=other)
    with pytest.raises(glnzip.PriorMismatchError, match=prior.id):
        glnzip.Decompressor(prior=glnzip.SHIPPED_PRIOR).decompress(frame[:11])
    (tmp_path / "file").write_bytes(frame)
    with glnzip.open(tmp_path / "file") as file, pytest.raises(glnzip.PriorMismatchError):
        file.read()
    with glnzip.open(tmp_path / "file", prior=prior) as file:
        assert file.read() == RECORD


def test_priors_of_the_same_id_are_told_apart(
    prior: Prior, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_round_trip(RECORD, 1, prior)
    imposter = Prior(glnzip.compress(b"something else", level=1, prior=None))
    imposter._hash = prior.id + 56 * "0"
    monkeypatch.setattr(imposter, "_learn_hash", lambda found: None)
    frame = check_round_trip(RECORD, 1, imposter)
    with pytest.raises(glnzip.CorruptStreamError, match="check"):
        glnzip.decompress(frame, prior=prior)


def test_a_prior_that_is_not_needed_does_no_harm(prior: Prior) -> None:
    stream = glnzip.compress(b"no", level=1, prior=None) + glnzip.compress(
        b"yes", level=1, prior=prior
    )
    assert glnzip.decompress(stream, prior=prior) == b"noyes"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no stream",
        small_prior().data[:-1],
        small_prior().data + b"\n",
        write_frame_header(FrameHeader(MODEL_GENERATION, 1)),
    ],
)
def test_a_file_that_is_no_stream_is_refused_at_once(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(data)
    with pytest.raises(glnzip.BadPriorError, match=r"the prior .*bad is damaged"):
        Prior.load(tmp_path / "bad")


@pytest.mark.parametrize("at", [0, 5, 8, -200, -20, -1])
def test_a_damaged_prior_is_blamed_and_not_the_data(at: int, prior: Prior, tmp_path: Path) -> None:
    """Somebody might take sound data for damaged, and throw them away."""
    stacked = Prior(glnzip.compress(b"more", level=1, prior=prior), prior=prior)
    frame = glnzip.compress(RECORD, level=1, prior=stacked)
    damaged = bytearray(prior.data)
    damaged[at] ^= 4
    (tmp_path / "bad.gln").write_bytes(damaged)
    (tmp_path / "on bad.gln").write_bytes(stacked.data)
    uses = [
        lambda: glnzip.compress(RECORD, level=1, prior=tmp_path / "bad.gln"),
        lambda: glnzip.decompress(frame, prior=tmp_path / "bad.gln"),
        lambda: glnzip.compress_message(RECORD, level=1, prior=tmp_path / "bad.gln"),
        lambda: Prior.load(tmp_path / "on bad.gln", prior=tmp_path / "bad.gln"),
    ]
    for use in uses:
        with pytest.raises(glnzip.BadPriorError, match=r"the prior .*/bad\.gln "):
            use()


def test_a_shipped_prior_that_is_another_one_is_refused(
    prior: Prior, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is compressed with it could be read nowhere else."""
    shipped = _ShippedPrior()
    monkeypatch.setattr(shipped, "data", prior.data)
    with pytest.raises(glnzip.BadPriorError, match="the shipped prior has the id of another"):
        glnzip.compress(RECORD, level=1, prior=shipped)


def test_a_prior_may_be_named_by_its_path(prior: Prior, tmp_path: Path) -> None:
    path = tmp_path / "p.gln"
    path.write_bytes(prior.data)
    frame = glnzip.compress(RECORD, level=1, prior=prior)
    for name in (path, str(path)):
        assert glnzip.compress(RECORD, level=1, prior=name) == frame
        assert glnzip.decompress(frame, prior=name) == RECORD
        assert glnzip.train_prior([RECORD], base=name, level=1).base is None
    with pytest.raises(TypeError, match="a path or None is needed, not int"):
        glnzip.compress(RECORD, prior=1)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        glnzip.compress(RECORD, prior=tmp_path / "missing")


def test_priors_are_equal_that_mean_the_same(prior: Prior) -> None:
    other = Prior(glnzip.compress(b"other", level=1, prior=None))
    assert {prior, small_prior(level=3), other} == {prior, other}
    assert prior != other
    assert prior != prior.id


def test_a_prior_of_another_generation_is_refused() -> None:
    data = with_other_head(small_prior().data, generation=15)
    with pytest.raises(glnzip.BadPriorError, match=r"cannot be used: .* generation 15"):
        Prior(data).id  # noqa: B018


def test_a_prior_cannot_be_endless() -> None:
    header = write_frame_header(FrameHeader(MODEL_GENERATION, 1))
    bomb = header + b"\x01\x80\x80\x40\x00" * 65 + b"\x00" + bytes(4)
    with pytest.raises(glnzip.BadPriorError, match="too long for a prior"):
        Prior(bomb)


def test_end_block_keeps_the_model_and_lets_the_receiver_go_on(prior: Prior) -> None:
    compressor = glnzip.Compressor(1, prior=prior)
    decompressor = glnzip.Decompressor(prior=prior)
    sizes = []
    for block in (RECORD, b"", RECORD, RECORD):
        piece = compressor.compress(block) + compressor.end_block()
        assert decompressor.decompress(piece) == block
        sizes.append(len(piece))
    assert sizes[0] > sizes[2] > sizes[1]
    decompressor.decompress(compressor.flush())
    assert decompressor.eof
