"""Lock files that say who lives: the kernel frees a `flock` when its process ends, however it ends.

A file is removed by whoever holds it, while holding it; so after taking one we look whether the
name still leads to it, else another taker could hold a file of the same name at the same time.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

from harness.edges.private import make_folder, told_as
from harness.errors import StoreError

OPENING = "opening"  # held while the file is made or migrated; whoever wants it waits
PAUSE = 0.02  # seconds between two looks at a lock that is held


class Locks:
    """The lock files of one store connection; `owner` is its name for leases and reserves."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[str, int] = {}
        self.owner = uuid4().hex

    def take(self, name: str) -> bool:
        """Hold this lock, or False while anybody else does (or we do already)."""
        if name in self._held:
            return False
        while True:
            taken = self._try(name)
            if taken is not None:
                return taken

    def wait_for(self, name: str, seconds: float) -> None:
        """Hold this lock as soon as it is free; StoreError after so many seconds."""
        until = time.monotonic() + seconds
        while not self.take(name):
            if time.monotonic() > until:
                raise StoreError(f"another process has held {self._path(name)} for {seconds:.0f} s")
            time.sleep(PAUSE)

    def drop(self, name: str) -> None:
        """Let go; nothing happens when we do not hold it."""
        handle = self._held.pop(name, None)
        if handle is not None:
            if _leads_to(self._path(name), handle):
                self._path(name).unlink(missing_ok=True)
            os.close(handle)

    def drop_all(self) -> None:
        """Let go of everything."""
        for name in tuple(self._held):
            self.drop(name)

    def stand_up(self) -> None:
        """Be seen to live, from now until everything is dropped."""
        if self._own(self.owner) not in self._held:
            self.wait_for(self._own(self.owner), 10)

    def lives(self, owner: str) -> bool:
        """Whether this owner's process still runs and has not closed its store."""
        if self._own(owner) in self._held:
            return True
        return self._is_held(self._path(self._own(owner)))

    def sweep(self) -> None:
        """Remove what owners left that were killed, and who opened the store for the first time."""
        for path in (*self._folder.glob("owner-*.lock"), *self._folder.glob(f"{OPENING}.lock")):
            name = path.name.removesuffix(".lock")
            if name not in self._held and self.take(name):
                self.drop(name)

    def _try(self, name: str) -> bool | None:
        """None when the file went away under us."""
        path = self._path(name)
        with told_as(StoreError, path):
            make_folder(self._folder)
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        if not _leads_to(path, handle):
            os.close(handle)
            return None
        self._held[name] = handle
        return True

    @staticmethod
    def _is_held(path: Path) -> bool:
        try:
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            return False
        finally:
            os.close(handle)

    @staticmethod
    def _own(owner: str) -> str:
        return f"owner-{owner}"

    def _path(self, name: str) -> Path:
        return self._folder / f"{quote(name, safe=':')}.lock"


def _leads_to(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
