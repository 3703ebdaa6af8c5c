"""What people type who have used gzip, xz or zstd for years, and what comes of it.

Each row is a command line for one of these tools. It is run for glnzip with the tool's name and
suffix replaced, in a folder with the same files; and for the tool itself where it is installed, so
that the row is known to be right. Where glnzip does otherwise, the row says what, and why.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

import glnzip
from glnzip.cli.commands import command_for

pytestmark = pytest.mark.usefixtures("quick_model", "in_empty_folder")

TOOLS = {"gzip": (".gz", ".tgz"), "xz": (".xz", ".txz"), "zstd": (".zst", ".tzst")}
VERSIONS = {"gzip": b"gzip 1.", "xz": b"XZ Utils", "zstd": b"Zstandard CLI"}
"""What --version says of the tools that are meant: others have the same names."""
SUFFIX, ARCHIVE_SUFFIX = ".gln", ".tgln"

KEPT = "the input is kept unless --rm is given, as by zstd"
ONE_FAILURE = "whatever fails has the exit status 1; others have 2 for what was skipped"
WRONG_LINE = "a wrong command line has the exit status 2"
NO_SUCH_LEVEL = "-19 is refused: it is no level here, and would not be what it is for zstd"
LAST_MODE = "the last of -z, -d, -t and -l counts, as for xz and zstd"
ANYWHERE = "such data pass for -d, -c and -f together only, as for xz"


class Row(NamedTuple):
    """A command line and what comes of it.

    The names of files say what they hold: `a` some text of its own, `a.gz` the same compressed. If
    that is not so, it is written as in `x=a.gz`. `list` holds the lines a and b, `list0` the same
    with NUL bytes.
    """

    line: str
    before: str
    """The files that are there."""
    after: str
    """The files that are there then."""
    output: str = ""
    """What comes out at standard output: the content of files like these, or ? for any words."""
    status: int = 0
    here: str | None = None
    """What glnzip does otherwise: the files that are there then, the output or the status."""
    here_output: str | None = None
    here_status: int | None = None
    because: str = ""


# fmt: off
ROWS = [
    # gzip: compressing
    Row("gzip a",                "a",       "a.gz",             here="a a.gz", because=KEPT),
    Row("gzip -9 a b",           "a b",     "a.gz b.gz",        here="a a.gz b b.gz", because=KEPT),
    Row("gzip -k --best a",      "a",       "a a.gz"),
    Row("gzip --fast --keep a",  "a",       "a a.gz"),
    Row("gzip a -k1",            "a",       "a a.gz"),
    Row("gzip -kn9 a",           "a",       "a a.gz"),
    Row("gzip -kN a",            "a",       "a a.gz"),
    Row("gzip -c a",             "a",       "a", "a.gz"),
    Row("gzip --to-stdout a",    "a",       "a", "a.gz"),
    Row("gzip < a",              "a",       "a", "a.gz"),
    Row("gzip -c - < a",         "a",       "a", "a.gz"),
    Row("gzip -f a",             "a a.gz=b", "a.gz",            here="a a.gz", because=KEPT),
    Row("gzip -k a",             "a a.gz=b", "a a.gz=b", status=2,
        here_status=1, because=ONE_FAILURE),
    Row("gzip -S .z1 -k a",      "a",       "a a.z1=a.gz"),
    Row("gzip -qk a",            "a",       "a a.gz"),
    Row("gzip -k19 a",           "a",       "a a.gz",
        here="a", here_status=2, because=NO_SUCH_LEVEL),
    Row("gzip missing",          "",        "", status=1),
    Row("gzip --nonsense a",     "a",       "a", status=1,      here_status=2, because=WRONG_LINE),
    Row("gzip d",                "d/a",     "d/a", status=2,    here_status=1, because=ONE_FAILURE),
    Row("gzip -r d", "d/a d/e/b d/c.gz", "d/a.gz d/e/b.gz d/c.gz",
        here="d/a d/a.gz d/c.gz d/e/b d/e/b.gz", because=KEPT),

    # gzip: the way back
    Row("gzip -d a.gz",          "a.gz",    "a",                here="a a.gz", because=KEPT),
    Row("gzip -dk a.gz",         "a.gz",    "a a.gz"),
    Row("gzip -k --uncompress a.gz", "a.gz", "a a.gz"),
    Row("gzip -dc a.gz b.gz",    "a.gz b.gz", "a.gz b.gz", "a b"),
    Row("gzip -cd < a.gz",       "a.gz",    "a.gz", "a"),
    Row("gzip --decompress --stdout a.gz", "a.gz", "a.gz", "a"),
    Row("gzip -dcf a b.gz",      "a b.gz",  "a b.gz", "a b"),
    Row("gzip -dcf < a",         "a",       "a", "a"),
    Row("gzip -df < a",          "a",       "a", "a",
        here_output="", here_status=1, because=ANYWHERE),
    Row("gzip -dc a",            "a",       "a", status=1),
    Row("gzip -dk -S .z1 a.z1",  "a.z1=a.gz", "a a.z1=a.gz"),
    Row("gzip -dk a.tgz",        "a.tgz",   "a.tar a.tgz"),
    Row("gzip -dkr d",           "d/a.gz d/e/b.gz d/c", "d/a d/a.gz d/c d/e/b d/e/b.gz"),
    Row("gzip -t a.gz",          "a.gz",    "a.gz"),
    Row("gzip -tr d",            "d/a.gz d/b", "d/a.gz d/b"),
    Row("gzip -t a.gz",          "a.gz=a",  "a.gz=a", status=1),
    Row("gzip -l a.gz",          "a.gz",    "a.gz", "?"),
    Row("gzip -t -l a.gz",       "a.gz",    "a.gz", "?"),
    Row("gzip -l -t a.gz",       "a.gz",    "a.gz", "?",        here_output="", because=LAST_MODE),

    # xz
    Row("xz a",                  "a",       "a.xz",             here="a a.xz", because=KEPT),
    Row("xz -k9e a",             "a",       "a a.xz"),
    Row("xz -k0 a",              "a",       "a a.xz"),
    Row("xz -z --keep a",        "a",       "a a.xz"),
    Row("xz -dzk a",             "a",       "a a.xz"),
    Row("xz -k --extreme -T0 a", "a",       "a a.xz"),
    Row("xz -k --threads=2 a",   "a",       "a a.xz"),
    Row("xz -k --block-size=1MiB a", "a",   "a a.xz"),
    Row("xz -kqq a",             "a",       "a a.xz"),
    Row("xz -kvv a",             "a",       "a a.xz"),
    Row("xz -kQ a",              "a",       "a a.xz"),
    Row("xz -k -M 90% a",        "a",       "a a.xz"),
    Row("xz -k -M max a",        "a",       "a a.xz"),
    Row("xz -k --memlimit=0 a",  "a",       "a a.xz"),
    Row("xz -k --no-adjust --memlimit-compress=8GiB a", "a", "a a.xz"),
    Row("xz -k --format=xz a",   "a",       "a a.xz"),
    Row("xz -k --suffix=.z1 a",  "a",       "a a.z1=a.xz"),
    Row("xz -k --files=list",    "list a b", "list a a.xz b b.xz"),
    Row("xz -k --files c < list", "list a b c", "list a a.xz b b.xz c c.xz"),
    Row("xz -k --files0 < list0", "list0 a b", "list0 a a.xz b b.xz"),
    Row("xz --files=missing",    "a",       "a", status=1),
    Row("xz -k a.xz",            "a.xz",    "a.xz", status=2,   here_status=1, because=ONE_FAILURE),
    Row("xz -k d",               "d/a",     "d/a", status=2,    here_status=1, because=ONE_FAILURE),
    Row("xz -dk a.xz",           "a.xz",    "a a.xz"),
    Row("xz -dk --no-sparse a.xz", "a.xz",  "a a.xz"),
    Row("xz -dkF auto a.xz",     "a.xz",    "a a.xz"),
    Row("xz -dk a.txz",          "a.txz",   "a.tar a.txz"),
    Row("xz -dk a",              "a",       "a", status=1),
    Row("xz -dc --memlimit-decompress=8GiB a.xz", "a.xz", "a.xz", "a"),
    Row("xz -dcf a b.xz",        "a b.xz",  "a b.xz", "a b"),
    Row("xz -df < a",            "a",       "a", status=1),
    Row("xz -t a.xz",            "a.xz",    "a.xz"),
    Row("xz -l a.xz",            "a.xz",    "a.xz", "?"),
    Row("xz -lt a.xz",           "a.xz",    "a.xz"),
    Row("XZ_OPT=-9 xz -k a",     "a",       "a a.xz"),
    Row("XZ_OPT=-k9 xz -d a.xz", "a.xz",    "a a.xz"),
    Row("XZ_OPT='-S .z1' xz -k -S .z2 a", "a", "a a.z2=a.xz"),
    Row("XZ_OPT=--nonsense xz a", "a",      "a", status=1,      here_status=2, because=WRONG_LINE),

    # zstd
    Row("zstd a",                "a",       "a a.zst"),
    Row("zstd -q -k a",          "a",       "a a.zst"),
    Row("zstd --rm a",           "a",       "a.zst"),
    Row("zstd -T0 --no-progress a", "a",    "a a.zst"),
    Row("zstd -o x a",           "a",       "a x=a.zst"),
    Row("zstd a -o x -f",        "a x=b",   "a x=a.zst"),
    Row("zstd -f -o /dev/null a", "a",      "a"),
    Row("zstd -c a",             "a",       "a", "a.zst"),
    Row("zstd -19 a",            "a",       "a a.zst",
        here="a", here_status=2, because=NO_SUCH_LEVEL),
    Row("zstd a",                "a a.zst=b", "a a.zst=b", status=1),
    Row("zstd -r d",             "d/a d/e/b", "d/a d/a.zst d/e/b d/e/b.zst"),
    Row("zstd --filelist=list",  "list a b", "list a a.zst b b.zst"),
    Row("zstd d",                "d/a",     "d/a", status=1),
    Row("zstd -d a.zst",         "a.zst",   "a a.zst"),
    Row("zstd --uncompress --rm a.zst", "a.zst", "a"),
    Row("zstd -d -o x a.zst",    "a.zst",   "a.zst x=a"),
    Row("zstd -d --memory=2000MB a.zst", "a.zst", "a a.zst"),
    Row("zstd -d a.tzst",        "a.tzst",  "a.tar a.tzst"),
    Row("zstd -d --sparse a.zst", "a.zst",  "a a.zst"),
    Row("zstd -dcf a",           "a",       "a", "a"),
    Row("zstd -t a.zst",         "a.zst",   "a.zst"),
    Row("zstd -l a.zst",         "a.zst",   "a.zst", "?"),
]
# fmt: on


def tool_of(row: Row) -> str:
    """The tool that a row is about."""
    return next(word for word in shlex.split(row.line) if "=" not in word)


def text_of(name: str) -> bytes:
    """What the file of this name holds."""
    special = {"list": b"a\nb\n", "list0": b"a\0b\0"}
    return special.get(name) or f"the words of {Path(name).name}, over and over. ".encode() * 20


class Compressor(NamedTuple):
    """How to make compressed data and read them, and how they are named."""

    compress: Callable[[bytes], bytes]
    decompress: Callable[[bytes], bytes]
    suffix: str
    archive_suffix: str

    def original(self, name: str) -> str | None:
        """The name of what is in a compressed file, or None for another file."""
        if name.endswith(self.archive_suffix):
            return name.removesuffix(self.archive_suffix) + ".tar"
        return name.removesuffix(self.suffix) if name.endswith(self.suffix) else None

    def content(self, name: str) -> bytes:
        """What is in the file of this name."""
        original = self.original(name)
        return text_of(name) if original is None else self.compress(text_of(original))

    def check(self, name: str, content: bytes) -> None:
        """Whether a file has the content that its name says."""
        original = self.original(name)
        if original is not None:
            name, content = original, self.decompress(content)
        assert content == text_of(name), name


def outside(tool: str) -> Compressor:
    """A tool of the system."""

    def through(*options: str) -> Callable[[bytes], bytes]:
        def run(data: bytes) -> bytes:
            done = subprocess.run([tool, *options], input=data, capture_output=True, check=True)
            return done.stdout

        return run

    return Compressor(through("-c"), through("-dc"), *TOOLS[tool])


HERE = Compressor(glnzip.compress, glnzip.decompress, SUFFIX, ARCHIVE_SUFFIX)


@cache
def is_here(tool: str) -> bool:
    """Whether this machine has the tool that is meant."""
    if shutil.which(tool) is None:
        return False
    version = subprocess.run([tool, "--version"], capture_output=True, check=False).stdout
    return VERSIONS[tool] in version


def lay_out(files: str, compressor: Compressor) -> None:
    """Make files."""
    for file in files.split():
        name, _, like = file.partition("=")
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(compressor.content(like or name))


def check_files(files: str, compressor: Compressor) -> None:
    """These files are there, with this content, and no others."""
    expected = {name: like or name for name, _, like in (f.partition("=") for f in files.split())}
    found = {str(path) for path in Path().rglob("*") if path.is_file()}
    assert found == set(expected)
    for name, like in expected.items():
        compressor.check(like, Path(name).read_bytes())


def check_output(output: str, data: bytes, compressor: Compressor) -> None:
    """This came out."""
    if output == "?":
        assert data.strip()
    elif compressor.original(output) is not None:
        compressor.check(output, data)
    else:
        assert data == b"".join(map(text_of, output.split()))


def parsed(line: str) -> tuple[dict[str, str], list[str], bytes]:
    """The variables, the words and the standard input of a command line."""
    line, _, stdin = line.partition(" < ")
    words = shlex.split(line)
    variables = dict(word.split("=", 1) for word in words[:1] if "=" in word)
    return variables, words[len(variables) :], Path(stdin).read_bytes() if stdin else b""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.line)
def test_glnzip(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tool_of(row)
    suffix, archive_suffix = TOOLS[tool]

    def ours(text: str) -> str:
        text = text.replace(archive_suffix, ARCHIVE_SUFFIX).replace(suffix, SUFFIX)
        return text.replace(f"format={tool}", f"format={SUFFIX[1:]}")

    lay_out(ours(row.before), HERE)
    variables, (_, *arguments), stdin = parsed(ours(row.line))
    for value in variables.values():
        monkeypatch.setenv("GLNZIP_OPT", value)
    result = CliRunner().invoke(command_for(arguments), arguments, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == (row.status if row.here_status is None else row.here_status)
    check_files(ours(row.after if row.here is None else row.here), HERE)
    output = row.output if row.here_output is None else row.here_output
    check_output(ours(output), result.stdout_bytes, HERE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.line)
def test_the_tool_itself(row: Row) -> None:
    tool = tool_of(row)
    if not is_here(tool):
        pytest.skip(f"there is no {tool} on this machine")
    compressor = outside(tool)
    lay_out(row.before, compressor)
    variables, words, stdin = parsed(row.line)
    done = subprocess.run(
        words, input=stdin, env={**os.environ, **variables}, capture_output=True, check=False
    )
    assert done.returncode == row.status, done.stderr
    check_files(row.after, compressor)
    check_output(row.output, done.stdout, compressor)


def test_every_difference_has_its_reason() -> None:
    for row in ROWS:
        different = (row.here, row.here_output, row.here_status) != (None, None, None)
        assert different == bool(row.because), row.line
