"""Chunks of arrays to frames and back, and what the metadata of the array say of it.

Metadata outlive the program and the machine that wrote them. A frame names the prior that it needs
by an id; no prior, or the shipped one, is at hand wherever glnzip is. For a prior of the user's own
the metadata hold the path that it had, and its id. So another file at this path is not mistaken for
it, neither in reading nor in writing more chunks, and whoever reads the array elsewhere is told
which prior is missing, and names its file in the environment variable ``GLNZIP_PRIOR``.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import glnzip
from glnzip.format.levels import check_level
from glnzip.plugins.turns import turn
from glnzip.priors.naming import PRIOR_VARIABLE, SHIPPED

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@dataclass(frozen=True)
class ChunkCoder:
    """Compress the chunks of an array, each alone.

    Parameters
    ----------
    level
        1 (fast) to 9 (small). It sets the memory that each thread takes, also in reading.
    prior
        What the model has seen before a chunk: ``"shipped"`` for the prior that comes with glnzip,
        None for nothing, or the path of a prior file.
    prior_id
        Which prior that file holds. Metadata name it; it is found out where it is None.

    Raises
    ------
    ValueError
        If there is no such level, or the prior that an id is given for is no file.
    OSError, glnzip.GlnzipError
        If the id is to be found out, and the file cannot be read or used.
    """

    level: int = glnzip.DEFAULT_LEVEL
    prior: str | None = SHIPPED
    prior_id: str | None = None

    def __post_init__(self) -> None:
        self._set("level", check_level(self.level))
        if self.prior in (None, SHIPPED):
            if self.prior_id is not None:
                raise ValueError(f"prior_id is that of a file, and the prior is {self.prior!r}")
        else:
            self._set("prior", os.fsdecode(self.prior))
            if self.prior_id is None:
                self._set("prior_id", glnzip.Prior.load(self.prior).id)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)  # as dataclasses do in what is frozen

    def configuration(self) -> dict[str, Any]:
        """The parameters, to be stored as JSON."""
        said: dict[str, Any] = {"level": self.level, "prior": self.prior}
        return said if self.prior_id is None else {**said, "prior_id": self.prior_id}

    def compress(self, chunk: ReadableBuffer) -> bytes:
        """A chunk as a frame.

        Raises
        ------
        PriorMismatchError
            If the prior is a file that is not there, or is another one by now.
        GlnzipError
            If there is not enough memory for the model.
        """
        with turn(self.level):
            return glnzip.compress(chunk, level=self.level, prior=self._loaded_prior())

    def decompress(self, frame: ReadableBuffer, max_output: int | None = None) -> bytes:
        """The chunk in a frame, `max_output` bytes at most; errors as in `glnzip.decompress`."""
        with turn(self.level):
            return glnzip.decompress(frame, prior=self._loaded_prior(), max_output=max_output)

    def _loaded_prior(self) -> glnzip.Prior | None:
        if self.prior is None:
            return None
        if self.prior_id is None:
            return glnzip.SHIPPED_PRIOR
        return _prior_from(self.prior, self.prior_id, os.environ.get(PRIOR_VARIABLE))


@lru_cache(maxsize=4)
def _prior_from(path: str, prior_id: str, other_path: str | None) -> glnzip.Prior:
    """The prior of this id, from either file."""
    found = []
    for name in filter(None, (path, other_path)):
        try:
            prior = glnzip.Prior.load(name)
            if prior.id == prior_id:
                return prior
            found.append(f"{name} has the prior {prior.id}")
        except (OSError, glnzip.GlnzipError) as error:
            found.append(str(error))
    raise glnzip.PriorMismatchError(
        f"the array needs the prior {prior_id} ({'; '.join(found)}); "
        f"let {PRIOR_VARIABLE} be the path of its file"
    )
