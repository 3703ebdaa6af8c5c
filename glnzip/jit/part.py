"""What stands for a function in the kernels that call it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from textwrap import shorten
from typing import Any

NO_COMPILER: list[str] = []
"""Why nothing can be compiled, once that was found out; empty until then."""


class WrongResultError(TypeError):
    """A kernel returns what no kernel may."""


def in_a_line(error: Exception) -> str:
    """An error of the compiler's, which may be told on many lines."""
    return shorten(f"{type(error).__name__}: {error}", 200)


class Part:
    """A function that kernels call, of which Numba knows nothing until it compiles one of them.

    Attributes
    ----------
    py_func : callable
        The function in plain Python.
    for_kernels : object
        What Numba calls in its place.
    compiled : object
        What a call from Python runs, if it can be had.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        for_kernels: Callable[[], Any],
        compiled: Callable[[], Any],
    ) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._for_kernels = for_kernels
        self._compiled = compiled

    @cached_property
    def for_kernels(self) -> Any:
        return self._for_kernels()

    @cached_property
    def compiled(self) -> Any:
        return self._compiled()

    def __call__(self, *arguments: Any) -> Any:
        return (self.py_func if NO_COMPILER else self.compiled)(*arguments)
