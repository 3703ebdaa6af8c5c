"""`--dask`: blocks, and several files at a time, on the machines of a cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import click

from glnzip.cli.inputs import EXPECTED_ERRORS, Inside, for_each
from glnzip.cli.options import Settings
from glnzip.cli.report import FAILURE, SUCCESS, complain, say
from glnzip.errors import GlnzipError
from glnzip.system.errand import Steps

StepsOfOne = Callable[[str, Settings], Steps]
"""What is done about a file."""
_QUIET = {"distributed": "critical", "distributed.client": "critical"}
"""What a client of Dask logs, the command says in its own way."""


def check_options(options: dict[str, Any]) -> None:
    """Refuse options that do not go with a cluster."""
    if options["dask"] is None:
        return
    refused = {
        "-T": options["threads"] != 1,
        "--verify": options.get("verify"),
        "--keep-going": options.get("keep_going"),
    }
    for name, is_given in refused.items():
        if is_given:
            raise click.UsageError(f"{name} cannot be used with --dask")


@contextmanager
def connected(settings: Settings) -> Iterator[Settings]:
    """The settings with the cluster that they name, if any, as long as it is connected.

    Ends the program if there is none.
    """
    if settings.dask is None:
        yield settings
        return
    try:
        import dask
    except ImportError:
        say("--dask needs the package distributed: pip install 'glnzip[dask]'")
        sys.exit(FAILURE)
    dask.config.config.setdefault("logging", _QUIET)
    from glnzip.dask import DEFAULT_BLOCK_SIZE, Cluster

    try:
        cluster = Cluster(settings.dask, memory_limit=settings.memory_limit)
    except GlnzipError as error:
        complain("--dask", error)
        sys.exit(FAILURE)
    with cluster:
        block_size = settings.block_size or DEFAULT_BLOCK_SIZE
        yield replace(settings, cluster=cluster, block_size=block_size)


def for_several(
    names: list[str], steps_of_one: StepsOfOne, inside: Inside | None, settings: Settings
) -> int:
    """Do several of the files at a time, and return the exit status: see `for_each`."""
    from glnzip.dask.several import Several

    assert settings.cluster is not None, "it is connected"
    statuses = {SUCCESS}

    def failed(name: str, error: Exception) -> None:
        if not isinstance(error, EXPECTED_ERRORS):
            raise error
        complain(name, error)
        statuses.add(FAILURE)

    with Several(settings.cluster) as several:

        def begin(name: str) -> None:
            several.begin(steps_of_one(name, settings), partial(failed, name))

        statuses.add(for_each(names, begin, inside))
    return max(statuses)
