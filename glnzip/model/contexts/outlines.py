"""Outlines of TrueType fonts (table glyf): which part of which point comes next.

An outline has its number of contours, a box, the last point of each contour, instructions, a flag
for each point, then the steps to all points in x, and in y. Flags say how long a step is, and which
way a short one goes; steps of none are not there (OpenType 1.9, "glyf - Glyph data"). One of -1
contours is made of others. Behind an outline there may be zeros.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import code as c
from glnzip.model.contexts.hints import HINTS, begin_program, see_instruction, show_program
from glnzip.model.hashing import U32, hashed_pair

_CONTOURS, _BOX, _ENDS, _LENGTH, _PROGRAM, _FLAGS, _X, _Y, _COMPONENT, _ARGUMENTS, _LOST = range(11)
"""Parts of an outline; the last is what cannot be read."""
_MOST_CONTOURS, _MOST_POINTS, MOST_OUTLINES = 1024, 4096, 1 << 14
_MADE_OF_OTHERS = 0xFFFF  # as a number of contours
_X_SHORT, _Y_SHORT, _REPEATED, _X_SAME, _Y_SAME = 2, 4, 8, 16, 32  # of flags
_WORDS, _SCALE, _MORE, _TWO_SCALES, _MATRIX, _HAS_PROGRAM = 1, 8, 32, 64, 128, 256
"""Flags of what an outline is made of: its arguments have words; what follows them."""
_PLACE_OF_WORDS, _PLACE_OF_HINTS, _PLACE_OF_FLAGS, _PLACE_OF_STEPS = 2, 5, 10, 12
"""What gates see of these parts; of the last three it is the first of five, two and four."""
_STEPS_KEPT = 4
_SIDES_TRIED = 8

OUTLINE = np.dtype(
    [
        ("place", np.int64),  # bytes since the table began
        ("part", np.int64),
        ("half", np.int64),  # 1 behind the first byte of two
        ("left", np.int64),  # bytes of the program, or of arguments, that come
        ("hints", HINTS),
        ("contours", np.int64),
        ("contour", np.int64),
        ("points", np.int64),  # as far as they are known
        ("point", np.int64),
        ("begins", np.int64),  # 1 if the next point is the first of its contour
        ("side", np.int64),  # of the box, 0 to 3: left, lowest, right, highest
        ("box", np.int64, 4),
        ("ends", np.int64, _MOST_CONTOURS),
        ("repeats", np.int64),  # 1 if the next byte tells how often the last flag comes again
        ("point_flags", np.int64, _MOST_POINTS),
        ("last_flags", np.int64),  # four of them, newest lowest ...
        ("flags_before", np.int64),  # ... and the four before
        ("x_steps", np.int64, _MOST_POINTS),
        ("steps", np.int64, _STEPS_KEPT),  # the last ones in the present direction, newest first
        ("at", np.int64),  # where in it the last point is ...
        ("began", np.int64),  # ... and the first of its contour
        ("component", np.int64),  # flags
        ("count", np.int64),  # outlines that began, ...
        ("starts", np.int64, MOST_OUTLINES),  # ... where, ...
        ("lefts", np.int64, MOST_OUTLINES),  # ... and left sides, of which ...
        ("known_lefts", np.int64),  # ... so many are known ...
        ("used_lefts", np.int64),  # ... and so many were told again
        ("told_before", np.int64),  # whether hmtx told left sides, before outlines came
    ]
)


@inline
def begin_outlines(outline):
    """The table begins."""
    outline.place = 0
    outline.part = _CONTOURS
    outline.half = 0
    outline.side = 0
    outline.used_lefts = 0


@inline
def see_outline(outline, byte, last4):
    """A byte of the table."""
    outline.place += 1
    part = outline.part
    if part == _PROGRAM:
        see_instruction(outline.hints, byte)
        outline.left -= 1
        if outline.left == 0:
            _end_program(outline)
    elif part == _FLAGS:
        _see_flag(outline, byte)
    elif part in (_X, _Y):
        _see_step(outline, byte, last4)
    elif part == _ARGUMENTS:
        outline.left -= 1
        if outline.left == 0:
            _end_component(outline)
    else:
        outline.half = 1 - outline.half
        if outline.half == 0:
            _see_word(outline, last4 & 0xFFFF)


@inline
def _see_word(outline, word):
    """A number of two bytes is complete."""
    part = outline.part
    if part == _CONTOURS:
        _begin_outline(outline, word)
    elif part == _BOX:
        _see_side(outline, signed_word(word))
    elif part == _ENDS:
        _see_end(outline, word)
    elif part == _LENGTH:
        outline.left = word
        outline.part = _PROGRAM
        begin_program(outline.hints)
        if word == 0:
            _end_program(outline)
    elif part == _COMPONENT:
        _begin_component(outline, word)


@inline
def signed_word(word):
    """A number of 16 bits with its sign."""
    return (word & 0xFFFF ^ 0x8000) - 0x8000


@inline
def _begin_outline(outline, word):
    """The number of contours came, or zeros; at odd places perhaps one, and half of the number."""
    if outline.place & 1 == 1 and (word == 0 or word == 255):
        outline.half = 1
    elif word != 0:
        if outline.count < MOST_OUTLINES:
            outline.starts[outline.count] = outline.place - 2
        outline.count += 1
        outline.contours = word if word != _MADE_OF_OTHERS else 0
        outline.contour = 0
        outline.points = 0
        outline.side = 0
        outline.part = _BOX if outline.contours <= _MOST_CONTOURS else _LOST


@inline
def _see_side(outline, place):
    if outline.side == 0:
        _see_left(outline, place)
    outline.box[outline.side] = place
    outline.side += 1
    if outline.side == 4:
        outline.side = 0
        outline.part = _ENDS if outline.contours > 0 else _COMPONENT


@inline
def _see_left(outline, left):
    """Keep the left side, or find it among those that were told before: empty ones come between."""
    if outline.told_before == 0:
        add_left(outline, left)
        return
    used = outline.used_lefts
    outline.used_lefts = used + 1
    for k in range(min(_SIDES_TRIED, outline.known_lefts - used)):
        if outline.lefts[used + k] == left:
            outline.used_lefts = used + k + 1
            return


@inline
def add_left(outline, left):
    """Another left side is known."""
    if outline.known_lefts < MOST_OUTLINES:
        outline.lefts[outline.known_lefts] = left
        outline.known_lefts += 1


@inline
def _see_end(outline, end):
    if end < outline.points or end >= _MOST_POINTS:
        outline.part = _LOST
        return
    outline.ends[outline.contour] = end
    outline.points = end + 1
    outline.contour += 1
    if outline.contour == outline.contours:
        outline.part = _LENGTH


@inline
def _end_program(outline):
    """Flags follow; or another outline, if this one is made of others."""
    outline.part = _CONTOURS
    if outline.contours > 0:
        outline.part = _FLAGS
        _to_first_point(outline)
        outline.repeats = 0
        outline.last_flags = 0
        outline.flags_before = 0


@inline
def _see_flag(outline, byte):
    if outline.repeats == 1:
        outline.repeats = 0
        flag = outline.point_flags[outline.point - 1]
        for _ in range(min(byte, outline.points - outline.point)):
            _add_flag(outline, flag)
    else:
        _add_flag(outline, byte)
        outline.repeats = np.int64(byte & _REPEATED != 0)
    if outline.point == outline.points and outline.repeats == 0:
        outline.part = _X
        _begin_steps(outline)
        _to_next_step(outline)


@inline
def _add_flag(outline, flag):
    outline.point_flags[outline.point] = flag
    outline.flags_before = (outline.flags_before << 8 | outline.last_flags >> 24) & U32
    outline.last_flags = (outline.last_flags << 8 | flag) & U32
    _to_next_point(outline)


@inline
def _to_first_point(outline):
    outline.point = 0
    outline.contour = 0
    outline.begins = 1


@inline
def _to_next_point(outline):
    outline.begins = np.int64(outline.point == outline.ends[outline.contour])
    outline.contour += outline.begins
    outline.point += 1


@inline
def _begin_steps(outline):
    """Steps in another direction begin."""
    _to_first_point(outline)
    outline.at = 0
    outline.began = 0
    for k in range(_STEPS_KEPT):
        outline.steps[k] = 0


@inline
def _to_next_step(outline):
    """Go to what the next byte is of: a point with a step, or another outline."""
    _skip_points(outline)
    if outline.part == _X and outline.point == outline.points:
        outline.part = _Y
        _begin_steps(outline)
        _skip_points(outline)
    if outline.point == outline.points:
        outline.part = _CONTOURS


@inline
def _skip_points(outline):
    """Leave out points that have no step in this direction."""
    short = _X_SHORT if outline.part == _X else _Y_SHORT
    same = _X_SAME if outline.part == _X else _Y_SAME
    while (
        outline.point < outline.points
        and outline.point_flags[outline.point] & (short | same) == same
    ):
        _step(outline, 0)


@inline
def _step(outline, step):
    """The next point is so far from the last one."""
    if outline.part == _X:
        outline.x_steps[outline.point] = step
    outline.at += step
    for k in range(_STEPS_KEPT - 1, 0, -1):
        outline.steps[k] = outline.steps[k - 1]
    outline.steps[0] = step
    if outline.begins:
        outline.began = outline.at
    _to_next_point(outline)


@inline
def _see_step(outline, byte, last4):
    in_x = outline.part == _X
    flag = outline.point_flags[outline.point]
    if flag & (_X_SHORT if in_x else _Y_SHORT):
        _step(outline, byte if flag & (_X_SAME if in_x else _Y_SAME) else -byte)
    else:
        outline.half = 1 - outline.half
        if outline.half:
            return
        _step(outline, signed_word(last4))
    _to_next_step(outline)


@inline
def _begin_component(outline, flags):
    outline.component = flags
    outline.left = 6 if flags & _WORDS else 4
    if flags & _SCALE:
        outline.left += 2
    elif flags & _TWO_SCALES:
        outline.left += 4
    elif flags & _MATRIX:
        outline.left += 8
    outline.part = _ARGUMENTS


@inline
def _end_component(outline):
    if outline.component & _MORE:
        outline.part = _COMPONENT
    else:
        outline.part = _LENGTH if outline.component & _HAS_PROGRAM else _CONTOURS


@inline
def show_outline(outline, features, last4):
    """Show the features of code."""
    part = outline.part
    if part == _PROGRAM:
        show_program(outline.hints, features, last4, outline.left, outline.points, _PLACE_OF_HINTS)
    elif part == _FLAGS:
        _show_flag(outline, features)
    elif part in (_X, _Y):
        _show_step(outline, features, last4)
    else:
        _show_word(outline, features, last4)


@inline
def _show_flag(outline, features):
    flags, before = outline.last_flags, outline.flags_before
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
    features[c.OPCODES_3] = flags & 0xFFFFFF
    features[c.OPCODES_4] = flags
    features[c.OPCODES_6] = hashed_pair(flags, before & 0xFFFF)
    features[c.OPCODES_8] = hashed_pair(flags, before)
    features[c.REGISTERS] = last
    features[c.OPERAND] = left << 8 | last
    features[c.OPERAND_LIKE] = hashed_pair(outline.point, outline.points)
    features[c.TARGET] = hashed_pair(outline.point, end)
    features[c.CODE_GATE] = place << 8 | last
    features[c.CODE_BEFORE_GATE] = place << 8 | flags >> 8 & 255


@inline
def _show_step(outline, features, last4):
    """By steps before it, by flags around it, by places that outlines share, by what is left."""
    in_x = np.int64(outline.part == _X)
    point = outline.point
    flag = outline.point_flags[point]
    before = outline.point_flags[point - 1] if point > 0 else np.int64(0)
    after = outline.point_flags[point + 1] if point + 1 < outline.points else np.int64(0)
    is_short = np.int64(flag & (_X_SHORT if in_x else _Y_SHORT) != 0)
    goes_up = np.int64(flag & (_X_SAME if in_x else _Y_SAME) != 0)
    place = _PLACE_OF_STEPS + 2 * in_x + (1 - is_short)
    shape = (before & 1) << 3 | (flag & 1) << 2 | (after & 1) << 1 | outline.begins
    high = outline.half << 8 | outline.half * (last4 & 255)
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
def has_left(outline):
    """Whether a left side is known that was not told again."""
    return outline.used_lefts < outline.known_lefts


@inline
def _show_word(outline, features, last4):
    part = outline.part
    column = part << 3 | outline.side << 1 | outline.half
    last = np.int64(0)
    other = np.int64(0)
    if part == _BOX:
        last = outline.box[outline.side] + 1
        if outline.side >= 2:
            other = outline.box[outline.side - 2] + 1
        elif outline.side == 0 and outline.told_before and has_left(outline):
            other = outline.lefts[outline.used_lefts] + 1
    elif part == _ENDS:
        last = outline.points
        other = outline.contours - outline.contour
    elif part == _LENGTH:
        last = outline.points
    elif part == _ARGUMENTS:
        other = outline.left
    high = outline.half << 8 | outline.half * (last4 & 255)
    show_number(features, last4, _PLACE_OF_WORDS, column, high, last, other)
    features[c.OPCODES_8] = outline.place & 7
    features[c.OPERAND] = outline.place & 3
    features[c.OPERAND_LIKE] = min(outline.place, 255)


@inline
def show_number(features, last4, place, column, high, last, other):
    """Show the features of code for a number of several bytes.

    `high` are those before the next one, `last` and `other` numbers that this one may be near.
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
    features[c.REGISTERS] = last4 >> 8 & 255
    features[c.TARGET] = last4 >> 24
    features[c.CODE_GATE] = place << 8 | column
    features[c.CODE_BEFORE_GATE] = place << 8 | last4 >> 8 & 255
