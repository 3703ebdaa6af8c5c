"""Hashes of small numbers, in int64 arithmetic that never overflows."""

from __future__ import annotations

from glnzip.jit import inline

HASH = 0x2C1B3C6D  # odd multipliers below 2**30, so that products with 32-bit values fit int64
HASH_2 = 0x297A2D39
U32 = 0xFFFFFFFF


@inline
def hashed_pair(a, b):
    """A 32-bit hash of two values below 2**32."""
    h = (a * HASH + (b + 1) * HASH_2) & 0x3FFFFFFFFFFFFFFF
    return (h ^ (h >> 23)) & U32
