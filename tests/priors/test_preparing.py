"""Preparing a prior: done once for all processes, taken up again, and only if it is allowed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import glnzip
from glnzip import Prior
from glnzip.format.levels import memory_bytes, model_bytes
from glnzip.priors import checkpoint, prepared, watching
from glnzip.priors.allowance import Allowance, check_allowed
from glnzip.priors.model_image import write_image
from glnzip.priors.reader import PriorFrame
from glnzip.system import machine
from glnzip.training.train import make_prior
from tests.conftest import NEW_CODEC, ZlibCodec
from tests.priors.small_priors import RECORD, SAMPLES, empty_cache, forget_images, images

pytestmark = pytest.mark.slow

ROOT = Path(glnzip.__file__).parents[1]
FEW = SAMPLES[:6]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder."""
    forget_images()
    monkeypatch.setattr(prepared, "_held", {})
    yield empty_cache(tmp_path / "cache", monkeypatch)
    forget_images()


@pytest.fixture
def prior(cache: Path) -> Prior:
    """A prior of several blocks, whose hash is known."""
    prior = make_prior(FEW, None, 1)
    assert prior.id
    return prior


def leftovers(cache: Path) -> list[str]:
    """What was put aside, or never finished."""
    kinds = (".bookmark", ".learner", ".decoder")
    return [
        file.name
        for file in cache.glob("prepared-*/*")
        if file.suffix in kinds or file.name.startswith("unfinished")
    ]


class Interrupted(Exception):
    """As by Ctrl-C."""


def blocks_shown(monkeypatch: pytest.MonkeyPatch, stop_after: int | None = None) -> list[int]:
    """The lengths of the blocks that are shown from now on; it ends in the midst of one."""
    shown: list[int] = []
    frames = PriorFrame.blocks

    def watched(frame: Any, report: Any) -> Any:
        for block_type, block in frames(frame, report):
            if len(shown) == stop_after:
                raise Interrupted
            shown.append(len(block))
            yield block_type, block

    monkeypatch.setattr(PriorFrame, "blocks", watched)
    return shown


