"""What stands for `lzma`, `bz2` and the module beneath them when their tests are run on glnzip.

Names, arguments and attributes are those that the tests use. glnzip has one format, one check and
no filters: whatever a test asks for of these, it gets that one.
"""

from __future__ import annotations

import lzma as xz
from types import SimpleNamespace
from typing import Any

import glnzip
from glnzip.streams import frame_reader

LZMA_LEVEL = glnzip.DEFAULT_LEVEL
BZ2_LEVEL = 9


class _File(glnzip.GlnzipFile):
    """The private attributes of LZMAFile and BZ2File that tests look at."""

    @property
    def _fp(self) -> Any:
        return self._file

    @property
    def _buffer(self) -> Any:
        return self._reader


class LZMAFile(_File):
    def __init__(
        self, filename=None, mode="r", *, format=None, check=-1, preset=None, filters=None
    ):
        super().__init__(filename, mode, level=_level(preset))


class LZMACompressor(glnzip.Compressor):
    def __init__(self, format=None, check=-1, preset=None, filters=None):
        super().__init__(_level(preset))


class LZMADecompressor(glnzip.Decompressor):
    def __init__(self, format=None, memlimit=None, filters=None):
        super().__init__(memory_limit=memlimit)

    check = "CRC-32"


def _level(preset: int | None) -> int:
    return LZMA_LEVEL if preset is None else preset


def _lzma_open(
    filename, mode="rb", *, format=None, check=-1, preset=None, filters=None, **text_arguments
):
    return glnzip.open(filename, mode, level=_level(preset), **text_arguments)


def _lzma_compress(data, format=None, check=-1, preset=None, filters=None):
    return glnzip.compress(data, level=_level(preset))


def _lzma_decompress(data, format=None, memlimit=None, filters=None):
    return glnzip.decompress(data, memory_limit=memlimit)


lzma = SimpleNamespace(
    LZMAFile=LZMAFile,
    LZMACompressor=LZMACompressor,
    LZMADecompressor=LZMADecompressor,
    LZMAError=glnzip.GlnzipError,
    open=_lzma_open,
    compress=_lzma_compress,
    decompress=_lzma_decompress,
    **{name: vars(xz)[name] for name in dir(xz) if name.startswith(("FORMAT", "FILTER", "PRESET"))},
    **{name: LZMADecompressor.check for name in dir(xz) if name.startswith("CHECK")},
)


class BZ2File(_File):
    def __init__(self, filename, mode="r", *, compresslevel=BZ2_LEVEL):
        super().__init__(filename, mode, level=compresslevel)


class BZ2Compressor(glnzip.Compressor):
    def __init__(self, compresslevel=BZ2_LEVEL):
        super().__init__(compresslevel)


class BZ2Decompressor(glnzip.Decompressor):
    def __init__(self):
        super().__init__()


def _bz2_open(filename, mode="rb", compresslevel=BZ2_LEVEL, **text_arguments):
    return glnzip.open(filename, mode, level=compresslevel, **text_arguments)


def _bz2_compress(data, compresslevel=BZ2_LEVEL):
    return glnzip.compress(data, level=compresslevel)


bz2 = SimpleNamespace(
    BZ2File=BZ2File,
    BZ2Compressor=BZ2Compressor,
    BZ2Decompressor=BZ2Decompressor,
    open=_bz2_open,
    compress=_bz2_compress,
    decompress=glnzip.decompress,
)


class Streams:
    """The module with the reader of both; tests set how much it reads at a time."""

    @property
    def BUFFER_SIZE(self) -> int:  # noqa: N802
        return frame_reader._READ_BYTES

    @BUFFER_SIZE.setter
    def BUFFER_SIZE(self, size: int) -> None:  # noqa: N802
        frame_reader._READ_BYTES = size
