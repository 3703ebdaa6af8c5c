"""The slot table: hashed contexts to bit histories, in a fixed amount of memory.

A *bucket* is 16 bytes: a check byte and the 15 bit histories of one nibble (1 + 2 + 4 + 8 nodes of
the binary tree of its four bits). Four buckets share a cache line of 64 bytes and are probed
together, so finding a context costs one cache miss a nibble. Where no bucket has the right check
byte, the one whose first history is youngest is given up (lpaq's layout and rule). Which contexts
have buckets at all, `context_memory` decides.

A byte context owns one bucket for its high nibble, and one near it, in the same memory page, for
the low nibble under each value of the high one.

The table has 256 *regions*, named by bits of the hash that also name the region of the context's
run in a run map of 2^25 entries or more. So what happens in one region depends on nothing in
another: contexts can be shown what they have seen region by region, or in several threads.
"""

from __future__ import annotations

from typing import Any

from glnzip.jit import inline
from glnzip.jit.memory_access import clear_16, copy_16, prefetch
from glnzip.model.memory.bit_history import YOUNGER

BUCKET_BYTES = 16
_CHECK_SHIFT = 24
_REGION_BITS = 8
_REGION_SHIFT = 15
_PIECE_BUCKETS = 1 << 16
_NEARBY_SHIFT = 6  # low nibbles live in other lines of the same page


@inline
def high_nibble_place(context_hash, mask):
    """Byte offset of the bucket group for a 32-bit context hash; `mask` is table size - 1."""
    region = (context_hash >> _REGION_SHIFT & (1 << _REGION_BITS) - 1) * (
        (mask + 1) >> _REGION_BITS
    )
    return region | (context_hash * 0x2F0B4C47 >> 17) & mask >> _REGION_BITS & ~15


@inline
def low_nibble_place(place, high_nibble):
    """Where the low nibble's bucket is, given the high nibble's place and value (0..15)."""
    return place ^ ((high_nibble + 1) << _NEARBY_SHIFT)


@inline
def check_byte(context_hash, node):
    """The check byte of a bucket; `node` is 0, or 16 plus the high nibble for a low one."""
    return ((context_hash >> _CHECK_SHIFT) + node * 0x3D) & 255


@inline
def find_bucket(slots, place, check):
    """Offset of the bucket with this check byte near `place`, made empty if it was not there."""
    youngest = place
    lowest = 256
    for probe in range(3):
        bucket = place ^ (probe * BUCKET_BYTES)
        if slots[bucket] == check:
            return bucket
        if slots[bucket + 1] < lowest:
            lowest = slots[bucket + 1]
            youngest = bucket
    clear_16(slots, youngest)
    slots[youngest] = check
    return youngest


def make_younger(slots: Any) -> None:
    """Shorten all histories, a piece of the table at a time."""
    buckets = slots.reshape(-1, BUCKET_BYTES)
    for start in range(0, len(buckets), _PIECE_BUCKETS):
        piece = buckets[start : start + _PIECE_BUCKETS]
        piece[:, 1:] = YOUNGER[piece[:, 1:]]


@inline
def copy_bucket(target, to, source, at):
    """Copy the check and the histories at ``source[at]`` to ``target[to]``."""
    copy_16(target, to, source, at)


@inline
def prefetch_bucket(slots, place):
    """Fetch the cache line that `find_bucket` will read."""
    prefetch(slots, place)
