"""Which files are meant, one after another, and how they and their outputs are named.

A file that cannot be dealt with costs one line on standard error and the exit status 1; the other
files are dealt with all the same. Only what is expected to go wrong is caught: anything else is a
defect of glnzip, and its traceback is wanted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import click

from glnzip.cli.files import STANDARD_STREAM, RefusedError
from glnzip.cli.report import FAILURE, SUCCESS, complain
from glnzip.errors import GlnzipError
from glnzip.system.names import ARCHIVE_SUFFIX, SUFFIX, is_compressed, original_name

EXPECTED_ERRORS = (RefusedError, GlnzipError, OSError, MemoryError)

Inside = Callable[[str], Iterable[str]]
"""What of a folder is meant."""


def for_each(
    names: Iterable[str], do_one: Callable[[str], None], inside: Inside | None = None
) -> int:
    """Do each named file, and return the exit status; with `inside`, folders are gone through."""
    status = SUCCESS
    waiting = [iter(names)]
    while waiting:
        name = next(waiting[-1], None)
        if name is None:
            waiting.pop()
            continue
        try:
            if inside is not None and name != STANDARD_STREAM and os.path.isdir(name):
                waiting.append(iter(inside(name)))
            else:
                do_one(name)
        except EXPECTED_ERRORS as error:
            complain(name, error)
            status = FAILURE
    return status


def chosen_inputs(
    files: tuple[str, ...], options: dict[str, Any], *, compressed: bool
) -> tuple[list[str], Inside | None]:
    """The names of the inputs, and what of a folder is meant if folders are gone through."""
    listing, listing0 = options["listed"], options["listed0"]
    names = list(files)
    if listing is not None or listing0 is not None:
        if listing is not None and listing0 is not None:
            raise click.UsageError("--files and --files0 cannot be used together")
        names += _listed(*((listing, "\n") if listing0 is None else (listing0, "\0")), files)
    elif not names:
        names = [STANDARD_STREAM]
    inside = partial(_files_in, suffix=options["suffix"], compressed=compressed)
    return names, inside if options["recursive"] else None


def check_no_folder(name: str, hint: str) -> None:
    """Refuse a folder as an input, with a hint at what can be done with it."""
    if name != STANDARD_STREAM and os.path.isdir(name):
        raise RefusedError(f"is a directory; skipped ({hint})")


def compressed_name(name: str, suffix: str, *, force: bool) -> str:
    """The name of the compressed file made from `name`."""
    if is_compressed(name, suffix) and not force:
        end = next(end for end in (suffix, SUFFIX, ARCHIVE_SUFFIX) if name.endswith(end))
        raise RefusedError(f"already ends in {end} (use -f to compress it again)")
    return name + suffix


def decompressed_name(name: str, suffix: str) -> str:
    """The name of the file that `name` was made from."""
    if not is_compressed(name, suffix):
        raise RefusedError(f"does not end in {suffix}; name the output with -o, or use -c")
    return original_name(name, suffix)


def _files_in(folder: str, suffix: str, *, compressed: bool) -> list[str]:
    """The folders and the files in a folder: the compressed files, or those that are not.

    Links, pipes and devices are left out.
    """
    with os.scandir(folder) as entries:
        return sorted(
            entry.path
            for entry in entries
            if entry.is_dir(follow_symlinks=False)
            or (
                entry.is_file(follow_symlinks=False)
                and is_compressed(entry.name, suffix) == compressed
            )
        )


def _listed(listing: str, end: str, files: tuple[str, ...]) -> list[str]:
    """The names that a list holds; ends the program if it cannot be read."""
    if listing == STANDARD_STREAM and STANDARD_STREAM in files:
        raise click.UsageError("standard input cannot be both an input and the list of inputs")
    try:
        return _names_in(listing, end)
    except (RefusedError, OSError) as error:
        complain(listing, error)
        sys.exit(FAILURE)


def _names_in(listing: str, end: str) -> list[str]:
    """The names of files that a file, or standard input, lists; each ends in `end`."""
    if listing == STANDARD_STREAM:
        content = sys.stdin.buffer.read()
    else:
        with open(listing, "rb") as stream:
            content = stream.read()
    *names, rest = os.fsdecode(content).split(end)
    if rest:
        raise RefusedError("the last name is not complete")
    if any("\0" in name for name in names):
        raise RefusedError("a name has a NUL byte (did you mean --files0?)")
    # "-" is a file here, as in xz.
    return [name if name != STANDARD_STREAM else "./-" for name in names if name]
