"""Only a folder that nobody else can have changed is used, and it is the one that was checked."""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from glnzip.cache import open_folder, trusted
from glnzip.cache.trusted import HAS_OWNERS, UntrustedError, open_trusted

pytestmark = pytest.mark.skipif(not HAS_OWNERS, reason="the system has no owners")

as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away"
)
SOMEBODY = 54_321


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder, in which the cache is to be."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(home / ".cache" / "glnzip"))
    return home


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def check_refused(reason: str) -> None:
    """Neither read from nor written to."""
    for make in (False, True):
        with pytest.raises(UntrustedError, match=reason):
            open_folder("kernels", make=make)


def test_what_is_made_is_private_whatever_the_umask(home: Path) -> None:
    before = os.umask(0)
    try:
        open_folder("kernels", make=True).write("file", b"content")
    finally:
        os.umask(before)
    made = home / ".cache" / "glnzip" / "kernels"
    assert [mode_of(path) for path in (made, made.parent, made.parent.parent)] == [0o700] * 3
    assert mode_of(made / "file") == 0o600


@pytest.mark.parametrize("inner", ["home", "home/.cache", "home/.cache/glnzip"])
@pytest.mark.parametrize("mode", [0o777, 0o722, 0o770])
def test_a_folder_on_the_way_that_others_can_write_to(
    home: Path, inner: str, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever can put another folder in its place has code of theirs run in our name."""
    monkeypatch.setattr(trusted, "_is_group_of_one", lambda group: False)
    open_folder("kernels", make=True)
    (home.parent / inner).chmod(mode)
    check_refused(f"others can write to .*{inner}$")


def test_a_folder_where_nobody_can_touch_what_belongs_to_others(home: Path) -> None:
    home.chmod(0o1777)  # as /tmp
    open_folder("kernels", make=True)


def test_a_group_of_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many systems give each user a group, and let it write."""
    home.chmod(0o770)
    monkeypatch.setattr(trusted, "_is_group_of_one", lambda group: True)
    open_folder("kernels", make=True)
    home.chmod(0o777)
    check_refused("others can write")


def test_whose_group_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    import grp

    me = pwd.getpwuid(os.geteuid())

    def group(name: str, members: list[str]) -> None:
        entry = grp.struct_group((name, "x", me.pw_gid, members))
        monkeypatch.setattr(grp, "getgrgid", lambda number: entry)

    group(me.pw_name, [])
    assert trusted._is_group_of_one(me.pw_gid)
    assert not trusted._is_group_of_one(me.pw_gid + 1)
    group(me.pw_name, [me.pw_name, "mallory"])
    assert not trusted._is_group_of_one(me.pw_gid)
    group("users", [])
    assert not trusted._is_group_of_one(me.pw_gid)


@as_root
@pytest.mark.parametrize("inner", ["home", "home/.cache", "home/.cache/glnzip/kernels"])
def test_a_folder_of_another_user(home: Path, inner: str) -> None:
    open_folder("kernels", make=True)
    os.chown(home.parent / inner, SOMEBODY, -1)
    check_refused(f"{inner} belongs to the user {SOMEBODY}$")


@as_root
def test_root_leaves_nothing_in_the_home_of_a_user(home: Path) -> None:
    """As with ``sudo``: the user could not remove it."""
    os.chown(home, SOMEBODY, -1)
    check_refused("belongs to the user")
    assert os.listdir(home) == []


def test_links_of_ones_own_are_followed(home: Path) -> None:
    (home / "disk").mkdir()
    (home / ".cache").symlink_to("disk/../disk")
    open_folder("kernels", make=True)
    assert (home / "disk" / "glnzip" / "kernels").is_dir()
    (home / "disk" / "elsewhere").symlink_to(home / "disk")
    os.close(open_trusted(home / "disk" / "elsewhere" / "glnzip"))


@as_root
def test_a_link_of_another_user(home: Path) -> None:
    home.chmod(0o1777)
    (home / "disk").mkdir(mode=0o700)
    (home / ".cache").symlink_to("disk")
    os.chown(home / ".cache", SOMEBODY, -1, follow_symlinks=False)
    check_refused(r"\.cache belongs to")


@as_root
def test_a_link_into_a_folder_of_another_user(home: Path) -> None:
    theirs = home.parent / "theirs"
    (theirs / "glnzip" / "kernels").mkdir(parents=True)
    os.chown(theirs, SOMEBODY, -1)
    (home / ".cache").symlink_to(theirs)
    check_refused("theirs belongs to")


def test_links_in_a_circle(home: Path) -> None:
    (home / ".cache").symlink_to(".cache")
    with pytest.raises(OSError, match="symbolic links"):
        open_folder("kernels", make=True)


def test_a_folder_that_is_exchanged_later_is_still_the_one_that_was_checked(home: Path) -> None:
    folder = open_folder("kernels", make=True)
    folder.write("file", b"mine")
    real = home / ".cache" / "glnzip" / "kernels"
    real.rename(home / "moved")
    real.mkdir()
    open_folder("kernels").write("file", b"theirs")
    assert folder.read("file") == b"mine"
    folder.write("another", b"mine")
    assert os.listdir(real) == ["file"]


def make_writable(path: Path) -> None:
    path.chmod(0o666)


def make_a_link(path: Path) -> None:
    path.rename(path.with_name("other"))
    path.symlink_to("other")


def make_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def give_away(path: Path) -> None:
    os.chown(path, SOMEBODY, -1)


@pytest.mark.parametrize(
    "change",
    [make_writable, make_a_link, make_a_folder, pytest.param(give_away, marks=as_root)],
)
def test_a_file_that_others_can_have_written(home: Path, change: Callable[[Path], None]) -> None:
    folder = open_folder("kernels", make=True)
    folder.write("file", b"content")
    assert folder.read("file") == b"content"
    change(home / ".cache" / "glnzip" / "kernels" / "file")
    assert folder.read("file") is None
