"""How much memory each level has."""

from __future__ import annotations

from glnzip.model.table.rows import Size

SIZES = {
    1: Size(
        buffer_bits=22, slot_bits=24, run_bits=10, counter_bits=14, match_bits=18, bitmap_bits=20
    ),
    2: Size(
        buffer_bits=22, slot_bits=25, run_bits=10, counter_bits=14, match_bits=18, bitmap_bits=20
    ),
    3: Size(
        buffer_bits=23, slot_bits=26, run_bits=10, counter_bits=14, match_bits=19, bitmap_bits=21
    ),
    4: Size(
        buffer_bits=23, slot_bits=27, run_bits=10, counter_bits=14, match_bits=19, bitmap_bits=21
    ),
    5: Size(
        buffer_bits=24, slot_bits=28, run_bits=10, counter_bits=22, match_bits=21, bitmap_bits=21
    ),
    6: Size(
        buffer_bits=24, slot_bits=28, run_bits=25, counter_bits=24, match_bits=22, bitmap_bits=22
    ),
    7: Size(
        buffer_bits=24, slot_bits=29, run_bits=26, counter_bits=24, match_bits=22, bitmap_bits=22
    ),
    8: Size(
        buffer_bits=25, slot_bits=29, run_bits=27, counter_bits=25, match_bits=22, bitmap_bits=22
    ),
    9: Size(
        buffer_bits=25, slot_bits=30, run_bits=27, counter_bits=25, match_bits=22, bitmap_bits=23
    ),
}
