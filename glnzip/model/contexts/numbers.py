"""Features of arrays of numbers: what the numbers before and above lead to expect of the next one.

Numbers of measurements and simulations go on as they did: like the one before, or the one above in
a row, along a line through two of them, or as least squares have learned. Each such *prediction* is
a whole number, written as those of the array are. What it says of the byte to come depends on the
bytes before it in its number: the array has the highest first (`glnzip.transforms.byte_order`), so
that a small error is seen as one.

Numbers are added and compared as what they mean, floats among them; their distance is counted in
steps from a number to the next one that can be written.
"""

from __future__ import annotations

import numpy as np

from glnzip.format.block_type import FLOATS, SAMPLE_FORMS
from glnzip.jit import inline, outlined
from glnzip.model.contexts import fields
from glnzip.model.media.least_squares import Fading, learn_target, predicted

# Of each prediction there is one feature of each kind.
(
    NEXT_LAST,  # the byte that it has at the place to come, and how it relates to those known
    NEXT_LINE,
    NEXT_ABOVE,
    NEXT_LINE_ABOVE,
    NEXT_PLANE,
    NEXT_STEADY,
    NEXT_QUICK,
    NEXT_MIDDLE,
    SPREAD_LAST,  # the size of its last error, in bits, in units of the byte to come
    SPREAD_LINE,
    SPREAD_ABOVE,
    SPREAD_LINE_ABOVE,
    SPREAD_PLANE,
    SPREAD_STEADY,
    SPREAD_QUICK,
    SPREAD_MIDDLE,
    NEARNESS_LAST,  # how it relates to the bytes known, and that size
    NEARNESS_LINE,
    NEARNESS_ABOVE,
    NEARNESS_LINE_ABOVE,
    NEARNESS_PLANE,
    NEARNESS_STEADY,
    NEARNESS_QUICK,
    NEARNESS_MIDDLE,
    NUMBER_PLACE,  # bytes of the number that are known, and its place in a step
    END,  # the first number of the next module of features
) = range(fields.END, fields.END + 26)

(
    _LAST,  # as the one a step before
    _LINE,  # on a line through the last two
    _ABOVE,  # as the one a row before
    _LINE_ABOVE,  # on a line through the two above
    _PLANE,  # as much more than the last one as those above it differ
    _STEADY,  # by least squares, of some 500 numbers
    _QUICK,  # the same of some 50
    _MIDDLE,  # between the two of these that were the nearest of late
    _PREDICTIONS,
) = range(9)

PLACES = 16  # in a step, that are told apart; later ones count as the last
SPREADS = 16  # sizes that are told apart
NEARNESSES = 1024  # a bound of how near it is
_NEAREST = 3  # bits of an error that are not told from less
_FARTHEST_OFF = 2  # of the bytes known, as a number, from those of the prediction
_OFFS = 2 * _FARTHEST_OFF + 1

_NEIGHBOURS = 9
SQUARES = (Fading(_NEIGHBOURS, 0.998, 1e-4, 8), Fading(_NEIGHBOURS, 0.98, 1e-4, 8))
"""STEADY and QUICK."""
_LARGEST = 4.0  # input of least squares
_SMALLEST_SCALE = 1e-200
_SCALE_SHARE = 1 / 32
_AVERAGE_SHIFT = 4  # the average of sizes is of about the last 16
_AVERAGE_BITS = 16

_WIDTHS = np.array([width for width, _, _ in SAMPLE_FORMS], np.int64)
_BOUNDS = np.array([2.0 ** (8 * width - 1) for width, _, _ in SAMPLE_FORMS])
_BOUNDS[FLOATS] = np.where(_WIDTHS[FLOATS] == 4, 3e38, 1e100)
_FIRST_FLOAT = FLOATS[0]
_FAR = 1 << 28

