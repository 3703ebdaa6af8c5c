"""The `glnzip` command (docs/CLI.md is its manual).

========== ==================================================================================
commands   what the user may type: the commands and their options, and nothing else
options    the options that several commands share
words      the words of a command line before click reads them; default options
work       what each command does to its files, one after another, and the exit status
files      opening an input, making an output that appears whole or not at all
transfer   the loops that carry bytes through a compressor or decompressor
progress   the line that shows how far a long piece of work is
listing    the table (or JSON) of `glnzip info`
wording    sizes, ratios and file names as text
sizes      sizes that a user has written
priming    which prior is meant, and what is shown while a model learns one
teaching   `glnzip train`
messaging  `glnzip messages`
completion `glnzip completion`
warming    `glnzip warmup`
dying      what Ctrl-C and other signals leave behind: nothing
========== ==================================================================================

Only click and the standard library are imported to read the command line. The model, with Numba
behind it, is imported when the first byte is to be coded.
"""

from glnzip.cli.commands import main

__all__ = ["main"]
