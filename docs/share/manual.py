"""docs/CLI.md as a manual page.

Not Markdown in general: the few forms that the manual uses. Each becomes what man(7) has for it, so
that the page reads well in any terminal, and mandoc and groff find nothing to complain about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from glnzip import __version__

NAME = r"glnzip \- compress files and streams to a very small size"


def page(markdown: str) -> str:
    """The source of the manual page."""
    lines = [f'.TH GLNZIP 1 "" "glnzip {__version__}"', ".SH NAME", NAME]
    for paragraph in _paragraphs(markdown):
        written = _roff(paragraph)
        if written[:1] == [".PP"] and lines[-1].startswith((".SH", ".SS")):
            del written[0]  # a heading begins a paragraph already
        lines += written
    return "\n".join(lines) + "\n"


def _paragraphs(markdown: str) -> Iterator[list[str]]:
    """The paragraphs, headings, tables, examples and entries of lists, line by line."""
    for chunk in re.split(r"\n\s*\n", markdown.strip()):
        paragraph: list[str] = []
        for line in chunk.splitlines():
            if line.startswith("- ") and paragraph:
                yield paragraph
                paragraph = []
            paragraph.append(line)
        yield paragraph


def _roff(lines: list[str]) -> list[str]:
    first = lines[0]
    if first.startswith("# "):  # the page has its own title
        return []
    if first.startswith("### "):
        return [f".SS {_plain(first[4:])}"]
    if first.startswith("## "):
        return [f".SH {_plain(first[3:]).upper()}"]
    if first.startswith("|"):
        return [line for row in lines[2:] for line in _row(row)]
    if first.startswith("    "):
        return [".PP", ".nf", *(_literal(line) for line in lines), ".fi"]
    text = " ".join(line.strip() for line in lines)
    if first.startswith("- "):
        return [".IP \\(bu 2", *_wrapped(text[2:])]
    return [".PP", *_wrapped(text)]


def _row(row: str) -> list[str]:
    """A row of a table: what the last column says of the others."""
    cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
    *heads, body = cells
    return [".TP", _guarded(_text(", ".join(filter(None, heads)))), *_wrapped(body)]


def _wrapped(text: str) -> list[str]:
    """Prose in lines of the length that is usual for sources."""
    lines = wrap(_text(text), 80, break_long_words=False, break_on_hyphens=False)
    return [_guarded(line) for line in lines]


def _text(text: str) -> str:
    """Prose with the marks of Markdown."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"(`[^`]*`|\*\*.*?\*\*)", text)
    return "".join(map(_part, parts))


def _plain(heading: str) -> str:
    return heading.replace("`", "")


def _part(part: str) -> str:
    if part.startswith("`"):
        return rf"\fB{_escaped(part[1:-1])}\fR"
    if part.startswith("**"):
        return rf"\fI{_text(part[2:-2])}\fR"
    return part.replace("\\", r"\e")


def _literal(line: str) -> str:
    return _guarded(_escaped(line[4:]))


def _escaped(code: str) -> str:
    """Text to be typed: a hyphen is a minus sign, a quote is straight."""
    for character, name in (("\\", r"\e"), ("-", r"\-"), ("'", r"\(aq"), ("`", r"\(ga")):
        code = code.replace(character, name)
    return code.replace("~", r"\(ti").replace("^", r"\(ha")


def _guarded(line: str) -> str:
    """A line that does not begin like a request."""
    return rf"\&{line}" if line.startswith((".", "'")) else line
