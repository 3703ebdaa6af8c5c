"""Code some blocks and print a digest of each payload: ``python -m tests.coded_blocks 1000``.

A test runs this in processes with other settings of the compiler and compares what they print.
"""

from __future__ import annotations

import hashlib
import sys

from glnzip.block_codec import BlockCodec
from glnzip.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.plan import BYTES, CALLS_AND_DATA, IMAGE, LEXICON, PIXELS, SOUND, BlockPlan
from tests.checks import sample
from tests.samples import machine_code

LEVELS = (MIN_LEVEL, 4, DEFAULT_LEVEL, MAX_LEVEL)
PLANS = (
    BlockPlan(BYTES, 0),
    BlockPlan(BYTES, 20),
    BlockPlan(BYTES, 0, form=LEXICON),
    BlockPlan(BYTES, 0, form=CALLS_AND_DATA),
    BlockPlan(PIXELS, 9),
)
PLANS_OF_NUMBERS = (  # which all levels see alike, and plain Python slowly
    BlockPlan(IMAGE, 12, step=3),
    BlockPlan(SOUND, 0, step=4, form=2, phase=1),
)


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
        plans = (*PLANS, *PLANS_OF_NUMBERS) if level == MIN_LEVEL else PLANS
        for seed, plan in enumerate(plans):
            block = sample(2 * length, seed)[length:]
            if plan.form == CALLS_AND_DATA and plan.kind == BYTES:
                block = machine_code(length // 20, seed)[:length]
            coded = payload(codec, block, plan)
            digest = hashlib.sha256(coded).hexdigest()[:16]
            result.append(f"level {level}, {plan}: {len(coded)} bytes, {digest}")
    return result


if __name__ == "__main__":
    print("\n".join(digests(int(sys.argv[1]))))
