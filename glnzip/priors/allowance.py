"""What may be spent on a model: memory, and the minutes that it takes to prepare a prior."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import index
from typing import NamedTuple

from glnzip.errors import GlnzipError, MemoryLimitError, NotPreparedError
from glnzip.format.levels import PLAIN_LEVEL, PROCESS_BYTES, memory_bytes, model_bytes
from glnzip.priors.prior_stream import PriorStream
from glnzip.system.machine import free_addresses, usable_memory
from glnzip.system.units import human_size

_LIBRARY_BYTES = 100 << 20
"""Of address space, for NumPy."""


class Allowance(NamedTuple):
    """What may be spent on a model."""

    memory_limit: int | None = None
    """The most bytes that the process may take; None for as much as the machine has."""
    only_prepared: bool = False
    """Whether a prior that was not prepared before is to be refused: it takes minutes."""

    def check_memory(
        self, level: int, models: int | None = None, why: str = "to prepare its prior, once"
    ) -> None:
        """Raise MemoryLimitError if a model takes more than the limit.

        Parameters
        ----------
        level
            That of the model.
        models
            The bytes of all models that are in memory at a time, where there are others.
        why
            What these are for.
        """
        free = free_addresses()
        if free is not None and free < model_bytes(level) + _LIBRARY_BYTES:
            raise MemoryLimitError(
                f"level {level} takes about {human_size(model_bytes(level) + _LIBRARY_BYTES)} of "
                f"address space; of what `ulimit -v` allows, {human_size(max(0, free))} are left"
            )
        need = memory_bytes(level) if models is None else PROCESS_BYTES + models
        limit, whose = self.memory_limit, "the limit"
        if limit is None:
            limit, whose = usable_memory() or need, "what there is"
        if need > limit:
            purpose = "" if models is None else f" {why}"
            raise MemoryLimitError(
                f"level {level} needs about {human_size(need)} of memory{purpose}; "
                f"{whose} is {human_size(limit)}"
            )


NO_LIMITS = Allowance()
"""Nothing is forbidden but what the machine cannot do."""


def check_models(level: int, allowance: Allowance, *, or_none: bool = False) -> None:
    """See whether a model of a level is allowed, or one with a prior and one without."""
    if or_none:
        allowance.check_memory(level, 2 * model_bytes(level), "with and without its prior")
    else:
        allowance.check_memory(level)


def check_allowed(level: int, prior: PriorStream | None, allowance: Allowance) -> None:
    """See whether a model that has seen `prior` can be had for what is allowed.

    Raises
    ------
    MemoryLimitError
        If that takes too much memory.
    NotPreparedError
        If the prior was not prepared before, and only such may be used.
    """
    allowance.check_memory(level)
    if prior is None:
        return
    check_reading_allowed(prior, allowance)
    if allowance.only_prepared and not _is_ready(level, prior):
        raise NotPreparedError(
            f"{prior.title} is not prepared for level {level}; only what is prepared may be used"
        )
    try:
        allowance.check_memory(level, most_bytes(level, prior))
    except MemoryLimitError:
        models = most_bytes(level, prior, is_ready=_is_ready)
        allowance.check_memory(level, None if _is_ready(level, prior) else models)


def check_reading_allowed(prior: PriorStream, allowance: Allowance) -> None:
    """See whether the id of a prior can be had for what is allowed; the same errors."""
    if prior.hash_is_known:
        return
    if allowance.only_prepared:
        raise NotPreparedError(
            f"{prior.title} was not read before; only what is prepared may be used"
        )
    for frame, base in prior.frames_and_bases:
        if frame.level != PLAIN_LEVEL:
            allowance.check_memory(frame.level, most_bytes(frame.level, base, is_ready=_is_ready))


def most_bytes(
    level: int,
    prior: PriorStream | None,
    is_ready: Callable[[int, PriorStream], bool] = lambda level, prior: False,
) -> int:
    """Bytes of all models that are in memory at a time until one has seen `prior`.

    A frame of the prior is decoded by a model of its level, which teaches the other one; each may
    have to be shown another prior before. `is_ready` tells of which priors that was done.
    """
    own = model_bytes(level)
    if prior is None or is_ready(level, prior):
        return own
    most = own
    for number, (frame, base) in enumerate(prior.frames_and_bases):
        if frame.level == PLAIN_LEVEL:
            continue  # it takes no model to be read
        learner = own if number else 0
        most = max(most, learner + most_bytes(frame.level, base, is_ready))
        if number or frame.level != level:
            learner = own if number else most_bytes(level, prior.base, is_ready)
            most = max(most, learner + model_bytes(frame.level))
    return most


def _is_ready(level: int, prior: PriorStream) -> bool:
    from glnzip.priors.prepared import is_ready  # brings the model with it

    return is_ready(level, prior)


def check_memory_limit(memory_limit: int | None) -> int | None:
    """Return `memory_limit`, if it is a number of bytes or none."""
    return None if memory_limit is None else index(memory_limit)


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
            f"memory could not be allocated: level {level} needs about {need}"
        ) from error
