"""Markov machines against a plain one, of linked nodes."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from glnzip.gln.logistic import STRETCH
from glnzip.jit.records import new_records
from glnzip.model.memory.bit_history import FIRST_GUESS, NEXT_STATE
from glnzip.model.memory.dmc import (
    COUNTS,
    DMC,
    FIRST_NODES,
    NODE_FIELDS,
    ONE,
    begin_byte,
    dmc_inputs,
    learn_bit,
)
from glnzip.model.memory.state_map import adapted, new_map, stretched
from glnzip.model.table.limits import DMC_MAP_LIMIT
from tests.checks import sample

DATA = sample(600) + bytes(40)
ROOM = 400  # nodes for clones


@dataclass(eq=False)
class Node:
    """A node that knows its successors, and both counts in 1/256 of a bit."""

    after: list[Node] = field(default_factory=list)
    seen: list[int] = field(default_factory=lambda: [0, 0])
    history: int = 0


def first_trees() -> Node:
    """The root of the tree that follows a byte of zero."""
    roots = [Node() for _ in range(256)]
    for root in roots:
        level = [root]
        for _ in range(7):
            for node in level:
                node.after = [Node(), Node()]
            level = [child for node in level for child in node.after]
        for high, node in enumerate(level):
            node.after = [roots[2 * high], roots[2 * high + 1]]
    return roots[0]


class PlainMachine:
    """Grows as the paper says; with `room` clones it starts afresh, or if `lasting` stays."""

    def __init__(self, threshold: int, room: int, lasting: bool) -> None:
        self.threshold, self.room, self.lasting = threshold * ONE, room, lasting
        self.clones = 0
        self.node = first_trees()
        self.map = new_map(FIRST_GUESS, 12)

    def begin_byte(self) -> None:
        if self.clones == self.room and not self.lasting:
            self.clones = 0
            self.node = first_trees()

    def inputs(self) -> tuple[Any, Any]:
        n0, n1 = self.node.seen
        share = 4096 * (n1 + ONE // 8) // (n0 + n1 + ONE // 4)
        return STRETCH[share], stretched(self.map[self.node.history])

    def learn(self, bit: int) -> None:
        node, following = self.node, self.node.after[bit]
        steps, arrivals = node.seen[bit], sum(following.seen)
        self.map[node.history] = adapted(self.map[node.history], bit, DMC_MAP_LIMIT)
        if min(steps, arrivals - steps) >= self.threshold and self.clones < self.room:
            share = [n * steps // arrivals for n in following.seen]
            node.after[bit] = replace(following, after=list(following.after), seen=share)
            following.seen = [n - s for n, s in zip(following.seen, share, strict=True)]
            following = node.after[bit]
            self.clones += 1
        node.seen = [n - n // 64 for n in node.seen]
        node.seen[bit] += ONE
        node.history = int(NEXT_STATE[node.history << 1 | bit])
        self.node = following


def new_machines(threshold: int, room: int) -> tuple[Any, Any, Any]:
    """Two machines: their maps, their records and their nodes."""
    dmcs = new_records(2, DMC)
    dmcs["threshold"] = threshold * ONE
    nodes = np.zeros((2, FIRST_NODES + room, NODE_FIELDS), np.int32)
    return np.tile(new_map(FIRST_GUESS, 12), 2), dmcs, nodes


def run(data: bytes, threshold: int, room: int, lasting: bool = False) -> tuple[list[int], Any]:
    """Compare with a plain machine bit by bit; returns the size after each byte, and the nodes."""
    maps, dmcs, nodes = new_machines(threshold, room)
    dmcs[0].lasting = lasting
    plain = PlainMachine(threshold, room, lasting)
    sizes = []
    for byte in data:
        begin_byte(dmcs, nodes, 0)
        plain.begin_byte()
        for shift in range(7, -1, -1):
            assert dmc_inputs(maps, dmcs, nodes, 0) == plain.inputs()
            learn_bit(maps, dmcs, nodes, 0, byte >> shift & 1)
            plain.learn(byte >> shift & 1)
        sizes.append(int(dmcs[0].used))
        assert sizes[-1] == FIRST_NODES + plain.clones
    return sizes, nodes[0]


@pytest.mark.parametrize("threshold", [1, 2, 8])
def test_it_is_a_plain_machine(threshold):
    sizes, _ = run(DATA, threshold, 1 << 14)
    assert sizes == sorted(sizes)
    assert sizes[-1] > FIRST_NODES


def test_a_full_machine_starts_afresh():
    sizes, nodes = run(DATA, 1, ROOM)
    assert max(sizes) == FIRST_NODES + ROOM
    assert sizes != sorted(sizes), "it grew anew"
    assert ((nodes[:, :2] >= 0) & (nodes[:, :2] < len(nodes))).all()


def test_a_lasting_machine_stays_when_it_is_full():
    sizes, nodes = run(DATA, 1, ROOM, lasting=True)
    assert sizes == sorted(sizes)
    assert sizes[-1] == sizes[-100] == FIRST_NODES + ROOM
    assert ((nodes[:, :2] >= 0) & (nodes[:, :2] < len(nodes))).all()


def test_machines_keep_to_themselves():
    maps, dmcs, nodes = new_machines(2, ROOM)
    before = maps.copy()
    begin_byte(dmcs, nodes, 1)
    learn_bit(maps, dmcs, nodes, 1, 1)
    assert np.flatnonzero(maps != before).tolist() == [256]
    assert dmcs[0].used == 0
    assert not nodes[0].any()


def test_counts_stay_in_their_halves():
    """However long a bit repeats, both counts fit their field."""
    chance = random.Random(1)
    maps, dmcs, nodes = new_machines(2, ROOM)
    for byte in bytes(3000) + b"\xff" * 3000 + chance.randbytes(200):
        begin_byte(dmcs, nodes, 0)
        for shift in range(7, -1, -1):
            learn_bit(maps, dmcs, nodes, 0, byte >> shift & 1)
    counts = nodes[0, :, COUNTS].astype(np.int64)
    assert counts.min() >= 0
    assert max((counts >> 16).max(), (counts & 0xFFFF).max()) < 1 << 15
