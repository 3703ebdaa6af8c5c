"""Outlines of TrueType fonts (table glyf): which part of which point comes next.

An outline has its number of contours, a box, the last point of each contour, instructions, a flag
for each point, then the steps to all points in x, and in y. Flags say how long a step is, and which
way a short one goes; steps of none are not there (OpenType 1.9, "glyf - Glyph data"). One of -1
contours is made of others. Behind an outline there may be zeros.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts.code import OPCODES, add_opcode, forget_opcodes, push
from glnzip.model.contexts.hints import HINTS, begin_program, see_instruction

CONTOURS, BOX, ENDS, LENGTH, PROGRAM, FLAGS, X, Y, COMPONENT, ARGUMENTS, LOST = range(11)
"""Parts of an outline; the last is what cannot be read."""
_MOST_CONTOURS, _MOST_POINTS, MOST_OUTLINES = 1024, 4096, 1 << 14
_MADE_OF_OTHERS = 0xFFFF  # as a number of contours
X_SHORT, Y_SHORT, _REPEATED, X_SAME, Y_SAME = 2, 4, 8, 16, 32  # of flags
_WORDS, _SCALE, _MORE, _TWO_SCALES, _MATRIX, _HAS_PROGRAM = 1, 8, 32, 64, 128, 256
"""Flags of what an outline is made of: its arguments have words; what follows them."""
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
        ("last_flags", OPCODES),  # eight of them
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
    outline.part = CONTOURS
    outline.half = 0
    outline.side = 0
    outline.used_lefts = 0


@inline
def see_outline(outline, byte, last4):
    """A byte of the table."""
    outline.place += 1
    part = outline.part
    if part == PROGRAM:
        see_instruction(outline.hints, byte)
        outline.left -= 1
        if outline.left == 0:
            _end_program(outline)
    elif part == FLAGS:
        _see_flag(outline, byte)
    elif part in (X, Y):
        _see_step(outline, byte, last4)
    elif part == ARGUMENTS:
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
    if part == CONTOURS:
        _begin_outline(outline, word)
    elif part == BOX:
        _see_side(outline, signed_word(word))
    elif part == ENDS:
        _see_end(outline, word)
    elif part == LENGTH:
        outline.left = word
        outline.part = PROGRAM
        begin_program(outline.hints)
        if word == 0:
            _end_program(outline)
    elif part == COMPONENT:
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
        outline.part = BOX if outline.contours <= _MOST_CONTOURS else LOST


@inline
def _see_side(outline, place):
    if outline.side == 0:
        _see_left(outline, place)
    outline.box[outline.side] = place
    outline.side += 1
    if outline.side == 4:
        outline.side = 0
        outline.part = ENDS if outline.contours > 0 else COMPONENT


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
        outline.part = LOST
        return
    outline.ends[outline.contour] = end
    outline.points = end + 1
    outline.contour += 1
    if outline.contour == outline.contours:
        outline.part = LENGTH


@inline
def _end_program(outline):
    """Flags follow; or another outline, if this one is made of others."""
    outline.part = CONTOURS
    if outline.contours > 0:
        outline.part = FLAGS
        _to_first_point(outline)
        outline.repeats = 0
        forget_opcodes(outline.last_flags)


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
        outline.part = X
        _begin_steps(outline)
        _to_next_step(outline)


@inline
def _add_flag(outline, flag):
    outline.point_flags[outline.point] = flag
    add_opcode(outline.last_flags, flag)
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
    if outline.part == X and outline.point == outline.points:
        outline.part = Y
        _begin_steps(outline)
        _skip_points(outline)
    if outline.point == outline.points:
        outline.part = CONTOURS


@inline
def _skip_points(outline):
    """Leave out points that have no step in this direction."""
    short = X_SHORT if outline.part == X else Y_SHORT
    same = X_SAME if outline.part == X else Y_SAME
    while (
        outline.point < outline.points
        and outline.point_flags[outline.point] & (short | same) == same
    ):
        _step(outline, 0)


@inline
def _step(outline, step):
    """The next point is so far from the last one."""
    if outline.part == X:
        outline.x_steps[outline.point] = step
    outline.at += step
    push(outline.steps, step)
    if outline.begins:
        outline.began = outline.at
    _to_next_point(outline)


@inline
def _see_step(outline, byte, last4):
    in_x = outline.part == X
    flag = outline.point_flags[outline.point]
    if flag & (X_SHORT if in_x else Y_SHORT):
        _step(outline, byte if flag & (X_SAME if in_x else Y_SAME) else -byte)
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
    outline.part = ARGUMENTS


@inline
def _end_component(outline):
    if outline.component & _MORE:
        outline.part = COMPONENT
    else:
        outline.part = LENGTH if outline.component & _HAS_PROGRAM else CONTOURS


@inline
def has_left(outline):
    """Whether a left side is known that was not told again."""
    return outline.used_lefts < outline.known_lefts
