"""Code some blocks and print a digest of each payload: ``python -m tests.coded_blocks 1000``.

A test runs this in processes with other settings of the compiler and compares what they print.
"""

from __future__ import annotations

import hashlib
import sys

from glnzip.block_codec import BlockCodec, BlockPlan
from glnzip.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.plan import BYTES, PIXELS
from tests.checks import sample

LEVELS = (MIN_LEVEL, 4, DEFAULT_LEVEL, MAX_LEVEL)
PLANS = (BlockPlan(BYTES, 0), BlockPlan(BYTES, 20), BlockPlan(PIXELS, 9))


def payload(codec: BlockCodec, block: bytes, plan: BlockPlan) -> bytes:
    """Code a block that begins with enough zeros for the payload to be always shorter."""
    coded = codec.encode(bytes(len(block) // 4) + block, plan)
    assert coded is not None
    return coded


def digests(length: int) -> list[str]:
    """Digests of blocks of about this length, seen in each way, at some levels."""
    result = []
    for level in LEVELS:
        codec = BlockCodec(level)
        for seed, plan in enumerate(PLANS):
            coded = payload(codec, sample(2 * length, seed)[length:], plan)
            digest = hashlib.sha256(coded).hexdigest()[:16]
            result.append(f"level {level}, {plan}: {len(coded)} bytes, {digest}")
    return result


if __name__ == "__main__":
    print("\n".join(digests(int(sys.argv[1]))))
