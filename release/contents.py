"""What the two archives of a release hold: the files that git has, no more and no less.

An sdist has them all, so that the tests can be run from it. A wheel has the package, the files
that are installed beside it, and the licences. Whatever else lies in a checkout stays out.
"""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "glnzip/"
SHARED = "docs/share/"
LICENCES = ("LICENSE", "glnzip/data/NOTICE.md", "glnzip/data/LICENCES.txt")


def tracked(root: Path) -> set[str]:
    """Return the names of the files that git has."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, stdout=subprocess.PIPE, check=True)
    return set(listed.stdout.decode().split("\0")) - {""}


def expected_in_sdist(files: set[str], version: str) -> set[str]:
    """Return the names that an sdist of these files is to have."""
    return {f"glnzip-{version}/{name}" for name in (*files, "PKG-INFO")}


def expected_in_wheel(files: set[str], version: str) -> set[str]:
    """Return the names that a wheel of these files is to have."""
    package = {name for name in files if name.startswith(PACKAGE)}
    shared = {
        name.replace(SHARED, f"glnzip-{version}.data/data/share/")
        for name in files
        if name.startswith(SHARED) and not name.endswith(".py")
    }
    about = ("METADATA", "RECORD", "WHEEL", "entry_points.txt")
    licences = (f"licenses/{name}" for name in LICENCES)
    return package | shared | {f"glnzip-{version}.dist-info/{name}" for name in (*about, *licences)}


def names_in(archive: Path) -> set[str]:
    """Return the names of the files in a wheel or an sdist."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {entry.filename for entry in wheel.infolist() if not entry.is_dir()}
    with tarfile.open(archive) as sdist:
        return {entry.name for entry in sdist if not entry.isdir()}


def faults(archive: Path, expected: set[str]) -> Iterator[str]:
    """Say of each file that is missing in an archive, and of each that should not be there."""
    found = names_in(archive)
    for name in sorted(expected - found):
        yield f"{archive.name}: {name} is missing"
    for name in sorted(found - expected):
        yield f"{archive.name}: {name} should not be there"
