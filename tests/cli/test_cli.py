"""The command line, inside this process and with a quick model: what it does to files and says."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import random
import re
import stat
import sys
import threading
import time
import tracemalloc
from contextlib import redirect_stdout
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, cast

import click
import pytest
from click.testing import CliRunner

import glnzip
from glnzip.cache import cache_root
from glnzip.cache.housekeeping import KeptImage
from glnzip.cli import progress, report, text, transfer
from glnzip.cli.commands import command_for, compress, decompress, info, warmup
from glnzip.cli.commands.info import list_files
from glnzip.cli.preparation import preparation_shown
from glnzip.format.levels import memory_bytes, model_bytes
from glnzip.priors import prepared, watching
from glnzip.system import notices
from glnzip.system.units import human_size
from tests.cli.inside import DATA, OLD_TIME_NS, SlowPipe, files, run, write
from tests.conftest import NEW_CODEC, ZlibCodec
from tests.packed import gzip_file, pdf_file

pytestmark = pytest.mark.usefixtures("quick_model", "in_empty_folder")


def test_round_trip_of_files() -> None:
    write("a")
    write("b", b"")
    run("compress", "a", "b")
    assert files() == ["a", "a.gln", "b", "b.gln"]
    assert len(Path("a.gln").read_bytes()) < len(DATA)
    os.unlink("a")
    os.unlink("b")
    run("decompress", "a.gln", "b.gln")
    assert Path("a").read_bytes() == DATA
    assert Path("b").read_bytes() == b""


@pytest.mark.parametrize("arguments", [["compress"], ["compress", "-"], [], ["-"], ["-c"]])
def test_pipe(arguments: list[str]) -> None:
    compressed = run(*arguments, stdin=DATA).stdout_bytes
    assert glnzip.decompress(compressed) == DATA
    for back in (["decompress"], ["decompress", "-c", "-"], ["-d"], ["-dc"], ["-d", "-o", "-"]):
        assert run(*back, stdin=compressed).stdout_bytes == DATA


def test_short_form_does_the_same() -> None:
    write("a")
    run("-9", "a")
    assert glnzip.compress(DATA, level=9) == Path("a.gln").read_bytes()
    run("-t", "a.gln")
    assert run("-l", "a.gln").output == run("info", "a.gln").output
    os.unlink("a")
    run("-d", "a.gln")
    assert Path("a").read_bytes() == DATA


def test_short_form_of_files_named_like_commands() -> None:
    write("compress")
    run("./compress")
    assert files() == ["compress", "compress.gln"]


def test_the_last_mode_wins() -> None:
    write("a.gln", glnzip.compress(DATA))
    run("-d", "-t", "a.gln")
    assert files() == ["a.gln"]
    assert run("-t", "-l", "a.gln").output == run("info", "a.gln").output
    run("-t", "-d", "a.gln")
    assert Path("a").read_bytes() == DATA
    run("-dz", "-fo", "b", "a")
    assert glnzip.decompress(Path("b").read_bytes()) == DATA


@pytest.mark.parametrize("command", [["compress"], []])
@pytest.mark.parametrize(
    ("options", "level"),
    [([], 6), (["-1"], 1), (["-9c"], 9), (["-1", "-8"], 8), (["--level", "3"], 3), (["-q7"], 7)],
)
def test_levels(command: list[str], options: list[str], level: int) -> None:
    compressed = run(*command, *options, stdin=DATA).stdout_bytes
    assert next(glnzip.frame_info(compressed)).level == level


@pytest.mark.parametrize("command", [["compress"], []])
@pytest.mark.parametrize(
    ("options", "environment", "used"),
    [
        ([], None, glnzip.SHIPPED_PRIOR.id),
        ([], "", glnzip.SHIPPED_PRIOR.id),
        ([], "none", None),
        (["--prior", "none"], None, None),
        (["--prior", "shipped"], "none", glnzip.SHIPPED_PRIOR.id),
    ],
)
def test_priors_without_a_file(
    command: list[str],
    options: list[str],
    environment: str | None,
    used: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if environment is not None:
        monkeypatch.setenv("GLNZIP_PRIOR", environment)
    compressed = run(*command, *options, stdin=DATA).stdout_bytes
    assert next(glnzip.frame_info(compressed)).prior_id == used
    for back in (["-d"], ["-dc", "--prior", "none"], ["decompress", "--prior", "shipped"]):
        assert run(*back, stdin=compressed).stdout_bytes == DATA


def test_usage_errors() -> None:
    write("a")
    run("compress", "--level", "10", "a", status=2)
    run("compress", "--nonsense", "a", status=2)
    run("compress", "-c", "-o", "x", "a", status=2)
    for several in (["a"], ["-r"], ["--files=a"], ["--files0=a"]):
        run("compress", "-o", "x", "a", *several, status=2)
    assert files() == ["a"]


def test_time_and_permissions_are_kept() -> None:
    before = write("a").stat()
    run("compress", "a")
    run("decompress", "-f", "a.gln")
    for name in ("a.gln", "a"):
        after = os.stat(name)
        assert after.st_mtime_ns == before.st_mtime_ns == OLD_TIME_NS
        assert stat.S_IMODE(after.st_mode) == stat.S_IMODE(before.st_mode) == 0o640


def test_output_of_a_pipe_respects_umask() -> None:
    before = os.umask(0o027)
    try:
        run("compress", "-o", "a.gln", stdin=DATA)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat("a.gln").st_mode) == 0o640


def test_set_user_id_is_not_copied() -> None:
    write("a").chmod(0o4755)
    run("compress", "a")
    assert stat.S_IMODE(os.stat("a.gln").st_mode) == 0o755


def test_another_group_gets_no_rights_of_the_inputs_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chown", refuse)
    write("a").chmod(0o674)
    run("compress", "a")
    assert stat.S_IMODE(os.stat("a.gln").st_mode) == 0o644


def test_existing_output_is_not_replaced_without_force() -> None:
    write("a")
    write("b")
    write("a.gln", b"precious")
    assert "glnzip: a: the output, a.gln, exists" in run("compress", "a", "b", status=1).output
    assert Path("a.gln").read_bytes() == b"precious"
    assert files() == ["a", "a.gln", "b", "b.gln"]  # and the next file was done
    run("compress", "-f", "a")
    assert glnzip.decompress(Path("a.gln").read_bytes()) == DATA


def test_output_that_appears_meanwhile_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a")
    monkeypatch.setattr(compress, "compress_stream", lambda *_: write("a.gln", b"precious"))
    run("compress", "a", status=1)
    assert Path("a.gln").read_bytes() == b"precious"
    assert files() == ["a", "a.gln"]


def test_remove_the_input() -> None:
    write("a")
    run("compress", "--rm", "a")
    assert files() == ["a.gln"]
    run("--rm", "-d", "a.gln")
    assert files() == ["a"]
    run("compress", "--rm", "--keep", "a")
    assert files() == ["a", "a.gln"]


def test_input_that_changed_meanwhile_is_not_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    write("log")
    monkeypatch.setattr(
        compress, "compress_stream", lambda *_: write("log", DATA + b"one more line")
    )
    assert "changed in the meantime" in run("compress", "--rm", "log", status=1).output
    assert files() == ["log", "log.gln"]


@pytest.mark.parametrize("arguments", [["--rm", "-c"], ["-c", "--rm"], ["--rm", "-o", "-"]])
def test_input_is_not_removed_when_writing_to_standard_output(arguments: list[str]) -> None:
    write("a")
    run("compress", *arguments, "a")
    assert files() == ["a"]


@pytest.mark.parametrize("arguments", [["-c", "a", "b"], ["-c", "-d", "a.gln", "b.gln"]])
def test_several_files_to_standard_output(arguments: list[str]) -> None:
    write("a")
    write("b", b"and b")
    run("a", "b")
    output = run(*arguments).stdout_bytes
    assert (output if "-d" in arguments else glnzip.decompress(output)) == DATA + b"and b"


def test_output_option() -> None:
    write("a")
    run("compress", "-o", "x", "a")
    run("decompress", "-o", "y", "x")
    assert Path("y").read_bytes() == DATA
    assert files() == ["a", "x", "y"]


@pytest.mark.parametrize("damage", ["short", "changed", "longer", "empty", "other"])
@pytest.mark.parametrize("command", ["decompress", "test"])
def test_damaged_input_leaves_no_output(damage: str, command: str) -> None:
    frame = glnzip.compress(DATA)
    damaged = {
        "short": frame[:-1],
        "changed": frame[:-1] + bytes([frame[-1] ^ 1]),
        "longer": frame + b"more",
        "empty": b"",
        "other": b"PK" + frame,
    }[damage]
    write("a.gln", damaged)
    output = run(command, "--rm" if command == "decompress" else "-q", "a.gln", status=1).output
    assert output.startswith("glnzip: a.gln: ")
    assert len(output.splitlines()) == 1
    assert files() == ["a.gln"]
    assert Path("a.gln").read_bytes() == damaged


def test_one_bad_file_does_not_stop_the_others() -> None:
    write("a")
    write("b")
    output = run("compress", "missing", "a", ".", "b", status=1).output
    assert output.splitlines() == [
        "glnzip: missing: No such file or directory",
        "glnzip: .: is a directory; skipped "
        "(as one file: tar -I glnzip -cf FOLDER.tar.gln FOLDER; each file in it: -r)",
    ]
    assert files() == ["a", "a.gln", "b", "b.gln"]


def test_suffixes() -> None:
    write("a", glnzip.compress(DATA))
    write(".gln", glnzip.compress(DATA))
    assert "does not end in .gln" in run("decompress", "a", status=1).output
    assert "does not end in .gln" in run("decompress", ".gln", status=1).output
    assert run("decompress", "-c", "a").stdout_bytes == DATA
    write("b.gln")
    assert "already ends in .gln" in run("compress", "b.gln", status=1).output
    run("compress", "-f", "b.gln")
    assert files() == [".gln", "a", "b.gln", "b.gln.gln"]


def test_output_that_is_the_input_is_refused() -> None:
    write("a")
    os.symlink("a", "link")
    os.link("a", "twin")
    for output in ("a", "./a", "link", "twin"):
        assert "same file" in run("compress", "-f", "-o", output, "a", status=1).output
    assert Path("a").read_bytes() == DATA
    assert files() == ["a", "link", "twin"]


def test_special_files() -> None:
    write("a")
    os.mkfifo("pipe")
    os.mkdir("folder")
    os.symlink("nowhere", "dangling")
    assert "not a regular file" in run("compress", "pipe", status=1).output
    assert "is a directory" in run("compress", "-fo", "folder", "a", status=1).output
    assert "exists" in run("compress", "-o", "dangling", "a", status=1).output
    assert files() == ["a", "dangling", "folder", "pipe"]


def test_links_as_inputs() -> None:
    write("a")
    os.symlink("a", "link")
    os.link("a", "twin")
    run("compress", "link")  # the input is kept, so a link is as good as its file
    assert glnzip.decompress(Path("link.gln").read_bytes()) == DATA
    os.unlink("link.gln")
    assert "symbolic link" in run("compress", "--rm", "link", status=1).output
    assert "hard link" in run("compress", "--rm", "twin", status=1).output
    assert files() == ["a", "link", "twin"]
    run("compress", "--rm", "-f", "link", "twin")
    assert files() == ["a", "link.gln", "twin.gln"]


def test_failed_write_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    write("a")
    monkeypatch.setattr(compress, "compress_stream", fail)
    assert run("compress", "--rm", "a", status=1).output == "glnzip: a: No space left on device\n"
    assert files() == ["a"]


def test_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    write("a")
    monkeypatch.setattr(compress, "compress_stream", fail)
    assert run("compress", "a", status=1).output == "glnzip: a: not enough memory\n"
    assert files() == ["a"]


def test_a_defect_is_not_hidden_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    write("a")
    monkeypatch.setattr(compress, "compress_stream", fail)
    result = CliRunner().invoke(command_for(["a"]), ["a"])
    assert isinstance(result.exception, ZeroDivisionError)
    assert files() == ["a"]


def test_blocks_that_stand_alone() -> None:
    write("a")
    run("compress", "-B", "700", "a")
    stream = Path("a.gln").read_bytes()
    assert stream == glnzip.compress(DATA, block_size=700)
    for options in (["-B", "700", "-T", "3"], ["-B700", "-T0"], ["--block-size=700B", "-T2"]):
        assert run(*options, "-c", "a").stdout_bytes == stream
    assert run("-B", "1KiB", "-c", "a").stdout_bytes == glnzip.compress(DATA, block_size=1024)
    for options in (["-dc"], ["-dc", "-T3"], ["decompress", "-c", "-T0"]):
        assert run(*options, "a.gln").stdout_bytes == DATA
    assert f"{len(stream)} -> 2,000 bytes" in run("test", "-v", "-T2", "a.gln").stderr
    assert run("-dc", "-T2", stdin=stream).stdout_bytes == DATA


@pytest.mark.parametrize("size", ["0", "-1", "", "1X", "1.5.5K", "K", "0.4"])
def test_sizes_that_are_none(size: str) -> None:
    assert "is not a size" in run("compress", f"--block-size={size}", status=2).stderr


def test_damaged_blocks_are_left_out() -> None:
    stream = bytearray(glnzip.compress(DATA, block_size=500))
    first, *_ = glnzip.frame_info(bytes(stream))
    stream[first.compressed_bytes + 40] ^= 1
    write("a.gln", bytes(stream))
    saved = DATA[:500] + bytes(500) + DATA[1000:]

    plain = run("decompress", "a.gln", status=1)
    assert files() == ["a.gln"], plain.stderr
    result = run("decompress", "--keep-going", "--rm", "a.gln", status=1)
    assert files() == ["a", "a.gln"], "a damaged input is never removed"
    assert Path("a").read_bytes() == saved
    start = first.compressed_bytes
    assert f"bytes {start:,} to " in result.stderr
    assert "data bytes 500 to 999 are lost, now zeros" in result.stderr
    assert "saved 1,500 bytes of data in 3 sound blocks; the rest is lost" in result.stderr

    for arguments in (["-dc", "--keep-going"], ["decompress", "--keep-going", "-o", "-", "a.gln"]):
        assert run(*arguments, stdin=bytes(stream), status=1).stdout_bytes == saved
    assert "data bytes 500 to 999" in run("test", "--keep-going", "a.gln", status=1).stderr


def test_keep_going_where_nothing_is_damaged_or_nothing_is_sound() -> None:
    write("a")
    run("-B", "500", "a")
    run("decompress", "--keep-going", "--rm", "-f", "a.gln")
    assert files() == ["a"]
    assert Path("a").read_bytes() == DATA
    run("--keep-going", "-t", stdin=glnzip.compress(DATA))
    write("b.gln", b"no frame")
    assert "not a glnzip frame" in run("-d", "--keep-going", "b.gln", status=1).stderr
    assert files() == ["a", "b.gln"]


def test_verify(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a")
    run("compress", "--verify", "--rm", "a")
    assert files() == ["a.gln"]
    run("-d", "--rm", "a.gln")

    def wrong(source: object, sink: Any, *_: object) -> bytes:
        sink.write(glnzip.compress(DATA + b"!"))
        return sha256(DATA).digest()

    monkeypatch.setattr(compress, "compress_stream", wrong)
    result = run("compress", "--verify", "--rm", "a", status=1)
    assert "do not decompress to the original" in result.stderr
    assert files() == ["a"], "an output that is wrong is not kept, and no input is removed"
    for arguments in (["-c", "a"], [], ["-"], ["a", "-o", "-"]):
        assert "--verify" in run("compress", "--verify", *arguments, status=2).stderr


def test_an_output_that_is_no_file_is_written_to_as_it_is() -> None:
    write("a")
    for options in (["-o", "/dev/null"], ["--rm", "-o", "/dev/null"], ["--rm", "-fo", "/dev/null"]):
        run(*options, "a")
        assert files() == ["a"], "an input is removed only if a file has its data"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert "--verify" in run("--verify", "-o", "/dev/null", "a", status=2).stderr


def test_an_output_that_is_a_pipe() -> None:
    write("a")
    os.mkfifo("pipe")
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(Path("pipe").read_bytes()))
    reader.start()
    run("--rm", "-o", "pipe", "a")
    reader.join()
    assert glnzip.decompress(received[0]) == DATA
    assert files() == ["a", "pipe"]


def test_an_output_that_is_standard_output() -> None:
    """Whatever that is: /dev/stdout can lead to a file."""
    write("a")
    assert glnzip.decompress(run("--rm", "-o", "/dev/stdout", "a").stdout_bytes) == DATA
    assert files() == ["a"]


def test_what_is_no_stream_passes_from_a_slow_pipe() -> None:
    """It is not known for what it is before its first four bytes have come."""
    packed = glnzip.compress(DATA)
    damaged = packed[:-1] + b"!"
    for data, status in ((packed, 0), (DATA, 0), (b"", 0), (packed[:3], 0), (damaged, 1)):
        pipe = cast(BinaryIO, io.BufferedReader(SlowPipe(data)))
        output = run("-dcf", stdin=pipe, status=status).stdout_bytes
        assert output == (DATA if data in (packed, damaged) else data)


def test_names_of_inputs_in_a_file() -> None:
    write("a")
    write("-")
    for content, reason in (
        (b"a\nb", "the last name is not complete"),
        (b"a\0\n", "a name has a NUL byte"),
    ):
        Path("list").write_bytes(content)
        assert f"glnzip: list: {reason}" in run("--files=list", status=1).stderr
        assert files() == ["-", "a", "list"], "nothing is done by half a list"
    Path("list").write_bytes(b"-\n\na\n")
    run("--files=list")
    assert files() == ["-", "-.gln", "a", "a.gln", "list"], "a dash is a file there"
    Path("list").write_bytes(b"")
    assert run("-c", "--files=list", stdin=DATA).stdout_bytes == b""
    for options in (["--files", "-"], ["--files=list", "--files0=list"], ["--files", "-o", "x"]):
        assert "Usage" in run(*options, status=2).stderr


def test_folders_are_gone_through_and_links_in_them_are_not() -> None:
    os.mkdir("folder")
    write("folder/a")
    write("a.gln", glnzip.compress(DATA))
    os.symlink("../a.gln", "folder/link")
    os.symlink("..", "folder/up")
    write("folder/b.tgln", glnzip.compress(DATA))
    run("compress", "-rf", "folder")
    run("test", "-r", "folder")
    assert run("-lr", "folder").output.count("folder/") == 2
    run("-dr", "--rm", "folder", "-f")
    assert sorted(os.listdir("folder")) == ["a", "b.tar", "link", "up"]
    hint = "is a directory; skipped (each file in it: -r)"
    assert hint in run("-d", "folder", status=1).stderr
    assert hint in run("-t", "folder", status=1).stderr


@pytest.mark.parametrize("suffix", ["", "/x"])
def test_suffixes_that_are_none(suffix: str) -> None:
    assert "cannot be the suffix" in run("-S", suffix, "a", status=2).stderr


def test_sizes_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "usable_memory", lambda: 2000)
    for share, size in ((1, 20), (50, 1000), (100, 2000)):
        assert text.parsed_memory_limit(f"{share}%") == size
    assert text.parsed_memory_limit("1") == 1
    assert text.parsed_memory_limit("2K") == 2048
    assert text.parsed_memory_limit("0") is None, "what the machine has"
    assert text.parsed_memory_limit("max") == sys.maxsize
    for share in (0, 101):
        assert "1% to 100%" in run("-M", f"{share}%", "a", status=2).stderr
    monkeypatch.setattr(text, "usable_memory", lambda: None)
    assert "is unknown" in run("-M", "50%", "a", status=2).stderr


def test_an_error_of_the_system_without_a_number_has_its_words() -> None:
    assert report.reason(io.UnsupportedOperation("not seekable")) == "not seekable"


def test_a_prior_of_ones_own_is_needed_to_decompress() -> None:
    write("p.gln", glnzip.compress(b"words of a kind", prior=None))
    packed = run("--prior", "p.gln", stdin=DATA).stdout_bytes
    assert run("-d", "--prior", "p.gln", stdin=packed).stdout_bytes == DATA
    assert glnzip.Prior.load("p.gln").id in run("-d", stdin=packed, status=1).stderr


@pytest.mark.parametrize("option", ["--base", "--patch-from"])
@pytest.mark.parametrize("prior", ["none", "p.gln"])
def test_an_older_version_is_needed_to_decompress(option: str, prior: str) -> None:
    write("p.gln", glnzip.compress(b"words of a kind", prior=None))
    write("old", DATA)
    based = ("--prior", prior, option, "old")
    packed = run("-1", "-B2000", "-T2", *based, stdin=DATA + b"more").stdout_bytes
    assert run("-d", *based, stdin=packed).stdout_bytes == DATA + b"more"
    run("test", *based, stdin=packed)
    base = glnzip.Base.load("old", prior=None if prior == "none" else prior)
    assert f"needs the prior {base.id}; none was given" in run("-d", stdin=packed, status=1).stderr
    assert f"needs the prior {base.id};" in run("-t", *based[2:], stdin=packed, status=1).stderr


def test_a_base_that_cannot_be_used() -> None:
    write("a")
    write("nothing", b"")
    assert "glnzip: gone: No such file" in run("--base", "gone", "a", status=1).stderr
    expected = "glnzip: nothing: the base nothing cannot be used: it is empty\n"
    assert run("--base", "nothing", "a", status=1).stderr == expected
    assert files() == ["a", "nothing"]


def test_what_is_tested_is_never_passed_on() -> None:
    write("a")
    assert "not a glnzip frame" in run("-tcf", "a", status=1).stderr


@pytest.mark.parametrize(
    "arguments",
    [["a", "-19"], ["-k19", "a"], ["compress", "-19", "a"], ["--suffix=.z", "-19", "a"]],
)
def test_a_level_of_two_digits_is_refused(arguments: list[str]) -> None:
    write("a")
    result = run(*arguments, status=2)
    assert "there is no level 19" in result.stderr
    assert ("Usage: glnzip compress" in result.stderr) == ("compress" in arguments)
    assert files() == ["a"]
    run("-1", "-8", "-T12", "-S.19", "-o", "-19", "a")
    (frame,) = glnzip.frame_info(Path("-19").read_bytes())
    assert frame.level == 8


@pytest.mark.parametrize(
    "defaults",
    ["-9 --rm --suffix '.g l'", "--suffix='.g l' --rm -9", "-9S'.g l' --rm", "--rm -S '.g l' -9"],
)
def test_default_options(defaults: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a b")
    monkeypatch.setenv("GLNZIP_OPT", defaults)
    run("compress", "-3", "a b")
    (frame,) = glnzip.frame_info(Path("a b.g l").read_bytes())
    assert (frame.level, files()) == (3, ["a b.g l"])
    run("decompress", "-k", "a b.g l")
    assert files() == ["a b", "a b.g l"]
    run("-t", "a b.g l")
    run("info", "a b.g l")


@pytest.mark.parametrize("command", [["compress", "a"], ["info", "a"], ["a"]])
@pytest.mark.parametrize("wrong", ["--nonsense", "-19", "--level=12", "a", "'", "-M 0%"])
def test_default_options_that_are_wrong(
    command: list[str], wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLNZIP_OPT", wrong)
    assert "Error: in GLNZIP_OPT: " in run(*command, status=2).stderr


def test_a_prior_of_the_environment_matters_to_those_who_need_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = glnzip.Prior(glnzip.compress(b"words of a kind", prior=None))
    write("own.gln", glnzip.compress(DATA, prior=own))
    write("a.gln", glnzip.compress(DATA))
    monkeypatch.setenv("GLNZIP_PRIOR", "missing")
    run("-t", "a.gln")
    run("decompress", "a.gln")
    why = "GLNZIP_PRIOR names missing, which cannot be used: No such file or directory"
    for keep_going in ([], ["--keep-going"]):
        assert why in run("test", *keep_going, "own.gln", status=1).stderr
    assert "GLNZIP_PRIOR: missing: No such file" in run("-f", "a", status=1).stderr
    assert "glnzip: gone: No such" in run("-t", "--prior", "gone", "a.gln", status=1).stderr


def test_keep_going_with_nothing() -> None:
    write("a.gln", b"")
    for command in (["test"], ["decompress"]):
        assert "glnzip: a.gln: " in run(*command, "--keep-going", "a.gln", status=1).stderr
    assert files() == ["a.gln"]


def test_limits() -> None:
    write("a")
    run("compress", "-3", "--prior", "none", "a")
    (frame,) = glnzip.frame_info(Path("a.gln").read_bytes())
    memory = frame.memory_bytes or 0
    os.unlink("a")
    for command in (["decompress"], ["test"], ["decompress", "--keep-going"]):
        result = run(*command, "--memory-limit", f"{memory - 1}", "a.gln", status=1)
        assert "level 3 needs about" in result.stderr
        assert "(see --memory-limit)" in result.stderr or "--keep-going" in command
        result = run(*command, "--max-output", f"{len(DATA) - 1}", "a.gln", status=1)
        assert f"{len(DATA) - 1:,} bytes" in result.stderr
        assert "(see --max-output)" in result.stderr or "--keep-going" in command
        assert files() == ["a.gln"]
    run("decompress", "--memory-limit", f"{memory}", "--max-output", f"{len(DATA)}", "a.gln")
    result = run("compress", "-9", "--memory-limit", "1G", "a", "-c", status=1)
    assert "level 9 needs about" in result.stderr


def test_verbose_and_quiet() -> None:
    write("a")
    line = run("compress", "-v", "a").output
    size = os.stat("a.gln").st_size
    assert line.startswith(f"a: 2,000 -> {size} bytes, {100 * size / 2000:.1f} %, ")
    assert run("test", "-v", "a.gln").output.startswith(f"a.gln: {size} -> 2,000 bytes, ")
    assert run("compress", "-f", "-q", "-v", "a").output == ""
    assert run("decompress", "-f", "a.gln").output == ""


def test_odd_names() -> None:
    name = "new\nline \x1b[31m \udcff"
    assert run("compress", name, status=1).output.startswith(
        "glnzip: new\\nline \\x1b[31m \\udcff: "
    )
    write("-9")
    run("compress", "--", "-9")
    assert files() == ["-9", "-9.gln"]


def test_info_table() -> None:
    write("a")
    run("compress", "-3", "a")
    frame = Path("a.gln").read_bytes()
    write("two.gln", frame + frame)
    lines = run("info", "-v", "a.gln", "two.gln").output.splitlines()
    assert lines[0].endswith("  File")
    segments = [line for line in lines if " -> " in line]
    assert len(segments) == 3
    assert segments[0].split()[:2] == ["0", "numbers"]
    lines = [line for line in lines if line not in segments]
    assert [(line.split()[0], line.split()[-1]) for line in lines[1:]] == [
        ("1", "a.gln"),
        ("1", "two.gln"),
        ("2", "two.gln"),
        ("3", "(all)"),
    ]
    assert f"{6000:,}" in lines[-1]
    assert frame[-4:][::-1].hex() in lines[1]


def test_info_tells_what_was_unpacked() -> None:
    write("a", pdf_file([DATA, DATA]))
    run("compress", "-1", "--prior", "none", "a")
    lines = [line.split() for line in run("info", "-v", "a.gln").output.splitlines()]
    assert lines[1][:2] == ["0", "unpacked"]
    assert int(lines[1][2].replace(",", "")) == len(Path("a").read_bytes())
    assert sum(int(line[2].replace(",", "")) for line in lines[2:-1]) > 2 * len(DATA)


@pytest.mark.parametrize("command", [["info"], ["-l"], ["-l", "-q"]])
def test_info_is_a_row_a_file(command: list[str]) -> None:
    write("a.gln", glnzip.compress(DATA, level=3))
    write("b.gln", glnzip.compress(DATA, level=5) + glnzip.compress(DATA, level=9, prior=None))
    rows = [line.split() for line in run(*command, "a.gln", "b.gln").output.splitlines()]
    frames, level, prior = (rows[0].index(word) for word in ("Frames", "Level", "Prior"))
    assert [row[frames] for row in rows[1:]] == ["1", "2", "3"]
    # "12.3 %" is two words.
    assert [row[level + 1] for row in rows[1:]] == ["3", "5-9", "3-9"]
    assert [row[prior + 1] for row in rows[1:]] == [glnzip.SHIPPED_PRIOR.id, "several", "several"]
    assert [row[-1] for row in rows[1:]] == ["a.gln", "b.gln", "(all)"]


def test_info_adds_up_the_frames_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "odd\nname.gln"
    write(name, glnzip.compress(DATA, level=3) + glnzip.compress(random.Random(0).randbytes(99)))
    frames = list(glnzip.frame_info(Path(name).read_bytes()))
    assert sum(frame.stored_blocks for frame in frames) == 1
    sums = {
        "Frames": "2",
        "Blocks": "2",
        "Compressed": f"{sum(frame.compressed_bytes for frame in frames):,}",
        "Original": f"{len(DATA) + 99:,}",
        "Level": "3-6",
        "Memory": text.human_size(max(frame.memory_bytes or 0 for frame in frames)),
        "File": "odd\\nname.gln",
    }

    def rows(*arguments: str) -> list[dict[str, str]]:
        heads, *others = (
            re.split(r"  +", line.strip()) for line in run("info", *arguments).output.splitlines()
        )
        return [dict(zip(heads, row, strict=True)) for row in others]

    (row,) = rows(name)
    assert row.items() >= sums.items()
    unknown = [dataclasses.replace(frame, memory_bytes=None) for frame in frames]
    monkeypatch.setattr(info, "frame_info", lambda *_: iter(unknown))
    assert rows(name)[0]["Memory"] == "unknown"


def test_info_as_json() -> None:
    write("a.gln", glnzip.compress(DATA))
    [file] = json.loads(run("info", "--json", "a.gln").output)
    assert file["file"] == "a.gln"
    assert file["frames"][0]["original_bytes"] == len(DATA)
    assert file["frames"][0]["prior_id"] == glnzip.SHIPPED_PRIOR.id


@pytest.mark.parametrize(("as_json", "verbose"), [(False, False), (False, True), (True, False)])
def test_info_of_many_frames_takes_no_memory(as_json: bool, verbose: bool) -> None:
    write("many.gln", glnzip.compress(b"") * 10_000)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        list_files(["many.gln"], as_json=as_json, verbose=verbose)  # imports what it needs
        tracemalloc.start()
        list_files(["many.gln"], as_json=as_json, verbose=verbose)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 300_000


def test_json_of_damaged_files_is_json() -> None:
    frame = glnzip.compress(DATA)
    write("a.gln", frame + frame[:-1])
    write("b.gln", b"none")
    write("c.gln", frame * 2)
    listing = json.loads(run("-l", "--json", "b.gln", "a.gln", "c.gln", "d", status=1).stdout)
    assert [(file["file"], len(file["frames"])) for file in listing] == [("a.gln", 1), ("c.gln", 2)]
    assert json.loads(run("info", "--json", "b.gln", status=1).stdout) == []
    assert "--json needs -l" in run("--json", "a.gln", status=2).stderr


def test_info_of_a_pipe_and_of_no_frame() -> None:
    assert "2,000" in run("info", stdin=glnzip.compress(DATA)).output
    assert run("info", stdin=b"no", status=1).output.startswith("glnzip: standard input: ")


@pytest.mark.parametrize("command", [["compress"], []])
@pytest.mark.parametrize(
    ("options", "default", "unpacks"),
    [
        ([], "", True),
        (["--no-unpack"], "", False),
        (["--no-unpack", "--unpack"], "", True),
        ([], "--no-unpack", False),
        (["--unpack"], "--no-unpack", True),
        (["--no-unpack", "-B1K", "-T2"], "", False),
    ],
)
def test_whether_packed_data_are_unpacked(
    command: list[str],
    options: list[str],
    default: str,
    unpacks: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GLNZIP_OPT", default)
    data = gzip_file(DATA)
    compressed = run(*command, *options, stdin=data).stdout_bytes
    seen = sum(info.unpacked_bytes for info in glnzip.frame_info(compressed))
    assert (seen > len(data)) == unpacks
    assert glnzip.decompress(compressed) == data


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What progress lines are about: total, whether it is compressed, whether they are drawn."""
    made: list[tuple[object, ...]] = []

    class WatchedProgress(progress.Progress):
        def __init__(
            self, name: str, total: int | None, *, compressing: bool, visible: bool
        ) -> None:
            made.append((total, compressing, visible))
            super().__init__(name, total, compressing=compressing, visible=False)

    monkeypatch.setattr(progress, "Progress", WatchedProgress)
    monkeypatch.setattr("glnzip.cli.options.may_draw", lambda: True)
    monkeypatch.setattr("glnzip.cli.preparation.may_draw", lambda: True)
    return made


