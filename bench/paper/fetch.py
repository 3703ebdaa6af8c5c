"""Bring the images of the paper's experiments: ``python -m bench.paper.fetch``.

If ``GLNZIP_DATA`` names a folder, nothing is downloaded: the files there are verified. Otherwise
the original files are downloaded, turned into the arrays that `bench.paper.data` describes,
verified, and kept in ``corpora/data/paper``.
"""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import click
import numpy as np

import corpora
from bench.paper import data
from corpora.fetch import download, write_whole

MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist/"
BINARY = "http://www.cs.toronto.edu/~larocheh/public/datasets/binarized_mnist/binarized_mnist_"
MOST_BYTES = 100 << 20  # the largest file has 78 MB
PIXELS = 784


class Source(NamedTuple):
    """Where an array comes from, and how it is read from what lies there."""

    address: str
    read: Callable[[bytes], Any]


def read_idx(packed: bytes) -> Any:
    """The array in a gzipped IDX file of bytes: a head of big-endian sizes, then the content."""
    try:
        content = gzip.decompress(packed)
    except (OSError, EOFError, zlib.error) as error:
        raise corpora.CorpusMissing(f"not a gzip file: {error}") from error
    head = content[:4].ljust(4, b"\xff")
    if head[:3] != b"\0\0\x08" or len(content) < 4 + 4 * head[3]:
        raise corpora.CorpusMissing("not an IDX file of bytes")
    shape = np.frombuffer(content, ">u4", head[3], 4).astype(int)
    values = np.frombuffer(content, np.uint8, offset=4 + 4 * head[3])
    if values.size != shape.prod():
        raise corpora.CorpusMissing("an IDX file of another length than it says")
    return values.reshape(shape)


def read_amat(text: bytes) -> Any:
    """The images in a text of zeros and ones, a line for each, as packed bits."""
    characters = np.frombuffer(text, np.uint8)
    if characters.size == 0 or characters.size % (2 * PIXELS):
        raise corpora.CorpusMissing("not lines of 784 bits")
    digits, gaps = characters.reshape(-1, PIXELS, 2).transpose(2, 0, 1)
    lines = (gaps[:, :-1] == ord(" ")).all() and (gaps[:, -1] == ord("\n")).all()
    if not lines or not ((digits == ord("0")) | (digits == ord("1"))).all():
        raise corpora.CorpusMissing("not lines of 784 bits")
    return np.packbits(digits - ord("0"), axis=1)


FILES = {
    "mnist.npz": {
        "train_images": Source(MNIST + "train-images-idx3-ubyte.gz", read_idx),
        "train_labels": Source(MNIST + "train-labels-idx1-ubyte.gz", read_idx),
        "test_images": Source(MNIST + "t10k-images-idx3-ubyte.gz", read_idx),
        "test_labels": Source(MNIST + "t10k-labels-idx1-ubyte.gz", read_idx),
    },
    "binarized_mnist.npz": {
        name: Source(f"{BINARY}{name}.amat", read_amat) for name in data.BinaryMnist._fields
    },
}


def fetch(name: str) -> None:
    """Download, verify and keep one file."""
    arrays = {}
    for field, source in FILES[name].items():
        click.echo(f"{name}: downloading {source.address}", err=True)
        arrays[field] = source.read(download(source.address, MOST_BYTES))
        data.check(name, field, arrays[field])
    target = io.BytesIO()
    np.savez_compressed(target, **arrays)
    write_whole(data.folder() / name, target.getvalue())


@click.command()
def main() -> None:
    """Bring the images to corpora/data/paper, or verify those in GLNZIP_DATA."""
    may_download = not os.environ.get("GLNZIP_DATA")
    failed = False
    for name in FILES:
        try:
            if may_download and data.missing_reason(name):
                fetch(name)
            data.arrays(name)
        except corpora.CorpusMissing as reason:
            click.echo(f"{name}: {reason}", err=True)
            failed = True
        else:
            click.echo(f"{name}: verified")
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
