"""A model's arrays as one file that can be mapped into memory.

    offset 0       magic and digest; zeros up to the end of the page
    then           the arrays in the order of the model's fields, each at the start of a page

Pages of zeros are holes, which take no disk. The file says nothing about its arrays: whoever opens
it passes a model of the same shape, which also has the types that the kernels were compiled for.

A wrong image would mean wrong output, so **all of it is verified** when it is opened: the digest is
the SHA-256 of the label, of every array's name, type and shape, and of the 128-bit XXH3 of each
piece of an array. XXH3 is computed as fast as memory can be read, hundreds of megabytes in some
hundredths of a second, and no damage gets past it. (It could not stop somebody who writes an image
on purpose; the folder that it lies in does.) A file that cannot be opened, is not private to the
user or does not match is no image.

Once open, a model can be had from it in two ways, with equal content. *Mapped*, it costs nothing
until a page is touched, and a page written to becomes a copy of this model's own: best for the
first little data of a process. *Read*, it is copied at once to memory of large pages, where the
model runs a third faster, and sooner yet if such memory is used again (`spare_memory`); the parts
of it that the data do not need are mapped then, too. What is read is verified once more, where it
has come to lie.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, BinaryIO, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_128_digest

from glnzip.gln.aligned import aligned_copy
from glnzip.model.roles import named_arrays
from glnzip.priors.spare_memory import new_memory
from glnzip.system.locks import ForkedLock

Tree = TypeVar("Tree", bound="tuple[Any, ...]")
Work = TypeVar("Work")
Result = TypeVar("Result")
Piece = tuple[int, int]
"""Where it begins in the file, and its bytes."""
Bytes = NDArray[np.uint8]

MAGIC = b"glnzip model 1\0\0"
PAGE_BYTES = 4096
_PIECE_BYTES = 1 << 22
_READERS = 4
_position_is_ours = ForkedLock()


class BadImageError(Exception):
    """The file is no image of such a model, or is damaged."""


class ModelImage(Generic[Tree]):
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
        pieces = [
            piece
            for (_, array), offset in zip(named_arrays(self._like), self._offsets, strict=True)
            for piece in _pieces(offset, array.nbytes)
        ]
        self._sums = dict(zip(pieces, _several_at_once(self._sum_in_file, pieces), strict=True))
        file.seek(0)
        first_page = file.read(PAGE_BYTES)
        if not first_page.startswith(MAGIC + _digest(label, layout, self._sums.values())):
            raise BadImageError("the digest does not match")

    def mapped(self) -> Tree:
        """A model on pages of the file that are copied when they are first written to."""
        return self.read(())

    def read(self, parts: Collection[str] | None = None) -> Tree:
        """A model of which these fields, or all of them, are in memory of its own.

        Raises BadImageError or OSError if what is read is not what was verified.
        """
        try:
            pages = mmap.mmap(self._descriptor, 0, access=mmap.ACCESS_COPY)
        except OSError as error:
            raise MemoryError("an image cannot be mapped") from error
        memory: Any = pages if parts == () else new_memory(self._size)
        arrays: list[Any] = []
        wanted: list[tuple[Bytes, Piece]] = []
        for (name, like), offset in zip(named_arrays(self._like), self._offsets, strict=True):
            is_read = parts is None or name.split(".")[0] in parts
            array = np.ndarray(like.shape, like.dtype, memory if is_read else pages, offset)
            arrays.append(array.view(type(like)))
            if is_read:
                wanted += [
                    (memory[piece[0] : sum(piece)], piece) for piece in _pieces(offset, like.nbytes)
                ]
        _several_at_once(self._read_piece, wanted)
        return _rebuilt(self._like, iter(arrays))

    def _read_piece(self, wanted: tuple[Bytes, Piece]) -> None:
        """Fill memory from the file, past the page cache's mappings: those would count twice."""
        content, piece = wanted
        if self._sum_of(content, piece) != self._sums[piece]:
            raise BadImageError("the image has changed")

    def _sum_in_file(self, piece: Piece) -> bytes:
        try:
            memory = _of_thread.memory
        except AttributeError:
            memory = _of_thread.memory = np.empty(_PIECE_BYTES, np.uint8)
        return self._sum_of(memory[: piece[1]], piece)

    def _sum_of(self, content: Bytes, piece: Piece) -> bytes:
        """Read a piece, and tell its sum."""
        if _read_at(self._descriptor, content, piece[0]) != content.size:
            raise BadImageError("the image has become shorter")
        return xxh3_128_digest(content.data)


_of_thread = threading.local()
"""``memory`` for a piece: to ask the system for new pages each time takes as long as reading."""


def _pieces(offset: int, count: int) -> list[Piece]:
    """The pieces of an array of so many bytes that begins at `offset`."""
    end = offset + count
    return [(at, min(_PIECE_BYTES, end - at)) for at in range(offset, end, _PIECE_BYTES)]


def _several_at_once(work: Callable[[Work], Result], items: list[Work]) -> list[Result]:
    """One thread alone would be half as fast."""
    from concurrent.futures import ThreadPoolExecutor

    try:
        with ThreadPoolExecutor(_READERS) as readers:
            return list(readers.map(work, items))
    except RuntimeError:  # there is no other: the process may have no more, or Python is ending
        return list(map(work, items))


def _read_at(descriptor: int, content: Bytes, offset: int) -> int:
    """Fill an array with the bytes of a file from `offset`; return how many there were."""
    if hasattr(os, "preadv"):
        return os.preadv(descriptor, [content.data], offset)
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
        for at, count in _pieces(offset, content.size):
            piece = content[at - offset : at - offset + count]
            sums.append(xxh3_128_digest(piece))
            pages = _pages(piece)
            used = np.flatnonzero(pages.any(axis=1))
            for run in np.split(used, np.flatnonzero(np.diff(used) > 1) + 1):
                if run.size:
                    file.seek(at + int(run[0]) * PAGE_BYTES)
                    file.write(pages[run[0] : run[-1] + 1].data.cast("B"))
    file.truncate(size)
    file.seek(0)
    file.write(MAGIC + _digest(label, layout, sums))


def copied(model: Tree) -> Tree:
    """A model of equal content in memory of its own."""
    copy: Tree = _rebuilt(model, (aligned_copy(array) for _, array in named_arrays(model)))
    return copy


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


def _pages(content: Bytes) -> NDArray[np.uint64]:
    """Bytes as whole pages of 64-bit words, the last one filled up with zeros."""
    missing = -content.size % PAGE_BYTES
    if missing:
        content = np.concatenate((content, np.zeros(missing, np.uint8)))
    return content.view(np.uint64).reshape(-1, PAGE_BYTES // 8)


def _digest(label: str, layout: str, sums: Iterable[bytes]) -> bytes:
    return hashlib.sha256(f"{label}\n{layout}\n".encode() + b"".join(sums)).digest()
