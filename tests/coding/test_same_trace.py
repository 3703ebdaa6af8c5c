"""One model step for both directions: encoder and decoder see the same probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.state import Learned, new_records
from glnzip.bytemodel.step import begin_block, predict_bit, update_bit
from glnzip.coding.arithmetic import CODER, TOP, decode_bit, encode_bit
from glnzip.levels import DEFAULT_LEVEL
from glnzip.plan import BYTES, PIXELS
from tests.checks import sample

BLOCKS = [(BYTES, 0, sample(300)[-150:]), (PIXELS, 5, sample(60)), (BYTES, 11, sample(330)[:60])]


def learned_bytes(learned: Learned) -> list[bytes]:
    """All that the model has learned; the inputs and choices of a network are scratch."""
    networks = (learned.network, learned.pixel_network)
    arrays = [part for part in learned if isinstance(part, np.ndarray)]
    # A map of millions of entries, few of them used, is compared by those.
    arrays = [array[array != 0] for array in arrays]
    arrays += [array for network in networks for array in (network.weights, network.steps)]
    return [array.tobytes() for array in arrays]


@pytest.fixture(scope="module")
def traces() -> dict[str, Any]:
    """Code the blocks one bit at a time, then decode them, and keep what was predicted."""
    payload = np.zeros(2000, np.uint8)
    result: dict[str, Any] = {}
    for direction in ("encode", "decode"):
        model = new_model(DEFAULT_LEVEL)
        coder = new_records(1, CODER)[0]
        coder.high = TOP
        if direction == "decode":
            coder.code = int.from_bytes(payload[:4].tobytes(), "big")
            coder.at = 4
        predicted, bits, contexts_fit, predict_learns = [], [], True, False
        for kind, row_bytes, data in BLOCKS:
            begin_block(model, kind, row_bytes)
            network = model.learned.pixel_network if kind == PIXELS else model.learned.network
            for i, byte in enumerate(data):
                for shift in range(7, -1, -1):
                    before = learned_bytes(model.learned) if i % 40 == 0 else None
                    p_one = predict_bit(model)
                    if before is not None:
                        predict_learns |= before != learned_bytes(model.learned)
                    contexts_fit &= bool((network.contexts >= 0).all())
                    contexts_fit &= bool((network.contexts < network.rows).all())
                    if direction == "encode":
                        bit = byte >> shift & 1
                        encode_bit(coder, payload, p_one, bit)
                    else:
                        bit = decode_bit(coder, payload, p_one)
                    update_bit(model, bit)
                    predicted.append(int(p_one))
                    bits.append(int(bit))
        if direction == "encode":
            at = int(coder.at)
            payload[at : at + 4] = list(int(coder.high).to_bytes(4, "big"))
        result[direction] = predicted, bits
        result[f"{direction} facts"] = contexts_fit, predict_learns
        result[f"{direction} learned"] = learned_bytes(model.learned)
    return result


def test_same_probabilities_and_the_bits_come_back(traces: dict[str, Any]) -> None:
    assert traces["decode"] == traces["encode"]
    _, bits = traces["decode"]
    packed = np.packbits(np.array(bits, np.uint8)).tobytes()
    assert packed == b"".join(data for _, _, data in BLOCKS)
    assert traces["decode learned"] == traces["encode learned"]


def test_probabilities_are_what_the_coder_can_take(traces: dict[str, Any]) -> None:
    predicted, _ = traces["encode"]
    assert min(predicted) >= 1
    assert max(predicted) <= 65535


def test_the_model_learns_but_not_by_predicting(traces: dict[str, Any]) -> None:
    assert traces["encode facts"] == (True, False)
    fresh = learned_bytes(new_model(DEFAULT_LEVEL).learned)
    assert all(a != b for a, b in zip(fresh, traces["encode learned"], strict=True))
