"""DMC: state machines that grow where the data have more to tell.

Every node predicts one bit and has two successors. A model begins as 256 trees, one for each last
byte, of the bits of the byte that follows; their leaves lead to the roots of such trees. When a
step from one node to the next has come often, and other ways lead there as well, the successor is
*cloned*: the step gets a copy to itself, with a fair share of the counts, and the two nodes part.
So it finds contexts of any length, which need not begin where a byte does (dynamic Markov
compression; Cormack and Horspool, 1987). When its nodes have run out, one that is *lasting* clones
no more, and so keeps what a prior taught; any other starts afresh with the next byte.

A node says two things: the share of ones among the bits seen there, recent ones weighing more, and
a bit history (`bit_history`), which a state map turns into a probability.
"""

from __future__ import annotations

import numpy as np

from glnzip.gln.logistic import STRETCH, STRETCH_BITS
from glnzip.jit import inline
from glnzip.jit.memory_access import prefetch
from glnzip.model.memory.bit_history import NEXT_STATE
from glnzip.model.memory.state_map import adapted, stretched
from glnzip.model.table.limits import DMC_MAP_LIMIT

ROOT = 1
FIRST_NODES = 1 << 16  # last byte << 8 | byte so far under a leading one
ONE = 256  # a bit in the counts of a node
NODE_FIELDS = 4
COUNTS, HISTORY = 2, 3  # fields of a node; 0 and 1 are its successors
_COUNT_BITS = 16
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_FORGET_SHIFT = 6  # counts hold about the last 64 bits
_DOUBT = 32  # of either bit, beside what was counted

DMC = np.dtype(
    [
        ("threshold", np.int64),  # in counts: how often a step, and others, must have come
        ("node", np.int64),  # predicts the present bit
        ("used", np.int64),  # nodes in use; 0 before the first byte
        ("lasting", np.bool_),
    ],
)


@inline
def begin_byte(dmcs, all_nodes, m):
    """Make the first trees if there are none, or if there are no nodes left to go on with."""
    dmc, nodes = dmcs[m], all_nodes[m]
    if dmc.used == 0 or (dmc.used == nodes.shape[0] and not dmc.lasting):
        for k in range(FIRST_NODES):
            for bit in range(2):
                partial = (k & 255) << 1 | bit
                in_tree = partial < 256
                nodes[k, bit] = k & ~255 | partial if in_tree else (partial & 255) << 8 | ROOT
            nodes[k, COUNTS] = 0
            nodes[k, HISTORY] = 0
        dmc.used = FIRST_NODES
        dmc.node = ROOT


@inline
def dmc_inputs(maps, dmcs, all_nodes, m):
    """What the present node of model `m` says: two logits, float32."""
    dmc, nodes = dmcs[m], all_nodes[m]
    n0, n1 = _counts(nodes, dmc.node)
    n0 += _DOUBT
    n1 += _DOUBT
    share = (n1 << STRETCH_BITS) // (n0 + n1)
    return STRETCH[share], stretched(maps[_map_index(m, nodes, dmc)])


@inline
def learn_bit(maps, dmcs, all_nodes, m, bit):
    """Let model `m` and its map see the bit."""
    index = _map_index(m, all_nodes[m], dmcs[m])
    maps[index] = adapted(maps[index], bit, DMC_MAP_LIMIT)
    move(dmcs, all_nodes, m, bit)


@inline
def move(dmcs, all_nodes, m, bit):
    """Model `m` goes to the next node, or to a clone of it, and the node behind learns the way."""
    dmc, nodes = dmcs[m], all_nodes[m]
    node = dmc.node
    nodes[node, HISTORY] = NEXT_STATE[np.int64(nodes[node, HISTORY]) << 1 | bit]
    n0, n1 = _counts(nodes, node)
    dmc.node = _successor(nodes, dmc, n1 if bit else n0, bit)
    n0 -= n0 >> _FORGET_SHIFT
    n1 -= n1 >> _FORGET_SHIFT
    if bit:
        n1 += ONE
    else:
        n0 += ONE
    nodes[node, COUNTS] = n0 << _COUNT_BITS | n1
    for following in range(2):  # the counts of one of them will be asked for
        prefetch(nodes, np.int64(nodes[dmc.node, following]) * NODE_FIELDS)


@inline
def _successor(nodes, dmc, steps, bit):
    """Where `bit` leads to, `steps` being the count of this step; cloned if that is due."""
    following = np.int64(nodes[dmc.node, bit])
    n0, n1 = _counts(nodes, following)
    arrivals = n0 + n1
    if steps < dmc.threshold or arrivals - steps < dmc.threshold or dmc.used == nodes.shape[0]:
        return following
    clone = dmc.used
    dmc.used += 1
    nodes[clone, 0] = nodes[following, 0]
    nodes[clone, 1] = nodes[following, 1]
    nodes[clone, HISTORY] = nodes[following, HISTORY]
    share_0 = n0 * steps // arrivals
    share_1 = n1 * steps // arrivals
    nodes[clone, COUNTS] = share_0 << _COUNT_BITS | share_1
    nodes[following, COUNTS] = (n0 - share_0) << _COUNT_BITS | (n1 - share_1)
    nodes[dmc.node, bit] = clone
    return clone


@inline
def _counts(nodes, node):
    """The node's counts of zeros and of ones; below 2**15, so that both fit an int32."""
    counts = np.int64(nodes[node, COUNTS])
    return counts >> _COUNT_BITS, counts & _COUNT_MASK


@inline
def _map_index(m, nodes, dmc):
    return m << 8 | np.int64(nodes[dmc.node, HISTORY])
