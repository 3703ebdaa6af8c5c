"""`glnzip messages`: lines in, lines out, each alone."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from click.testing import CliRunner, Result

import glnzip
from glnzip.cli.commands import command_for

QUICK = ("-1", "--prior", "none")
LINES = [b"Camp 2 reached, all well.", b"", b"\xff\0 not text \r", b"Camp 3 by Friday."]


def run(*arguments: str, stdin: bytes | BinaryIO = b"", status: int = 0) -> Result:
    """Run `glnzip messages -1 --prior none`, and check its exit status."""
    arguments = ("messages", "-q", *QUICK, *arguments)
    result = CliRunner().invoke(command_for(list(arguments)), arguments, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result


@pytest.mark.parametrize("options", [[], ["--hex"], ["--base64"], ["--hex", "--check", "4"]])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_round_trip(options: list[str], end: bytes) -> None:
    text = b"\n".join(LINES) + end
    messages = run(*options, stdin=text).stdout_bytes
    assert messages.count(b"\n") == text.count(b"\n")
    assert run("-d", *options, stdin=messages).stdout_bytes == text


def test_a_line_is_what_the_interface_makes() -> None:
    (line,) = run("--check", "2", stdin=LINES[0]).stdout_bytes.splitlines()
    expected = glnzip.compress_message(LINES[0], level=1, prior=None, check_bytes=2)
    assert base64.b64decode(line) == expected
    assert run("--hex", "--check", "2", stdin=LINES[0]).output == expected.hex()


def test_default_options_for_files_mean_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLNZIP_OPT", "-d")
    messages = run(stdin=LINES[0]).stdout_bytes
    assert run("-d", stdin=messages).stdout_bytes == LINES[0]


def test_what_is_said_in_passing() -> None:
    """Messages without a check cannot tell damage, and whoever reads them is told so once."""
    messages = run("--check", "0", stdin=b"\n".join(LINES)).stdout_bytes

    def said(*arguments: str) -> str:
        given = ("messages", *QUICK, *arguments)
        done = CliRunner().invoke(command_for(list(given)), given, input=messages)
        assert done.exit_code == 0
        return done.stderr

    warning = "without a check: damage, or another level or prior, cannot be detected\n"
    assert said("-d", "--check", "0") == f"glnzip: messages {warning}"
    assert said("-d", "--check", "0", "-q") == ""
    assert said("--check", "0") == ""


def test_files(tmp_path: Path) -> None:
    names = [str(tmp_path / "a"), str(tmp_path / "b")]
    for name, line in zip(names, (LINES[0], LINES[3]), strict=True):
        Path(name).write_bytes(line + b"\n")
    messages = run(*names).stdout_bytes
    assert run("-d", stdin=messages).stdout_bytes == LINES[0] + b"\n" + LINES[3] + b"\n"
    assert "No such file" in run(str(tmp_path / "c"), status=1).output


@pytest.mark.parametrize(
    ("damage", "reason"),
    [(b"zz", "Non-hexadecimal"), (b"abc", "Odd-length"), (b"ffff01", "the check of the message")],
)
def test_a_damaged_line_is_left_out(damage: bytes, reason: str) -> None:
    first, *_, last = run("--hex", "--check", "1", stdin=b"\n".join(LINES)).stdout_bytes.split()
    result = run("-d", "--hex", "--check", "1", stdin=b"\n".join([first, damage, last]), status=1)
    assert result.stdout_bytes == LINES[0] + b"\n" + LINES[3]
    assert f"glnzip: standard input: line 2: {reason}" in result.stderr


@pytest.mark.parametrize("options", [(), ("-d", "--hex", "--check", "0")])
def test_of_a_line_that_is_too_long_nothing_is_kept(options: tuple[str, ...]) -> None:
    """Whoever sends it may never send its end."""
    first, last = (b"00\n", b"01") if options else (b"one\n", b"two")
    tracemalloc.start()
    lines = io.BufferedReader(Zeros(first, 400 << 20, b"\n" + last))
    result = run(*options, stdin=cast(BinaryIO, lines), status=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.stderr == "glnzip: standard input: line 2: longer than any message can be\n"
    assert result.stdout_bytes == run(*options, stdin=first + last).stdout_bytes
    assert peak < 300 << 20, "the model takes 200"


class Zeros(io.RawIOBase):
    """A pipe that brings some bytes, many zeros, and some bytes more."""

    def __init__(self, start: bytes, zeros: int, end: bytes) -> None:
        self._start, self._zeros, self._end = start, zeros, end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._start and self._zeros:
            self._start = bytes(min(len(buffer), self._zeros))
            self._zeros -= len(self._start)
        if not self._start:
            self._start, self._end = self._end, b""
        taken, self._start = self._start[: len(buffer)], self._start[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)


def test_a_limit_to_what_comes_out() -> None:
    messages = run("--hex", stdin=b"short\n" + b"long " * 9 + b"\nshort").stdout_bytes
    result = run("-d", "--hex", "--max-output", "5", stdin=messages, status=1)
    assert result.stdout_bytes == b"short\nshort"
    assert "line 2: the message is longer than the 5 bytes allowed" in result.stderr
    assert "--max-output needs -d" in run("--max-output", "5", status=2).stderr


def test_messages_of_another_prior_are_errors_and_not_rubbish(tmp_path: Path) -> None:
    """Unless they have no check: then it is said that nobody can know."""
    prior = tmp_path / "p.gln"
    prior.write_bytes(glnzip.compress(b"Camp 4 reached, all well.\n" * 9, level=1, prior=None))
    text = b"".join(b"Camp %d reached, all well.\n" % n for n in range(30))
    messages = run("--prior", str(prior), stdin=text).stdout_bytes
    assert run("-d", "--prior", str(prior), stdin=messages).stdout_bytes == text
    result = run("-d", stdin=messages, status=1)
    assert result.stderr.count("made with another level or prior") >= 25  # 255 of 256

    unchecked = run("--check", "0", "--prior", str(prior), stdin=text).stdout_bytes
    making = ("messages", "--check", "0", *QUICK)
    assert CliRunner().invoke(command_for(list(making)), making, input=text).stderr == ""
    command = ("messages", "-d", "--check", "0", *QUICK)
    result = CliRunner().invoke(command_for(list(command)), command, input=unchecked)
    assert result.stdout_bytes != text
    assert "messages without a check: damage, or another level or prior, cannot" in result.stderr


def test_what_is_wrong_with_all_messages_is_said_once(tmp_path: Path) -> None:
    bad = tmp_path / "bad.gln"
    damaged = bytearray(glnzip.compress(b"some words", level=1, prior=None))
    damaged[-1] ^= 1
    bad.write_bytes(damaged)
    result = run("--prior", str(bad), stdin=b"one\ntwo\nthree\n", status=1)
    assert result.stderr.splitlines() == [
        f"glnzip: standard input: the prior {bad} is damaged: "
        "the check at the end does not match what was decoded"
    ]
    for limit in (["-M", "100M"], ["--memory-limit", "100M"]):
        result = run(*limit, stdin=b"one\ntwo\n", status=1)
        assert result.stderr.count("level 1 needs about") == 1


def test_lines_with_carriage_returns_are_messages_too() -> None:
    message = run("--hex", stdin=LINES[0]).stdout_bytes
    assert run("-d", "--hex", stdin=message + b"\r\n").stdout_bytes == LINES[0] + b"\n"


def test_a_line_comes_out_before_the_next_goes_in() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "glnzip", "messages", "-q", *QUICK],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for line in LINES:
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            message = base64.b64decode(process.stdout.readline())
            assert glnzip.decompress_message(message, level=1, prior=None) == line
        process.stdin.close()
    assert process.returncode == 0
