"""Messages: next to nothing around the data, and each one as if it were the only one."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glnzip
from corpora import make_samples
from glnzip import MessageCodec
from glnzip.coding.bit_loop import byte_parts
from glnzip.format.block_type import BINARY, TEXT, BlockType
from glnzip.jit import jit_is_on
from glnzip.messages import MAX_MESSAGE_BYTES, message_coder
from glnzip.messages.message_coder import MessageCoder
from glnzip.messages.undo import LOGGED_BYTES
from glnzip.model.roles import named_arrays
from glnzip.model.table.sizes import SIZES
from glnzip.priors import prepared
from glnzip.priors.prepared import kept_ready
from tests.priors.small_priors import RECORD, small_prior

PROSE = (make_samples.HERE / "prose.txt").read_bytes()
RECORDS = make_samples.track_bin()
NOISE = random.Random(1).randbytes(300)

MESSAGES = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=200).map(str.encode),
    st.builds(lambda at, size: PROSE[at : at + size], st.integers(0, 9000), st.integers(0, 400)),
    st.builds(lambda at, size: RECORDS[at : at + size], st.integers(0, 9000), st.integers(0, 400)),
)


@pytest.fixture(scope="module")
def codec() -> MessageCodec:
    return MessageCodec(1, prior=None, check_bytes=0)


@pytest.fixture
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels with all their contexts, but tables that are quickly compared."""
    bits = {"buffer_bits": 16, "slot_bits": 18, "run_bits": 14, "counter_bits": 14}
    sizes = {
        level: size._replace(**bits, match_bits=14, node_bits=17) for level, size in SIZES.items()
    }
    monkeypatch.setattr("glnzip.model.build.SIZES", sizes)


def raw(array: Any) -> Any:
    """The bytes of an array."""
    return array.view(np.ndarray).reshape(-1).view(np.uint8)


def assert_rewound(coder: MessageCoder) -> None:
    """The model of a coder is its origin, byte for byte."""
    assert coder._model is not None
    assert coder._origin is not None
    for form in (TEXT, BINARY):
        view, _ = coder._model.seen_as(form)
        pairs = zip(
            named_arrays(view),
            named_arrays(byte_parts(coder._origin, BlockType(form))),
            strict=True,
        )
        for (name, array), (_, before) in pairs:
            assert np.array_equal(raw(array), raw(before)), name


def ready_coder(level: int, prior: glnzip.Prior | None = None) -> MessageCoder:
    """A coder that has had its first message."""
    coder = MessageCoder(level, prior)
    coder.encode(b"the first")
    return coder


@given(data=MESSAGES)
@settings(max_examples=200)
def test_round_trip(codec: MessageCodec, data: bytes) -> None:
    message = codec.compress(data)
    assert len(message) <= len(data) + 1
    assert codec.decompress(message) == data
    assert codec.compress(data) == message


@pytest.mark.parametrize("check_bytes", range(5))
def test_lengths(check_bytes: int) -> None:
    codec = MessageCodec(1, prior=None, check_bytes=check_bytes)
    assert codec.compress(b"") == codec.decompress(b"") == b""
    for data in (b"\0", b"a", NOISE, PROSE[:300], RECORDS[:300], bytes(10_000), PROSE):
        message = codec.compress(data)
        assert len(message) <= len(data) + 1 + check_bytes
        assert codec.decompress(message) == data
        assert glnzip.decompress_message(
            glnzip.compress_message(data, level=1, prior=None, check_bytes=check_bytes),
            level=1,
            prior=None,
            check_bytes=check_bytes,
        ) == data  # fmt: skip
    assert len(codec.compress(NOISE)) >= len(NOISE) + check_bytes


def test_most_of_a_message_is_payload(codec: MessageCodec) -> None:
    for data in (PROSE[:300], make_samples.orders_json()[:300], bytes(100)):
        assert len(codec.compress(data)) <= len(glnzip.compress(data, level=1, prior=None)) - 14


