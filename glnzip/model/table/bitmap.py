"""The table of bitmaps: contexts and gates as drawings of pixels.

In a drawing ``x`` is a pixel that is looked at, ``.`` one that is not, ``?`` the next. Every level
uses all rows: bitmaps are rare, and most of their pixels are easily told.
"""

from __future__ import annotations

from typing import NamedTuple

from glnzip.model.table.rows import Layer, Rate

ORDER_HIT_BITS = 4
"""Of a gate that counts the contexts seen before."""


class BitmapContext(NamedTuple):
    """A context by the pixels it looks at: up to 15 columns to both sides, 11 rows above."""

    pattern: str


class BitmapGate(NamedTuple):
    """A neuron by the pixels that select its weights: adjacent ones of each row, up to 5 above."""

    pattern: str
    """The drawing."""
    order_hits: bool = False
    """Whether the number of contexts that were seen before selects as well."""
    layer: int = 0
    """The layer of the network."""

    @property
    def rows(self) -> int:
        """How many rows of weights the neuron has."""
        return 1 << self.pattern.count("x") + (ORDER_HIT_BITS if self.order_hits else 0)


# Near pixels in several sizes; one direction each; wide lattices, which see the texture and where
# in a letter the pixel lies. Wide and large patterns pay most, and overlapping ones of one kind
# least.
CONTEXTS = (
    BitmapContext("""
..x.
.xxx
xx?"""),
    BitmapContext("""
.xxx.
xxxxx
xx?"""),
    BitmapContext("""
...x..
.xxxxx
.xxxxx
xxx?"""),
    BitmapContext("""
.....xxxxx.....
...xxxxxxxxx...
..xxxxxxxxxxx..
.xxxxxxxxxxxxx.
xxxxxxxxxxxxxxx
xxxxxxxxxxxxxxx
xxxxxxxxxxxxxxx
xxxxxxx?"""),
    BitmapContext("""
.xxx
xx?"""),
    BitmapContext("""
...xxxxx
.xxxxxxxxx
xxxxxxxx?"""),
    BitmapContext("""
..xxxxx
.xxxxxxx
.xxxxxxx
xxxxxx?"""),
    BitmapContext("""
xxxxxxxxxxxxxxx
xxxxxxxx?"""),
    BitmapContext("""
xxxxxxxxxxxx?"""),
    BitmapContext("""
........x
........x
.......xxx
xxxxxxxx?"""),
    BitmapContext("""
x...x...x...x
..............
..x.x.x.x.x.x
x.x.x.x?"""),
    BitmapContext("""
xxxxxxxxxxxxxxxxxxxxxxxx
xxxxxxxxxxxxxxxxxxxxxxxx
xxxxxxxxxxxxxxx?"""),
    BitmapContext("""
x.x.x.x.x.x.x
.............
x.x.x.x.x.x.x
.............
x.x.x.x.x.x.x
......x......
x.x.xx?"""),
    BitmapContext("""
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
    BitmapContext("""
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
    BitmapContext("""
.....xxxx
....xxxxx
...xxxxxx
..xxxxxxx
.xxxxxxx.
xxxxxxxx.
xxx?"""),
    BitmapContext("""
xxxx.....
xxxxx....
xxxxxx...
xxxxxxx..
.xxxxxxx.
.xxxxxxxx
..xxx?"""),
    BitmapContext("""
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
    BitmapContext("""
..xxxxxxxxxx
.xxxxxxxxxxx
xx?"""),
    BitmapContext("""
xxxxxxxxx
.........
xxxxxxxxx
.........
xxxxxxxxx
.........
xxxxxxxxx
....x....
xxxx?"""),
    BitmapContext("""
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
    BitmapContext("""
x...x...x...x...x...x...x
.........................
x...x...x...x...x...x...x
.........................
x...x...x...x...x...x...x
.........................
x...x...x...x...x...x...x
...........xxx...........
x...x...x..x?"""),
    BitmapContext("""
.xxxxxx...
.xxxxxxx..
.xxxxxxxxx
.xxxxxxxxx
.xxxxxxxxx
x?"""),
    BitmapContext("""
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
    BitmapContext("""
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
    BitmapContext("""
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
    BitmapContext("""
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
    BitmapContext("""
x.....x.....x.....x.....x
.........................
.........................
.........................
x.....x.....x.....x.....x
.........................
.........................
...........xxx...........
x.....x....x?"""),
    BitmapContext("""
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
    BitmapGate("?", order_hits=True),
    BitmapGate("""
...x
.xxxxx
xxx?"""),
    BitmapGate("""
........x
xxxxxxxx?"""),
    BitmapGate("""
.x
.x
.x
.x
.x
x?"""),
    BitmapGate("""
....xxxx
....xxxx
...?"""),
    BitmapGate("""
....x
.xxxxxxx
...x?"""),
    BitmapGate("?", order_hits=True, layer=1),
    BitmapGate(
        """
.x
x?""",
        layer=1,
    ),
)

LAYERS = (
    Layer(Rate(0.01, 0.001, 200.0), start=0.033),
    Layer(Rate(0.005, 0.001, 600.0)),
    Layer(Rate(0.005, 0.0005, 200.0)),
)
