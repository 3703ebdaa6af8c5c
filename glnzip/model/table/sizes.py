"""How much memory each level has, and how early its bits exit."""

from __future__ import annotations

from glnzip.model.table.rows import Size

# Powers of two: bytes of the history buffer and of slots; entries of runs, of direct counters, of
# each match model and of bitmaps. Then the threshold of the early exit.
SIZES = {
    1: Size(22, 24, 10, 14, 18, 20),
    2: Size(22, 25, 10, 14, 18, 20),
    3: Size(23, 26, 10, 14, 19, 21),
    4: Size(23, 27, 10, 14, 19, 21),
    5: Size(24, 28, 10, 22, 21, 21, exit_threshold=0.05),
    6: Size(24, 28, 25, 24, 22, 22, exit_threshold=0.06),
    7: Size(24, 29, 26, 24, 22, 22, exit_threshold=0.04),
    8: Size(25, 29, 27, 25, 22, 22, exit_threshold=0.03),
    9: Size(25, 30, 27, 25, 22, 23, exit_threshold=0.02),
}
