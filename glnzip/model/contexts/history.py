"""How the history moves on by a bit and by a byte, whatever the block type."""

from __future__ import annotations

from glnzip.jit import inline
from glnzip.model.hashing import U32


@inline
def begin_history(now, block_type):
    """A block begins that is to be seen as its type says (`glnzip.format.block_type`)."""
    now.block_start = now.position
    now.lines = 0
    now.kind = block_type.kind
    now.row_bytes = block_type.row_bytes
    now.step = block_type.step
    now.sample_form = block_type.sample_form
    now.phase = block_type.phase
    now.address = block_type.address


@inline
def add_bit(now, bit):
    """One more bit of the byte is known."""
    now.partial = now.partial << 1 | bit
    now.node = now.node << 1 | bit
    now.bits_known += 1


@inline
def add_byte(now, buffer):
    """Put the complete byte into the history and begin the next; returns it."""
    byte = now.partial & 255
    buffer[now.position & (buffer.size - 1)] = byte
    now.position += 1
    now.last8 = (now.last8 << 8 | now.last4 >> 24) & U32
    now.last4 = (now.last4 << 8 | byte) & U32
    now.partial = 1
    now.bits_known = 0
    return byte
