"""Models that have seen a prior, made once and kept as images in the user's cache folder.

Showing a megabyte of a prior to a model takes some ten seconds, so it is done once for each prior
and level; later, a model is ready in a moment. One process does it while others that need the same
wait; if it ends before it is done, the next one goes on from where it was (see
`glnzip.priors.checkpoint`). Where the cache folder cannot be written to, a process keeps its images
in temporary files; where that is impossible too, each model is prepared anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from tempfile import TemporaryFile
from typing import BinaryIO

from glnzip.cache import CacheFolder, open_folder
from glnzip.cache.build import PREPARED_FOLDER, PREPARING_SOURCES
from glnzip.cache.housekeeping import IMAGE_SUFFIX, keep_to_limit, sign
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BlockType
from glnzip.format.container import BLOCK_BYTES
from glnzip.model.build import leave_mix, new_model, restart_learning
from glnzip.model.state import Model
from glnzip.priors import spare_memory
from glnzip.priors.checkpoint import Checkpoint
from glnzip.priors.model_image import BadImageError, ModelImage, copied, write_image
from glnzip.priors.prior_stream import PriorStream
from glnzip.priors.watching import watched
from glnzip.system.locks import ForkedLock
from glnzip.system.notices import notice

_preparing = ForkedLock()  # a prior may start from another one

SMALL_BYTES = 1 << 14
"""A first block shorter than this has its model mapped instead of read: see `model_image`."""

_reading_whole = False
_had_little = False  # whether a model was mapped for little data


def new_codec(
    level: int,
    prior: PriorStream | None,
    first_block: int = BLOCK_BYTES,
    first_type: BlockType | None = None,
) -> BlockCodec:
    """A codec for a stream after `prior`; the parameters are those of `prepared_model`."""
    return BlockCodec(prepared_model(level, prior, first_block, first_type))


def prepared_model(
    level: int, prior: PriorStream | None, first_block: int, first_type: BlockType | None = None
) -> Model:
    """A model that has seen `prior` and nothing else.

    Parameters
    ----------
    level
        1 to 9.
    prior
        What it has seen; None for nothing.
    first_block, first_type
        Bytes in the first block that it will see, and how; they decide how it is loaded.
    """
    if prior is None:
        return new_model(level)
    with _preparing:  # threads that need the same model wait for the first one to prepare it
        image = _image(level, prior)
        if image is not None:
            try:
                if _reading_whole:
                    return image.read()
                if first_block < SMALL_BYTES and _is_to_be_mapped():
                    return image.mapped()
                return image.read(first_type and ("recent", first_type.block_model))
            except BadImageError:  # the disk has changed what was verified
                _held.pop(_label(level, prior), None)
                _verified.cache_clear()
        return _newly_prepared_model(level, prior)


def _is_to_be_mapped() -> bool:
    """Whether a model for little data is. Where more of them follow, memory serves one by one."""
    global _had_little
    again, _had_little = _had_little, True
    return not (again and spare_memory.is_at_hand())


@contextmanager
def reading_whole() -> Iterator[None]:
    """Within the block, models come out of images byte for byte, and are verified where they lie.

    So a decoder that is to find out whether an encoder was right shares no memory with it.
    """
    global _reading_whole
    _reading_whole = True
    try:
        yield
    finally:
        _reading_whole = False


def is_ready(level: int, prior: PriorStream) -> bool:
    """Whether a model that has seen `prior` can be had in a moment."""
    return prior.hash_is_known and _image(level, prior) is not None


def origin_and_copies(level: int, prior: PriorStream | None) -> tuple[Model, Callable[[], Model]]:
    """A prepared model that is to stay as it is, and what makes others of equal content.

    The first takes no memory of this process, if it can be helped: it is mapped.
    """
    if prior is None:
        return new_model(level), partial(new_model, level)
    with _preparing:
        image = _image(level, prior)
        if image is None:
            model = _newly_prepared_model(level, prior)
            image = _image(level, prior)
            if image is None:
                return model, partial(copied, model)
    return image.mapped(), partial(prepared_model, level, prior, SMALL_BYTES)


def prepare(level: int, prior: PriorStream) -> bool:
    """See to it that later processes have a model quickly; return whether they will."""
    with _preparing:
        if not prior.hash_is_known:  # showing it to a model finds the hash, too
            _keep_or_hold(level, prior, _replay(level, prior, _task(level, prior)))
        elif _kept_image(level, prior) is None:
            _newly_prepared_model(level, prior)
    return _kept_image(level, prior) is not None


@contextmanager
def kept_ready(level: int, prior: PriorStream) -> Iterator[None]:
    """Have the model of a prior ready within the block, and keep nothing for later processes."""
    model = _replay(level, prior, f"trying a prior for level {level}")
    _hold(level, prior, model)
    del model
    try:
        yield
    finally:
        _held.pop(_label(level, prior), None)


_held: dict[str, ModelImage[Model]] = {}
"""Images of this process alone, in files without a name, by label."""
_MOST_HELD = 2


def _image(level: int, prior: PriorStream) -> ModelImage[Model] | None:
    """The image of a prior, open and verified; None if there is none."""
    return _held.get(_label(level, prior)) or _kept_image(level, prior)


def _kept_image(level: int, prior: PriorStream) -> ModelImage[Model] | None:
    label = _label(level, prior)
    name = f"{label}{IMAGE_SUFFIX}"
    try:
        folder = open_folder(PREPARED_FOLDER)
        folder.use(name)
        with folder.open(name) as file:
            return _verified(_Version.of(file), level, label)
    except (OSError, BadImageError):
        return None


@dataclass(frozen=True)
class _Version:
    """What a file was when it was opened: it is another one once anybody has written to it."""

    identity: tuple[int, ...]
    file: BinaryIO = field(compare=False)

    @classmethod
    def of(cls, file: BinaryIO) -> _Version:
        status = os.fstat(file.fileno())
        times = status.st_mtime_ns, status.st_ctime_ns
        return cls((status.st_dev, status.st_ino, status.st_size, *times), file)


@lru_cache(maxsize=8)  # of images that are sound; what raises an error is looked at again
def _verified(version: _Version, level: int, label: str) -> ModelImage[Model]:
    return ModelImage(version.file, label, lambda: new_model(level))


def _newly_prepared_model(level: int, prior: PriorStream) -> Model:
    """Prepare a model, or wait for a process that does it, and see that its image is kept."""
    label, task = _label(level, prior), _task(level, prior)
    folder = _folder() if prior.is_kept else None
    if folder is None:
        model = _replay(level, prior, task)
        _keep_or_hold(level, prior, model)
        return model
    waiting = partial(notice, f"{task}: another process is at it; waiting")
    with folder.locked(label, waiting):
        image = _kept_image(level, prior)
        if image is not None:
            with suppress(BadImageError):
                return image.read()
        checkpoint = Checkpoint(folder, label, level)
        model = _replay(level, prior, task, checkpoint)
        _keep_or_hold(level, prior, model)
        checkpoint.clear()
    return model


def _folder() -> CacheFolder | None:
    """Where images are kept; None if that cannot be, or if this code is no longer on the disk."""
    if not PREPARING_SOURCES.are_unchanged():
        return None
    try:
        folder = open_folder(PREPARED_FOLDER, make=True)
    except OSError:
        return None
    sign(folder, PREPARING_SOURCES)
    return folder


def _keep_or_hold(level: int, prior: PriorStream, model: Model) -> None:
    """Keep the image of a model, for this process at least, if that can be done."""
    label, folder = _label(level, prior), _folder()
    if folder is not None and prior.is_kept:
        name = f"{label}{IMAGE_SUFFIX}"
        with suppress(OSError):
            with folder.new_file(name) as file:
                write_image(file, label, model)
            if keep_to_limit(name):
                return
    with suppress(OSError):
        _hold(level, prior, model)


def _hold(level: int, prior: PriorStream, model: Model) -> None:
    label, folder = _label(level, prior), _folder()
    with TemporaryFile() if folder is None else folder.nameless_file() as file:
        write_image(file, label, model)
        file.flush()
        image = ModelImage(file, label, lambda: new_model(level))
    while len(_held) >= _MOST_HELD:
        del _held[next(iter(_held))]
    _held[label] = image


def _replay(
    level: int, prior: PriorStream, task: str, checkpoint: Checkpoint | None = None
) -> Model:
    """Show a fresh model, or one that was put aside, all that the prior has; `task` says why.

    A frame with a lexicon is a mix of everything; what follows it is the data, or samples of their
    kind.
    """
    codec: BlockCodec | None = None
    reader: BlockCodec | None = None
    start = checkpoint.take_up() if checkpoint is not None else None
    if start is not None:
        codec = BlockCodec(start.model)
        reader = BlockCodec(start.decoder) if start.decoder else codec
    bookmark = start and start.bookmark
    with watched(task, prior.original_bytes, once=prior.is_kept) as report:
        report(len(bookmark.description) if bookmark else 0)
        for frame in prior.frames(bookmark, reader):
            decodes_itself = frame.start == 0 and frame.level == level
            of_memorised, of_learned = frame.reports(report)
            for block_type, block in frame.blocks(report if decodes_itself else lambda count: None):
                decoder = None
                if decodes_itself:  # then decoding is all it takes
                    codec = frame.codec
                else:
                    codec = codec or new_codec(level, prior.base)
                    decoder = None if frame.codec is None else frame.codec.model
                    if frame.memorised:
                        codec.memorise(block, block_type, of_memorised)
                    else:
                        codec.learn(block, block_type, of_learned)
                assert codec is not None, "it has seen a block"
                if checkpoint is not None:
                    checkpoint.put(frame, codec.model, decoder)
            if codec is not None:
                leave_mix(codec.model)
    model = (codec or new_codec(level, prior.base)).model
    restart_learning(model)
    return model


def _task(level: int, prior: PriorStream) -> str:
    return f"preparing {prior.title} for level {level}"


def _label(level: int, prior: PriorStream) -> str:
    return f"{prior.content_hash}.{level}"  # ids may collide
