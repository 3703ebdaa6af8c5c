"""`glnzip completion`: what bash, zsh and fish need to complete command lines.

The scripts are made from the commands themselves. The first word decides which options there are;
then files are completed: compressed ones where something is made of compressed files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from glnzip.cli.command_line import NamedOption, command
from glnzip.format.levels import LEVELS
from glnzip.system.names import ARCHIVE_SUFFIX, SUFFIX

FILES = "files"
PACKED = "packed"
NOTHING_KNOWN = ""
READERS = ("decompress", "test", "info")
"""The commands that take compressed files."""
MODES = ("--decompress", "--uncompress", "--test", "--list")
"""What makes the short form do the same, besides -d, -t and -l."""


class Choice(NamedTuple):
    """An option as it is offered: its names, what may follow it (None for a flag), its help."""

    names: list[str]
    value: str | None
    help: str
    optional: bool = False
    """Whether the value can be left out, and follows an equals sign otherwise."""


class Form(NamedTuple):
    """A command as it is offered, or the short form: its options, its inputs, its help."""

    choices: list[Choice]
    inputs: str
    """FILES, PACKED ones, some words, or NOTHING_KNOWN."""
    help: str


Forms = dict[str, Form]


@command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what a shell needs to complete command lines.

    \b
      eval "$(glnzip completion bash)"      in ~/.bashrc
      eval "$(glnzip completion zsh)"       in ~/.zshrc, after compinit
      glnzip completion fish | source       in ~/.config/fish/config.fish
    """
    tree = ctx.find_root().command
    assert isinstance(tree, click.Group)
    click.echo(script(shell, tree, ctx.obj), nl=False)


def script(shell: str, tree: click.Group, short_form: click.Command) -> str:
    """The completions of the commands, for one of the shells in `SHELLS`."""
    forms = {name: _form(command) for name, command in sorted(tree.commands.items())}
    return SHELLS[shell](_form(short_form), forms)


def _form(command: click.Command) -> Form:
    arguments = [argument for argument in command.params if isinstance(argument, click.Argument)]
    if not arguments:
        inputs = NOTHING_KNOWN
    elif isinstance(arguments[0].type, click.Choice):
        inputs = " ".join(arguments[0].type.choices)
    else:
        inputs = PACKED if command.name in READERS else FILES
    return Form(list(_choices(command)), inputs, command.get_short_help_str(80))


def _choices(command: click.Command) -> Iterator[Choice]:
    context = click.Context(command, help_option_names=["-h", "--help"])
    for option in command.get_params(context):
        if not isinstance(option, click.Option) or option.hidden:
            continue
        text = (option.help or "").split("  [")[0]
        names = option.shown_names if isinstance(option, NamedOption) else option.opts
        names = sorted(names, key=len)
        yield Choice(names, _value(option), text, str(option.metavar).startswith("["))
        if option.secondary_opts:
            yield Choice(option.secondary_opts, None, text)


def _value(option: click.Option) -> str | None:
    """What follows an option: files, one of some words, or what nobody can know."""
    if option.is_flag or option.count:
        return None
    if isinstance(option.type, click.Choice):
        return " ".join(option.type.choices)
    if option.name == "level":
        return " ".join(map(str, LEVELS))
    return FILES if any(word in str(option.metavar) for word in ("FILE", "LIST")) else NOTHING_KNOWN


def _bash(short: Form, forms: Forms) -> str:
    every = [choice for form in (short, *forms.values()) for choice in form.choices]
    after = {
        value: "|".join(sorted({name for c in every if c.value == value for name in c.names}))
        for value in sorted({c.value for c in every if c.value is not None and not c.optional})
    }
    cases = "\n".join(
        f'        {name}) options="{_names(form)}" inputs="{form.inputs}" ;;'
        for name, form in forms.items()
    )
    words = "\n".join(
        f'        {names}) mapfile -t COMPREPLY < <(compgen -W "{value}" -- "$word"); return ;;'
        for value, names in after.items()
        if value not in (FILES, NOTHING_KNOWN)
    )
    return f"""\
# bash completion for glnzip, made by `glnzip completion bash`

_glnzip() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
    local form=${{COMP_WORDS[1]}} earlier=" ${{COMP_WORDS[*]:1:COMP_CWORD - 1}} " options inputs
    COMPREPLY=()
    if [[ $word == "=" ]]; then  # bash makes words of --output=FILE
        word=
    elif [[ $before == "=" ]]; then
        before=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    ((COMP_CWORD > 1)) || form=
    case $form in
{cases}
        *)
            options="{_names(short)}" inputs={FILES}
            [[ $earlier =~ " "(-[a-zA-Z0-9]*[dtl][a-zA-Z0-9]*|{"|".join(MODES)})" " ]] &&
                inputs={PACKED}
            ;;
    esac
    case $before in
        {after[FILES]}) compopt -o filenames 2> /dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
{words}
        {after[NOTHING_KNOWN]}) return ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
    fi
    [[ $inputs == @({FILES}|{PACKED}) ]] && compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(
        ((COMP_CWORD > 1)) || compgen -W "{" ".join(forms)}" -- "$word"
        case $inputs in
            {PACKED})
                compgen -d -- "$word"
                compgen -f -X "!*{SUFFIX}" -- "$word"
                compgen -f -X "!*{ARCHIVE_SUFFIX}" -- "$word"
                ;;
            {FILES}) compgen -f -- "$word" ;;
            *) compgen -W "$inputs" -- "$word" ;;
        esac
    )
}}

complete -F _glnzip glnzip
"""


