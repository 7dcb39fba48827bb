"""Folders that are ours alone: no other user of the machine finds anything in them.

The sandbox's user needs no way through: bubblewrap has bound what it shows before a command becomes
that user (tests/edges/workbench tries it).
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.errors import ConfigError, DoorError

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OURS = frozenset({
    "store.db", "locks", "log", "git", "scratch", "builds", "transcripts", "patches", "marker.key",
    "outbox.lock",
})  # fmt: skip


def make_folder(path: Path) -> None:
    """Make a folder and all that lead to it, each private; what is there stays as it is."""
    missing = [one for one in (path, *path.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def told_as(error: type[DoorError], path: Path) -> Iterator[None]:
    """A disk that is full or takes nothing is the world's failure, said with the path."""
    try:
        yield
    except OSError as cause:
        why = cause.strerror or cause
        raise error(f"{path} cannot be used: {why}") from cause


def open_state(path: Path) -> None:
    """Make the state directory, or take other users' rights to one of ours.

    ConfigError where it cannot be ours alone: it is shared, or holds other things.
    """
    try:
        make_folder(path)
        found = {one.name for one in path.iterdir()}
        if "store.db" not in found and not found <= _OURS:
            raise ConfigError(f"the state directory {path} holds other things: {_NAME}")
        if path.stat().st_mode & stat.S_ISVTX:
            raise ConfigError(f"the state directory {path} is shared by all users: {_NAME}")
        for one in (path, *path.iterdir()):
            _tighten(one)
    except OSError as error:
        why = error.strerror or error
        raise ConfigError(f"the state directory {path} cannot be used ({why}): {_NAME}") from error


_NAME = "name a folder of its own in [paths] state"


def _tighten(path: Path) -> None:
    """A file that another process removes meanwhile is no trouble."""
    try:
        mode = path.lstat().st_mode
        if mode & _OTHERS and not stat.S_ISLNK(mode):
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
    except FileNotFoundError:
        return
