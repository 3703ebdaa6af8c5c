"""The images that the paper's experiments use, found and verified.

They are looked for in the folder named by the environment variable ``GLNZIP_DATA``, else in
``corpora/data/paper``. Every array has a checksum here: an experiment runs on the right data or not
at all.
"""

from __future__ import annotations

import os
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import corpora

DIGESTS = {
    "mnist.npz/train_images": "741c988805d008ac6e4c904b69001ba184c24b2c540a4ef403f4c71b676cf757",
    "mnist.npz/train_labels": "1feba77c54802fa5339a11837ea4b2866434b83314ec45192930f1df69120c13",
    "mnist.npz/test_images": "6d87418db22cc8025d05968bec9bd5c3932904b23485740db143a061a2c9d161",
    "mnist.npz/test_labels": "ddeff807876a9661a1110d45c266c86239a3a1b7d37da0c3716a7a683c852ff5",
    "binarized_mnist.npz/train": "727146c35424b019f3e350e1e69faa05644a0abaf787e3f4e1a9632220a13906",
    "binarized_mnist.npz/valid": "a256ac44ae26be720fad8616a05ed6ecfd1619930d9a208379bb2a4405df5b6d",
    "binarized_mnist.npz/test": "9fcd8da6f0fdf09b2ba30fe63a0bb784042a0de82563172530229b983e294ff2",
}


class Mnist(NamedTuple):
    """The digits: images uint8[n, 28, 28], labels uint8[n]; 60,000 to train and 10,000 to test."""

    train_images: Any
    train_labels: Any
    test_images: Any
    test_labels: Any


class BinaryMnist(NamedTuple):
    """Larochelle's fixed binarisation: uint8[n, 784] of zeros and ones; 50,000, 10,000, 10,000."""

    train: Any
    valid: Any
    test: Any


def folder() -> Path:
    """Return where the arrays are looked for, whether or not they are there."""
    named = os.environ.get("GLNZIP_DATA")
    return Path(named) if named else corpora.HERE / "data" / "paper"


def mnist() -> Mnist:
    """The digits, or `corpora.CorpusMissing` with the reason."""
    return Mnist(**arrays("mnist.npz"))


def binary_mnist() -> BinaryMnist:
    """The binary images, or `corpora.CorpusMissing` with the reason."""
    packed = arrays("binarized_mnist.npz")
    return BinaryMnist(**{name: np.unpackbits(bits, axis=1) for name, bits in packed.items()})


def arrays(name: str) -> dict[str, Any]:
    """The arrays of a file, each one verified, or `corpora.CorpusMissing` with the reason."""
    path = folder() / name
    fields = [entry.split("/")[1] for entry in DIGESTS if entry.startswith(f"{name}/")]
    try:
        with np.load(path) as loaded:
            found = {field: loaded[field] for field in fields}
    except FileNotFoundError:
        raise corpora.CorpusMissing(
            f"{path} is missing: run `make fetch`, or set GLNZIP_DATA"
        ) from None
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise corpora.CorpusMissing(f"{path} is damaged: {error}") from error
    for field, array in found.items():
        check(name, field, array)
    return found


def check(name: str, field: str, array: Any) -> None:
    """Raise `corpora.CorpusMissing` unless this is the array that it should be."""
    if sha256(array.tobytes()).hexdigest() != DIGESTS[f"{name}/{field}"]:
        raise corpora.CorpusMissing(f"{name}: {field} is not what it should be")


def missing_reason(name: str) -> str | None:
    """Return None if `arrays` would succeed, else why not: what a skipped test should say."""
    try:
        arrays(name)
    except corpora.CorpusMissing as reason:
        return str(reason)
    return None
