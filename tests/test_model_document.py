"""docs/MODEL.md is true and complete: a decoder made from it alone decodes what glnzip codes.

That decoder, `tests.oracles.document`, reads the lists of rows from the document; here they are
compared with the code's, and so are the digests of the constant tables.
"""

from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import pytest

import glnzip
from docs import tables as document_tables
from glnzip.coding.block_codec import BlockCodec, as_seen
from glnzip.format.block_type import (
    A64,
    AUDIO,
    BINARY,
    BITMAP,
    CALLS,
    CALLS_AND_DATA,
    CLASS_FILES,
    FONT,
    IMAGE,
    JPEG,
    LEXICON,
    NUMBERS,
    PYTHON_CODE,
    RECORDS,
    SAMPLE_FORMS,
    TEXT,
    VOLUME,
    WIDE_IMAGE,
    WIDE_VOLUME,
    BlockType,
)
from glnzip.format.levels import MODEL_GENERATION
from glnzip.gln.learning_rate import decaying
from glnzip.gln.logistic import SQUASH, STRETCH
from glnzip.model.build import leave_mix, new_model, restart_learning
from glnzip.model.contexts import word_classes
from glnzip.model.contexts.features import SEGMENT
from glnzip.model.media import (
    image_model,
    sample_build,
)
from glnzip.model.memory.bit_history import FIRST_GUESS, NEXT_STATE, ZERO_REDUNDANCY
from glnzip.model.memory.state_map import RECIPROCALS, new_map
from glnzip.model.mixing.apm import new_apms
from glnzip.model.table.sizes import SIZES
from glnzip.planner import stretches
from glnzip.transforms.x86_addresses import to_absolute
from tests.class_files import class_file
from tests.compact_fonts import compact_font, opentype, private_part
from tests.fixed_data import a64_code, drawing, mosaic, slices, volume
from tests.fonts import font
from tests.make_golden import folder_of
from tests.oracles import document
from tests.oracles.document import history as document_history
from tests.oracles.document import image_model as document_images
from tests.oracles.document import python_modules, tables
from tests.oracles.document.class_files import data_of
from tests.oracles.document.decoder import Block, Mark, Stretch, parts_of
from tests.oracles.document.numbers import DamagedError
from tests.oracles.document.tables import DOCUMENT, names_of, rows_after
from tests.packed import Jpeg, gzip_file, ours, png_file, tar_file, zip_file, zlib_stream
from tests.python_modules import module
from tests.raw_files import library
from tests.samples import hills, machine_code, tone, waves, wide_hills

pytestmark = pytest.mark.slow

GOLDEN = folder_of(MODEL_GENERATION)
IMAGES = sample_build.new_image_model(4)


def digest(table: Any) -> str:
    array = np.ascontiguousarray(table)
    return hashlib.sha256(array.astype(array.dtype.newbyteorder("<")).tobytes()).hexdigest()


def numbers(names: str, module: ModuleType) -> tuple[int, ...]:
    return tuple(getattr(module, name) for name in names_of(names))


def test_the_decoder_is_independent() -> None:
    for file in Path(document.__file__).parent.glob("*.py"):
        assert not re.search(r"^\s*(from|import) glnzip", file.read_text("utf-8"), re.MULTILINE)


def test_digests() -> None:
    found = {
        "STRETCH": STRETCH,
        "SQUASH": SQUASH,
        "RECIPROCALS": RECIPROCALS,
        "NEXT": NEXT_STATE,
        "ZERO_REDUNDANCY": ZERO_REDUNDANCY,
        "FIRST_GUESS": new_map(FIRST_GUESS, 12),
        "FIRST_APM": new_apms(1),
        "SHAPE": IMAGES.samples.shapes[:64],
        "DEVIATIONS": IMAGES.deviations[: 8 * 32 : 8],
        "decaying(0.015, 0.002, 1600)": decaying(0.015, 0.002, 1600),
    }
    rows = [[name, f"{table.dtype}[{table.size}]", digest(table)] for name, table in found.items()]
    assert rows_after("## Constant tables") == rows


