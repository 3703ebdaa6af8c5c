"""What stands for a function in the kernels that call it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any


class Part:
    """A function that kernels call, of which Numba knows nothing until it compiles one of them.

    Attributes
    ----------
    py_func : callable
        The function in plain Python.
    compiled : object
        What Numba calls in its place. Called from Python, a part runs this.
    """

    def __init__(self, function: Callable[..., Any], compiled: Callable[[], Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._compiled = compiled

    @cached_property
    def compiled(self) -> Any:
        return self._compiled()

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)
