"""Work that may be left to a thread, in the midst of what is done here."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any, TypeVar

Outcome = TypeVar("Outcome")


class Errand(Future[Outcome]):
    """Some work, to be called once, wherever; then its `result` is what came of it, or an error.

    Whoever has more to do before and after it can be a generator that yields it:

    >>> def steps():
    ...     errand = Errand(lambda: 6 * 7)
    ...     yield errand
    ...     print(errand.result())
    >>> for errand in steps():
    ...     errand()
    42
    """

    def __init__(self, work: Callable[[], Outcome]) -> None:
        super().__init__()
        self._work = work

    def __call__(self) -> None:
        """Do the work."""
        try:
            outcome = self._work()
        except BaseException as error:
            self.set_exception(error)
        else:
            self.set_result(outcome)


Steps = Generator[Errand[Any], None, None]
"""What is to be done, with an errand in the midst of it."""
