"""Messages for narrow links: short data, each alone, with next to nothing around them.

Sender and receiver have agreed on level, prior and check beforehand, so a message names none of
them, and its length is that of the packet or line it arrives in:

    no bytes               no data
    00..BF and more        coded, seen as text
    C0..FE and more        coded, seen as other data
    FF and more            stored: the data follow
    check                  0 to 4 bytes at the end: the first of the CRC-32 of the data

The first byte of a coded message belongs to the payload: its coder begins with the part of its
interval that is set aside for such a message. Where the data end is told by `coding.endings`.

Each message starts from the very same model, that of a new frame, so that any may be lost or come
late. The model is put back after each one (`glnzip.messages.undo`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from operator import index
from typing import TYPE_CHECKING
from zlib import crc32

from glnzip.errors import CorruptStreamError, OutputLimitError
from glnzip.format.levels import DEFAULT_LEVEL, check_level
from glnzip.priors.allowance import Allowance, memory_named
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.priors.watching import Report, heard_by
from glnzip.system.byte_view import byte_view
from glnzip.system.locks import ForkedLock

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrPath

    from glnzip.messages.message_coder import MessageCoder

MAX_MESSAGE_BYTES = 1 << 20
MAX_CHECK_BYTES = 4
DEFAULT_CHECK_BYTES = 1
"""Nothing else betrays that the other side has another level or prior: wrong data come out."""
_STORED = b"\xff"


class MessageCodec:
    """Compress and decompress messages, each alone.

    Both sides need the same level, prior and check, and the same generation of models: nothing in a
    message names them. The first message is quick to begin with; from the second one on a model is
    kept in memory, so that hundreds can be coded in a second. Several threads may use one object,
    one at a time.

    Parameters
    ----------
    level
        1 (fast) to 9 (small). It sets the memory that is taken.
    prior
        What the model has seen before each message, or the path of its file; None for nothing.
    check_bytes
        0 to 4: how many bytes of a CRC-32 end each message. One betrays another level or prior, and
        damage: 255 messages of 256 fail. Without any they decompress to wrong data, and nobody can
        know. That is for packets with a check of their own, and for two sides that have tried out
        what they have agreed on.
    memory_limit
        Refuse a level or prior that takes more bytes of memory, before it takes any; None for what
        the machine has.
    only_prepared
        Refuse a prior that has to be prepared first, which takes minutes.
    progress
        Called now and then with the number of bytes coded since the last call; with 0 while a prior
        is prepared. It must not use this codec.

    Examples
    --------
    >>> codec = MessageCodec()
    >>> packets = [codec.compress(message) for message in messages]
    >>> messages = [codec.decompress(packet) for packet in packets]
    """

    def __init__(
        self,
        level: int = DEFAULT_LEVEL,
        *,
        prior: Prior | StrPath | None = SHIPPED_PRIOR,
        check_bytes: int = DEFAULT_CHECK_BYTES,
        memory_limit: int | None = None,
        only_prepared: bool = False,
        progress: Report | None = None,
    ) -> None:
        self._level = check_level(level)
        self._prior = as_prior(prior)
        self._check_bytes = index(check_bytes)
        if not 0 <= self._check_bytes <= MAX_CHECK_BYTES:
            raise ValueError(f"check_bytes must be 0 to {MAX_CHECK_BYTES}, not {check_bytes}")
        self._allowance = Allowance(memory_limit, only_prepared)
        self._progress = progress
        self._lock = ForkedLock()
        self._coder: MessageCoder | None = None

    def compress(self, data: ReadableBuffer) -> bytes:
        """Return `data` as a message.

        Parameters
        ----------
        data
            Any bytes-like object, up to 1,048,576 bytes.

        Returns
        -------
        bytes
            The same on every machine, and whatever was coded before: no bytes for no data,
            otherwise at most 1 byte and the check longer than the data.

        Raises
        ------
        ValueError
            If the data are too long for a message.
        MemoryLimitError, NotPreparedError
            If the model takes more than is allowed.
        GlnzipError
            If there is not enough memory for the model.
        """
        original = bytes(byte_view(data))
        if len(original) > MAX_MESSAGE_BYTES:
            raise ValueError(
                f"{len(original):,} bytes are too long for a message; "
                f"the limit is {MAX_MESSAGE_BYTES:,}"
            )
        if not original:
            return b""
        with self._coder_at_hand() as coder:
            payload = coder.encode(original)
        body = _STORED + original if payload is None else payload
        return body + self._check(original)

    def decompress(self, data: ReadableBuffer, *, max_length: int = MAX_MESSAGE_BYTES) -> bytes:
        """Return the data of a message, verified as far as its check goes.

        Parameters
        ----------
        data
            The message, no byte more or less, as any bytes-like object.
        max_length
            Give up once the data turn out to be longer than this. Set it for messages from
            strangers: a few bytes can stand for a megabyte, and take ten seconds.

        Raises
        ------
        CorruptStreamError
            If the message is damaged, or level, prior or check are not those that it was made with.
            Without a check wrong data may come out instead.
        OutputLimitError
            If the data are longer than `max_length`.
        MemoryLimitError, NotPreparedError
            If the model takes more than is allowed.
        GlnzipError
            If there is not enough memory for the model.
        """
        message = bytes(byte_view(data))
        limit = min(index(max_length), MAX_MESSAGE_BYTES)
        if not message:
            return b""
        end = len(message) - self._check_bytes
        body, check = message[: max(end, 0)], message[max(end, 0) :]
        if body in (b"", _STORED):
            raise CorruptStreamError(f"these {len(message)} bytes are not a message")
        if body[:1] == _STORED:
            original = body[1:]
            if len(original) > limit:
                raise OutputLimitError(f"the message is longer than the {limit} bytes allowed")
        else:
            with self._coder_at_hand() as coder:
                original = coder.decode(body, limit)
        if check != self._check(original):
            raise CorruptStreamError(
                "the check of the message does not match: it is damaged, or was made with another "
                "level or prior"
            )
        return original

    def _check(self, original: bytes) -> bytes:
        return crc32(original).to_bytes(MAX_CHECK_BYTES, "little")[: self._check_bytes]

    @contextmanager
    def _coder_at_hand(self) -> Iterator[MessageCoder]:
        """The coder, for one thread at a time."""
        from glnzip.messages.message_coder import MessageCoder

        with self._lock, memory_named(self._level), heard_by(self._progress):
            if self._coder is None or self._lock.abandoned:
                self._coder = MessageCoder(
                    self._level, self._prior, self._allowance, self._progress
                )
                self._lock.abandoned = False
            yield self._coder


def compress_message(
    data: ReadableBuffer,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    check_bytes: int = DEFAULT_CHECK_BYTES,
) -> bytes:
    """Return `data` as a message: `MessageCodec.compress` for a single one."""
    return MessageCodec(level, prior=prior, check_bytes=check_bytes).compress(data)


def decompress_message(
    data: ReadableBuffer,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    check_bytes: int = DEFAULT_CHECK_BYTES,
    max_length: int = MAX_MESSAGE_BYTES,
) -> bytes:
    """Return the data of a message: `MessageCodec.decompress` for a single one."""
    codec = MessageCodec(level, prior=prior, check_bytes=check_bytes)
    return codec.decompress(data, max_length=max_length)