def test_messages_do_not_depend_on_each_other() -> None:
    """Each is what a codec of its own makes, whatever came before, in either direction."""
    parts = [PROSE[:150], RECORDS[:90], NOISE, PROSE[150 : 151 + LOGGED_BYTES], b"x", PROSE[:9000]]
    alone = [glnzip.compress_message(part, level=1, prior=None) for part in parts]
    codec = MessageCodec(1, prior=None)
    for seed in range(3):
        order = random.Random(seed).sample(range(len(parts)), len(parts))
        for k in order:
            assert codec.compress(parts[k]) == alone[k]
        for k in reversed(order):
            assert codec.decompress(alone[k]) == parts[k]


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 6])
@pytest.mark.parametrize("primed_by", ["nothing", "a prior"])
def test_the_model_is_put_back(small_tables: None, level: int, primed_by: str) -> None:
    prior = None if primed_by == "nothing" else small_prior()
    with kept_ready(level, prior) if prior else nullcontext():
        coder = ready_coder(level, prior)

        @given(data=MESSAGES.filter(bool), damage=st.integers(0, 254))
        @settings(max_examples=6)
        def check(data: bytes, damage: int) -> None:
            payload = coder.encode(data)
            assert_rewound(coder)
            if payload is not None:
                assert coder.decode(payload, len(data)) == data
                assert_rewound(coder)
            with suppress(glnzip.GlnzipError):
                coder.decode(bytes([damage]) + data, 500)
            assert_rewound(coder)

        check()
        longest = (PROSE * 2)[:LOGGED_BYTES]
        for data in (longest, random.Random(2).randbytes(LOGGED_BYTES), bytes(LOGGED_BYTES)):
            coder.encode(data)
            assert_rewound(coder)


