"""Decode what nobody has written: ``python -m tests.fuzz container --runs 1000000``.

Each target takes any bytes and checks what must hold for all of them. With `atheris` installed
(``pip install atheris``), inputs are those that reach new code, beginning with the sound ones in
`seeds`; else the sound ones are damaged at random. The tests run a short campaign of the second
kind; docs/SECURITY.md says what the long ones have found.

container   Headers and blocks, through every reader there is, with the quick model of the tests.
sealed      The same where every check is right, which only a sender who means it can make.
prior       Those as files of priors.
decoder     One block after the other for a real model, which also learns them: whatever the bytes
            are, with ``NUMBA_BOUNDSCHECK=1`` no index may be out of bounds.
messages    The same for short messages, which must also come back.
unpacking   Files that carry packed data, unpacked and packed again: the same, whatever they are.
recipes     What they were unpacked to, packed again: data or an error.
"""

from __future__ import annotations

import argparse
import io
import lzma
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

SECONDS = 5.0
"""Of the processor: no input may take longer."""
MAX_OUTPUT = 1 << 14
MAX_PIECE = 300

Check = Callable[[bytes], object]


def container() -> Check:
    """Every reader of streams raises nothing but `GlnzipError`, and all agree."""
    import glnzip
    from tests.checks import pieces_of

    def read_all(data: bytes) -> None:
        outcomes: list[bytes | None] = []
        for read in (whole, in_pieces, from_file, by_threads):
            try:
                outcomes.append(read(data))
            except glnzip.GlnzipError:
                outcomes.append(None)
        assert outcomes[0] == outcomes[2] == outcomes[3]
        frames = walk(data)
        check_zeros(data)
        sink = io.BytesIO()
        try:
            recovery = glnzip.recover(io.BytesIO(data), sink, max_output=MAX_OUTPUT)
        except glnzip.OutputLimitError:
            return
        if outcomes[0] is not None:
            assert recovery.complete
            assert sink.getvalue() == outcomes[0]
            assert frames is not None
            assert sum(frame.original_bytes for frame in frames) == len(outcomes[0])
            assert outcomes[1] is None or outcomes[1] == outcomes[0]

    def check_zeros(data: bytes) -> None:
        """Without a limit to the output, what is missing is in proportion to the file."""
        sink = io.BytesIO()
        try:
            recovery = glnzip.recover(io.BytesIO(data), sink)
        except glnzip.OutputLimitError:
            assert not sink.getvalue()
        else:
            assert sink.tell() - recovery.original_bytes <= 4096 * len(data)

    def whole(data: bytes) -> bytes:
        return glnzip.decompress(data, max_output=MAX_OUTPUT)

    def by_threads(data: bytes) -> bytes:
        return glnzip.decompress(data, max_output=MAX_OUTPUT, memory_limit=1 << 33, threads=2)

    def in_pieces(data: bytes) -> bytes:
        decompressor = glnzip.Decompressor()
        output = b""
        for piece in pieces_of(data, [7]):
            if decompressor.eof or len(output) > MAX_OUTPUT:
                raise glnzip.OutputLimitError("another frame, or too much")
            output += decompressor.decompress(piece)
        if not decompressor.eof:
            raise glnzip.TruncatedStreamError("no end")
        return output

    def from_file(data: bytes) -> bytes:
        with glnzip.open(io.BytesIO(data)) as file:
            output = file.read(MAX_OUTPUT + 1)
            if len(output) > MAX_OUTPUT:
                raise glnzip.OutputLimitError("too much")
            return output

    def walk(data: bytes) -> list[glnzip.FrameInfo] | None:
        try:
            return list(glnzip.frame_info(data))
        except glnzip.GlnzipError:
            return None

    return read_all


def prior() -> Check:
    """Any bytes are a prior or raise a `GlnzipError`, at once or when they are decoded."""
    from glnzip import GlnzipError, Prior

    def read_prior(data: bytes) -> None:
        try:
            prior = Prior(data)
            blocks = [
                block for frame in prior.frames() for _, block in frame.blocks(lambda count: None)
            ]
        except GlnzipError:
            return
        assert prior.original_bytes == sum(map(len, blocks))
        assert prior.hash_is_known

    return read_prior


