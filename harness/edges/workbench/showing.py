"""What of the host a command sees beside its tree: toolchains, and nothing that is private to us.

As an ordinary user the command has our own uid inside, so that the mode of a file hides nothing
from it: what is private is not shown, or covered by an empty folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

OPT = "/opt"
_PARTS = ("bin", "include", "lib", "lib64", "pyvenv.cfg", "share")
"""Of a virtual environment: what else lies in its folder, or it in theirs, is nobody's tool."""


def toolchains(configured: tuple[str, ...]) -> tuple[str, ...]:
    """Read-only paths to show: what the operator names, the running Python, /opt."""
    wanted = [*configured, *_python(), *_opt()]
    shown: list[str] = []
    for path in wanted:
        real = str(Path(path).resolve())
        if real not in {"/", "/usr", *shown} and not real.startswith("/usr/") and is_open(real):
            shown.append(real)
    return tuple(shown)


def covers(shown: tuple[str, ...], private: tuple[str, ...]) -> tuple[str, ...]:
    """The private folders that lie in what is shown, the outer ones first."""
    real = {str(Path(path).resolve()) for path in private}
    return tuple(sorted(one for one in real if any(_holds(path, one) for path in shown)))


def search_path(configured: tuple[str, ...]) -> str:
    """PATH inside: what the operator names and the running Python first, then the system's."""
    wanted = [Path(one).resolve() / "bin" for one in (*configured, sys.prefix, sys.base_prefix)]
    bins = dict.fromkeys(str(one) for one in wanted if is_open(str(one)))
    return ":".join([*bins, "/usr/local/bin", "/usr/bin", "/bin"])


def is_open(path: str) -> bool:
    """Whether we ourselves may look into it (another user's home may not be)."""
    wanted = os.R_OK | os.X_OK if os.path.isdir(path) else os.R_OK  # noqa: PTH112 - never raises
    return os.access(path, wanted)


def _python() -> list[str]:
    if sys.prefix == sys.base_prefix:
        return [sys.prefix]
    return [*(f"{sys.prefix}/{part}" for part in _PARTS), sys.base_prefix]


def _opt() -> list[str]:
    """As an ordinary user only what others have put there: what is ours need not be a tool."""
    if os.geteuid() == 0 or not is_open(OPT):
        return [OPT]
    return [str(one) for one in sorted(Path(OPT).iterdir()) if one.lstat().st_uid != os.geteuid()]


def _holds(path: str, private: str) -> bool:
    return private == path or private.startswith(f"{path}/")
