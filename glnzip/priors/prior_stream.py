"""A stream that stands for a prior: what its headers say, its blocks, the hash of what they are.

How its frames are opened takes models, which may have to see other priors first. So that is not
known here: models are prepared from such streams (`glnzip.priors.prepared`), and
`glnzip.priors.prior`, above them, has the priors that open their own frames.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from glnzip.errors import (
    BadPriorError,
    CorruptStreamError,
    PriorMismatchError,
    TruncatedStreamError,
    UnsupportedStreamError,
)
from glnzip.format.container import FrameHeader
from glnzip.format.walk import FrameInfo, frame_info
from glnzip.frames.decoder import FrameState
from glnzip.priors.plain_frame import PlainFrame, is_plain
from glnzip.priors.prior_file import unpacked
from glnzip.priors.reader import Bookmark, PriorFrame
from glnzip.priors.watching import Report, watched

if TYPE_CHECKING:
    from glnzip.coding.block_codec import BlockCodec, OpenCodec


class PriorStream(ABC):
    """A stream that stands for a prior.

    Parameters
    ----------
    title
        What messages call it.
    content_hash
        Its hash, where that is known beforehand.
    """

    is_kept = True
    """Whether what is made of it is kept in the user's cache folder, for later processes."""

    def __init__(self, title: str, content_hash: str | None = None) -> None:
        self._title = title
        self._hash = content_hash

    @property
    @abstractmethod
    def data(self) -> bytes:
        """The bytes of the prior file."""

    @cached_property
    def stream(self) -> bytes:
        """The stream in the file, which may be packed by xz."""
        with self.blamed():
            return unpacked(self.data)

    @property
    @abstractmethod
    def base(self) -> PriorStream | None:
        """The prior that this one starts from."""

    @property
    @abstractmethod
    def frames_and_bases(self) -> Sequence[tuple[FrameInfo, PriorStream | None]]:
        """What the headers of all frames say, and the priors that these need to be decoded."""

    @abstractmethod
    def open_frame(self, header: FrameHeader) -> OpenCodec:
        """What opens the codec of a frame of the stream."""

    @property
    def title(self) -> str:
        """What messages call it."""
        return self._title

    @property
    def content_hash(self) -> str:
        """The whole of the hash that the id is the beginning of, in hexadecimal."""
        if not self.hash_is_known:
            with watched(f"reading {self._title}", self.original_bytes) as report:
                self._find_hash(report)
        assert self._hash is not None, "going through all frames has found it"
        return self._hash

    @property
    def hash_is_known(self) -> bool:
        """Whether `id` and `content_hash` can be told without decoding the stream."""
        if self._hash is None:
            self._hash = self._kept_hash()
        return self._hash is not None

    @cached_property
    def original_bytes(self) -> int:
        """How many bytes the model has seen."""
        return sum(frame.original_bytes for frame in self._outline)

    @cached_property
    def _outline(self) -> Sequence[FrameInfo]:
        """What the headers of all frames say."""
        return list(frame_info(self.stream))

    @cached_property
    def _base_id(self) -> bytes | None:
        """What the first frame names as its prior."""
        named = self._outline[0].prior_id
        return None if named is None else bytes.fromhex(named)

    def frames(
        self, bookmark: Bookmark | None = None, codec: BlockCodec | None = None
    ) -> Iterator[PriorFrame | PlainFrame]:
        """The frames of the stream; each must be decoded to its end before the next is asked for.

        They need not have the same level. What they name as their priors after the first is needed
        to decode them and is no part of this prior. With a bookmark, those from there on; `codec`
        is the one that had come as far. Raises BadPriorError if one is damaged.
        """
        base = self._base_id or b""
        start, at, check, described, memorised = bookmark or Bookmark(
            0, 0, 0, bytes([len(base)]) + base
        )
        description = bytearray(described)
        while at < len(self.stream):
            frame: PriorFrame | PlainFrame
            if is_plain(self.stream, start):
                frame = PlainFrame(
                    self.stream, start, at, description, self.blamed, memorised=memorised
                )
            else:
                state = FrameState(
                    self.open_frame, packs=False, unread=bytearray(self.stream[at:]), check=check
                )
                state.codec = codec
                frame = PriorFrame(self.stream, start, state, description, self.blamed)
            yield frame
            start = at = frame.position
            check, codec, memorised = 0, None, False
        self._learn_hash(sha256(description).digest())

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Within the block, what is wrong with the stream is said of the prior.

        It is read while other data are dealt with, which nobody should take for damaged.
        """
        try:
            yield
        except (CorruptStreamError, TruncatedStreamError) as error:
            raise BadPriorError(f"{self._title} is damaged: {error}") from error
        except (UnsupportedStreamError, PriorMismatchError) as error:
            raise BadPriorError(f"{self._title} cannot be used: {error}") from error

    def _find_hash(self, report: Report) -> None:
        """Go through all frames."""
        for frame in self.frames():
            for _ in frame.blocks(report):
                pass

    def _kept_hash(self) -> str | None:
        """The hash as it was found earlier, if that was kept."""
        from glnzip.cache import open_folder
        from glnzip.cache.build import PREPARED_FOLDER

        with suppress(OSError):
            known = open_folder(PREPARED_FOLDER).read(self._hash_file)
            return None if known is None else known.hex()
        return None

    def _learn_hash(self, found: bytes) -> None:
        """Keep a hash that was found, if that can be done."""
        from glnzip.cache import open_folder
        from glnzip.cache.build import PREPARED_FOLDER, PREPARING_SOURCES

        if self._hash is None:
            self._hash = found.hex()
            if self.is_kept and PREPARING_SOURCES.are_unchanged():
                with suppress(OSError):
                    open_folder(PREPARED_FOLDER, make=True).write(self._hash_file, found)
        elif self._hash != found.hex():
            raise BadPriorError(f"{self._title} has the id of another prior: the contents differ")

    @property
    def _hash_file(self) -> str:
        return f"{sha256(self.data).hexdigest()}.hash"
