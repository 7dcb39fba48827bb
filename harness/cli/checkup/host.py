"""Linux, Python, git, the state directory, the store, the sandbox, the notify command."""

from __future__ import annotations

import platform
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial

from harness.cli.checkup.looks import Told, look
from harness.edges.git.command import Git, check_git
from harness.facts.looking import Look
from harness.facts.settings import RepoSettings
from harness.wiring import House

OLDEST_GIT = (2, 38)  # merge-tree --write-tree


def look_at_host(house: House, repo: RepoSettings) -> Iterator[Look]:
    """All of it; the sandbox is tried out with the limits of one repository."""
    yield look("host", "system", _system)
    yield look("host", "python", lambda: ("ok", platform.python_version()))
    yield look("host", "git", partial(_git, house))
    yield look("host", "state", partial(_state, house))
    yield look("host", "store", partial(_store, house))
    yield look("host", "sandbox", partial(_sandbox, house, repo))
    if house.settings.notify.command:
        yield look("host", "notify", partial(_notify, house.settings.notify.command[0]))


def _system() -> Told:
    system = platform.system()
    if system == "Linux":
        return "ok", system
    return "mend", f"{system}: commands run in a Linux sandbox; use a Linux host"


def _git(house: House) -> Told:
    check_git(house.environ)
    said = Git(house.environ, ("https",)).run("version").out.decode()
    version = said.split()[2]
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST_GIT:
        return "mend", f"git {version} is too old: install 2.38 or newer"
    return "ok", version


def _state(house: House) -> Told:
    with tempfile.TemporaryFile(dir=house.state):
        return "ok", f"{house.state} can be written"


def _store(house: House) -> Told:
    house.open_store().close()
    return "ok", "it opens, and is of this version"


def _sandbox(house: House, repo: RepoSettings) -> Told:
    bench = house.workbench(repo, ())
    missing = bench.probe()
    if missing:
        return "mend", f"{missing} (or [sandbox] kind)"
    return "note" if house.settings.sandbox.kind == "none" else "ok", bench.describe()


def _notify(program: str) -> Told:
    if shutil.which(program):
        return "ok", program
    return "mend", f"[notify] command: there is no program {program}"
