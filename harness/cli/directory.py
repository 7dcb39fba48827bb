"""A directory of its own that the caller names: made, or taken when it is empty."""

from __future__ import annotations

import tempfile
from pathlib import Path

from harness.errors import ConfigError


def take_directory(named: str) -> Path:
    """Where it is. ConfigError for what is no directory, holds something, or cannot be written."""
    path = Path(named).absolute()
    if not str(path).isprintable():
        raise ConfigError("--directory has a character in its path that cannot be written down")
    try:
        path.mkdir(parents=True, exist_ok=True)
        held = sorted(one.name for one in path.iterdir())
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise ConfigError(f"--directory {path} cannot be used: {error.strerror}") from None
    if held:
        raise ConfigError(
            f"--directory {path} is not empty (it holds {held[0]}), and a rehearsal goes on with "
            "nothing: name a new one, or remove it"
        )
    return path
