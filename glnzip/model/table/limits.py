"""How fast the maps and counters of the model learn.

A *limit* is how many bits an entry averages over once it has seen that many (`memory.state_map`); a
*trust* is how many bits a first guess counts for.
"""

STATE_MAP_LIMIT = 255
RUN_MAP_LIMIT = 1023
MATCH_MAP_LIMIT = 1023
DMC_MAP_LIMIT = 255
COUNTER_LIMIT = 1023
APM_LIMIT = 255
BITMAP_LIMIT = 1023
JPEG_LIMIT = 1023
SHAPE_LIMIT = 1023  # of the maps that learn the true shape of an expert's distribution
SAMPLE_CONTEXT_LIMIT = 255

RUN_TRUST = 6  # in what the length of a run of pixels alone says
FIRST_TRUST = 12  # in first guesses, and in what a prior taught
APM_TRUST = 6  # in the logistic curve

FIRST_ERROR = 1 << 28  # the model's error before the first bit, in 2**-32: that of text, roughly
ERROR_SHIFT = 12  # and over how many bits it is averaged, as a power of two
