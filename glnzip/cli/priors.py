"""Which prior a user means: by `--prior`, by the environment, by `--base`."""

from __future__ import annotations

import sys

from glnzip.cli.report import FAILURE, complain, reason
from glnzip.errors import GlnzipError
from glnzip.priors.base import Base
from glnzip.priors.naming import SHIPPED
from glnzip.priors.prior import SHIPPED_PRIOR, Prior

NONE = "none"
AUTO = "auto"
"""The shipped one, or none when compressing, if that is smaller."""


def chosen_prior(name: str | None, by: str = "") -> Prior | None:
    """The prior of this name: none, the shipped one (also if nothing is named), or that of a file.

    Ends the program if the file cannot be used, naming the variable that chose it, if any.
    """
    try:
        return _prior(name)
    except (GlnzipError, OSError) as error:
        complain(f"{by}: {name}" if by else str(name), error)
        sys.exit(FAILURE)


def with_base(prior: Prior | None, name: str | None) -> Prior | None:
    """A prior, and after it the base that a file is, if one is named.

    Ends the program if the file cannot be used.
    """
    if name is None:
        return prior
    try:
        return Base.load(name, prior=prior)
    except (GlnzipError, OSError) as error:
        complain(name, error)
        sys.exit(FAILURE)


def prior_if_usable(name: str | None, by: str) -> tuple[Prior | None, str]:
    """The prior that the variable `by` chooses for reading, or why it cannot be used.

    Then it is the shipped one: most streams need no other.
    """
    try:
        return _prior(name), ""
    except (GlnzipError, OSError) as error:
        return SHIPPED_PRIOR, f"{by} names {name}, which cannot be used: {reason(error)}"


def _prior(name: str | None) -> Prior | None:
    if name in (None, "", SHIPPED, AUTO):
        return SHIPPED_PRIOR
    return None if name == NONE else Prior.load(name)
