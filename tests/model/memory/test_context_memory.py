"""Where histories are kept makes no difference to what they are, as long as there is room."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glnzip.format.block_type import BINARY, TEXT, BlockType
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.model.build import new_model
from glnzip.model.memory.bit_history import NEXT_STATE
from glnzip.model.memory.context_memory import HISTORIES, LOW_HALF
from glnzip.model.memory.run_map import has_branched
from glnzip.model.state import ByteParts
from tests.checks import sample
from tests.model.model_parts import for_bytes
from tests.steps import OF_BYTES

begin_block, predict_bit, update_bit = OF_BYTES

DATA = sample(700)[-350:] + bytes(30) + sample(300)
WITHOUT_RUNS = 5


def histories_now(model: ByteParts) -> Any:
    """The history of each context for the present bit."""
    now, scratch = model.recent.now[0], model.byte_model.scratch
    half = LOW_HALF if now.bits_known >= 4 else 0
    return scratch.histories.reshape(-1, HISTORIES)[:, half + now.node]


@pytest.mark.parametrize("form", [TEXT, BINARY], ids=["text", "binary"])
@pytest.mark.parametrize("level", [WITHOUT_RUNS, DEFAULT_LEVEL])
def test_histories_are_those_of_a_dictionary(level: int, form: int) -> None:
    """Of every context and every bit of the byte so far, wherever they have been meanwhile.

    But for the few buckets that are taken for another's, by checks of eight bits.
    """
    model = for_bytes(new_model(level), form)
    scratch = model.byte_model.scratch
    seen: dict[tuple[int, int], int] = {}  # by context and the bits of the byte so far
    ways = {"new": 0, "run": 0, "buckets": 0}
    wrong = right = 0
    begin_block(model, BlockType(form))
    for byte in DATA:
        hashes = scratch.contexts["hash"].tolist()
        for run in scratch.runs:
            ways["buckets" if has_branched(run.run) else "run" if run.run else "new"] += 1
        for known in range(8):
            partial, bit = 1 << known | byte >> (8 - known), byte >> (7 - known) & 1
            predict_bit(model)
            states = [seen.get((key, partial), 0) for key in hashes]
            as_expected = int(np.count_nonzero(histories_now(model) == states))
            right += as_expected
            wrong += len(states) - as_expected
            for key, state in zip(hashes, states, strict=True):
                seen[key, partial] = int(NEXT_STATE[2 * state + bit])
            update_bit(model, bit)
    assert wrong < right / 1000
    assert min(ways.values()) > 1000 or level == WITHOUT_RUNS


def test_deterministic_contexts_take_no_buckets() -> None:
    """All contexts of a text that never says two things are in runs; another byte changes that."""
    model = for_bytes(new_model(DEFAULT_LEVEL), TEXT)
    begin_block(model, BlockType(TEXT))

    def learn(text: bytes) -> None:
        for byte in text:
            for shift in range(7, -1, -1):
                predict_bit(model)
                update_bit(model, byte >> shift & 1)

    learn(b"aaaaa")
    assert not model.recent.slots.any()
    assert np.count_nonzero(model.recent.runs) > 0
    learn(b"b")
    assert model.recent.slots.any()
