"""Models that have seen a prior, made once and kept as images in the user's cache folder.

Showing a megabyte of primer to a model takes some ten seconds, so it is done once for each prior
and level; later, a model is ready in a moment. Where the cache folder cannot be written to, a
process keeps its images in temporary files; where that is impossible too, each model is primed
anew. Processes that prepare the same image at once each do the work; the last one's stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryFile
from threading import RLock
from typing import TYPE_CHECKING

from glnzip.bytemodel.build import leave_mix, new_model, restart_learning
from glnzip.bytemodel.state import Model
from glnzip.cache_folder import (
    IMAGE_SUFFIX,
    is_private,
    made_private,
    new_cache_file,
    primed_folder,
)
from glnzip.container import frame_info
from glnzip.plan import BlockPlan, view_used
from glnzip.priors import prior as priors
from glnzip.priors.prior import Prior
from glnzip.priors.state_image import BadImageError, StateImage, copied, write_image

if TYPE_CHECKING:
    from glnzip.block_codec import BlockCodec

_preparing = RLock()  # a prior may start from another one

SMALL_BYTES = 1 << 17
"""A first block shorter than this has its model mapped instead of read: see `state_image`."""


def primed_model(
    level: int, prior: Prior, first_block: int, first_plan: BlockPlan | None = None
) -> Model:
    """A model that has seen `prior` and nothing else.

    Parameters
    ----------
    level
        1 to 9.
    prior
        What it has seen.
    first_block, first_plan
        Bytes in the first block that it will see, and how; they decide how it is loaded.
    """
    with _preparing:  # threads that need the same model wait for the first one to prepare it
        image = _image(level, prior)
        if image is None:
            return _replay_and_keep(level, prior)
    if first_block < SMALL_BYTES:
        return image.mapped()
    return image.read(first_plan and ("recent", view_used(first_plan)))


def levels_at_once(level: int, prior: Prior) -> tuple[int, ...]:
    """The levels of all models that are in memory together while `primed_model` works.

    A prior that was not prepared before is decoded by the model of the level it was compressed
    with, which teaches the other one.
    """
    if _image(level, prior) is not None:
        return (level,)
    teachers = {frame.level for frame in frame_info(prior.data)} - {level}
    return (level, max(teachers)) if teachers else (level,)


def origin_and_copies(level: int, prior: Prior) -> tuple[Model, Callable[[], Model]]:
    """A primed model that is to stay as it is, and what makes others of equal content.

    The first takes no memory of this process, if it can be helped: it is mapped.
    """
    with _preparing:
        image = _image(level, prior)
        if image is None:
            model = _replay_and_keep(level, prior)
            image = _image(level, prior)
            if image is None:
                return model, partial(copied, model)
    return image.mapped(), image.read


def prepare(level: int, prior: Prior) -> bool:
    """See to it that later processes have a model quickly; return whether they will."""
    if not prior.hash_is_known or _kept_image(level, prior) is None:
        _replay_and_keep(level, prior)
    return _kept_image(level, prior) is not None


@contextmanager
def prepared(level: int, prior: Prior) -> Iterator[None]:
    """Have the model of a prior ready within the block, and keep nothing for later processes."""
    model = _replay(level, prior, f"trying a prior for level {level}")
    _hold(level, prior, model)
    del model
    try:
        yield
    finally:
        _held.pop(_label(level, prior), None)


_held: dict[str, StateImage[Model]] = {}
"""Images of this process alone, in files without a name, by label."""
_MOST_HELD = 2


def _image(level: int, prior: Prior) -> StateImage[Model] | None:
    """The image of a prior, open and verified; None if there is none."""
    return _held.get(_label(level, prior)) or _kept_image(level, prior)


def _kept_image(level: int, prior: Prior) -> StateImage[Model] | None:
    folder = primed_folder()
    if folder is None or not is_private(folder):
        return None
    with suppress(OSError, BadImageError):
        return _open_image(folder, level, _label(level, prior))
    return None


@lru_cache(maxsize=8)  # of images that are sound; what raises an error is looked at again
def _open_image(folder: Path, level: int, label: str) -> StateImage[Model]:
    with open(folder / f"{label}{IMAGE_SUFFIX}", "rb") as file:
        return StateImage(file, label, lambda: new_model(level))


def _replay_and_keep(level: int, prior: Prior) -> Model:
    """Prime a model, and keep its image, for this process at least, if that can be done."""
    model = _replay(level, prior, f"preparing {prior.title} for level {level}")
    try:
        _keep(level, prior, model)
    except OSError:
        with suppress(OSError):
            _hold(level, prior, model)
    return model


def _keep(level: int, prior: Prior, model: Model) -> None:
    folder = made_private(primed_folder())
    if folder is None:
        raise OSError("there is no cache folder")
    label = _label(level, prior)
    with new_cache_file(folder / f"{label}{IMAGE_SUFFIX}") as file:
        write_image(file, label, model)


def _hold(level: int, prior: Prior, model: Model) -> None:
    label = _label(level, prior)
    with TemporaryFile(dir=made_private(primed_folder())) as file:
        write_image(file, label, model)
        file.flush()
        image = StateImage(file, label, lambda: new_model(level))
    while len(_held) >= _MOST_HELD:
        del _held[next(iter(_held))]
    _held[label] = image


def _replay(level: int, prior: Prior, task: str) -> Model:
    """Show a fresh model all that the prior has seen; `task` says why.

    A frame with a lexicon is a mix of everything; what follows it is the data, or samples of their
    kind.
    """
    from glnzip.block_codec import BlockCodec

    codec: BlockCodec | None = None
    with priors.watch(task, prior.original_bytes) as report:
        for number, frame in enumerate(prior.frames()):
            if number == 0 and frame.level == level:  # then decoding it is all it takes
                for _ in frame.blocks(report):
                    pass
                codec = frame.codec
            else:
                codec = codec or BlockCodec(level, prior.base)
                for plan, block in frame.blocks(lambda count: None):
                    codec.learn(block, plan, report)
            if codec is not None:
                leave_mix(codec.model)
    model = (codec or BlockCodec(level, prior.base)).model
    restart_learning(model)
    return model


def _label(level: int, prior: Prior) -> str:
    return f"{prior.content_hash}.{level}"  # ids may collide
