"""Write the files that are installed beside the package: `python -m docs.share.make`.

Each has the path that it is installed under. They are kept with the sources, so that building a
package runs nothing; a test fails if they are not what this makes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs.share.manual import page
from glnzip.cli.commands import commands, short_form
from glnzip.cli.commands.completion import script

FOLDER = Path(__file__).parent
MANUAL = FOLDER.parent / "CLI.md"


def files() -> Iterator[tuple[Path, str]]:
    """Each file and what is to be in it."""
    yield FOLDER / "man/man1/glnzip.1", page(MANUAL.read_text(encoding="utf-8"))
    for shell, path in (
        ("bash", "bash-completion/completions/glnzip"),
        ("zsh", "zsh/site-functions/_glnzip"),
        ("fish", "fish/vendor_completions.d/glnzip.fish"),
    ):
        yield FOLDER / path, script(shell, commands, short_form)


def main() -> None:
    """Write them all."""
    for path, content in files():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
