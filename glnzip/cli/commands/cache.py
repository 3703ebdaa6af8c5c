"""`glnzip cache`: what is kept for later runs, and clearing it away."""

from __future__ import annotations

import sys
import time

import click

from glnzip.cli import options as given
from glnzip.cli.command_line import command
from glnzip.cli.preparation import preparation_shown
from glnzip.cli.report import SUCCESS, say
from glnzip.cli.text import human_size, printable
from glnzip.format.container import PRIOR_ID_BYTES
from glnzip.priors.prior import SHIPPED_PRIOR_ID


@command
@click.option("--clear", is_flag=True, help="Remove all of it, also what other versions keep.")
@given.as_json
@given.quiet
def cache(clear: bool, as_json: bool, quiet: bool) -> None:
    """Show what is kept for later runs, or remove it.

    These are prepared priors, and the compiled model. All of it is made again when it is needed.
    """
    with preparation_shown(quiet=quiet):
        if clear:
            _clear(quiet=quiet)
        elif as_json:
            _list_for_programs()
        else:
            _list()
    sys.exit(SUCCESS)


def _clear(*, quiet: bool) -> None:
    from glnzip.cache.housekeeping import clear_cache

    freed = clear_cache()
    if not quiet:
        say(f"{human_size(freed)} of disk space freed")


def _list() -> None:
    from glnzip.cache import cache_root
    from glnzip.cache.housekeeping import cache_limit, disk_bytes, kept_images

    images = kept_images()
    everything, limit = disk_bytes(), cache_limit()
    print(f"in {printable(str(cache_root() or 'no folder'))}:")
    for image in images:
        day = time.strftime("%Y-%m-%d", time.localtime(image.used))
        shipped = ", shipped" if _id(image.prior) == SHIPPED_PRIOR_ID else ""
        size = human_size(image.disk_bytes)
        print(f"  prior {_id(image.prior)}{shipped}, level {image.level}: {size}, used {day}")
    others = everything - sum(image.disk_bytes for image in images)
    print(f"  compiled code, and what other versions keep: {human_size(others)}")
    bound = "no limit" if limit is None else f"limit for priors {human_size(limit)}"
    print(f"in all {human_size(everything)}; {bound}")


def _list_for_programs() -> None:
    import json

    from glnzip.cache import cache_root
    from glnzip.cache.housekeeping import cache_limit, disk_bytes, kept_images

    priors = [
        {
            "prior_id": _id(image.prior),
            "level": image.level,
            "disk_bytes": image.disk_bytes,
            "used": int(image.used),
        }
        for image in kept_images()
    ]
    root = cache_root()
    listing = {
        "folder": None if root is None else str(root),
        "disk_bytes": disk_bytes(),
        "limit": cache_limit(),
        "priors": priors,
    }
    print(json.dumps(listing, indent=2))


def _id(prior: str) -> str:
    return prior[: 2 * PRIOR_ID_BYTES]
