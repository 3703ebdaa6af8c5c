"""Numbers of docs/FORMAT.md, and what is done where something does not fit."""

from __future__ import annotations


class DamagedError(Exception):
    """Something is out of its range, or does not fit."""


def require(fits: bool) -> None:
    if not fits:
        raise DamagedError


class Numbers:
    """Bytes that are read from the front: LEB128 numbers, and others."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def next(self) -> int:
        """A number."""
        value = shift = 0
        while True:
            (byte,) = self.take(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                require(byte > 0 or shift == 7)
                return value

    def below(self, limit: int) -> int:
        """A number that must be less."""
        value = self.next()
        require(value < limit)
        return value

    def take(self, count: int) -> bytes:
        """So many bytes."""
        require(self.at + count <= len(self.data))
        self.at += count
        return self.data[self.at - count : self.at]

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return len(self.data) - self.at

    def rest(self) -> bytes:
        """All that are left."""
        return self.take(self.left)
