"""Context functions: side information of many examples in, one small number for each out.

A context function names the row of weights that a neuron uses. This is a catalogue of the usual
ones; any other array of integers serves as well. Two look at numbers, three at bits, and one makes
one function of several:

=====================  ============================================  =========================
`half_spaces`          on which side of a hyperplane an example is   0 .. 1
`half_space_contexts`  the same for several planes of every neuron   0 .. 2**planes - 1
`skip_gram`            the bits at k chosen positions                0 .. 2**k - 1
`max_pool`             whether any bit of a window is a one          0 .. 1
`distance`             how far away the nearest one is               0 .. limit
`compose`              any of these side by side, in mixed radix     0 .. product of sizes - 1
=====================  ============================================  =========================

The results are columns of the `contexts` that `glnzip.gln.examples.learn` takes, and the number of
values of each is the number of rows of its neuron. Values that do not fit are refused here, with a
ValueError.

A half-space is an inequality of real numbers, and is answered as one: rounding errors never decide
on which side an example is, so the contexts are the same on every machine.

Reference: Veness et al., "Online Learning with Gated Linear Networks", 2017, section 2.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum, prod
from typing import Any

import numpy as np

_CELLS = 1 << 22  # numbers held at a time: 32 MiB of float64


def half_spaces(side: Any, normals: Any, offsets: Any) -> Any:
    """``1[z . v >= b]`` for each example z and each plane (v, b), in exact arithmetic.

    Parameters
    ----------
    side : float32[n, d]
        Side information.
    normals : float32[m, d]
        The planes' normals v.
    offsets : float32[m]
        Their offsets b.

    Returns
    -------
    bool[n, m]

    Notes
    -----
    No other array of this size is made: examples are worked on in slices. A product that is closer
    to its offset than rounding errors reach is added up again without any, which takes some ten
    microseconds: ties should be rare, or the data small.
    """
    side, normals, offsets = _checked_planes(side, normals, offsets, 2)
    sides = np.empty((len(side), len(normals)), bool)
    for part, sides_of_part in _sides_in_slices(side, normals, offsets):
        sides[part] = sides_of_part
    return sides


def half_space_contexts(side: Any, normals: Any, offsets: Any) -> Any:
    """The contexts of neurons that look at several half-spaces each: `half_spaces`, composed.

    Parameters
    ----------
    side : float32[n, d]
        Side information.
    normals : float32[neurons, planes, d]
        Normals of the planes of each neuron; at most 16 planes.
    offsets : float32[neurons, planes]
        Their offsets.

    Returns
    -------
    uint8[n, neurons] or uint16[n, neurons]
        The sides of a neuron's planes as a number of ``planes`` bits, the first plane's the highest
        one: ``2**planes`` rows for each neuron. Up to 8 planes fit a byte.
    """
    side, normals, offsets = _checked_planes(side, normals, offsets, 3)
    neurons, planes, dimension = normals.shape
    if not 1 <= planes <= 16:
        raise ValueError(f"{planes} planes for each neuron; 1 to 16 are possible")
    flat = normals.reshape(neurons * planes, dimension), offsets.reshape(neurons * planes)
    contexts = np.empty((len(side), neurons), np.uint8 if planes <= 8 else np.uint16)
    for part, sides in _sides_in_slices(side, *flat):
        contexts[part] = compose(sides.reshape(len(sides), neurons, planes), [2] * planes)
    return contexts


def random_half_spaces(
    random: np.random.Generator,
    neurons: int,
    planes: int,
    dimension: int,
    *,
    scale: float = 1.0,
    offset_scale: float = 1.0,
) -> tuple[Any, Any]:
    """Planes for `half_space_contexts`: ``v ~ N(0, scale**2)``, ``b ~ N(0, offset_scale**2)``.

    Parameters
    ----------
    random : numpy.random.Generator
        What they are drawn from. Other versions of NumPy may draw other numbers: whoever needs
        the same planes elsewhere has to save them.
    neurons, planes, dimension : int
        Number of neurons, planes of each, components of the side information.
    scale, offset_scale : float
        Standard deviations of every component of a normal, and of an offset.

    Returns
    -------
    normals : float32[neurons, planes, dimension]
    offsets : float32[neurons, planes]
    """
    normals = random.standard_normal((neurons, planes, dimension), np.float32)
    offsets = random.standard_normal((neurons, planes), np.float32)
    normals *= np.float32(scale)
    offsets *= np.float32(offset_scale)
    return normals, offsets


def skip_gram(bits: Any, positions: Sequence[int]) -> Any:
    """The bits at k positions as one number, ``z[i_1] * 2**(k-1) + ... + z[i_k]``: int64[n].

    Parameters
    ----------
    bits : uint8[n, d]
        Side information, zeros and ones.
    positions : sequence of int
        The first is the most significant; at most 62.
    """
    return _as_number(_chosen(bits, positions).T)


def max_pool(bits: Any, *windows: Sequence[int]) -> Any:
    """``max(z[i] for i in window)``, whether there is a one in the window: int64[n].

    Parameters
    ----------
    bits : uint8[n, d]
        Side information, zeros and ones.
    *windows : sequences of int
        Positions. Several windows are composed to a number of one bit each, the first window's the
        highest one.
    """
    pools = [_any(bits, window) for window in windows]
    if not pools:
        raise ValueError("no window to look at")
    return _as_number(pools)


def distance(bits: Any, positions: Sequence[int], limit: int) -> Any:
    """The least ``j < limit`` with ``z[i_j] = 1``, or else `limit`: int64[n].

    Parameters
    ----------
    bits : uint8[n, d]
        Side information, zeros and ones.
    positions : sequence of int
        From near to far: ``i_0, i_1, ...``
    limit : int
        The answer where none of the first `limit` positions holds a one: there are ``limit + 1``
        contexts.
    """
    if limit < 1:
        raise ValueError(f"a limit of {limit} leaves nothing to tell apart")
    near = _chosen(bits, positions)[:, :limit]
    return np.where(near.any(axis=1), near.argmax(axis=1), limit).astype(np.int64)


def compose(values: Any, sizes: Sequence[int]) -> Any:
    """Several contexts as one, in mixed radix: ``(c_1 * size_2 + c_2) * size_3 + c_3 ...``

    Parameters
    ----------
    values : integers[n, d] or integers[n, neurons, d]
        The values of d context functions, for each example or each example and neuron.
    sizes : sequence of d int
        How many values each function has: ``0 <= c_i < size_i``.

    Returns
    -------
    int64[n] or int64[n, neurons]
        Numbers below the product of the sizes, another one for every combination (the paper's
        section 2.3.2).
    """
    values = np.asarray(values)
    if values.ndim not in (2, 3) or values.dtype.kind not in "iub":
        raise ValueError("contexts to compose are integers[n, d] or integers[n, neurons, d]")
    if values.shape[-1] != len(sizes) or not len(sizes):
        raise ValueError(f"{values.shape[-1]} context functions, but {len(sizes)} sizes")
    if min(sizes) < 1 or prod(map(int, sizes)) > 1 << 62:
        raise ValueError("sizes must be at least 1, and their product at most 2**62")
    composed = np.zeros(values.shape[:-1], np.int64)
    for i, size in enumerate(sizes):
        column = values[..., i]
        if ((column < 0) | (column >= size)).any():
            raise ValueError(f"context function {i} has values that are not in 0 .. {size - 1}")
        composed *= size
        composed += column.astype(np.int64)
    return composed


def _sides_in_slices(side: Any, normals: Any, offsets: Any) -> Iterator[tuple[slice, Any]]:
    """Slices of examples, and on which side of all planes their examples are.

    The factors are float32, so float64 holds their products exactly and only the additions round,
    in an order that is the library's own. With ``|sum |z_i v_i|| <= |z| |v|`` the error is below
    ``d * 2**-53 * |z| |v|`` in any order; the margin is more than twice that. Within the margin
    `fsum`, which rounds once, at the end, and so keeps the sign, tells the sides apart.
    """
    normals, offsets = normals.astype(np.float64), offsets.astype(np.float64)
    margin = 4.0 * side.shape[1] * 2.0**-53 * _lengths(normals).max(initial=0.0)
    step = max(1, _CELLS // max(1, *normals.shape))
    for first in range(0, len(side), step):
        part = slice(first, first + step)
        points = side[part].astype(np.float64)
        products = points @ normals.T
        products -= offsets
        sides = products >= 0.0
        np.abs(products, out=products)
        doubtful = products < margin * _lengths(points)[:, None]
        for i, j in zip(*np.nonzero(doubtful), strict=True):
            sides[i, j] = fsum([*(points[i] * normals[j]).tolist(), -offsets[j]]) >= 0.0
        yield part, sides


def _lengths(vectors: Any) -> Any:
    return np.sqrt(np.einsum("ij,ij->i", vectors, vectors))


def _checked_planes(side: Any, normals: Any, offsets: Any, ndim: int) -> tuple[Any, Any, Any]:
    """All three as finite float32 arrays that fit each other."""
    side, normals, offsets = (np.asarray(a, np.float32) for a in (side, normals, offsets))
    if side.ndim != 2 or normals.ndim != ndim or normals.shape[-1] != side.shape[1]:
        raise ValueError(f"normals of shape {normals.shape} do not fit side of shape {side.shape}")
    if offsets.shape != normals.shape[:-1]:
        raise ValueError(f"offsets of shape {offsets.shape} do not fit normals {normals.shape}")
    if not all(np.isfinite(a).all() for a in (side, normals, offsets)):
        raise ValueError("half-spaces need finite numbers")
    return side, normals, offsets


def _as_number(columns: Any) -> Any:
    """Columns of checked bits as numbers, the first one's the highest: int64[n]."""
    if len(columns) > 62:
        raise ValueError(f"{len(columns)} bits; a number has room for 62")
    numbers = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        numbers <<= 1
        numbers |= column
    return numbers


