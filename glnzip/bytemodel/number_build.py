"""From the tables of the numeric views to arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from glnzip.bytemodel import image_view, numeric, sound_view
from glnzip.bytemodel import number_lineup as table
from glnzip.bytemodel.adaptive_map import new_map
from glnzip.bytemodel.image_view import ImageView
from glnzip.bytemodel.least_squares import new_least_squares
from glnzip.bytemodel.lineup import BITS
from glnzip.bytemodel.nlms import Nlms, new_nlms
from glnzip.bytemodel.numeric import NumericView
from glnzip.bytemodel.records import new_records
from glnzip.bytemodel.sound_view import SoundView
from glnzip.gln.learning_rate import decaying
from glnzip.gln.logistic import exact_exp
from glnzip.gln.network import new_network

_SHAPE_COUNT = 12  # how firmly a map believes at first that distributions are logistic


def new_image_view(line_bits: int) -> ImageView:
    """An image view that has seen nothing, with ``2**line_bits`` entries for its contexts."""
    numbers = _new_numeric_view(
        image_view.EXPERTS,
        image_view.FEATURES,
        table.IMAGE_CONTEXTS,
        table.IMAGE_GATES,
        line_bits,
    )
    classes = np.arange(numeric.SCALE_CLASSES)
    sizes = (numeric.FIRST_CLASS * _powers(numeric.CLASS_RATIO, classes.size)).astype(np.float32)
    deviations = np.repeat(sizes, image_view.ACTIVITIES)
    deviations = np.tile(deviations, image_view.EXPERTS * image_view.CHANNELS)
    looks = image_view.CHANNELS * image_view.LOOKS
    return ImageView(
        numbers=numbers,
        squares=new_least_squares(table.IMAGE_SQUARES, image_view.CHANNELS),
        errors=np.zeros((image_view.ERROR_RING, image_view.EXPERTS), np.int64),
        deviations=deviations,
        times=np.zeros(deviations.size, np.int64),
        cells=np.zeros(image_view.EXPERTS, np.int64),
        biases=np.zeros(looks, np.float32),
        bias_times=np.zeros(looks, np.int64),
        lately=np.zeros(image_view.EXPERTS, np.float32),
        channel=np.zeros(1, np.int64),
        look=np.zeros(1, np.int64),
    )


def new_sound_view(line_bits: int) -> SoundView:
    """A sound view that has seen nothing, with ``2**line_bits`` entries for its contexts."""
    channels, experts = sound_view.CHANNELS, sound_view.EXPERTS
    cells = experts * 2 * numeric.SCALE_CLASSES * sound_view.TRENDS
    numbers = _new_numeric_view(
        experts, sound_view.FEATURES, table.SOUND_CONTEXTS, table.SOUND_GATES, line_bits
    )
    return SoundView(
        numbers=numbers,
        form=new_records(1, sound_view.FORM),
        squares=new_least_squares(table.SOUND_SQUARES, channels),
        staged=_new_filter(table.SOUND_STAGED),
        far=_new_filter(table.SOUND_FAR),
        far_staged=_new_filter(table.SOUND_FAR_STAGED),
        past=np.zeros((channels, sound_view.PAST)),
        quick=np.ones((channels, experts), np.float32),
        slow=np.ones((channels, experts), np.float32),
        ratios=np.ones(cells, np.float32),
        times=np.zeros(cells, np.int64),
        cells=np.zeros(experts, np.int64),
        bases=np.ones(experts, np.float32),
        stages=np.zeros(3, np.float32),
    )


def _new_filter(row: table.Filter) -> Nlms:
    return new_nlms(sound_view.CHANNELS, row.taps, row.rate)


def _new_numeric_view(
    experts: int,
    features: int,
    contexts: Sequence[tuple[int, ...]],
    gates: Sequence[table.Gate],
    line_bits: int,
) -> NumericView:
    padded = [(*row, 0, 0, 0)[: numeric.CONTEXT_FEATURES] for row in contexts]
    network = new_network(
        numeric.INPUTS_PER_EXPERT * experts + numeric.INPUTS_PER_CONTEXT * len(contexts),
        rows=[
            [gate.values * BITS[gate.bits][0] for gate in layer]
            for layer in (gates, [table.FINAL_GATE])
        ],
        rates=[decaying(0.02, 0.002, 400.0), decaying(0.005, 0.0005, 400.0)],
        start=[0.05, None],
        weight_bound=np.inf,
    )
    return NumericView(
        contexts=np.array(padded, np.int64),
        gates=np.array(
            [(g.feature, g.values - 1, BITS[g.bits][1]) for g in (*gates, table.FINAL_GATE)],
            np.int64,
        ),
        network=network,
        shapes=np.tile(_first_shape(), experts * numeric.SHAPES // numeric.LOGIT_CLASSES),
        lines=np.zeros(1 << line_bits, np.uint32),
        experts=new_records(experts, numeric.EXPERT),
        byte=new_records(1, numeric.BYTE),
        features=np.zeros(features, np.int64),
        hashes=np.zeros(len(contexts), np.int64),
        line=np.zeros(len(contexts), np.int64),
    )


def _first_shape() -> Any:
    """Map entries that say of each class of logits what the logits say."""
    middles = (np.arange(numeric.LOGIT_CLASSES) + 0.5) * 2 * numeric.LOGIT_SPAN
    middles = middles / numeric.LOGIT_CLASSES - numeric.LOGIT_SPAN
    return new_map(1.0 / (1.0 + exact_exp(-middles)), _SHAPE_COUNT)


def _powers(base: float, count: int) -> Any:
    return np.cumprod(np.concatenate(([1.0], np.full(count - 1, base))))
