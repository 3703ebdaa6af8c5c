"""glnzip: a streaming byte compressor, used like `lzma` from the standard library.

The names below are the whole public interface. Importing them is cheap: the model and the
libraries it needs are loaded by the first call that compresses or decompresses a block.
"""

from glnzip.distances.matrix import ncd, ncd_matrix
from glnzip.errors import (
    BadPriorError,
    CorruptStreamError,
    GlnzipError,
    MemoryLimitError,
    NotPreparedError,
    OutputLimitError,
    PriorMismatchError,
    TruncatedStreamError,
    UnsupportedStreamError,
)
from glnzip.format.container import Place
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.format.walk import FrameInfo, frame_info
from glnzip.messages import MessageCodec, compress_message, decompress_message
from glnzip.priors.base import Base
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.streams.compressor import Compressor
from glnzip.streams.cost import cost_bits
from glnzip.streams.decompressor import Decompressor
from glnzip.streams.file_object import GlnzipFile, open
from glnzip.streams.oneshot import compress, decompress
from glnzip.streams.recovery import Recovery, recover
from glnzip.streams.sample import sample
from glnzip.streams.tar import open_tar
from glnzip.training.train import train_prior
from glnzip.warmup import warmup

__version__ = "0.1.0"

__all__ = [
    "DEFAULT_LEVEL",
    "MAX_LEVEL",
    "MIN_LEVEL",
    "SHIPPED_PRIOR",
    "BadPriorError",
    "Base",
    "Compressor",
    "CorruptStreamError",
    "Decompressor",
    "FrameInfo",
    "GlnzipError",
    "GlnzipFile",
    "MemoryLimitError",
    "MessageCodec",
    "NotPreparedError",
    "OutputLimitError",
    "Place",
    "Prior",
    "PriorMismatchError",
    "Recovery",
    "TruncatedStreamError",
    "UnsupportedStreamError",
    "compress",
    "compress_message",
    "cost_bits",
    "decompress",
    "decompress_message",
    "frame_info",
    "ncd",
    "ncd_matrix",
    "open",
    "open_tar",
    "recover",
    "sample",
    "train_prior",
    "warmup",
]