def decoder() -> Check:
    """A real model decodes and learns any block, and its neurons keep to their own rows."""
    from glnzip.coding.block_codec import BlockCodec
    from glnzip.errors import GlnzipError
    from glnzip.format.block_type import IMAGE, TEXT, BlockType
    from glnzip.format.container import BlockHeader, read_block_header
    from glnzip.format.levels import MIN_LEVEL
    from glnzip.model.build import new_model
    from tests.model.model_parts import contexts_fit, networks_of

    codec = BlockCodec(new_model(MIN_LEVEL))
    networks = list(networks_of(codec.model))
    for block_type in (BlockType(TEXT), BlockType(IMAGE, 3, 3)):  # compiles, if need be
        codec.learn(b"abc", block_type)

    def decode_and_learn(data: bytes) -> None:
        source = io.BytesIO(data)

        def take(count: int) -> bytes:
            taken = source.read(count)
            if len(taken) < count:
                raise GlnzipError("the input has ended")
            return taken

        block_type, length = BlockType(TEXT), len(data)
        try:
            header = read_block_header(take)
            if isinstance(header, BlockHeader):
                block_type, length = header.block_type, header.length
        except GlnzipError:
            pass
        body = source.read(MAX_PIECE)
        length = 1 + length % MAX_PIECE
        codec.begin_decode(body, length, block_type)
        decoded = b""
        while piece := codec.decode(64):
            decoded += piece
            assert all(map(contexts_fit, networks))
        assert len(decoded) == length
        if body:
            codec.learn(body, block_type)
            assert all(map(contexts_fit, networks))

    return decode_and_learn


def messages() -> Check:
    """Any bytes are a message or a `GlnzipError`, and any bytes can be sent as one."""
    from glnzip.errors import GlnzipError
    from glnzip.format.levels import MIN_LEVEL
    from glnzip.messages import MessageCodec

    codec = MessageCodec(MIN_LEVEL, prior=None, check_bytes=0)
    for form in (b"some text, ", bytes(range(20))):  # compiles, if need be
        codec.compress(form)

    def receive_and_send(data: bytes) -> None:
        try:
            received = codec.decompress(data, max_length=MAX_PIECE)
        except GlnzipError:
            received = data
        assert len(received) <= max(MAX_PIECE, len(data))
        sent = codec.compress(data[:MAX_PIECE])
        assert len(sent) <= len(data) + 1
        assert codec.decompress(sent) == data[:MAX_PIECE]

    return receive_and_send


def unpacking() -> Check:
    """Any bytes come back, and a recipe is only there where it does that."""
    from glnzip.transforms.unpacking.repack import Repacker
    from glnzip.transforms.unpacking.unpack import unpack

    def unpack_and_pack(data: bytes) -> None:
        for final in (True, False):
            packer = Repacker()
            begun = None
            rest = data
            while rest:
                made = unpack(rest, final=final, begun=begun)
                packed = packer.repack(made.recipe, made.content) if made.recipe else made.content
                assert packed == rest[: made.taken]
                assert sum(piece.length for piece in made.pieces) == len(made.content)
                rest, begun = rest[made.taken :], made.begun
                if begun is None:
                    break
                assert made.taken or not final
                if not made.taken:
                    break
            assert not rest or not final

    return unpack_and_pack


def portions() -> Check:
    """The same where streams are too long for a stretch."""
    from tests.little_room import stretches

    def unpack_and_pack(data: bytes) -> None:
        stretches(data, piece=len(data) % 3 * 900)

    return unpack_and_pack


def recipes() -> Check:
    """Any recipe and content make data or a `GlnzipError`, also where a stream goes on."""
    from glnzip.errors import GlnzipError
    from glnzip.format.container import STRETCH_BYTES
    from glnzip.transforms.unpacking.repack import Repacker

    def pack(data: bytes) -> None:
        length = int.from_bytes(data[:2], "little")
        packer = Repacker()
        for _ in range(2):
            try:
                packed = packer.repack(data[2 : 2 + length], data[2 + length :])
            except GlnzipError:
                return
            assert len(packed) <= STRETCH_BYTES

    return pack


TARGETS: dict[str, Callable[[], Check]] = {
    "container": container,
    "sealed": container,
    "prior": prior,
    "decoder": decoder,
    "messages": messages,
    "unpacking": unpacking,
    "portions": portions,
    "recipes": recipes,
}

QUICK = ("container", "sealed", "prior")
"""What meets the quick model."""


CHECKS = (
    ("glnzip.format.container", "header_check"),
    ("glnzip.frames.decoder", "crc32"),
    ("glnzip.frames.writer", "crc32"),
)
"""What computes the checks of a frame: module and name."""


def use_its_model(target: str) -> None:
    """See to it that the target meets the model that it is for."""
    if target in QUICK:
        import pytest

        from tests.conftest import use_quick_model

        use_quick_model(pytest.MonkeyPatch())
    if target == "portions":
        import pytest

        from tests.little_room import leave_little_room

        leave_little_room(pytest.MonkeyPatch())
    if target == "prior":
        os.environ["GLNZIP_CACHE_DIR"] = os.devnull  # else the hashes of all would be kept
    if target in ("sealed", "prior"):
        for module, name in CHECKS:
            vars(import_module(module))[name] = no_check


def no_check(data: bytes, check: int = 0) -> int:
    """Stand in for them so that a frame stays right, whatever becomes of its content."""
    return 0


