"""APMs (adaptive probability maps, SSE): they refine the network's probability in small contexts.

Each APM maps (context, logit) to a probability by interpolating between `APM_BUCKETS` entries of
`state_map`, evenly spaced in the logit. They start on the logistic curve, and the nearer of the two
buckets learns (the APM stage of the PAQ programs). The result is the average of the network's
probability and of all the refined ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.gln.aligned import aligned_zeros
from glnzip.gln.logistic import SQUASH_LIMIT, clip, exact_exp, squash
from glnzip.jit import inline
from glnzip.jit.memory_access import prefetch
from glnzip.model.hashing import hashed_pair
from glnzip.model.memory.state_map import COUNT_BITS, PROBABILITY_BITS, adapted, new_map
from glnzip.model.table.limits import APM_LIMIT, APM_TRUST

APM_BUCKETS = 24
_SPAN = np.float32(11.99)  # logits beyond +-12 share the outermost interval
_LIMIT = np.float32(SQUASH_LIMIT)
_SCALE = np.float32((APM_BUCKETS - 1) / (2 * SQUASH_LIMIT))
_UNIT = np.float32(1 / (1 << PROBABILITY_BITS))
_HALF = np.float32(0.5)


def new_apms(contexts: int) -> Any:
    """APMs that nearly leave the probability as it is: uint32[contexts * APM_BUCKETS]."""
    logits = np.arange(APM_BUCKETS) * (2 * SQUASH_LIMIT / (APM_BUCKETS - 1)) - SQUASH_LIMIT
    apms = aligned_zeros(contexts * APM_BUCKETS, np.uint32)
    apms.reshape(contexts, APM_BUCKETS)[:] = new_map(1 / (1 + exact_exp(-logits)), APM_TRUST)
    return apms


@inline
def select_apms(block_model, recent):
    """Find the present bit's buckets of each APM, and fetch them while the network runs."""
    table, learned, scratch = block_model
    partial = recent.now[0].partial
    for i in range(table.apms.shape[0]):
        apm = table.apms[i]  # taken apart one by one: its length would be tested
        first, second, start, mask = apm[0], apm[1], apm[2], apm[3]
        a = recent.features[first]
        b = recent.features[second]
        context = partial
        if second != 0:
            context = hashed_pair(hashed_pair(a, b), context)
        elif first != 0:
            context = context | a << 8
        first_bucket = start + (context & mask) * APM_BUCKETS
        scratch.apm_buckets[i] = first_bucket
        prefetch(learned.apm_maps, first_bucket)
        prefetch(learned.apm_maps, first_bucket + APM_BUCKETS - 1)


@inline
def bucket_of(stretched):
    """Where a logit lies: the bucket below it, how far it is above that, and which is nearer."""
    scaled = (clip(stretched, _SPAN) + _LIMIT) * _SCALE
    bucket = int(scaled)
    fraction = scaled - np.float32(bucket)
    return bucket, fraction, 0 if fraction < _HALF else 1


@inline
def interpolated(maps, at, fraction):
    """The probability between a bucket and the next one: float32."""
    below = _probability(maps[at])
    return below + (_probability(maps[at + 1]) - below) * fraction


@inline
def refine(block_model, stretched):
    """The refined probability (float32) for the network's output, after `select_apms`."""
    table, learned, scratch = block_model
    bucket, fraction, nearer = bucket_of(stretched)
    total = squash(stretched)
    for i in range(scratch.apm_buckets.size):
        at = scratch.apm_buckets[i] + bucket
        scratch.apm_buckets[i] = at + nearer
        total += interpolated(learned.apm_maps, at, fraction)
    return total * table.shares[0]


@inline
def _probability(entry):
    return np.float32(np.int64(entry) >> COUNT_BITS) * _UNIT


@inline
def update_apms(block_model, bit):
    """Let the nearer bucket of each used interval see the bit."""
    _, learned, scratch = block_model
    for i in range(scratch.apm_buckets.size):
        at = scratch.apm_buckets[i]
        learned.apm_maps[at] = adapted(learned.apm_maps[at], bit, APM_LIMIT)
