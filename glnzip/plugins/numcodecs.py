"""The codec ``gln`` of numcodecs, found by the entry point group ``numcodecs.codecs``."""

from __future__ import annotations

from typing import Any

from numcodecs.abc import Codec
from numcodecs.compat import ensure_contiguous_ndarray, ndarray_copy

from glnzip.plugins.chunks import ChunkCoder


class Gln(ChunkCoder, Codec):
    """Compress what numcodecs are given, each buffer alone; parameters as in `ChunkCoder`.

    Examples
    --------
    >>> codec = Gln(level=3, prior=None)
    >>> numcodecs.get_codec(codec.get_config()) == codec
    True
    """

    codec_id = "gln"

    def encode(self, buf: Any) -> bytes:
        """A buffer as a frame: see `ChunkCoder.compress`."""
        return self.compress(ensure_contiguous_ndarray(buf))

    def decode(self, buf: Any, out: Any = None) -> Any:
        """The data of a frame, in `out` if it is given; more than that has room for is an error.

        Raises
        ------
        OutputLimitError
            If they are longer than `out`.
        GlnzipError
            As in `glnzip.decompress`.
        """
        frame = ensure_contiguous_ndarray(buf)
        if out is None:
            return self.decompress(frame)
        out = ensure_contiguous_ndarray(out)
        return ndarray_copy(self.decompress(frame, out.nbytes), out)

    def get_config(self) -> dict[str, Any]:
        """All that `numcodecs.get_codec` needs to make such a codec."""
        return {"id": self.codec_id, **self.configuration()}
