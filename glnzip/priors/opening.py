"""Who opens codecs: from a level, a prior and what may be spent to what codes blocks.

Frames know nothing of models: they are handed what opens a codec, and call it with their first
block. Until then no library is loaded and no memory taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from glnzip.format.block_type import BlockType
from glnzip.priors.allowance import Allowance, check_allowed, memory_named
from glnzip.priors.prior_stream import PriorStream
from glnzip.priors.watching import Report, heard_by

if TYPE_CHECKING:
    from glnzip.coding.block_codec import BlockCodec


def open_codec(
    level: int,
    prior: PriorStream | None,
    allowance: Allowance,
    progress: Report | None,
    first_block: int,
    first_type: BlockType,
) -> BlockCodec:
    """A codec whose model has seen `prior` and nothing else.

    Parameters
    ----------
    level
        1 to 9.
    prior
        What the model has seen; None for nothing.
    allowance
        What the model may take; more is refused before it is made.
    progress
        Called with 0 while the prior is prepared.
    first_block, first_type
        Bytes in the first block, and how the model is to see it. They decide only what will take
        less time and memory.
    """
    from glnzip.priors.prepared import new_codec

    with heard_by(progress):
        check_allowed(level, prior, allowance)  # once more: the libraries have taken their share
        with memory_named(level):
            return new_codec(level, prior, first_block, first_type)
