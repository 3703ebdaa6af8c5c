"""The tables are what mathematics says; `tests.test_pinned_tables` pins them to the bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glnzip.gln import logistic
from glnzip.gln.logistic import SQUASH_LIMIT, SQUASH_STEPS, STRETCH, STRETCH_BITS
from tests.gln import kernels


def squash(x):
    x = np.asarray(x, np.float32)
    p = np.zeros_like(x)
    kernels.squash_all(x, p)
    return p


def sigma(x):
    return 1 / (1 + np.exp(-np.asarray(x, np.float64)))


def test_exact_exp_and_log():
    x = np.linspace(-700, 700, 4001)
    assert np.allclose(logistic.exact_exp(x), [math.exp(v) for v in x], rtol=2e-13, atol=0)
    y = np.concatenate([np.geomspace(1e-300, 1e300, 2001), [1.0, 0.5, 2.0, 1 - 2**-53, 1 + 2**-52]])
    assert np.allclose(logistic.exact_log(y), [math.log(v) for v in y], rtol=1e-14, atol=3e-16)


def test_stretch_is_the_logit_at_the_middle_of_each_interval():
    assert STRETCH.size == 1 << STRETCH_BITS
    middles = (np.arange(STRETCH.size) + 0.5) / STRETCH.size
    assert np.allclose(STRETCH, np.log(middles / (1 - middles)), rtol=1e-6, atol=1e-7)
    assert np.all(np.diff(STRETCH) > 0)
    assert np.allclose(STRETCH, -STRETCH[::-1], rtol=1e-6, atol=0)


def test_squash_is_the_logistic_function():
    x = np.linspace(-SQUASH_LIMIT, SQUASH_LIMIT, 50_001, dtype=np.float32)
    assert np.abs(squash(x) - sigma(x)).max() < 1e-6
    assert squash([0.0])[0] == 0.5


def test_squash_never_falls():
    apm_buckets = (
        np.arange(-SQUASH_LIMIT * SQUASH_STEPS, SQUASH_LIMIT * SQUASH_STEPS + 1) / SQUASH_STEPS
    )
    around = apm_buckets.astype(np.float32)
    close = [np.nextafter(around, np.float32(side), dtype=np.float32) for side in (-99, 99)]
    x = np.sort(np.concatenate([around, *close, np.linspace(-13, 13, 100_001, dtype=np.float32)]))
    assert np.all(np.diff(squash(x)) >= 0)


def test_squash_is_constant_and_inside_zero_to_one_beyond_its_limit():
    low, high = squash([-SQUASH_LIMIT, SQUASH_LIMIT])
    assert 0 < low < 1e-5
    assert 1 - 1e-5 < high < 1
    far = [SQUASH_LIMIT + 1e-5, 13, 1e4, 3e38, math.inf]
    assert np.all(squash(far) == high)
    assert np.all(squash(np.negative(far)) == low)


@pytest.mark.parametrize("eps", [1e-6, 0.01, 0.25])
def test_stretched_clips_then_takes_the_logit(eps):
    p = np.array([[0.0, 1.0, eps, 1 - eps], [0.3, 0.5, 0.7, eps / 2]])
    clipped = np.clip(p, eps, 1 - eps)
    z = logistic.stretched(p, eps)
    assert z.dtype == np.float32
    assert z.shape == p.shape
    assert np.allclose(z, np.log(clipped / (1 - clipped)), rtol=1e-6, atol=1e-7)
    assert z[1, 1] == 0


def test_stretched_takes_any_numbers():
    expected = logistic.stretched(np.array([0.0, 1.0]), 0.01)
    assert np.array_equal(logistic.stretched([0, 1], 0.01), expected)
    assert np.array_equal(logistic.stretched(np.array([False, True]), 0.01), expected)


def test_squash_undoes_stretched():
    p = np.linspace(0.0001, 0.9999, 999)
    assert np.abs(squash(logistic.stretched(p, 1e-5)) - p).max() < 1e-6
