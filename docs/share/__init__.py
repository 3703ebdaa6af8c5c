"""What is installed beside the package: the manual page and the completions of the shells.

`python -m docs.share.make` writes them: the page from docs/CLI.md, the completions from the
commands.
"""
