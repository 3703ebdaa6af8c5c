"""Section "Streams" of docs/UNPACKING.md: a stream of deflate made again from its data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from tests.oracles.document.numbers import Numbers, require

STORED, FIXED, DYNAMIC = range(3)
LIMIT = (1 << 30) + 1
LEVELS = {
    1: (4, 4, 8, 4),
    2: (4, 5, 16, 8),
    3: (4, 6, 32, 32),
    4: (4, 4, 16, 16),
    5: (8, 16, 32, 32),
    6: (8, 16, 128, 128),
    7: (8, 32, 128, 256),
    8: (32, 128, 258, 1024),
    9: (32, 258, 258, 4096),
}
"""Good, lazy, nice, chain."""
_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)


def _codes_of_values(first: int, group: int, codes: int) -> list[tuple[int, int]]:
    """The least value and the extra bits of each code (RFC 1951, 3.2.5)."""
    rows = []
    for code in range(codes):
        extra = max(code // group - 1, 0)
        rows.append((first, extra))
        first += 1 << extra
    return rows


LENGTHS = [*_codes_of_values(3, 4, 28), (258, 0)]
DISTANCES = _codes_of_values(1, 2, 30)


Code = tuple[int, int, int]
"""A symbol, and the value and the number of extra bits."""


class Token(NamedTuple):
    """A literal, whose length is 1 and distance 0, or a match."""

    length: int
    distance: int = 0


LITERAL = Token(1)


class Block(NamedTuple):
    kind: int
    last: bool
    tokens: int | None
    """None for all that are left."""
    header: str
    """The bits of its own one, the first one first."""


class Recipe:
    """A stream recipe."""

    def __init__(self, recipe: bytes) -> None:
        numbers = Numbers(recipe)
        first, second = numbers.below(128), numbers.below(256)
        self.level, self.strategy, self.forgets = first & 15, first >> 4 & 3, first >> 6
        self.memory, self.window = second & 15, second >> 4
        require(self.level in LEVELS and 1 <= self.memory <= 9 and 9 <= self.window <= 15)
        count = numbers.below(LIMIT)
        shapes: list[tuple[int, int | None, int]] = []
        for i in range(count):
            flags = numbers.below(32)
            require(flags & 3 != 3)
            tokens: int | None = (1 << self.memory + 6) - 1
            if i == count - 1:
                tokens = None
            elif not flags & 16:
                tokens = numbers.below(LIMIT)
            header = numbers.below(LIMIT) if flags & 8 else 0
            shapes.append((flags, tokens, header))
        stored = [flags & 3 == STORED for flags, _, _ in shapes].count(True)
        self.stored = [(numbers.below(LIMIT), numbers.below(65536)) for _ in range(stored)]
        self.corrections: list[tuple[int, Token]] = []
        for _ in range(numbers.below(LIMIT)):
            gap, length = numbers.below(LIMIT), numbers.below(LIMIT)
            token = Token(length, numbers.below(LIMIT)) if length else LITERAL
            require(token == LITERAL or (3 <= length <= 258 and 1 <= token.distance <= 32768))
            self.corrections.append((gap, token))
        fills = numbers.below(2)
        self.fills = [numbers.below(128) for _ in range(stored + 1)] if fills else None
        bits = "".join(f"{byte:08b}"[::-1] for byte in numbers.rest())
        self.blocks = []
        at = 0
        for i, (flags, tokens, header) in enumerate(shapes):
            own = bits[at : at + header]
            require(len(own) == header)
            at += header
            last = (i == count - 1) != (flags >> 2 & 1)
            self.blocks.append(Block(flags & 3, last, tokens, own))
        require(len(bits) - at < 8)


class Predictor:
    """Paragraph "Prediction"."""

    def __init__(self, data: bytes, recipe: Recipe) -> None:
        self.data = data
        self.recipe = recipe
        self.good, self.lazy, self.nice, self.chain = LEVELS[recipe.level]
        self.bits = recipe.memory + 7
        self.shift = (self.bits + 2) // 3
        self.size = 1 << recipe.window
        self.last: dict[int, int] = {}
        self.before: dict[int, int] = {}
        self.entered = -1  # the last place that was
        self.kept: tuple[int, Token | None] = (-1, None)

    def enter(self, place: int) -> None:
        """Enter a place, if two more bytes follow it and it was not entered before."""
        if place + 2 >= len(self.data) or place <= self.entered:
            return
        b0, b1, b2 = self.data[place : place + 3]
        h = (b0 << 2 * self.shift ^ b1 << self.shift ^ b2) % (1 << self.bits)
        self.before[place % self.size] = self.last.get(h, 0)
        self.last[h] = place
        self.entered = place

    def skip(self, start: int, end: int) -> None:
        """A stored block."""
        for place in range(start, end):
            self.enter(place)
        if start == end and self.recipe.forgets:
            self.last.clear()

    def search(self, place: int, n: int) -> Token | None:
        room = min(len(self.data) - place, 258)
        if room < 3 or room <= n:
            return None
        most = self.size - 262
        found = None
        other = self.before.get(place % self.size, 0)
        if other == 0 or place - other > most:
            return None
        chain = self.chain // 4 if n >= self.good else self.chain
        longest = n
        for _ in range(chain):
            length = 0
            while length < room and self.data[other + length] == self.data[place + length]:
                length += 1
            if length > longest:
                longest, found = length, Token(length, place - other)
                if length >= min(self.nice, room):
                    break
            other = self.before.get(other % self.size, 0)
            if other == 0 or other <= place - most:
                break
        return found

    def _worth_it(self, found: Token | None) -> Token | None:
        if found is None or (found.length == 3 and found.distance > 4096):
            return None
        return None if self.recipe.strategy == 1 and found.length <= 5 else found

    def predict(self, place: int) -> Token:
        if self.recipe.strategy == 2:
            return LITERAL
        if self.recipe.strategy == 3:
            length = 0
            while (
                place > 0
                and length < min(258, len(self.data) - place)
                and self.data[place + length] == self.data[place - 1]
            ):
                length += 1
            return Token(length, 1) if length >= 3 else LITERAL
        if self.recipe.level <= 3:
            self.enter(place)
            return self.search(place, 2) or LITERAL
        match = self.kept[1] if self.kept[0] == place else None
        if match is None:
            self.enter(place)
            match = self._worth_it(self.search(place, 2))
        if match is None:
            return LITERAL
        if match.length < self.lazy and place + 1 < len(self.data):
            self.enter(place + 1)
            later = self._worth_it(self.search(place + 1, match.length))
            if later is not None:
                self.kept = place + 1, later
                return LITERAL
        return match

    def take(self, place: int, token: Token) -> None:
        """Enter the places of a token."""
        end = place + token.length
        if (
            self.recipe.level <= 3
            and token.distance
            and (token.length > self.lazy or end + 3 > len(self.data))
        ):
            return
        for inside in range(place, end):
            self.enter(inside)


def _tokens(data: bytes, recipe: Recipe) -> tuple[list[tuple[int, Token]], list[tuple[int, int]]]:
    """The tokens with their places, and where the bytes of the stored blocks are."""
    stored = []
    end = 0
    for gap, size in recipe.stored:
        stored.append((end + gap, end + gap + size))
        end += gap + size
    require(end <= len(data))
    predictor = Predictor(data, recipe)
    tokens: list[tuple[int, Token]] = []
    corrections = iter(recipe.corrections)
    correction = next(corrections, None)
    since = 0
    place = 0
    for start, end in [*stored, (len(data), len(data))]:
        while place < start:
            token = predictor.predict(place)
            if correction is not None and correction[0] == since:
                token, correction, since = correction[1], next(corrections, None), 0
            else:
                since += 1
            require(place + token.length <= start and token.distance <= place)
            predictor.take(place, token)
            tokens.append((place, token))
            place += token.length
        if (start, end) in stored:
            predictor.skip(start, end)
        place = end
    return tokens, stored


class Bits:
    def __init__(self) -> None:
        self.bits: list[str] = []
        self.count = 0

    def put(self, bits: str) -> None:
        """The first one first."""
        self.bits.append(bits)
        self.count += len(bits)

    def number(self, value: int, count: int) -> None:
        """The lowest bit first."""
        self.put(f"{value:0{count}b}"[::-1] if count else "")

    def fill(self, value: int) -> None:
        count = -self.count % 8
        self.number(value % (1 << count), count)

    def bytes(self) -> bytes:
        bits = "".join(self.bits)
        return bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, len(bits), 8))


def canonical(lengths: list[int]) -> list[str]:
    """RFC 1951, 3.2.2."""
    codes = [""] * len(lengths)
    require(sum(Fraction(1, 1 << length) for length in lengths if length) <= 1)
    code = 0
    for length in range(1, 16):
        for symbol, own in enumerate(lengths):
            if own == length:
                codes[symbol] = f"{code:0{length}b}"
                code += 1
        code <<= 1
    return codes


def huffman(counts: list[int], longest: int) -> list[int]:
    """The lengths of the codes, by a tree like zlib's."""
    counts = list(counts)
    symbols = [symbol for symbol, count in enumerate(counts) if count]
    while len(symbols) < 2:
        above = max(symbols, default=-1) + 1
        added = above if above <= 2 else 0
        symbols.append(added)
        counts[added] = 1
    weights = dict(enumerate(counts))
    depths = dict.fromkeys(symbols, 0)
    parents: dict[int, int] = {}
    heap = list(symbols)

    def smaller(a: int, b: int) -> bool:
        return (weights[a], depths[a]) <= (weights[b], depths[b])

    def sink(k: int) -> None:
        node = heap[k]
        while (below := 2 * k + 1) < len(heap):
            if below + 1 < len(heap) and smaller(heap[below + 1], heap[below]):
                below += 1
            if smaller(node, heap[below]):
                break
            heap[k] = heap[below]
            k = below
        heap[k] = node

    for k in range(len(heap) // 2 - 1, -1, -1):
        sink(k)
    taken = []
    new = len(counts)
    while len(heap) > 1:
        first, heap[0] = heap[0], heap[-1]
        heap.pop()
        sink(0)
        second = heap[0]
        taken += [first, second]
        parents[first] = parents[second] = new
        weights[new] = weights[first] + weights[second]
        depths[new] = max(depths[first], depths[second]) + 1
        heap[0] = new
        new += 1
        sink(0)
    return _bounded(len(counts), taken, parents, heap[0], longest)


def _bounded(
    count: int, taken: list[int], parents: dict[int, int], root: int, longest: int
) -> list[int]:
    lengths = {root: 0}
    cut = 0
    for node in reversed(taken):
        length = lengths[parents[node]] + 1
        cut += length > longest
        lengths[node] = min(length, longest)
    leaves = [node for node in taken if node < count]
    of_length = [0] * (longest + 1)
    for leaf in leaves:
        of_length[lengths[leaf]] += 1
    if cut:
        for _ in range((cut + 1) // 2):
            less = max(n for n in range(1, longest) if of_length[n])
            of_length[less] -= 1
            of_length[less + 1] += 2
            of_length[longest] -= 1
        of_leaves = iter(leaves)
        for length in range(longest, 0, -1):
            for _ in range(of_length[length]):
                lengths[next(of_leaves)] = length
    return [lengths[symbol] if symbol in leaves else 0 for symbol in range(count)]


def _runs(lengths: list[int]) -> Iterator[tuple[int, int, int]]:
    """Symbols of the code of lengths, with the value of extra bits and how many they are."""
    before = -1
    at = 0
    while at < len(lengths):
        length = lengths[at]
        again = length == before
        most = 138 if length == 0 else 6 if again else 7
        run = 1
        while run < most and at + run < len(lengths) and lengths[at + run] == length:
            run += 1
        at += run
        if run < (3 if length == 0 or again else 4):
            yield from [(length, 0, 0)] * run
        elif length == 0:
            yield (18, run - 11, 7) if run >= 11 else (17, run - 3, 3)
        else:
            if not again:
                yield length, 0, 0
                run -= 1
            yield 16, run - 3, 2
        before = length


def _upto_last(lengths: list[int], least: int) -> list[int]:
    return lengths[: max([least, *(n + 1 for n, length in enumerate(lengths) if length)])]


def own_header(literals: list[int], distances: list[int]) -> str:
    """The header that zlib writes for these lengths."""
    literals, distances = _upto_last(literals, 257), _upto_last(distances, 1)
    runs = [*_runs(literals), *_runs(distances)]
    counts = [0] * 19
    for symbol, _, _ in runs:
        counts[symbol] += 1
    of_lengths = huffman(counts, 7)
    shown = _upto_last([of_lengths[symbol] for symbol in _ORDER], 4)
    bits = Bits()
    for value, count in ((len(literals) - 257, 5), (len(distances) - 1, 5), (len(shown) - 4, 4)):
        bits.number(value, count)
    for length in shown:
        bits.number(length, 3)
    codes = canonical(of_lengths)
    for symbol, value, count in runs:
        bits.put(codes[symbol])
        bits.number(value, count)
    return "".join(bits.bits)


def _lengths_in(header: str) -> tuple[list[int], list[int]]:
    """RFC 1951, 3.2.7."""
    at = 0

    def number(count: int) -> int:
        nonlocal at
        require(at + count <= len(header))
        at += count
        return int(header[at - count : at][::-1], 2) if count else 0

    literals, distances, shown = number(5) + 257, number(5) + 1, number(4) + 4
    of_lengths = [0] * 19
    for symbol in _ORDER[:shown]:
        of_lengths[symbol] = number(3)
    codes = {code: symbol for symbol, code in enumerate(canonical(of_lengths)) if code}
    lengths: list[int] = []
    while len(lengths) < literals + distances:
        code = ""
        while code not in codes:
            code += str(number(1))
            require(len(code) <= 7)
        symbol = codes[code]
        if symbol < 16:
            lengths.append(symbol)
        elif symbol == 16:
            require(bool(lengths))
            lengths += [lengths[-1]] * (3 + number(2))
        else:
            lengths += [0] * (3 + number(3) if symbol == 17 else 11 + number(7))
    require(len(lengths) == literals + distances and at == len(header))
    return lengths[:literals], lengths[literals:]


def _value_code(rows: list[tuple[int, int]], value: int) -> Code:
    """That of a length or a distance; the length 258 has one of its own."""
    code = max(n for n, (least, _) in enumerate(rows) if least <= value)
    return code, value - rows[code][0], rows[code][1]


def _write_coded(bits: Bits, block: Block, data: bytes, tokens: list[tuple[int, Token]]) -> None:
    coded: list[tuple[Code, Code | None]] = []
    counts, distance_counts = [0] * 286, [0] * 30
    counts[256] = 1
    for place, token in tokens:
        if token.distance:
            length = _value_code(LENGTHS, token.length)
            distance = _value_code(DISTANCES, token.distance)
            coded.append(((length[0] + 257, *length[1:]), distance))
            distance_counts[distance[0]] += 1
        else:
            coded.append(((data[place], 0, 0), None))
        counts[coded[-1][0][0]] += 1
    if block.kind == FIXED:
        lengths = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8, [5] * 30
    elif block.header:
        bits.put(block.header)
        lengths = _lengths_in(block.header)
    else:
        lengths = huffman(counts, 15), huffman(distance_counts, 15)
        bits.put(own_header(*lengths))
    codes, distance_codes = map(canonical, lengths)
    for literal_or_length, and_distance in [*coded, ((256, 0, 0), None)]:
        _put_code(bits, codes, literal_or_length)
        if and_distance is not None:
            _put_code(bits, distance_codes, and_distance)


def _put_code(bits: Bits, codes: list[str], code: Code) -> None:
    symbol, value, count = code
    require(symbol < len(codes) and codes[symbol] != "")
    bits.put(codes[symbol])
    bits.number(value, count)


def stream(data: bytes, recipe_bytes: bytes) -> bytes:
    """What the stream recipe makes of the data."""
    recipe = Recipe(recipe_bytes)
    tokens, places = _tokens(data, recipe)
    stored = iter(places)
    fills = iter(recipe.fills or [0] * (len(places) + 1))
    bits = Bits()
    at = 0
    for block in recipe.blocks:
        bits.number(block.last, 1)
        bits.number(block.kind, 2)
        count = len(tokens) - at if block.tokens is None else block.tokens
        if block.kind == STORED:
            require(count == 0)
            bits.fill(next(fills))
            start, end = next(stored)
            bits.number(end - start, 16)
            bits.number(end - start ^ 0xFFFF, 16)
            for byte in data[start:end]:
                bits.number(byte, 8)
            continue
        require(at + count <= len(tokens))
        _write_coded(bits, block, data, tokens[at : at + count])
        at += count
    require(at == len(tokens))
    bits.fill(next(fills))
    return bits.bytes()