def test_the_decoder_makes_the_same_tables() -> None:
    for made, expected in (
        (tables.STRETCH, STRETCH),
        (tables.SQUASH, SQUASH),
        (tables.RECIPROCALS, RECIPROCALS),
        (tables.NEXT, NEXT_STATE),
        (tables.ZERO_REDUNDANCY, ZERO_REDUNDANCY),
        (tables.FIRST_GUESS, new_map(FIRST_GUESS, 12)),
        (tables.FIRST_APM, new_apms(1)),
        (tables.SHAPE, IMAGES.samples.shapes[:64]),
        (tables.DEVIATIONS, IMAGES.deviations[: 8 * 32 : 8]),
        (tables.decaying(0.02, 0.002, 400), decaying(0.02, 0.002, 400.0)),
    ):
        assert np.array_equal(made, expected)


def test_the_tables_are_those_of_the_model() -> None:
    """`make docs` has been run since the last change of the table."""
    assert document_tables.document(DOCUMENT) == DOCUMENT


def test_inputs_of_images() -> None:
    assert [*map(list, document_images.GREY)] == image_model._GREY.tolist()
    assert [*map(list, document_images.COLOUR)] == image_model._COLOUR.tolist()


def test_example() -> None:
    text = re.search(r"```hex sea\n(.*?)```", DOCUMENT, re.DOTALL)[1]  # type: ignore[index]
    lines = [re.match(r"(?:[0-9A-F]{2} ?)+", line)[0] for line in text.splitlines()]  # type: ignore[index]
    frame = bytes.fromhex("".join(lines))
    data = re.search(r"```text\n(.*)\n```", DOCUMENT)[1].encode()  # type: ignore[index]
    assert glnzip.decompress(frame) == data
    decoded, trace = document.decode(frame, len(data))
    assert decoded == data
    listed = re.findall(r"```p\n(.*?)```", DOCUMENT, re.DOTALL)
    first, last = ([*map(int, numbers.split())] for numbers in listed)
    assert trace[: len(first)] == first
    assert trace[-len(last) :] == last


@pytest.mark.parametrize(
    ("name", "level", "most"),
    [
        ("prose", 1, 150),
        ("prose", 2, 40),
        ("prose", 4, 40),
        ("prose", 6, 100),
        ("prose", 8, 40),
        ("table", 9, 60),
        ("records", 1, 150),
        ("records", 3, 40),
        ("records", 6, 100),
        ("records", 7, 40),
        ("code", 5, 100),
        ("bitmap", 1, 150),
        ("image", 1, 100),
        ("sound", 1, 150),
    ],
)
def test_golden_files_begin_as_the_document_says(name: str, level: int, most: int) -> None:
    frame = (GOLDEN / f"{name}.{level}.gln").read_bytes()
    data = np.frombuffer(bytearray((GOLDEN / name).read_bytes()), np.uint8)
    if name == "code":
        to_absolute(data, BlockType(CALLS_AND_DATA))
    assert document.decode(frame, most)[0] == data[:most].tobytes()


def ramp(order: Literal["little", "big"]) -> bytes:
    """A byte that ends a sample, and rising and falling samples of three bytes."""
    samples = (n * 411 * (1, -1)[n & 1] for n in range(-24, 24))
    return b"\3" + b"".join(n.to_bytes(3, order, signed=True) for n in samples)


