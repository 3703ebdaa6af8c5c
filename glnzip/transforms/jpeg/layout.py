"""Where the coefficients of a picture are, and in which order a scan goes through them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.transforms.jpeg.segments import Frame, ScanHeader

BLOCK = 64  # coefficients
MOST_BLOCKS = 10  # in an MCU (T.81, B.2.3)
MOST_COEFFICIENTS = 1 << 26  # of a picture: 44 million pixels, with colours at half the width

# Columns of `Order.blocks`: where the component's coefficients begin; its blocks beside each other;
# how many of them each unit of the scan has, beside each other and below; where in the unit this
# block is; its codes; the number of the component.
BASE, WIDTH, STEP_ACROSS, STEP_DOWN, ACROSS, DOWN, MEANS, REST, OWNER, BLOCK_COLUMNS = range(10)


class Order(NamedTuple):
    """The units that a scan goes through (MCUs, or blocks if it has one component), row by row.

    Attributes
    ----------
    across, down : int
        Units beside each other, and rows of them.
    blocks : int64[blocks of a unit, BLOCK_COLUMNS]
    """

    across: int
    down: int
    blocks: Any


class Layout:
    """The blocks of a picture.

    Parameters
    ----------
    frame : Frame

    Attributes
    ----------
    size : int
        Coefficients of all components.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._bases = []
        self.size = 0
        for own in frame.components:
            self._bases.append(self.size)
            self.size += frame.columns * own.across * frame.rows * own.down * BLOCK

    def order(self, header: ScanHeader) -> Order | None:
        """That of a scan; None if it has too many blocks in a unit."""
        frame = self._frame
        alone = len(header.components) == 1
        blocks = []
        for number, (means, rest) in zip(header.components, header.codes, strict=True):
            own = frame.components[number]
            width = frame.columns * own.across
            steps = (1, 1) if alone else (own.across, own.down)
            for down in range(steps[1]):
                for across in range(steps[0]):
                    place = (self._bases[number], width, *steps, across, down)
                    blocks.append((*place, means, 4 + rest, number))
        if len(blocks) > MOST_BLOCKS:
            return None
        across, down = frame.columns, frame.rows
        if alone:  # those blocks alone that the picture needs (T.81, A.2.2)
            own = frame.components[header.components[0]]
            across = _blocks(frame.width, own.across, max(c.across for c in frame.components))
            down = _blocks(frame.height, own.down, max(c.down for c in frame.components))
        return Order(across, down, np.array(blocks, np.int64))


def _blocks(samples: int, factor: int, largest: int) -> int:
    """Blocks that cover what a component has of so many samples."""
    own = -(-samples * factor // largest)
    return -(-own // 8)
