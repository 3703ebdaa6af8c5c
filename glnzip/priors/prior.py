"""Priors: what a model is defined to have seen before the first byte of a frame.

A prior file is an ordinary glnzip stream, and any stream can serve as one. The prior it stands for
is the model that has just seen the stream's blocks (their bytes, their boundaries, how they are to
be seen), starting from the prior that the stream's first frame names. So priors can be stacked, no
weights need to be stored, and `glnzip decompress` shows what is in one.

The **id** of a prior is the first four bytes of the SHA-256 of this description: the length (0 or
4) of the prior id in the first frame header, that id, then every block, of all frames, as it would
be if it were stored. It does not depend on the level or generation that the file was compressed
with. Should two priors ever share an id, the check at the end of a frame tells them apart.

The **shipped prior** comes with this package and is the default. Ready-made models of priors are
the business of `glnzip.priors.prepared`; nothing here loads a model before it is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import sha256
from os import PathLike, fsdecode
from pathlib import Path
from typing import TYPE_CHECKING

from glnzip.errors import (
    BadPriorError,
    CorruptStreamError,
    PriorMismatchError,
    TruncatedStreamError,
    UnsupportedStreamError,
)
from glnzip.format.container import PRIOR_ID_BYTES
from glnzip.format.levels import NO_LIMITS, Allowance
from glnzip.format.walk import FrameInfo, frame_info
from glnzip.priors.reader import Bookmark, PriorFrame
from glnzip.priors.watching import watched

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrPath

    from glnzip.coding.block_codec import BlockCodec

SHIPPED_PRIOR_HASH = "9ab5415ac0dd502e5a721650d7e71976b78f3daa337866e0ff397e34d098447c"
SHIPPED_PRIOR_ID = SHIPPED_PRIOR_HASH[: 2 * PRIOR_ID_BYTES]
SHIPPED_FILE = Path(__file__).parents[1] / "data" / "shipped.gln"
MAX_PRIOR_BYTES = 1 << 26
"""Original bytes in a prior file. The model sees them all, at some 100 KB a second."""

_MOST_FILE_BYTES = 2 * MAX_PRIOR_BYTES


class Prior:
    """What a model has seen before the first byte.

    Parameters
    ----------
    data
        The bytes of a prior file: any glnzip stream.
    prior
        The prior that the stream itself was compressed with, or the path of its file, unless that
        is none or the shipped one.
    name
        What errors call it: its file.

    Raises
    ------
    BadPriorError
        If the headers of the stream are damaged, or it holds more than 64 MB of data.
    PriorMismatchError
        If the stream needs a prior that was not given.

    Notes
    -----
    The data are decoded, and verified, when they are first needed: to know the `id`, or to prepare
    a model. Both results are kept in the user's cache folder, under the whole hash of the prior.
    Data that turn out to be damaged raise a BadPriorError then.

    Priors are equal if their `content_hash` is: they mean the same, however they were compressed.
    """

    def __init__(
        self, data: ReadableBuffer, *, prior: Prior | StrPath | None = None, name: str = ""
    ) -> None:
        self._data = bytes(data)
        self._prior = as_prior(prior)
        self._hash: str | None = None
        self._title = f"the prior {name}" if name else "the prior"
        with self.blamed():
            if self.original_bytes > MAX_PRIOR_BYTES:
                raise BadPriorError(
                    f"{self._title} cannot be used: {self.original_bytes:,} bytes of data are too "
                    f"long for a prior; the limit is {MAX_PRIOR_BYTES:,}"
                )
            base_id = self._base_id
        try:
            self._base = prior_for(base_id, self._prior)
        except PriorMismatchError as error:
            raise PriorMismatchError(f"{self._title} was made with another one: {error}") from error

    @classmethod
    def load(cls, path: StrPath, *, prior: Prior | StrPath | None = None) -> Prior:
        """Read a prior file; `prior` is as in the constructor."""
        name = fsdecode(path)
        with open(path, "rb") as file:
            data = file.read(_MOST_FILE_BYTES + 1)
        if len(data) > _MOST_FILE_BYTES:
            raise BadPriorError(f"the prior {name} cannot be used: the file is too long for one")
        return cls(data, prior=prior, name=name)

    def __repr__(self) -> str:
        return f"<glnzip.Prior {self.id}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Prior):
            return NotImplemented
        return self is other or self.content_hash == other.content_hash

    def __hash__(self) -> int:
        return hash(self.content_hash)

    @property
    def data(self) -> bytes:
        """The bytes of the prior file."""
        return self._data

    @property
    def base(self) -> Prior | None:
        """The prior that this one starts from."""
        return self._base

    @property
    def id(self) -> str:
        """What names the prior in frame headers, in hexadecimal."""
        return self.content_hash[: 2 * PRIOR_ID_BYTES]

    @property
    def content_hash(self) -> str:
        """The whole of the hash that the id is the beginning of, in hexadecimal."""
        if not self.hash_is_known:
            with watched(f"reading {self._title}", self.original_bytes) as report:
                for frame in self.frames():
                    for _ in frame.blocks(report):
                        pass
        assert self._hash is not None, "going through all frames has found it"
        return self._hash

    @property
    def title(self) -> str:
        """What messages call it."""
        return self._title

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

    @property
    def frames_and_bases(self) -> list[tuple[FrameInfo, Prior | None]]:
        """What the headers of all frames say, and the priors that these need to be decoded."""
        bases = {None: None, SHIPPED_PRIOR_ID: SHIPPED_PRIOR}
        return [(frame, bases.get(frame.prior_id, self._prior)) for frame in self._outline]

    @cached_property
    def _outline(self) -> list[FrameInfo]:
        return list(frame_info(self.data))

    def frames(
        self, bookmark: Bookmark | None = None, codec: BlockCodec | None = None
    ) -> Iterator[PriorFrame]:
        """The frames of the stream; each must be decoded to its end before the next is asked for.

        They need not have the same level. What they name as their priors after the first is needed
        to decode them and is no part of this prior. With a bookmark, those from there on; `codec`
        is the one that had come as far. Raises BadPriorError if one is damaged.
        """
        from glnzip.streams.frame_decoder import FrameState

        base = self._base_id or b""
        start, at, check, described = bookmark or (0, 0, 0, bytes([len(base)]) + base)
        description = bytearray(described)
        while at < len(self.data):
            state = FrameState(self._prior, unread=bytearray(self.data[at:]), check=check)
            state.codec = codec
            frame = PriorFrame(self, start, state, description)
            yield frame
            start = at = frame.position
            check, codec = 0, None
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

    @cached_property
    def _base_id(self) -> bytes | None:
        named = self._outline[0].prior_id
        return None if named is None else bytes.fromhex(named)

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
            if PREPARING_SOURCES.are_unchanged():
                with suppress(OSError):
                    open_folder(PREPARED_FOLDER, make=True).write(self._hash_file, found)
        elif self._hash != found.hex():
            raise BadPriorError(f"{self._title} is not the one of that name: its content differs")

    @property
    def _hash_file(self) -> str:
        return f"{sha256(self.data).hexdigest()}.hash"


class _ShippedPrior(Prior):
    """The prior in this package; its file is read when its data are needed."""

    def __init__(self) -> None:
        self._prior = self._base = None
        self._hash = SHIPPED_PRIOR_HASH
        self._title = "the shipped prior"

    @cached_property
    def data(self) -> bytes:
        return SHIPPED_FILE.read_bytes()


SHIPPED_PRIOR: Prior = _ShippedPrior()
"""The prior that comes with this package, and the default everywhere."""


def as_prior(prior: Prior | StrPath | None) -> Prior | None:
    """What a caller means by a prior: the prior itself, the path of its file, or none.

    Raises
    ------
    TypeError
        If it is neither.
    OSError, BadPriorError, PriorMismatchError
        If the file cannot be read or used.
    """
    if prior is None or isinstance(prior, Prior):
        return prior
    if isinstance(prior, str | PathLike):
        return Prior.load(prior)
    raise TypeError(f"a glnzip.Prior, a path or None is needed, not {type(prior).__name__}")


def prior_for(
    needed: bytes | None, given: Prior | None, allowance: Allowance = NO_LIMITS
) -> Prior | None:
    """The prior that a frame header names, which is none, the shipped one or the one given.

    Raises
    ------
    PriorMismatchError
        If it is another one.
    MemoryLimitError, NotPreparedError
        If to know that takes more than is allowed.
    """
    if needed is None:
        return None
    if needed.hex() == SHIPPED_PRIOR_ID:
        return SHIPPED_PRIOR
    if given is not None:
        from glnzip.priors.prepared import check_reading_allowed

        check_reading_allowed(given, allowance)
    if given is None or given.id == SHIPPED_PRIOR_ID:
        raise PriorMismatchError(f"the stream needs the prior {needed.hex()}; none was given")
    if given.id != needed.hex():
        raise PriorMismatchError(
            f"the stream needs the prior {needed.hex()}; the one given is {given.id}"
        )
    return given
