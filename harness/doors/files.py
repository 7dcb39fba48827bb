"""Files for people in the state directory: patches that were kept, transcripts, logs."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Files(Protocol):
    """Text files that the harness leaves for a person."""

    def keep(self, name: str, text: str) -> str:
        """Write a file (mode 0600) and say where it lies; the same name is replaced."""
        ...

    def kept(self, folder: str) -> tuple[tuple[str, datetime], ...]:
        """(name, when it was last written) of the files in a folder, by name."""
        ...

    def drop(self, name: str) -> None:
        """Remove a file; one that is gone already is no error."""
        ...
