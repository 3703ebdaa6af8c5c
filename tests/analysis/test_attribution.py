"""What inputs have saved is shared among them as the formulas say, and adds up to the saving."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from glnzip.analysis.explain_loop import (
    explain_block,
    explain_bytes,
    explain_jpeg,
    explain_samples,
    gains_of,
)
from glnzip.analysis.explainer import Explainer, Saved
from glnzip.cache.build import Sources
from glnzip.coding.arithmetic import new_coder
from glnzip.coding.bit_loop import byte_parts
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import (
    A64,
    AUDIO,
    BINARY,
    BITMAP,
    CALLS,
    CLASS_FILES,
    FONT,
    IMAGE,
    NUMBERS,
    PYTHON_CODE,
    TEXT,
    BlockType,
)
from glnzip.gln.network import FIRST_OUTPUT, Network
from glnzip.model.build import new_model
from glnzip.model.state import Model
from tests.checks import sample
from tests.class_files import class_file
from tests.fixed_data import a64_code
from tests.fonts import font
from tests.python_modules import module
from tests.samples import hills, machine_code, tone, waves
from tests.steps import OF_BYTES

WORDS = b"the model learns bit by bit. " * 12
BLOCKS = [
    (BlockType(TEXT), sample(2500)),
    (BlockType(BINARY), sample(2500)),
    (BlockType(CALLS), machine_code(20)),
    (BlockType(A64, address=2), a64_code(600)),
    (BlockType(FONT), font(9, names=0)[:700]),
    (BlockType(CLASS_FILES), class_file(1)[:600]),
    (BlockType(PYTHON_CODE), module(1)[:600]),
    (BlockType(NUMBERS, 8, step=4, sample_form=13, phase=1), b"?" + waves(300, 13)),
    (BlockType(BITMAP, 10), hills(10, 120, 1)),
    (BlockType(IMAGE, 60, step=3), hills(20, 30, 3)),
    (BlockType(AUDIO, 0, step=4, sample_form=2), tone(500, 2, 2)),
]


@pytest.mark.parametrize("level", [1, 6])
@pytest.mark.parametrize(("block_type", "data"), BLOCKS, ids=lambda each: str(each)[:20])
def test_blocks_cost_what_they_do(level: int, block_type: BlockType, data: bytes) -> None:
    """And what was saved is there, but for what APMs and rounding change."""
    codec = BlockCodec(new_model(level))
    expected = codec.measure(data, block_type)
    by_model: dict[str, Saved] = {}
    costs = Explainer(BlockCodec(new_model(level)), by_model).measure(data, block_type)
    assert np.array_equal(costs, expected)
    saved = by_model[block_type.block_model]
    assert (saved.bytes, saved.bits) == (len(data), expected.sum())
    total = 8 * len(data) - expected.sum()
    assert saved.by_inputs.sum() == pytest.approx(total, rel=0.05, abs=100)


def test_without_apms_nothing_is_left() -> None:
    """Samples have none; what is left is that probabilities are cut to 1/65536."""
    block_type, data = next(block for block in BLOCKS if block[0].kind == IMAGE)
    saved: dict[str, Saved] = {}
    costs = Explainer(BlockCodec(new_model(1)), saved).measure(data, block_type)
    left = 8 * len(data) - costs.sum() - saved["image"].by_inputs.sum()
    assert abs(left) < 1


def test_what_is_stored_has_saved_nothing() -> None:
    saved: dict[str, Saved] = {}
    noise = np.random.default_rng(3).bytes(500)
    costs = Explainer(BlockCodec(new_model(1)), saved).measure(noise, BlockType(TEXT))
    assert set(costs) == {8.0}
    assert saved == {}


def matrices(network: Network) -> list[Any]:
    """The chosen rows of each layer: float64[neurons, signals]."""
    return [
        np.array([network.weights[row : row + length] for row in network.chosen[first : first + k]])
        for first, k, _, length, _, _ in network.layers.tolist()
    ]


def trace(network: Network) -> tuple[Any, float]:
    """How much each input counts in a network's logit; what biases add to it."""
    ahead = np.ones(1)  # how much each output of a layer counts
    biases = 0.0
    layers = zip(network.layers.tolist(), matrices(network), strict=True)
    for (_, k, signal, length, inputs, output), rows in reversed(list(layers)):
        dots = rows.astype(float) @ network.signals[signal : signal + length]
        outputs = network.signals[output : output + k]
        clipped = np.abs(outputs) >= network.bounds[0]
        ahead = ahead * np.where(clipped, outputs / np.where(clipped, dots, 1.0), 1.0)
        biases += float(ahead @ rows[:, inputs])
        ahead = ahead @ rows[:, :inputs]
    return ahead, biases


def logit_of(network: Network) -> float:
    return float(network.signals[network.layers[-1, FIRST_OUTPUT]])


def saved_by_definition(model: Model, bit: int) -> Any:
    """What each input has saved of a bit, then the biases."""
    table, learned, _ = model.text
    network = learned.network
    counts, biases = trace(network)
    logit = logit_of(network)
    if model.recent.now[0]["early_exit"]:
        counts, biases = np.zeros(counts.size), 0.0
        counts[-1] = 1.0
        logit = logit_of(learned.first_stage)
    if table.first_stage_gates.shape[0]:
        of_first, own = trace(learned.first_stage)
        np.add.at(counts, table.first_stage_inputs, counts[-1] * of_first)
        biases += counts[-1] * own
        counts[-1] = 0.0
    together = np.append(counts * network.signals[: counts.size], biases)
    assert together.sum() == pytest.approx(logit, abs=1e-4)
    sign = 1 if bit else -1
    if logit == 0.0:
        return together * sign / (2 * math.log(2))
    return together * (1 - math.log2(1 + math.exp(-sign * logit))) / logit


def test_kernels_are_named_by_their_source() -> None:
    """The cache keeps them in a folder that is named by the sources of the model alone."""
    own = Sources("analysis/attribution.py", "analysis/explain_loop.py").name()
    for kernel in (explain_bytes, explain_samples, explain_jpeg):
        assert kernel.__name__.endswith(f"-{own}")


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 6])
def test_it_is_the_definition(level: int) -> None:
    """Of Aumann and Shapley, with NumPy, from the rows that the gates have chosen."""
    block_type = BlockType(TEXT)
    model = new_model(level)
    parts = byte_parts(model, block_type)
    OF_BYTES.begin_block(parts, block_type)
    expected: Any = 0.0
    exits = 0
    for byte in WORDS:
        for shift in range(7, -1, -1):
            OF_BYTES.predict_bit(parts)
            bit = byte >> shift & 1
            expected = expected + saved_by_definition(model, bit)
            exits += int(model.recent.now[0]["early_exit"])
            OF_BYTES.update_bit(parts, bit)
    model = new_model(level)
    gains = gains_of(model, "text")
    data = np.frombuffer(bytearray(WORDS), np.uint8)
    chances = np.zeros(16 * len(WORDS), np.uint8)
    explain_block(block_type, model, gains, new_coder(), chances, data, 0, len(WORDS))
    assert np.allclose(np.append(gains.of_inputs, gains.of_biases), expected, atol=1e-3)
    assert (exits > 0) == (level > 4)