CHANCE = random.Random(1)
PROSE = b"One man's meat is another man's poison.\nOne man's loss is another man's gain.\n"
LEXICON_TEXT = b"glnzip lexicon\none ITH ano\nmeat loss IS\nman poison HER\n. , '\nEAT\n\n"
WIDE_SLICES = BlockType(WIDE_VOLUME, 10, step=2, sample_form=6, slice_bytes=40)
MEDLEY = (
    (BlockType(TEXT), PROSE),
    (BlockType(IMAGE, 9, step=1), hills(9, 6, 1)),
    (BlockType(IMAGE, 9, step=1), hills(9, 4, 1, seed=2)),  # goes on where the other one stopped
    (BlockType(IMAGE, 20, step=4), hills(5, 4, 4)),
    (BlockType(WIDE_IMAGE, 20, step=4, sample_form=2, phase=1), b"?" + wide_hills(5, 5, 2, 2)[:-1]),
    (BlockType(WIDE_IMAGE, 20, step=4, sample_form=2, phase=0), wide_hills(5, 4, 2, 2, seed=3)),
    (BlockType(WIDE_IMAGE, 14, step=2, sample_form=7), wide_hills(7, 6, 1, 7)),
    (BlockType(WIDE_IMAGE, 14, step=2, sample_form=6, phase=1), wide_hills(7, 3, 1, 6)),
    (BlockType(WIDE_IMAGE, 14, step=2, sample_form=3), wide_hills(7, 4, 1, 3)),
    (BlockType(VOLUME, 6, step=1, slice_bytes=24), volume(4, 4, 6)),
    (BlockType(VOLUME, 6, step=1, slice_bytes=24), volume(2, 3, 6)),  # goes on
    (BlockType(VOLUME, 6, step=1, slice_bytes=26), volume(3, 4, 6)),
    (WIDE_SLICES._replace(phase=1), b"?" + volume(3, 4, 5, wide=True)[:-1]),
    (WIDE_SLICES, volume(2, 4, 5, wide=True)),
    (BlockType(NUMBERS, 0, step=8, sample_form=13, phase=3), b"odd" + waves(12, 13, 2) + b"?"),
    (BlockType(TEXT, 13), PROSE[:52]),
    (BlockType(AUDIO, 0, step=6, sample_form=5, phase=1), ramp("big")),
    (BlockType(AUDIO, 0, step=6, sample_form=4, phase=1), ramp("little")),
    (BlockType(AUDIO, 0, step=1, sample_form=0), tone(60, 1, 1)),
    (BlockType(AUDIO, 0, step=4, sample_form=3, phase=1), tone(20, 3, 2)),
    (BlockType(BINARY, 7), bytes(range(0, 140, 2)) + bytes(40)),
    (BlockType(RECORDS, 4, step=20), slices(6, 5, 4)),
    (BlockType(BINARY), bytes(range(0, 40, 2)) * 3),  # records go on as they were
    (BlockType(BITMAP, 3), bytes([0, 24, 255, 0, 60, 255]) * 5),
    (BlockType(CALLS), machine_code(1)[:80]),
    (BlockType(A64, address=4093), a64_code(120)),
    (BlockType(FONT), font(2, names=0)[100:300]),
    (BlockType(CLASS_FILES), class_file(1)[:250]),
    (BlockType(PYTHON_CODE), module(1)[:400]),
    (BlockType(TEXT), bytes(CHANCE.randrange(256) for _ in range(30))),
    (BlockType(TEXT), PROSE[40:]),
)


def test_block_types_in_turn() -> None:
    """One model of each side sees blocks of all types, coded and stored."""
    codec, model = BlockCodec(new_model(1)), document.Model(1)
    stored = 0
    for block_type, block in MEDLEY:
        stored += code_block(codec, model, block_type, block)
    assert 0 < stored < len(MEDLEY)


