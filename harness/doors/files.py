"""Files for people in the state directory: patches that were kept, transcripts."""

from __future__ import annotations

from typing import Protocol


class Files(Protocol):
    """Text files that the harness leaves for a person."""

    def keep(self, name: str, text: str) -> str:
        """Write a file (mode 0600) and say where it lies; the same name is replaced."""
        ...
