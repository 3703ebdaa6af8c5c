"""What is shown of outlines (`glnzip.model.contexts.outlines`), as features of x86 code are.

A flag is told by those before it; a step by steps before it, flags around it, places that outlines
share, and what is left to the edge of the box; a number by those that it may be near.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import code as c
from glnzip.model.contexts import outlines as o
from glnzip.model.contexts.hints import show_program
from glnzip.model.hashing import U32, hashed_pair

_PLACE_OF_WORDS, _PLACE_OF_HINTS, _PLACE_OF_FLAGS, _PLACE_OF_STEPS = 2, 5, 10, 12
"""What gates see of these parts; of the last three it is the first of five, two and four."""


@inline
def show_outline(outline, features, last4):
    """Show the features of code for the next byte of an outline."""
    part = outline.part
    if part == o.PROGRAM:
        show_program(outline.hints, features, last4, outline.left, outline.points, _PLACE_OF_HINTS)
    elif part == o.FLAGS:
        _show_flag(outline, features)
    elif part in (o.X, o.Y):
        _show_step(outline, features, last4)
    else:
        _show_word(outline, features, last4)


@inline
def _show_flag(outline, features):
    flags, before = outline.last_flags.opcodes, outline.last_flags.opcodes_before
    last = flags & 255
    place = _PLACE_OF_FLAGS + outline.repeats
    end = outline.ends[outline.contour] if outline.contour < outline.contours else np.int64(0)
    left = max(min(end - outline.point, 15), 0) + 1
    kind = min(left, 2) << 1 | outline.begins
    if outline.repeats:
        kind = min(outline.points - outline.point, 255)
    features[c.CODE_PLACE] = place
    features[c.CODE] = place << 8 | kind
    features[c.CODE_BEFORE] = flags & 0xFFFF
    features[c.CODE_BEFORE_2] = flags >> 8 & 0xFFFF
    features[c.CODE_BEFORE_4] = hashed_pair(flags, before & 255)
    c.describe_opcodes(outline.last_flags, features)
    features[c.REGISTERS] = last
    features[c.OPERAND] = left << 8 | last
    features[c.OPERAND_LIKE] = hashed_pair(outline.point, outline.points)
    features[c.TARGET] = hashed_pair(outline.point, end)
    features[c.CODE_GATE] = place << 8 | last
    features[c.CODE_BEFORE_GATE] = place << 8 | flags >> 8 & 255


@inline
def _show_step(outline, features, last4):
    """By steps before it, by flags around it, by places that outlines share, by what is left."""
    in_x = np.int64(outline.part == o.X)
    point = outline.point
    flag = outline.point_flags[point]
    before = outline.point_flags[point - 1] if point > 0 else np.int64(0)
    after = outline.point_flags[point + 1] if point + 1 < outline.points else np.int64(0)
    is_short = np.int64(flag & (o.X_SHORT if in_x else o.Y_SHORT) != 0)
    goes_up = np.int64(flag & (o.X_SAME if in_x else o.Y_SAME) != 0)
    place = _PLACE_OF_STEPS + 2 * in_x + (1 - is_short)
    shape = (before & 1) << 3 | (flag & 1) << 2 | (after & 1) << 1 | outline.begins
    high = first_half(outline.half, last4)
    one, two = outline.steps[0] & U32, hashed_pair(outline.steps[0] & U32, outline.steps[1] & U32)
    three = hashed_pair(two, outline.steps[2] & U32)
    lowest, highest = outline.box[1 - in_x], outline.box[3 - in_x]
    edge = highest - outline.at if goes_up else outline.at - lowest
    left = outline.ends[outline.contour] - point
    features[c.CODE_PLACE] = place
    features[c.CODE] = place << 20 | is_short << 17 | goes_up << 16 | high
    features[c.CODE_BEFORE] = hashed_pair(one, shape)
    features[c.CODE_BEFORE_4] = hashed_pair(two, shape)
    features[c.OPCODES_4] = before << 16 | flag << 8 | after
    if in_x:
        features[c.CODE_BEFORE_2] = hashed_pair(outline.steps[1] & U32, flag << 8 | after)
        features[c.OPCODES_3] = three
        features[c.OPCODES_6] = hashed_pair(three, outline.steps[3] & U32)
        features[c.OPCODES_8] = hashed_pair(outline.at & U32, one)
        features[c.OPERAND] = outline.at - lowest & U32
    else:
        across = outline.x_steps[point] & U32
        across_before = outline.x_steps[point - 1] & U32 if point > 0 else np.int64(0)
        features[c.CODE_BEFORE_2] = hashed_pair(across, shape)
        features[c.OPCODES_3] = hashed_pair(across, one)
        features[c.OPCODES_6] = three
        features[c.OPCODES_8] = hashed_pair(hashed_pair(across, one), across_before)
        features[c.OPERAND] = outline.at & U32
    features[c.REGISTERS] = hashed_pair(outline.at & U32, flag)
    features[c.OPERAND_LIKE] = edge & U32
    features[c.TARGET] = hashed_pair(outline.began - outline.at & U32, min(left, 3))
    features[c.CODE_GATE] = place << 8 | is_short << 6 | goes_up << 5 | shape << 1 | outline.half
    size = min(abs(outline.steps[0]) >> 3, 31)
    features[c.CODE_BEFORE_GATE] = place << 8 | min(left, 7) << 5 | size


@inline
def _show_word(outline, features, last4):
    part = outline.part
    column = part << 3 | outline.side << 1 | outline.half
    last = np.int64(0)
    other = np.int64(0)
    if part == o.BOX:
        last = outline.box[outline.side] + 1
        if outline.side >= 2:
            other = outline.box[outline.side - 2] + 1
        elif outline.side == 0 and outline.told_before and o.has_left(outline):
            other = outline.lefts[outline.used_lefts] + 1
    elif part == o.ENDS:
        last = outline.points
        other = outline.contours - outline.contour
    elif part == o.LENGTH:
        last = outline.points
    elif part == o.ARGUMENTS:
        other = outline.left
    high = first_half(outline.half, last4)
    show_number(features, last4, _PLACE_OF_WORDS, outline.place, column, high, last, other)


@inline
def first_half(half, last4):
    """The first byte of a number of two, with 256, if `half` is 1; 0 before it."""
    return half << 8 | half * (last4 & 255)


@inline
def show_number(features, last4, place, inside, column, high, last, other):
    """Show the features of code for a number of several bytes.

    `inside` bytes of the table came, `high` are those of the number that did; it may be near
    `last` or `other`.
    """
    last, other = last & U32, other & U32
    features[c.CODE_PLACE] = place
    features[c.CODE] = hashed_pair(place << 8 | column, high)
    features[c.CODE_BEFORE] = last
    features[c.CODE_BEFORE_2] = other
    features[c.CODE_BEFORE_4] = hashed_pair(last, other)
    features[c.OPCODES_3] = last4 & 0xFFFFFF
    features[c.OPCODES_4] = last4
    features[c.OPCODES_6] = last4 >> 16
    features[c.OPCODES_8] = inside & 7
    features[c.REGISTERS] = last4 >> 8 & 255
    features[c.OPERAND] = inside & 3
    features[c.OPERAND_LIKE] = min(inside, 255)
    features[c.TARGET] = last4 >> 24
    features[c.CODE_GATE] = place << 8 | column
    features[c.CODE_BEFORE_GATE] = place << 8 | last4 >> 8 & 255
