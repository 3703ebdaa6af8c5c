"""Compiled kernels on disk, one checked file each, so that no damage to them can do harm.

Numba's own cache raises to whoever calls a kernel what goes wrong with its files (truncated ones, a
full disk, two processes at once), and would run machine code in which bits have flipped. Here a
file begins with the SHA-256 of the rest and is renamed into place when it is complete. A file that
cannot be read, checked or loaded is as good as none: the kernel is compiled and saved again. One
that cannot be saved is compiled in each process.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
from pathlib import Path
from typing import Any

from glnzip.cache_folder import new_cache_file

_DIGEST_BYTES = hashlib.sha256().digest_size


class KernelCache:
    """What a Numba dispatcher asks before it compiles a function, and tells afterwards.

    Parameters
    ----------
    name : str
        The function's name; begins the names of its files.
    folder : Path
        Where they lie. Must be writable by nobody else: the files hold pickles and machine code.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self._name = name
        self.cache_path = str(folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function for these argument types and this CPU, or None."""
        from numba.core.compiler import CompileResult

        # What damage can raise here has no end, and the answer to all of it is to compile.
        with contextlib.suppress(Exception):
            target.refresh()
            content = read_intact(self._file(signature, target.codegen()))
            if content is not None:
                return CompileResult._rebuild(target, *pickle.loads(content))
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function for later processes, if that can be done."""
        from numba.core.serialize import dumps

        with contextlib.suppress(Exception):
            if not compiled.library.has_dynamic_globals:  # addresses of this process
                content = dumps(compiled._reduce())
                write_intact(self._file(signature, compiled.codegen), content)

    def flush(self) -> None:
        """Forget the compiled functions (Numba's ``recompile`` asks for this)."""
        for file in kernel_files(self._name, Path(self.cache_path)):
            with contextlib.suppress(OSError):
                file.unlink()

    def _file(self, signature: Any, codegen: Any) -> Path:
        what = repr((signature, codegen.magic_tuple()))  # the latter names the CPU
        number = hashlib.sha256(what.encode()).hexdigest()[:16]
        return Path(self.cache_path) / f"{self._name}-{number}.kernel"


def kernel_files(name: str, folder: Path) -> list[Path]:
    """The files of a kernel, for whatever CPUs it was compiled for."""
    return list(folder.glob(f"{name}-*.kernel"))


def read_intact(file: Path) -> bytes | None:
    """What `write_intact` wrote, or None if that cannot be read or is damaged."""
    try:
        whole = file.read_bytes()
    except OSError:
        return None
    digest, content = whole[:_DIGEST_BYTES], whole[_DIGEST_BYTES:]
    return content if hashlib.sha256(content).digest() == digest else None


def write_intact(file: Path, content: bytes) -> None:
    """Write a file that appears whole, with its digest, or not at all."""
    with new_cache_file(file) as stream:
        stream.write(hashlib.sha256(content).digest() + content)
