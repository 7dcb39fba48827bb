"""The places of a bench on the host: how much disk it takes, what is kept of it, how it goes."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from harness.edges.private import make_folder, told_as
from harness.errors import WorkbenchError

_FLOOR = 64_000_000  # bytes of free disk below which commands are stopped whatever they wrote
MOST_FILES = 2_000_000  # files a command may make: a disk is full without a free inode, too
_HIDDEN = 4  # limits by which the free space may fall before it counts by itself


def watch_disk(places: tuple[Path, ...], limit: int) -> Callable[[], bool]:
    """Whether a command wrote more than `limit` bytes since now, or filled the disk.

    The free space is a cheap first sign; others write too, so what these places took in is added up
    before anything is stopped. A file that was deleted while open hides from that, so that a fall
    of several limits counts by itself.
    """
    start, began = _free(places[0]), time.time()
    inodes = _free_files(places[0])

    def passed() -> bool:
        if inodes - _free_files(places[0]) > MOST_FILES:
            return True
        free = _free(places[0])
        fallen = start - free
        if free < _FLOOR and free < start:
            return True
        if fallen <= limit:
            return False
        return fallen > _HIDDEN * limit or sum(map(written, places)) > limit

    def written(place: Path) -> int:
        return sum(one.st_blocks * 512 for one in _files(place) if one.st_ctime >= began - 1)

    return passed


def _files(place: Path) -> Iterator[os.stat_result]:
    """All files below a folder; what vanishes meanwhile is left out."""
    for folder, _, names in os.walk(place):
        for name in names:
            with contextlib.suppress(OSError):
                yield os.lstat(os.path.join(folder, name))  # noqa: PTH118 - names that are no text


def _free(where: Path) -> int:
    stat = os.statvfs(where)
    return stat.f_bavail * stat.f_frsize


def _free_files(where: Path) -> int:
    return os.statvfs(where).f_favail


def clear_work(scratch: Path) -> None:
    """Overlays want an empty work directory each time they are mounted."""
    for name in ("work", "home-work"):
        shutil.rmtree(scratch / name / "work", ignore_errors=True)


def keep_layer(place: Path, into: Path) -> None:
    """Move what a setup command wrote to its layer, whole or not at all."""
    fresh = into.with_name(f"{into.name}.new-{place.name}")
    with told_as(WorkbenchError, fresh):
        make_folder(fresh)
        shutil.move(place / "up", fresh / "tree")
        shutil.move(place / "home", fresh / "home")
    with contextlib.suppress(OSError):
        fresh.rename(into)
    remove_place(fresh)


def remove_place(place: Path) -> None:
    """Remove a place even where a command took away our right to."""

    def allow(_function: Callable[..., object], name: str, _error: object) -> None:
        path = Path(name)
        with contextlib.suppress(OSError):
            path.parent.chmod(0o700)
            if path.is_symlink() or not path.is_dir():
                path.unlink()
                return
            path.chmod(0o700)
            shutil.rmtree(path, ignore_errors=True)

    shutil.rmtree(place, onerror=allow)
