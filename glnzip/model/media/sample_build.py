"""From the tables of images and audio to arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.gln.logistic import exact_exp
from glnzip.jit.records import new_records
from glnzip.model.media import audio_model, image_model, sample_model
from glnzip.model.media.audio_model import AudioModel
from glnzip.model.media.image_model import ImageModel
from glnzip.model.media.least_squares import new_least_squares
from glnzip.model.media.nlms import Nlms, new_nlms
from glnzip.model.media.pixel_match import new_pixel_match
from glnzip.model.media.pixel_patterns import new_pixel_patterns
from glnzip.model.media.pixel_runs import new_pixel_runs
from glnzip.model.media.sample_form import FORM
from glnzip.model.media.sample_model import SampleModel
from glnzip.model.memory.state_map import new_map
from glnzip.model.mixing.gates import gate_numbers, gated_network
from glnzip.model.table import audio
from glnzip.model.table.audio import AUDIO
from glnzip.model.table.image import IMAGE, WINDOWS
from glnzip.model.table.limits import FIRST_TRUST
from glnzip.model.table.rows import Filter
from glnzip.model.table.sample_table import SampleTable


def new_image_model(line_bits: int) -> ImageModel:
    """An image model that has seen nothing, with ``2**line_bits`` entries for its contexts."""
    samples = _new_sample_model(IMAGE, image_model.EXPERTS, image_model.FEATURES, line_bits)
    classes = np.arange(sample_model.SCALE_CLASSES)
    sizes = (sample_model.FIRST_CLASS * _powers(sample_model.CLASS_RATIO, classes.size)).astype(
        np.float32
    )
    deviations = np.repeat(sizes, image_model.ACTIVITIES)
    deviations = np.tile(deviations, image_model.EXPERTS * image_model.CHANNELS)
    looks = image_model.CHANNELS * image_model.LOOKS
    return ImageModel(
        samples=samples,
        form=new_records(1, FORM),
        squares=new_least_squares(IMAGE.squares, image_model.CHANNELS),
        errors=np.zeros((image_model.ERROR_BUFFER, image_model.EXPERTS), np.int64),
        deviations=deviations,
        times=np.zeros(deviations.size, np.int64),
        cells=np.zeros(image_model.EXPERTS, np.int64),
        biases=np.zeros(looks, np.float32),
        bias_times=np.zeros(looks, np.int64),
        lately=np.zeros(image_model.EXPERTS, np.float32),
        look=np.zeros(1, np.int64),
        runs=new_pixel_runs(),
        patterns=new_pixel_patterns(WINDOWS),
        match=new_pixel_match(),
    )


def new_audio_model(line_bits: int) -> AudioModel:
    """An audio model that has seen nothing, with ``2**line_bits`` entries for its contexts."""
    channels, experts = audio_model.CHANNELS, audio_model.EXPERTS
    cells = experts * 2 * sample_model.SCALE_CLASSES * audio_model.TRENDS
    samples = _new_sample_model(AUDIO, experts, audio_model.FEATURES, line_bits)
    return AudioModel(
        samples=samples,
        form=new_records(1, FORM),
        squares=new_least_squares(AUDIO.squares, channels),
        staged=_new_filter(audio.STAGED),
        far=_new_filter(audio.FAR),
        far_staged=_new_filter(audio.FAR_STAGED),
        past=np.zeros((channels, audio_model.PAST)),
        quick=np.ones((channels, experts), np.float32),
        slow=np.ones((channels, experts), np.float32),
        ratios=np.ones(cells, np.float32),
        times=np.zeros(cells, np.int64),
        cells=np.zeros(experts, np.int64),
        bases=np.ones(experts, np.float32),
        stages=np.zeros(3, np.float32),
    )


def _new_filter(row: Filter) -> Nlms:
    return new_nlms(audio_model.CHANNELS, row.taps, row.rate)


def _new_sample_model(own: SampleTable, experts: int, features: int, line_bits: int) -> SampleModel:
    contexts = [(*row, 0, 0, 0)[: sample_model.CONTEXT_FEATURES] for row in own.contexts]
    inputs = sample_model.INPUTS_PER_EXPERT * experts
    inputs += sample_model.INPUTS_PER_CONTEXT * len(contexts) + own.more
    return SampleModel(
        contexts=np.array(contexts, np.int64),
        gates=gate_numbers(own.gates),
        network=gated_network(inputs, own.gates, own.layers),
        shapes=np.tile(_first_shape(), experts * sample_model.SHAPES // sample_model.LOGIT_CLASSES),
        lines=np.zeros(1 << line_bits, np.uint32),
        experts=new_records(experts, sample_model.EXPERT),
        byte=new_records(1, sample_model.BYTE),
        features=np.zeros(features, np.int64),
        hashes=np.zeros(len(contexts), np.int64),
        line=np.zeros(len(contexts), np.int64),
    )


def _first_shape() -> Any:
    """Map entries that say of each class of logits what the logits say."""
    middles = (np.arange(sample_model.LOGIT_CLASSES) + 0.5) * 2 * sample_model.LOGIT_SPAN
    middles = middles / sample_model.LOGIT_CLASSES - sample_model.LOGIT_SPAN
    return new_map(1.0 / (1.0 + exact_exp(-middles)), FIRST_TRUST)


def _powers(base: float, count: int) -> Any:
    return np.cumprod(np.concatenate(([1.0], np.full(count - 1, base))))