@pytest.mark.parametrize("damage", [b"", b"damage"])
def test_progress_of_decompressing_knows_the_original_size(
    damage: bytes, lines: list[tuple[object, ...]]
) -> None:
    packed = glnzip.compress(DATA) * 2 + damage
    write("a.gln", packed)
    run("test", "a.gln", status=1 if damage else 0)
    assert lines == [(None if damage else 2 * len(DATA), False, True)]
    pipe = cast(BinaryIO, io.BufferedReader(SlowPipe(packed)))
    assert run("-dc", stdin=pipe, status=1 if damage else 0).stdout_bytes == DATA * 2
    assert lines[1:] == [(None, False, True)]


def test_progress_of_verifying_is_that_of_decompressing(lines: list[tuple[object, ...]]) -> None:
    write("a")
    run("compress", "--verify", "a")
    assert lines == [(len(DATA), True, True), (len(DATA), False, True)]


def test_packed_data_are_counted_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not as what is in them; when they are unpacked, as soon as this is decoded."""
    packed = gzip_file(bytes(200_000))
    counted: list[tuple[int, int]] = []

    def advance(self: progress.Progress, bytes_read: int, bytes_written: int) -> None:
        counted.append((bytes_read, bytes_written))

    monkeypatch.setattr(progress.Progress, "advance", advance)
    write("a", packed)
    run("compress", "a")
    assert sum(read for read, _ in counted) == len(packed)
    counted.clear()
    run("test", "a.gln")
    assert sum(written for _, written in counted) == len(packed)


@pytest.mark.parametrize(
    ("option", "drawn"), [("-k", [True, True]), ("--no-progress", [False] * 2)]
)
def test_no_line_is_drawn_of_work_or_preparation_if_that_is_wanted(
    option: str,
    drawn: list[bool],
    lines: list[tuple[object, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def prepare(*_: object) -> bytes:
        with watching.watch("preparing", 1000, True):
            return b""

    monkeypatch.setattr(compress, "compress_stream", prepare)
    write("a")
    assert "glnzip: preparing (1 KB)" in run(option, "a").stderr
    assert [visible for _, _, visible in lines] == drawn


def test_nothing_is_drawn_where_there_is_no_terminal(
    lines: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glnzip.cli.options.may_draw", lambda: False)
    write("a")
    run("a")
    assert lines == [(len(DATA), True, False)]


def test_quiet_work_and_preparation_say_nothing(
    lines: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(*_: object) -> bytes:
        with watching.watch("preparing", 1000, True):
            return b""

    write("a")
    monkeypatch.setattr(compress, "compress_stream", prepare)
    assert run("-q", "a").stderr == ""
    assert lines == [(len(DATA), True, False)]


def test_a_preparation_that_cannot_be_kept_is_announced_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o777)
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path))
    with preparation_shown(quiet=False), watching.watch("preparing", 1000, True):
        pass
    assert capsys.readouterr().err.startswith(
        f"glnzip: preparing (1 KB); it cannot be kept in {tmp_path}: others can write to "
    )


def test_notices_of_the_library_are_said_unless_all_is_to_be_quiet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compress, "compress_stream", lambda *_: notices.notice("it takes long"))
    write("a")
    write("b")
    assert run("compress", "-q", "-o", "quiet.gln", "a").output == ""
    assert run("compress", "a", "b").output == "glnzip: it takes long\n", "once is enough"


def test_verifying_shares_no_memory_with_the_compressor(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = []
    unwatched = transfer.decompress_stream

    def watched(*arguments: Any) -> bytes:
        whole.append(prepared._reading_whole)
        return unwatched(*arguments)

    for command in (compress, decompress):
        monkeypatch.setattr(command, "decompress_stream", watched)
    write("a")
    run("compress", "--verify", "a")
    run("test", "a.gln")
    assert whole == [True, False]


def test_memory_limits() -> None:
    write("a")
    run("-1", "a", "--prior", "none")
    for limit in ("300M", "0", "max", "100%"):
        run("-t", "-M", limit, "a.gln")
    needed = human_size(memory_bytes(1))
    assert f"needs about {needed} of memory; the limit is 105 MB (see --memory-limit)" in (
        run("-t", "-M", "100M", "a.gln", status=1).output
    )
    assert run("-M", "x", "a", status=2)


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The threads that make a model."""
    workers: set[int] = set()

    class Slow(ZlibCodec):
        """Works so long that every thread there is gets some of the work."""

        def __init__(self, *arguments: Any) -> None:
            workers.add(threading.get_ident())
            time.sleep(0.01)
            super().__init__(*arguments)

    monkeypatch.setattr(NEW_CODEC, Slow)
    return workers


