"""Whether a block is an image: rows whose samples, of one byte or of two, are like those above.

An image of bytes is judged over the middle of the block, and once more over those places alone that
were not predicted exactly, because tables and machine code are full of places that anything
predicts. One of two bytes a sample is judged over some parts of the block: pictures of measuring
instruments are dark at their edges.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from glnzip.format.block_type import IMAGE, WIDE_FORMS, WIDE_IMAGE, BlockType
from glnzip.format.container import MAX_ROW_BYTES
from glnzip.planner.code_length import adaptive_bits
from glnzip.planner.correlation import products_and_squares
from glnzip.planner.guess import RATE_BYTES, Guess, samples_of

_MIDDLE_BYTES = 1 << 16
_PARTS = 4
_CLIFFS = 4
_FEW_VALUES = 1 << 11  # so few that sums of products are exact
_LEAST_PLACES = 512  # that were not predicted exactly; fewer tell nothing
_LONGEST_ROW = 16384
_ROWS_WANTED = 6
_NARROWEST = 12  # samples; shorter rows are records
NARROW = 56
"""Samples; of shorter rows only the model can tell whether they are records."""
_DIP = 32  # samples; rows are closer to each other than to what stands this much off
_STEPS = (1, 3, 4)  # samples of a pixel
_BEST_OF_BYTES = 98  # per cent of the bytes' code length, or less
_WIDE_BEST_OF_BYTES = 90
_WORTH_A_TRIAL = 125  # the same of narrow ones
_QUIET = 64  # bits for 1024 bytes; what costs less is no picture
_BEST_OF_SOUND = 95  # per cent of the code length without the row above, or less
_ASTRAY = 7680  # bits for 1024 bytes that neighbours miss: more than noise costs in any image
_RECORDS_FROM_LEVEL = 6  # the first level that is better at records as bytes than as an image


def guess_image(block: Any, level: int) -> Guess | None:
    """The best guess of what image of bytes a block (uint8[:]) is, or None if it is none."""
    part = _middle(block)
    guesses = []
    step = pixel_step(part)
    for row in _row_lengths(part):
        if row < NARROW and step > 1:
            continue  # numbers of three or four bytes
        rates = [r for s in _STEPS if (r := _image_rate(part, row, s, level)) is not None]
        if rates:
            guesses.append(Guess(min(rates), BlockType(IMAGE, row, step)))
    return min(guesses, default=None)


def guess_wide_image(block: Any) -> Guess | None:
    """The same of images of two bytes a sample."""
    parts = _spread(block)
    written = _wide_form(parts)
    if written is None:
        return None
    samples = samples_of(parts, *written)
    telling = _few_values(samples)
    guesses = []
    for row in _row_lengths(telling[int(np.argmax(telling.max(1) - telling.min(1)))]):
        rates = [rate for step in _STEPS if (rate := _wide_rate(samples, row, step)) is not None]
        if rates and 2 * row <= MAX_ROW_BYTES:
            step = pixel_step(samples[0, samples.shape[1] // 4 :])  # a header may stand before it
            guesses.append(Guess(min(rates), BlockType(WIDE_IMAGE, 2 * row, 2 * step, *written)))
    return min(guesses, default=None)


def _spread(block: Any) -> Any:
    """Parts of the block, evenly spread, which begin at even places: int64[parts, bytes]."""
    count = min(max(block.size // _MIDDLE_BYTES, 1), _PARTS)
    size = min(block.size, _MIDDLE_BYTES)
    starts = [(block.size - size) * (2 * k + 1) // (2 * count) & ~1 for k in range(count)]
    return np.stack([block[start : start + size] for start in starts]).astype(np.int64)


def _wide_form(parts: Any) -> tuple[int, int] | None:
    """The form in which neighbours are closest, and its phase; None if no other is much worse.

    The wrong byte first, or samples that begin a byte too late, make cliffs of every slope.
    """
    rough = []
    for form in WIDE_FORMS:
        for phase in range(2):
            samples = samples_of(parts, form, phase)
            rough.append((int(np.abs(samples[:, 1:] - samples[:, :-1]).sum()), form, phase))
    least, form, phase = min(rough)
    return (form, phase) if _CLIFFS * least < max(rough)[0] else None


def _middle(block: Any) -> Any:
    """The middle of the block: int64[:]."""
    size = min(block.size, _MIDDLE_BYTES)
    start = (block.size - size) // 2
    return block[start : start + size].astype(np.int64)


def _few_values(samples: Any) -> Any:
    """Samples (int64[parts, n]) cut to the bits that tell most of them apart, `_FEW_VALUES`."""
    low, high = np.sort(samples.ravel())[[samples.size // 64, -samples.size // 64]]
    shift = max(int(high - low).bit_length() - _FEW_VALUES.bit_length() + 1, 0)
    return np.clip(samples - low, 0, high - low) >> shift


def _image_rate(part: Any, row: int, step: int, level: int) -> int | None:
    """Bits for 1024 bytes as an image, or None if they are not clearly fewer than as bytes."""
    errors = plane_errors(part, row, step)
    samples = part[part.size - errors.size :]
    sizes = _bit_length(np.abs(errors))
    near = np.maximum(_before(sizes, step), _before(sizes, row))
    guesses = [errors & 255]
    if step > 1:  # a channel often errs as the one before has erred
        guesses.append((errors - _before(errors, 1)) & 255)
    bytes_before = [part[part.size - errors.size - b : part.size - b] for b in (1, step, row)]
    for places in (errors != 0, np.ones(errors.size, bool)):
        size = samples[places].size
        if size < _LEAST_PLACES:
            return None
        bits = min(adaptive_bits(near[places], guess[places], 8) for guess in guesses)
        byte_model = min(adaptive_bits(b[places], samples[places], 8) for b in bytes_before)
        if 100 * bits >= (_BEST_OF_BYTES if row >= NARROW else _WORTH_A_TRIAL) * byte_model:
            return None
        if row >= NARROW and level >= _RECORDS_FROM_LEVEL and RATE_BYTES * bits >= _ASTRAY * size:
            return None
    return RATE_BYTES * bits // size


def _wide_rate(samples: Any, row: int, step: int) -> int | None:
    """The same of samples of two bytes: int64[parts, n].

    An image also has to be predicted better from the row above than from the samples before alone.
    """
    value, w, n, nw = _neighbours(samples, row, step)
    ww = samples[:, row - step : -2 * step]
    ways = [(value - _median(w, n, w + n - nw), row), (value - (w + n >> 1), row)]
    alone = [(value - w, 2 * step), (value - 2 * w + ww, 2 * step)]
    bits = min(_bits_of_errors(errors, step, back) for errors, back in ways)
    if 100 * bits >= _BEST_OF_SOUND * min(_bits_of_errors(e, step, back) for e, back in alone):
        return None
    as_bytes = []
    for before in (w, n):
        halves = [(before >> k & 255, value >> k & 255) for k in (0, 8)]
        as_bytes.append(sum(adaptive_bits(b.ravel(), v.ravel(), 8) for b, v in halves))
    rate = RATE_BYTES * bits // (2 * value.size)
    return rate if rate >= _QUIET and 100 * bits < _WIDE_BEST_OF_BYTES * min(as_bytes) else None


def _bits_of_errors(errors: Any, step: int, back: int) -> int:
    """Code length of errors (int64[parts, n]): their sizes after two before them, then the bits."""
    sizes = _bit_length(np.abs(errors))
    first = max(step, back)
    near = np.maximum(sizes[:, first - step : -step], sizes[:, first - back : -back])
    sizes = sizes[:, first:]
    return adaptive_bits(near.ravel(), sizes.ravel(), 5) + int(sizes.sum())


def pixel_step(part: Any) -> int:
    """Bytes from pixel to pixel: the distance at which bytes are closest to each other.

    In a grey image of three channels neighbouring bytes are closest, but only two in three.
    """
    change = np.abs(part[1:] - part[:-1])
    costs = {1: int(change.sum())}
    for step in _STEPS[1:]:
        costs[step] = int(np.abs(part[step:] - part[:-step]).sum())
    by_channel = change[: change.size // 3 * 3].reshape(-1, 3).sum(0)
    if by_channel.max() > 2 * by_channel.min():
        costs[1] = max(costs[1], costs[3])
    return min(_STEPS[::-1], key=costs.__getitem__)


def _before(values: Any, back: int) -> Any:
    return np.concatenate((np.zeros(back, np.int64), values[:-back]))


def plane_errors(part: Any, row: int, step: int) -> Any:
    """What the middle one of W, N and W + N - NW misses, from the second row on: int64[:]."""
    value, w, n, nw = _neighbours(part[None, :], row, step)
    return (value - _median(w, n, w + n - nw))[0]


def _neighbours(parts: Any, row: int, step: int) -> tuple[Any, Any, Any, Any]:
    """Samples from the second row on, and those west, north and northwest: int64[parts, n]."""
    w, n, nw = parts[:, row:-step], parts[:, step:-row], parts[:, : -row - step]
    return parts[:, row + step :], w, n, nw


def _median(w: Any, n: Any, plane: Any) -> Any:
    return np.clip(plane, np.minimum(w, n), np.maximum(w, n))


def wide_row(part: Any) -> int:
    """The length of rows of `NARROW` samples (int64[:]) or more, or 0."""
    return _wide_row(_apart(part))


def _row_lengths(part: Any) -> list[int]:
    """Distances at which samples are clearly closer to each other than a little off it.

    At most one that is `NARROW`, and one that is not.
    """
    apart = _apart(part)
    return [row for row in (_narrow_row(apart), _wide_row(apart)) if row]


def _apart(part: Any) -> Any:
    """The mean square difference of samples at every distance of a row, in 1/64: int64[:]."""
    longest = min(_LONGEST_ROW, part.size // _ROWS_WANTED)
    products, squares = products_and_squares(part, longest)
    return (squares - 2 * products) * 64 // (part.size - np.arange(longest + 1))


def _narrow_row(apart: Any) -> int:
    """The same of shorter rows, half of which is as far off as can be told.

    Samples beside each other have to be closer too: in records they are not.
    """
    if apart.size < 2 * NARROW:
        return 0
    rows = np.arange(_NARROWEST, NARROW)
    around = np.minimum(apart[rows - rows // 2], apart[rows + rows // 2])
    nearest = np.maximum(apart[rows], apart[1])
    return _first_peak(around * 256 // (nearest + 4), 1, _NARROWEST)


def _wide_row(apart: Any) -> int:
    """The shortest of the best rows of `NARROW` samples or more, or 0."""
    around = np.minimum(apart[NARROW - _DIP : -2 * _DIP], apart[NARROW + _DIP :])
    return _first_peak(around * 256 // (apart[NARROW:-_DIP] + 4), _DIP, NARROW)


def _first_peak(gain: Any, width: int, shortest: int) -> int:
    """The first row, of those from the shortest on, that is the best around and nearly of all."""
    if 4 * gain.max() <= 5 * 256:
        return 0
    # Two rows, and more, may be as good as one: the first peak of those nearly as high counts.
    highest = sliding_window_view(np.pad(gain, width), 2 * width + 1).max(1)
    peaks = (gain == highest) & (10 * gain >= 8 * gain.max())
    return int(np.argmax(peaks)) + shortest


def _bit_length(values: Any) -> Any:
    """Bits of each number, 0 for 0; float64 holds these integers exactly."""
    return np.frexp(values.astype(np.float64))[1].astype(np.int64)
