"""Every way of putting brackets around a product of matrices, and what each costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


def bracketings(first: int, last: int) -> Iterator[Any]:
    """All orders of multiplying the matrices `first` to `last`, as numbers and pairs of orders."""
    if first == last:
        yield first
    for middle in range(first, last):
        for left in bracketings(first, middle):
            for right in bracketings(middle + 1, last):
                yield left, right


def multiplications(order: Any, sizes: Sequence[int]) -> tuple[int, int, int]:
    """Rows and columns of an order's result, and the multiplications that it takes."""
    if isinstance(order, int):
        return sizes[order], sizes[order + 1], 0
    (rows, inner, before), (inner_too, columns, beside) = (
        multiplications(part, sizes) for part in order
    )
    assert inner == inner_too, "matrices that do not fit each other"
    return rows, columns, before + beside + rows * inner * columns
