"""Bytes to measure with: the sets of the corpora, single files, and made-up data of any size."""

from __future__ import annotations

import random
from pathlib import Path

import corpora


def by_name(name: str) -> Path:
    """Return a file given by its path, or by its name alone if a corpus has it."""
    if Path(name).is_file():
        return Path(name)
    for corpus in corpora.manifest()["corpora"]:
        if any(row.name == name for row in corpora.corpus_files(corpus)):
            return next(path for path in corpora.find(corpus) if path.name == name)
    raise corpora.CorpusMissing(f"{name} is neither a file here nor a file of a corpus")


def made_up_text(size: int) -> bytes:
    """Return `size` bytes of words drawn from a sample, the same for ever, at any size.

    Its statistics do not matter: it is for measuring memory and start-up, never ratios.
    """
    words = (corpora.HERE / "samples" / "prose.txt").read_bytes().split()
    draw = random.Random(1).random
    text = bytearray()
    while len(text) < size:
        text += words[int(draw() * len(words))] + b" "
    return bytes(text[:size])
