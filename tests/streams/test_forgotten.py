"""What was written to a file that nobody closed is there when Python has ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import glnzip


def run(code: str, folder: Path) -> None:
    """Run a program to its end; it says nothing."""
    program = f"import glnzip, io\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, check=True
    )
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.parametrize(
    "code",
    [
        "file = glnzip.open('new.gln', 'wb', level=1, prior=None); file.write(b'some data')",
        "file = glnzip.open('new.gln', 'wt', level=1, prior=None); file.write('some data')",
        "raw = glnzip.open('new.gln', 'wb', level=1, prior=None)\n"
        "file = io.BufferedWriter(raw); file.write(b'some data')",
    ],
    ids=["bytes", "text", "buffered"],
)
def test_data_are_saved_at_the_end(tmp_path: Path, code: str) -> None:
    run(code, tmp_path)
    assert glnzip.decompress((tmp_path / "new.gln").read_bytes()) == b"some data"
