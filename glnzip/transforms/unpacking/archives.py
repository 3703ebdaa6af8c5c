"""Members of archives that are not packed: each is data of its own.

Nothing is taken out; the window is told where the header of a member begins, and where its data
begin and end. Every header is found by its own sign, so no list of members has to be followed.
"""

from __future__ import annotations

from typing import Literal

from glnzip.transforms.unpacking.window import Window

_TAR_BYTES = 512
_TAR_MAGIC = 257  # where it stands in a header
_TAR_MODE = 100  # and the first field behind the name
_AR_BYTES = 60
_AR_END = 58  # of a header
_LONGEST_NAME = 4096
_CPIO_OLD = 26  # bytes of a header of 16-bit numbers
_CPIO_OCTAL = 76
_CPIO_NEW = 110


def see_tar(window: Window, at: int) -> None:
    """A header of tar (POSIX.1, ustar)."""
    _see_tar_header(window, at - _TAR_MAGIC)


def see_old_tar(window: Window, at: int) -> None:
    """A header of any tar, also one from before ustar, by its numbers."""
    _see_tar_header(window, at - _TAR_MODE)


def _see_tar_header(window: Window, start: int) -> None:
    if start < 0 or start + _TAR_BYTES > window.end:
        return
    header = window.bytes_at(start, _TAR_BYTES)
    size, check = _octal(header[124:136]), _octal(header[148:156])
    if size is None or check != sum(header) - sum(header[148:156]) + 8 * ord(" "):
        return
    _see_member(window, start, start + _TAR_BYTES, size)


def see_ar(window: Window, at: int) -> None:
    """A header of ar, of which the end was seen: a name and numbers, padded with spaces."""
    start = at - _AR_END
    if start < 0 or start + _AR_BYTES > window.end:
        return
    header = window.bytes_at(start, _AR_BYTES)
    numbers = header[16:28], header[28:34], header[34:40], header[48:58]
    size = _number(numbers[-1], 10)
    if size is None or any(_number(n, 10) is None and n.strip(b" ") for n in numbers):
        return
    _see_member(window, start, start + _AR_BYTES, size)


def see_cpio(window: Window, at: int) -> None:
    """A header of cpio, of any of its forms; `UnfinishedError` if it is cut."""
    first = window.bytes_at(at, 6)
    if first in (b"070701", b"070702"):
        numbers = [_number(window.bytes_at(at + k, 8), 16) for k in range(6, _CPIO_NEW, 8)]
        name, size, head, unit = numbers[11], numbers[6], _CPIO_NEW, 4
    elif first == b"070707":
        name = _number(window.bytes_at(at + 59, 6), 8)
        size = _number(window.bytes_at(at + 65, 11), 8)
        head, unit = _CPIO_OCTAL, 1
    else:
        order: Literal["little", "big"] = "little" if first[0] == 0xC7 else "big"
        header = window.bytes_at(at, _CPIO_OLD)
        words = [int.from_bytes(header[k : k + 2], order) for k in range(0, _CPIO_OLD, 2)]
        name, size, head, unit = words[10], words[11] << 16 | words[12], _CPIO_OLD, 2
    if name is None or size is None or not 1 < name <= _LONGEST_NAME:
        return
    text = window.bytes_at(at + head, name)
    if text[-1] or 0 in text[:-1]:
        return
    _see_member(window, at, at + head + name + -(head + name) % unit, size)


def _see_member(window: Window, header: int, begin: int, size: int) -> None:
    window.cuts += [header, begin, begin + size]
    window.files.add(begin)


def _octal(field: bytes) -> int | None:
    """The number in a field of a tar header."""
    return _number(field.strip(b" \0"), 8)


def _number(field: bytes, base: int) -> int | None:
    """Digits, and perhaps spaces behind them; None if it is something else."""
    digits = field.rstrip(b" ")
    plain = digits.isalnum() if base > 10 else digits.isdigit()
    try:
        return int(digits, base) if plain else None
    except ValueError:
        return None
