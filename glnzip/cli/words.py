"""The words of a command line before click reads them, for what getopt allows and click does not.

An option can have a value or not (`--files`, `--files=LIST`); digits that stand together are a
number, not several levels; and the variable GLNZIP_OPT holds options that come before those given.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence

import click

from glnzip.format.levels import MAX_LEVEL, MIN_LEVEL

DEFAULTS_VARIABLE = "GLNZIP_OPT"
OPTIONAL_VALUE = {"--files": "--files=-", "--files0": "--files0=-"}
"""Options that may stand without a value, and what that means."""


def getopt_words(words: Sequence[str], command: click.Command) -> list[str]:
    """`words` as click is to get them; raises UsageError where a level has several digits."""
    end = words.index("--") if "--" in words else len(words)
    ready = [OPTIONAL_VALUE.get(word, word) for word in words[:end]]
    for name, _ in _options(ready, command):
        if name[1:].isdigit() and len(name) > 2:
            raise click.UsageError(
                f"there is no level {name[1:]}: levels go from {MIN_LEVEL} to {MAX_LEVEL}"
            )
    return [*ready, *words[end:]]


def default_words(command: click.Command, short_form: click.Command) -> list[str]:
    """The options in GLNZIP_OPT that `command` knows; it holds options of the short form.

    Raises
    ------
    UsageError
        If it holds anything else, or an option is wrong.
    """
    text = os.environ.get(DEFAULTS_VARIABLE)
    if not text:
        return []
    try:
        words = getopt_words(shlex.split(text), short_form)
        context = click.Context(short_form, info_name="glnzip")
        click.Command.parse_args(short_form, context, list(words))
        if context.params["files"]:
            raise click.UsageError(f"{context.params['files'][0]!r} is not an option")
    except (ValueError, click.UsageError) as error:
        reason = error.format_message() if isinstance(error, click.UsageError) else str(error)
        raise click.UsageError(f"in {DEFAULTS_VARIABLE}: {reason}") from None
    known, meant = _by_name(command), _by_name(short_form)
    given = []
    for name, value in _options(words, short_form):
        if name in known and known[name].name == meant[name].name:
            given += [name] if value is None else [name, value]
    return given


def _options(words: Sequence[str], command: click.Command) -> Iterator[tuple[str, str | None]]:
    """Each option among `words` as it is named there, and its value; a number is one option."""
    options = _by_name(command)

    def takes_value(name: str) -> bool:
        return name in options and not options[name].is_flag

    rest = iter(words)
    for word in rest:
        if word == "--":
            return
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            if equals:
                yield name, value
            else:
                yield name, next(rest, "") if takes_value(name) else None
            continue
        letters = word[1:] if word.startswith("-") else ""
        while letters:
            name, letters = f"-{letters[0]}", letters[1:]
            if takes_value(name):
                yield name, letters or next(rest, "")
                break
            while name in options and name[1:].isdigit() and letters[:1].isdigit():
                name, letters = name + letters[0], letters[1:]
            yield name, None


def _by_name(command: click.Command) -> dict[str, click.Option]:
    return {
        name: option
        for option in command.params
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    }
