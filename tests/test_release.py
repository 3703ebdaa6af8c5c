"""What a release is checked for: the files of its archives, and its tag."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import click
import pytest

from release import contents, dist, trial

FILES = {
    "LICENSE",
    "README.md",
    "docs/share/make.py",
    "docs/share/man/man1/glnzip.1",
    "glnzip/__init__.py",
    "glnzip/data/LICENCES.txt",
    "glnzip/data/NOTICE.md",
    "glnzip/data/shipped.gln.xz",
    "glnzip/py.typed",
    "tests/test_golden.py",
}
IN_WHEEL = {
    "glnzip/__init__.py",
    "glnzip/data/LICENCES.txt",
    "glnzip/data/NOTICE.md",
    "glnzip/data/shipped.gln.xz",
    "glnzip/py.typed",
    "glnzip-1.2.3.data/data/share/man/man1/glnzip.1",
    "glnzip-1.2.3.dist-info/METADATA",
    "glnzip-1.2.3.dist-info/RECORD",
    "glnzip-1.2.3.dist-info/WHEEL",
    "glnzip-1.2.3.dist-info/entry_points.txt",
    "glnzip-1.2.3.dist-info/licenses/LICENSE",
    "glnzip-1.2.3.dist-info/licenses/glnzip/data/LICENCES.txt",
    "glnzip-1.2.3.dist-info/licenses/glnzip/data/NOTICE.md",
}


def write_archive(path: Path, names: set[str]) -> Path:
    """A wheel or an sdist of empty files."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path, "w") as wheel:
            for name in names:
                wheel.writestr(name, b"")
    else:
        with tarfile.open(path, "w:gz") as sdist:
            for name in names:
                sdist.addfile(tarfile.TarInfo(name), io.BytesIO())
    return path


def test_a_wheel_has_the_package_and_no_tests() -> None:
    assert contents.expected_in_wheel(FILES, "1.2.3") == IN_WHEEL


def test_an_sdist_has_all_files() -> None:
    names = {f"glnzip-1.2.3/{name}" for name in FILES | {"PKG-INFO"}}
    assert contents.expected_in_sdist(FILES, "1.2.3") == names


@pytest.mark.parametrize("name", ["glnzip.whl", "glnzip.tar.gz"])
def test_what_an_archive_lacks_and_has_too_much_is_named(tmp_path: Path, name: str) -> None:
    archive = write_archive(tmp_path / name, {"a", "b/c", "b/d"})
    assert list(contents.faults(archive, {"a", "b/c", "b/d"})) == []
    assert list(contents.faults(archive, {"a", "b/d", "e"})) == [
        f"{name}: e is missing",
        f"{name}: b/c should not be there",
    ]


def test_a_trial_finds_what_is_wrong() -> None:
    trial.expect("version", "1.2.3", "1.2.3")
    with pytest.raises(trial.TrialFailed, match=r"version: '1\.2\.4', not '1\.2\.3'"):
        trial.expect("version", "1.2.4", "1.2.3")


@pytest.mark.skipif(os.name == "nt", reason="releases are not made on Windows")
def test_nothing_of_the_checkout_is_on_the_path_of_a_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    assert trial.run(tmp_path, "sh", "-c", "echo $PYTHONPATH; pwd") == f"{tmp_path}"


def test_a_tag_releases_its_version_alone() -> None:
    changelog = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-12-31\n"
    dist.check_tag("v1.2.3", "1.2.3", changelog)
    for tag, version in (("v1.2.4", "1.2.3"), ("1.2.3", "1.2.3"), ("v1.2.4", "1.2.4")):
        with pytest.raises(click.ClickException):
            dist.check_tag(tag, version, changelog)


def test_a_version_without_a_date_is_not_released() -> None:
    with pytest.raises(click.ClickException, match="no dated section"):
        dist.check_tag("v1.2.3", "1.2.3", "## [1.2.3] - unreleased\n")
