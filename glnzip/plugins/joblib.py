"""The compressor ``gln`` of joblib, for files ending in ``.gln``.

joblib has no entry points, so somebody has to call `register`, also before such files are loaded.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

from joblib import register_compressor
from joblib.compressor import CompressorWrapper

from glnzip import DEFAULT_LEVEL, SHIPPED_PRIOR, GlnzipFile, Prior, decompress
from glnzip.format.container import MAGIC

if TYPE_CHECKING:
    from _typeshed import StrPath


def register(*, level: int = DEFAULT_LEVEL, prior: Prior | StrPath | None = SHIPPED_PRIOR) -> None:
    """Let joblib know ``compress=("gln", 3)``, and files that end in ``.gln`` or are such streams.

    Parameters
    ----------
    level
        For dumps that name no level, 1 (fast) to 9 (small).
    prior
        As for `glnzip.open`.

    Examples
    --------
    >>> register()
    >>> joblib.dump(model, "model.pkl.gln", compress=("gln", 3))
    >>> joblib.load("model.pkl.gln")
    """
    register_compressor("gln", _Compressor(level, prior), force=True)


class _Compressor(CompressorWrapper):
    """What joblib asks of a compressor."""

    def __init__(self, level: int, prior: Prior | StrPath | None) -> None:
        super().__init__(GlnzipFile, MAGIC, ".gln")
        self._level = level
        self._prior = prior

    def compressor_file(self, fileobj: Any, compresslevel: int | None = None) -> GlnzipFile:
        level = self._level if compresslevel is None else compresslevel
        return GlnzipFile(fileobj, "wb", level=level, prior=self._prior)

    def decompressor_file(self, fileobj: Any) -> BinaryIO:
        """All data, verified: objects would be made of what is read long before its check."""
        return BytesIO(decompress(fileobj.read(), prior=self._prior))
