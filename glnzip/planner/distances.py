"""How much numbers differ at each distance: what `glnzip.planner.numbers` finds rows by."""

from __future__ import annotations

from glnzip.jit import kernel
from glnzip.planner.error_sizes import bit_length


@kernel
def count_sizes(numbers, places, sums):
    """Add up how many bits the differences to earlier numbers have.

    Parameters
    ----------
    numbers : int64[:]
        Of at most 32 bits.
    places : int64[:]
        Which of them are compared; none is before ``sums.size``.
    sums : int64[:]
        Receives at ``d - 1`` the bits of the differences at the distance ``d``.
    """
    for place in places:
        number = numbers[place]
        for back in range(1, sums.size + 1):
            sums[back - 1] += bit_length(abs(number - numbers[place - back]))
