"""How small a piece of data gets that may be seen in several ways: the model itself is asked."""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.coding.arithmetic import new_coder
from glnzip.coding.bit_loop import ENCODE, run_bytes, run_samples
from glnzip.coding.block_codec import as_seen
from glnzip.format.block_type import SAMPLED, BlockType
from glnzip.model.build import new_byte_parts, new_now
from glnzip.model.media.sample_build import new_audio_model, new_image_model
from glnzip.model.state import SampleParts
from glnzip.model.table.rows import Size

_LINE_BITS = 16  # of a small model
_SIZE = Size(18, 23, 20, 20, 16, 10)  # of bytes


def bytes_when_coded(data: bytes, block_type: BlockType, level: int) -> int:
    """How many bytes a small model that has seen nothing takes for some data seen so.

    Parameters
    ----------
    data : bytes
    block_type : BlockType
        Samples, or bytes.
    level : int
        That of the rows of a model of bytes. All levels see samples alike.
    """
    run: Any
    model: Any
    if block_type.kind in SAMPLED:
        buffer = np.zeros(1 << max(len(data) - 1, 1).bit_length(), np.uint8)
        block_models = new_image_model(_LINE_BITS), new_audio_model(_LINE_BITS)
        run, model = run_samples, SampleParts(*block_models, new_now(), buffer)
    else:
        run, model = run_bytes, new_byte_parts(block_type.block_model, level, _SIZE)
    coder = new_coder()
    nowhere = np.zeros(0, np.uint8)
    run(ENCODE, block_type, model, coder, nowhere, as_seen(data, block_type), 0, len(data))
    return int(coder[0]["at"])
