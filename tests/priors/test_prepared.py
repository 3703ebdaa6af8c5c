"""Prepared models on disk: the same bytes however they were loaded, harmless however damaged."""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

import glnzip
from glnzip import Prior
from glnzip.cache import CacheFolder, open_folder
from glnzip.cache.build import PREPARED_FOLDER, PREPARING_SOURCES
from glnzip.cache.housekeeping import cache_limit, clear_cache, kept_images
from glnzip.coding.bit_loop import run_bytes
from glnzip.format.block_type import LEXICON_HEADING
from glnzip.jit import jit_is_on
from glnzip.jit.machine_code import kinds_and_words
from glnzip.model.build import new_model
from glnzip.model.roles import named_arrays
from glnzip.priors import model_image, prepared, spare_memory
from glnzip.priors.model_image import (
    PAGE_BYTES,
    BadImageError,
    ModelImage,
    write_image,
)
from glnzip.priors.spare_memory import new_memory
from glnzip.training.train import make_prior
from tests.checks import check_round_trip
from tests.priors.small_priors import RECORD, empty_cache, forget_images, images, small_prior

pytestmark = pytest.mark.slow

ROOT = Path(glnzip.__file__).parents[1]
DATA = RECORD + b"some other bytes" + RECORD


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder, and the expected bytes made without it."""
    forget_images()
    monkeypatch.setattr(prepared, "_held", {})
    yield empty_cache(tmp_path / "cache", monkeypatch)
    forget_images()


def disk_bytes(file: Path) -> int:
    return open_folder(file.parent.name).disk_bytes(file.name)


@pytest.fixture
def prior(cache: Path) -> Prior:
    return small_prior()


def packed(prior: Prior) -> bytes:
    return glnzip.compress(DATA, level=1, prior=prior)


def packed_without_images(prior: Prior, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What replaying the prior in memory gives."""
    with monkeypatch.context() as patch:
        patch.setattr(prepared, "_kept_image", lambda *_: None)
        patch.setattr(prepared, "_folder", lambda: None)
        patch.setattr(prepared, "_hold", lambda *_: None)
        return packed(prior)


