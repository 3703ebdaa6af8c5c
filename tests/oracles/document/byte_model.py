"""Section "Blocks of bytes" of the document, but for the features."""

from __future__ import annotations

from typing import Any

from tests.oracles.document import features
from tests.oracles.document.class_files import ClassFiles
from tests.oracles.document.fonts import Font
from tests.oracles.document.history import SIZES, History, gate_context
from tests.oracles.document.network import Network
from tests.oracles.document.number_arrays import Numbers
from tests.oracles.document.python_modules import PythonModules
from tests.oracles.document.relocations import Relocations
from tests.oracles.document.tables import (
    BLANK,
    FIRST_APM,
    FIRST_GUESS,
    HASH,
    HASH_2,
    NEXT,
    STRETCH,
    YOUNGER,
    ZERO_REDUNDANCY,
    adapt,
    bound,
    clip,
    entry,
    f32,
    layers_of,
    levels_of,
    logit,
    names_of,
    opinion,
    rates_of,
    rows_after,
    squash,
    u32,
)

ZERO = f32(0)
BRANCHED = 1 << 19


class Row:
    """A context or a direct counter."""

    def __init__(self, i: int, cells: list[str]) -> None:
        _, mask_cell, names, local, first_stage, *memorised, _ = cells
        mask = bytes.fromhex(mask_cell)
        self.i = i
        self.low = int.from_bytes(mask[:4], "little")
        self.high = int.from_bytes(mask[4:], "little")
        self.features = names_of(names)
        self.local = local == "yes"
        self.first_stage = first_stage == "yes"
        self.memorised = memorised == ["yes"]
        self.plain = not self.features and set(mask) <= {255}
        self.hash = self.place = self.state = 0
        self.line: int | None = None
        self.bucket = -1
        self.high_nibble, self.low_nibble = bytearray(16), bytearray(16)
        self.run = self.run_entry = 0
        self.run_used = -1

    def histories(self, history: History) -> bytearray:
        return self.high_nibble if history.bits_known < 4 else self.low_nibble

    def hash_now(self, shared: Shared) -> int:
        history = shared.history
        own = self.local and history.block_type.kind in (4, 24)
        n = self.i + 1 + 256 * history.document * own
        h = (history.last4 & self.low) * HASH + n * HASH_2
        h = u32(h ^ h >> 29) * HASH_2 + (history.last8 & self.high) * HASH
        values = [shared.features[name] for name in self.features]
        for f in [*values, 0, 0, 0][:3]:
            h = u32(h ^ h >> 27) * HASH + f * HASH_2
        return u32(h ^ h >> 31)


