"""Write the golden files of this generation of models: ``make golden``.

A golden folder holds small inputs and what they were compressed to at every level. It is written
once, when a model generation is released, and read for ever after: `tests.test_golden` fails if a
single byte of the output has changed. So what is there is never touched, only what is missing is
made; whoever changes the bits that a level produces counts `MODEL_GENERATION` up and makes another.

One input is compressed with the shipped prior. One has a prior that is the golden file of another
input, one has a plain prior made of other inputs, and one is compressed in parts; these three at
some levels.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import glnzip
from corpora import make_samples
from glnzip.format.block_type import BINARY, CALLS_AND_DATA, LEXICON, TEXT, BlockType
from glnzip.format.levels import DEFAULT_LEVEL, LEVELS, MIN_LEVEL, MODEL_GENERATION
from glnzip.priors.plain_frame import write_plain_frame
from glnzip.priors.prepared import kept_ready
from tests import fixed_data
from tests.class_files import class_file
from tests.compact_fonts import compact_font, opentype
from tests.fonts import font
from tests.gif import drawn, gif_file, image
from tests.packed import (
    Jpeg,
    bzip2_file,
    gzip_file,
    letter,
    mail,
    ours,
    pdf_of_glyphs,
    pdf_page,
    png_file,
    tar_file,
    type1_font,
    zip_file,
)
from tests.python_modules import module
from tests.raw_files import library
from tests.samples import hills, machine_code, tone, waves, wide_hills
from tests.scans import ManyScans
from tests.tiff import Page, tiff_file

GOLDEN = Path(__file__).parent / "golden"
PROSE = make_samples.HERE / "prose.txt"


def inputs() -> dict[str, bytes]:
    """Small inputs of every kind, by name: each makes the model do something else."""
    chance = random.Random(0)
    noise = bytes(int(256 * chance.random()) for _ in range(300))
    return {
        "empty": b"",
        "one-byte": b"A",
        "noise": noise,
        "lexicon": fixed_data.LEXICON,
        "prose": PROSE.read_bytes()[:3000],
        "table": make_samples.weather_csv()[:2000],
        "records": make_samples.track_bin()[:2000],
        "bitmap": make_samples.tiles_pbm()[8000:13_000],
        "image": hills(40, 40, 3),
        "drawing": b"P6\n40 30\n255\n" + fixed_data.drawing(40, 30, 3),
        "mosaic": b"P6\n40 30\n255\n" + fixed_data.mosaic(40, 30, 3),
        "interlaced": png_file(20, 14, 3, ours, interlaced=True),
        "wide": b"head." + wide_hills(60, 45, 1, 2),
        "slices": fixed_data.slices(12, 100, 24),
        "stack": fixed_data.volume(12, 40, 30),
        "volume": b"head." + fixed_data.volume(9, 36, 30, wide=True),
        "numbers": b"head" + waves(600, 12, 2),
        "sound": b"head" + tone(2200, 2, 1),
        "code": machine_code(20),
        "code-32": machine_code(20, with_data=False),
        "a64": b"head." + fixed_data.a64_code(12_000),
        "outlines": b"head." + font(60),
        "curves": b"head." + opentype(compact_font(12)) + gzip_file(compact_font(9), ours),
        "classes": b"head." + class_file(4) + class_file(3, seed=2, forward=False),
        "modules": b"head." + module(4) + module(3, seed=2, version=8),
        "library": library(1, code=1500, data=400),
        "packed": zip_file({"prose": PROSE.read_bytes()[6300:7300], "image": png_file(9, 7)}, ours),
        "animation": gif_file([image(drawn(40, 30), 40), image(drawn(40, 30, seed=2), 40)]),
        "scan": Jpeg(2, 2, interval=3).data,
        "scans": ManyScans(30, 20, breaks=0.1).data,
        "strips": tiff_file([Page(hills(30, 20, 3), 30), Page(hills(20, 20, 2), 20, 1, 16)]),
        "blocks": tar_file({"a.bz2": bzip2_file(PROSE.read_bytes()[8600:9200] + bytes(300))}),
        "font": mail(gzip_file(type1_font([PROSE.read_bytes()[7300:7400]] * 12), ours)),
        "letter": letter(PROSE.read_bytes()[8000:8600]),
        "glyphs": pdf_of_glyphs(PROSE.read_text(encoding="utf-8")[9200:9500] * 5),
        "page": pdf_page(PROSE.read_bytes()[7400:8000]),
        "archive": tar_file({"noise": noise * 2, "code": machine_code(40)}),
        "mixed": noise + PROSE.read_bytes()[3000:3600] + bytes(500) + noise,
        WITH_PRIOR: PROSE.read_bytes()[3600:4600],
        WITH_PLAIN: PROSE.read_bytes()[6300:7000] + machine_code(8),
        PARTS: PROSE.read_bytes()[4600:5300] + noise,
        SHIPPED: PROSE.read_bytes()[5300:6300],
    }


WITH_PRIOR = "primed"  # the name of what is compressed with a prior ...
PRIMER = "lexicon"  # ... and of the input that was compressed to be that prior
WITH_PLAIN = "plain"  # the name of what is compressed with a plain prior
PARTS = "parts"  # the name of what is compressed in parts ...
PART_BYTES = 400  # ... of this size
SHIPPED = "shipped"  # the name of what is compressed with the shipped prior
FEW_LEVELS = (MIN_LEVEL, DEFAULT_LEVEL)


def levels_of(name: str) -> Sequence[int]:
    """The levels that an input is compressed with."""
    return FEW_LEVELS if name in (WITH_PRIOR, WITH_PLAIN, PARTS) else LEVELS


def packed_files(name: str, folder: Path) -> list[Path]:
    """What an input is compressed to, a file for each of its levels."""
    return [folder / f"{name}.{level}.gln" for level in levels_of(name)]


def prior_of(name: str, level: int, folder: Path) -> glnzip.Prior | None:
    """The prior that an input is compressed with at a level."""
    if name == SHIPPED:
        return glnzip.SHIPPED_PRIOR
    if name == WITH_PLAIN:
        return plain_prior(folder)
    return glnzip.Prior.load(folder / f"{PRIMER}.{level}.gln") if name == WITH_PRIOR else None


def plain_prior(folder: Path) -> glnzip.Prior:
    """A prior of which other inputs are memorised, and the end of one is learned."""
    lexicon, prose, code = ((folder / name).read_bytes() for name in ("lexicon", "prose", "code"))
    memorised = (BlockType(LEXICON), lexicon), (BlockType(TEXT), prose[:2000])
    more = (BlockType(CALLS_AND_DATA), code), (BlockType(BINARY, 9), prose[2000:2500])
    return glnzip.Prior(write_plain_frame([*memorised, *more], [(BlockType(TEXT), prose[2500:])]))


@contextmanager
def ready_prior(name: str, level: int, folder: Path) -> Iterator[glnzip.Prior | None]:
    """The same for a while; nothing but the shipped prior stays in the cache folder."""
    prior = prior_of(name, level, folder)
    with kept_ready(level, prior) if name in (WITH_PRIOR, WITH_PLAIN) and prior else nullcontext():
        yield prior


def compressed(name: str, data: bytes, level: int, folder: Path) -> bytes:
    """What an input is compressed to."""
    block_size = PART_BYTES if name == PARTS else None
    with ready_prior(name, level, folder) as prior:
        return glnzip.compress(data, level=level, prior=prior, block_size=block_size)


def decompressed(name: str, frame: bytes, level: int, folder: Path) -> bytes:
    """What a golden file of an input decodes to."""
    with ready_prior(name, level, folder) as prior:
        return glnzip.decompress(frame, prior=prior)


def folder_of(generation: int) -> Path:
    """Where the golden files of a generation lie."""
    return GOLDEN / str(generation)


def write(folder: Path) -> int:
    """Write the files that are missing; return how many."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for name, data in inputs().items():
        written += _write_new(folder / name, partial(bytes, data))
        for level in levels_of(name):
            frame = partial(compressed, name, data, level, folder)
            written += _write_new(folder / f"{name}.{level}.gln", frame)
    return written


def _write_new(file: Path, content: Callable[[], bytes]) -> bool:
    """Write a file, at once or not at all, unless it is there."""
    if file.exists():
        return False
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_bytes(content())
    unfinished.rename(file)
    return True


def main() -> int:
    """Make what the folder of this generation lacks."""
    folder = folder_of(MODEL_GENERATION)
    written = write(folder)
    if not written:
        print(
            f"{folder} is complete, and golden files are never changed. A model that produces "
            "other bytes needs a new MODEL_GENERATION (glnzip/format/levels.py).",
            file=sys.stderr,
        )
        return 1
    print(f"{folder}: {written} new files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
