"""What the paper proves of a neuron holds for ours: regret, gradients, exp-concavity.

Section 3.2 bounds how much more a gated neuron loses than one that was given the best weights of
every context beforehand, whatever the data are. Proposition 1 is what that rests on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from glnzip.gln import Network, learn, new_network, predict
from tests.oracles.gln_oracle import logit, sigma

STEPS = 1500


def zinkevich(diameter: float, gradient: float, count: int) -> Any:
    """``D / (G sqrt(t))`` for t = 1, 2, ..."""
    return (diameter / (gradient * np.sqrt(np.arange(1, count + 1)))).astype(np.float32)


def neuron(inputs: int, contexts: int, bound: float, rates: Any) -> Network:
    """One neuron, whose output is not clipped: no weights here lead to so large a logit."""
    return new_network(
        inputs, [[contexts]], [rates], start=[0.0], output_bound=30.0, weight_bound=bound
    )


def losses_of(logits: Any, bits: Any) -> Any:
    return np.logaddexp(0.0, np.where(bits, -logits, logits))


def best_loss(vectors: Any, bits: Any, bound: float) -> float:
    """The least loss that fixed weights in [-bound, bound] could have had: it is convex."""

    def loss(w: Any) -> tuple[float, Any]:
        z = vectors @ w
        return float(losses_of(z, bits).sum()), vectors.T @ (sigma(z) - bits)

    start = np.zeros(vectors.shape[1])
    box = [(-bound, bound)] * len(start)
    return float(minimize(loss, start, jac=True, method="L-BFGS-B", bounds=box).fun)


def likely(random: np.random.Generator, logits: Any, answer: Callable[[int], float]) -> Any:
    """Bits that fixed weights predict well."""
    weights = random.uniform(-1, 1, logits.shape[1])
    return lambda t: int(random.random() < sigma(3 * float(logits[t] @ weights)))


def contrary(random: np.random.Generator, logits: Any, answer: Callable[[int], float]) -> Any:
    """Always the bit that the neuron thinks less likely: nothing is harder for it."""
    return lambda t: int(answer(t) < 0)


def turning(random: np.random.Generator, logits: Any, answer: Callable[[int], float]) -> Any:
    """The first input is right for a while, then wrong as long as it was right, and so on."""
    return lambda t: int(logits[t, 0] > 0) ^ (t.bit_length() & 1)


@settings(max_examples=12)
@given(
    kind=st.sampled_from([likely, contrary, turning]),
    inputs=st.integers(1, 3),
    contexts=st.integers(1, 3),
    eps=st.floats(0.15, 0.4),
    bound=st.floats(1, 1.5),
    seed=st.integers(0, 2**32 - 1),
)
def test_regret(
    kind: Callable[..., Any], inputs: int, contexts: int, eps: float, bound: float, seed: int
) -> None:
    """At rates D / (G sqrt(t)) it is at most 3/2 D G sqrt(|C| n), and so in every context."""
    random = np.random.default_rng(seed)
    limit = logit(1 - eps)
    logits = random.uniform(-limit, limit, (STEPS, inputs)).astype(np.float32)
    vectors = np.column_stack([logits.astype(float), np.ones(STEPS)])  # the bias: logit(beta) = 1
    chosen = random.integers(0, contexts, (STEPS, 1))
    diameter = 2 * bound * np.sqrt(inputs + 1)
    gradient = np.linalg.norm(vectors, axis=1).max()  # Proposition 1, part 2
    network = neuron(inputs, contexts, bound, zinkevich(diameter, gradient, STEPS))

    def answer(t: int) -> float:
        return float(predict(network, logits[t : t + 1], chosen[t : t + 1])[0])

    bit_at = kind(random, logits, answer)
    bits, answers = np.zeros(STEPS, np.int64), np.zeros(STEPS)
    for t in range(STEPS):
        bits[t] = bit_at(t)
        now = slice(t, t + 1)
        answers[t] = learn(network, logits[now], chosen[now], bits[now])[0]
    losses = losses_of(answers, bits)
    regrets = []
    for context in range(contexts):
        seen = chosen[:, 0] == context
        regrets.append(losses[seen].sum() - best_loss(vectors[seen], bits[seen], bound))
        assert regrets[-1] <= 1.5 * diameter * gradient * np.sqrt(seen.sum())
    assert sum(regrets) <= 1.5 * diameter * gradient * np.sqrt(contexts * STEPS)
    printed = 3 * bound * (inputs + 1) * np.sqrt(contexts * STEPS) * max(1, np.log(1 / eps))
    assert sum(regrets) <= printed, "the paper's form of the bound, with G <= sqrt(K) log(1/eps)"


def test_the_bound_is_not_met_for_nothing() -> None:
    """A neuron that never learns loses more than the bound allows, so `test_regret` can fail."""
    logits = np.full((STEPS, 1), logit(0.8), np.float32)
    vectors = np.column_stack([logits.astype(float), np.ones(STEPS)])
    bits = np.ones(STEPS, np.int64)
    network = neuron(1, 1, 1.5, np.zeros(1, np.float32))
    losses = losses_of(learn(network, logits, np.zeros((STEPS, 1), np.int64), bits), bits)
    bound = 1.5 * (2 * 1.5 * np.sqrt(2)) * np.linalg.norm(vectors[0]) * np.sqrt(STEPS)
    assert losses.sum() - best_loss(vectors, bits, 1.5) > bound


def with_weights(inputs: Any, weights: Any) -> float:
    """A neuron's answer, given its weights, in the logit domain."""
    network = neuron(len(inputs), 1, np.inf, np.ones(1, np.float32))
    network.starts[: len(inputs) + 1] = weights
    return float(predict(network, np.asarray(inputs, np.float32)[None], np.zeros((1, 1), int))[0])


