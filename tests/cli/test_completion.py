"""Completion: what each shell, as people use it, makes of the beginning of a command line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from glnzip.cli.commands import commands

pty = pytest.importorskip("pty")

TYPED = {
    "glnzip compl": "glnzip completion",
    "glnzip completion fi": "glnzip completion fish",
    "glnzip --decom": "glnzip --decompress",
    "glnzip train --li": "glnzip train --lines",
    "glnzip compress --keep-g": "glnzip compress --keep-g",  # not an option of compress
    "glnzip --keep-g": "glnzip --keep-going",
    "glnzip pl": "glnzip plain",
    "glnzip compress pl": "glnzip compress plain",
    "glnzip -d pa": "glnzip -d packed.gln",
    "glnzip -kdc pa": "glnzip -kdc packed.gln",
    "glnzip --list pa": "glnzip --list packed.gln",
    "glnzip decompress -k pa": "glnzip decompress -k packed.gln",
    "glnzip info ar": "glnzip info archive.tgln",
    "glnzip -d pl": "glnzip -d pl",
    "glnzip -d -o pl": "glnzip -d -o plain",
    "glnzip --prior pl": "glnzip --prior plain",
    "glnzip -T pl": "glnzip -T pl",  # a number
}
"""What is typed before the tabulator, and what stands there afterwards."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files that each shell can tell apart."""
    for name in ("packed.gln", "packed", "packed.txt", "archive.tgln", "archive.tar", "plain"):
        (tmp_path / name).touch()
    return tmp_path


def script(shell: str) -> str:
    """What `glnzip completion` prints, if the shell is there."""
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} on this machine")
    if shell == "bash" and subprocess.run(["bash", "-c", "type mapfile"], check=False).returncode:
        pytest.skip("this bash is older than version 4")
    return CliRunner().invoke(commands, ["completion", shell]).output


@pytest.mark.parametrize(
    ("shell", "options", "start"),
    [
        ("bash", ["--norc", "--noprofile"], ""),
        ("zsh", ["-f"], "autoload -U compinit && compinit -u -D"),
    ],
)
def test_completed_while_typing(folder: Path, shell: str, options: list[str], start: str) -> None:
    """The shell runs a function instead of glnzip, which prints its arguments."""
    (folder / ".script").write_text(
        f'{start}\n{script(shell)}\nglnzip() {{ echo "[glnzip $*]"; }}\nPS1= PS2=\n'
    )
    typed = "".join(f"{line}\t\n" for line in TYPED)
    near, far = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "HOME": str(folder), "INPUTRC": "/dev/null"}
    process = subprocess.Popen(
        [shell, *options, "-i"],
        cwd=folder,
        env=environment,
        stdin=far,
        stdout=far,
        stderr=far,
        start_new_session=True,
    )
    os.close(far)
    os.write(near, f"source ./.script\n{typed}exit\n".encode())
    patience = threading.Timer(60, process.kill)
    patience.start()
    shown = b""
    try:
        while piece := os.read(near, 4096):
            shown += piece
    except OSError:  # what Linux says at the end of a terminal
        pass
    os.close(near)
    process.wait()
    patience.cancel()
    lines = re.findall(r"^\[(glnzip .*?) *\]\r?$", shown.decode(), re.MULTILINE)
    assert lines == list(TYPED.values())


def test_fish(folder: Path) -> None:
    """It tells what it would offer: a single candidate takes the place of the last word."""
    asked = "".join(f"complete -C '{typed}'; echo =\n" for typed in TYPED)
    (folder / ".script").write_text(script("fish") + asked)
    done = subprocess.run(
        ["fish", "--no-config", ".script"],
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    offers = done.stdout.removesuffix("=\n").split("=\n")
    for (typed, expected), offer in zip(TYPED.items(), offers, strict=True):
        words = [line.split("\t")[0] for line in offer.splitlines()]
        begun, _, last = typed.rpartition(" ")
        assert [f"{begun} {word}" for word in words or [last]] == [expected]
