"""A model's arrays as one file that can be mapped into memory.

    offset 0       magic and digest; zeros up to the end of the page
    then           the arrays in the order of the model's fields, each at the start of a page

Pages of zeros are holes, which take no disk. The file says nothing about its arrays: whoever opens
it passes a model of the same shape, which also has the types that the kernels were compiled for.

A wrong image would mean wrong output, so **all of it is verified** when it is opened: the digest is
the SHA-256 of the label, of every array's name, type and shape, and of the sum of each page, taken
as 64-bit words. The sums are computed as fast as memory can be read, hundreds of megabytes in some
hundredths of a second, and catch what can happen to a file of one's own that appears whole or not
at all: flipped bits, and pages lost, zeroed or exchanged. (They could not stop somebody who writes
an image on purpose; the folder that it lies in does.) A file that cannot be opened, is not private
to the user or does not match is no image.

Once open, a model can be had from it in two ways, with equal content. *Mapped*, it costs nothing
until a page is touched, and a page written to becomes a copy of this model's own: best for little
data. *Read*, it is copied at once to memory of large pages, where the model runs a third faster
(`spare_memory`); the parts of it that the data do not need are mapped then, too.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import weakref
from collections.abc import Callable, Collection, Iterator
from threading import Lock
from typing import Any, BinaryIO, Generic, TypeVar

import numpy as np

from glnzip.gln.aligned import aligned_copy
from glnzip.priors.spare_memory import new_memory

Tree = TypeVar("Tree", bound="tuple[Any, ...]")

MAGIC = b"glnzip primed 1\0"
PAGE_BYTES = 4096
_WORDS = PAGE_BYTES // 8
_SLICE_BYTES = 1 << 20
_PIECE_BYTES = 1 << 24
_READERS = 4
_position_is_ours = Lock()


class BadImageError(Exception):
    """The file is no image of such a model, or is damaged."""


class StateImage(Generic[Tree]):
    """An open image, verified.

    Parameters
    ----------
    file
        The image; a descriptor of its own is kept for as long as this object lives.
    label
        What it must have been written for.
    make
        Makes a model of the same shape. It is looked at and dropped at once: a model takes memory.

    Raises
    ------
    BadImageError, OSError
        If there is no such image in the file.
    """

    def __init__(self, file: BinaryIO, label: str, make: Callable[[], Tree]) -> None:
        self._descriptor = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._descriptor)
        self._like = _outline(make())
        layout, self._offsets, self._size = _layout(self._like)
        if os.fstat(self._descriptor).st_size != self._size:
            raise BadImageError("the size is wrong")
        file.seek(0)
        first_page = file.read(PAGE_BYTES)
        if not first_page.startswith(MAGIC + _digest(label, layout, _sums_of_pages(file))):
            raise BadImageError("the digest does not match")

    def mapped(self) -> Tree:
        """A model on pages of the file that are copied when they are first written to."""
        return self.read(())

    def read(self, parts: Collection[str] | None = None) -> Tree:
        """A model of which these fields, or all of them, are in memory of its own."""
        try:
            pages = mmap.mmap(self._descriptor, 0, access=mmap.ACCESS_COPY)
        except OSError as error:
            raise MemoryError("an image cannot be mapped") from error
        memory = pages if parts == () else new_memory(self._size)
        arrays, pieces = [], []
        for (name, like), offset in zip(named_arrays(self._like), self._offsets, strict=True):
            is_read = parts is None or name.split(".")[1] in parts
            array = np.ndarray(like.shape, like.dtype, memory if is_read else pages, offset)
            arrays.append(array.view(type(like)))
            end = offset + like.nbytes if is_read else offset
            for start in range(offset, end, _PIECE_BYTES):
                pieces.append((memory[start : min(start + _PIECE_BYTES, end)], start))
        if pieces:
            self._read_pieces(pieces)
        return _rebuilt(self._like, iter(arrays))

    def _read_pieces(self, pieces: list[tuple[Any, int]]) -> None:
        """Several at once: one thread alone would be half as fast."""
        from concurrent.futures import ThreadPoolExecutor  # mapped models do without

        with ThreadPoolExecutor(_READERS) as readers:
            for _ in readers.map(self._read_piece, pieces):
                pass

    def _read_piece(self, piece: tuple[Any, int]) -> None:
        """Fill memory from the file, past the page cache's mappings: those would count twice."""
        content, offset = piece
        if _read_at(self._descriptor, content, offset) != content.size:
            raise OSError("an image has become shorter")


