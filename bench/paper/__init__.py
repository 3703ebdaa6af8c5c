"""The experiments of Veness and others, "Online Learning with Gated Linear Networks" (2017).

They use the engine `glnzip.gln` alone: nothing here knows of bytes or files of the compressor.

=========== ======================================================================
capacity    ``python -m bench.paper.capacity``: what a few half-spaces can express
switching   ``python -m bench.paper.switching``: which neurons are believed, and when
spiral      ``python -m bench.paper.spiral``: three classes in the plane, one pass
mnist       ``python -m bench.paper.mnist``: handwritten digits, one pass
density     ``python -m bench.paper.density``: how probable binary images are
regression  ``python -m bench.paper.regression``: tables of numbers, for the paper of 2020
=========== ======================================================================

Every module has ``run``, which learns and measures; some have ``figure``, which draws (with
matplotlib, needed for nothing else). As commands they print their figures, and draw into
``docs/paper``. Seeds are explicit: the same command gives the same figures.

``report`` runs them all but the last, and writes the table of ``docs/paper.md``.
"""

from pathlib import Path

PICTURES = Path(__file__).parent.parent.parent / "docs" / "paper"
