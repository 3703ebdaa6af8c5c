"""The loops over bytes and bits that measure, and share what each bit has saved.

They are those of `glnzip.coding.bit_loop` with `MEASURE`, and take the model's own steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from glnzip.analysis.attribution import (
    Gains,
    attribute,
    attribute_run,
    attribute_stages,
    new_gains,
)
from glnzip.cache.build import Sources
from glnzip.coding.bit_loop import MEASURE, code_byte, parts_for
from glnzip.format.block_type import AUDIO, BITMAP, JPEG, OF_BYTES, SAMPLED, BlockType
from glnzip.jit import inline, kernel
from glnzip.model import step
from glnzip.model.media import jpeg_step, pixel_runs, sample_step
from glnzip.model.state import Model

Function = TypeVar("Function", bound=Callable[..., Any])

_OWN = Sources("analysis/attribution.py", "analysis/explain_loop.py").name()


def explain_block(block_type, model, gains, coder, chances, data, start, end):
    """Measure ``data[start:end]``, and add to the gains; parameters as of `bit_loop.run_block`."""
    run, parts = kernel_for(block_type), parts_for(model, block_type)
    run(block_type, parts, gains, coder, chances, data, start, end)


def kernel_for(block_type: BlockType) -> Callable[..., None]:
    """The kernel that `explain_block` calls for a block."""
    if block_type.kind in SAMPLED:
        return explain_samples
    return explain_jpeg if block_type.kind == JPEG else explain_bytes


def gains_of(model: Model, block_model: str) -> Gains:
    """No gains yet, of the block model of this name."""
    own = getattr(model, block_model)
    if block_model in OF_BYTES:
        return new_gains(own.learned.network, own.learned.first_stage)
    return new_gains(own.samples.network if hasattr(own, "samples") else own.network)


def _kernel(function: Function) -> Function:
    """A kernel whose name tells of its source: their folder's tells of the model's alone."""
    made = kernel(function)
    made.__name__ += f"-{_OWN}"
    return made


@_kernel
def explain_bytes(block_type, model, gains, coder, chances, data, start, end):
    """For bytes and bitmaps."""
    if start == 0:
        step.begin_block(model, block_type)
    explained = (model, gains)
    for i in range(start, end):
        code_byte(MEASURE, _predict_byte, _update_byte, explained, coder[0], chances, data, i)


@_kernel
def explain_samples(block_type, model, gains, coder, chances, data, start, end):
    """For images and audio."""
    if start == 0:
        sample_step.begin_block(model, block_type)
    explained = (model, gains)
    for i in range(start, end):
        code_byte(MEASURE, _predict_sample, _update_sample, explained, coder[0], chances, data, i)


@_kernel
def explain_jpeg(block_type, model, gains, coder, chances, data, start, end):
    """For JPEG."""
    if start == 0:
        jpeg_step.begin_block(model, block_type)
    explained = (model, gains)
    for i in range(start, end):
        code_byte(MEASURE, _predict_jpeg, _update_jpeg, explained, coder[0], chances, data, i)


@inline
def _predict_byte(explained):
    model, _ = explained
    return step.predict_bit(model)


@inline
def _update_byte(explained, bit):
    model, gains = explained
    if model.recent.now[0].kind == BITMAP:
        attribute(model.bitmap.network, gains, bit)
    else:
        attribute_stages(model.byte_model, model.recent, gains, bit)
    step.update_bit(model, bit)


@inline
def _predict_sample(explained):
    model, _ = explained
    return sample_step.predict_bit(model)


@inline
def _update_sample(explained, bit):
    model, gains = explained
    if sample_step.exits(model):
        logit, _ = pixel_runs.opinion(model.image.runs, model.now[0])
        attribute_run(gains, np.float64(logit), bit)
    elif model.now[0].kind == AUDIO:
        attribute(model.audio.samples.network, gains, bit)
    else:
        attribute(model.image.samples.network, gains, bit)
    sample_step.update_bit(model, bit)


@inline
def _predict_jpeg(explained):
    model, _ = explained
    return jpeg_step.predict_bit(model)


@inline
def _update_jpeg(explained, bit):
    model, gains = explained
    attribute(model.jpeg.network, gains, bit)
    jpeg_step.update_bit(model, bit)
