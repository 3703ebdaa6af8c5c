"""Class files of Java, made up: constants, fields, methods with code, lines and variables."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from corpora.make_samples import Dice

_NAMES = ("count", "next", "value", "buffer", "getName", "isEmpty", "append", "toString", "index")
_TYPES = ("I", "J", "Z", "[B", "Ljava/lang/String;", "Ljava/util/List;")


def numbers(*values: int) -> bytes:
    """Numbers of two bytes."""
    return struct.pack(f">{len(values)}H", *values)


class _Pool:
    """Constants, each before those that it refers to, or behind them."""

    def __init__(self, *, forward: bool) -> None:
        self._forward = forward
        self._numbers: dict[tuple, int] = {}
        self._constants: list[bytes] = [b""]

    def number(self, tag: int, *parts: object, extra: bytes = b"") -> int:
        """That of a constant of text, of bytes, or of references to constants that parts are."""
        key = (tag, extra, *parts)
        if key in self._numbers:
            return self._numbers[key]
        if not self._forward:
            references = [self.number(*part) for part in parts if isinstance(part, tuple)]
        number = self._numbers[key] = len(self._constants)
        self._constants.append(b"")
        if tag in (5, 6):
            self._constants.append(b"")
        if self._forward:
            references = [self.number(*part) for part in parts if isinstance(part, tuple)]
        body = numbers(*references)
        if isinstance(parts[0], str):
            text = parts[0].encode()
            body = numbers(len(text)) + text
        elif isinstance(parts[0], bytes):
            body = parts[0]
        self._constants[number] = bytes([tag]) + extra + body
        return number

    def text(self, text: str) -> int:
        return self.number(1, text)

    def written(self) -> bytes:
        return numbers(len(self._constants)) + b"".join(self._constants)


def _member(tag: int, owner: str, name: str, kind: str) -> tuple:
    return tag, (7, (1, owner)), (12, (1, name), (1, kind))


def class_file(methods: int, *, seed: int = 1, forward: bool = True) -> bytes:
    """A class of so many methods; constants stand before those that they refer to, or behind."""
    dice, pool = Dice(seed), _Pool(forward=forward)
    own = f"org/example/Part{seed}"
    this = pool.number(7, (1, own))
    above = pool.number(7, (1, "java/lang/Object"))
    shown = pool.number(7, (1, "java/lang/Runnable"))
    fields = [_field(dice, pool, k) for k in range(3)]
    made = [_method(dice, pool, own, k) for k in range(methods)]
    source = _attribute(pool, "SourceFile", numbers(pool.text(f"Part{seed}.java")))
    inner = _attribute(pool, "InnerClasses", numbers(1, this, above, 0, 9))
    handle = pool.number(15, _member(10, own, "run", "()V"), extra=b"\6")
    call = pool.number(18, (12, (1, "run"), (1, "()V")), extra=numbers(0))
    boot = _attribute(pool, "BootstrapMethods", numbers(1, handle, 1, call))
    written = pool.written()
    return b"".join(
        (
            b"\xca\xfe\xba\xbe" + numbers(0, 52) + written + numbers(0x21, this, above, 1, shown),
            numbers(len(fields)) + b"".join(fields),
            numbers(len(made)) + b"".join(made),
            numbers(3) + source + inner + boot,
        )
    )


def _attribute(pool: _Pool, name: str, data: bytes) -> bytes:
    return numbers(pool.text(name)) + struct.pack(">I", len(data)) + data


def _field(dice: Dice, pool: _Pool, k: int) -> bytes:
    kind = _TYPES[dice.below(len(_TYPES))]
    value = (3, 4, 5, 6)[k % 4]
    number = pool.number(value, bytes(dice.below(256) for _ in range(4 if value < 5 else 8)))
    constant = _attribute(pool, "ConstantValue", numbers(number))
    gone = _attribute(pool, "Deprecated", b"")
    head = numbers(2 + 8 * (k % 2), pool.text(_NAMES[k]), pool.text(kind))
    return head + numbers(2) + constant + gone


def _method(dice: Dice, pool: _Pool, own: str, k: int) -> bytes:
    code, starts = _code(dice, pool, own)
    places = [place for place in starts if dice.below(2)] or [0]
    line = 10 + 12 * k
    lines = b"".join(numbers(place, line := line + dice.below(3)) for place in places)
    names = [pool.text(_NAMES[dice.below(9)]) for _ in range(2)]
    kind = pool.text(own.join(("L", ";")))
    local = numbers(0, len(code), pool.text("this"), kind, 0)
    other = numbers(places[-1], len(code) - places[-1], names[0], pool.text("I"), 1)
    tables = (
        _attribute(pool, "LineNumberTable", numbers(len(places)) + lines),
        _attribute(pool, "LocalVariableTable", numbers(2) + local + other),
        _attribute(pool, "LocalVariableTypeTable", numbers(1) + local),
        _attribute(pool, "StackMapTable", numbers(2) + bytes((252, 0, 6, 1, 9))),
    )[: 1 + dice.below(4)]
    handlers = numbers(1, 0, len(code), 0, 0) if k % 3 == 0 else numbers(0)
    body = numbers(2 + dice.below(4), 1 + dice.below(6)) + struct.pack(">I", len(code)) + code
    attributes = numbers(len(tables)) + b"".join(tables)
    thrown = _attribute(pool, "Exceptions", numbers(1, pool.number(7, (1, "java/io/IOException"))))
    head = numbers(1 + dice.below(2), names[1], pool.text(f"({_TYPES[dice.below(6)]})V"))
    return head + numbers(2) + _attribute(pool, "Code", body + handlers + attributes) + thrown


def _code(dice: Dice, pool: _Pool, own: str) -> tuple[bytes, Sequence[int]]:
    """Instructions, and where they begin."""
    code, starts = bytearray(), []
    for _ in range(12 + dice.below(20)):
        starts.append(len(code))
        code += _instruction(dice, pool, own, len(code))
    starts.append(len(code))
    return bytes(code) + b"\xb1", starts


def _instruction(dice: Dice, pool: _Pool, own: str, place: int) -> bytes:
    name, kind = _NAMES[dice.below(9)], _TYPES[dice.below(6)]
    choice = dice.below(16)
    if choice < 3:
        return bytes((0x2A, 0xB4)) + numbers(pool.number(*_member(9, own, name, kind)))
    if choice < 6:
        called = pool.number(*_member(10, own, name, f"({kind})I"))
        return bytes((0x2B, 0xB6)) + numbers(called) + b"\x3d"
    if choice == 6:
        return (
            b"\xb9" + numbers(pool.number(*_member(11, "java/util/List", "size", "()I"))) + b"\1\0"
        )
    if choice == 7:
        number = pool.number(8, (1, f"no {name} is here"))
        return bytes((0x12, number)) if number < 256 else b"\x13" + numbers(number)
    if choice == 8:
        return bytes((0xC5,)) + numbers(pool.number(7, (1, "[[I"))) + b"\2"
    if choice == 9:
        return b"\xc4\x84" + numbers(300, dice.below(9)) + b"\xc4\x15" + numbers(dice.below(999))
    if choice == 10:
        padding = bytes(-(place + 1) % 4)
        jumps = struct.pack(">5i", 24, 1, 3, 8, 12)
        return b"\xaa" + padding + jumps[:12] + jumps[:4] * 3
    if choice == 11:
        return b"\xab" + bytes(-(place + 1) % 4) + struct.pack(">6i", 24, 2, 5, 8, 70, 12)
    if choice == 12:
        return b"\x99" + numbers(dice.below(40)) + b"\xa7" + numbers(0xFFF0)
    if choice == 13:
        return b"\x10" + bytes([dice.below(256)]) + b"\x36\4"
    return bytes((0x1B, 0x60, 0x3C, 0x84, 1, dice.below(5)))
