"""The `glnzip` command (docs/CLI.md is its manual).

============ ================================================================================
commands     a file for each command: its options, and what it does
command_line what click is taught: further names of options, GLNZIP_OPT, levels as digits
options      the options that several commands share, and the settings that they come to
inputs       which files are meant, one after another; names of outputs
on_cluster   `--dask`: blocks, and several files at a time, on the machines of a cluster
conversion   one file becomes another: what compressing and decompressing have in common
recovery     `--keep-going`: what is sound of damaged data
files        opening an input, making an output that appears whole or not at all
transfer     the loops that carry bytes through a compressor or decompressor
priors       which prior is meant
preparation  what is said while kernels are compiled and priors prepared
progress     the line that shows how far long work is
report       lines on standard error, and exit statuses
text         sizes, ratios, times and file names as text, and sizes that users write
signals      what Ctrl-C and other signals leave behind: nothing
============ ================================================================================

Only click and the standard library are imported to read the command line. The model, with Numba
behind it, is imported when the first byte is to be coded.
"""

from __future__ import annotations

import io
import sys

from glnzip.cli.commands import command_for
from glnzip.cli.files import occupy_closed_streams, streams_that_wait
from glnzip.cli.report import FAILURE, say
from glnzip.cli.signals import handle_signals


def main() -> None:
    """Run the command line and exit."""
    occupy_closed_streams()
    handle_signals()
    if isinstance(sys.stdout, io.TextIOWrapper):  # a name may have what a locale cannot write
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:]
    with streams_that_wait():
        try:
            try:
                command_for(arguments).main(arguments, prog_name="glnzip")
            finally:
                sys.stdout.close()  # here, where a full disk can still be reported
        except OSError as error:
            say(f"standard output: {error.strerror}")
            sys.exit(FAILURE)
