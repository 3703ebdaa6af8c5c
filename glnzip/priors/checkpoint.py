"""A model that is learning a prior, put aside now and then, so that an interruption costs little.

Three files of the cache belong to it, all named by prior and level: where the reading stands; the
image of the model; and that of the model that decodes the prior, where it is another one.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import NamedTuple

from glnzip.cache import CacheFolder
from glnzip.model.build import new_model
from glnzip.model.state import Model
from glnzip.priors.model_image import BadImageError, ModelImage, write_image
from glnzip.priors.plain_frame import PlainFrame
from glnzip.priors.reader import Bookmark, PriorFrame

INTERVAL_SECONDS = 60.0
"""Between two times; each takes a second or two at the default level."""

_LEARNER, _DECODER = "learner", "decoder"


class Start(NamedTuple):
    """Where to go on."""

    bookmark: Bookmark
    model: Model
    decoder: Model | None


class Checkpoint:
    """Where a model of a prior and level is put aside.

    Parameters
    ----------
    folder
        The folder for it.
    label
        The name of what it will be when it is ready.
    level
        That of the model.
    """

    def __init__(self, folder: CacheFolder, label: str, level: int) -> None:
        self._folder = folder
        self._label = label
        self._level = level
        self._block = -1  # where the bookmark is that was written last
        self._next = time.monotonic() + INTERVAL_SECONDS

    def put(self, frame: PriorFrame | PlainFrame, model: Model, decoder: Model | None) -> None:
        """Keep a model as it is now, if it is time to and there is room.

        `decoder` is what decodes the frame that is being read, if that is another one.
        """
        if time.monotonic() < self._next:
            return
        start, block, check, description, memorised = frame.bookmark
        place = f"{start} {block} {check} {frame.level if decoder else 0} {memorised:d}\n"
        with suppress(OSError):  # there is no room: what was put aside before stays
            self._write(_LEARNER, block, model)
            if decoder is not None:
                self._write(_DECODER, block, decoder)
            self._folder.write(self._bookmark_name, place.encode() + description)
            self._block = block
        self._remove_images(but=self._block)
        self._next = time.monotonic() + INTERVAL_SECONDS

    def take_up(self) -> Start | None:
        """What was put aside last, by whatever process; None if there is nothing of use."""
        content = self._folder.read(self._bookmark_name) or b""
        place, newline, description = content.partition(b"\n")
        if not newline:
            return None
        frame, block, check, decoder_level, memorised = map(int, place.split())
        self._block = block
        try:
            return Start(
                Bookmark(frame, block, check, description, bool(memorised)),
                self._read(_LEARNER, block, self._level),
                self._read(_DECODER, block, decoder_level) if decoder_level else None,
            )
        except (OSError, BadImageError):
            return None

    def clear(self) -> None:
        """Remove what was put aside: it is done, or of no use."""
        self._folder.remove(self._bookmark_name)
        self._remove_images(but=-1)

    @property
    def _bookmark_name(self) -> str:
        return f"{self._label}.bookmark"

    def _image_name(self, role: str, block: int) -> str:
        return f"{self._label}.{block}.{role}"

    def _write(self, role: str, block: int, model: Model) -> None:
        name = self._image_name(role, block)
        with self._folder.new_file(name, durable=False) as file:  # waiting would cost more
            write_image(file, name, model)

    def _read(self, role: str, block: int, level: int) -> Model:
        name = self._image_name(role, block)
        with self._folder.open(name) as file:
            return ModelImage(file, name, lambda: new_model(level)).read()

    def _remove_images(self, but: int) -> None:
        for role in (_LEARNER, _DECODER):
            for name in self._folder.names(f"{self._label}.*.{role}"):
                if name != self._image_name(role, but):
                    self._folder.remove(name)