def test_ways_to_load_a_model_give_the_same_bytes(
    prior: Prior, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = packed_without_images(prior, monkeypatch)
    assert images(cache) == []
    assert packed(prior) == expected  # replayed, and kept
    (file,) = images(cache)
    assert file.stat().st_mode & 0o777 == 0o600
    (kept,) = kept_images()
    assert kept[:3] == (prior.content_hash, 1, disk_bytes(file))
    monkeypatch.setattr(prepared, "_is_to_be_mapped", lambda: True)
    assert packed(prior) == expected  # mapped
    assert packed(prior) == expected  # and the image was not written to
    monkeypatch.setattr(prepared, "SMALL_BYTES", 0)
    assert packed(prior) == expected  # read
    forget_images()
    assert packed(prior) == expected
    assert glnzip.decompress(expected, prior=prior) == DATA
    if jit_is_on():
        kernel: Any = run_bytes
        assert len(kernel.natives) == 1, "a loaded model must look like a new one to compiled code"


def parts_read(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is read of images from now on, one by one: no parts where they are mapped."""
    read: list[Any] = []
    load = ModelImage.read

    def watched(image: Any, parts: Any = None) -> Any:
        read.append(parts)
        return load(image, parts)

    monkeypatch.setattr(ModelImage, "read", watched)
    return read


@pytest.mark.skipif(not hasattr(mmap, "MADV_FREE"), reason="no memory is kept")
def test_little_data_are_mapped_once_and_then_read(
    prior: Prior, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One by one; of models that are there at the same time, one has the memory."""
    packed(prior)
    monkeypatch.setattr(prepared, "_had_little", False)
    read = parts_read(monkeypatch)
    for _ in range(3):
        packed(prior)
    models = [prepared.prepared_model(1, prior, 1) for _ in range(2)]
    assert [parts == () for parts in read] == [True, False, False, False, True]
    del models


def test_of_much_data_what_they_need_is_read(prior: Prior, monkeypatch: pytest.MonkeyPatch) -> None:
    packed(prior)
    read = parts_read(monkeypatch)
    monkeypatch.setattr(prepared, "_is_to_be_mapped", lambda: True)
    frames = [packed(prior)]
    frames += [glnzip.compress(b * (1 << 17), level=1, prior=prior) for b in (b"\0", b"ab")]
    for frame in frames:
        glnzip.decompress(frame, prior=prior)
    assert read == 2 * [(), ("recent", "binary"), ("recent", "text")]


def test_a_model_read_in_part_is_the_same(prior: Prior, monkeypatch: pytest.MonkeyPatch) -> None:
    packed(prior)
    image = prepared._image(1, prior)
    assert image
    memories: list[Any] = []

    def watched(size: int) -> Any:
        memories.append(new_memory(size))
        return memories[-1]

    monkeypatch.setattr(model_image, "new_memory", watched)
    models = [dict(named_arrays(image.read(parts))) for parts in (None, (), ("recent",))]
    for name, array in models[0].items():
        is_read = [
            any(np.may_share_memory(model[name], memory) for memory in memories) for model in models
        ]
        assert is_read == [True, False, name.startswith("recent.")] or array.size == 0
        assert all(model[name].tobytes() == array.tobytes() for model in models)
        assert len({kinds_and_words((model[name],))[0] for model in models}) == 1


def test_a_system_without_the_calls_of_unix(prior: Prior, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has neither reads at a place nor kinds of mappings."""
    packed(prior)
    image = prepared._image(1, prior)
    assert image
    usual = {name: array.tobytes() for name, array in named_arrays(image.read())}
    monkeypatch.setattr(spare_memory, "_spare", deque())
    for module, name in ((os, "preadv"), (mmap, "MAP_PRIVATE"), (mmap, "MADV_FREE")):
        monkeypatch.delattr(module, name, raising=False)
    assert {name: array.tobytes() for name, array in named_arrays(image.read())} == usual
    assert not spare_memory._spare


def test_where_no_thread_can_be_had_images_are_read(
    prior: Prior, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = packed(prior)
    forget_images()

    def refuse(*_: object) -> NoReturn:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", refuse)
    monkeypatch.setattr(prepared, "_newly_prepared_model", refuse)
    assert packed(prior) == expected


def test_memory_that_was_used_before_does_no_harm(prior: Prior) -> None:
    """Whatever another model has left in it."""
    packed(prior)
    image = prepared._image(1, prior)
    assert image
    before = {name: array.tobytes() for name, array in named_arrays(image.read())}
    memory = new_memory(image._size)
    memory[:] = 0x55
    place = memory.ctypes.data
    del memory
    again = dict(named_arrays(image.read()))
    assert any(0 <= array.ctypes.data - place < image._size for array in again.values())
    assert {name: array.tobytes() for name, array in again.items()} == before


def flip_a_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def zero_a_page(file: Path) -> None:
    content = np.fromfile(file, np.uint8).reshape(-1, PAGE_BYTES)
    content[1 + int(np.argmax(content[1:].any(axis=1)))] = 0
    content.tofile(file)


def exchange_two_pages(file: Path) -> None:
    content = np.fromfile(file, np.uint8).reshape(-1, PAGE_BYTES)
    used = 1 + np.flatnonzero(content[1:].any(axis=1))
    content[[used[0], used[-1]]] = content[[used[-1], used[0]]]
    content.tofile(file)


def exchange_two_words(file: Path) -> None:
    """Within a page: the sum of its words stays what it was."""
    content = np.fromfile(file, np.uint64)
    used = 512 + np.flatnonzero(content[512:])
    other = used[content[used] != content[used[0]]][0]
    content[[used[0], other]] = content[[other, used[0]]]
    content.tofile(file)


def flip_two_bits_of_a_column(file: Path) -> None:
    content = np.fromfile(file, np.uint64)
    place = 512 + int(np.flatnonzero(content[512:])[0]) // 512 * 512 - 512
    ones = place + np.flatnonzero(content[place : place + 512] & 1)
    zeros = place + np.flatnonzero(~content[place : place + 512] & 1)
    content[[ones[0], zeros[0]]] ^= 1
    content.tofile(file)


def rename_another(file: Path) -> None:
    """The image of another prior under this name."""
    other = Prior(glnzip.compress(b"another", level=1, prior=None))
    glnzip.compress(b"x", level=1, prior=other)
    os.replace(file.with_name(f"{other.content_hash}.1.image"), file)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.unlink(),
        lambda file: os.truncate(file, PAGE_BYTES),
        lambda file: os.truncate(file, file.stat().st_size + PAGE_BYTES),
        lambda file: os.truncate(file, file.stat().st_size - 1),
        flip_a_bit,
        zero_a_page,
        exchange_two_pages,
        exchange_two_words,
        flip_two_bits_of_a_column,
        rename_another,
    ],
    ids=[
        *("empty", "missing", "cut", "longer", "a byte less", "bit", "page", "pages"),
        *("words", "column", "other"),
    ],
)
def test_a_damaged_image_is_replaced(
    damage: Callable[[Path], object],
    prior: Prior,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = packed_without_images(prior, monkeypatch)
    assert packed(prior) == expected
    (file,) = images(cache)
    sound = hashlib.sha256(file.read_bytes()).digest()
    damage(file)
    forget_images()
    assert packed(prior) == expected
    assert hashlib.sha256(file.read_bytes()).digest() == sound


@pytest.mark.parametrize("held", [False, True])
def test_what_changes_below_a_verified_image_is_found_when_it_is_read(
    held: bool, prior: Prior, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The times of the file tell nothing: the disk has forgotten something."""
    expected = packed_without_images(prior, monkeypatch)
    with prepared.kept_ready(1, prior) if held else nullcontext():
        assert packed(prior) == expected
        image = prepared._image(1, prior)
        assert image
        piece = next(iter(image._sums))
        image._sums[piece] = bytes(16)
        with prepared.reading_whole():
            assert packed(prior) == expected
            assert packed(prior) == expected
    assert len(images(cache)) == 1
    forget_images()
    assert packed(prior) == expected


def test_an_image_of_another_layout_is_none(tmp_path: Path) -> None:
    with open(tmp_path / "image", "w+b") as file:
        write_image(file, "label", new_model(1))
        file.flush()
        ModelImage(file, "label", lambda: new_model(1))
        for label, level in (("other label", 1), ("label", 2)):
            with pytest.raises(BadImageError):
                ModelImage(file, label, partial(new_model, level))
        recent = new_model(1).recent
        changed = recent._replace(features=recent.features.astype(np.uint64))
        with pytest.raises(BadImageError, match="digest"):
            ModelImage(file, "label", lambda: new_model(1)._replace(recent=changed))


def test_an_image_brings_back_every_array(tmp_path: Path) -> None:
    model = new_model(1)
    model.recent.slots[[5, 70_000, -1]] = 1, 2, 3
    model.recent.now[0].position = 77
    weights = model.text.learned.network.weights
    weights[:] = 0.25
    with open(tmp_path / "image", "w+b") as file:
        write_image(file, "label", model)
        file.flush()
        image = ModelImage(file, "label", lambda: new_model(1))
    for loaded in (image.mapped(), image.read()):
        assert type(loaded) is type(model)
        for (name, part), (_, original) in zip(
            named_arrays(loaded), named_arrays(model), strict=True
        ):
            assert type(part) is type(original), name
            assert (part.dtype, part.shape) == (original.dtype, original.shape)
            assert part.flags.aligned
            assert part.flags.writeable
            assert part.flags.c_contiguous
            assert np.array_equal(part, original)
        assert loaded.recent.now[0].position == 77
        assert np.array_equal(loaded.text.learned.network.weights, weights)
        loaded.recent.slots[:] = 9
    assert image.mapped().recent.slots[5] == 1
    if hasattr(os.stat_result, "st_blocks"):
        status = os.stat(tmp_path / "image")
        assert status.st_blocks * 512 < status.st_size // 2


def test_a_folder_that_can_only_be_read_still_serves(
    prior: Prior, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = packed(prior)
    monkeypatch.setattr(CacheFolder, "new_file", None)  # the superuser may write all the same
    forget_images()
    assert packed(prior) == expected


@pytest.fixture
def no_folder(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No cache folder can be made."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path / "file"))


@pytest.mark.usefixtures("no_folder")
def test_without_a_folder_a_process_primes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    prior = small_prior()
    assert not prepared.prepare(1, prior)
    monkeypatch.setattr(prepared, "_replay", None)
    assert glnzip.decompress(packed(prior), prior=prior) == DATA
    assert kept_images() == []
    assert clear_cache() == 0


@pytest.mark.usefixtures("no_folder")
def test_without_any_disk_every_model_is_primed(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError("no space left")

    monkeypatch.setattr(prepared, "TemporaryFile", full)
    prior = small_prior()
    expected = packed(prior)
    assert packed(prior) == expected
    assert glnzip.decompress(expected, prior=prior) == DATA


@pytest.mark.usefixtures("no_folder")
def test_a_process_holds_few_images() -> None:
    for text in (b"one", b"two", b"three", b"four"):
        packed(Prior(glnzip.compress(text, level=1, prior=None)))
    assert len(prepared._held) == 2


def test_a_full_disk(prior: Prior, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    assert prior.content_hash
    expected = packed_without_images(prior, monkeypatch)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        assert packed(prior) == expected
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert images(cache) == []
    assert not list(cache.glob("prepared-*/unfinished-*"))


def test_a_folder_that_others_can_write_to_is_not_used(prior: Prior, cache: Path) -> None:
    expected = packed(prior)
    (file,) = images(cache)
    file.parent.chmod(0o770)
    file.write_bytes(b"from somebody else")
    assert packed(prior) == expected
    assert file.read_bytes() == b"from somebody else"


def test_prepared_for_a_while(prior: Prior, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = packed_without_images(prior, monkeypatch)
    with prepared.kept_ready(1, prior):
        monkeypatch.setattr(prepared, "_replay", None)
        assert packed(prior) == expected
        assert packed(prior) == expected
    assert images(cache) == []
    assert not list(cache.glob("prepared-*/tmp*"))


def test_several_processes_at_once(prior: Prior, cache: Path) -> None:
    (cache.parent / "p.gln").write_bytes(prior.data)
    program = (
        "import glnzip, sys\n"
        "prior = glnzip.Prior.load(sys.argv[1])\n"
        "sys.stdout.buffer.write(glnzip.compress(b'abc' * 9, level=1, prior=prior))\n"
    )
    racing = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(cache.parent / "p.gln")],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    outputs = [process.communicate(timeout=120)[0] for process in racing]
    assert outputs == [glnzip.compress(b"abc" * 9, level=1, prior=prior)] * 3
    assert len(images(cache)) == 1
    assert not list(cache.glob("prepared-*/unfinished-*"))


def test_clearing(prior: Prior, cache: Path) -> None:
    packed(prior)
    (older := cache / "prepared-0123456789abcdef").mkdir(mode=0o700)
    (older / "x.1.image").write_bytes(b"x" * 10_000)
    (mine := cache / "prepared-but not by glnzip").mkdir()
    (cache / "notes.txt").touch()
    (file,) = [file for file in images(cache) if file.parent != older]
    (cache / "kernels-0123456789abcdef").symlink_to(mine)
    (mine / "precious").touch()
    least = disk_bytes(file) + 10_000
    assert clear_cache() >= least
    left = [cache / "kernels-0123456789abcdef", cache / "notes.txt", mine]
    assert sorted(cache.iterdir()) == left
    assert (mine / "precious").exists()
    assert packed(prior)


def test_what_builds_that_are_gone_have_left_is_removed(cache: Path) -> None:
    """One that is elsewhere, and as it was, keeps what it has."""
    origins = {
        "prepared-0000000000000000": None,  # of before there were origins
        "prepared-1111111111111111": {"package": "/nowhere", "names": ["gln"], "digest": "00"},
        "kernels-2222222222222222": json.loads(PREPARING_SOURCES.origin()),
    }
    for name, origin in origins.items():
        folder = open_folder(name, make=True)
        folder.write("1.image", b"x")
        if origin is not None:
            folder.write("origin", json.dumps(origin).encode())
    packed(small_prior())
    left = {path.name for path in cache.iterdir()}
    assert left & set(origins) == {"kernels-2222222222222222"}
    assert PREPARED_FOLDER in left


def test_the_limit_is_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = (make_prior([text], None, 1) for text in (b"one", b"two", b"three"))
    packed(first)
    size = disk_bytes(images(cache)[0])
    packed(second)
    for image, age in zip(kept_images(), (200_000, 100_000), strict=True):
        path = cache / PREPARED_FOLDER / f"{image.prior}.1.image"
        os.utime(path, (time.time() - age, time.time() - 300_000))
    oldest = kept_images()[0].prior
    forget_images()
    packed(next(prior for prior in (first, second) if prior.content_hash == oldest))  # in use again
    monkeypatch.setenv("GLNZIP_CACHE_LIMIT", str(2 * size + 100_000))
    packed(third)
    assert {image.prior for image in kept_images()} == {oldest, third.content_hash}
    monkeypatch.setenv("GLNZIP_CACHE_LIMIT", "1")
    forget_images()
    fourth = make_prior([b"four"], None, 1)
    expected = packed(fourth)  # not kept for others ...
    assert kept_images() == []
    monkeypatch.setattr(prepared, "_replay", None)
    assert packed(fourth) == expected  # ... but for this process


def test_a_limit_that_is_no_size_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("glnzip.system.notices.tell", told.append)
    monkeypatch.setenv("GLNZIP_CACHE_LIMIT", "much")
    assert cache_limit() is None
    assert told == [
        "GLNZIP_CACHE_LIMIT: 'much' is not a size such as 4096, 64K, 1M or 1.5G; there is no limit"
    ]


@pytest.mark.skipif(not jit_is_on(), reason="there is only the plain model to compare")
def test_plain_python_does_the_same(cache: Path) -> None:
    """Replayed by the plain model, and from an image made by the compiled one."""
    prior = Prior(glnzip.compress(b"a tiny prior, a tiny", level=1, prior=None))
    expected = glnzip.compress(b"a tiny file", level=1, prior=prior)
    program = (
        "import glnzip, sys\n"
        f"prior = glnzip.Prior(bytes.fromhex('{prior.data.hex()}'))\n"
        "print(glnzip.compress(b'a tiny file', level=1, prior=prior).hex())\n"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected.hex()
        shutil.rmtree(next(cache.glob("prepared-*")))


@pytest.mark.parametrize("level", [1, 2])
def test_a_prior_with_a_lexicon_is_a_general_one(level: int, prior: Prior) -> None:
    """At the level that the prior was compressed with and at others; one built on it is not."""

    def documents(prior: Prior) -> int:
        return int(prepared.prepared_model(level, prior, len(DATA)).recent.now["document"][0])

    general = Prior(glnzip.compress(LEXICON_HEADING + b"the a\nmill wood\n", level=1, prior=None))
    assert documents(prior) == 0
    assert documents(general) == 1
    assert documents(small_prior(general)) == 1
    records = b"".join(bytes([7, n, n >> 1, 0, 255 - n]) for n in range(200))
    check_round_trip(records, level, general)