def seeds(target: str) -> list[bytes]:
    """Sound inputs to begin with."""
    import glnzip
    from glnzip.format.container import BlockHeader, write_block_header
    from tests.checks import sample
    from tests.fixed_data import LEXICON
    from tests.packed import OTHERS, all_kinds, gzip_file, ours, png_file

    carriers = list(all_kinds(LEXICON[:300], ours).values())
    carriers += [gzip_file(LEXICON, deflate) for deflate in OTHERS]
    if target == "unpacking":
        return carriers
    if target == "portions":
        return [*carriers, *(gzip_file(LEXICON * n) for n in (2, 9)), png_file(40, 60, 3)]
    if target == "recipes":
        from glnzip.transforms.unpacking.unpack import unpack

        made = [unpack(data, final=True) for data in carriers]
        return [
            len(m.recipe).to_bytes(2, "little") + m.recipe + m.content for m in made if m.recipe
        ]
    if target in QUICK:
        data = [sample(length, length) for length in (0, 1, 40, 200)]
        plain = [glnzip.compress(some, prior=None) for some in (*data, *carriers[:2])]
        parts = [glnzip.compress(some, prior=None, block_size=50) for some in data]
        coded = plain + parts + [b"".join(plain), parts[-1] + plain[-1]]
        if target == "prior":
            coded += [*plain_frames(), plain[-1] + plain_frames()[0]]
        return coded
    if target == "messages":
        from glnzip.messages import MessageCodec

        codec = MessageCodec(1, prior=None, check_bytes=0)
        return [codec.compress(sample(length, length)) for length in (1, 5, 30, 100, 250)]
    from tests.hostile_blocks import plans_of_bytes, plans_of_numbers

    chance = random.Random(1)
    return [
        write_block_header(BlockHeader(False, block_type, 100, 50)) + chance.randbytes(50)
        for block_type in (*plans_of_bytes(chance), *plans_of_numbers())
    ]


def plain_frames() -> list[bytes]:
    """What only a prior can have, as it is and packed by xz."""
    from glnzip.format.block_type import IMAGE, TEXT, BlockType
    from glnzip.priors.plain_frame import write_plain_frame

    blocks = [(BlockType(TEXT), b"text " * 9), (BlockType(IMAGE, 3, 3), bytes(range(60)))]
    frames = [write_plain_frame(blocks, blocks[:1]), write_plain_frame([], [])]
    return [*frames, *map(lzma.compress, frames)]


def damaged(chance: random.Random, sound: list[bytes]) -> bytes:
    """One of the sound inputs, or the pieces of several, with some bytes changed."""
    data = bytearray(chance.choice(sound))
    for _ in range(chance.choice((0, 1, 1, 2, 5))):
        start = chance.randrange(len(data) + 1)
        end = start + chance.choice((0, 1, 1, 2, 4, 30))
        other = chance.choice(sound)
        at = chance.randrange(len(other) + 1)
        data[start:end] = chance.choice(
            (
                b"",
                bytes([chance.choice((0, 1, 2, 4, 0x7F, 0x80, 0xFF, chance.randrange(256)))]),
                chance.randbytes(end - start),
                other[at : at + chance.choice((1, 4, 40))],
            )
        )
    return bytes(data)


def in_time(check: Check) -> Check:
    """The check, which fails also when it takes too long."""

    def timed(data: bytes) -> None:
        start = time.process_time()
        check(data)
        assert time.process_time() - start < SECONDS, "too slow"

    return timed


def run_random(target: str, runs: int, seed: int) -> None:
    """Check `runs` damaged inputs; the one that fails is told."""
    check, sound = in_time(TARGETS[target]()), seeds(target)
    chance = random.Random(seed)
    for _ in range(runs):
        data = damaged(chance, sound)
        try:
            check(data)
        except BaseException:
            print(f"{target}: fails for {data.hex()}", file=sys.stderr)
            raise


def run_guided(target: str, runs: int, seed: int, corpus: Path) -> None:
    """The same by atheris, which looks for inputs that reach new code; does not return."""
    import atheris

    with atheris.instrument_imports(include=["glnzip"]):  # all that is first imported here
        use_its_model(target)
        check = in_time(TARGETS[target]())
    for number, data in enumerate(seeds(target)):
        (corpus / f"seed-{number}").write_bytes(data)
    options = [
        f"-runs={runs}",
        f"-seed={seed}",
        "-timeout=10",
        "-max_len=600",
        "-rss_limit_mb=2000",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], check)
    atheris.Fuzz()


def main() -> None:
    """Run a campaign as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guided", action="store_true", help="by atheris")
    options = parser.parse_args()
    if options.guided:
        run_guided(options.target, options.runs, options.seed, Path(tempfile.mkdtemp()))
    use_its_model(options.target)
    start = time.monotonic()
    run_random(options.target, options.runs, options.seed)
    print(
        f"{options.target}: {options.runs:,} inputs in {time.monotonic() - start:.0f} s, all well"
    )


if __name__ == "__main__":
    main()
