"""Linux, Python, git, the state directory, the store, the sandbox, the notify command."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from harness.cli.checkup.looks import Told, look
from harness.edges.git.command import Git, check_git
from harness.edges.git.signing import try_signing
from harness.edges.notifying import missing_program
from harness.edges.workbench.showing import is_open
from harness.errors import GitError
from harness.facts.author import read_author
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
    if house.settings.sandbox.paths:
        yield look("host", "paths", partial(_paths, house))
    if house.settings.commit.sign:
        yield look("host", "signing", partial(_signing, house))
    if house.settings.notify.command:
        yield look("host", "notify", partial(_notify, house.settings.notify.command))


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
    with closing(house.open_store()) as store:
        damage = store.damage()
    if damage:
        path = house.state / "store.db"
        return "mend", (
            f"{path} is damaged ({damage}): put a backup of it back; without one move it away, "
            "then what was spent, settled and written so far is forgotten"
        )
    return "ok", "it is whole, and of this version"


def _sandbox(house: House, repo: RepoSettings) -> Told:
    bench = house.workbench(repo, ())
    missing = bench.probe()
    if missing:
        return "mend", f"{missing} (or [sandbox] kind)"
    return "note" if house.settings.sandbox.kind == "none" else "ok", bench.describe()


def _paths(house: House) -> Told:
    house.check_paths()
    paths = house.settings.sandbox.paths
    missing = [one for one in paths if not is_open(str(Path(one).resolve()))]
    if missing:
        told = ", ".join(missing)
        verb = "is no folder" if len(missing) == 1 else "are no folders"
        return "mend", f"[sandbox] paths: {told} {verb} that can be read"
    return "ok", ", ".join(paths)


def _signing(house: House) -> Told:
    try:
        try_signing(house.environ, read_author(house.settings.commit.author))
    except GitError as error:
        return "mend", f"[commit] sign: {error}; see user.signingkey of your own git configuration"
    return "ok", "a commit can be signed"


def _notify(command: tuple[str, ...]) -> Told:
    missing = missing_program(command)
    if missing:
        return "mend", f"[notify] command: there is no program {missing}"
    return "ok", command[0]