@pytest.mark.parametrize("level", [1, 2], ids=["by its own level", "by another level"])
@pytest.mark.parametrize("frames", [1, 2])
def test_an_interrupted_preparation_is_taken_up(
    level: int, frames: int, prior: Prior, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prior = Prior(prior.data * frames)
    assert prior.id
    with prepared.kept_ready(level, prior):
        expected = glnzip.compress(RECORD, level=level, prior=prior)
    monkeypatch.setattr(checkpoint, "INTERVAL_SECONDS", 0.0)
    with monkeypatch.context() as patch:
        blocks_shown(patch, stop_after=4 + 6 * (frames - 1))
        with pytest.raises(Interrupted):
            glnzip.compress(RECORD, level=level, prior=prior)
    assert len(leftovers(cache)) == (2 if level == 1 and frames == 1 else 3)
    assert images(cache) == []
    shown = blocks_shown(monkeypatch)
    assert glnzip.compress(RECORD, level=level, prior=prior) == expected
    assert shown == [len(block) for block in FEW[4:]]
    assert leftovers(cache) == []
    assert len(images(cache)) == 1
    forget_images()
    assert glnzip.compress(RECORD, level=level, prior=prior) == expected


@pytest.mark.parametrize("kind", ["bookmark", "learner", "decoder"])
def test_what_was_put_aside_and_damaged_is_of_no_use(
    kind: str, prior: Prior, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with prepared.kept_ready(2, prior):
        expected = glnzip.compress(RECORD, level=2, prior=prior)
    monkeypatch.setattr(checkpoint, "INTERVAL_SECONDS", 0.0)
    with monkeypatch.context() as patch:
        blocks_shown(patch, stop_after=4)
        with pytest.raises(Interrupted):
            glnzip.compress(RECORD, level=2, prior=prior)
    (file,) = cache.glob(f"prepared-*/*.{kind}")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    content[-1] ^= 1
    file.write_bytes(content)
    shown = blocks_shown(monkeypatch)
    assert glnzip.compress(RECORD, level=2, prior=prior) == expected
    assert len(shown) == len(FEW)
    assert leftovers(cache) == []


def test_where_there_is_no_room_what_was_put_aside_before_stays(
    prior: Prior, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "INTERVAL_SECONDS", 0.0)
    written: list[str] = []

    def full(*arguments: Any) -> None:
        written.append(arguments[1])
        if len(written) > 2:
            raise OSError(28, "No space left on device")
        write_image(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "write_image", full)
        blocks_shown(patch, stop_after=4)
        with pytest.raises(Interrupted):
            glnzip.compress(RECORD, level=1, prior=prior)
    assert len(written) == 4
    assert len(leftovers(cache)) == 2
    shown = blocks_shown(monkeypatch)
    glnzip.compress(RECORD, level=1, prior=prior)
    assert shown == [len(block) for block in FEW[2:]]


def test_nothing_is_put_aside_that_is_done_in_a_moment(prior: Prior, cache: Path) -> None:
    glnzip.compress(RECORD, level=1, prior=prior)
    assert leftovers(cache) == []


PROGRAM = """
import sys, time
import glnzip
from glnzip.priors import checkpoint, prepared, watching

replay = prepared._replay

def slow(*arguments):
    model = replay(*arguments)
    print("prepared", flush=True)
    time.sleep(float(sys.argv[2]))
    return model

prepared._replay = slow
prior = glnzip.Prior(bytes.fromhex(sys.argv[1]))
print(glnzip.compress(b"abc" * 9, level=1, prior=prior).hex())
"""


def cold_process(prior: Prior, seconds: float) -> subprocess.Popen[str]:
    """A process that needs the prior, and takes so long to prepare it."""
    command = [sys.executable, "-c", PROGRAM, prior.data.hex(), str(seconds)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


def test_cold_processes_prepare_once(prior: Prior, cache: Path) -> None:
    glnzip.compress(RECORD, level=1, prior=None)  # the kernels are there
    racing = [cold_process(prior, 3) for _ in range(3)]
    outputs = [process.communicate(timeout=120) for process in racing]
    expected = glnzip.compress(b"abc" * 9, level=1, prior=prior).hex()
    assert sorted(output.split() for output, _ in outputs) == sorted(
        [["prepared", expected], [expected], [expected]]
    )
    notices = "".join(error for _, error in outputs)
    assert notices.count("another process is at it; waiting") >= 1
    assert len(images(cache)) == 1


def test_others_go_on_if_the_first_process_dies(prior: Prior) -> None:
    first = cold_process(prior, 60)
    assert first.stdout is not None
    assert first.stdout.readline() == "prepared\n"
    second = cold_process(prior, 0)
    assert second.stderr is not None
    assert "waiting" in second.stderr.readline()
    first.kill()
    first.communicate()
    output, _ = second.communicate(timeout=120)
    assert output.split() == ["prepared", glnzip.compress(b"abc" * 9, level=1, prior=prior).hex()]


def test_a_signal_leaves_no_image_by_half(prior: Prior, cache: Path) -> None:
    """The command tidies up, as for its outputs."""
    program = (
        "import sys, time\n"
        "import glnzip\n"
        "from glnzip.cli.signals import handle_signals\n"
        "from glnzip.priors import prepared\n"
        "def write_slowly(file, label, model):\n"
        "    file.write(bytes(1000))\n"
        "    print('writing', flush=True)\n"
        "    time.sleep(60)\n"
        "handle_signals()\n"
        "prepared.write_image = write_slowly\n"
        "prepared.prepare(1, glnzip.Prior(bytes.fromhex(sys.argv[1])))\n"
    )
    command = [sys.executable, "-c", program, prior.data.hex()]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"writing\n"
    assert len(leftovers(cache)) == 1
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM
    assert leftovers(cache) == []


def test_a_level_that_was_not_prepared_can_be_refused(prior: Prior, tmp_path: Path) -> None:
    """A stranger's few bytes would take minutes, for each level once."""
    frame = glnzip.compress(RECORD, level=1, prior=prior)
    message = glnzip.compress_message(RECORD, level=1, prior=prior)
    path = tmp_path / "file"
    path.write_bytes(frame)

    def ways(**options: Any) -> list[bytes]:
        with glnzip.open(path, prior=prior, **options) as file:
            return [
                file.read(),
                glnzip.decompress(frame, prior=prior, **options),
                glnzip.MessageCodec(1, prior=prior, **options).decompress(message),
            ]

    assert ways(only_prepared=True) == [RECORD] * 3
    shipped = glnzip.compress(b"", level=2)  # names the prior, and needs no model
    assert glnzip.decompress(shipped, only_prepared=True) == b""
    other = Prior(glnzip.compress(b"never seen", level=1, prior=None))
    with pytest.raises(glnzip.NotPreparedError, match="was not read before"):
        glnzip.decompress(frame, prior=other, only_prepared=True)
    for file in images(Path(os.environ["GLNZIP_CACHE_DIR"])):
        file.unlink()
    forget_images()
    for way in (
        lambda: glnzip.decompress(frame, prior=prior, only_prepared=True),
        lambda: glnzip.MessageCodec(1, prior=prior, only_prepared=True).decompress(message),
        lambda: glnzip.open(path, prior=prior, only_prepared=True).read(),
    ):
        with pytest.raises(glnzip.NotPreparedError, match="prior is not prepared for level 1"):
            way()


def frame_of(level: int, prior: Prior | None = None) -> bytes:
    """A frame of a level, made without its model: nobody gets as far as to decode it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NEW_CODEC, ZlibCodec)
        return glnzip.compress(bytes(100), level=level, prior=prior)


def refuses(limit: int, level: int, prior: Prior) -> bool:
    try:
        check_allowed(level, prior, Allowance(limit))
    except glnzip.MemoryLimitError:
        return True
    return False


def test_what_a_prior_takes_to_be_prepared_counts(cache: Path) -> None:
    """The model that decodes it, and those of the priors that it stands on."""
    process = memory_bytes(1) - model_bytes(1)
    base = Prior(frame_of(5))
    prior = Prior(frame_of(3), prior=None)
    for known in (base, prior):
        known._hash = known.data.hex()[:8] * 8
    stacked = Prior(frame_of(3, base), prior=base)
    stacked._hash = 64 * "a"
    for tried, level, models in (
        (prior, 3, model_bytes(3)),
        (prior, 1, model_bytes(1) + model_bytes(3)),
        (base, 1, model_bytes(1) + model_bytes(5)),
        (stacked, 1, model_bytes(3) + model_bytes(1) + model_bytes(5)),
    ):
        least = process + models
        assert not refuses(least, level, tried)
        assert refuses(least - 1, level, tried)


def test_an_unread_prior_is_not_read_beyond_the_limit(
    prior: Prior, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its level decides what that takes, not the level of the data."""
    unread = Prior(frame_of(9))
    frame = glnzip.compress(RECORD, level=1, prior=prior)
    monkeypatch.setattr("glnzip.priors.prepared.new_model", None)
    limit = 300 << 20
    for way in (
        lambda: glnzip.decompress(frame, prior=unread, memory_limit=limit),
        lambda: glnzip.MessageCodec(1, prior=unread, memory_limit=limit).compress(RECORD),
        lambda: glnzip.warmup(1, prior=unread, memory_limit=limit),
    ):
        with pytest.raises(glnzip.MemoryLimitError, match="level 9 needs about"):
            way()


def test_what_is_prepared_takes_no_more_than_its_model(prior: Prior) -> None:
    glnzip.compress(RECORD, level=2, prior=prior)
    assert not refuses(memory_bytes(2), 2, prior)
    forget_images()
    assert refuses(memory_bytes(2) - 1, 2, prior)


def test_without_a_limit_the_machine_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [frame_of(level) for level in (1, 9)]
    monkeypatch.setattr("glnzip.priors.allowance.usable_memory", lambda: memory_bytes(1))
    monkeypatch.setattr("glnzip.priors.prepared.new_model", None)
    with pytest.raises(glnzip.MemoryLimitError, match=r"level 9 .*; what there is is [0-9]+ MB"):
        glnzip.decompress(frames[1])
    with pytest.raises(glnzip.MemoryLimitError):
        glnzip.compress(b"data", level=9, prior=None)
    with pytest.raises(TypeError, match="NoneType"):  # it goes as far as to make a model
        glnzip.decompress(frames[0])


def test_memory_of_machine_and_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_CGROUPS", tmp_path)
    machine.usable_memory.cache_clear()
    all_of_it = machine.usable_memory()
    assert all_of_it is None or all_of_it > 1 << 28
    (tmp_path / "memory.max").write_text("max\n")
    machine.usable_memory.cache_clear()
    assert machine.usable_memory() == all_of_it
    (tmp_path / "memory.max").write_text("123456789\n")
    machine.usable_memory.cache_clear()
    assert machine.usable_memory() == 123456789
    machine.usable_memory.cache_clear()


def test_progress_tells_that_a_prior_is_prepared(prior: Prior) -> None:
    """And can stop it."""
    counts: list[int] = []
    glnzip.compress(RECORD, level=1, prior=prior, progress=counts.append)
    assert counts.count(0) > 2
    assert sum(counts) == len(RECORD)
    counts.clear()
    assert glnzip.warmup(2, prior=prior, progress=counts.append)
    assert sum(counts) == prior.original_bytes

    def stop(count: int) -> None:
        raise Interrupted

    for way in (
        lambda: glnzip.compress(RECORD, level=3, prior=prior, progress=stop),
        lambda: glnzip.MessageCodec(3, prior=prior, progress=stop).compress(RECORD),
    ):
        with pytest.raises(Interrupted):
            way()


def test_what_takes_long_is_logged(
    prior: Prior, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    glnzip.compress(RECORD, level=1, prior=prior)
    assert caplog.messages == [], "it took a moment"
    monkeypatch.setattr(watching, "_NOTICED_BYTES", 0)
    glnzip.compress(RECORD, level=2, prior=prior)
    (message,) = caplog.messages
    assert message.startswith("preparing the prior for level 2, once (")
