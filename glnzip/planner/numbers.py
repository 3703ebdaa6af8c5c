"""Whether a block is an array of numbers of four or eight bytes, and what its rows are.

Numbers that lie beside each other, or one above the other, differ by little, if they are taken with
the right width, byte first and beginning. Differences are judged by how many bits they have. Rows
of an array may be long: a simulation that writes all its atoms again and again has one for each
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from glnzip.format.block_type import (
    FLOATS,
    MAX_NUMBERS,
    NUMBER_FORMS,
    NUMBERS,
    SAMPLE_FORMS,
    WHOLE_NUMBERS,
    BlockType,
)
from glnzip.format.container import MAX_NUMBER_ROW
from glnzip.planner.distances import count_sizes

_SMALLEST = 4096  # bytes; in less, nothing can be told
_PLACES = 1024  # at which forms are compared
_STEPS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16)  # numbers
_LARGE_STEP = 8 * _STEPS[-1]  # bytes
_TOP_BITS = 16  # of a number, that forms are compared by
_LEAST_TOLD = 2  # bits for 8 bytes ...
_LEAST_TOLD_QUICKLY = 6  # ... at levels where it takes time to find that it was in vain
_THOROUGH_FROM_LEVEL = 4
_FARTHEST = 3  # forms of which others tell so many times as much are none
_LONGEST_TOLD = 4096  # numbers of a row, where none but its own tell anything
_ROW_GLANCES = 64  # places at which all rows are compared ...
_BEST_ROWS = 64  # ... and how many are looked at once more ...
_ROW_PLACES = 2048  # ... at so many
_MARGIN = _ROW_PLACES // 4  # bits, by which a distance must be better than a shorter one
_UNRELATED = 8 * _ROW_PLACES  # bits more: such numbers tell nothing of each other
_KNOWN_BITS = 31  # of a number, that rows are found by


def guess_numbers(block: Any, level: int) -> list[BlockType]:
    """What arrays of whole numbers a block (uint8[:]) may be: at most one of each form."""
    if block.size < _SMALLEST:
        return []
    guesses = []
    for form, phase in _forms(block, level):
        width, _, little = SAMPLE_FORMS[form]
        step, row = _step_and_row(_numbers(block[phase:], width, little))
        guesses.append(BlockType(NUMBERS, width * row, width * step, form, phase))
    return guesses


def as_floats(block_type: BlockType) -> BlockType:
    """The same numbers as floats."""
    return block_type._replace(sample_form=block_type.sample_form + FLOATS[0] - NUMBER_FORMS[0])


def _forms(block: Any, level: int) -> list[tuple[int, int]]:
    """The forms in which numbers tell something of others, each with the phase of the most."""
    starts = _spread(0, block.size - _LARGE_STEP - 16, _PLACES) & ~7
    windows = block[starts[:, None] + np.arange(_LARGE_STEP + 16)].astype(np.int64)
    best = []
    for form in WHOLE_NUMBERS:
        width, _, little = SAMPLE_FORMS[form]
        written = _all_numbers(windows, width, little)
        told = []
        for phase in range(width):
            numbers = written[:, _LARGE_STEP + phase :: -width][:, : _STEPS[-1] + 1]
            bits = _told(_cut(numbers, _TOP_BITS))
            # Most begin at multiples of four bytes; others must tell more.
            told.append((bits * (4 if phase % 4 else 5) * 2 // width, -phase))
        told.append((_told_by_rows(_numbers(block, width, little)) * 10 // width, 0))
        best.append((*max(told), form))
    least = _LEAST_TOLD if level >= _THOROUGH_FROM_LEVEL else _LEAST_TOLD_QUICKLY
    least = max(least * _PLACES, max(best)[0] // _FARTHEST)
    return [(form, -phase) for told_bits, phase, form in best if told_bits >= least]


def _told_by_rows(numbers: Any) -> int:
    """How many bits smaller it is what numbers differ by from those a row before."""
    numbers = _cut(numbers, _TOP_BITS)
    backs = _far_backs(numbers, _LONGEST_TOLD)
    places = _spread(max(backs), numbers.size - 1, _PLACES)
    apart = _bits(numbers[places] - np.roll(numbers[places], _PLACES // 2))
    return apart - min(_bits(numbers[places] - numbers[places - back]) for back in backs)


def _cut(numbers: Any, bits: int) -> Any:
    """Numbers (int64[...]) without the low bits that are not needed to tell most of them apart."""
    halves = numbers >> 1  # whose differences have a bit less than numbers may have
    above = halves - halves.min()
    return above >> max(int(above.max()).bit_length() - bits, 0)


def _told(numbers: Any) -> int:
    """How many bits smaller it is what they differ by from the last ones than from any others."""
    own = numbers[:, 0]
    near = min(_bits(own - numbers[:, step]) for step in _STEPS if step < numbers.shape[1])
    return _bits(own - np.roll(own, own.size // 2)) - near


def _all_numbers(windows: Any, width: int, little: bool) -> Any:
    """The numbers that begin at each byte but the last: int64[places, bytes]."""
    count = windows.shape[1] - width
    order = range(width - 1, -1, -1) if little else range(width)
    total = np.zeros((windows.shape[0], count), np.int64)
    for k in order:
        total = total << 8 | windows[:, k : k + count]
    return _signed(total, width)


def _numbers(data: Any, width: int, little: bool) -> Any:
    """The numbers of some bytes: int64[:]."""
    whole = data[: data.size - data.size % width]
    return whole.view(f"{'<' if little else '>'}i{width}").astype(np.int64)


def _signed(numbers: Any, width: int) -> Any:
    half = 1 << 8 * width - 1
    return (numbers ^ half) - half if width < 8 else numbers


def _step_and_row(numbers: Any) -> tuple[int, int]:
    """How many numbers a step and a row have; 0 for no row.

    A row is the distance at which numbers are nearest to each other; a step is the part of it of
    which that is true. If a step tells nothing beside a row that is short enough, the row is it.
    """
    numbers = _cut(numbers, _KNOWN_BITS)
    longest = min(MAX_NUMBERS, numbers.size // 2)
    row, row_bits = _nearest(numbers, range(1, longest + 1), _MARGIN)
    far, far_bits = _nearest(numbers, _far_backs(numbers, MAX_NUMBER_ROW // 8), _MARGIN)
    if far_bits + _MARGIN < row_bits:
        row, row_bits = far, far_bits
    if row == 1:
        return 1, 0
    parts = [back for back in range(1, min(MAX_NUMBERS + 1, row)) if row % back == 0]
    step, step_bits = _nearest(numbers, parts, _MARGIN // 4)
    if step_bits > row_bits + _UNRELATED and row <= MAX_NUMBERS:
        return row, 0
    return step, row


def _far_backs(numbers: Any, longest: int) -> list[int]:
    """Distances at which a few numbers are nearest to each other, of all up to the longest."""
    half = numbers.size // 2
    glances = _spread(half, numbers.size - 1, _ROW_GLANCES)
    sums = np.zeros(min(half, longest), np.int64)
    count_sizes(numbers, glances, sums)
    return [int(back) for back in np.sort(np.argsort(sums, kind="stable")[:_BEST_ROWS] + 1)]


def _nearest(numbers: Any, backs: Sequence[int], margin: int) -> tuple[int, int]:
    """The first distance at which they are nearest, or nearly so, and the bits they differ by."""
    places = _spread(max(backs), numbers.size - 1, _ROW_PLACES)
    bits = [_bits(numbers[places] - numbers[places - back]) for back in backs]
    best = next(k for k, some in enumerate(bits) if some <= min(bits) + margin)
    return backs[best], bits[best]


def _spread(first: int, last: int, count: int) -> Any:
    """Places from the first to the last, evenly spread: int64[count]."""
    return first + np.arange(count, dtype=np.int64) * (last - first) // (count - 1)


def _bits(differences: Any) -> int:
    """How many bits numbers (int64[...]) have in all, without their signs."""
    return int(np.frexp(np.abs(differences).astype(np.float64))[1].sum())
