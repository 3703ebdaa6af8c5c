"""`glnzip messages`: lines in, lines out, each alone."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import glnzip
from glnzip.cli.commands import command_for

QUICK = ("-1", "--prior", "none")
LINES = [b"Camp 2 reached, all well.", b"", b"\xff\0 not text \r", b"Camp 3 by Friday."]


def run(*arguments: str, stdin: bytes = b"", status: int = 0) -> Result:
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
