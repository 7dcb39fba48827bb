"""Issues: listing, filing, editing."""

from __future__ import annotations

from harness.rehearsal.github import deeds
from harness.rehearsal.github.answers import Answer, Json, Listing, forbidden, invalid
from harness.rehearsal.github.call import Call, Route, created, ok
from harness.rehearsal.github.rows import (
    ROLES,
    Item,
    Repository,
)
from harness.rehearsal.github.shown.items import show_issue

TITLE = 256  # characters GitHub takes


def list_issues(call: Call) -> Listing:
    """GET ~/issues: pull requests are issues too."""
    repository = call.repository()
    state = call.query.get("state", "open")
    creator = call.query.get("creator", "").casefold()
    labels = [name.casefold() for name in call.query.get("labels", "").split(",") if name]
    since = call.since()
    rows = [
        item
        for item in repository.items.values()
        if not item.gone
        and not item.moved_to
        and state in {"all", item.state}
        and (not creator or (item.author is not None and item.author.login.casefold() == creator))
        and (since is None or item.updated_at >= since)
        and set(labels) <= {name.casefold() for name in item.labels}
    ]
    key = call.query.get("sort", "created")
    newest_first = call.query.get("direction", "desc") == "desc"
    rows.sort(key=lambda item: (_sort_key(item, key), item.number), reverse=newest_first)
    return Listing(
        rows, lambda item: show_issue(call.forge, repository, item), lambda item: item.created_at
    )


def _sort_key(item: Item, key: str) -> float:
    if key == "comments":
        return len(item.comments)
    return (item.updated_at if key == "updated" else item.created_at).timestamp()


def create_issue(call: Call) -> Answer:
    """POST ~/issues; labels and assignees count only from who may triage."""
    repository = call.repository()
    author = call.user
    title = call.text("title", "Issue", TITLE)
    body = call.short(call.given("body") or "", "Issue", "body")
    item = deeds.open_issue(call.forge, repository, author, title, body)
    if _may_triage(call, repository):
        for name in call.given("labels") or []:
            deeds.put_label(call.forge, repository, item, author, name)
        for login in call.given("assignees") or []:
            deeds.assign(call.forge, repository, item, author, login)
    return created(show_issue(call.forge, repository, item))


def _may_triage(call: Call, repository: Repository) -> bool:
    role = call.forge.role(repository, call.account)
    return ROLES.index(role) >= ROLES.index("triage")


def show_one(call: Call) -> Answer:
    """GET ~/issues/{n}."""
    repository = call.repository()
    return ok(whole(call, repository, call.item(repository)))


def whole(call: Call, repository: Repository, item: Item) -> Json:
    """`issue`, as the asker sees it."""
    return show_issue(call.forge, repository, item)


def edit_issue(call: Call) -> Answer:
    """PATCH ~/issues/{n}."""
    repository = call.repository()
    item, actor = call.item(repository), call.user
    if item.author is not actor and not _may_triage(call, repository):
        raise forbidden()
    if call.given("title") is not None:
        deeds.rename(call.forge, item, actor, call.text("title", "Issue", TITLE))
    if "body" in call.body:
        item.body = call.short(call.given("body") or "", "Issue", "body")
        item.edited_at = call.forge.stamp
        item.updated_at = call.forge.stamp
    state = call.given("state")
    if state is not None:
        if state not in {"open", "closed"}:
            raise invalid("Issue", "invalid", "state")
        deeds.set_state(call.forge, item, actor, state, call.given("state_reason"))
    if call.given("labels") is not None:
        deeds.set_labels(call.forge, repository, item, actor, call.given("labels"))
    return ok(whole(call, repository, item))


ISSUE = "/repos/{owner}/{repo}/issues"
ROUTES: tuple[Route, ...] = (
    ("GET", ISSUE, list_issues),
    ("POST", ISSUE, create_issue),
    ("GET", f"{ISSUE}/{{issue_number}}", show_one),
    ("PATCH", f"{ISSUE}/{{issue_number}}", edit_issue),
)
