"""A forked process never waits for a thread that it does not have."""

from __future__ import annotations

import io
import os
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import glnzip
from glnzip.system.locks import ForkedLock

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]


def in_a_child(work: Callable[[], None]) -> bool:
    """Whether some work ends well in a forked process, and in time."""
    child = os.fork()
    if not child:
        status = 1
        try:
            watchdog = threading.Timer(20, os._exit, [2])
            watchdog.daemon = True
            watchdog.start()
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


@contextmanager
def held_by_a_thread(lock: ForkedLock) -> Iterator[None]:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def used_by_a_thread(use: Callable[[Callable[[int], object]], object]) -> Iterator[None]:
    """Call something in a thread, and stop it where it reports its progress."""
    begun, done = threading.Event(), threading.Event()

    def progress(count: int) -> None:
        begun.set()
        done.wait()

    thread = threading.Thread(target=use, args=(progress,))
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_a_lock_that_another_thread_holds_is_open_in_a_child() -> None:
    lock, free = ForkedLock(), ForkedLock()

    def take() -> None:
        with lock, free, lock:
            assert (lock.abandoned, free.abandoned) == (True, False)

    with held_by_a_thread(lock):
        assert in_a_child(take)
        assert not lock.abandoned


def test_a_lock_of_the_thread_that_forks_stays_its_own() -> None:
    lock = ForkedLock()

    def release() -> None:
        lock.release()
        with lock:
            assert not lock.abandoned

    with lock:
        assert in_a_child(release)


@pytest.mark.usefixtures("quick_model")
def test_an_object_that_another_thread_uses_refuses_in_a_child() -> None:
    """It is half-way through a block there, for ever; one of its own serves."""
    packed = glnzip.compress(b"data")
    objects: list[glnzip.Compressor | glnzip.Decompressor] = []

    def compress(progress: Callable[[int], object]) -> None:
        compressor = glnzip.Compressor(progress=progress)
        objects.append(compressor)
        frame = compressor.compress(b"data") + compressor.flush()
        assert glnzip.decompress(frame) == b"data"

    def decompress(progress: Callable[[int], object]) -> None:
        decompressor = glnzip.Decompressor(progress=progress)
        objects.append(decompressor)
        assert decompressor.decompress(packed) == b"data"

    def child() -> None:
        (shared,) = objects
        with pytest.raises(glnzip.GlnzipError, match="forked"):
            getattr(shared, type(shared).__name__[:-2].lower())(b"")
        assert glnzip.decompress(glnzip.compress(b"own")) == b"own"

    for use in (compress, decompress):
        objects.clear()
        with used_by_a_thread(use):
            assert in_a_child(child)


@pytest.mark.usefixtures("quick_model")
def test_a_file_that_another_thread_writes_to_is_incomplete_in_a_child() -> None:
    target = io.BytesIO()
    files: list[glnzip.GlnzipFile] = []

    def write(progress: Callable[[int], object]) -> None:
        with glnzip.GlnzipFile(target, "w", progress=progress) as file:
            files.append(file)
            file.write(b"data")

    def child() -> None:
        with pytest.raises(glnzip.GlnzipError, match="incomplete"):
            files[0].close()

    with used_by_a_thread(write):
        assert in_a_child(child)
    assert glnzip.decompress(target.getvalue()) == b"data"


def test_a_codec_of_messages_begins_anew_in_a_child() -> None:
    codecs: list[glnzip.MessageCodec] = []
    expected = glnzip.compress_message(b"message", level=1, prior=None)

    def use(progress: Callable[[int], object]) -> None:
        codecs.append(glnzip.MessageCodec(1, prior=None, progress=progress))
        assert codecs[0].compress(b"message") == expected

    def child() -> None:
        codecs[0]._progress = None
        assert codecs[0].compress(b"message") == expected
        assert codecs[0].compress(b"message") == expected

    with used_by_a_thread(use):
        assert in_a_child(child)


@pytest.mark.usefixtures("quick_model")
def test_a_progress_callback_cannot_use_what_calls_it() -> None:
    """It would wait for itself."""

    def reenter(count: int) -> None:
        with pytest.raises(glnzip.GlnzipError, match="a progress callback cannot use the object"):
            compressor.compress(b"more")

    compressor = glnzip.Compressor(progress=reenter)
    assert glnzip.decompress(compressor.compress(b"data") + compressor.flush()) == b"data"