@pytest.mark.parametrize(("models", "threads"), [(1, 1), (2, 2), (3, 3), (9, 4)])
def test_a_memory_limit_leaves_as_many_threads_as_have_room(
    models: int, threads: int, workers: set[int]
) -> None:
    """Of four that are asked for, as many work as can have a model."""
    limit = memory_bytes(1) + (models - 1) * model_bytes(1)
    options = ("-T4", "-M", str(limit))
    packed = run("-1", "--prior", "none", "-B100", *options, stdin=DATA).stdout_bytes
    assert len(workers) == threads
    workers.clear()
    assert run("-dc", *options, stdin=packed).stdout_bytes == DATA
    assert len(workers) == threads


@pytest.mark.parametrize(("cpus", "threads"), [(3, 3), (None, 1)])
def test_no_number_of_threads_is_one_for_each_cpu(
    cpus: int | None, threads: int, workers: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cpus)
    run("-T0", "-B100", "--prior", "none", stdin=DATA)
    assert len(workers) == threads


def test_what_is_not_prepared_can_be_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a")
    run("-3", "a")
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path / "cache"))
    reason = "the shipped prior is not prepared for level 3; only what is prepared may be used"
    for arguments in (["-dc"], ["-t"], ["test", "--keep-going"], ["decompress", "-o", "b"]):
        assert reason in run(*arguments, "--only-prepared", "a.gln", status=1).output
    assert files() == ["a", "a.gln"]


