"""How samples go together with those at every distance before: what finds rows and slices."""

from __future__ import annotations

from typing import Any

import numpy as np


def products_and_squares(samples: Any, longest: int) -> tuple[Any, Any]:
    """Sums over all pairs of samples (int64[:]) that lie 0 to `longest` apart.

    Returns
    -------
    products, squares : int64[longest + 1]
        Of the products of both, which the Fourier transform gives to far less than the half that
        rounding them to integers allows, if samples have some ten bits; and of the squares of both.
    """
    size = samples.size
    transform = np.fft.rfft(samples, 1 << (2 * size - 1).bit_length())
    products = np.rint(np.fft.irfft(transform * np.conj(transform))[: longest + 1])
    sums = np.concatenate(([0], np.cumsum(samples * samples)))
    distance = np.arange(longest + 1)
    return products.astype(np.int64), sums[size - distance] + sums[size] - sums[distance]
