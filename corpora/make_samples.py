"""Write the generated samples: ``python -m corpora.make_samples``.

Each function returns one file's bytes and depends on nothing but this source: the random numbers
come from a fixed seed, through the one method whose sequence Python promises to keep.
"""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

HERE = Path(__file__).resolve().parent / "samples"

Item = TypeVar("Item")


class Dice:
    """Random choices that are the same for ever (`random.Random.random` alone is promised)."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int) -> int:
        """Return an integer in ``0 .. limit - 1``."""
        return int(self._random.random() * limit)

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of `items`."""
        return items[self.below(len(items))]

    def step(self, size: int) -> int:
        """Return a small change in ``-size .. size``, most often near 0."""
        return self.below(size + 1) - self.below(size + 1)


def orders_json() -> bytes:
    """Return one JSON object a line, as a web service would log them."""
    dice = Dice(1)
    towns = ["Colm", "Harrow", "Leek Bay", "Nether Wold", "Saltby", "Upper Wold"]
    goods = [("rope, hemp", 1250), ("lamp oil", 480), ("wick, flat", 35), ("tea, black", 610),
             ("seed potatoes", 220), ("oilskin coat", 4400), ("brass screw", 4)]  # fmt: skip
    lines = []
    minute = 0
    for number in range(150):
        minute += 1 + dice.below(90)
        items = []
        total = 0
        for name, price in [dice.pick(goods) for _ in range(1 + dice.below(3))]:
            count = 1 + dice.below(12)
            items.append({"name": name, "count": count, "price": price})
            total += count * price
        order = {
            "id": 70310 + number,
            "time": f"1931-03-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00Z",
            "town": dice.pick(towns),
            "paid": dice.below(5) > 0,
            "items": items,
            "total": total,
        }
        lines.append(json.dumps(order))
    return ("\n".join(lines) + "\n").encode("ascii")


def weather_csv() -> bytes:
    """Return hourly readings that drift, as an instrument would print them."""
    dice = Dice(2)
    winds = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    lines = ["station,day,hour,pressure_hpa,temperature_c,wind,speed_kn,rain_mm"]
    pressure, temperature, wind, speed = 10132, 74, 5, 12
    for hour in range(650):
        pressure += dice.step(6)
        temperature += dice.step(5) + (3 if 6 <= hour % 24 < 15 else -2)
        wind = (wind + dice.step(1)) % 8
        speed = max(0, speed + dice.step(3))
        rain = dice.below(24) if pressure < 10120 and dice.below(3) == 0 else 0
        lines.append(
            f"417,{1 + hour // 24},{hour % 24},{pressure / 10:.1f},{temperature / 10:.1f},"
            f"{winds[wind]},{speed},{rain / 10:.1f}"
        )
    return ("\n".join(lines) + "\n").encode("ascii")


def track_bin() -> bytes:
    """Return a recorded journey: time, position, heading, speed, flags; 20 bytes a record."""
    dice = Dice(3)
    records = []
    time, north, east, heading, speed = 1_200_000, 541_200_000, -11_350_000, 900, 55
    for _ in range(1000):
        time += 1000 + dice.step(3)
        heading = (heading + dice.step(40)) % 3600
        speed = max(0, speed + dice.step(4))
        north += speed * (1800 - heading) // 900
        east += speed * (heading - 900) // 900
        flags = 1 if speed > 50 else 0
        records.append(struct.pack("<IiiHHI", time, north, east, heading, speed, flags))
    return b"".join(records)


def tiles_pbm() -> bytes:
    """Return a page of drawn rectangles and slanted lines as a raw portable bitmap."""
    dice = Dice(4)
    width, height = 1728, 128
    page = [[0] * width for _ in range(height)]
    for _ in range(70):
        left, top = dice.below(width - 60), dice.below(height - 24)
        wide, high, slant = 4 + dice.below(56), 2 + dice.below(22), dice.step(1)
        hollow = dice.below(2) == 0
        for y in range(high):
            for x in range(wide):
                if not hollow or y in (0, high - 1) or x in (0, wide - 1):
                    page[top + y][(left + x + slant * y) % width] = 1
    rows = [int("".join(map(str, row)), 2).to_bytes(width // 8, "big") for row in page]
    return f"P4\n{width} {height}\n".encode("ascii") + b"".join(rows)


GENERATED: dict[str, Callable[[], bytes]] = {
    "orders.json": orders_json,
    "weather.csv": weather_csv,
    "track.bin": track_bin,
    "tiles.pbm": tiles_pbm,
}


def main() -> None:
    """Write every generated sample."""
    for name, make in GENERATED.items():
        (HERE / name).write_bytes(make())


if __name__ == "__main__":
    main()
