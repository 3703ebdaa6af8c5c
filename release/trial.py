"""Try a wheel or an sdist as a stranger would: in a new environment, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

import click

WHERE = "import glnzip; print(glnzip.__version__, glnzip.__file__)"
MANUAL = "share/man/man1/glnzip.1"


class TrialFailed(Exception):
    """What was installed does not do what it should."""


def run(folder: Path, *command: str | Path) -> str:
    """Run a command in a folder, with nothing of the checkout on its path; return its output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["GLNZIP_CACHE_DIR"] = str(folder / "cache")
    click.echo(" ".join(["$", Path(command[0]).name, *map(str, command[1:])]))
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.strip()


def expect(what: str, found: object, wanted: object) -> None:
    """Raise `TrialFailed` if what was found is not what was wanted."""
    if found != wanted:
        raise TrialFailed(f"{what}: {found!r}, not {wanted!r}")


def try_out(archive: Path, version: str, sample: bytes, folder: Path) -> None:
    """Install an archive in a new environment and use it there.

    Parameters
    ----------
    archive
        A wheel or an sdist.
    version
        The version that it should say it has.
    sample
        What is compressed and decompressed.
    folder
        Where all of it happens. Kernels that were compiled there before are used again.
    """
    installed = folder / archive.name.replace(".", "-")
    venv.create(installed, with_pip=True)
    binaries = installed / "bin"
    pip = (binaries / "python", "-m", "pip", "--disable-pip-version-check")
    run(folder, *pip, "install", "--quiet", archive)
    run(folder, *pip, "check")

    reported, file = run(folder, binaries / "python", "-c", WHERE).split(" ", 1)
    expect("version", reported, version)
    expect("is of the new environment", Path(file).is_relative_to(installed), True)
    expect("manual page", (installed / MANUAL).is_file(), True)

    command = binaries / "glnzip"
    expect("--version", run(folder, command, "--version"), f"glnzip {version}")
    original, packed, restored = (folder / name for name in ("in", "in.gln", "out"))
    original.write_bytes(sample)
    level = ("-q", "-f", "-1", "--prior", "none")
    run(folder, command, "compress", *level, "-o", packed, original)
    run(folder, command, "decompress", "-q", "-f", "-o", restored, packed)
    expect("comes back", restored.read_bytes() == sample, True)
    expect("is smaller", packed.stat().st_size < len(sample) // 2, True)
