"""Build the two archives of a release, check them, try them: ``make dist``.

They end in ``dist``. With ``--tag`` the version, the changelog and the name of the tag have to
agree, too: that is how the release workflow calls it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

import corpora
import glnzip
from release import contents, trial

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
SAMPLE = corpora.HERE / "samples" / "prose.txt"


def check_tag(tag: str, version: str, changelog: str) -> None:
    """Raise a `click.ClickException` unless a tag may release this version."""
    if tag != f"v{version}":
        raise click.ClickException(f"the tag {tag} is not that of version {version}")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.M):
        raise click.ClickException(f"CHANGELOG.md has no dated section for version {version}")


def build(version: str) -> tuple[Path, Path]:
    """Build the sdist, and from it the wheel; return both."""
    shutil.rmtree(DIST, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "build", "--outdir", DIST, ROOT], check=True)
    return DIST / f"glnzip-{version}.tar.gz", DIST / f"glnzip-{version}-py3-none-any.whl"


@click.command()
@click.option("--tag", help="Refuse what this tag may not release, such as v0.1.0.")
def main(tag: str | None) -> None:
    """Build an sdist and a wheel, check what they hold, install and try them."""
    version = glnzip.__version__
    if tag is not None:
        check_tag(tag, version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    sdist, wheel = build(version)
    files = contents.tracked(ROOT)
    faults = [
        *contents.faults(sdist, contents.expected_in_sdist(files, version)),
        *contents.faults(wheel, contents.expected_in_wheel(files, version)),
    ]
    if faults:
        raise click.ClickException("\n".join(faults))
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", sdist, wheel], check=True)
    with tempfile.TemporaryDirectory(prefix="glnzip-dist-") as folder:
        for archive in (wheel, sdist):
            trial.try_out(archive, version, SAMPLE.read_bytes(), Path(folder))
    click.echo(f"{sdist.name} and {wheel.name} hold what they should, and work")


if __name__ == "__main__":
    main()
