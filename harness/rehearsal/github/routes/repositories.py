"""Accounts, repositories, branches, refs, permissions."""

from __future__ import annotations

from harness.rehearsal.github.answers import Answer, Listing, Refusal, forbidden, not_found
from harness.rehearsal.github.call import Call, Route, ok
from harness.rehearsal.github.rows import Guard
from harness.rehearsal.github.shown.addresses import api_of, page_of
from harness.rehearsal.github.shown.history import show_commit
from harness.rehearsal.github.shown.people import show_permission, show_profile
from harness.rehearsal.github.shown.repositories import (
    show_protection,
    show_ref,
    show_repository,
    show_rules,
)


def show_me(call: Call) -> Answer:
    """GET /user; an App's token has no user behind it."""
    if call.user.kind == "Bot":
        raise forbidden("Resource not accessible by integration")
    return ok(show_profile(call.forge, call.user))


def show_user(call: Call) -> Answer:
    """GET /users/{username}."""
    found = call.forge.account(call.path["username"])
    if found is None:
        raise not_found()
    return ok(show_profile(call.forge, found))


def show_one(call: Call) -> Answer:
    """GET ~."""
    return ok(show_repository(call.forge, call.repository(), call.account))


def list_mine(call: Call) -> Listing:
    """GET /user/repos."""
    mine = [
        one
        for one in call.forge.repositories.values()
        if call.user.login.casefold() in one.roles and call.forge.role(one, call.user) != "none"
    ]
    return Listing(mine, lambda one: show_repository(call.forge, one, call.account))


def list_of_owner(call: Call) -> Listing:
    """GET /users/{username}/repos and GET /orgs/{org}/repos."""
    owner = (call.path.get("username") or call.path["org"]).casefold()
    rows = [
        one
        for one in call.forge.repositories.values()
        if one.owner.login.casefold() == owner and call.forge.role(one, call.account) != "none"
    ]
    return Listing(rows, lambda one: show_repository(call.forge, one, call.account))


def show_collaborator(call: Call) -> Answer:
    """GET ~/collaborators/{username}/permission; asking needs write access itself."""
    repository = call.repository("write")
    found = call.forge.account(call.path["username"])
    if found is None:
        raise not_found()
    return ok(show_permission(call.forge, repository, found))


def show_branch(call: Call) -> Answer:
    """GET ~/branches/{branch}."""
    repository, name = call.repository(), call.path["branch"]
    tip = repository.bare.tip(name)
    if not tip:
        raise Refusal(404, "Branch not found")
    base = call.forge.base
    guard = repository.guards.get(name)
    url = api_of(base, repository, f"/branches/{name}")
    protection = show_protection(base, repository, name, guard)
    return ok(
        {
            "name": name,
            "commit": show_commit(base, repository, tip),
            "_links": {"self": url, "html": page_of(base, repository, f"/tree/{name}")},
            "protected": guard is not None,
            "protection": protection,
            "protection_url": protection["url"],
        }
    )


def list_branches(call: Call) -> Listing:
    """GET ~/branches."""
    repository, base = call.repository(), call.forge.base
    rows = sorted(repository.bare.branches().items())

    def show(row: tuple[str, str]) -> dict[str, object]:
        name, sha = row
        commit = {"sha": sha, "url": api_of(base, repository, f"/commits/{sha}")}
        return {"name": name, "commit": commit, "protected": name in repository.guards}

    return Listing(rows, show)


def show_guard(call: Call) -> Answer:
    """GET ~/branches/{branch}/protection (needs to be asked by an admin)."""
    repository = call.repository("admin")
    guard = repository.guards.get(call.path["branch"])
    if guard is None or guard.by_rules:
        raise Refusal(404, "Branch not protected")
    shown = show_protection(call.forge.base, repository, call.path["branch"], guard)
    return ok({"url": shown["url"], "required_status_checks": shown["required_status_checks"]})


def list_rules(call: Call) -> Answer:
    """GET ~/rules/branches/{branch}."""
    repository = call.repository()
    guard: Guard | None = repository.guards.get(call.path["branch"])
    return ok(show_rules(repository, guard))


def show_git_ref(call: Call) -> Answer:
    """GET ~/git/ref/{ref}."""
    repository = call.repository()
    ref = f"refs/{call.path['ref']}"
    sha = repository.bare.refs().get(ref)
    if sha is None:
        raise not_found()
    return ok(show_ref(call.forge.base, repository, ref, sha))


def list_matching_refs(call: Call) -> Answer:
    """GET ~/git/matching-refs/{ref}."""
    repository = call.repository()
    start = f"refs/{call.path['ref']}"
    refs = sorted(repository.bare.refs().items())
    found = [pair for pair in refs if pair[0].startswith(start)]
    return ok([show_ref(call.forge.base, repository, *pair) for pair in found])


def show_limits(call: Call) -> Answer:
    """GET /rate_limit."""
    reset = int(call.forge.now.timestamp()) + 3600
    one = {"limit": 5000, "remaining": 5000, "reset": reset, "used": 0}
    return ok({"resources": {"core": one, "search": one | {"limit": 30}}, "rate": one})


ROUTES: tuple[Route, ...] = (
    ("GET", "/user", show_me),
    ("GET", "/user/repos", list_mine),
    ("GET", "/users/{username}", show_user),
    ("GET", "/users/{username}/repos", list_of_owner),
    ("GET", "/orgs/{org}/repos", list_of_owner),
    ("GET", "/rate_limit", show_limits),
    ("GET", "/repos/{owner}/{repo}", show_one),
    ("GET", "/repos/{owner}/{repo}/collaborators/{username}/permission", show_collaborator),
    ("GET", "/repos/{owner}/{repo}/branches", list_branches),
    ("GET", "/repos/{owner}/{repo}/branches/{branch*}/protection", show_guard),
    ("GET", "/repos/{owner}/{repo}/branches/{branch*}", show_branch),
    ("GET", "/repos/{owner}/{repo}/rules/branches/{branch*}", list_rules),
    ("GET", "/repos/{owner}/{repo}/git/ref/{ref*}", show_git_ref),
    ("GET", "/repos/{owner}/{repo}/git/matching-refs/{ref*}", list_matching_refs),
)
