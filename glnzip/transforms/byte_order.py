"""Arrays of numbers with the highest byte of each first, as the model wants to see them.

What numbers have in common with those before is in their high bytes, and the lower ones are told by
these. Most machines write the lowest byte first.
"""

from __future__ import annotations

from typing import Any

from glnzip.format.block_type import SAMPLE_FORMS, BlockType


def turn_numbers(data: Any, block_type: BlockType) -> None:
    """Turn each number of a block of them round, if its lowest byte comes first; again, and back.

    Parameters
    ----------
    data : uint8[:]
        The block, changed in place. What of its first and its last number lies in other blocks
        stays as it is.
    block_type : BlockType
        Of the kind `NUMBERS`.
    """
    width, _, little = SAMPLE_FORMS[block_type.sample_form]
    if little and data.size >= block_type.phase + width:
        end = data.size - (data.size - block_type.phase) % width
        numbers = data[block_type.phase : end].reshape(-1, width)
        numbers[:] = numbers[:, ::-1].copy()