NUMBERS = np.dtype(
    [
        ("known", np.int64),  # bytes of the present number that were seen ...
        ("so_far", np.int64),  # ... and what they add up to, the first one the highest
        ("place", np.int64),  # of the number in its step
        ("expected", np.int64, _PREDICTIONS),  # what is expected of it
        ("sizes", np.int64, PLACES * _PREDICTIONS),  # bits of the last errors
        ("averages", np.int64, _PREDICTIONS),  # of the sizes, in 2**-16
        ("origin", np.float64),  # the number that those of least squares are counted from ...
        ("unit", np.float64),  # ... and in what unit
        ("scale", np.float64),  # how much numbers have differed from it of late
    ]
)


@inline
def begin_numbers(recent):
    """A block of numbers begins, and with it a number."""
    now, numbers = recent.now[0], recent.numbers[0]
    numbers.known = -now.phase
    numbers.so_far = 0
    numbers.place = 0
    numbers.scale = max(numbers.scale, _SMALLEST_SCALE)
    if now.phase == 0:
        _expect_number(recent)
    _show(recent.features, numbers, _WIDTHS[now.sample_form])


@inline
def see_number(recent, byte):
    """Bring these features up to date after `byte`, as `features.see_byte` does the others."""
    now, numbers = recent.now[0], recent.numbers[0]
    width = _WIDTHS[now.sample_form]
    numbers.known += 1
    if numbers.known == 1:
        numbers.so_far = _signed(byte)
    elif numbers.known > 1:
        numbers.so_far = numbers.so_far << 8 | byte
    if numbers.known == width:
        _learn_number(recent)
        numbers.known = 0
        numbers.so_far = 0
        numbers.place += 1
        if numbers.place * width == now.step:
            numbers.place = 0
    if numbers.known == 0:
        _expect_number(recent)
    _show(recent.features, numbers, width)


@inline
def _show(features, numbers, width):
    """What each prediction says of the byte to come."""
    known = max(numbers.known, 0)
    place = min(numbers.place, PLACES - 1)
    below = 8 * (width - known)  # bits of the number that are not known
    features[NUMBER_PLACE] = known * PLACES + place
    for p in range(_PREDICTIONS):
        expected = numbers.expected[p]
        relation = known * _OFFS + _FARTHEST_OFF
        if known > 0:
            off = numbers.so_far - (expected >> below)
            relation += min(max(off, -_FARTHEST_OFF), _FARTHEST_OFF)
        size = numbers.sizes[place * _PREDICTIONS + p] - (below - 8)
        spread = min(max(size + _NEAREST, 0), SPREADS - 1)
        features[NEXT_LAST + p] = relation << 8 | (expected >> (below - 8) & 255)
        features[SPREAD_LAST + p] = spread
        features[NEARNESS_LAST + p] = relation * SPREADS + spread


@outlined
def _learn_number(recent):
    """A number is known: see how far from it the predictions were."""
    numbers = recent.numbers[0]
    form = recent.now[0].sample_form
    number = numbers.so_far
    place = min(numbers.place, PLACES - 1)
    for p in range(_PREDICTIONS):
        size = _size(number, numbers.expected[p])
        numbers.sizes[place * _PREDICTIONS + p] = size
        average = numbers.averages[p]
        numbers.averages[p] += (size << _AVERAGE_BITS) - average >> _AVERAGE_SHIFT
    change = _value(number, form) - numbers.origin
    if abs(change) <= _LARGEST * numbers.unit:  # a jump would drown all that is known
        for m in range(len(SQUARES)):
            learn_target(recent.squares, m, change / numbers.unit)
    scale = numbers.scale + (abs(change) - numbers.scale) * _SCALE_SHARE
    numbers.scale = max(scale, _SMALLEST_SCALE)


