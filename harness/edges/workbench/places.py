"""The places of a bench on the host: how much disk it takes, what is kept of it, how it goes."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

_FLOOR = 64_000_000  # bytes of free disk below which commands are stopped whatever they wrote


def watch_disk(where: Path, limit: int) -> Callable[[], bool]:
    """Whether the disk shrank by more than `limit` since now, or is nearly full."""
    start = _free(where)

    def passed() -> bool:
        free = _free(where)
        return start - free > limit or (free < _FLOOR and free < start)

    return passed


def _free(where: Path) -> int:
    stat = os.statvfs(where)
    return stat.f_bavail * stat.f_frsize


def clear_work(scratch: Path) -> None:
    """Overlays want an empty work directory each time they are mounted."""
    for name in ("work", "home-work"):
        shutil.rmtree(scratch / name / "work", ignore_errors=True)


def keep_layer(place: Path, into: Path) -> None:
    """Move what a setup command wrote to its layer, whole or not at all."""
    fresh = into.with_name(f"{into.name}.new-{place.name}")
    fresh.mkdir(parents=True)
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
