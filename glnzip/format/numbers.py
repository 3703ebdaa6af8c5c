"""Numbers as the format has them: LEB128, in its shortest form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from glnzip.errors import CorruptStreamError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def write_number(value: int) -> bytes:
    """Return `value` as LEB128, in its shortest form."""
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def write_numbers(values: Iterable[int]) -> bytes:
    """Return numbers as LEB128, one behind the other."""
    return b"".join(map(write_number, values))


def take_number(take: Callable[[int], bytes], allowed: range, name: str) -> int:
    """Read a LEB128 number that must be in `allowed`; no more bytes than its largest one has."""
    value = shift = 0
    while True:
        byte = take(1)[0]
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
        if shift >= allowed[-1].bit_length():
            raise CorruptStreamError(f"damaged header: {name} is above {allowed[-1]}")
    if value not in allowed:
        raise CorruptStreamError(
            f"damaged header: {name} {value} is not in {allowed[0]}..{allowed[-1]}"
        )
    if byte == 0 and shift > 7:
        raise CorruptStreamError(f"damaged header: {name} is not in its shortest form")
    return value
