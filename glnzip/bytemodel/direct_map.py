"""Direct probabilities: small contexts with an adaptive probability, not a history, for each bit.

Where a context comes often enough, a 22-bit probability of its own says more than a bit history of
one byte. An entry is one of `adaptive_map`; the 15 of a nibble and an unused one share a cache line
of 64 bytes, so that a context costs one cache miss a nibble. There are no check bytes: contexts of
few values hardly collide.
"""

from __future__ import annotations

from glnzip.bytemodel.adaptive_map import UNSEEN, adapted, stretched
from glnzip.bytemodel.features import HASH, HASH_2
from glnzip.bytemodel.memory import prefetch
from glnzip.jit import inline

MAP_LIMIT = 1023
_LINE_ENTRIES = 16


@inline
def enter_line(table, context_hash, high_nibble):
    """First entry of the line for a context (32-bit hash) and the nibble so far; fetches it.

    `high_nibble` is 0 while the high nibble is coded and 16 plus its value after that.
    """
    h = context_hash * HASH + high_nibble * HASH_2
    line = (h ^ h >> 25) & (table.size - 1) & ~(_LINE_ENTRIES - 1)
    prefetch(table, line)
    return line


@inline
def direct_input(table, entry):
    """The logit of an entry's probability, float32."""
    return stretched(table[entry] ^ UNSEEN)


@inline
def learn_bit(table, entry, bit):
    """Let an entry see the bit."""
    table[entry] = adapted(table[entry] ^ UNSEEN, bit, MAP_LIMIT) ^ UNSEEN
