"""How large errors are after those before them: `glnzip.planner` finds audio by them."""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, kernel

FLAT, STRAIGHT, TOGETHER = range(3)
"""Ways to go on: as the last sample, as the last two, or that as the channel before has done."""
SIZES = 32  # of an error: its bits, of which the largest has 26
_TABLE_BITS = 12
_BITS = np.array([n.bit_length() for n in range(1 << _TABLE_BITS)], np.uint8)


@kernel
def count_error_sizes(samples, channels, sizes, counts):
    """Predict each sample from those of its channel before it, and count the sizes of the errors.

    Parameters
    ----------
    samples : int64[pieces, length]
        Numbers of at most 24 bits; whole frames of all channels.
    channels : int
        1, or 2 for `TOGETHER`.
    sizes : uint8[length]
        A scratch array.
    counts : int64[ways, SIZES, SIZES]
        Receives how often a size followed, by way and by the larger of the two before it in the
        channel.
    """
    for way in range(counts.shape[0]):
        first = channels if way == FLAT else 2 * channels
        for piece in range(samples.shape[0]):
            for i in range(first, samples.shape[1]):
                size = bit_length(abs(_error(samples, piece, i, channels, way)))
                sizes[i] = size
                if i >= first + 2 * channels:
                    before = max(sizes[i - channels], sizes[i - 2 * channels])
                    counts[way, before, size] += 1


@inline
def _error(samples, piece, i, channels, way):
    if way == FLAT:
        return samples[piece, i] - samples[piece, i - channels]
    error = _bend(samples, piece, i, channels)
    if way == TOGETHER and i & 1:
        error -= _bend(samples, piece, i - 1, channels)
    return error


@inline
def _bend(samples, piece, i, channels):
    last = samples[piece, i - channels]
    return samples[piece, i] - 2 * last + samples[piece, i - 2 * channels]


@inline
def bit_length(value):
    """How many bits a number has, 0 for 0."""
    bits = 0
    while value >= _BITS.size:
        value >>= _TABLE_BITS
        bits += _TABLE_BITS
    return bits + np.int64(_BITS[value])
