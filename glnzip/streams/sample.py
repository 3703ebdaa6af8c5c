"""Data drawn from the model: what it takes random bits for, decoded.

A decoder turns bits into data, likely data from few of them. Given bits that are thrown by chance,
it gives each piece of data as often as the model says that it comes.
"""

from __future__ import annotations

from operator import index
from random import Random
from typing import TYPE_CHECKING

from glnzip.format.block_type import TEXT, BlockType
from glnzip.format.container import BLOCK_BYTES
from glnzip.format.levels import DEFAULT_LEVEL, check_level
from glnzip.priors.allowance import NO_LIMITS, check_models
from glnzip.priors.opening import open_codec
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior

if TYPE_CHECKING:
    from _typeshed import StrPath

_MOST_BYTES = 16  # of a payload, for a byte: the model gives no bit less than 1/65536
_READ_AHEAD = 8
_AT_ONCE = 4096


def sample(
    count: int,
    *,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    level: int = DEFAULT_LEVEL,
    seed: int = 0,
) -> bytes:
    """Draw text from what a model expects after a prior.

    Parameters
    ----------
    count
        How many bytes.
    prior, level
        As for `compress`; without a prior they are noise at first.
    seed
        Another one draws other bytes.

    Returns
    -------
    bytes
        The same on every machine for the same parameters; of fewer (up to a megabyte), they are the
        first. What was drawn is learned, as in data, so that names and words come again.

    Raises
    ------
    GlnzipError
        If there is not enough memory for the model, or the prior cannot be used.
    ValueError
        If `count` is negative.
    """
    if index(count) < 0:
        raise ValueError(f"count must not be negative, it is {count}")
    check_models(check_level(level), NO_LIMITS)
    if count == 0:
        return b""
    random, drawn, as_text = Random(seed), bytearray(), BlockType(TEXT)
    codec = open_codec(level, as_prior(prior), NO_LIMITS, None, min(count, BLOCK_BYTES), as_text)
    while len(drawn) < count:
        length = min(count - len(drawn), BLOCK_BYTES)
        codec.begin_decode(_thrown(random, _MOST_BYTES * length + _READ_AHEAD), length, as_text)
        while piece := codec.decode(length):
            drawn += piece
    return bytes(drawn)


def _thrown(random: Random, least: int) -> bytes:
    """Random bytes, at least so many; of fewer, these are the first."""
    return b"".join(random.randbytes(_AT_ONCE) for _ in range(0, least, _AT_ONCE))
