"""The bytes of a cluster are those of one machine, whatever happens to its workers."""

from __future__ import annotations

import array
import gzip
import io
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import glnzip
from glnzip.jit import jit_is_on
from glnzip.streams import one_or_several
from glnzip.streams.one_or_several import decompressed_pieces
from tests.checks import sample
from tests.dask.conftest import local_cluster

pytest.importorskip("distributed")

from distributed import Client

import glnzip.dask
from glnzip.cli.options import Settings
from glnzip.cli.progress import Progress
from glnzip.cli.transfer import decompress_stream
from glnzip.dask import cluster as cluster_module
from glnzip.dask import decompressing
from glnzip.dask.cluster import Block, Cluster
from glnzip.dask.machines import Machines

pytestmark = pytest.mark.skipif(not jit_is_on(), reason="takes minutes without the JIT")

DATA = sample(20_000)
HERE: dict[str, Any] = {"level": 1, "prior": None, "block_size": 3000}


@pytest.mark.parametrize("length", [0, 1, 2999, 3000, 3001, 20_000])
def test_the_bytes_are_those_of_one_machine(address: str, length: int) -> None:
    data = DATA[:length]
    there = glnzip.dask.compress(data, address, **HERE)
    assert there == glnzip.compress(data, **HERE)
    assert there == glnzip.compress(data, **HERE, threads=2)


def test_options_reach_the_workers(address: str) -> None:
    packed = gzip.compress(DATA[:5000], mtime=0)
    options: dict[str, Any] = {"level": 2, "prior": None, "block_size": 10_000, "unpack": False}
    expected = glnzip.compress(packed, **options)
    assert glnzip.dask.compress(packed, address, **options) == expected
    assert expected != glnzip.compress(packed, **{**options, "unpack": True})


def test_whatever_holds_bytes_is_data(local: Any, address: str) -> None:
    numbers = array.array("i", range(100))
    with Client(local, set_as_default=False) as client:
        there = glnzip.dask.compress(numbers, client, **HERE)
        assert client.status == "running"
    assert there == glnzip.compress(numbers, **HERE)


def test_a_prior_of_ones_own(address: str) -> None:
    prior = glnzip.Prior(glnzip.compress(DATA[:500], level=1, prior=None))
    options: dict[str, Any] = {"level": 1, "prior": prior, "block_size": 1000, "or_none": True}
    expected = glnzip.compress(DATA[:4000], **options)
    assert expected != glnzip.compress(DATA[:4000], **{**options, "prior": None})
    assert glnzip.dask.compress(DATA[:4000], address, **options) == expected


def test_a_worker_that_is_killed_is_made_up_for(local: Any, address: str) -> None:
    """Its block is done again; what it had reported of it is not reported twice."""
    killed: list[int] = []
    reported: list[int] = []

    def kill(coded: int) -> None:
        reported.append(coded)
        if coded and not killed:
            (pid, *_) = (worker.process.pid for worker in local.workers.values())
            os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))  # Windows has one alone
            killed.append(pid)

    options = {**HERE, "block_size": 40_000}  # reports come in the midst of a block
    data = sample(160_000)
    assert glnzip.dask.compress(data, address, progress=kill, **options) == glnzip.compress(
        data, **options
    )
    assert killed
    assert sum(reported) == len(data)
    assert min(reported) >= 0


def test_a_block_that_is_done_again_is_not_heard_of_twice(address: str) -> None:
    with Cluster(address) as cluster:
        block = cluster._blocks[7] = Block(7, None)
        for number, coded in ((7, 50), (7, 20), (8, 99)):
            cluster._hear((0.0, [number, coded]))
        assert block.coded == 50
        cluster.forget(block)


def test_blocks_in_memory_are_two_a_thread(address: str) -> None:
    loads: list[int] = []
    with Cluster(address) as cluster:
        data = sample(60_000)
        there = glnzip.dask.compress(
            data, cluster, progress=lambda _: loads.append(cluster.load()), **HERE
        )
        assert cluster.load() == 0
    assert there == glnzip.compress(data, **HERE)
    assert max(loads) == 2 * 2 + 1  # one more is being cut


class _OneBlock:
    """Another stream of a cluster."""

    load = 3


def test_streams_share_the_threads(address: str) -> None:
    others = [_OneBlock() for _ in range(3)]
    with Cluster(address) as cluster, Machines(cluster, "mine") as mine:
        assert mine.count == 2
        cluster.streams.add(others[0])
        assert mine.count == 1
        cluster.streams.update(others)
        assert mine.count == 1


