"""Frames in the making, of a level and a prior: alone, or as the parts of a whole."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from operator import index
from typing import TYPE_CHECKING

from glnzip.format.container import WHOLE_BYTES, FrameHeader, Place
from glnzip.format.levels import MODEL_GENERATION
from glnzip.frames.either import EitherFrame
from glnzip.frames.writer import FrameWriter
from glnzip.priors.allowance import NO_LIMITS
from glnzip.priors.opening import open_codec

if TYPE_CHECKING:
    from collections.abc import Callable

    from glnzip.priors.prior import Prior


def new_frame(
    level: int,
    prior: Prior | None,
    progress: Callable[[int], object] | None,
    place: Place | None,
    *,
    unpacks: bool = True,
    or_none: bool = False,
) -> FrameWriter | EitherFrame:
    """A frame whose data belong at `place`, if it is a part; its first block opens the codec.

    With `or_none`, it may turn out to have no prior.
    """
    if or_none and prior is not None:
        first = partial(_new_frame, level, prior, progress, place, unpacks=unpacks)
        second = partial(_new_frame, level, None, None, place, unpacks=unpacks)
        return EitherFrame(first, second)
    return _new_frame(level, prior, progress, place, unpacks=unpacks)


def _new_frame(
    level: int,
    prior: Prior | None,
    progress: Callable[[int], object] | None,
    place: Place | None,
    *,
    unpacks: bool,
) -> FrameWriter:
    prior_id = None if prior is None else bytes.fromhex(prior.id)
    header = FrameHeader(MODEL_GENERATION, level, prior_id, place)
    opened = partial(open_codec, level, prior, NO_LIMITS, progress)
    is_known = None if prior is None else prior.has_seen
    return FrameWriter(header, opened, progress, unpacks=unpacks, is_known=is_known)


def whole_name(level: int, prior: Prior | None, block_size: int, first_block: bytes) -> bytes:
    """The name of a whole: the same for the same data, another one for most others."""
    description = f"{level} {prior and prior.id} {block_size} ".encode()
    return sha256(description + first_block).digest()[:WHOLE_BYTES]


def check_block_size(block_size: int) -> int:
    """Return `block_size` as an int, if it is a number of bytes that a part can have."""
    if index(block_size) < 1:
        raise ValueError(f"block_size must be at least 1, not {block_size}")
    return index(block_size)
