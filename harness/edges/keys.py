"""The key of hidden markers: from the environment, or made once in the state directory."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "HARNESS_MARKER_KEY"


def read_marker_key(state: Path, environ: Mapping[str, str]) -> bytes:
    """The key; never in a work tree, never in the store."""
    given = environ.get(VARIABLE, "")
    if given:
        return given.encode()
    path = state / "marker.key"
    with contextlib.suppress(FileExistsError):
        _make(path)
    return path.read_bytes()


def _make(path: Path) -> None:
    """Whole or not at all: a process that starts at the same time reads the same key."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(secrets.token_hex(32).encode())
    try:
        path.hardlink_to(fresh)
    finally:
        fresh.unlink()