@given(
    eps=st.floats(0.01, 0.4),
    inputs=st.integers(1, 20),
    bit=st.integers(0, 1),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_gradient_and_its_norm(eps: float, inputs: int, bit: int, seed: int) -> None:
    """Parts 1, 2 and 4b: what a step at rate 1 has added to the weights."""
    random = np.random.default_rng(seed)
    limit = logit(1 - eps)
    logits = random.uniform(-limit, limit, (1, inputs)).astype(np.float32)
    before = random.uniform(-2, 2, inputs + 1).astype(np.float32)
    network = neuron(inputs, 1, np.inf, np.ones(1, np.float32))
    network.starts[: inputs + 1] = before
    answer = learn(network, logits, np.zeros((1, 1), int), [bit])[0]
    after = network.weights[network.first_weight[0] :][: inputs + 1]
    moved = before.astype(float) - after
    vector = np.append(logits[0].astype(float), 1.0)
    # `squash` is constant beyond 12, where it is 6e-6 from the end.
    np.testing.assert_allclose(moved, (sigma(float(answer)) - bit) * vector, rtol=0, atol=5e-5)
    norm = np.linalg.norm(moved)
    assert norm <= np.linalg.norm(vector) + 1e-5
    assert norm <= np.sqrt(inputs + 1) * max(1, np.log(1 / eps)) + 1e-5


@given(
    eps=st.floats(0.05, 0.4),
    inputs=st.integers(1, 4),
    bit=st.integers(0, 1),
    seed=st.integers(0, 2**32 - 1),
)
def test_exp_concavity(eps: float, inputs: int, bit: int, seed: int) -> None:
    """Part 4a: with alpha = sigma(max |w|_1 log(eps / (1 - eps))), exp(-alpha loss) is concave."""
    random = np.random.default_rng(seed)
    limit = logit(1 - eps)
    logits = random.uniform(-limit, limit, inputs)
    ends = random.uniform(-1, 1, (2, inputs + 1))
    ends[:, -1] = 0.0  # the bias is no probability within [eps, 1 - eps]
    most = np.abs(ends).sum(axis=1).max()  # |w|_1 is convex: no larger between the two
    alpha = sigma(most * logit(eps))

    def value(w: Any) -> float:
        return float(np.exp(-alpha * losses_of(with_weights(logits, w), bit)))

    share = random.uniform(0.2, 0.8)
    between = value(share * ends[0] + (1 - share) * ends[1])
    assert between >= share * value(ends[0]) + (1 - share) * value(ends[1]) - 1e-6


def test_exp_concavity_is_no_larger() -> None:
    """Not concave any more where alpha is above eps0 / (1 - eps0), what the proof finds."""
    steps = np.linspace(0.9, 1.0, 3)

    def bend(alpha: float) -> float:
        answers = np.array([with_weights([logit(0.9)], [w, 0.0]) for w in steps])
        left, middle, right = np.exp(-alpha * losses_of(answers, 0))
        return float(left - 2 * middle + right)

    assert bend(0.1 / 0.9) < 0
    assert bend(2 * 0.1 / 0.9) > 0
