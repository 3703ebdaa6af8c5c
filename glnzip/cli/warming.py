"""`glnzip warmup`: compile every kernel ahead, for a fresh machine or a container image."""

from __future__ import annotations

import random
import time

from glnzip import jit
from glnzip.cli.wording import printable
from glnzip.cli.work import FAILURE, SUCCESS, say
from glnzip.levels import MIN_LEVEL
from glnzip.oneshot import compress, decompress

# All levels share their kernels, so the level with the least memory compiles them for all. The
# second sample does not compress: it takes the way of stored blocks.
SAMPLES = (b"glnzip" * 50, random.Random(0).randbytes(300))


def warm_up(*, quiet: bool) -> int:
    """Run every kernel once, say where they are kept, and return the exit status."""
    if not jit.jit_is_on():
        if not quiet:
            say("the model runs as plain Python here; there is nothing to compile")
        return SUCCESS
    start = time.monotonic()
    for sample in SAMPLES:
        if decompress(compress(sample, level=MIN_LEVEL)) != sample:
            say("the model does not work on this machine: a round trip changed the data")
            return FAILURE
    seconds = time.monotonic() - start
    place = printable(str(jit.cache_folder() or "a home folder: there is none"))
    if not jit.kernels_are_cached():
        say(f"the compiled model cannot be kept in {place}; GLNZIP_CACHE_DIR names another folder")
        return FAILURE
    if not quiet:
        say(f"the model is ready after {seconds:.1f} s; compiled kernels are in {place}")
    return SUCCESS
