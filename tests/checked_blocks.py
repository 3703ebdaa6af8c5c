"""All that runs with every index checked: ``NUMBA_BOUNDSCHECK=1 python -m tests.checked_blocks``.

It is one process, because most of its time is the compiler's, and what coded blocks and hostile
ones call is the same but for a few kernels. It takes the arguments of `tests.coded_blocks`.
"""

from __future__ import annotations

import sys

from tests import coded_blocks, hostile_blocks


def main() -> None:
    """Print the digests of coded blocks, then meet hostile ones."""
    coded_blocks.main()
    sys.stdout.flush()
    hostile_blocks.main()


if __name__ == "__main__":
    main()
