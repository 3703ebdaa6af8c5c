"""The table of contents of the bitmap model: contexts and gates as drawings of pixels.

In a drawing ``x`` is a pixel that is looked at, ``.`` one that is not, ``?`` the next. Every level
uses all rows: bitmaps are rare, and most of their pixels are easily told.
"""

from __future__ import annotations

from typing import NamedTuple


class Context(NamedTuple):
    """A base model by the pixels it looks at: up to 15 columns to both sides, 11 rows above."""

    pattern: str


class Gate(NamedTuple):
    """A neuron by the pixels that select its weights: adjacent ones of each row, up to 5 above.

    If `known`, the number of contexts that were seen before selects as well.
    """

    pattern: str
    known: bool = False
    layer: int = 0


# Near pixels in several sizes; one direction each; wide lattices, which see the texture and where
# in a letter the pixel lies. Wide and large patterns pay most, and overlapping ones of one kind
# least.
CONTEXTS = (
    Context("""
..x.
.xxx
xx?"""),
    Context("""
.xxx.
xxxxx
xx?"""),
    Context("""
...x..
.xxxxx
.xxxxx
xxx?"""),
    Context("""
.....xxxxx.....
...xxxxxxxxx...
..xxxxxxxxxxx..
.xxxxxxxxxxxxx.
xxxxxxxxxxxxxxx
xxxxxxxxxxxxxxx
xxxxxxxxxxxxxxx
xxxxxxx?"""),
    Context("""
.xxx
xx?"""),
    Context("""
...xxxxx
.xxxxxxxxx
xxxxxxxx?"""),
    Context("""
..xxxxx
.xxxxxxx
.xxxxxxx
xxxxxx?"""),
    Context("""
xxxxxxxxxxxxxxx
xxxxxxxx?"""),
    Context("""
xxxxxxxxxxxx?"""),
    Context("""
........x
........x
.......xxx
xxxxxxxx?"""),
    Context("""
x...x...x...x
..............
..x.x.x.x.x.x
x.x.x.x?"""),
    Context("""
xxxxxxxxxxxxxxxxxxxxxxxx
xxxxxxxxxxxxxxxxxxxxxxxx
xxxxxxxxxxxxxxx?"""),
    Context("""
x.x.x.x.x.x.x
.............
x.x.x.x.x.x.x
.............
x.x.x.x.x.x.x
......x......
x.x.xx?"""),
    Context("""
x..x..x..x..x..x..x
...................
...................
x..x..x..x..x..x..x
...................
...................
x..x..x..x..x..x..x
...................
.........xx........
x..x..x.x?"""),
    Context("""
.x
.x
.x
.x
.x
.x
.x
.x
.x
.x
.x
x?"""),
    Context("""
.....xxxx
....xxxxx
...xxxxxx
..xxxxxxx
.xxxxxxx.
xxxxxxxx.
xxx?"""),
    Context("""
xxxx.....
xxxxx....
xxxxxx...
xxxxxxx..
.xxxxxxx.
.xxxxxxxx
..xxx?"""),
    Context("""
...x...
..xxx..
.xxxx..
.xxxxx.
.xxxxx.
.xxxxx.
.xxxxx.
.xxxxx.
xxxxxxx
xxxxxxx
xxx?"""),
    Context("""
..xxxxxxxxxx
.xxxxxxxxxxx
xx?"""),
    Context("""
xxxxxxxxx
.........
xxxxxxxxx
.........
xxxxxxxxx
.........
xxxxxxxxx
....x....
xxxx?"""),
    Context("""
x....x....x....x....x
.....................
.....................
x....x....x....x....x
.....................
.....................
x....x....x....x....x
.....................
.........xxx.........
x....x...x?"""),
    Context("""
x...x...x...x...x...x...x
.........................
x...x...x...x...x...x...x
.........................
x...x...x...x...x...x...x
.........................
x...x...x...x...x...x...x
...........xxx...........
x...x...x..x?"""),
    Context("""
.xxxxxx...
.xxxxxxx..
.xxxxxxxxx
.xxxxxxxxx
.xxxxxxxxx
x?"""),
    Context("""
xxxxx
xxxxx
xxxxx
xxxxx
xxxxx
xxxxx
xxxxx
.....
..x..
.x?"""),
    Context("""
.xxx
.xxx
.xxx
.xxx
.xxx
.xxx
.xxx
.xxx
.xxx
.xxx
.xxx
xx?"""),
    Context("""
............x
..........xx.
.........xx..
........xx...
.......xx....
......xx.....
.....xx......
....xx.......
...xx........
..xx.........
.xx..........
x?"""),
    Context("""
x...........
.xx.........
..xx........
...xx.......
....xx......
.....xx.....
......xx....
.......xx...
........xx..
.........xx.
..........xx
..........x?"""),
    Context("""
x.....x.....x.....x.....x
.........................
.........................
.........................
x.....x.....x.....x.....x
.........................
.........................
...........xxx...........
x.....x....x?"""),
    Context("""
...............x
...............x
...............x
...............x
...............x
...............x
...............x
...............x
...............x
...............x
...............x
xxxxxxxxxxxxxxx?"""),
)

GATES = (
    Gate("?", known=True),
    Gate("""
...x
.xxxxx
xxx?"""),
    Gate("""
........x
xxxxxxxx?"""),
    Gate("""
.x
.x
.x
.x
.x
x?"""),
    Gate("""
....xxxx
....xxxx
...?"""),
    Gate("""
....x
.xxxxxxx
...x?"""),
    Gate("?", known=True, layer=1),
    Gate(
        """
.x
x?""",
        layer=1,
    ),
)