def test_what_did_not_end_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    codec = MessageCodec(1, prior=None)
    messages = [codec.compress(PROSE[:200]) for _ in range(2)]
    run = message_coder._run

    def interrupted(*arguments: Any) -> int:
        run(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(message_coder, "_run", interrupted)
        for convert in (codec.compress, codec.decompress):
            with pytest.raises(KeyboardInterrupt):
                convert(PROSE[200:400])
    messages.append(codec.compress(PROSE[:200]))
    assert len(set(messages)) == 1


def test_prior() -> None:
    prior = small_prior()
    with kept_ready(1, prior):
        codec = MessageCodec(1, prior=prior, check_bytes=2)
        for _ in range(3):
            message = codec.compress(RECORD)
            assert codec.decompress(message) == RECORD
        assert len(message) < len(glnzip.compress_message(RECORD, level=1, prior=None)) / 2
    with pytest.raises(glnzip.CorruptStreamError, match="another level or prior"):
        glnzip.decompress_message(message, level=1, prior=None, check_bytes=2)


def test_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a cache folder, and without temporary files, the bytes are the same."""
    prior = small_prior()
    with kept_ready(1, prior):
        expected = glnzip.compress_message(RECORD, level=1, prior=prior)
    replays = []
    replay = prepared._replay

    def counted(*arguments: Any) -> Any:
        replays.append(arguments)
        return replay(*arguments)

    monkeypatch.setattr(prepared, "_kept_image", lambda *_: None)
    monkeypatch.setattr(prepared, "_folder", lambda: None)
    monkeypatch.setattr(prepared, "_hold", lambda *_: None)
    monkeypatch.setattr(prepared, "_replay", counted)
    codec = MessageCodec(1, prior=prior)
    for data in (RECORD, RECORD, PROSE, RECORD):  # the third is too long for the journal
        message = codec.compress(data)
        assert codec.decompress(message) == data
    assert message == expected
    assert len(replays) == 2, "the first message, and the origin of all others"


@pytest.mark.skipif(not jit_is_on(), reason="nothing is compiled")
def test_a_process_that_only_receives_compiles_nothing() -> None:
    """Once the kernels are there, Numba is not even imported."""
    message = glnzip.compress_message(PROSE[:100], level=1, prior=None)
    assert glnzip.decompress_message(message, level=1, prior=None) == PROSE[:100]
    program = (
        "import sys, glnzip\n"
        f"glnzip.decompress_message({message!r}, level=1, prior=None)\n"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"False"]


def test_threads(codec: MessageCodec) -> None:
    parts = [PROSE[k : k + 100] for k in range(0, 1000, 100)]
    expected = [codec.compress(part) for part in parts]
    found: list[tuple[int, bytes, bytes]] = []

    def work(k: int) -> None:
        found.extend((k, codec.compress(parts[k]), codec.decompress(expected[k])) for _ in range(5))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(parts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 5 * len(parts)
    assert all((m, p) == (expected[k], parts[k]) for k, m, p in found)


@given(message=st.binary(max_size=200), limit=st.integers(0, 300))
@settings(max_examples=200)
def test_any_bytes(codec: MessageCodec, message: bytes, limit: int) -> None:
    try:
        data = codec.decompress(message, max_length=limit)
    except glnzip.GlnzipError:
        return
    assert len(data) <= limit


@pytest.mark.parametrize("data", [PROSE[:300], NOISE, bytes(1000)])
def test_limit(codec: MessageCodec, data: bytes) -> None:
    message = codec.compress(data)
    assert codec.decompress(message, max_length=len(data)) == data
    for limit in (0, 1, len(data) - 1):
        with pytest.raises(glnzip.OutputLimitError, match=f"than the {limit} bytes"):
            codec.decompress(message, max_length=limit)


@pytest.mark.parametrize("message", [b"\xff", b"a", b"abcd", b"\xffabcd"])
def test_too_short_for_its_check(message: bytes) -> None:
    codec = MessageCodec(1, prior=None, check_bytes=4)
    wrong = f"these {len(message)} bytes are not a message"
    with pytest.raises(glnzip.CorruptStreamError, match=wrong):
        codec.decompress(message)


def test_check_finds_damage() -> None:
    codec = MessageCodec(1, prior=None, check_bytes=4)
    for data in (PROSE[:100], NOISE[:100]):
        message = codec.compress(data)
        for at in range(0, len(message), 5):
            damaged = bytearray(message)
            damaged[at] ^= 16
            with pytest.raises(glnzip.GlnzipError):
                codec.decompress(damaged, max_length=1000)


def test_misuse(codec: MessageCodec) -> None:
    with pytest.raises(ValueError, match="check_bytes must be 0 to 4, not 5"):
        MessageCodec(check_bytes=5)
    with pytest.raises(ValueError, match="level must be"):
        glnzip.compress_message(b"", level=0)
    with pytest.raises(ValueError, match="too long for a message"):
        codec.compress(bytes(MAX_MESSAGE_BYTES + 1))


GOLDEN = {
    b"A": (
        "8f",
        "8e",
    ),
    b"Camp 2 reached, all well.": (
        "8d75b8376c88386c815943abdffe8734a190e8e4dc86d331",
        "8c96cb599cac825dcdd526d2843cb9ce761aec647798",
    ),
    b'{"id": 17, "ok": true}': (
        "63a567340e144397e22454e9de769d479be7190cfd",
        "63e7dc2fca0388ade507a9571ffe0e942b24df",
    ),
    bytes(range(24)): (
        "fefd95389c5e34835fe975292fd6dcfd3352ae14527a9c0f",
        "feb59b559b3e67726404faffbb3b",
    ),
    b"\0\1\2\3" * 16: (
        "fefd9538a3f542f2f3fd",
        "feb59b5e96",
    ),
    "Grüße".encode(): (
        "8a68947bbe9830",
        "ff4772c3bcc39f65",
    ),
}
"""Messages of levels 1 and 6, without a prior."""


@pytest.mark.parametrize("level", [1, 6])
def test_golden_messages(level: int) -> None:
    """Where these change, all messages that were ever made have become unreadable."""
    codec = MessageCodec(level, prior=None, check_bytes=0)
    for data, messages in GOLDEN.items():
        message = messages[level > 1]
        assert codec.compress(data).hex() == message
        assert codec.decompress(bytes.fromhex(message)) == data
