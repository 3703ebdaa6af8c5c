"""Section "bzip2" of docs/UNPACKING.md: blocks of data."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tests.oracles.document.numbers import require


class OpenBlocks(NamedTuple):
    """What is open behind some blocks."""

    level: int
    check: int = 0
    bits: str = ""


class Told(NamedTuple):
    """Exceptions, by the number of the block."""

    sizes: dict[int, int]
    behind: dict[int, int]
    headers: dict[int, str]


def blocks(data: bytes, told: Told, before: OpenBlocks, goes_on: bool) -> tuple[bytes, OpenBlocks]:
    """Whole bytes, and what is open behind them."""
    bits, check = before.bits, before.check
    number = 0
    while data:
        require(number < 1024)
        size = told.sizes.get(number)
        require(size is None or size <= len(data))
        full = 100_000 * before.level
        block, used = runs(data[:size], full - 19 if size is None else len(data) * 2)
        require(len(block) <= full)
        own = crc(data[:used])
        bits += one(block, own, told.behind.get(number, 0), told.headers.get(number))
        check = (check << 1 & 0xFFFFFFFF | check >> 31) ^ own
        data = data[used:]
        number += 1
    require(all(n < number for n in told.headers))
    if not goes_on:
        bits += f"{0x177245385090:048b}{check:032b}"
        bits += "0" * (-len(bits) % 8)
    whole = len(bits) // 8 * 8
    made = bytes(int(bits[i : i + 8], 2) for i in range(0, whole, 8))
    return made, OpenBlocks(before.level, check, bits[whole:])


def runs(data: bytes, full: int) -> tuple[bytes, int]:
    """A block, and how many of the data are in it."""
    block = b""
    at = 0
    while at < len(data) and len(block) < full:
        run = 1
        while run < 255 and data[at + run : at + run + 1] == data[at : at + 1]:
            run += 1
        block += data[at : at + min(run, 4)]
        if run >= 4:
            block += bytes([run - 4])
        at += run
    return block, at


def crc(data: bytes) -> int:
    check = 0xFFFFFFFF
    for byte in data:
        check ^= byte << 24
        for _ in range(8):
            check = (check << 1 ^ (0x04C11DB7 if check >> 31 else 0)) & 0xFFFFFFFF
    return check ^ 0xFFFFFFFF


def one(block: bytes, check: int, behind: int, header: str | None) -> str:
    """The bits of a block."""
    rotations = sorted(block[i:] + block[:i] for i in range(len(block)))
    require(behind < rotations.count(block))
    number = rotations.index(block) + rotations.count(block) - 1 - behind
    occur = sorted(set(block))
    symbols = to_symbols(bytes(rotation[-1] for rotation in rotations), occur)
    size = len(occur) + 2
    ranges = [[16 * high + low in occur for low in range(16)] for high in range(16)]
    bits = f"{0x314159265359:048b}{check:032b}0{number:024b}"
    bits += "".join("01"[any(some)] for some in ranges)
    bits += "".join("01"[bit] for some in ranges if any(some) for bit in some)
    groups = [symbols[i : i + 50] for i in range(0, len(symbols), 50)]
    if header is None:
        lengths, selectors = usual(groups, symbols, size)
        bits += written(lengths, selectors)
    else:
        lengths, selectors = read(header, size)
        require(len(selectors) >= len(groups))
        bits += header
    codes = [canonical(own) for own in lengths]
    for group, selector in zip(groups, selectors, strict=False):
        bits += "".join(codes[selector][symbol] for symbol in group)
    return bits


def to_symbols(last: bytes, occur: list[int]) -> list[int]:
    front = list(occur)
    symbols = []
    zeros = 0
    for byte in [*last, None]:
        place = front.index(byte) if byte is not None else -1
        if place == 0:
            zeros += 1
            continue
        while zeros:
            digit = 2 - zeros % 2
            symbols.append(digit - 1)
            zeros = (zeros - digit) // 2
        symbols.append(place + 1 if place > 0 else len(occur) + 1)
        if place > 0:
            front.insert(0, front.pop(place))
    return symbols


def usual(
    groups: list[list[int]], symbols: list[int], size: int
) -> tuple[list[list[int]], list[int]]:
    """The codes of libbzip2, and those of groups."""
    count = 2 + sum(len(symbols) >= few for few in (200, 600, 1200, 2400))
    occurrences = Counter(symbols)
    lengths = [[15] * size for _ in range(count)]
    left, free = len(symbols), 0
    for code in reversed(range(count)):
        own: list[int] = []
        while sum(occurrences[s] for s in own) < left // (code + 1) and free < size:
            own.append(free)
            free += 1
        if len(own) > 1 and 0 < code < count - 1 and (count - 1 - code) % 2:
            free = own.pop()
        for symbol in own:
            lengths[code][symbol] = 0
        left -= sum(occurrences[s] for s in own)
    selectors: list[int] = []
    for _ in range(4):
        counts = [Counter[int]() for _ in range(count)]
        selectors = []
        for group in groups:
            costs = [sum(own[symbol] for symbol in group) for own in lengths]
            selectors.append(costs.index(min(costs)))
            counts[selectors[-1]].update(group)
        lengths = [huffman([max(1, own[s]) for s in range(size)]) for own in counts]
    return lengths, selectors


class Node(NamedTuple):
    weight: int
    depth: int
    symbols: list[int]

    def is_lighter(self, other: Node) -> bool:
        return (self.weight, self.depth) < (other.weight, other.depth)


def huffman(weights: list[int]) -> list[int]:
    """Lengths of codes."""
    heap: list[Node] = []

    def enter(node: Node) -> None:
        heap.append(node)
        at = len(heap) - 1
        while at > 0 and node.is_lighter(heap[(at - 1) // 2]):
            heap[at] = heap[(at - 1) // 2]
            at = (at - 1) // 2
        heap[at] = node

    def take() -> Node:
        top, node = heap[0], heap.pop()
        at = 0
        while 2 * at + 1 < len(heap):
            below = 2 * at + 1
            if below + 1 < len(heap) and heap[below + 1].is_lighter(heap[below]):
                below += 1
            if node.is_lighter(heap[below]):
                break
            heap[at] = heap[below]
            at = below
        if heap:
            heap[at] = node
        return top

    lengths = [0] * len(weights)
    for symbol, weight in enumerate(weights):
        enter(Node(weight, 0, [symbol]))
    while len(heap) > 1:
        one, other = take(), take()
        both = one.symbols + other.symbols
        for symbol in both:
            lengths[symbol] += 1
        enter(Node(one.weight + other.weight, 1 + max(one.depth, other.depth), both))
    return lengths if max(lengths) <= 17 else huffman([1 + weight // 2 for weight in weights])


def canonical(lengths: list[int]) -> list[str]:
    """The codes themselves."""
    codes = [""] * len(lengths)
    code = 0
    for length in range(1, 21):
        code <<= 1
        for symbol, own in enumerate(lengths):
            if own == length:
                codes[symbol] = f"{code:0{length}b}"
                code += 1
        require(code <= 1 << length)
    return codes


def written(lengths: list[list[int]], selectors: list[int]) -> str:
    """A header."""
    bits = f"{len(lengths):03b}{len(selectors):015b}"
    front = list(range(len(lengths)))
    for selector in selectors:
        place = front.index(selector)
        bits += "1" * place + "0"
        front.insert(0, front.pop(place))
    for own in lengths:
        bits += f"{own[0]:05b}"
        for before, length in zip([own[0], *own], own, strict=False):
            bits += ("10" if length > before else "11") * abs(length - before) + "0"
    return bits


def read(header: str, size: int) -> tuple[list[list[int]], list[int]]:
    """The codes and those of groups that a header tells."""
    at = 0

    def take(count: int) -> str:
        nonlocal at
        require(at + count <= len(header))
        at += count
        return header[at - count : at]

    codes, groups = int(take(3), 2), int(take(15), 2)
    require(2 <= codes <= 6)
    front = list(range(codes))
    selectors = []
    for _ in range(groups):
        place = 0
        while take(1) == "1":
            place += 1
        require(place < codes)
        front.insert(0, front.pop(place))
        selectors.append(front[0])
    lengths = []
    for _ in range(codes):
        length = int(take(5), 2)
        own = []
        for _ in range(size):
            require(1 <= length <= 20)
            while take(1) == "1":
                length += 1 if take(1) == "0" else -1
                require(1 <= length <= 20)
            own.append(length)
        lengths.append(own)
        canonical(own)
    require(at == len(header))
    return lengths, selectors
