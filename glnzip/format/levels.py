"""The compression levels: their range, the memory each needs, and the generation of their models.

A level and a generation together name one model, bit for bit, and travel in the header of every
frame. That name is a promise: whoever changes the bits that a level produces must count
`MODEL_GENERATION` up, so that no frame is ever decoded by a model other than its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from operator import index
from typing import NamedTuple

from glnzip.errors import GlnzipError, MemoryLimitError
from glnzip.system.machine import free_addresses, usable_memory
from glnzip.system.units import human_size

MIN_LEVEL = 1
MAX_LEVEL = 9
DEFAULT_LEVEL = 6
LEVELS = range(MIN_LEVEL, MAX_LEVEL + 1)

MODEL_GENERATION = 7
"""The one generation of models that this build has; 1..15, since it is stored in four bits.

Builds before the first release that said they had generation 1 or 2 had many models.
"""

_MEGABYTE = 1 << 20
_PROCESS_BYTES = 90 * _MEGABYTE
"""What a process takes beside its models: Python, NumPy, LLVM, kernels, the planner, a block."""
_LIBRARY_BYTES = 100 * _MEGABYTE
"""Of address space, for NumPy."""
_MODEL_MEGABYTES = {
    1: 92,
    2: 110,
    3: 168,
    4: 250,
    5: 430,
    6: 940,
    7: 1380,
    8: 1740,
    9: 2530,
}


def check_level(level: int) -> int:
    """Return `level` as an `int` if it is a level; raise ValueError (TypeError) if it is not."""
    level = index(level)
    if level not in LEVELS:
        raise ValueError(f"level must be {MIN_LEVEL} to {MAX_LEVEL}, not {level}")
    return level


def model_bytes(level: int) -> int:
    """Return about how many bytes the model of `level` occupies."""
    return _MODEL_MEGABYTES[check_level(level)] * _MEGABYTE


def memory_bytes(level: int) -> int:
    """Return about how many bytes a process with a model of this level takes.

    Compressing and decompressing need the same.
    """
    return _PROCESS_BYTES + model_bytes(level)


class Allowance(NamedTuple):
    """What may be spent on a model."""

    memory_limit: int | None = None
    """The most bytes that the process may take; None for as much as the machine has."""
    only_prepared: bool = False
    """Whether a prior that was not prepared before is to be refused: it takes minutes."""

    def check_memory(self, level: int, models: int | None = None) -> None:
        """Raise MemoryLimitError if a model takes more than the limit.

        Parameters
        ----------
        level
            That of the model.
        models
            The bytes of all models that are in memory at a time while its prior is prepared.
        """
        free = free_addresses()
        if free is not None and free < model_bytes(level) + _LIBRARY_BYTES:
            raise MemoryLimitError(
                f"level {level} takes about {human_size(model_bytes(level) + _LIBRARY_BYTES)} of "
                f"address space; of what `ulimit -v` allows, {human_size(max(0, free))} are left"
            )
        need = memory_bytes(level) if models is None else _PROCESS_BYTES + models
        limit, whose = self.memory_limit, "the limit"
        if limit is None:
            limit, whose = usable_memory() or need, "what there is"
        if need > limit:
            once = "" if models is None else " to prepare its prior, once"
            raise MemoryLimitError(
                f"level {level} needs about {human_size(need)} of memory{once}; "
                f"{whose} is {human_size(limit)}"
            )


NO_LIMITS = Allowance()
"""Nothing is forbidden but what the machine cannot do."""


@contextmanager
def memory_named(level: int) -> Iterator[None]:
    """Within the block, say how much memory a model needs for which there is none.

    Raises a GlnzipError instead of MemoryError.
    """
    try:
        yield
    except MemoryError as error:
        need = human_size(memory_bytes(level))
        raise GlnzipError(
            f"level {level} needs about {need} of memory, which is not to be had"
        ) from error
