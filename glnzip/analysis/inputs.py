"""The inputs of each block model's network, in their order."""

from __future__ import annotations

from glnzip.analysis.byte_inputs import byte_inputs
from glnzip.analysis.families import Input
from glnzip.analysis.media_inputs import audio_inputs, bitmap_inputs, image_inputs, jpeg_inputs
from glnzip.format.block_type import OF_BYTES

_OF_MEDIA = {
    "bitmap": bitmap_inputs,
    "image": image_inputs,
    "audio": audio_inputs,
    "jpeg": jpeg_inputs,
}


def inputs_of(block_model: str, level: int) -> list[Input]:
    """The inputs of a block model, a field of `glnzip.model.state.Model`."""
    return byte_inputs(block_model, level) if block_model in OF_BYTES else _OF_MEDIA[block_model]()
