"""Write the tables of MODEL.md from those of the model: ``python -m docs.tables``.

Each stands under a line of its own, such as "Contexts of text:". What the columns mean, the text
around them says; a test compares the document with what is made here, and a decoder that is made
from the document alone with the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from glnzip.format.levels import LEVELS
from glnzip.model.contexts import (
    binary,
    code,
    features,
    fields,
    numbers,
    syntax,
    tokens,
    word_classes,
)
from glnzip.model.media import audio_model, image_model, jpeg_model
from glnzip.model.media.bitmap_build import new_bitmap_model
from glnzip.model.table import audio, bitmap, byte_table, image, jpeg, text
from glnzip.model.table import binary as binary_table
from glnzip.model.table import code as code_table
from glnzip.model.table import numbers as numbers_table
from glnzip.model.table.byte_table import FIRST_STAGE, ByteTable
from glnzip.model.table.rows import Apm, Context, Gate, Layer
from glnzip.model.table.sizes import SIZES

DOCUMENT = Path(__file__).parent / "MODEL.md"
Table = tuple[list[str], list[list[Any]]]


def tables() -> dict[str, Table]:
    """Every table: its heading and its rows, by the line that it stands under."""
    found: dict[str, Table] = {}
    byte_tables = {
        "text": text.TEXT,
        "binary data": binary_table.BINARY,
        "code": code_table.CODE,
        "numbers": numbers_table.NUMBERS,
    }
    of_bytes = _names(features, binary, code, syntax, word_classes, tokens, fields, numbers)
    for kind, own in byte_tables.items():
        found[f"Contexts of {kind}:"] = _contexts(own.contexts, of_bytes)
        found[f"Direct counters of {kind}:"] = _counters(own.counters, of_bytes)
        found[f"Gates of {kind}:"] = _gates(own.gates, of_bytes)
        found[f"APMs of {kind}:"] = _apms(own.apms, of_bytes)
        found[f"Layers of {kind}:"] = _layers(own.layers)
    found["Rates after a prior:"] = _rates_after_prior(byte_tables)
    found["Match models:"] = (
        ["shortest match", "levels"],
        [[row.minimum, _levels(row)] for row in byte_table.MATCHES],
    )
    found["DMC models:"] = (
        ["threshold", "lasting", "levels"],
        [[row.threshold, _yes(row.lasting), _levels(row)] for row in byte_table.DMCS],
    )
    found["Gates of the first stage:"] = _gates(FIRST_STAGE.gates, of_bytes)
    found["Layers of the first stage:"] = _layers(FIRST_STAGE.layers)
    found["Thresholds of the early exit:"] = (
        ["level", "threshold"],
        [[n, size.exit_threshold] for n, size in SIZES.items() if size.exit_threshold],
    )
    found["### Sizes"] = (
        ["level", "buffer", "slots", "runs", "counters", "matches", "bitmap"],
        [[level, *SIZES[level][:6]] for level in LEVELS],
    )
    found |= _of_bitmaps()
    names = _names(jpeg_model)
    found["Contexts of JPEG:"] = (["features"], [[_features(row, names)] for row in jpeg.CONTEXTS])
    found["Gates of JPEG:"] = _gates(jpeg.GATES, names, levels=False)
    found["APMs of JPEG:"] = (["features"], [[_features(row, names)] for row in jpeg.APMS])
    found["Layers of JPEG:"] = _layers(jpeg.LAYERS)
    for kind, table, module in (
        ("images", image.IMAGE, image_model),
        ("audio", audio.AUDIO, audio_model),
    ):
        names = _names(module)
        found[f"Contexts of {kind}:"] = (
            ["features"],
            [[_features(row, names)] for row in table.contexts],
        )
        found[f"Gates of {kind}:"] = _gates(table.gates, names, levels=False)
        found[f"Layers of {kind}:"] = _layers(table.layers)
    found["Windows of images:"] = (
        ["spans"],
        [[", ".join(map(str, window))] for window in image.WINDOWS],
    )
    return found


def document(before: str) -> str:
    """The document with every table as it has to be."""
    for line, table in tables().items():
        head, words, rest = before.partition(f"\n{line}\n")
        if not words:
            raise ValueError(f"MODEL.md has no line {line!r}")
        start = rest.index("\n|") + 1
        end = rest.index("\n\n", start)
        before = head + words + rest[:start] + "\n".join(_lines(*table)) + rest[end:]
    return before


def _lines(heading: list[str], rows: list[list[Any]]) -> Iterator[str]:
    yield f"| {' | '.join(heading)} |"
    yield "|" + "---|" * len(heading)
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def _names(*modules: ModuleType) -> dict[int, str]:
    """The names of features by their numbers: those that a module gives out in capitals."""
    names: dict[int, str] = {}
    for module in modules:
        first = 0 if module.__dict__.get("NONE") == 0 else max(names) + 1
        last = module.__dict__.get("END") or module.__dict__["FEATURES"]
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        listed = re.search(r"^\(\n(.*?)^\) = range", source, re.DOTALL | re.MULTILINE)
        assert listed is not None, f"{module.__name__} numbers features"
        own = re.findall(r"^    ([A-Z_0-9]+),", listed[1], re.MULTILINE)[:-1]
        names |= {first + n: name for n, name in enumerate(own)}
        assert max(names) + 1 == last
    return names


def _features(numbers: Iterable[int], names: dict[int, str]) -> str:
    return ", ".join(f"`{names[number]}`" for number in numbers)


def _levels(row: Any) -> str:
    return f"{row.level}" if row.last == LEVELS[-1] else f"{row.level} to {row.last}"


def _yes(value: bool) -> str:
    return "yes" if value else ""


def _contexts(rows: tuple[Context, ...], names: dict[int, str]) -> Table:
    heading, counters = _counters(rows, names)
    return [*heading[:-1], "memorised", heading[-1]], [
        [*cells[:-1], _yes(row.memorised), cells[-1]]
        for row, cells in zip(rows, counters, strict=True)
    ]


def _counters(rows: tuple[Context, ...], names: dict[int, str]) -> Table:
    return ["name", "bytes", "features", "local", "first stage", "levels"], [
        [
            row.name,
            row.bytes and f"`{row.bytes}`",
            _features(row.features, names),
            _yes(row.local),
            _yes(row.first_stage),
            _levels(row),
        ]
        for row in rows
    ]


def _gates(rows: tuple[Gate, ...], names: dict[int, str], *, levels: bool = True) -> Table:
    heading = ["name", "layer", "feature", "values", "bits", *(["levels"] if levels else [])]
    return heading, [
        [
            row.name,
            row.layer,
            f"`{names[row.feature]}`",
            row.values,
            row.bits,
            *([_levels(row)] if levels else []),
        ]
        for row in rows
    ]


def _apms(rows: tuple[Apm, ...], names: dict[int, str]) -> Table:
    return ["name", "features", "table bits", "levels"], [
        [row.name, _features(row.features, names), row.table_bits, _levels(row)] for row in rows
    ]


def _layers(rows: tuple[Layer, ...]) -> Table:
    return ["layer", "rates", "first weight"], [
        [
            number,
            f"`decaying({row.rate.start:g}, {row.rate.end:g}, {row.rate.half_life:g})`",
            "1/K" if row.start is None else f"{row.start:g}",
        ]
        for number, row in enumerate(rows)
    ]


def _rates_after_prior(byte_tables: dict[str, ByteTable]) -> Table:
    return ["block model", "rates of layer 0"], [
        [kind, f"`decaying({rate.start:g}, {rate.end:g}, {rate.half_life:g})`"]
        for kind, rate in ((kind, own.rate_after_prior) for kind, own in byte_tables.items())
    ]


def _of_bitmaps() -> dict[str, Table]:
    """Windows and segments as the kernels have them: drawings cannot stand in a cell."""
    model = new_bitmap_model(4)
    windows = [
        [f"`{' '.join(f'{mask:X}' for mask in row[: row[-1]])}`"] for row in model.contexts.tolist()
    ]
    gates = [
        [
            gate.layer,
            f"`{' '.join(f'{low}+{bits}' if bits else '-' for low, bits in segments)}`",
            "yes" if gate.order_hits else "no",
            gate.rows,
        ]
        for gate, segments in zip(bitmap.GATES, model.gates.tolist(), strict=True)
    ]
    return {
        "Contexts of bitmaps:": (["windows looked at, that of the present row first"], windows),
        "Gates of bitmaps:": (["layer", "pixels of rows 0 to 5", "counts known", "values"], gates),
        "Layers of bitmaps:": _layers(bitmap.LAYERS),
    }


def main() -> None:
    """Bring the document up to date."""
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
