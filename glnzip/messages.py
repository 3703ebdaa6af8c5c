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
late. The model is put back after each one (`glnzip.rewind`).
"""

from __future__ import annotations

from operator import index
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

from glnzip.errors import CorruptStreamError, OutputLimitError
from glnzip.levels import DEFAULT_LEVEL, check_level
from glnzip.prior import SHIPPED_PRIOR, Prior
from glnzip.streaming import byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

MAX_MESSAGE_BYTES = 1 << 20
MAX_CHECK_BYTES = 4
DEFAULT_CHECK_BYTES = 1
_STORED = b"\xff"


class MessageCodec:
    def __init__(
        self,
        level: int = DEFAULT_LEVEL,
        *,
        prior: Prior | None = SHIPPED_PRIOR,
        check_bytes: int = DEFAULT_CHECK_BYTES,
    ) -> None:
        self._level = check_level(level)
        self._prior = prior
        self._check_bytes = index(check_bytes)
        if not 0 <= self._check_bytes <= MAX_CHECK_BYTES:
            raise ValueError(f"check_bytes must be 0 to {MAX_CHECK_BYTES}, not {check_bytes}")
        self._lock = Lock()
        self._coder = None

    def compress(self, data: ReadableBuffer) -> bytes:
        original = bytes(byte_view(data))
        if len(original) > MAX_MESSAGE_BYTES:
            raise ValueError("too long")
        if not original:
            return b""
        with self._lock:
            coded = self._ready().encode(original)
        return (_STORED + original if coded is None else coded) + self._check(original)

    def decompress(self, data: ReadableBuffer, *, max_length: int = MAX_MESSAGE_BYTES) -> bytes:
        message = bytes(byte_view(data))
        if not message:
            return b""
        body = message[: len(message) - self._check_bytes]
        if not body or body == _STORED:
            raise CorruptStreamError("the message is too short")
        if body[:1] == _STORED:
            original = body[1:]
            if len(original) > max_length:
                raise OutputLimitError("")
        else:
            with self._lock:
                original = self._ready().decode(body, max_length)
        if message[len(body):] != self._check(original):
            raise CorruptStreamError("the check does not match")
        return original

    def _check(self, original):
        return crc32(original).to_bytes(4, "little")[: self._check_bytes]

    def _ready(self):
        if self._coder is None:
            from glnzip.message_coder import MessageCoder
            self._coder = MessageCoder(self._level, self._prior)
        return self._coder