def test_why_nothing_is_kept_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(folder))
    monkeypatch.setattr(warmup, "compile_and_prepare", lambda *_, **__: False)
    output = run("warmup", "--prior", "none", status=1).output
    assert f"cannot be kept in {folder}: others can write to {folder}; GLNZIP_CACHE" in output


@pytest.mark.parametrize("kept", [True, False])
def test_warmup_says_whether_the_kernels_are_kept(
    kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "compile_and_prepare", lambda *_, **__: kept)
    output = run("warmup", "--prior", "none", status=0 if kept else 1).output
    assert str(cache_root()) in output
    assert ("is ready after" in output) == kept
    quiet = run("warmup", "--prior", "none", "-q", status=0 if kept else 1)
    assert (quiet.output == "") == kept


def test_warmup_prepares_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, str | None]] = []

    def compile_and_prepare(level: int, *, prior: glnzip.Prior | None) -> bool:
        calls.append((level, prior.id if prior else None))
        notices.notice("it takes long")
        return True

    write("p.gln", glnzip.compress(b"words of a kind", prior=None))
    own = glnzip.Prior.load("p.gln").id
    monkeypatch.setattr(warmup, "compile_and_prepare", compile_and_prepare)
    monkeypatch.setattr("glnzip.jit.why_plain", lambda: None)
    output = run("warmup").output
    assert f"with the shipped prior {glnzip.SHIPPED_PRIOR.id}, level 6, is ready after 0." in output
    assert output.startswith("glnzip: it takes long\n")
    assert (
        f"the model with the prior {own}, level 2,"
        in run("warmup", "-2", "--prior", "p.gln").output
    )
    assert run("warmup", "-q", "--prior", "none").output == ""
    assert calls == [(6, glnzip.SHIPPED_PRIOR.id), (2, own), (6, None)]