def _names(form: Form) -> str:
    return " ".join(name for choice in form.choices for name in choice.names)


def _zsh(short: Form, forms: Forms) -> str:
    def specs(form: Form, *inputs: str) -> str:
        words = [*map(_zsh_spec, form.choices), *inputs]
        return " \\\n                ".join(["_arguments -s -S", *words])

    listed = "\n".join(f"        {_quoted(f'{name}:{form.help}')}" for name, form in forms.items())
    cases = "\n".join(
        f"""\
        {name})
            {specs(form, *_zsh_inputs(form))}
            ;;"""
        for name, form in forms.items()
    )
    return f"""\
#compdef glnzip
# zsh completion for glnzip, made by `glnzip completion zsh`

_glnzip_packed() {{
    _path_files -/ -g '*({SUFFIX}|{ARCHIVE_SUFFIX})'
}}

_glnzip_files() {{
    if (( $words[(I)-[dtl]*|-[^-]*[dtl]*|{"|".join(MODES)}] )); then
        _glnzip_packed
    else
        _files
    fi
}}

_glnzip_first() {{
    local -a commands=(
{listed}
    )
    _describe -t commands 'command' commands
    _glnzip_files
}}

_glnzip() {{
    local form=
    if (( CURRENT > 2 )) && [[ $words[2] == ({"|".join(forms)}) ]]; then
        form=$words[2]
        words=("${{(@)words[2,-1]}}")
        (( CURRENT-- ))
    fi
    case $form in
{cases}
        *)
            {specs(short, "'1: :_glnzip_first'", "'*: :_glnzip_files'")}
            ;;
    esac
}}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _glnzip "$@"
else
    compdef _glnzip glnzip
fi
"""


def _zsh_inputs(form: Form) -> list[str]:
    if form.inputs == NOTHING_KNOWN:
        return []
    known = {FILES: "'*: :_files'", PACKED: "'*: :_glnzip_packed'"}
    return [known.get(form.inputs, f"'1: :({form.inputs})'")]


def _zsh_spec(choice: Choice) -> str:
    """An option as _arguments wants it."""
    text = choice.help
    for special in ("\\", "[", "]", ":"):
        text = text.replace(special, f"\\{special}")
    actions = {None: "", FILES: ":file:_files", NOTHING_KNOWN: ":value:"}
    action = actions.get(choice.value, f":value:({choice.value})")
    if choice.optional:
        action = f":{action}"
    names = [_zsh_name(name, choice) for name in choice.names]
    group = "{" + ",".join(names) + "}" if len(names) > 1 else names[0]
    others = f"'({' '.join(choice.names)})'" if len(names) > 1 else ""
    return f"{others}{group}{_quoted(f'[{text}]{action}')}"


def _zsh_name(name: str, choice: Choice) -> str:
    if choice.value is None:
        return name
    if choice.optional:
        return f"{name}=-"
    return f"{name}=" if name.startswith("--") else f"{name}+"


def _fish(short: Form, forms: Forms) -> str:
    lines = [
        f"complete -c glnzip -n __glnzip_at_first -a {name} -d {_quoted(form.help)}"
        for name, form in forms.items()
    ]
    for name, form in (("", short), *forms.items()):
        offer = f"complete -c glnzip -n '__glnzip_form_is \"{name}\"'"
        lines += [f"{offer} {_fish_spec(choice)}" for choice in form.choices]
        if form.inputs not in (FILES, PACKED, NOTHING_KNOWN):
            lines.append(f"{offer} -a {_quoted(form.inputs)}")
    of_files = [name for name, form in forms.items() if form.inputs in (FILES, PACKED)]
    return f"""\
# fish completion for glnzip, made by `glnzip completion fish`

function __glnzip_form
    set -l words (commandline -opc)
    if set -q words[2]; and contains -- $words[2] {" ".join(forms)}
        echo $words[2]
    end
end

function __glnzip_form_is
    contains -- (__glnzip_form | string collect --allow-empty) $argv
end

function __glnzip_at_first
    test (count (commandline -opc)) -eq 1
end

function __glnzip_packed
    __glnzip_form_is {" ".join(READERS)}
    or string match -qr -- '^(-[a-zA-Z0-9]*[dtl][a-zA-Z0-9]*|{"|".join(MODES)})$' (commandline -opc)
end

function __glnzip_packed_files
    __fish_complete_path (commandline -ct) | string match -r '.*(?:\\.t?gln|/)(?=\\t)'
end

complete -c glnzip -f
complete -c glnzip -n __glnzip_packed -a '(__glnzip_packed_files)'
complete -c glnzip -n 'not __glnzip_packed; and __glnzip_form_is "" {" ".join(of_files)}' -F
{chr(10).join(lines)}
"""


def _fish_spec(choice: Choice) -> str:
    words = []
    for name in choice.names:
        words.append(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}")
    if choice.value == FILES:
        words.append("-F" if choice.optional else "-r -F")
    elif choice.value is not None:
        words.append(f"-x -a {_quoted(choice.value)}" if choice.value else "-x")
    return " ".join([*words, "-d", _quoted(choice.help)])


def _quoted(text: str) -> str:
    """Text as one word, for all three shells."""
    return "'" + text.replace("'", "'\\''") + "'"


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