def _read_at(descriptor: int, content: Any, offset: int) -> int:
    """Fill an array with the bytes of a file from `offset`; return how many there were."""
    if hasattr(os, "preadv"):
        return os.preadv(descriptor, [content], offset)
    with _position_is_ours:  # Windows: a file has one position for all threads
        os.lseek(descriptor, offset, os.SEEK_SET)
        data = os.read(descriptor, content.size)
    content[: len(data)] = np.frombuffer(data, np.uint8)
    return len(data)


def write_image(file: BinaryIO, label: str, model: Tree) -> None:
    """Write the image of a model to an empty file; the digest goes last."""
    layout, offsets, size = _layout(model)
    sums = []
    for (_, array), offset in zip(named_arrays(model), offsets, strict=True):
        content = array.view(np.ndarray).reshape(-1).view(np.uint8)
        for start in range(0, content.size, _SLICE_BYTES):
            pages = _pages(content[start : start + _SLICE_BYTES])
            sums.append(pages.sum(axis=1, dtype=np.uint64))
            used = np.flatnonzero(pages.any(axis=1))
            for run in np.split(used, np.flatnonzero(np.diff(used) > 1) + 1):
                if run.size:
                    file.seek(offset + start + int(run[0]) * PAGE_BYTES)
                    file.write(pages[run[0] : run[-1] + 1].data.cast("B"))
    file.truncate(size)
    file.seek(0)
    file.write(MAGIC + _digest(label, layout, np.concatenate(sums)))


def copied(model: Tree) -> Tree:
    """A model of equal content in memory of its own."""
    copy: Tree = _rebuilt(model, (aligned_copy(array) for _, array in named_arrays(model)))
    return copy


def named_arrays(tree: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays of a model in the order of its fields, each with its name."""
    if isinstance(tree, tuple):
        for field, part in zip(tree._fields, tree, strict=True):  # type: ignore[attr-defined]
            yield from named_arrays(part, f"{name}.{field}")
    else:
        yield name, tree


def _outline(model: Tree) -> Tree:
    """The same tree of arrays that have type and shape, and no memory."""
    arrays = (
        np.broadcast_to(np.zeros((), array.dtype).view(type(array)), array.shape, subok=True)
        for _, array in named_arrays(model)
    )
    outline: Tree = _rebuilt(model, arrays)
    return outline


def _rebuilt(tree: Any, arrays: Iterator[Any]) -> Any:
    """A model of the form of `tree`, of these arrays."""
    if isinstance(tree, tuple):
        return type(tree)(*(_rebuilt(part, arrays) for part in tree))
    return next(arrays)


def _layout(model: Any) -> tuple[str, list[int], int]:
    """What the arrays are, in words; where each begins in the file; the size of the file."""
    words, offsets, end = [], [], PAGE_BYTES
    for name, array in named_arrays(model):
        words.append(f"{name} {array.dtype.descr} {array.dtype.itemsize} {array.shape}\n")
        offsets.append(end)
        end += -(-array.nbytes // PAGE_BYTES) * PAGE_BYTES
    return "".join(words), offsets, end


def _sums_of_pages(file: BinaryIO) -> Any:
    """The sums of all whole pages from here on: uint64[pages].

    They are read, as mapped ones would count as memory of this process.
    """
    pages = np.empty((_SLICE_BYTES // PAGE_BYTES, _WORDS), np.uint64)
    sums = []
    while count := file.readinto(pages.data.cast("B")) // PAGE_BYTES:  # type: ignore[attr-defined]
        sums.append(pages[:count].sum(axis=1, dtype=np.uint64))
    return np.concatenate(sums)


def _pages(content: Any) -> Any:
    """Bytes as whole pages of 64-bit words, the last one filled up with zeros."""
    missing = -content.size % PAGE_BYTES
    if missing:
        content = np.concatenate((content, np.zeros(missing, np.uint8)))
    return content.view(np.uint64).reshape(-1, _WORDS)


def _digest(label: str, layout: str, sums: Any) -> bytes:
    return hashlib.sha256(f"{label}\n{layout}\n".encode() + sums.tobytes()).digest()
