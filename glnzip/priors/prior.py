"""Priors: what a model is defined to have seen before the first byte of a frame.

Any glnzip stream can serve as a prior file. The prior it stands for is the model that has just seen
the stream's blocks (their bytes, their boundaries, how they are to be seen), starting from the
prior that the stream's first frame names. So priors can be stacked, no weights need to be stored,
and `glnzip decompress` shows what is in one. Plain frames (`plain_frame`) have no other use; what
is in those, `xz -d` shows.

The **id** of a prior is the first four bytes of the SHA-256 of this description: the length (0 or
4) of the prior id in the first frame header, that id, then every block, of all frames, as it would
be if it were stored, and what says which are memorised. It does not depend on the level or
generation that the file was compressed with. Should two priors ever share an id, the check at the
end of a frame tells them apart.

The **shipped prior** comes with this package and is the default. Ready-made models of priors are
the business of `glnzip.priors.prepared`; nothing here loads a model before it is needed.
"""

from __future__ import annotations

from functools import cached_property, partial
from os import PathLike, fsdecode
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glnzip.errors import BadPriorError, PriorMismatchError
from glnzip.format.container import PRIOR_ID_BYTES, FrameHeader
from glnzip.format.walk import FrameInfo
from glnzip.priors.allowance import NO_LIMITS, Allowance, check_reading_allowed
from glnzip.priors.opening import open_codec
from glnzip.priors.prior_file import MAX_PRIOR_BYTES, read_file
from glnzip.priors.prior_stream import PriorStream
from glnzip.priors.watching import Report, heard_by

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrPath

    from glnzip.coding.block_codec import OpenCodec

SHIPPED_PRIOR_HASH = "d3a9030054142c0c4471769ba8d2f2fd987bf14d1f892bcd73213a5b0b6e27b5"
SHIPPED_PRIOR_ID = SHIPPED_PRIOR_HASH[: 2 * PRIOR_ID_BYTES]
SHIPPED_FILE = Path(__file__).parents[1] / "data" / "shipped.gln.xz"


_DECODED = ("stream", "original_bytes", "_outline", "_base_id", "_seen")
"""What a prior has worked out of its data, as attributes."""


class Prior(PriorStream):
    """What a model has seen before the first byte.

    Parameters
    ----------
    data
        The bytes of a prior file: any glnzip stream, or one packed by xz.
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

    _noun = "the prior"

    def __init__(
        self, data: ReadableBuffer, *, prior: Prior | StrPath | None = None, name: str = ""
    ) -> None:
        super().__init__(f"{self._noun} {name}".rstrip())
        self._data = bytes(data)
        self._prior = as_prior(prior)
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
            raise PriorMismatchError(f"{self._title} was made from another: {error}") from error

    @classmethod
    def load(cls, path: StrPath, *, prior: Prior | StrPath | None = None) -> Prior:
        """Read a prior file; `prior` is as in the constructor."""
        name = fsdecode(path)
        return cls(read_file(path, name), prior=prior, name=name)

    def __repr__(self) -> str:
        return f"<glnzip.Prior {self.id}>"

    def __getstate__(self) -> dict[str, Any]:
        """Pickle it as it was made, with its hash if that is known; nothing that was decoded."""
        return {name: value for name, value in vars(self).items() if name not in _DECODED}

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
    def frames_and_bases(self) -> list[tuple[FrameInfo, Prior | None]]:
        """What the headers of all frames say, and the priors that these need to be decoded."""
        bases = {None: None, SHIPPED_PRIOR_ID: SHIPPED_PRIOR}
        return [(frame, bases.get(frame.prior_id, self._prior)) for frame in self._outline]

    def open_frame(self, header: FrameHeader) -> OpenCodec:
        return open_frame(header, self._prior)

    def has_seen(self, data: bytes) -> bool:
        """Whether a model with this prior knows these bytes, which others have packed, as they are.

        Then they need not be unpacked for it. No prior says so but a `Base`.
        """
        return False


class _ShippedPrior(Prior):
    """The prior in this package; its file is read when its data are needed."""

    def __init__(self) -> None:
        PriorStream.__init__(self, "the shipped prior", SHIPPED_PRIOR_HASH)
        self._prior = self._base = None

    @cached_property
    def data(self) -> bytes:
        return SHIPPED_FILE.read_bytes()

    def __reduce__(self) -> str:
        """Pickle it by name: whoever has this package has it."""
        return "SHIPPED_PRIOR"

    @property
    def frames_and_bases(self) -> list[tuple[FrameInfo, Prior | None]]:
        """None: its frame is plain, so no other model reads it, and nobody need unpack it."""
        return []


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
        check_reading_allowed(given, allowance)
    if given is None or given.id == SHIPPED_PRIOR_ID:
        raise PriorMismatchError(f"the stream needs the prior {needed.hex()}; none was given")
    if given.id != needed.hex():
        raise PriorMismatchError(
            f"the stream needs the prior {needed.hex()}; the one given is {given.id}"
        )
    return given


def open_frame(
    header: FrameHeader,
    given: Prior | None = None,
    allowance: Allowance = NO_LIMITS,
    progress: Report | None = None,
) -> OpenCodec:
    """What opens the codec of a frame; see `glnzip.priors.opening.open_codec`.

    What a header alone can tell is told at once: that the model takes more than is allowed, or that
    the prior is another one than that given (the errors of `prior_for`).
    """
    allowance.check_memory(header.level)
    with heard_by(progress):
        prior = prior_for(header.prior_id, given, allowance)
    return partial(open_codec, header.level, prior, allowance, progress)