@pytest.mark.parametrize(
    ("error", "line"),
    [(MemoryError(), "not enough memory"), (glnzip.GlnzipError("why not"), "why not")],
)
def test_warmup_that_fails(error: Exception, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(warmup, "compile_and_prepare", fail)
    assert run("warmup", status=1).output == f"glnzip: warmup: {line}\n"


def test_a_prior_if_it_is_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def compressor(*_: object, or_none: bool = False, **options: Any) -> glnzip.Compressor:
        asked.append(or_none)
        return glnzip.Compressor(prior=options["prior"], or_none=or_none)

    monkeypatch.setattr(transfer, "new_compressor", compressor)
    write("a", DATA)
    run("-k", "--prior", "auto", "a")
    assert run("-dc", "--prior", "auto", "a.gln").stdout_bytes == DATA
    run("-kf", "a")
    monkeypatch.setenv("GLNZIP_PRIOR", "auto")
    run("-kf", "a")
    assert asked == [True, False, True]


def test_the_cache_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = glnzip.SHIPPED_PRIOR.content_hash
    used = time.mktime((2026, 11, 25, 12, 0, 0, 0, 0, -1))
    images = [
        KeptImage("0123456789abcdef" * 4, 6, 1_080_000_000, used),
        KeptImage(shipped, 1, 90_000_000, used),
    ]
    monkeypatch.setattr("glnzip.cache.housekeeping.kept_images", lambda: images)
    monkeypatch.setattr("glnzip.cache.housekeeping.disk_bytes", lambda: 1_174_000_000)
    assert run("cache").output.splitlines() == [
        f"in {cache_root()}:",
        "  prior 01234567, level 6: 1.08 GB, used 2026-11-25",
        f"  prior {shipped[:8]}, shipped, level 1: 90 MB, used 2026-11-25",
        "  compiled code, and what other versions keep: 4 MB",
        "in all 1.17 GB; no limit",
    ]
    monkeypatch.setenv("GLNZIP_CACHE_LIMIT", "2G")
    assert run("cache").output.endswith("; limit for priors 2.15 GB\n")
    listing = json.loads(run("cache", "--json").output)
    row = {"prior_id": "01234567", "level": 6, "disk_bytes": 1_080_000_000, "used": int(used)}
    assert listing["priors"][0] == row
    monkeypatch.setenv("GLNZIP_CACHE_LIMIT", "much")
    assert run("cache").stderr.startswith("glnzip: GLNZIP_CACHE_LIMIT: 'much' is not a size")
    monkeypatch.setenv("GLNZIP_CACHE_LIMIT", "2G")
    del listing["priors"]
    assert listing == {
        "folder": str(cache_root()),
        "disk_bytes": 1_174_000_000,
        "limit": 2 << 30,
    }


def test_the_cache_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glnzip.cache.housekeeping.clear_cache", lambda: 181_000_000)
    assert run("cache", "--clear").output == "glnzip: 181 MB of disk space freed\n"
    assert run("cache", "--clear", "-q").output == ""


def test_warmup_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glnzip.jit.why_plain", lambda: "no compiler")
    assert "nothing to compile: no compiler" in run("warmup").output


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option: str) -> None:
    assert run(option).output == f"glnzip {glnzip.__version__}\n"


def test_help_names_every_command_and_option() -> None:
    text = run("--help").output
    assert isinstance(command_for(["--help"]), click.Group)
    assert "..." not in text.partition("Commands:")[2], "a line is cut"
    for command in ("compress", "decompress", "test", "info", "messages", "train", "warmup"):
        assert command in text
        assert "--help" in run(command, "-h").output
    for option in ("--uncompress", "--memlimit", "--extreme"):
        assert option not in text, "it is there for habit only"
    for option in ("--decompress", "--files0 [LIST]", "--max-output SIZE"):
        assert option in text
        assert option in run("-d", "--help").output
    assert "Try 'glnzip -" in run("--nonsense", status=2).stderr
