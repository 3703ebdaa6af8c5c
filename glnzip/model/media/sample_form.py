"""How the samples of an image or of audio are written, and how far the present one is known."""

from __future__ import annotations

import numpy as np

from glnzip.format.block_type import SAMPLE_FORMS
from glnzip.jit import inline
from glnzip.model.media import sample_model

_FORMS = np.array(SAMPLE_FORMS, np.int64)

FORM = np.dtype(
    [
        ("width", np.int64),  # bytes of a sample
        ("signed", np.int64),
        ("little", np.int64),
        ("channels", np.int64),
        ("place", np.int64),  # number of the byte to come in its sample
        ("channel", np.int64),
        ("known", np.int64),  # what the known bytes of the sample add up to
        # Of images:
        ("predicted", np.int64),  # 1 if experts have predicted the sample
        ("start", np.int64),  # where in the stream the image begins
        ("before", np.int64),  # bytes back to the sample that `image_model.LAST` is
    ],
)


@inline
def set_form(form, number):
    """Take samples to be written as `SAMPLE_FORMS` says under a number, which may be any."""
    row = min(max(number, 0), _FORMS.shape[0] - 1)
    form.width = _FORMS[row, 0]
    form.signed = _FORMS[row, 1]
    form.little = _FORMS[row, 2]


@inline
def measure(block_model, form):
    """Restate the experts in units of the byte to come."""
    exponent = _exponent(form)
    highest = exponent == form.width - 1
    sample_model.measure_byte(
        block_model,
        form.place,
        form.known,
        np.int64(1) << 8 * exponent,
        form.little and not highest,
        form.signed and highest,
        not form.little and exponent > 0,
    )


@inline
def add_to_sample(form, byte):
    """The byte to come is known."""
    exponent = _exponent(form)
    if form.signed and exponent == form.width - 1 and byte > 127:
        byte -= 256
    form.known += byte << 8 * exponent


@inline
def _exponent(form):
    """How often 256 is a factor of the place value of the byte to come."""
    return form.place if form.little else form.width - 1 - form.place
