"""Which code this is: the names of the folders of what depends on it.

They are hashes of source files, taken when the code is loaded. A process that outlives an upgrade
of the package runs on with what it has loaded; it finds that the files have changed, and keeps
nothing from then on, neither under the new name nor under the old.
"""

from __future__ import annotations

import hashlib
from pathlib import Path


class Sources:
    """Files and folders of the package, as they were when this object was made."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self.loaded = self._digest()

    def name(self, settings: str = "") -> str:
        """A name for what these files, and some settings, decide."""
        return hashlib.sha256(settings.encode() + self.loaded).hexdigest()[:16]

    def are_unchanged(self) -> bool:
        """Whether the files on the disk still are those that were loaded."""
        return self._digest() == self.loaded

    def _digest(self) -> bytes:
        digest = hashlib.sha256()
        package = Path(__file__).parents[1]
        for name in self._names:
            path = package / name
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                digest.update(file.name.encode() + b"\0")
                try:
                    digest.update(file.read_bytes())
                except FileNotFoundError:  # in the midst of an upgrade
                    digest.update(b"gone")
        return digest.digest()


_MODEL = ("gln", "transforms", "model", "coding", "format/block_type.py", "jit/lanes.py")
_PREPARING = (
    "frames/decoder.py",
    "priors/prior.py",
    "priors/prior_stream.py",
    "priors/reader.py",
    "priors/opening.py",
    "priors/prepared.py",
    "priors/checkpoint.py",
    "priors/model_image.py",
)

KERNEL_SOURCES = Sources(*_MODEL, "planner", "training/lexicon.py", "jit")
PREPARING_SOURCES = Sources(*_MODEL, *_PREPARING)

PREPARED_FOLDER = f"prepared-{PREPARING_SOURCES.name()}"
"""Where this version of the model keeps what it knows of priors."""
