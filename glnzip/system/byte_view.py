"""Whatever holds bytes, as bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def byte_view(data: ReadableBuffer) -> memoryview:
    """Return a view of any bytes-like object as single bytes."""
    view = memoryview(data)
    try:
        return view.cast("B")
    except TypeError:  # nothing in it, or items that cannot be cast: big-endian, records
        return memoryview(view.tobytes())
