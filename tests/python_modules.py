"""Compiled modules of Python, made up: code within code, as its versions write it."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from corpora.make_samples import Dice

MAGIC = {7: 3394, 8: 3413, 11: 3495}
"""By minor version: the magic number of 3.7, of 3.8, of 3.11."""

_NAMES = ("count", "next", "value", "buffer", "get_name", "is_empty", "append", "index")
_KEPT = 0x80  # of a type: others may refer to the object
_CACHES = {0x74: 5, 0x6A: 4, 0xAB: 4, 0x7A: 1, 0x19: 4}


def raw(data: bytes) -> bytes:
    """An object of bytes."""
    return b"s" + struct.pack("<I", len(data)) + data


class _Writer:
    """Objects, each text written once and then referred to."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.count = 0
        self._known: dict[str, int] = {}

    def text(self, text: str) -> bytes:
        if text in self._known:
            return b"r" + struct.pack("<I", self._known[text])
        self._known[text] = self.count
        self.count += 1
        data = text.encode()
        if not text.isascii():
            return bytes([ord("u") | _KEPT]) + struct.pack("<I", len(data)) + data
        return bytes([ord("Z" if text.isidentifier() else "z") | _KEPT, len(data)]) + data

    def few(self, objects: Sequence[bytes]) -> bytes:
        return b")" + bytes([len(objects)]) + b"".join(objects)

    def texts(self, texts: Sequence[str]) -> bytes:
        return self.few([self.text(text) for text in texts])


def module(functions: int, *, seed: int = 1, version: int = 11) -> bytes:
    """A module of so many functions, one in another here and there."""
    dice, writer = Dice(seed), _Writer(version)
    head = struct.pack("<H", MAGIC[version]) + b"\r\n" + struct.pack("<III", 0, 1700000000, 999)
    return head + _code(dice, writer, "<module>", functions, 1)


def _code(dice: Dice, writer: _Writer, name: str, functions: int, line: int) -> bytes:
    writer.count += 1  # code itself may be referred to
    names = [_NAMES[(k + len(name)) % 8] for k in range(5)]
    variables = ["self", *names[:2]]
    code = _instructions(dice, writer.version)
    numbers = [2, 0, 3, 4, 67] if writer.version >= 8 else [2, 0, 4, 67]
    if writer.version < 11:
        numbers.insert(-2, 3)
    fields = [*(struct.pack("<I", number) for number in numbers), raw(code)]
    constants = [b"N", writer.text(f"No {name} is here."), b"i\7\0\0\0", b"T", *_others(writer)]
    for k in range(functions):
        inner = functions // 2 if k == 1 else 0
        constants.append(_code(dice, writer, f"{name[:3]}_{names[k % 5]}", inner, line + 9 * k))
    fields.append(b"(" + struct.pack("<I", len(constants)) + b"".join(constants))
    fields += [writer.texts(names), writer.texts(variables)]
    if writer.version < 11:
        fields += [writer.few([]), writer.few([])]
        fields += [writer.text("made_up.py"), writer.text(name), struct.pack("<I", line)]
        fields.append(raw(bytes(dice.below(9) for _ in range(len(code) // 4 & -2))))
    else:
        fields += [raw(b"\x20" * len(variables)), writer.text("made_up.py")]
        fields += [writer.text(name), writer.text(f"Made.{name}"), struct.pack("<I", line)]
        fields.append(raw(_locations(dice, code, names)))
        fields.append(raw(bytes(dice.below(64) for _ in range(dice.below(3) * 4))))
    return bytes([ord("c") | _KEPT]) + b"".join(fields)


def _others(writer: _Writer) -> list[bytes]:
    """Constants of other types."""
    writer.count += 1  # the tuple
    pair = bytes([ord(")") | _KEPT, 2]) + b"F" + writer.text("größer")
    return [
        pair,
        b"g" + struct.pack("<d", 0.1),
        b"l" + struct.pack("<ihh", -2, 5, 7),
        b"y" + bytes(16),
        b">" + struct.pack("<I", 2) + b"N.",
        b"s" + bytes(4),
        b":NNN",
    ]


def _instructions(dice: Dice, version: int) -> bytes:
    """Opcodes and arguments, and the caches behind them."""
    code = bytearray(b"\x97\0" if version >= 11 else b"")
    for _ in range(10 + dice.below(16)):
        opcode = dice.pick((0x74, 0x7C, 0x7C, 0x64, 0x64, 0x6A, 0xAB, 0x7D, 0x7A, 0x19, 0x01))
        code += bytes([opcode, dice.below(10 if opcode == 0x74 else 4)])
        code += bytes(2 * _CACHES.get(opcode, 0) * (version >= 11))
    return bytes(code + b"\x53\0")


def _locations(dice: Dice, code: bytes, names: Sequence[str]) -> bytes:
    """An entry for each instruction."""
    table, unit, column = bytearray(), 0, 4
    while unit < len(code) // 2:
        opcode, argument = code[2 * unit], code[2 * unit + 1]
        covers = 1 + _CACHES.get(opcode, 0)
        unit += covers
        size = 2
        if opcode in (0x74, 0x6A):
            size = len(names[(argument >> (opcode == 0x74)) % 5])
        choice = dice.below(12)
        if choice < 8 and column < 70 and size < 16:
            table += bytes([0x80 | column >> 3 << 3 | covers - 1, (column & 7) << 4 | size])
        elif choice < 9:
            table += bytes([0x80 | 13 << 3 | covers - 1, 0x42, 1])
        elif choice == 9:
            table += bytes([0x80 | 14 << 3 | covers - 1, 4, 1, 0x40 | (column + 1) & 63, 2, 9])
        elif choice == 10:
            table += bytes([0x80 | 15 << 3 | covers - 1])
        else:
            column = 4 * (1 + dice.below(3))
            form = 10 + dice.below(3)
            table += bytes([0x80 | form << 3 | covers - 1, column, column + size])
        column += size + 1
    return bytes(table)