@pytest.mark.parametrize(
    ("block_type", "pixels", "phase"),
    [
        (BlockType(IMAGE, 20, step=1), 600, 0),
        (BlockType(IMAGE, 33, step=3), 300, 0),
        (BlockType(IMAGE, 50, step=5), 200, 0),
        (BlockType(WIDE_IMAGE, 32, step=4, sample_form=2), 400, 1),
        (BlockType(WIDE_IMAGE, 32, step=2, sample_form=7), 500, 0),
    ],
)
def test_runs_of_pixels(block_type: BlockType, pixels: int, phase: int) -> None:
    """Bytes exit, and some of them are taken up in the midst; a block ends within a pixel."""
    codec, model = BlockCodec(new_model(1)), document.Model(1)
    step = block_type.step
    width = block_type.row_bytes // step
    data = drawing(width, pixels // width, step)
    pieces = (data[: len(data) // 2 + 1], data[len(data) // 2 + 1 :], hills(width, 2, step), data)
    for piece in pieces:
        code_block(codec, model, block_type._replace(phase=phase), piece)
    learned = int(codec.model.image.squares.seen[: image_model.CHANNELS].sum())
    samples = sum(map(len, pieces)) // SAMPLE_FORMS[block_type.sample_form][0]
    assert samples // 8 < learned < samples * 15 // 16, "samples of bytes that exit are not learned"


@pytest.mark.parametrize(
    ("block_type", "rows"),
    [
        (BlockType(IMAGE, 40, step=1), 18),
        (BlockType(IMAGE, 84, step=3), 12),
        (BlockType(WIDE_IMAGE, 96, step=4, sample_form=7), 10),
    ],
)
def test_what_comes_again_in_an_image(block_type: BlockType, rows: int) -> None:
    """Windows and the match learn; a block ends within a pixel, another image begins."""
    codec, model = BlockCodec(new_model(1)), document.Model(1)
    step = block_type.step
    data = mosaic(block_type.row_bytes // step, rows, step) * 2
    for piece in (data[: len(data) // 2 + 1], data[len(data) // 2 + 1 :]):
        code_block(codec, model, block_type, piece)
    code_block(codec, model, BlockType(TEXT), PROSE[:40])
    code_block(codec, model, block_type, data[: len(data) // 3])
    image = codec.model.image
    seen = np.count_nonzero(image.patterns.run_maps.reshape(-1, 256) & 1023, axis=1)
    assert (seen > 8).all()
    assert np.count_nonzero(image.match.match_maps & 1023) > 8


def test_prior() -> None:
    """What happens in a general prior and at its end, at the level that has all rows."""
    codec, model = BlockCodec(new_model(9)), document.Model(9)
    code_block(codec, model, BlockType(LEXICON), LEXICON_TEXT)
    for block_type in (BlockType(TEXT), BlockType(BINARY)):
        code_block(codec, model, block_type, PROSE[:40])
    assert codec.model.recent.features[word_classes.CLASSES] == 3 << 8 | 4
    leave_mix(codec.model)
    restart_learning(codec.model)
    model.restart()
    for block_type in (BlockType(TEXT), BlockType(BINARY)):
        code_block(codec, model, block_type, PROSE[20:60])
    assert codec.model.recent.features[SEGMENT] == 4, "each block of the prior, and data"


@pytest.mark.parametrize("level", [1, 5, 6, 9])
def test_memorising(level: int) -> None:
    """Blocks are memorised, each of which the codec sees in several slices, and others follow."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    code = machine_code(30)
    for block_type, block in (
        (BlockType(LEXICON), LEXICON_TEXT),
        (BlockType(TEXT), PROSE),
        (BlockType(BINARY, 7), bytes(range(80)) + PROSE[:90]),
        (BlockType(CALLS), code),
        (BlockType(A64, address=2), a64_code(90)),
        (BlockType(FONT), font(2, names=0)[:400]),
        (BlockType(CLASS_FILES), class_file(1)[:400]),
        (BlockType(PYTHON_CODE), module(1)[:500]),
        (BlockType(NUMBERS, 0, step=8, sample_form=13, phase=1), b"?" + waves(12, 13, 2)),
        (BlockType(BITMAP, 3), bytes(range(60))),
        (
            BlockType(TEXT),
            PROSE[30:90] + b"a",
        ),
    ):
        codec.memorise(block, block_type)
        seen = as_seen(block, block_type)
        show = model.learn if block_type.kind == BITMAP else model.memorise
        show(as_read(block_type), seen.tobytes())
    for block_type in (BlockType(TEXT), BlockType(BINARY)):
        code_block(codec, model, block_type, PROSE[20:120])
    code_block(codec, model, BlockType(NUMBERS, 0, step=4, sample_form=13), waves(20, 13))
    leave_mix(codec.model)
    restart_learning(codec.model)
    model.restart()
    code_block(codec, model, BlockType(TEXT), PROSE[20:60])


PAGE = (
    b"BT (One \\(man's) Tj 1 0 0 1 5 Td [(me)5(at)-1.000(lo)-300(ss)-299.9(\0i\0s)]TJ\n"
    b"[(an)-20(other) <0033> -250 (man's)] TJ (poison) 5 Tc [] (meat loss) Tj\n(is)"
)


@pytest.mark.parametrize("level", [1, 6])
def test_shown_text(level: int) -> None:
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    for block_type in (BlockType(TEXT), BlockType(BINARY), BlockType(TEXT)):
        code_block(codec, model, block_type, PAGE)
    if level == 1:  # how far an operator counts is the same at all levels
        code_block(codec, model, BlockType(TEXT), PAGE + bytes(4100) + PROSE)


@pytest.mark.parametrize("level", [1, 9])
def test_documents(level: int) -> None:
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    for _ in range(2):
        for block_type in (BlockType(TEXT), BlockType(BINARY, 7), BlockType(BITMAP, 3)):
            code_block(codec, model, block_type, PROSE[20:60])
        codec.begin_document()
        model.begin_document()
    code_block(codec, model, BlockType(BINARY), PROSE[20:60])
    assert codec.model.recent.features[SEGMENT] == 0


def test_documents_of_samples() -> None:
    """Pictures and sounds of one form: with a mark between them, the one does not go on."""
    codec, model = BlockCodec(new_model(1)), document.Model(1)
    for block_type, block in (
        (BlockType(IMAGE, 18, step=3), hills(6, 5, 3)),
        (BlockType(WIDE_IMAGE, 14, step=2, sample_form=2), wide_hills(7, 4, 1, 2)),
        (BlockType(AUDIO, 0, step=2, sample_form=2), tone(30, 2, 1)),
    ):
        for _ in range(2):
            code_block(codec, model, block_type, block)
            code_block(codec, model, block_type, block)
            codec.begin_document()
            model.begin_document()
    code_block(codec, model, BlockType(TEXT), PROSE[20:60])


@pytest.mark.parametrize("level", [1, 5, 6, 9])
def test_code(level: int) -> None:
    """Instructions in blocks of code, and of other data; half of them are seen again."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    code = machine_code(20)
    for kind in (CALLS, BINARY, CALLS_AND_DATA):
        code_block(codec, model, BlockType(kind), code[:150])
    restart_learning(codec.model)
    model.begin_document()
    codec.model.recent.now[0]["document"] += 1
    code_block(codec, model, BlockType(CALLS), code[75:200])


@pytest.mark.parametrize("level", [1, 5, 6, 9])
def test_a64_code(level: int) -> None:
    """Words at any address, code and other bytes; half of them are seen again."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    code = a64_code(300)
    for address in (0, 4096, 2**28 - 99):
        code_block(codec, model, BlockType(A64, address=address), code[:170])
    code_block(codec, model, BlockType(CALLS_AND_DATA), machine_code(2)[:60])
    noise = bytes(CHANCE.randrange(256) for _ in range(150))
    code_block(codec, model, BlockType(A64, address=1), noise)
    code_block(codec, model, BlockType(A64, address=300), code[80:])


@pytest.mark.parametrize(
    ("level", "form"),
    [
        (1, {"alignment": 1, "long_places": True}),
        (1, {"alignment": 2, "widths_first": True, "seed": 2}),
        (1, {"long_places": True, "widths_first": True, "seed": 3}),
        (6, {"alignment": 2, "seed": 5}),
    ],
)
def test_fonts(level: int, form: dict[str, Any]) -> None:
    """Fonts one behind another, in parts, with something else between, and damaged."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    data = font(20 if level == 1 else 6, names=0, **form)
    named = font(3, names=100, **form)
    at = named.index(b"This")
    damaged = bytearray(data[:1500])
    for place in range(200, len(damaged), 61):
        damaged[place] = CHANCE.randrange(256)
    for block_type, block in (
        (BlockType(FONT), data[:900]),
        (BlockType(FONT), data[900:]),
        (BlockType(FONT), named[:at]),
        (BlockType(TEXT), named[at : at + 100]),
        (BlockType(FONT), named[at + 100 :]),
        (BlockType(A64), a64_code(60)),
        (BlockType(FONT), bytes(damaged)),
    )[: 7 if level == 1 else 3]:
        code_block(codec, model, block_type, block)


@pytest.mark.parametrize("level", [1, 6])
def test_fonts_of_programs(level: int) -> None:
    """Compact fonts and private parts one behind another, in parts, and damaged."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    count = 9 if level == 1 else 3
    compact = compact_font(count)
    other = compact_font(count, seed=2, by_fonts=True)
    damaged = bytearray(compact_font(4, seed=3) + private_part(3))
    for place in range(5, len(damaged), 41):
        damaged[place] = CHANCE.randrange(256)
    for block in (
        compact[:-100],
        compact[-100:],
        opentype(other),
        private_part(count // 2),
        private_part(2, seed=2, name=b"-|"),
        other,
        bytes(damaged),
    )[: 7 if level == 1 else 4]:
        code_block(codec, model, BlockType(FONT), block)


@pytest.mark.parametrize(("level", "forward"), [(1, True), (1, False), (6, True)])
def test_class_files(level: int, forward: bool) -> None:
    """Class files one behind another, in parts, with something else between, and damaged."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    data = class_file(3 if level == 1 else 1, forward=forward)
    other = class_file(2, seed=2, forward=forward)
    damaged = bytearray(other)
    for place in range(10, len(damaged), 77):
        damaged[place] = CHANCE.randrange(256)
    for block_type, block in (
        (BlockType(CLASS_FILES), PROSE[:40] + data),
        (BlockType(A64), a64_code(60)),
        (BlockType(CLASS_FILES), data[300:] + other[:900]),
        (BlockType(CLASS_FILES), bytes(damaged)),
    )[: 4 if level == 1 else 2]:
        code_block(codec, model, block_type, block)
        if block_type.kind == CLASS_FILES:
            assert data_of(as_seen(block, block_type).tobytes()) == block


@pytest.mark.parametrize(
    ("level", "version", "functions"), [(1, 11, 3), (1, 8, 1), (1, 7, 1), (6, 11, 1)]
)
def test_python_modules(level: int, version: int, functions: int) -> None:
    """Modules one behind another, in parts, with something else between, and damaged."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    data = module(functions, seed=2, version=version)
    other = module(functions, seed=7, version=version)
    damaged = bytearray(other)
    for place in range(30, len(damaged), 97):
        damaged[place] = CHANCE.randrange(256)
    for block_type, block in (
        (BlockType(PYTHON_CODE), PROSE[:40] + data),
        (BlockType(A64), a64_code(60)),
        (BlockType(PYTHON_CODE), data[300:] + other[:900]),
        (BlockType(PYTHON_CODE), bytes(damaged)),
    )[: 4 if level == 1 else 2]:
        code_block(codec, model, block_type, block)
        if block_type.kind == PYTHON_CODE:
            seen = as_seen(block, block_type).tobytes()
            assert python_modules.data_of(seen) == block


@pytest.mark.parametrize(("wide", "level"), [(False, 1), (True, 1), (False, 6)])
def test_relocations(wide: bool, level: int) -> None:
    """One program behind another: of the second, the table is told."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    for seed in (1, 2):
        data = library(seed, wide=wide, code=90, data=40)
        code_block(codec, model, BlockType(BINARY), data[:500])
        code_block(codec, model, BlockType(CALLS), data[500:530])
        code_block(codec, model, BlockType(BINARY), data[530:])


@pytest.mark.parametrize("level", [1, 5, 6])
def test_numbers(level: int) -> None:
    """Numbers of every form, smooth ones and any; least squares are solved several times."""
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    for form in (9, 11, 13, 15):
        width = SAMPLE_FORMS[form][0]
        block_type = BlockType(NUMBERS, 6 * width, step=2 * width, sample_form=form)
        code_block(codec, model, block_type, waves(16, form, 2))
        any_numbers = bytes(CHANCE.randrange(256) for _ in range(40)) + b"\x7f\xff" * 12
        code_block(codec, model, block_type._replace(row_bytes=0, phase=width - 1), any_numbers)


@pytest.mark.parametrize("level", [1, 6])
def test_letters_of_16_bits(level: int) -> None:
    codec, model = BlockCodec(new_model(level)), document.Model(level)
    for order in ("utf-16-le", "utf-16-be"):
        for kind in (BINARY, TEXT):
            code_block(codec, model, BlockType(kind), PROSE.decode().encode(order)[:120])


def test_jpeg() -> None:
    """One model of each side sees scans: cut, damaged, without tables, or with others."""
    codec, model = BlockCodec(new_model(1)), document.Model(1)
    colour, grey = Jpeg(3, 3, interval=2, seed=4), Jpeg(9, 2, colour=False, seed=5)
    broken = bytearray(colour.scan[:150])
    broken[40] ^= 8
    sound, other = colour.header[2:], grey.header[2:]
    empty = sound.replace(b"\xff\xc4", b"\xff\xfe")
    progressive = sound.replace(b"\xff\xc0", b"\xff\xc2")
    for segments, *pieces in (
        (b"", grey.scan[:20]),
        (sound, colour.scan + b"\xff\xd9 and more"),
        (other, grey.scan[:90], grey.scan[90:117], grey.scan[117:118], grey.scan[118:]),
        (sound, broken, colour.scan[150:160]),
        (empty, grey.scan[:20]),
        (progressive, colour.scan[:90]),
        (sound[:-1] + b"\1", grey.scan[:20]),
        (b"\xff\xd8" + other, grey.scan[:20]),
    ):
        for block in (segments, *pieces):
            row_bytes = len(segments) * (block is pieces[0])
            kind = TEXT if block is segments else JPEG
            if block:
                code_block(codec, model, BlockType(kind, row_bytes), bytes(block))


def test_a_frame_with_a_picture() -> None:
    picture = Jpeg(2, 2)
    frame = glnzip.compress(picture.data, level=1, prior=None)
    assert any(isinstance(part, Block) and part.block_type.kind == JPEG for part in parts_of(frame))
    assert document.original(frame) == picture.data


@pytest.mark.parametrize(
    ("data", "level"),
    [
        (gzip_file(PROSE, ours, b"meat"), 1),
        (zip_file({"one": PROSE, "two": PROSE[:30]}, ours, stored="two"), 6),
        (tar_file({"one": PROSE})[:600] + zlib_stream(PROSE, ours), 1),
        (png_file(6, 5, 3, ours, chunk=30), 1),
        (png_file(9, 5, 1, ours), 6),
    ],
    ids=["gzip", "zip", "tar", "png", "grey"],
)
def test_frames_of_packed_data(data: bytes, level: int) -> None:
    frame = glnzip.compress(data, level=level, prior=None)
    assert any(isinstance(part, Stretch) for part in parts_of(frame))
    assert document.original(frame) == data


def test_marks_and_stretches_in_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """What begins documents may be small here; the check is of all that is in the frame."""
    monkeypatch.setattr(stretches, "_LEAST_DOCUMENT", 40)
    monkeypatch.setattr(stretches, "_TELLING", 16)
    members = tar_file({"one": bytes(range(0, 240, 3)) * 2, "two": bytes(range(90))})
    data = gzip_file(members[:1700], ours) + gzip_file(PROSE, ours)
    frame = glnzip.compress(data, level=1, prior=None)
    assert any(isinstance(part, Mark) for part in parts_of(frame))
    assert document.original(frame) == data
    damaged = bytearray(frame)
    damaged[-1] ^= 1
    with pytest.raises(DamagedError):
        document.original(bytes(damaged))


def test_contexts_that_give_way_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """In tables much too small, the same contexts are forgotten on both sides."""
    size = SIZES[6]._replace(slot_bits=12, run_bits=7, counter_bits=9)
    monkeypatch.setitem(SIZES, 6, size)
    monkeypatch.setitem(document_history.SIZES, 6, list(size[:6]))
    codec, model = BlockCodec(new_model(6)), document.Model(6)
    assert codec.model.recent.runs.size == 1 << 7
    for block_type in (BlockType(TEXT), BlockType(BINARY)):
        code_block(codec, model, block_type, PROSE)
    assert np.count_nonzero(codec.model.recent.runs) > 100, "runs have given way to others"


def as_read(block_type: BlockType) -> document.BlockType:
    """The type of a block as the document's decoder reads it."""
    sample = block_type.phase << 4 | block_type.sample_form
    rest = block_type.slice_bytes, block_type.address
    return document.BlockType(*block_type[:3], sample, *rest)


def code_block(
    codec: BlockCodec, model: document.Model, block_type: BlockType, block: bytes
) -> bool:
    """Let `model` decode what `codec` codes; tell whether the block would be stored."""
    seen = as_seen(block, block_type)
    payload = codec.encode(block, block_type)
    if payload is None:
        model.learn(as_read(block_type), seen.tobytes())
    else:
        assert model.decode(as_read(block_type), len(block), payload) == seen.tobytes()
    return payload is None
