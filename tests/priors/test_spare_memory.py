"""Memory is used again once nobody has it, and not before."""

from __future__ import annotations

import mmap

import numpy as np
import pytest

from glnzip.priors import spare_memory
from glnzip.priors.spare_memory import new_memory

SIZE = 1 << 20

pytestmark = pytest.mark.skipif(
    not hasattr(mmap, "MADV_FREE"), reason="no memory is kept where it cannot be marked as free"
)


@pytest.fixture(autouse=True)
def _nothing_spare():
    spare_memory._spare.clear()
    spare_memory._lent.clear()
    yield
    spare_memory._spare.clear()


def address(array: np.ndarray) -> int:
    return array.ctypes.data


def test_it_begins_on_a_page_and_can_be_written():
    memory = new_memory(SIZE + 1)
    assert address(memory) % mmap.PAGESIZE == 0
    assert memory.size >= SIZE + 1
    memory[:] = 7
    assert (memory == 7).all()


def test_it_is_at_hand_unless_somebody_has_it():
    assert spare_memory.is_at_hand()
    memory = new_memory(SIZE)
    assert not spare_memory.is_at_hand()
    view = memory[5:]
    del memory
    assert not spare_memory.is_at_hand()
    del view
    assert spare_memory.is_at_hand()


def test_it_is_used_again():
    memory = new_memory(SIZE)
    before = address(memory)
    del memory
    assert len(spare_memory._spare) == 1
    assert address(new_memory(SIZE)) == before


def test_not_while_a_view_of_it_is_left():
    memory = new_memory(SIZE)
    memory[:] = 1
    part = memory[4096:8192].view(np.float32).reshape(2, -1)
    del memory
    assert not spare_memory._spare
    other = new_memory(SIZE)
    other[:] = 2
    assert (part.view(np.uint8) == 1).all()


@pytest.mark.parametrize("size", [2 * SIZE, SIZE // 4])
def test_not_for_another_size(size: int):
    """Too little is of no use, and far too much would be a waste."""
    memory = new_memory(SIZE)
    del memory
    other = new_memory(size)
    assert other.size == size
    assert not spare_memory._spare, "what did not fit is not kept"


def test_one_is_kept_at_most():
    first, second = new_memory(SIZE), new_memory(SIZE)
    last = address(second)
    del first, second
    assert len(spare_memory._spare) == 1
    assert address(new_memory(SIZE)) == last


def test_advice_that_the_system_does_not_take(monkeypatch: pytest.MonkeyPatch):
    """Without large pages memory is memory, and what cannot be marked as free is not kept."""
    monkeypatch.setattr(mmap, "MADV_HUGEPAGE", -1, raising=False)
    monkeypatch.setattr(mmap, "MADV_FREE", -1)
    memory = new_memory(SIZE)
    memory[:] = 1
    del memory
    assert not spare_memory._spare


def test_no_memory():
    with pytest.raises(MemoryError):
        new_memory(1 << 60)
