"""Which code this is: the names of the folders of what depends on it.

They are hashes of source files, taken when the code is loaded. A process that outlives an upgrade
of the package runs on with what it has loaded; it finds that the files have changed, and keeps
nothing from then on, neither under the new name nor under the old.

Each folder has a file, its *origin*, that tells where the package was that made it, and which of
its files in which state. If they are no longer there as they were, nobody will ask for the folder.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

ORIGIN = "origin"
PACKAGE = Path(__file__).parents[1]


class Sources:
    """Files and folders of a package, as they were when this object was made."""

    def __init__(self, *names: str, package: Path = PACKAGE) -> None:
        self._names = names
        self._package = package
        self.loaded = self._digest()

    def name(self, settings: str = "") -> str:
        """A name for what these files, and some settings, decide."""
        return hashlib.sha256(settings.encode() + self.loaded).hexdigest()[:16]

    def are_unchanged(self) -> bool:
        """Whether the files on the disk still are those that were loaded."""
        return self._digest() == self.loaded

    def origin(self) -> bytes:
        """What `is_there` has to know, as a file."""
        facts = {
            "package": str(self._package),
            "names": self._names,
            "digest": self.loaded.hex(),
        }
        return json.dumps(facts).encode()

    def _digest(self) -> bytes:
        digest = hashlib.sha256()
        for name in self._names:
            path = self._package / name
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                digest.update(file.name.encode() + b"\0")
                try:
                    digest.update(file.read_bytes())
                except FileNotFoundError:  # in the midst of an upgrade
                    digest.update(b"gone")
        return digest.digest()


def is_there(origin: bytes) -> bool:
    """Whether the files of an origin are still where they were, and as they were."""
    try:
        facts = json.loads(origin)
        sources = Sources(*facts["names"], package=Path(facts["package"]))
    except (ValueError, KeyError, TypeError, OSError):
        return False
    return sources.loaded.hex() == facts["digest"]


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
