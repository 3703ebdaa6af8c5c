"""Every error that glnzip raises about its data; all are kinds of `GlnzipError`.

Misuse of the interface (a level that does not exist, a call after the end) raises the built-in
`ValueError`, `TypeError` or `EOFError`, as it does in `lzma`.
"""


class GlnzipError(Exception):
    """The base of all errors about compressed data, memory and limits."""


class CorruptStreamError(GlnzipError):
    """The bytes are not a glnzip stream, or the stream is damaged."""


class TruncatedStreamError(GlnzipError, EOFError):
    """The stream is sound as far as it goes, but its end is missing."""


class UnsupportedStreamError(GlnzipError):
    """The stream needs a format version, model generation or level that this build lacks."""


class PriorMismatchError(GlnzipError):
    """The stream was made with a prior (a pre-trained model) that is not at hand."""


class BadPriorError(GlnzipError):
    """A prior is damaged, or this build cannot read it; the data that need it may be sound."""


class OutputLimitError(GlnzipError):
    """The stream holds more data than the limit that the caller set."""


class MemoryLimitError(GlnzipError):
    """More memory is needed than the caller allowed, or than the machine has."""


class NotPreparedError(GlnzipError):
    """A prior would have to be prepared, which takes minutes, and the caller forbade it."""
