"""All figures of a piece of data: it is compressed, and measured by a model that does the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from glnzip.analysis.byte_classes import CLASSES, by_class
from glnzip.analysis.explainer import Explainer, Saved
from glnzip.analysis.families import MIXING, Input
from glnzip.analysis.figures import (
    Amount,
    Analysis,
    Part,
    Region,
    Saving,
    Share,
    Size,
    View,
)
from glnzip.analysis.inputs import inputs_of
from glnzip.analysis.rivals import rival_sizes
from glnzip.format.container import (
    CHECK_BYTES,
    BlockHeader,
    FrameEnd,
    FrameHeader,
    write_block_header,
    write_document_mark,
    write_end_tag,
    write_frame_header,
    write_stretch_header,
)
from glnzip.format.kind_names import KIND_NAMES
from glnzip.format.levels import DEFAULT_LEVEL, LEVELS
from glnzip.format.walk import Segment, frame_info
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.streams.cost import Measured, measured_stretches
from glnzip.streams.oneshot import compress
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrPath
    from numpy.typing import NDArray


UNPACKED = "unpacked"
"""The kind of a region whose data were packed, and are unpacked for the model."""
RECIPE = "how it was packed"
"""What the model sees of it beside the content."""
BIASES, LAST_STEPS = "biases", "APMs and rounding"
"""What has saved bits beside the inputs: see `attribution`."""

_COST_UNITS = 1 << 16


def analyse(
    data: ReadableBuffer,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    unpack: bool = True,
    or_none: bool = False,
    every_level: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Analysis:
    """Find out where the bits go when data are compressed.

    Parameters
    ----------
    data
        Any bytes-like object.
    level, prior, unpack, or_none
        As for `glnzip.compress`.
    every_level
        Whether the sizes at all other levels are found out, too.
    progress
        Called with the number of bytes coded since the last call: `passes` times those of the data.

    Raises
    ------
    GlnzipError
        If there is not enough memory for the model, or the prior cannot be used.
    """
    view, prior = byte_view(data), as_prior(prior)
    packed = partial(_packed, view, unpack, progress)
    file = packed(level, prior, or_none)
    segments: list[Segment] = []
    (frame,) = frame_info(file, segments.append)
    used = None if frame.prior_id is None else prior
    saved: dict[str, Saved] = {}
    explained = partial(Explainer, saved=saved)
    stretches = list(measured_stretches(view, level, used, unpack, progress, explained))
    seen = _seen_view(stretches)
    own = _file_view(bytes(view), stretches) if _any_unpacked(stretches) else seen
    sizes = {_name(level, used): len(file)}
    if prior is not None:
        other = None if used is not None else prior
        sizes[_name(level, other)] = len(packed(level, other))
    if every_level:
        sizes |= {_name(n, used): len(packed(n, used)) for n in LEVELS if n != level}
    sizes |= dict(rival_sizes(bytes(view)))
    return Analysis(
        original_bytes=len(view),
        compressed_bytes=len(file),
        level=level,
        prior_id=frame.prior_id,
        data_bits=sum(region.bits for region in seen.regions),
        overhead=_overhead(FrameHeader(frame.generation, level, _id(used)), stretches, segments),
        kinds=_together(Amount(r.kind, r.bytes, r.bits) for r in own.regions),
        unpacked=_together(amount for region in own.regions for amount in region.content),
        classes=_classes(seen),
        savings=[_saving(name, level, each) for name, each in saved.items()],
        sizes=[Size(name, count) for name, count in sizes.items()],
        prior_gain=None if prior is None else _gain(sizes, level, prior),
        file=own,
        seen=seen,
    )


def _packed(
    data: memoryview,
    unpack: bool,
    progress: Callable[[int], object] | None,
    level: int,
    prior: Prior | None,
    or_none: bool = False,
) -> bytes:
    """The data, compressed."""
    return compress(
        data, level=level, prior=prior, unpack=unpack, or_none=or_none, progress=progress
    )


def passes(prior: Prior | None, *, every_level: bool = False) -> int:
    """How often `analyse` codes the data."""
    return 2 + (prior is not None) + (len(LEVELS) - 1 if every_level else 0)


def _name(level: int, prior: Prior | None) -> str:
    """What is to be typed for a level and a prior."""
    if prior is None:
        return f"glnzip -{level} --prior none"
    return f"glnzip -{level}" if prior == SHIPPED_PRIOR else f"glnzip -{level} --prior {prior.id}"


def _gain(sizes: dict[str, int], level: int, prior: Prior) -> int:
    """Bytes that the prior saves."""
    return sizes[_name(level, None)] - sizes[_name(level, prior)]


def _id(prior: Prior | None) -> bytes | None:
    return None if prior is None else bytes.fromhex(prior.id)


def _any_unpacked(stretches: Iterable[Measured]) -> bool:
    return any(stretch.stretch.header is not None for stretch in stretches)


def _file_view(data: bytes, stretches: list[Measured]) -> View:
    """The data as they are."""
    regions: list[Region] = []
    for stretch in stretches:
        if stretch.stretch.header is None:
            _append(regions, _seen(stretch))
        else:
            content = _together(_seen(stretch))
            bits = sum(amount.bits for amount in content)
            regions.append(Region(_end(regions), UNPACKED, len(stretch.original), bits, content))
    return View(data, _joined(stretch.spread() for stretch in stretches), regions)


def _seen_view(stretches: list[Measured]) -> View:
    """The data as the model sees them."""
    regions: list[Region] = []
    for stretch in stretches:
        _append(regions, _seen(stretch))
    data = b"".join(block.data for s in stretches for block in s.stretch.blocks)
    return View(data, _joined(costs for s in stretches for costs in s.costs), regions)


def _joined(costs: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.concatenate([np.zeros(0), *costs])


def _append(regions: list[Region], amounts: Iterable[Amount]) -> None:
    """Add what follows; what is like the last region becomes a part of it."""
    for amount in amounts:
        start, count, bits = _end(regions), amount.bytes, amount.bits
        if regions and regions[-1].kind == amount.name:
            before = regions.pop()
            start, count, bits = before.offset, before.bytes + count, before.bits + bits
        regions.append(Region(start, amount.name, count, bits))


def _end(regions: list[Region]) -> int:
    return regions[-1].offset + regions[-1].bytes if regions else 0


def _seen(stretch: Measured) -> list[Amount]:
    """The blocks of a stretch, by their kinds."""
    header = stretch.stretch.header
    recipe = 0 if header is None else header.recipe_length
    amounts = []
    for block, costs in zip(stretch.stretch.blocks, stretch.costs, strict=True):
        name = RECIPE if recipe > 0 else KIND_NAMES[block.block_type.kind]
        recipe -= len(block.data)
        amounts.append(Amount(name, len(block.data), float(costs.sum())))
    return amounts


def _together(amounts: Iterable[Amount]) -> list[Amount]:
    """Those of a name together, the most bits first."""
    found: dict[str, Amount] = {}
    for amount in amounts:
        before = found.get(amount.name, Amount(amount.name, 0, 0.0))
        count, bits = before.bytes + amount.bytes, before.bits + amount.bits
        found[amount.name] = Amount(amount.name, count, bits)
    return sorted(found.values(), key=lambda amount: -amount.bits)


def _classes(view: View) -> list[Amount]:
    rows = zip(CLASSES, *by_class(view.data, view.costs), strict=True)
    return [Amount(name, int(count), float(bits)) for name, count, bits in rows if count]


def _overhead(
    header: FrameHeader, stretches: list[Measured], segments: list[Segment]
) -> list[Part]:
    """What the file has beside what the data cost."""
    headers = marks = unpacked = 0
    coder = 0.0
    blocks = [block for stretch in stretches for block in stretch.stretch.blocks]
    every_cost = [costs for stretch in stretches for costs in stretch.costs]
    of_blocks = [segment for segment in segments if segment.block_type is not None]
    rows = zip(blocks, every_cost, of_blocks, strict=True)
    for number, (block, costs, segment) in enumerate(rows):
        size = segment.becomes
        own = BlockHeader(size == segment.length, block.block_type, segment.length, size)
        headers += len(write_block_header(own))
        marks += len(write_document_mark()) if block.anew and number else 0
        coder += 8 * size - float(costs.sum())
    for stretch in stretches:
        if stretch.stretch.header is not None:
            unpacked += len(write_stretch_header(stretch.stretch.header))
    parts = [
        Part("what the coder adds", coder),
        Part("headers of blocks", 8 * headers),
        Part("headers of unpacked data", 8 * unpacked),
        Part("marks of documents", 8 * marks),
        Part("header of the file", 8 * len(write_frame_header(header))),
        Part("end mark and checksum", 8 * (len(write_end_tag(FrameEnd(last=True))) + CHECK_BYTES)),
    ]
    return [part for part in parts if part.bits]


def _saving(block_model: str, level: int, saved: Saved) -> Saving:
    """What a block model has saved, by its inputs; the rest is of what comes after them."""
    bits = np.rint(saved.by_inputs * _COST_UNITS) / _COST_UNITS
    names = [*inputs_of(block_model, level), Input(MIXING, BIASES, MIXING)]
    shares = [Share(*name, float(own)) for name, own in zip(names, bits, strict=True) if own]
    rest = 8 * saved.bytes - saved.bits - float(bits.sum())
    return Saving(
        block_model, saved.bytes, saved.bits, [*shares, Share(MIXING, LAST_STEPS, MIXING, rest)]
    )
