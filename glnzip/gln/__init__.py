"""The engine: a Gated Linear Network, which turns opinions about a bit into one probability.

It knows nothing about bytes, pixels or files. Numbers and small integers come in (the logits of
some base predictions, and one context for every neuron), a probability comes out, the bit is shown,
and the network has learned. The method is that of Veness, Lattimore, Bhoopchand, Grabska-Barwinska,
Mattern and Toth, "Online Learning with Gated Linear Networks" (2017), called *the paper* below.

Geometric mixing
----------------
A neuron is given probabilities ``p_1 .. p_K`` that the next bit is a one, and mixes them with
weights ``w``:

    p = prod p_i^w_i / (prod p_i^w_i + prod (1 - p_i)^w_i) = sigma(w . logit(p))

where ``sigma(z) = 1 / (1 + e^-z)`` and ``logit`` is its inverse. In logits a neuron is a plain dot
product. Weights may be negative, and need not add up to one: several models that agree for
different reasons can be believed more than any one of them. One more input is the same for ever,
``logit(beta) = 1``: the bias, which lets a neuron hold an opinion of its own.

Gating
------
A neuron owns not one weight vector but a table of them. A *context function* looks at *side
information* (whatever the user of the engine knows: the byte before, the side of a hyperplane) and
names one row of the table; the neuron works with that row alone. Neurons are linear, but each
region of the side information has its own linear function, and a stack of layers multiplies the
regions: that is where the power of the network comes from. The engine is handed the row numbers;
how they are found is its user's business. `gating` has the usual context functions for arrays of
examples: half-spaces for numbers, skip-grams, windows and distances for bits. Those that look at
several things at once combine their values in mixed radix, ``a * size_of_b + b``, and remain one
number.

Learning
--------
Every neuron, in every layer, predicts the same bit, and so can be told at once how wrong it was.
With ``loss = -log(probability given to the bit)``, Proposition 1 says

    d loss / d w = (p - bit) * logit(p_in)

and that the loss is convex in ``w``. There is nothing to propagate back and no bad local minimum to
be caught in: each neuron takes a step of online gradient descent in the row it has just used (the
paper's equation 9),

    w <- clip(w - rate * (p - bit) * logit(p_in), -b, b)

and all other rows stay as they are. Probabilities are kept inside ``[eps, 1 - eps]``, so no logit
and no gradient is ever infinite, and weights inside ``[-b, b]``.

The first prediction of a new network depends on its initial weights: zeros (every neuron begins at
one half) or ``1/K`` (the geometric average of its inputs). Both are choices of `new_network`, as is
any other constant.

Prediction never changes what was learned. To freeze a network, do not call `update_network`.

Switching
---------
Usually the last layer has one neuron, and that is the answer. But an early layer learns faster than
a late one, so every neuron is a candidate; `switching` mixes them all, and follows the best
candidate as it changes from one part of the data to the next.

What is done differently here
-----------------------------
**Signals are logits.** The paper states everything in probabilities. Here a neuron's output stays
the clipped dot product ``z``, because ``logit(clip(sigma(z), eps, 1 - eps))`` is the same as
``clip(z, -B, B)`` with ``B = ln((1 - eps) / eps)``. The logistic function is needed only for the
error ``p - bit``; no logarithm is taken anywhere after the inputs.

**A step counter for each row.** The paper's rates fall with time. Here they fall with the number of
steps a row has taken, since a row that is first used late still has everything to learn. The
counters are part of what is learned, and are saved with the weights.

**The same bits on every machine.** A decoder must repeat the encoder's arithmetic exactly, so every
operation is float32 or float64 in a fixed order: dot products add sixteen lanes in a written order
(`glnzip.jit.lanes`), the logistic function is a table made without the C library (`logistic`), and
no compiler option may change the result. Without a compiler the same functions run as plain Python
and give the same bits.

The modules
-----------
``network``        the arrays of a network; `predict_network` and `update_network`
``switching``      all neurons as candidates; `predict_switching` and `update_switching`
``learning_rate``  how the rate falls: `constant`, `decaying`, `inverse_time`
``logistic``       logit and logistic function: `stretched` makes the inputs, `squash` undoes it
``estimators``     counts of bits as probabilities: Krichevsky-Trofimov and Zero-Redundancy
``skip_grams``     base models for bits: `learn_skip_grams` makes inputs of them
``examples``       whole arrays of examples: `learn`, `predict`
``gating``         context functions: side information in, the rows of the neurons out
``frozen``         a network that no longer learns, as one linear function of its inputs
``gaussian``       neurons that predict numbers as normal distributions: `learn_gaussian`
``classifier``     `GLNClassifier` for scikit-learn, which it needs; not imported with the engine
``regressor``      `GLNRegressor`, the same for numbers

A whole program, inside any function compiled with `glnzip.jit.inline` or `glnzip.jit.kernel`::

    network.signals[i] = ...           # for each input i: a logit, from `stretched` or a table
    network.contexts[k] = ...          # for each neuron k: its row, 0 .. rows - 1
    p = squash(predict_network(network))
    update_network(network, bit)
"""

from glnzip.gln.examples import (
    learn,
    learn_switching,
    predict,
    predict_mixture,
    predict_neurons,
)
from glnzip.gln.frozen import cheapest_order, collapse, gated_matrices
from glnzip.gln.gating import (
    compose,
    distance,
    half_space_contexts,
    half_spaces,
    max_pool,
    random_half_spaces,
    skip_gram,
)
from glnzip.gln.gaussian import (
    GaussianNetwork,
    learn_gaussian,
    new_gaussian_network,
    predict_gaussian,
    predict_gaussian_neurons,
)
from glnzip.gln.learning_rate import constant, decaying, inverse_time
from glnzip.gln.logistic import squash, stretched
from glnzip.gln.network import Network, new_network, predict_network, update_network
from glnzip.gln.skip_grams import (
    SkipGrams,
    learn_skip_grams,
    new_skip_grams,
    predict_skip_grams,
    zero_redundancy_logits,
)
from glnzip.gln.switching import Switching, new_switching, predict_switching, update_switching

__all__ = [
    "GaussianNetwork",
    "Network",
    "SkipGrams",
    "Switching",
    "cheapest_order",
    "collapse",
    "compose",
    "constant",
    "decaying",
    "distance",
    "gated_matrices",
    "half_space_contexts",
    "half_spaces",
    "inverse_time",
    "learn",
    "learn_gaussian",
    "learn_skip_grams",
    "learn_switching",
    "max_pool",
    "new_gaussian_network",
    "new_network",
    "new_skip_grams",
    "new_switching",
    "predict",
    "predict_gaussian",
    "predict_gaussian_neurons",
    "predict_mixture",
    "predict_network",
    "predict_neurons",
    "predict_skip_grams",
    "predict_switching",
    "random_half_spaces",
    "skip_gram",
    "squash",
    "stretched",
    "update_network",
    "update_switching",
    "zero_redundancy_logits",
]
