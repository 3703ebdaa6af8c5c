"""How small a piece of an image or of audio gets: the model itself is asked, in one of two ways."""

from __future__ import annotations

import numpy as np

from glnzip.coding.arithmetic import new_coder
from glnzip.coding.arrays import writable
from glnzip.coding.bit_loop import ENCODE, run_samples
from glnzip.format.block_type import BlockType
from glnzip.model.build import new_now
from glnzip.model.media.sample_build import new_audio_model, new_image_model
from glnzip.model.state import SampleParts

_LINE_BITS = 16  # of a small model


def bytes_when_coded(data: bytes, block_type: BlockType) -> int:
    """How many bytes a model of images and audio, which has seen nothing, takes for some data."""
    buffer = np.zeros(1 << max(len(data) - 1, 1).bit_length(), np.uint8)
    block_models = new_image_model(_LINE_BITS), new_audio_model(_LINE_BITS)
    model = SampleParts(*block_models, new_now(), buffer)
    coder = new_coder()
    nowhere = np.zeros(0, np.uint8)
    run_samples(ENCODE, block_type, model, coder, nowhere, writable(data), 0, len(data))
    return int(coder[0]["at"])
