"""The document's tables: those that it lists are read from it, the others are made as it says."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

DOCUMENT = (Path(__file__).parents[3] / "docs" / "MODEL.md").read_text(encoding="utf-8")

f32 = np.float32
HASH, HASH_2, HASH_3 = (
    int(re.search(rf"`{name}` \| (0x\w+)", DOCUMENT)[1], 16)  # type: ignore[index]
    for name in ("HASH", "HASH_2", "HASH_3")
)


def rows_after(words: str) -> list[list[str]]:
    """The cells of the first table after `words`, which stand once in the document."""
    assert DOCUMENT.count(words) == 1, words
    rest = DOCUMENT.split(words)[1].splitlines()
    start = next(i for i, line in enumerate(rest) if line.startswith("|"))
    rows = []
    for line in rest[start:]:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        rows.append([cell.replace("\\|", "|").replace("`", "").strip() for cell in cells])
    return rows[2:]  # without the heading and the line below it


def names_of(cell: str) -> list[str]:
    """The features of a row."""
    return [name for name in cell.split(", ") if name]


def levels_of(cell: str) -> tuple[int, int]:
    """The first level that uses a row, and the last one."""
    first, _, last = cell.partition(" to ")
    return int(first), int(last or 9)


def layers_of(words: str) -> tuple[list[Any], list[float | None]]:
    """The rates and the first weights of a network's layers, None for 1/K."""
    weights = [cells[2] for cells in rows_after(words)]
    return rates_of(words), [None if weight == "1/K" else float(weight) for weight in weights]


def rates_of(words: str) -> list[Any]:
    """The rates in the second column of a table."""
    return [decaying(*map(float, re.findall(r"[\d.]+", row[1]))) for row in rows_after(words)]


def u32(x: int) -> int:
    return x & 0xFFFFFFFF


def bound(x: Any, low: Any, high: Any) -> Any:
    return min(max(x, low), high)


def clip(x: Any, b: Any) -> Any:
    return max(min(x, b), -b)


LN2 = 0.6931471805599453


def exp(x: float) -> float:
    n = round(x / LN2)
    r = x - n * LN2
    t = 1.0
    for k in range(30, 0, -1):
        t = 1 + t * r / k
    return math.ldexp(t, n)


def ln(x: float) -> float:
    m, e = math.frexp(x)
    z = (m - 1) / (m + 1)
    t = 0.0
    for k in range(61, 0, -2):
        t = t * z * z + 1 / k
    return 2 * z * t + e * LN2


def _stretch(i: int) -> float:
    p = (i + 0.5) / 4096
    return ln(p / (1 - p))


STRETCH = np.array([_stretch(i) for i in range(4096)]).astype(f32)
SQUASH = np.array([1 / (1 + exp(-(i / 128 - 12))) for i in range(3074)]).astype(f32)
RECIPROCALS = [int(65536 / (n + 1.5)) for n in range(1024)]
_12, _128 = f32(12), f32(128)


def squash(x: Any) -> Any:
    s = (clip(x, _12) + _12) * _128
    i = int(s)
    return SQUASH[i] + (SQUASH[i + 1] - SQUASH[i]) * (s - f32(i))


def entry(p: float, n: int) -> int:
    return bound(int(p * 2**22), 0, 2**22 - 1) << 10 | n


def adapt(e: int, y: int, limit: int) -> int:
    p, n = e >> 10, e & 1023
    p += ((y << 22) - y - p) * RECIPROCALS[n] >> 16
    return p << 10 | min(n + 1, limit)


def logit(e: int) -> Any:
    return STRETCH[e >> 20]


def opinion(e: int) -> list[Any]:
    return [logit(e), (f32(e >> 20) - f32(2048)) * f32(4 / 4096)]


BLANK = 1 << 31
FIRST_APM = [entry(1 / (1 + exp(-(k * (24 / 23) - 12))), 6) for k in range(24)]
SHAPE = [entry(1 / (1 + exp(-((k + 0.5) * 2 * 8 / 64 - 8))), 12) for k in range(64)]


def _deviations() -> Any:
    powers = [1.0]
    for _ in range(31):
        powers.append(powers[-1] * 1.36)
    return np.array([0.18 * q for q in powers]).astype(f32)


DEVIATIONS = _deviations()


@cache
def decaying(a: float, b: float, h: float) -> Any:
    rates = [b + (a - b) / (1 + t / h) for t in range(4095)]
    return np.array([*rates, b]).astype(f32)


Triple = tuple[int, int, tuple[int, ...]]


def _after(triple: Triple, y: int) -> Triple:
    n0, n1, recent = triple
    if n0 + n1 == len(recent) <= 3:
        longer = (*recent, y)
        return longer.count(0), longer.count(1), longer
    same, other = (n1, n0) if y else (n0, n1)
    if other > 2:
        other = min(2 + (other - 1) // 3, 6)
    limit = (48, 32, 14, 9, 7)[other] if other < 5 else 6
    if other == 0:
        limit = max(limit, same)
    same = min(same + 1, limit)
    return (other, same, (y,)) if y else (same, other, (y,))


def _states() -> list[Triple]:
    found: set[Triple] = set()
    waiting: list[Triple] = [(0, 0, ())]
    while waiting:
        triple = waiting.pop()
        if triple not in found:
            found.add(triple)
            waiting += [_after(triple, 0), _after(triple, 1)]
    return sorted(found, key=lambda t: (t[0] + t[1], *t))


def _block(n0: int, n1: int) -> Fraction:
    k = Fraction(1)
    for i in (*range(n0), *range(n1)):
        k *= Fraction(2 * i + 1, 2)
    k /= math.factorial(n0 + n1)
    return k / 2 + Fraction(n0 == 0, 4) + Fraction(n1 == 0, 4)


_STATES = _states()
_NUMBER = {triple: s for s, triple in enumerate(_STATES)}
NEXT = [_NUMBER[_after(triple, y)] for triple in _STATES for y in (0, 1)]
NEXT += [0] * (512 - len(NEXT))


def _younger(triple: Triple) -> int:
    n0, n1, recent = triple
    n = n0 + n1
    if n <= 6:
        return _NUMBER[triple]
    near = [
        (abs(m0 * n - 6 * n0) + abs(m1 * n - 6 * n1), -(m0 + m1), s)
        for s, (m0, m1, end) in enumerate(_STATES)
        if 1 <= m0 + m1 <= 6 and end[-1] == recent[-1]
    ]
    return min(near)[2]


YOUNGER = [_younger(triple) for triple in _STATES]
_GUESSES = [float(_block(n0, n1 + 1) / _block(n0, n1)) for n0, n1, _ in _STATES]
ZERO_REDUNDANCY = np.array(
    [
        ln(p) - ln(1 - p) if n0 == 0 or n1 == 0 else 0.0
        for p, (n0, n1, _) in zip(_GUESSES, _STATES, strict=True)
    ]
    + [0.0] * (256 - len(_STATES))
).astype(f32)
FIRST_GUESS = [entry(p, 12) for p in _GUESSES]
FIRST_GUESS += [entry(0.5, 12)] * (256 - len(_STATES))
