"""The steps of the model as kernels, for tests that take them one by one.

A part of a kernel that Python calls is compiled anew in every process, and these take most of a
minute. Kernels stay in the cache folder; their code is the package's alone, so the folder's name
tells when it is out of date.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

from glnzip.jit import kernel
from glnzip.model import step
from glnzip.model.media import jpeg_step, sample_step


class Steps(NamedTuple):
    """What codes blocks one bit at a time."""

    begin_block: Callable[..., None]
    predict_bit: Callable[..., int]
    update_bit: Callable[..., None]


def _as_kernels(steps: ModuleType) -> Steps:
    parts = [getattr(steps, name) for name in Steps._fields]
    return Steps(*(kernel(getattr(part, "py_func", part)) for part in parts))


OF_BYTES = _as_kernels(step)
OF_NUMBERS = _as_kernels(sample_step)
OF_JPEG = _as_kernels(jpeg_step)
