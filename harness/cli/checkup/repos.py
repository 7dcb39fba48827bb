"""Each repository as its token, or its App, sees it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

from harness.cli.checkup.looks import State, Told, look, tell, why
from harness.edges.git.mirror import Mirror
from harness.edges.github.app import AppToken
from harness.errors import AccessLost, ConfigError, DoorError, ForgeError
from harness.facts.forge import Permission, Repo
from harness.facts.looking import Look
from harness.facts.settings import RepoSettings
from harness.rules.app_permissions import lacks
from harness.wiring import Forge, House, open_forge


def look_at_repos(house: House, repos: tuple[RepoSettings, ...]) -> Iterator[Look]:
    """One after the other; once GitHub is out of reach it is not asked again."""
    reached = True
    for repo in repos:
        if not reached:
            yield tell(repo.name, "access", "failed", "not asked: GitHub is out of reach")
            continue
        with ExitStack() as ending:
            try:
                store = house.open_store()
                ending.callback(store.close)
                forge = open_forge(house, repo, store, None, ending)
                told = forge.reading.repo()
            except (ConfigError, DoorError) as error:
                yield tell(repo.name, "access", *why(error))
                reached = not (isinstance(error, ForgeError) and error.reason == "unreachable")
                continue
            yield look(repo.name, "access", partial(_access, told))
            yield from _inside(forge, told, repo)


def _inside(forge: Forge, told: Repo, repo: RepoSettings) -> Iterator[Look]:
    base = repo.base or told.default_branch
    if forge.app is not None:
        yield from _installation(forge.app, repo.name)
    else:
        login = look(repo.name, "login", partial(_login, forge, told))
        yield login
        if login.state == "ok":
            yield from _limits(forge, repo.name)
    yield look(repo.name, "mirror", partial(_mirror, forge.trees.mirror))
    yield look(repo.name, "base", partial(_base, forge, base))
    yield look(repo.name, "protection", partial(_protection, forge, base))
    yield look(repo.name, "merge", partial(_merge, told, repo))
    yield look(repo.name, "check", partial(_check, repo))
    if repo.documents:
        yield look(repo.name, "documents", partial(_documents, forge, base, repo.documents))
    if repo.loop.escalate_to:
        yield look(repo.name, "people", partial(_people, forge, repo.loop.escalate_to))
    if repo.check and not repo.junit:
        yield tell(repo.name, "junit", "note", _NO_JUNIT)


_NO_JUNIT = (
    "junit is not set: while the check is red on the base, a change that breaks more tests cannot "
    "be told from one that does not, and nothing merges by itself"
)


def _access(told: Repo) -> Told:
    if told.archived:
        return "mend", f"{told.slug} is archived: nothing can be written there"
    return "ok", f"{told.slug}, {'private' if told.private else 'public'}"


def _login(forge: Forge, told: Repo) -> Told:
    me = forge.reading.whoami().login
    permission = _permission(forge, me)
    if permission and permission.may_write:
        return "ok", f"{me} has {permission.value} access"
    has = f"has {permission.value} access" if permission else "has no write access"
    return "mend", f"{me} {has} to {told.slug}: give it write access"


def _installation(app: AppToken, area: str) -> Iterator[Look]:
    """An App may do what its installation was given; what is missing is to be mended or noted."""
    try:
        missing = lacks(app.permissions())
        yield tell(area, "login", "ok", f"{app.bot()} is installed on {area}")
    except DoorError as error:
        yield tell(area, "login", *why(error))
        return
    for lack in missing:
        yield tell(area, "app", "mend" if lack.needed else "note", lack.text)


def _permission(forge: Forge, login: str) -> Permission | None:
    """What we may do; None where we may not even ask, which takes push access on GitHub."""
    try:
        return forge.reading.permission(login)
    except AccessLost:
        return None


def _limits(forge: Forge, area: str) -> Iterator[Look]:
    try:
        for sentence in forge.reading.scopes():
            yield tell(area, "token", "note", sentence)
    except ForgeError as error:
        yield tell(area, "token", *why(error))


def _base(forge: Forge, base: str) -> Told:
    tip = forge.trees.remote_tip(base)
    if tip:
        return "ok", f"{base} is at {tip[:12]}, git reaches it"
    return "mend", f"there is no branch {base}: name one as `base`"


def _mirror(mirror: Mirror) -> Told:
    """It is a copy, but for commits that were not pushed yet."""
    damage = mirror.damage()
    if damage:
        return "note", (
            f"{mirror.path} is damaged ({damage}): the next run sets it aside, fetches anew and "
            "asks again for what was not pushed"
        )
    if aside := mirror.set_aside():
        told = ", ".join(str(path) for path in aside)
        return "note", f"{told}: damaged and replaced; remove it when you miss nothing in it"
    return "ok", str(mirror.path) if mirror.path.is_dir() else "nothing is fetched yet"


def _protection(forge: Forge, base: str) -> Told:
    if forge.reading.is_protected(base):
        return "ok", f"{base} is protected"
    return "note", f"{base} is not protected on GitHub; the harness never pushes to it anyway"


def _merge(told: Repo, repo: RepoSettings) -> Told:
    method = repo.loop.merge
    allowed = {"squash": told.allow_squash, "merge": told.allow_merge, "rebase": told.allow_rebase}
    if allowed[method]:
        how = "it merges by itself" if repo.loop.auto_merge else "only people merge"
        return "ok", f"{method} is allowed; {how}"
    others = ", ".join(name for name, is_allowed in allowed.items() if is_allowed) or "nothing"
    state: State = "mend" if repo.loop.auto_merge else "note"
    return state, f"{told.slug} does not allow {method} (allowed: {others}): set [loop] merge"


def _documents(forge: Forge, base: str, documents: tuple[str, ...]) -> Told:
    """What stands in the base, which is fetched for it as the next run would."""
    forge.trees.sync()
    tip = forge.trees.tip(base)
    missing = [path for path in documents if not tip or forge.trees.read(tip, path) is None]
    if missing:
        return "mend", f"{base} has no {', '.join(missing)}, which `documents` names"
    return "ok", ", ".join(documents)


def _people(forge: Forge, logins: tuple[str, ...]) -> Told:
    """GitHub assigns nobody who may not see the repository, and of strangers not everybody."""
    may = {login: forge.reading.permission(login) for login in logins}
    unknown = [login for login, permission in may.items() if permission is Permission.NONE]
    if unknown:
        return "mend", f"there is no {', '.join(unknown)}, whom [loop] escalate_to names"
    strangers = [login for login, permission in may.items() if not permission.may_write]
    if strangers:
        told = ", ".join(strangers)
        return "note", f"{told} has no write access: GitHub may refuse to assign an item to them"
    return "ok", f"{', '.join(logins)} can be called"


def _check(repo: RepoSettings) -> Told:
    if repo.check:
        return "ok", repo.check
    return "note", "no check is configured: changes are reviewed, and nothing merges by itself"
