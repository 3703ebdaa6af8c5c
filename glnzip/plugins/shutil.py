"""The archive format ``gln.tar`` of `shutil`, for files ending in ``.tar.gln``."""

from __future__ import annotations

import os
import shutil
import tarfile
from typing import TYPE_CHECKING, Any

from glnzip import DEFAULT_LEVEL, SHIPPED_PRIOR, CorruptStreamError, Prior, open_tar

if TYPE_CHECKING:
    from logging import Logger

    from _typeshed import StrPath

_NAME = "gln.tar"
_DESCRIPTION = "tar file compressed by glnzip"


def register(*, level: int = DEFAULT_LEVEL, prior: Prior | StrPath | None = SHIPPED_PRIOR) -> None:
    """Let `shutil.make_archive` and `shutil.unpack_archive` know ``gln.tar``.

    Parameters
    ----------
    level, prior
        As for `glnzip.open`.

    Examples
    --------
    >>> register()
    >>> shutil.make_archive("folder", "gln.tar", "folder")
    'folder.tar.gln'
    >>> shutil.unpack_archive("folder.tar.gln", "elsewhere")
    """
    packing = [("level", level), ("prior", prior)]
    shutil.register_archive_format(_NAME, make_tar, packing, _DESCRIPTION)
    if _NAME in [name for name, *_ in shutil.get_unpack_formats()]:
        shutil.unregister_unpack_format(_NAME)
    endings = [".tar.gln", ".tgln"]
    shutil.register_unpack_format(_NAME, endings, unpack_tar, [("prior", prior)], _DESCRIPTION)


def make_tar(
    base_name: str,
    base_dir: str,
    *,
    level: int,
    prior: Prior | StrPath | None,
    root_dir: StrPath | None = None,
    owner: str | None = None,
    group: str | None = None,
    dry_run: bool = False,
    logger: Logger | None = None,
) -> str:
    """Make ``base_name.tar.gln`` of a folder; called by `shutil.make_archive`, which explains it.

    Raises KeyError if there is no such owner or group.
    """
    name = f"{base_name}.tar.gln"
    if logger is not None:
        logger.info("creating %s", name)
    owned = _owned_by(owner, group)
    if not dry_run:
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        with open_tar(name, "w", level=level, prior=prior) as archive:
            archive.add(os.path.join(root_dir or "", base_dir), base_dir, filter=owned)
    return name if root_dir is None else os.path.abspath(name)


make_tar.supports_root_dir = True  # type: ignore[attr-defined]  # else shutil changes the folder


def _owned_by(owner: str | None, group: str | None) -> Any:
    """What gives members of an archive another owner and group."""
    changes: dict[str, Any] = {}
    if owner is not None:
        import pwd

        changes |= {"uname": owner, "uid": pwd.getpwnam(owner).pw_uid}
    if group is not None:
        import grp

        changes |= {"gname": group, "gid": grp.getgrnam(group).gr_gid}

    def owned(member: tarfile.TarInfo) -> tarfile.TarInfo:
        for name, value in changes.items():
            setattr(member, name, value)
        return member

    return owned


def unpack_tar(
    filename: str, extract_dir: str, *, prior: Prior | StrPath | None, **options: Any
) -> None:
    """Extract such an archive; called by `shutil.unpack_archive`, with its `filter` if it has one.

    Without one, the filter is ``"data"``: see `glnzip.open_tar`.

    Raises
    ------
    shutil.ReadError
        If the file is no such archive.
    GlnzipError
        If it is damaged farther on, or its prior is missing.
    """
    try:
        archive = open_tar(filename, prior=prior)
    except (tarfile.TarError, CorruptStreamError) as error:
        raise shutil.ReadError(f"{filename} is no {_DESCRIPTION}: {error}") from error
    with archive:
        archive.extractall(extract_dir, **options)
