"""Files for people, under the state directory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from harness.edges.private import make_folder, told_as
from harness.errors import StoreError


@dataclass(frozen=True)
class StateFiles:
    """Satisfies `doors.files.Files`."""

    root: Path

    def keep(self, name: str, text: str) -> str:
        """Write whole or not at all."""
        path = self.root / name
        with told_as(StoreError, path):
            make_folder(path.parent)
            fresh = path.with_name(f".{path.name}.{os.getpid()}")
            fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(fd, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text)
            fresh.replace(path)
        return str(path)

    def kept(self, folder: str) -> tuple[tuple[str, datetime], ...]:
        """Half-written files of killed processes too; what is no file is left out."""
        place = self.root / folder
        paths = sorted(path for path in place.glob("*") if path.is_file())
        return tuple(
            (f"{folder}/{path.name}", datetime.fromtimestamp(path.stat().st_mtime, UTC))
            for path in paths
        )

    def drop(self, name: str) -> None:
        """Remove one file."""
        with told_as(StoreError, self.root / name):
            (self.root / name).unlink(missing_ok=True)
