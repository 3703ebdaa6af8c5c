"""The bytes that a later Numba would make: ``python -m tests.jit.later_numba --short 1``.

That is `tests.determinism`, whose arguments it takes, with all kernels compiled by what Numba
documents, as they are where it lacks something else. Nothing that is kept from other runs is used.
"""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory

from glnzip import jit
from tests import determinism

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        os.environ["GLNZIP_CACHE_DIR"] = folder
        jit._why_slower.append("a name is gone")
        determinism.main()
