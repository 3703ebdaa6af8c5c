"""Tar archives in compressed files: `open_tar`, in the shape of `tarfile.open`."""

from __future__ import annotations

import io
import os
import tarfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO

from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.streams.file_object import GlnzipFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from _typeshed import StrPath

_PIECE_BYTES = 1 << 16
_TAR_MODES = {"r": "r:", "r|": "r|", "w": "w:", "w|": "w:", "x": "x:"}
"""What `tarfile` calls them; it seeks in nothing that it writes."""


def open_tar(
    filename: StrPath | BinaryIO,
    mode: str = "r",
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    block_size: int | None = None,
    memory_limit: int | None = None,
    only_prepared: bool = False,
    progress: Callable[[int], object] | None = None,
    unpack: bool = True,
    **tar_options: Any,
) -> tarfile.TarFile:
    """Open a compressed tar archive, as `tarfile.open` opens those of gzip and xz.

    Parameters
    ----------
    filename
        A path, or a binary file object, which is left open when the archive is closed.
    mode
        ``"r"`` to read, ``"w"`` to write, ``"x"`` to write a file that must not exist yet.
        ``"r|"`` reads from one end to the other without ever going back, as from a pipe; ``"w|"``
        is ``"w"``, which never goes back.
    level, prior, block_size, memory_limit, only_prepared, progress, unpack
        As for `glnzip.open`. With a `block_size`, members are reached without all that is before
        them being decoded.
    **tar_options
        For `tarfile.TarFile`: ``format``, ``dereference``, ``encoding`` and others.

    Returns
    -------
    tarfile.TarFile
        Its end, by whatever error, closes the compressed file. Unless told otherwise, it extracts
        with the filter ``"data"``, as Python does from 3.14 on. (Before 3.10.12 and 3.11.4, Python
        has no filters.) When the last member has been passed, the check of the stream has matched.

    Raises
    ------
    ValueError
        If the mode is another one. Nothing can be added to a compressed archive.
    tarfile.ReadError
        If the data in the compressed file are no tar archive.
    GlnzipError
        If the compressed file is damaged, or cannot be decoded: see `glnzip.decompress`.

    Examples
    --------
    >>> with open_tar("folder.tar.gln", "w") as archive:
    ...     archive.add("folder")
    >>> with open_tar("folder.tar.gln") as archive:
    ...     archive.extractall("elsewhere")
    """
    if mode not in _TAR_MODES:
        why = ": nothing can be added to a compressed archive" if mode.startswith("a") else ""
        raise ValueError(f"mode {mode!r} is not one of {', '.join(_TAR_MODES)}{why}")
    open_archive: Any = _Archive.open  # its types want the mode as a literal
    open_archive(fileobj=io.BytesIO(), mode="w:", **tar_options)  # errors, before a file is opened
    with ExitStack() as stack:
        file = stack.enter_context(
            GlnzipFile(
                filename,
                mode[0],
                level=level,
                prior=prior,
                block_size=block_size,
                memory_limit=memory_limit,
                only_prepared=only_prepared,
                progress=progress,
                unpack=unpack,
            )
        )
        name = filename if isinstance(filename, (str, os.PathLike)) else None
        archive: _Archive = open_archive(name, _TAR_MODES[mode], file, **tar_options)
        archive.compressed = file
        stack.pop_all()
    return archive


class _Archive(tarfile.TarFile):
    """A tar archive that ends with the compressed file that it is in."""

    compressed: GlnzipFile
    if hasattr(tarfile, "data_filter"):
        extraction_filter = staticmethod(tarfile.data_filter)

    def next(self) -> tarfile.TarInfo | None:
        """The next member; behind the last, all is read, so that the check is verified."""
        member = super().next()
        if member is None:
            while self.fileobj.read(_PIECE_BYTES):
                pass
        return member

    def close(self) -> None:
        """Write what ends the archive, and close the compressed file, whatever happens."""
        with self.compressed:
            super().close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            super().__exit__(kind, error, traceback)
        finally:
            self.compressed.__exit__(kind, error, traceback)