def _any(bits: Any, window: Sequence[int]) -> Any:
    """Whether there is a one at any of these positions; they need not be copied for that."""
    bits, columns = _checked_positions(bits, window)
    union = np.zeros(len(bits), bits.dtype)
    for column in columns:
        union |= bits[:, column]
    _check_bits(union)  # any other number in the window has left its bits here
    return union


def _chosen(bits: Any, positions: Sequence[int]) -> Any:
    """The columns of `bits` at these positions."""
    bits, columns = _checked_positions(bits, positions)
    chosen = bits[:, columns]
    _check_bits(chosen)
    return chosen.astype(np.uint8)


def _checked_positions(bits: Any, positions: Sequence[int]) -> tuple[Any, Any]:
    """The bits of n examples, and which of their columns are meant: one at least."""
    bits, columns = np.asarray(bits), np.asarray(positions)
    if bits.ndim != 2:
        raise ValueError(f"bits of shape {bits.shape} are not those of n examples")
    if bits.dtype.kind not in "iub":
        raise ValueError(f"bits are integers or booleans, not {bits.dtype}")
    if columns.ndim != 1 or not columns.size or columns.dtype.kind not in "iu":
        raise ValueError("positions are a sequence of at least one integer")
    if columns.min() < 0 or columns.max() >= bits.shape[1]:
        raise ValueError(f"a position is not in 0 .. {bits.shape[1] - 1}")
    return bits, columns


def _check_bits(bits: Any) -> None:
    if bits.size and not 0 <= bits.min() <= bits.max() <= 1:
        raise ValueError("bits are zeros and ones")
