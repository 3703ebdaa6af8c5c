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
_FIXED = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8, [5] * 30


class Block(NamedTuple):
    kind: int
    last: bool
    tokens: int | None
    """With the strategies 4 and 5, bytes; None for all that are left."""
    header: str
    """The bits of its own one, the first one first."""


class Correction(NamedTuple):
    right: int
    length: int
    rank: int
    distance: int


class Recipe:
    """A stream recipe."""

    def __init__(self, recipe: bytes) -> None:
        numbers = Numbers(recipe)
        first, second = numbers.below(512), numbers.below(256)
        self.level, self.strategy = first & 15, first >> 4 & 7
        self.forgets, self.sorts = first >> 7 & 1, first >> 8
        require(self.strategy <= 5)
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
        self.corrections: list[list[Correction]] = [[] for _ in range(5)]
        for kind in range(5 if numbers.below(2) else 0):
            many = range(numbers.below(LIMIT))
            rights = [numbers.below(LIMIT) for _ in many]
            for right, length in zip(rights, [numbers.below(516) for _ in many], strict=True):
                self.corrections[kind].append(Correction(right, length, 0, 0))
            for i, correction in enumerate(self.corrections[kind]):
                if kind < 2 or correction.length:
                    rank = numbers.below(4097)
                    distance = 0 if rank else numbers.below(32769)
                    require(bool(rank or distance))
                    self.corrections[kind][i] = correction._replace(rank=rank, distance=distance)
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


class Told(NamedTuple):
    """Data, and what of them blocks tell."""

    data: bytes
    begin: int
    end: int


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


