"""What click is taught of command lines: what getopt allows, and what gzip, xz and zstd accept.

An option can have a value or not (`--files`, `--files=LIST`); digits that stand together are a
number, not several levels; an option can have further names that --help does not show; and the
variable GLNZIP_OPT holds options that come before those given.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any

import click

from glnzip.format.levels import MAX_LEVEL, MIN_LEVEL

DEFAULTS_VARIABLE = "GLNZIP_OPT"
OPTIONAL_VALUE = {"--files": "--files=-", "--files0": "--files0=-"}
"""Options that may stand without a value, and what that means."""

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


class Command(click.Command):
    """A command that reads its words as xz and gzip do, those in GLNZIP_OPT first.

    `click.Context.obj` is the short form, whose options may be in GLNZIP_OPT; or it is None, and
    this is the short form.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words."""
        try:
            words = [*default_words(self, ctx.obj or self), *getopt_words(args, self)]
        except click.UsageError as error:
            error.ctx = ctx
            raise
        return super().parse_args(ctx, words)


def command(function: Function) -> Command:
    """Like `click.command`, for a `Command`."""
    return click.command(cls=Command)(function)


class NamedOption(click.Option):
    """An option that has further names, `also`, which --help does not show."""

    def __init__(self, names: Sequence[str], also: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__([*names, *also], **attributes)
        self.also = also

    @property
    def shown_names(self) -> list[str]:
        """The names without the further ones."""
        return [name for name in self.opts if name not in self.also]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The names that are shown, and the help."""
        return super(NamedOption, self._shown()).get_help_record(ctx)

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """The names that are shown."""
        return super(NamedOption, self._shown()).get_error_hint(ctx)

    def _shown(self) -> NamedOption:
        shown = copy(self)
        shown.opts = self.shown_names
        return shown


def option(*names: str, **attributes: Any) -> Decorator:
    """Like `click.option`, with `also` for further names of the option."""
    return click.option(*names, cls=NamedOption, **attributes)


def ignored(*names: str, **attributes: Any) -> Decorator:
    """An option that is accepted and does nothing; --help leaves it out."""
    return click.option(*names, expose_value=False, hidden=True, **attributes)


def together(*decorators: Decorator) -> Decorator:
    """Several option decorators as one, shown by --help in the order given."""

    def decorate(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


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
        context = click.Context(short_form, **short_form.context_settings)
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