class Match:
    def __init__(self, low: int, power: int) -> None:
        self.low = low
        self.power = power
        self.table: dict[int, int] = {}
        self.pointer = self.length = self.misses = self.hash = self.expected = 0
        self.expects = False

    def go_on(self, b: int, history: History) -> None:
        if self.pointer > 0:
            if history.byte(self.pointer) == b:
                self.length = min(self.length + 1, 400)
                self.misses = self.misses << 1 & 255
            else:
                self.length = 0
                self.misses = (self.misses << 1 | 1) & 255
            self.pointer += 1
            if self.misses & 15 == 15:
                self.pointer = 0
        else:
            self.length = 0

    def see(self, b: int, history: History) -> None:
        self.go_on(b, history)
        q = -(-self.power // self.low)
        self.hash = (self.hash * (0x2F7 << q) + b + 1) & ((1 << self.power) - 1)
        at = history.position
        if self.length < self.low:
            c = at - ((at - self.table.get(self.hash, 0)) & 0x7FFFFFFF)
            if c > 0 and at - c < history.size - 1:
                n = 0
                while n < min(48, c) and history.byte(c - 1 - n) == history.byte(at - 1 - n):
                    n += 1
                if n >= self.low:
                    self.pointer, self.length, self.misses = c, n, 0
        self.table[self.hash] = at & 0x7FFFFFFF
        self.expects = self.pointer > 0
        self.expected = history.byte(self.pointer)

    def follow(self, relocations: Relocations) -> None:
        self.pointer, self.expects = 0, True
        self.length, self.misses = relocations.length, relocations.misses
        self.expected = relocations.expected

    def map_number(self, bit: int) -> int:
        n, length = self.misses, self.length
        m = 0 if n == 0 else 1 if n & 3 == 0 else 2 if n.bit_count() == 1 else 3
        if length < 16:
            c = length
        elif length < 32:
            c = 16 + (length - 16 >> 2)
        elif length < 96:
            c = 20 + (length - 32 >> 4)
        else:
            c = min(24 + (length - 96 >> 6), 31)
        return c << 3 | m << 1 | bit


class Dmc:
    NODES = 1 << 21

    def __init__(self, threshold: int, lasting: bool) -> None:
        self.threshold = threshold
        self.lasting = lasting
        self.node = self.used = 0
        self.nodes: dict[int, list[int]] = {}

    def begin(self) -> None:
        if self.used == 0 or (self.used == self.NODES and not self.lasting):
            self.nodes = {}
            self.used = 65536
            self.node = 1

    def at(self, k: int) -> list[int]:
        """Successors, counts and history of a node; the first ones are made when needed."""
        if k not in self.nodes:
            following = []
            for y in (0, 1):
                t = (k & 255) << 1 | y
                following.append((k - (k & 255)) | t if t < 256 else (t & 255) << 8 | 1)
            self.nodes[k] = [*following, 0, 0, 0]
        return self.nodes[k]

    def inputs(self, maps: list[int]) -> list[Any]:
        _, _, n0, n1, s = self.at(self.node)
        return [STRETCH[(n1 + 32 << 12) // (n0 + n1 + 64)], logit(maps[s])]

    def learn(self, maps: list[int], y: int) -> None:
        s = self.at(self.node)[4]
        maps[s] = adapt(maps[s], y, 255)
        self.move(y)

    def move(self, y: int) -> None:
        node = self.at(self.node)
        node[4] = NEXT[2 * node[4] + y]
        counts = node[2:4]
        steps = counts[y]
        f = self.at(node[y])
        arrivals = f[2] + f[3]
        due = steps >= self.threshold and arrivals - steps >= self.threshold
        if due and self.used < self.NODES:
            s0, s1 = f[2] * steps // arrivals, f[3] * steps // arrivals
            self.nodes[self.used] = [f[0], f[1], s0, s1, f[4]]
            f[2] -= s0
            f[3] -= s1
            node[y] = self.used
            self.used += 1
        counts = [n - (n >> 6) for n in counts]
        counts[y] += 256
        node[2:4] = counts
        self.node = node[y]


class Shared:
    """What text, binary, code and numbers share."""

    def __init__(self, level: int, history: History) -> None:
        _, self.slot_bits, self.run_bits, self.direct_bits, match_bits, _ = SIZES[level]
        self.history = history
        self.error = 1 << 28
        self.features = features.Features()
        self.texts = features.Text()
        self.binary = features.Binary()
        self.code = features.Code()
        self.a64 = features.A64()
        self.font = Font()
        self.class_files = ClassFiles()
        self.python_modules = PythonModules()
        self.relocations = Relocations()
        self.numbers = Numbers()
        self.slots: dict[int, bytearray] = {}
        self.runs: dict[int, int] = {}
        self.directs: dict[int, int] = {}
        shortest = _of_level("Match models:", level)
        self.matches = [Match(int(low), match_bits) for low, _ in shortest]
        dmcs = _of_level("DMC models:", level)
        self.dmcs = [Dmc(256 * int(n), lasting == "yes") for n, lasting, _ in dmcs]

    def leave_mix(self) -> None:
        """Section "Priors", of a frame with a lexicon."""
        self.history.mixed = 0
        self.history.document = (self.history.document + 1) % 65536
        self.features["SEGMENT"] += 1
        for bucket in self.slots.values():
            bucket[1:] = bytes(YOUNGER[state] for state in bucket[1:])
        self.directs.clear()

    def bucket(self, place: int) -> bytearray:
        return self.slots.setdefault(place, bytearray(16))


class Apm:
    def __init__(self, cells: list[str]) -> None:
        _, names, bits, _ = cells
        self.features = names_of(names)
        self.mask = (1 << int(bits)) - 1
        self.contexts: dict[int, list[int]] = {}
        self.buckets: list[int] = []
        self.used = 0

    def answer(self, values: dict[str, int], partial: int, k: int, u: Any) -> Any:
        a, *b = [values[name] for name in self.features]
        c = features.hashed(features.hashed(a, *b), partial) if b else partial | a << 8
        self.buckets = self.contexts.setdefault(c & self.mask, list(FIRST_APM))
        self.used = k if u < f32(0.5) else k + 1
        low, high = (f32(self.buckets[n] >> 10) * f32(2**-22) for n in (k, k + 1))
        return low + (high - low) * u

    def learn(self, y: int) -> None:
        self.buckets[self.used] = adapt(self.buckets[self.used], y, 255)


def _of_level(words: str, level: int) -> list[list[str]]:
    rows = ((cells, levels_of(cells[-1])) for cells in rows_after(words))
    return [cells for cells, (first, last) in rows if first <= level <= last]


class ByteModel:
    def __init__(self, level: int, shared: Shared, kind: str) -> None:
        self.kind = kind
        self.shared = shared
        self.rows = [Row(*row) for row in enumerate(_of_level(f"Contexts of {kind}:", level))]
        directs = _of_level(f"Direct counters of {kind}:", level)
        self.directs = [Row(*row) for row in enumerate(directs)]
        self.gates = _of_level(f"Gates of {kind}:", level)
        runs = len(self.rows) if level >= 6 else 0
        apms = _of_level(f"APMs of {kind}:", level)
        self.apms = [Apm(cells) for cells in apms]
        self.runs = self.rows[:runs]
        self.state_maps = [list(FIRST_GUESS) for _ in self.rows]
        self.run_maps = [[entry((0.2, 0.8)[n & 1], 0) for n in range(256)] for _ in self.runs]
        matches = shared.matches
        self.match_maps = [[entry((0.1, 0.9)[n & 1], 0) for n in range(256)] for _ in matches]
        self.match_used = [-1] * len(matches)
        self.dmc_maps = [list(FIRST_GUESS) for _ in shared.dmcs]
        layers = [int(cells[1]) for cells in self.gates]
        self.network = Network(
            2 * len(self.rows)
            + runs
            + 2 * len(matches)
            + 2 * len(shared.dmcs)
            + len(self.directs)
            + (level >= 5),
            [layers.count(0), layers.count(1)] + [1] * (layers.count(1) > 1),
            *layers_of(f"Layers of {kind}:"),
        )
        self.first_stage_gates = _of_level("Gates of the first stage:", level)
        thresholds = {cells[0]: cells[1] for cells in rows_after("Thresholds of the early exit:")}
        self.threshold = f32(thresholds.get(str(level), 0)) * f32(2**-32)
        self.early_exit = False
        self.first_stage = Network(
            2 * sum(row.first_stage for row in self.rows)
            + 2 * len(matches)
            + 2 * len(shared.dmcs)
            + sum(row.first_stage for row in self.directs),
            [4, 1],
            *layers_of("Layers of the first stage:"),
        )

    def begin_block(self) -> None:
        self._begin_features()
        self._begin_byte()

    def _begin_features(self) -> None:
        history = self.shared.history
        if history.block_type.kind == 16:
            history.mixed = 1
        self.shared.features["SEGMENT"] += history.mixed
        if self.kind == "numbers":
            self.shared.numbers.begin(history, self.shared.features)
        if history.block_type.kind == 24:
            self.shared.binary.begin(history, self.shared.features)
        if history.block_type.kind == 28:
            self.shared.a64.begin(history.block_type.address, self.shared.features)
        if history.block_type.kind == 9:
            self.shared.font.begin(history, self.shared.features)
        if history.block_type.kind == 13:
            self.shared.class_files.begin(history, self.shared.features)
        if history.block_type.kind == 17:
            self.shared.python_modules.begin(history, self.shared.features)

    def _begin_byte(self) -> None:
        for dmc in self.shared.dmcs:
            dmc.begin()
        for row in self.rows:
            row.hash = row.hash_now(self.shared)
            row.place = self._high_place(row)
        for row in self.directs:
            row.hash = row.hash_now(self.shared)
        self._enter_lines(0)
        for row in self.runs:
            self._look_for_run(row)
        for row in self.rows:
            if not self._has_buckets(row):
                row.bucket = -1
                row.high_nibble = _what_the_run_says(row.run, row.run >> 4 & 15)
            else:
                row.bucket = self._find(row, row.place, 0)
                row.high_nibble = bytearray(self.shared.bucket(row.bucket))
        self.shared.history.node = 1

    def _look_for_run(self, row: Row) -> None:
        row.run_entry = self._run_entry(row.hash)
        found = self.shared.runs.get(row.run_entry, 0)
        row.run = found & 0xFFFFF if found >> 20 == row.hash >> 20 else 0

    def _has_buckets(self, row: Row) -> bool:
        return not self.runs or bool(row.run & BRANCHED)

    def _high_place(self, row: Row) -> int:
        bits = self.shared.slot_bits - 8
        return (row.hash >> 15 & 255) << bits | (row.hash * 0x2F0B4C47 >> 17) % (1 << bits) & ~15

    def _run_entry(self, of: int) -> int:
        runs = self.shared.runs
        first = (4 * of + (of >> 20) % 4) % (1 << self.shared.run_bits)
        group = [first ^ way for way in range(4)]
        for place in group:
            if runs.get(place, 0) >> 20 == of >> 20:
                return place
        return min(group, key=lambda place: runs.get(place, 0) >> 8 & 0xFFF)

    def _enter_lines(self, k: int) -> None:
        for row in self.directs:
            h = row.hash * HASH + k * HASH_2
            place = (h ^ h >> 25) & ((1 << self.shared.direct_bits) - 1) & ~15
            row.line = self._find_line(place, (row.hash >> 8) + k * 0x3D5B & 0xFFFFFF)

    def _find_line(self, place: int, check: int) -> int | None:
        directs = self.shared.directs
        lines = [place, place ^ 16]
        visits = {}
        for line in lines:
            owner = directs.get(line, 0)
            visits[line] = owner % 256
            if owner // 256 == check:
                directs[line] = 256 * check + min(visits[line] + 1, 255)
                return line
        line = min(lines, key=visits.__getitem__)
        if visits[line] > 3:
            directs[line] -= 1
            return None
        directs.update(dict.fromkeys(range(line + 1, line + 16), BLANK))
        directs[line] = 256 * check + 1
        return line

    def _find(self, row: Row, place: int, k: int) -> int:
        check = (row.hash >> 24) + k * 0x3D & 255
        places = [place, place ^ 16, place ^ 32]
        buckets = [self.shared.bucket(place) for place in places]
        for place, bucket in zip(places, buckets, strict=True):
            if bucket[0] == check:
                return place
        n = min(range(3), key=lambda n: buckets[n][1])
        buckets[n][:] = bytes([check]) + bytes(15)
        return places[n]

    def _next_nibble(self, v: int) -> None:
        for row in self.rows:
            if row.bucket >= 0:
                self.shared.bucket(row.bucket)[:] = row.high_nibble
            row.place ^= v + 1 << 6
        self._enter_lines(16 + v)
        for row in self.rows:
            if row.bucket >= 0:
                row.bucket = self._find(row, row.place, 16 + v)
                row.low_nibble = bytearray(self.shared.bucket(row.bucket))
            else:
                agrees = row.run >> 4 & 15 == v
                row.low_nibble = _what_the_run_says(row.run if agrees else 0, row.run & 15)
        self.shared.history.node = 1

    def _branch(self, row: Row, b: int) -> None:
        high, u, v = self._high_place(row), row.run >> 4 & 15, b >> 4
        parts = [(high, 0, row.high_nibble), (high ^ v + 1 << 6, 16 + v, row.low_nibble)]
        if u != v:
            alone = _what_the_run_says(row.run, row.run & 15)
            parts.append((high ^ u + 1 << 6, 16 + u, alone))
        for place, k, histories in parts:
            self.shared.bucket(self._find(row, place, k))[1:] = histories[1:]

    def _expected(self, byte: int) -> int:
        """The next bit of a byte whose first bits are the known ones, else -1."""
        history = self.shared.history
        if byte | 256 != 0 and (byte | 256) >> 8 - history.bits_known != history.partial:
            return -1
        return byte >> 7 - history.bits_known & 1

    def predict(self) -> Any:
        shared, history, values = self.shared, self.shared.history, self.shared.features
        first, second = [], []
        values["ORDER_HITS"] = 0
        for row, maps in zip(self.rows, self.state_maps, strict=True):
            row.state = row.histories(history)[history.node]
            x = logit(maps[row.state]) if row.state else ZERO
            first.append(x)
            second.append(ZERO_REDUNDANCY[row.state])
            values["ORDER_HITS"] += row.plain and row.state > 0
        inputs = first + second
        for row, maps in zip(self.runs, self.run_maps, strict=True):
            bit = self._expected(row.run & 255) if row.run else -1
            row.run_used = -1
            if bit >= 0:
                count = row.run >> 8 & 255
                c = count - 1 if count < 9 else min(7 + (count >> 3), 15)
                row.run_used = c << 4 | history.bits_known << 1 | bit
            inputs.append(logit(maps[row.run_used]) if bit >= 0 else ZERO)
        values["MATCH_STRENGTH"] = values["EXPECTED"] = 0
        for m, match in enumerate(shared.matches):
            bit = self._expected(match.expected) if match.expects else -1
            self.match_used[m] = -1
            if bit >= 0:
                number = self.match_used[m] = match.map_number(bit)
                inputs += opinion(self.match_maps[m][number])
                values["MATCH_STRENGTH"] = min(1 + (number >> 3 >> 1), 15)
                values["EXPECTED"] = match.expected + 1
            else:
                inputs += [ZERO, ZERO]
        values["MATCH_AND_LETTERS"] = values["MATCH_STRENGTH"] << 4 | values["LETTERS"]
        for dmc, maps in zip(shared.dmcs, self.dmc_maps, strict=True):
            inputs += dmc.inputs(maps)
        inputs += [
            ZERO if d.line is None else logit(shared.directs[d.line + history.node])
            for d in self.directs
        ]
        self.early_exit = False
        if self.first_stage_gates:
            others = inputs[2 * len(self.rows) + len(self.runs) :]
            of_counters = len(others) - len(self.directs)
            asked = [
                *(x for x, row in zip(first, self.rows, strict=True) if row.first_stage),
                *(x for x, row in zip(second, self.rows, strict=True) if row.first_stage),
                *others[:of_counters],
                *(
                    x
                    for x, row in zip(others[of_counters:], self.directs, strict=True)
                    if row.first_stage
                ),
            ]
            z = self.first_stage.predict(asked, [*map(self._context, self.first_stage_gates), 0])
            self.early_exit = squash(-abs(z)) < f32(shared.error) * self.threshold
            if self.early_exit:
                return squash(z)
            inputs.append(z)
        last = [0] * (len(self.network.neurons) - 2)
        z = self.network.predict(inputs, [*map(self._context, self.gates), *last])
        s = (clip(z, f32(11.99)) + f32(12)) * f32(23 / 24)
        k = int(s)
        u = s - f32(k)
        total = squash(z)
        for apm in self.apms:
            total = total + apm.answer(values, history.partial, k, u)
        return total * f32(1 / (len(self.apms) + 1))

    def _context(self, gate: list[str]) -> int:
        _, _, name, count, bits, _ = gate
        return gate_context(self.shared.features[name] & int(count) - 1, bits, self.shared.history)

    def learn(self, y: int) -> None:
        shared, history = self.shared, self.shared.history
        for row, maps in zip(self.rows, self.state_maps, strict=True):
            if not self.early_exit or row.first_stage:
                maps[row.state] = adapt(maps[row.state], y, 255)
            row.histories(history)[history.node] = NEXT[2 * row.state + y]
        for row, maps in zip(self.runs, self.run_maps, strict=True):
            if row.run_used >= 0 and not self.early_exit:
                maps[row.run_used] = adapt(maps[row.run_used], y, 1023)
        for number, maps in zip(self.match_used, self.match_maps, strict=True):
            if number >= 0:
                maps[number] = adapt(maps[number], y, 1023)
        for direct in self.directs:
            if direct.line is not None:
                at = direct.line + history.node
                shared.directs[at] = adapt(shared.directs[at], y, 1023)
        for dmc, maps in zip(shared.dmcs, self.dmc_maps, strict=True):
            dmc.learn(maps, y)
        if self.first_stage_gates:
            e = 65536 - history.p if y else history.p
            shared.error += ((e << 16) - shared.error) >> 12
            self.first_stage.learn(y)
        if not self.early_exit:
            for apm in self.apms:
                apm.learn(y)
            self.network.learn(y)
        history.add_bit(y)
        if history.bits_known == 4:
            self._next_nibble(history.partial & 15)
        elif history.bits_known == 8:
            self._end_byte(history.partial & 255)

    def _end_byte(self, b: int) -> None:
        shared = self.shared
        for row in self.rows:
            if row.bucket >= 0:
                shared.bucket(row.bucket)[:] = row.low_nibble
        for row in self.runs:
            if self._branches(row, b):
                self._branch(row, b)
            self._extend_run(row, b)
        self._see_byte(b)
        self._begin_byte()

    def _branches(self, row: Row, b: int) -> bool:
        return row.run > 0 and row.run & 255 != b and not row.run & BRANCHED

    def _extend_run(self, row: Row, b: int) -> None:
        again = row.run > 0 and row.run & 255 == b
        branched = BRANCHED if self._branches(row, b) else row.run & BRANCHED
        count = min((row.run >> 8 & 255) + 1, 255) if again else 1
        self.shared.runs[row.run_entry] = row.hash >> 20 << 20 | branched | count << 8 | b

    def _see_byte(self, b: int) -> None:
        shared, history = self.shared, self.shared.history
        history.add_byte()
        shared.features.see(b, history)
        if self.kind == "text":
            shared.texts.see(b, history, shared.features)
        elif self.kind == "numbers":
            shared.numbers.see(b, shared.features)
        else:
            shared.binary.see(b, history, shared.features)
            if history.block_type.kind == 9:
                shared.font.see(b, history, shared.features)
            elif history.block_type.kind == 13:
                shared.class_files.see(b, history, shared.features)
            elif history.block_type.kind == 17:
                shared.python_modules.see(b, history, shared.features)
            else:
                code = shared.a64 if history.block_type.kind == 28 else shared.code
                code.see(b, shared.features)
        for match in shared.matches:
            match.see(b, history)
        has_code = self.kind not in ("text", "numbers")
        if has_code and shared.relocations.see(b, history):
            shared.matches[-1].follow(shared.relocations)
        expected = [match.expected + 1 for match in shared.matches if match.expects]
        shared.features["EXPECTED"] = expected[-1] if expected else 0

    def memorise(self, data: bytes) -> None:
        """Section "Memorising"."""
        self._begin_features()
        for b in data:
            memorised = [row for row in self.rows if row.memorised]
            for row in memorised:
                row.hash = row.hash_now(self.shared)
            for row in memorised:
                self._memorise(row, b)
            for dmc in self.shared.dmcs:
                if dmc.lasting:
                    dmc.begin()
                    for k in range(7, -1, -1):
                        dmc.move(b >> k & 1)
            self.shared.history.partial = 256 | b
            self._see_byte(b)

    def _memorise(self, row: Row, b: int) -> None:
        if self.runs:
            self._look_for_run(row)
        if self._has_buckets(row):
            high = self._high_place(row)
            for place, k, nibble in (
                (high, 0, b >> 4),
                (high ^ (b >> 4) + 1 << 6, 16 + (b >> 4), b & 15),
            ):
                _move(self.shared.bucket(self._find(row, place, k)), nibble)
        elif self._branches(row, b):
            agrees = row.run >> 4 & 15 == b >> 4
            row.high_nibble = _what_the_run_says(row.run, row.run >> 4 & 15)
            row.low_nibble = _what_the_run_says(row.run if agrees else 0, row.run & 15)
            _move(row.high_nibble, b >> 4)
            _move(row.low_nibble, b & 15)
            self._branch(row, b)
        if self.runs:
            self._extend_run(row, b)

    def restart(self) -> None:
        """Section "Priors"."""
        for maps in (self.state_maps, self.run_maps, self.match_maps, self.dmc_maps):
            for entries in maps:
                _make_quick(entries)
        for apm in self.apms:
            for buckets in apm.contexts.values():
                _make_quick(buckets)
        for network, most in ((self.network, 1), (self.first_stage, 40)):
            for layer in network.rows:
                for rows in layer:
                    for row in rows.values():
                        row[1] = bound(row[1], 0, most)
        number = ("text", "binary data", "code", "numbers").index(self.kind)
        self.network.rates[0] = rates_of("Rates after a prior:")[number]


def _way(nibble: int) -> list[tuple[int, int]]:
    """The nodes that lead to a nibble, and the bit after each."""
    return [(16 >> k + 1 | nibble >> k + 1, nibble >> k & 1) for k in (3, 2, 1, 0)]


def _move(histories: bytearray, nibble: int) -> None:
    """The histories on the way to a nibble see its bits."""
    for node, y in _way(nibble):
        histories[node] = NEXT[2 * histories[node] + y]


def _what_the_run_says(run: int, nibble: int) -> bytearray:
    """A nibble's histories if only the run's byte, which has this `nibble`, has followed."""
    histories = bytearray(16)
    node = 1
    for k in (3, 2, 1, 0) if run else ():
        y = nibble >> k & 1
        for _ in range(run >> 8 & 255):
            histories[node] = NEXT[2 * histories[node] + y]
        node = node << 1 | y
    return histories


def _make_quick(entries: list[int]) -> None:
    entries[:] = [e >> 10 << 10 | min(e & 1023, 12) for e in entries]