@outlined
def _expect_number(recent):
    """Predict the number that begins."""
    now, numbers = recent.now[0], recent.numbers[0]
    form, step = now.sample_form, now.step
    width = _WIDTHS[form]
    row = now.row_bytes if now.row_bytes > 0 else 2 * step
    last_number = _number(recent, step, width)
    above_number = _number(recent, row, width)
    last = _value(last_number, form)
    last_2 = _value(_number(recent, 2 * step, width), form)
    above = _value(above_number, form)
    above_2 = _value(_number(recent, 2 * row, width), form)
    last_above = _value(_number(recent, row + step, width), form)
    last_above_2 = _value(_number(recent, 2 * row + step, width), form)
    expected = numbers.expected
    expected[_LAST] = last_number
    expected[_LINE] = _written(2 * last - last_2, form)
    expected[_ABOVE] = above_number
    expected[_LINE_ABOVE] = _written(2 * above - above_2, form)
    expected[_PLANE] = _written(last + above - last_above, form)
    x = recent.squares.inputs
    x[0] = last_2 - last
    x[1] = _value(_number(recent, 3 * step, width), form) - last
    x[2] = _value(_number(recent, 4 * step, width), form) - last
    x[3] = above - last
    x[4] = last_above - last
    x[5] = _value(_number(recent, row - step, width), form) - last
    x[6] = above_2 - last
    x[7] = last_above_2 - last
    x[8] = _value(_number(recent, width, width), form) - _value(
        _number(recent, width + step, width), form
    )
    unit = numbers.scale
    for i in range(_NEIGHBOURS):
        unit = max(unit, abs(x[i]) * (1 / _LARGEST))
    for i in range(_NEIGHBOURS):
        x[i] = x[i] / unit
    for m in range(len(SQUARES)):
        expected[_STEADY + m] = _written(last + unit * predicted(recent.squares, m), form)
    numbers.unit = unit
    numbers.origin = last
    best = _nearest(numbers.averages, -1)
    second = _nearest(numbers.averages, best)
    both = expected[best] & expected[second] & 1
    expected[_MIDDLE] = (expected[best] >> 1) + (expected[second] >> 1) + both


@inline
def _nearest(averages, other):
    """Which prediction was the nearest of late, of all but one."""
    best = -1
    for p in range(_MIDDLE):
        if p != other and (best < 0 or averages[p] < averages[best]):
            best = p
    return best


@inline
def _number(recent, back, width):
    """The number that begins so many bytes before the one to come, its highest bit a sign."""
    buffer = recent.buffer
    at = recent.now[0].position - back
    number = _signed(buffer[at & buffer.size - 1])
    for k in range(1, width):
        number = number << 8 | np.int64(buffer[at + k & buffer.size - 1])
    return number


@inline
def _signed(byte):
    """A byte whose highest bit is a sign."""
    return (np.int64(byte) ^ 128) - 128


@inline
def _value(number, form):
    """What a number means (float64); 0 for what is no number, or a very large one."""
    if form < _FIRST_FLOAT:
        return np.float64(number)
    if _WIDTHS[form] == 4:
        if number >> 23 & 0xFF == 0xFF:
            return 0.0
        return np.float64(np.uint32(number & 0xFFFFFFFF).view(np.float32))
    if number >> 52 & 0x7FF > 0x3FF + 330:
        return 0.0
    return np.int64(number).view(np.float64)


@inline
def _written(value, form):
    """The number that means a value, or the one nearest to it; 0 if there is none."""
    if not abs(value) < _BOUNDS[form]:
        return np.int64(0)
    if form < _FIRST_FLOAT:
        return np.int64(value)
    if _WIDTHS[form] == 4:
        return np.int64(np.float32(value).view(np.int32))
    return np.float64(value).view(np.int64)


@inline
def _size(number, other):
    """How many bits the distance of two numbers has, about that if it has more than 60."""
    high = (number >> 32) - (other >> 32)
    size = 0
    distance = abs(high)
    if distance < _FAR:
        distance = abs((high << 32) + (number & 0xFFFFFFFF) - (other & 0xFFFFFFFF))
    else:
        size = 32
    while distance > 0:
        distance >>= 1
        size += 1
    return size
