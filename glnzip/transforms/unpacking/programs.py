"""The code in programs, PE, ELF and Mach-O: it is apart from their data.

Nothing is taken out; the window is told where code begins and ends.
"""

from __future__ import annotations

from typing import Literal

from glnzip.transforms.unpacking.window import Window

_PE_PLACE = 60  # where an MZ header tells the place of that of PE
_PE_BYTES = 24  # of it, before what is optional
_MOST_HEADER = 1 << 12  # bytes before the table of sections, or that of PE
_MOST_SECTIONS = 256
_MOST_COMMANDS = 1 << 15  # bytes of what tells how Mach-O is loaded
_SECTION_BYTES = 40
_CODE = 0x20  # a section of PE has it
_LOADED, _RUN = 1, 1  # a segment of ELF is loaded; it may be run
_SEGMENT, _WIDE_SEGMENT = 1, 0x19  # commands of Mach-O
_INSTRUCTIONS = 0x80000400  # a section of Mach-O has some, or nothing else


def see_pe(window: Window, at: int) -> None:
    """A program for Windows (PE format, COFF header and section table)."""
    head = at + window.number_at(at + _PE_PLACE, 4)
    if head - at > _MOST_HEADER or window.bytes_at(head, 4) != b"PE\0\0":
        return
    table, count = head + _PE_BYTES + window.number_at(head + 20, 2), window.number_at(head + 6, 2)
    if count > _MOST_SECTIONS:
        return
    sections = [table + _SECTION_BYTES * k for k in range(count)]
    code = [k for k in sections if window.number_at(k + 36, 4) & _CODE]
    _see(window, at, [(window.number_at(k + 20, 4), window.number_at(k + 16, 4)) for k in code])


def see_elf(window: Window, at: int) -> None:
    """A program or library of ELF (System V ABI, chapter 5)."""
    form = window.bytes_at(at + 4, 2)
    wide = form[0] == 2
    order: Literal["little", "big"] = "big" if form[1] == 2 else "little"
    word = 8 if wide else 4

    def number(place: int, size: int) -> int:
        return int.from_bytes(window.bytes_at(at + place, size), order)

    table = number(32 if wide else 28, word)
    each, count = (number(k, 2) for k in ((54, 56) if wide else (42, 44)))
    if table > _MOST_HEADER or count > _MOST_SECTIONS:
        return
    flags = 4 if wide else 24
    segments = [table + each * k for k in range(count)]
    code = [k for k in segments if number(k, 4) == _LOADED and number(k + flags, 4) & _RUN]
    _see(window, at, [(number(k + word, word), number(k + 4 * word, word)) for k in code])


def see_mach_o(window: Window, at: int) -> None:
    """A program or library of macOS, low byte first (mach-o/loader.h); one of a fat file, too."""
    wide = window.bytes_at(at, 1) == b"\xcf"
    word = 8 if wide else 4
    segment, head, each = (_WIDE_SEGMENT, 72, 80) if wide else (_SEGMENT, 56, 68)

    def number(place: int, size: int = 4) -> int:
        return window.number_at(place, size)

    place = at + (32 if wide else 28)
    last = place + number(at + 20)
    if last - place > _MOST_COMMANDS:
        return
    code: list[tuple[int, int]] = []
    while place + head <= last:
        behind = min(last, place + max(8, number(place + 4)))
        if number(place) == segment:
            for k in range(place + head, behind - each + 1, each):
                start = k + 32 + 2 * word  # where the file has it
                if number(start + 16) & _INSTRUCTIONS:
                    code.append((number(start), number(start - word, word)))
        place = behind
    _see(window, at, code)


def _see(window: Window, at: int, code: list[tuple[int, int]]) -> None:
    """Cut a program where its code begins and ends."""
    window.cuts.append(at)
    for start, length in code:
        if start and length:
            window.cuts += [at + start, at + start + length]
    window.files.add(at)
