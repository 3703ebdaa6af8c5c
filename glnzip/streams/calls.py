"""What compressors and decompressors have in common: one call at a time, and none after an error.

Both may be shared between threads: a guard lets one call in at a time. An error, or Ctrl-C, in the
middle of a call leaves the model half-way through a block, so the object refuses to go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from glnzip.errors import GlnzipError
from glnzip.system.locks import ForkedLock

if TYPE_CHECKING:
    from types import TracebackType


class Uncopied:
    """What cannot be copied or pickled, since a model half-way through its data cannot be."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__!r} object")


class CallGuard:
    """Lets one call in at a time, and none at all after the end or after a call that failed."""

    def __init__(self) -> None:
        self._lock = ForkedLock()
        self._is_in_use = False
        self._refusal: tuple[type[Exception], str] | None = None

    def refuse(self, error: type[Exception], reason: str) -> None:
        """Answer every later call with this error."""
        self._refusal = error, reason

    @property
    def refuses(self) -> bool:
        """Whether no call is let in any more."""
        return self._refusal is not None

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._lock.abandoned:
            self.refuse(GlnzipError, "another thread was using it when this process was forked")
        elif self._is_in_use and self._refusal is None:
            self._lock.release()
            raise GlnzipError("a progress callback cannot use the object that calls it")
        if self._refusal is not None:
            self._lock.release()
            error, reason = self._refusal
            raise error(reason)
        self._is_in_use = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            reason = f"an earlier call did not finish: {str(error) or type(error).__name__}"
            self.refuse(type(error) if isinstance(error, GlnzipError) else GlnzipError, reason)
        self._is_in_use = False
        self._lock.release()
