"""Bases: any file as a prior, so that a new version of it takes little but what has changed."""

from __future__ import annotations

from functools import cached_property
from os import fsdecode
from typing import TYPE_CHECKING

from glnzip.errors import BadPriorError
from glnzip.priors.plain_frame import write_plain_frame
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.priors.prior_file import MAX_PRIOR_BYTES
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrPath


class Base(Prior):
    """The prior that a file stands for: a model that has seen it knows most of a new version.

    Parameters
    ----------
    data
        The bytes of the file, whatever they are.
    prior
        What the model has seen before, or the path of its file; None for nothing.
    name
        What errors call the base: its file.

    Raises
    ------
    BadPriorError
        If there are no data, or more than 64 MiB.

    Notes
    -----
    Decompressing takes the same file again: the header of the stream names the prior that it stands
    for. Models that have seen a base are not kept in the user's cache folder; each process that
    needs one makes it, a megabyte in some five seconds.

    Its `data` are a prior file like any other, with which the same streams are decompressed. To
    compress, a base does better: data that it has packed as they are stay packed.

    Examples
    --------
    >>> old = b"".join(b"%d bottles of beer on the wall; " % n for n in range(99))
    >>> new = old.replace(b"49 bottles", b"49 small bottles")
    >>> packed = compress(new, level=1, prior=Base(old, prior=None))
    >>> len(new), len(packed), decompress(packed, prior=Base(old, prior=None)) == new
    (3164, 36, True)
    """

    _noun = "the base"
    is_kept = False

    def __init__(
        self,
        data: ReadableBuffer,
        *,
        prior: Prior | StrPath | None = SHIPPED_PRIOR,
        name: str = "",
    ) -> None:
        from glnzip.priors.base_blocks import blocks_of

        title = f"{self._noun} {name}".rstrip()
        view = byte_view(data)
        if not view:
            raise BadPriorError(f"{title} cannot be used: it is empty")
        if len(view) > MAX_PRIOR_BYTES:
            raise BadPriorError(
                f"{title} cannot be used: it is longer than the limit, {MAX_PRIOR_BYTES:,} bytes"
            )
        before = as_prior(prior)
        memorised, learned = blocks_of(bytes(view))
        prior_id = None if before is None else bytes.fromhex(before.id)
        super().__init__(write_plain_frame(memorised, learned, prior_id), prior=before, name=name)
        self._find_hash(lambda count: None)  # it takes no model

    @classmethod
    def load(cls, path: StrPath, *, prior: Prior | StrPath | None = SHIPPED_PRIOR) -> Base:
        """Read the file; `prior` is as in the constructor."""
        with open(path, "rb") as file:
            return cls(file.read(MAX_PRIOR_BYTES + 1), prior=prior, name=fsdecode(path))

    def has_seen(self, data: bytes) -> bool:
        return data in self._seen

    @cached_property
    def _seen(self) -> bytes:
        """The blocks, together."""
        blocks = (each for frame in self.frames() for each in frame.blocks(lambda count: None))
        return b"".join(block for _, block in blocks)
