"""The files installed beside the package are what the sources give; the manual is whole."""

from __future__ import annotations

import re
import shutil
import subprocess

import click
import pytest

from docs.share.make import FOLDER, MANUAL, files
from glnzip.cli.commands import commands, short_form

PAGE = FOLDER / "man/man1/glnzip.1"


def test_they_are_up_to_date() -> None:
    for path, content in files():
        assert path.read_text(encoding="utf-8") == content, f"{path}: make share writes it anew"


def test_the_manual_names_every_command_and_option() -> None:
    manual = MANUAL.read_text(encoding="utf-8")
    words = set(re.findall(r"(?<![\w-])--?[\w-]+|\w+", manual))
    for command in (short_form, *commands.commands.values()):
        names = {
            name
            for option in command.params
            if isinstance(option, click.Option)
            for name in (*option.opts, *option.secondary_opts)
        }
        digits = {f"-{level}" for level in range(2, 9)}  # "-1 ... -9"
        assert {command.name, *names} - digits - {"short-form"} <= words


@pytest.mark.parametrize(
    "checker", [["mandoc", "-Tlint"], ["groff", "-man", "-ww", "-z"], ["man", "--warnings", "-l"]]
)
def test_the_page_is_right(checker: list[str]) -> None:
    if shutil.which(checker[0]) is None:
        pytest.skip(f"there is no {checker[0]} on this machine")
    done = subprocess.run([*checker, PAGE], capture_output=True, text=True, check=False)
    complaints = done.stderr if checker[0] != "mandoc" else done.stdout + done.stderr
    lines = complaints.splitlines()
    assert [line for line in lines if "missing date" not in line] == []  # it has a version
