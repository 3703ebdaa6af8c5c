"""Blocks that are memorised: see `glnzip.model.memorising`.

Its steps are a kernel each, in threads of their own. The second step is a slice behind the first;
DMC models need nothing of either, and go through the block at their own pace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from glnzip.coding.arrays import Bytes
from glnzip.format.block_type import BlockType
from glnzip.jit import jit_is_on, kernel
from glnzip.model import memorising

_SLICE_BYTES = 1 << 13 if jit_is_on() else 1 << 6


def memorise_block(model: Any, block_type: BlockType, data: Bytes) -> Iterator[int]:
    """Let a ByteParts memorise a block; yields how many bytes, now and then."""
    contexts = model.byte_model.table.memorised.size
    ours, theirs = np.zeros((2, _SLICE_BYTES, contexts), np.uint32)
    with _in_another_thread() as begin, _in_another_thread() as begin_a_third:
        nodes_moved = begin_a_third(move_nodes, model, data)
        behind: Future[Any] | None = None
        for start in range(0, data.size, _SLICE_BYTES):
            end = min(start + _SLICE_BYTES, data.size)
            hash_slice(block_type, model, ours, data, start, end)
            if behind is not None:
                behind.result()
            behind = begin(memorise_slice, model, ours, data, start, end)
            ours, theirs = theirs, ours
            yield end - start
        if behind is not None:
            behind.result()
        nodes_moved.result()


@contextmanager
def _in_another_thread() -> Iterator[Callable[..., Future[Any]]]:
    """What begins some work in another thread, or does it at once where none can be had."""
    with ThreadPoolExecutor(1) as pool:
        try:
            pool.submit(int)
        except RuntimeError:  # the process may have no more, or Python is ending
            yield _done
        else:
            yield pool.submit


def _done(work: Callable[..., object], *arguments: object) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(work(*arguments))
    return future


@kernel
def hash_slice(block_type, model, hashes, data, start, end):
    """The first step, for ``data[start:end]``; a block begins where `start` is 0."""
    if start == 0:
        memorising.begin_block(model, block_type)
    memorising.hash_slice(model, hashes, data, start, end)


@kernel
def memorise_slice(model, hashes, data, start, end):
    """The second step."""
    memorising.memorise_slice(model, hashes, data, start, end)


@kernel
def move_nodes(model, data):
    """DMC models see the block."""
    memorising.move_nodes(model.recent, data)