def test_files(address: str, tmp_path: Path) -> None:
    """Small ones and a larger one; the name of each is in the tasks."""
    paths = []
    for number in range(9):
        paths.append(tmp_path / f"file-{number}.txt")
        paths[-1].write_bytes(sample(9000 if number == 4 else 100 + number, number))
    reported: list[int] = []
    made = glnzip.dask.compress(paths, address, progress=reported.append, **HERE)
    assert made == [f"{path}.gln" for path in paths]
    for path in paths:
        assert Path(f"{path}.gln").read_bytes() == glnzip.compress(path.read_bytes(), **HERE)
    assert sum(reported) == sum(path.stat().st_size for path in paths)
    assert len(os.listdir(tmp_path)) == 18
    with pytest.raises(FileExistsError):
        glnzip.dask.compress(str(paths[0]), address, **HERE)


def test_an_error_on_one_file_leaves_nothing_half_done(address: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(DATA)
    with pytest.raises(FileNotFoundError):
        glnzip.dask.compress([tmp_path / "a", tmp_path / "none"], address, **HERE)
    assert set(os.listdir(tmp_path)) <= {"a", "a.gln"}


def test_parts_are_decoded_there(address: str, tmp_path: Path) -> None:
    stream = glnzip.compress(DATA, **HERE)
    (tmp_path / "a.gln").write_bytes(stream)
    reported: list[int] = []
    with Cluster(address) as cluster, open(tmp_path / "a.gln", "rb") as file:
        pieces = list(
            decompressed_pieces(file, workers=Machines(cluster, "a.gln"), progress=reported.append)
        )
    assert b"".join(pieces) == DATA
    assert len(pieces) == 7
    assert sum(reported) == len(DATA)


@pytest.fixture
def nothing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decoding in this process is an error."""

    def refuse(*arguments: object) -> None:
        raise AssertionError("it was decoded here")

    monkeypatch.setattr("glnzip.streams.one_or_several._one_by_one", refuse)


@pytest.mark.usefixtures("nothing_here")
@pytest.mark.parametrize("length", [0, 1, 3000, 20_000])
def test_data_come_back(address: str, length: int) -> None:
    """Parts, and frames that are no parts, one or more of them."""
    data = DATA[:length]
    parts = glnzip.compress(data, **HERE)
    frame = glnzip.compress(data, level=2, prior=None)
    reported: list[int] = []
    with Cluster(address) as cluster:
        assert glnzip.dask.decompress(parts, cluster, progress=reported.append) == data
        assert sum(reported) == length
        assert glnzip.dask.decompress(frame, cluster) == data
        assert glnzip.dask.decompress(array.array("B", frame + parts), cluster) == 2 * data
        assert cluster.load() == 0


def test_options_of_decompressing_reach_the_workers(address: str) -> None:
    prior = glnzip.Prior(glnzip.compress(DATA[:500], level=1, prior=None))
    stream = glnzip.compress(DATA[:4000], level=1, prior=prior, block_size=1000)
    with Cluster(address) as cluster:
        assert glnzip.dask.decompress(stream, cluster, prior=prior) == DATA[:4000]
        with pytest.raises(glnzip.PriorMismatchError):
            glnzip.dask.decompress(stream, cluster)
        with pytest.raises(glnzip.OutputLimitError):
            glnzip.dask.decompress(stream, cluster, prior=prior, max_output=3999)


def test_what_no_worker_is_given_is_decoded_here_one_after_the_other(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes a model of this process, and there may be many files on their way."""
    held: list[bool] = []
    unwatched = one_or_several._one_by_one

    def watched(*arguments: Any) -> Iterator[bytes]:
        held.append(cluster.here.locked())
        return unwatched(*arguments)

    monkeypatch.setattr("glnzip.streams.parallel.MAX_PART", 100)
    monkeypatch.setattr(one_or_several, "_one_by_one", watched)
    names = [str(tmp_path / name) for name in "abc"]
    for number, name in enumerate(names):
        Path(f"{name}.gln").write_bytes(glnzip.compress(sample(300, number), level=1, prior=None))
    with Cluster(address) as cluster:
        assert glnzip.dask.decompress([f"{name}.gln" for name in names], cluster) == names
        assert not cluster.here.locked()
    assert held == [True] * 3
    for number, name in enumerate(names):
        assert Path(name).read_bytes() == sample(300, number)


class _Full(io.BytesIO):
    """A disk on which there is no room."""

    def write(self, data: object) -> int:
        raise OSError("no space left")


def test_who_cannot_write_does_not_keep_others_waiting(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks at the error, and so at what was under way."""
    monkeypatch.setattr("glnzip.streams.parallel.MAX_PART", 100)
    stream = io.BytesIO(glnzip.compress(DATA[:300], level=1, prior=None))
    with Cluster(address) as cluster, Machines(cluster, "a") as workers:
        with pytest.raises(OSError, match="no space left") as raised:
            decompressing._carry(decompressed_pieces, stream, _Full(), workers)
        assert not cluster.here.locked()
        stream.seek(0)
        settings = Settings(cluster=cluster)
        progress = Progress("a", None, compressing=False, visible=False)
        with pytest.raises(OSError, match="no space left") as again:
            decompress_stream(stream, _Full(), settings, progress)
        assert not cluster.here.locked()
    assert raised.traceback
    assert again.traceback


@pytest.mark.usefixtures("nothing_here")
def test_files_come_back(address: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"file-{number}.gln" for number in range(5)] + [tmp_path / "all.tgln"]
    for number, path in enumerate(paths):
        options = HERE if number % 2 else {"level": 1, "prior": None}
        path.write_bytes(glnzip.compress(sample(4000, number), **options))
    made = glnzip.dask.decompress(paths, address)
    assert made == [str(path)[:-4] for path in paths[:5]] + [str(tmp_path / "all.tar")]
    for number, name in enumerate(made):
        assert Path(name).read_bytes() == sample(4000, number)
    with pytest.raises(FileExistsError):
        glnzip.dask.decompress(str(paths[0]), address)
    os.unlink(made[0])
    with pytest.raises(ValueError, match=r"file-1 does not end in \.gln"):
        glnzip.dask.decompress([paths[0], made[1]], address)


def test_a_damaged_file_leaves_nothing_behind(address: str, tmp_path: Path) -> None:
    stream = glnzip.compress(DATA[:4000], **HERE)
    (tmp_path / "a.gln").write_bytes(stream[:-1])
    (tmp_path / "b.gln").write_bytes(stream[:-1] + bytes([stream[-1] ^ 1]))
    for name, error in (("a.gln", glnzip.TruncatedStreamError), ("b.gln", glnzip.GlnzipError)):
        with pytest.raises(error):
            glnzip.dask.decompress(tmp_path / name, address)
    assert sorted(os.listdir(tmp_path)) == ["a.gln", "b.gln"]


def test_damage_is_told_as_here(address: str) -> None:
    damaged = bytearray(glnzip.compress(DATA, **HERE))
    damaged[-1] ^= 1
    pieces: list[bytes] = []
    with Cluster(address) as cluster, pytest.raises(glnzip.CorruptStreamError, match="check"):
        pieces.extend(
            decompressed_pieces(io.BytesIO(damaged), workers=Machines(cluster, "damaged"))
        )
    assert b"".join(pieces) == DATA[:18_000]


def test_an_error_of_a_callback_ends_the_work(address: str) -> None:
    def fail(coded: int) -> None:
        raise KeyboardInterrupt

    with Cluster(address) as cluster:
        with pytest.raises(KeyboardInterrupt):
            glnzip.dask.compress(DATA, cluster, progress=fail, **HERE)
        assert cluster.load() == 0


def _have_version(version: str) -> None:
    glnzip.__version__ = version


def test_workers_with_another_version_are_refused(local: Any, address: str) -> None:
    """Also those that join when all has begun: here both become others."""
    with Client(local, set_as_default=False) as client, Cluster(address) as cluster:
        (one, *_) = client.nthreads()
        try:
            client.run(_have_version, "0.0.9", workers=[one])
            with pytest.raises(glnzip.GlnzipError, match=f"{one} has glnzip 0.0.9 "):
                Cluster(address)
            client.run(_have_version, "0.0.8")
            with pytest.raises(glnzip.GlnzipError, match=r"has glnzip 0.0.8 .* here"):
                glnzip.dask.compress(DATA, cluster, **HERE)
        finally:
            client.run(_have_version, glnzip.__version__)
        assert glnzip.dask.compress(DATA, cluster, **HERE) == glnzip.compress(DATA, **HERE)


def test_a_worker_without_room_for_a_model(address: str) -> None:
    with (
        Cluster(address, memory_limit=100 << 20) as cluster,
        pytest.raises(glnzip.MemoryLimitError, match="a block needs about 215 MB"),
    ):
        glnzip.dask.compress(DATA, cluster, **HERE)


def test_a_cluster_that_goes_away(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(DATA)
    local = local_cluster(1)

    def close(coded: int) -> None:
        local.close()

    with pytest.raises(glnzip.GlnzipError, match="is gone"):
        glnzip.dask.compress(tmp_path / "a", local.scheduler_address, progress=close, **HERE)
    assert os.listdir(tmp_path) == ["a"]


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "NO_WORKER_SECONDS", 0)
    with (
        local_cluster(0) as local,
        pytest.raises(glnzip.GlnzipError, match="has had no worker"),
    ):
        glnzip.dask.compress(DATA, local.scheduler_address, **HERE)


def test_no_cluster() -> None:
    import dask

    with pytest.raises(glnzip.GlnzipError, match="no Dask scheduler at nowhere"):
        Cluster("nowhere")
    with pytest.raises(glnzip.GlnzipError, match="names no certificates for TLS"):
        Cluster("tls://127.0.0.1:1")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "100ms"}),
        pytest.raises(glnzip.GlnzipError, match=r"no Dask scheduler at tcp://127.0.0.1:1:"),
    ):
        Cluster("tcp://127.0.0.1:1")
