"""`--dask`: the command with the machines of a cluster."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import glnzip
from glnzip.jit import jit_is_on
from tests.checks import sample
from tests.cli.inside import files, run, write
from tests.cli.test_cli_process import PATIENCE_SECONDS, names, start, wait_until

pytest.importorskip("distributed")

pytestmark = [
    pytest.mark.usefixtures("in_empty_folder"),
    pytest.mark.skipif(not jit_is_on(), reason="takes minutes without the JIT"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of the scheduler of two workers."""
    from tests.dask.conftest import local_cluster

    with local_cluster(2) as local:
        yield local.scheduler_address


DATA = sample(10_000)
OPTIONS = ("-1", "--prior", "none", "-B", "3000")
STREAM = glnzip.compress(DATA, level=1, prior=None, block_size=3000)


def test_files_become_what_they_become_here(address: str) -> None:
    for name in ("a", "b", "c"):
        write(name, DATA)
    done = run("--dask", address, "-v", "--rm", *OPTIONS, "a", "b", "none", "c", status=1)
    assert "glnzip: none: No such file" in done.stderr
    assert done.stderr.count(f"10,000 -> {len(STREAM):,} bytes") == 3
    assert files() == ["a.gln", "b.gln", "c.gln"]
    for name in files():
        assert Path(name).read_bytes() == STREAM
        assert Path(name).stat().st_mode & 0o777 == 0o640
    run("-t", "--dask", address, *files())
    run("-d", "--dask", address, "--rm", *files())
    assert files() == ["a", "b", "c"]
    assert Path("c").read_bytes() == DATA


def test_small_files_are_given_to_the_workers(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several at a time, whether they are parts or not."""
    frames = {name: glnzip.compress(sample(400, ord(name)), level=1, prior=None) for name in "abc"}
    for name, frame in frames.items():
        write(f"{name}.gln", frame)
    monkeypatch.delattr("glnzip.streams.one_or_several._one_by_one")
    run("-t", "--dask", address, *files())
    done = run("-d", "--dask", address, "-v", *files())
    assert done.stderr.count("-> 400 bytes") == 3
    assert [Path(name).read_bytes() for name in "abc"] == [sample(400, ord(n)) for n in "abc"]


def test_pipes_and_joined_outputs(address: str) -> None:
    assert run("--dask", address, *OPTIONS, stdin=DATA).stdout_bytes == STREAM
    write("a", DATA)
    write("b", b"other")
    both = run("--dask", address, *OPTIONS, "-c", "a", "b").stdout_bytes
    assert both.startswith(STREAM)
    assert glnzip.decompress(both) == DATA + b"other"
    assert run("-dc", "--dask", address, stdin=both).stdout_bytes == DATA + b"other"


def test_without_a_block_size_there_is_one(address: str) -> None:
    write("a")
    run("compress", "--dask", address, "-1", "--prior", "none", "a")
    (frame,) = glnzip.frame_info(Path("a.gln").read_bytes())
    assert frame.offset == 0


def test_a_file_that_is_damaged_is_told_of(address: str) -> None:
    write("a.gln", STREAM)
    write("b.gln", STREAM[:-3])
    done = run("-d", "--dask", address, "b.gln", "a.gln", status=1)
    assert done.stderr == "glnzip: b.gln: the stream ends before its end mark\n"
    assert files() == ["a", "a.gln", "b.gln"]


def test_a_memory_limit_is_that_of_each_worker(address: str) -> None:
    write("a")
    line = run("--dask", address, "-1", "--prior", "none", "-M", "100M", "a", status=1).stderr
    assert line == (
        "glnzip: a: a block needs about 215 MB of memory; "
        "the limit of a worker is 105 MB (see --memory-limit)\n"
    )
    assert files() == ["a"]


@pytest.mark.parametrize(
    "options", [("-T2",), ("-T0",), ("--verify",), ("-d", "--keep-going"), ("-t", "-T2")]
)
def test_what_does_not_go_with_a_cluster_is_refused(options: tuple[str, ...]) -> None:
    write("a")
    refused = options[-1][:2] if "T" in options[-1] else options[-1]
    output = run("--dask", "tcp://127.0.0.1:1", *options, "a", status=2).output
    assert f"{refused} cannot be used with --dask" in output


def test_no_cluster() -> None:
    write("a")
    line = run("--dask", "nowhere", "a", status=1).stderr
    assert line.startswith("glnzip: --dask: there is no Dask scheduler at nowhere: ")
    assert files() == ["a"]


def test_no_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)
    write("a")
    line = run("--dask", "tcp://127.0.0.1:1", "a", status=1).stderr
    assert line == "glnzip: --dask needs the package distributed: pip install 'glnzip[dask]'\n"


def test_nothing_else_loads_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("glnzip.dask")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "dask", None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    write("a")
    run("-1", "--prior", "none", "-B100", "-T2", "a")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_half_done(
    address: str, tmp_path: Path, number: signal.Signals
) -> None:
    process = start("-q", "--dask", address, "-o", "a.gln", folder=tmp_path, stdin=subprocess.PIPE)
    wait_until(lambda: names(tmp_path))
    process.send_signal(number)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (-number, b"")
    assert names(tmp_path) == []