class Chains:
    """The two chains of all places: each has the place before, if there is one."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.near: dict[int, int] = {}
        self.far: dict[int, int] = {}
        near_heads: dict[int, int] = {}
        far_heads: dict[int, int] = {}
        end = 0
        for place in range(len(data) - 2):
            b0, b1, b2 = data[place : place + 3]
            self._append(self.near, near_heads, (b0 << 12 ^ b1 << 6 ^ b2) % 65536, place)
            if end <= place:
                end = place + 1
            while end < len(data) and data[end] == b0:
                end += 1
            if end + 1 < len(data):
                c1, c2 = data[end : end + 2]
                run = (end - place - 1) * 40503
                self._append(self.far, far_heads, (b0 << 12 ^ c1 << 6 ^ c2 ^ run) % 65536, place)

    @staticmethod
    def _append(chain: dict[int, int], heads: dict[int, int], number: int, place: int) -> None:
        if number in heads:
            chain[place] = heads[number]
        heads[number] = place

    @staticmethod
    def along(chain: dict[int, int], place: int, most: int) -> Iterator[int]:
        """The places before one, the nearest first, that are not too far back."""
        before = chain.get(place)
        while before is not None and place - before <= 32768 and most > 0:
            yield before
            before = chain.get(before)
            most -= 1

    def same(self, one: int, other: int, most: int) -> int:
        """How many bytes at two places are the same."""
        length = 0
        while length < most and self.data[one + length] == self.data[other + length]:
            length += 1
        return length


class Path:
    """Section "The cheapest path"."""

    def __init__(self, told: Told, recipe: Recipe, chains: Chains) -> None:
        self.data = told.data
        self.recipe = recipe
        self.chains = chains
        self.left: dict[int, int] = {}
        self.tokens: dict[int, Token] = {}
        require(len(told.data) <= 2_097_152)
        begin = told.begin
        for block, end in zip(recipe.blocks, block_ends(recipe, told), strict=True):
            if block.kind != STORED:
                require(block.kind == FIXED or block.header != "")
                self._find(begin, end, _FIXED if block.kind == FIXED else _lengths_in(block.header))
            begin = end

    def _find(self, begin: int, end: int, lengths: tuple[list[int], list[int]]) -> None:
        self.left[end] = 0
        for place in reversed(range(begin, end)):
            best = _bits_of_code(lengths[0], (self.data[place], 0, 0)) + self.left[place + 1]
            token = LITERAL
            longest = 2
            room = min(258, end - place)
            for other, same in self._candidates(place, room):
                if same <= longest:
                    continue
                for length in range(longest + 1, same + 1):
                    match = Token(length, place - other)
                    code, distance = _codes_of(match)
                    whole = _bits_of_code(lengths[0], code) + _bits_of_code(lengths[1], distance)
                    whole += self.left[place + length]
                    if whole < best or (whole == best and self.recipe.strategy == 5):
                        best, token = whole, match
                longest = same
            self.left[place] = min(best, 1 << 29)
            self.tokens[place] = token

    def _candidates(self, place: int, room: int) -> Iterator[tuple[int, int]]:
        """Places that are looked at, and how many bytes are the same there."""
        longest = 2
        for chain, steps in ((self.chains.near, 32), (self.chains.far, 1024)):
            if room < 3 or (chain is self.chains.near and self.data[place] != self.data[place + 1]):
                continue
            for other in self.chains.along(chain, place, steps):
                if steps <= 0 or longest == room:
                    break
                steps -= 1
                if self.data[other + longest] == self.data[place + longest]:
                    same = self.chains.same(other, place, room)
                    steps -= same // 8
                    yield other, same
                    longest = max(longest, same)


def block_ends(recipe: Recipe, told: Told) -> list[int]:
    """Where blocks end in the data, if sizes are in bytes."""
    ends = []
    end = told.begin
    for block in recipe.blocks:
        end = told.end if block.tokens is None else end + block.tokens
        require(end <= told.end)
        ends.append(end)
    return ends


class Corrections:
    """Section "Corrections"."""

    def __init__(self, data: bytes, recipe: Recipe, chains: Chains) -> None:
        self.data = data
        self.left = [iter(own) for own in recipe.corrections]
        self.following = [next(own, None) for own in self.left]
        self.right = [0] * 5
        self.chains = chains

    def corrected(self, place: int, predicted: Token, kept: bool) -> Token:
        kind = int(kept)
        if predicted.distance:
            kind = 2 if predicted.length == 3 else 3 if predicted.length <= 5 else 4
        correction = self.following[kind]
        if correction is None or self.right[kind] < correction.right:
            self.right[kind] += 1
            return predicted
        self.right[kind] = 0
        self.following[kind] = next(self.left[kind], None)
        length = correction.length + 3
        if predicted.distance:
            if correction.length == 0:
                return LITERAL
            half, longer = divmod(correction.length, 2)
            length = predicted.length + (half if longer else -half)
        require(3 <= length <= min(258, len(self.data) - place))
        distance = correction.distance
        if correction.rank:
            near = self.chains.along(self.chains.near, place, 4096)
            same = [p for p in near if self.chains.same(p, place, length) == length]
            require(correction.rank <= len(same))
            distance = place - same[correction.rank - 1]
        return Token(length, distance)


def _tokens(told: Told, recipe: Recipe) -> tuple[list[tuple[int, Token]], list[tuple[int, int]]]:
    """The tokens with their places, and where the bytes of the stored blocks are."""
    data = told.data
    stored = []
    end = told.begin
    for gap, size in recipe.stored:
        stored.append((end + gap, end + gap + size))
        end += gap + size
    require(end <= told.end)
    path = recipe.strategy >= 4
    chains = Chains(data if path or any(recipe.corrections) else b"")
    along = Path(told, recipe, chains).tokens if path else {}
    stops = set(block_ends(recipe, told) if path else ())
    predictor = Predictor(data, recipe)
    for place in range(told.begin):
        predictor.enter(place)
    tokens: list[tuple[int, Token]] = []
    corrections = Corrections(data, recipe, chains)
    place = told.begin
    for start, end in [*stored, (told.end, told.end)]:
        while place < start:
            require(not path or place in along)
            token = along[place] if path else predictor.predict(place)
            kept = predictor.kept[0] == place + 1
            token = corrections.corrected(place, token, kept)
            require(place + token.length <= start and token.distance <= place)
            require(stops.isdisjoint(range(place + 1, place + token.length)))
            if not path:
                predictor.take(place, token)
            tokens.append((place, token))
            place += token.length
        if (start, end) in stored and not path:
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

    @classmethod
    def of(cls, bits: str) -> Bits:
        """These."""
        made = cls()
        made.put(bits)
        return made

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


def _sorted_alike(counts: list[int], lengths: list[int]) -> list[int]:
    """Of symbols that occur equally often, the first have the longest codes."""
    lengths = list(lengths)
    for count in set(counts) - {0}:
        symbols = [symbol for symbol, own in enumerate(counts) if own == count]
        longest = sorted((lengths[symbol] for symbol in symbols), reverse=True)
        for symbol, length in zip(symbols, longest, strict=True):
            lengths[symbol] = length
    return lengths


def own_header(literals: list[int], distances: list[int], sorts: int = 0) -> str:
    """The header that zlib writes for these lengths."""
    literals, distances = _upto_last(literals, 257), _upto_last(distances, 1)
    runs = [*_runs(literals), *_runs(distances)]
    counts = [0] * 19
    for symbol, _, _ in runs:
        counts[symbol] += 1
    of_lengths = huffman(counts, 7)
    if sorts:
        of_lengths = _sorted_alike(counts, of_lengths)
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


def _codes_of(match: Token) -> tuple[Code, Code]:
    length = _value_code(LENGTHS, match.length)
    return (length[0] + 257, *length[1:]), _value_code(DISTANCES, match.distance)


def _bits_of_code(lengths: list[int], code: Code) -> int:
    """What it costs: 2^20 where there is no code."""
    symbol, _, extra = code
    return lengths[symbol] + extra if symbol < len(lengths) and lengths[symbol] else 1 << 20


def _write_coded(
    bits: Bits, block: Block, sorts: int, data: bytes, tokens: list[tuple[int, Token]]
) -> None:
    coded: list[tuple[Code, Code | None]] = []
    counts, distance_counts = [0] * 286, [0] * 30
    counts[256] = 1
    for place, token in tokens:
        if token.distance:
            coded.append(_codes_of(token))
            distance_counts[_codes_of(token)[1][0]] += 1
        else:
            coded.append(((data[place], 0, 0), None))
        counts[coded[-1][0][0]] += 1
    if block.kind == FIXED:
        lengths = _FIXED
    elif block.header:
        bits.put(block.header)
        lengths = _lengths_in(block.header)
    else:
        lengths = huffman(counts, 15), huffman(distance_counts, 15)
        if sorts:
            lengths = _sorted_alike(counts, lengths[0]), _sorted_alike(distance_counts, lengths[1])
        bits.put(own_header(*lengths, sorts))
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
    bits, fill = blocks(Told(data, 0, len(data)), recipe_bytes, "")
    bits.fill(fill)
    return bits.bytes()


def blocks(told: Told, recipe_bytes: bytes, before: str) -> tuple[Bits, int]:
    """The blocks of a stream recipe behind some bits, and what fills up the last byte."""
    recipe, data = Recipe(recipe_bytes), told.data
    tokens, places = _tokens(told, recipe)
    stored = iter(places)
    fills = iter(recipe.fills or [0] * (len(places) + 1))
    bits = Bits()
    bits.put(before)
    at = 0
    begin = end = told.begin
    ends = iter(block_ends(recipe, told) if recipe.strategy >= 4 else ())
    for block in recipe.blocks:
        bits.number(block.last, 1)
        bits.number(block.kind, 2)
        count = len(tokens) - at if block.tokens is None else block.tokens
        if recipe.strategy >= 4:
            begin, end = end, next(ends)
            count = sum(begin <= place < end for place, _ in tokens) if block.kind else 0
        if block.kind == STORED:
            require(count == 0)
            bits.fill(next(fills))
            start, stop = next(stored)
            require(recipe.strategy < 4 or (start, stop) == (begin, end))
            bits.number(stop - start, 16)
            bits.number(stop - start ^ 0xFFFF, 16)
            for byte in data[start:stop]:
                bits.number(byte, 8)
            continue
        require(at + count <= len(tokens))
        _write_coded(bits, block, recipe.sorts, data, tokens[at : at + count])
        at += count
    require(at == len(tokens))
    return bits, next(fills)
