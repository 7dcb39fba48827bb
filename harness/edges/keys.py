"""The key of hidden markers: from the environment, or made once in the state directory."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

from harness.edges.private import told_as
from harness.errors import StoreError

VARIABLE = "HARNESS_MARKER_KEY"


def read_marker_key(state: Path, environ: Mapping[str, str]) -> bytes:
    """The key; never in a work tree, never in the store."""
    given = environ.get(VARIABLE, "")
    if given:
        return given.encode()
    path = state / "marker.key"
    with told_as(StoreError, path):
        with contextlib.suppress(FileExistsError):
            _make(path)
        return path.read_bytes()


def _make(path: Path) -> None:
    """Whole or not at all: a process or thread that starts at the same time reads the same key."""
    fd, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(secrets.token_hex(32).encode())
        path.hardlink_to(fresh)
    finally:
        Path(fresh).unlink()
