"""The compression levels: their range, the memory each needs, and the generation of their models.

A level and a generation together name one model, bit for bit, and travel in the header of every
frame. That name is a promise: whoever changes the bits that a level produces must count
`MODEL_GENERATION` up, so that no frame is ever decoded by a model other than its own.
"""

from operator import index

MIN_LEVEL = 1
MAX_LEVEL = 9
DEFAULT_LEVEL = 6
LEVELS = range(MIN_LEVEL, MAX_LEVEL + 1)

PLAIN_LEVEL = 0
PLAIN_GENERATION = 0
"""Those of a plain frame, which has no model: see `glnzip.priors.plain_frame`."""

MODEL_GENERATION = 9
"""The one generation of models that this build has; 1..15, since it is stored in four bits.

Builds before the first release that said they had generation 1 or 2 had many models.
"""

_MEGABYTE = 1 << 20
PROCESS_BYTES = 90 * _MEGABYTE
"""What a process takes beside its models: Python, NumPy, LLVM, kernels, the planner, a block."""
MODEL_MEGABYTES = {
    1: 115,
    2: 132,
    3: 197,
    4: 276,
    5: 473,
    6: 1013,
    7: 1480,
    8: 1840,
    9: 2590,
}
"""What the arrays of a model take, rounded up: written by `make docs` from the model's table."""


def check_level(level: int) -> int:
    """Return `level` as an `int` if it is a level; raise ValueError (TypeError) if it is not."""
    level = index(level)
    if level not in LEVELS:
        raise ValueError(f"level must be {MIN_LEVEL} to {MAX_LEVEL}, not {level}")
    return level


def model_bytes(level: int) -> int:
    """Return how many bytes the model of `level` occupies, rounded up to a megabyte."""
    return MODEL_MEGABYTES[check_level(level)] * _MEGABYTE


def memory_bytes(level: int) -> int:
    """Return about how many bytes a process with a model of this level takes.

    Compressing and decompressing need the same.
    """
    return PROCESS_BYTES + model_bytes(level)
