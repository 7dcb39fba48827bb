"""Issues, their comments, labels, assignees, reactions and timelines."""

from __future__ import annotations

from datetime import datetime

from harness.rehearsal.github import deeds
from harness.rehearsal.github.answers import Answer, Json, Listing, forbidden, invalid, not_found
from harness.rehearsal.github.call import NOTHING, Call, Route, created, ok
from harness.rehearsal.github.rows import (
    ROLES,
    Account,
    CommentRow,
    EventRow,
    Item,
    Repository,
    ReviewRow,
)
from harness.rehearsal.github.shown.history import show_event, show_happening
from harness.rehearsal.github.shown.items import show_issue
from harness.rehearsal.github.shown.people import REACTIONS, show_reaction
from harness.rehearsal.github.shown.repositories import show_label
from harness.rehearsal.github.shown.talk import show_comment

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
    return ok(_whole(call, repository, call.item(repository)))


def _whole(call: Call, repository: Repository, item: Item) -> Json:
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
        item.updated_at = call.forge.stamp
    state = call.given("state")
    if state is not None:
        if state not in {"open", "closed"}:
            raise invalid("Issue", "invalid", "state")
        deeds.set_state(call.forge, item, actor, state, call.given("state_reason"))
    if call.given("labels") is not None:
        _set_labels(call, repository, item, call.given("labels"))
    return ok(_whole(call, repository, item))


def _set_labels(call: Call, repository: Repository, item: Item, names: list[str]) -> None:
    wanted = {name.casefold() for name in names}
    for name in [one for one in item.labels if one.casefold() not in wanted]:
        deeds.take_label(call.forge, item, call.account, name)
    for name in names:
        deeds.put_label(call.forge, repository, item, call.account, name)


# -- comments ---------------------------------------------------------------------------------
def list_comments(call: Call) -> Listing:
    """GET ~/issues/{n}/comments, oldest first."""
    repository = call.repository()
    item = call.item(repository)
    since = call.since()
    rows = [row for row in item.comments if since is None or row.updated_at >= since]
    return Listing(
        rows,
        lambda row: show_comment(call.forge, repository, item, row),
        lambda row: row.created_at,
    )


def list_all_comments(call: Call) -> Listing:
    """GET ~/issues/comments."""
    repository = call.repository()
    since = call.since()
    rows = [
        (item, row)
        for item in repository.items.values()
        for row in item.comments
        if not item.gone and (since is None or row.updated_at >= since)
    ]
    rows.sort(key=lambda pair: pair[1].id)
    return Listing(
        rows,
        lambda pair: show_comment(call.forge, repository, *pair),
        lambda pair: pair[1].created_at,
    )


def create_comment(call: Call) -> Answer:
    """POST ~/issues/{n}/comments."""
    repository = call.repository()
    item, author = call.item(repository), call.user
    call.refuse_locked(repository, item)
    row = deeds.comment(call.forge, item, author, call.text("body", "IssueComment"))
    return created(show_comment(call.forge, repository, item, row))


def _find_comment(call: Call, repository: Repository) -> tuple[Item, CommentRow]:
    wanted = call.number("comment_id")
    for item in repository.items.values():
        for row in item.comments:
            if row.id == wanted and not item.gone:
                return item, row
    raise not_found()


def show_a_comment(call: Call) -> Answer:
    """GET ~/issues/comments/{id}."""
    repository = call.repository()
    return ok(show_comment(call.forge, repository, *_find_comment(call, repository)))


def edit_comment(call: Call) -> Answer:
    """PATCH ~/issues/comments/{id}: one's own, or with write access."""
    repository = call.repository()
    item, row = _find_comment(call, repository)
    _refuse_others(call, repository, row.author)
    row.body = call.text("body", "IssueComment")
    row.updated_at = item.updated_at = call.forge.stamp
    return ok(show_comment(call.forge, repository, item, row))


def delete_comment(call: Call) -> Answer:
    """DELETE ~/issues/comments/{id}."""
    repository = call.repository()
    item, row = _find_comment(call, repository)
    _refuse_others(call, repository, row.author)
    item.comments.remove(row)
    call.forge.happen(item, "comment_deleted", call.account)
    return NOTHING


def _refuse_others(call: Call, repository: Repository, author: Account | None) -> None:
    role = call.forge.role(repository, call.account)
    if author is not call.user and ROLES.index(role) < ROLES.index("write"):
        raise forbidden()


# -- labels, assignees ----------------------------------------------------------------------
def list_labels(call: Call) -> Listing:
    """GET ~/issues/{n}/labels."""
    repository = call.repository()
    item = call.item(repository)
    rows = [repository.labels[name] for name in item.labels if name in repository.labels]
    return Listing(rows, lambda row: show_label(call.forge.base, repository, row))


def add_labels(call: Call) -> Answer | Listing:
    """POST ~/issues/{n}/labels, an object or a bare list; missing labels are made."""
    repository = call.repository("triage")
    item = call.item(repository)
    for name in _label_names(call):
        deeds.put_label(call.forge, repository, item, call.user, name)
    return list_labels(call)


def set_labels(call: Call) -> Answer | Listing:
    """PUT ~/issues/{n}/labels."""
    repository = call.repository("triage")
    _set_labels(call, repository, call.item(repository), _label_names(call))
    return list_labels(call)


def _label_names(call: Call) -> list[str]:
    given = call.body if isinstance(call.body, list) else call.given("labels")
    if not isinstance(given, list):
        raise invalid("Label", "missing_field", "labels")
    return [one["name"] if isinstance(one, dict) else str(one) for one in given]


def remove_label(call: Call) -> Answer | Listing:
    """DELETE ~/issues/{n}/labels/{name}: 404 when it is not on the item."""
    repository = call.repository("triage")
    item = call.item(repository)
    if not deeds.take_label(call.forge, item, call.user, call.path["name"]):
        raise not_found("Label does not exist")
    return list_labels(call)


def list_repository_labels(call: Call) -> Listing:
    """GET ~/labels."""
    repository = call.repository()
    rows = sorted(repository.labels.values(), key=lambda row: row.name)
    return Listing(rows, lambda row: show_label(call.forge.base, repository, row))


def create_label(call: Call) -> Answer:
    """POST ~/labels."""
    repository = call.repository("triage")
    name = call.text("name", "Label", 50)
    color, text = call.given("color") or "ededed", call.given("description")
    row = deeds.make_label(call.forge, repository, name, color, text)
    return created(show_label(call.forge.base, repository, row))


def show_a_label(call: Call) -> Answer:
    """GET ~/labels/{name}."""
    repository = call.repository()
    row = deeds.find_label(repository, call.path["name"])
    if row is None:
        raise not_found()
    return ok(show_label(call.forge.base, repository, row))


def add_assignees(call: Call) -> Answer:
    """POST ~/issues/{n}/assignees."""
    repository = call.repository("triage")
    item = call.item(repository)
    for login in call.given("assignees") or []:
        deeds.assign(call.forge, repository, item, call.user, login)
    return created(_whole(call, repository, item))


def remove_assignees(call: Call) -> Answer:
    """DELETE ~/issues/{n}/assignees."""
    repository = call.repository("triage")
    item = call.item(repository)
    for login in call.given("assignees") or []:
        deeds.unassign(call.forge, item, call.user, login)
    return ok(_whole(call, repository, item))


# -- reactions, timeline -----------------------------------------------------------------------
def react_to_item(call: Call) -> Answer:
    """POST ~/issues/{n}/reactions: 200 when it was there already."""
    repository = call.repository()
    item = call.item(repository)
    call.refuse_locked(repository, item)
    row, new = deeds.react(call.forge, item.reactions, call.user, _reaction(call))
    return Answer(201 if new else 200, show_reaction(call.forge.base, row))


def react_to_comment(call: Call) -> Answer:
    """POST ~/issues/comments/{id}/reactions."""
    repository = call.repository()
    _, comment = _find_comment(call, repository)
    row, new = deeds.react(call.forge, comment.reactions, call.user, _reaction(call))
    return Answer(201 if new else 200, show_reaction(call.forge.base, row))


def _reaction(call: Call) -> str:
    content = call.given("content")
    if content not in REACTIONS:
        raise invalid("Reaction", "invalid", "content")
    return str(content)


def list_timeline(call: Call) -> Listing:
    """GET ~/issues/{n}/timeline: commits first, then all else by id, as it happened."""
    repository = call.repository()
    item = call.item(repository)
    commits: list[str] = []
    reviews: list[ReviewRow] = []
    if item.pull:
        commits = repository.bare.commits(item.pull.base_sha, item.pull.head_sha)
        reviews = [row for row in item.pull.reviews if row.state != "PENDING"]
    told: list[EventRow | CommentRow | ReviewRow] = [*item.events, *item.comments, *reviews]
    told.sort(key=lambda row: row.id)
    rows: list[EventRow | CommentRow | ReviewRow | str] = [*commits, *told]
    return Listing(rows, lambda row: show_happening(call.forge, repository, item, row), _stamp)


def _stamp(row: object) -> datetime | None:
    return getattr(row, "at", None) or getattr(row, "created_at", None)


def list_events(call: Call) -> Listing:
    """GET ~/issues/{n}/events."""
    repository = call.repository()
    item = call.item(repository)
    return Listing(
        item.events, lambda row: show_event(call.forge, repository, row), lambda row: row.at
    )


ISSUE = "/repos/{owner}/{repo}/issues"
ROUTES: tuple[Route, ...] = (
    ("GET", ISSUE, list_issues),
    ("POST", ISSUE, create_issue),
    ("GET", f"{ISSUE}/comments", list_all_comments),
    ("GET", f"{ISSUE}/comments/{{comment_id}}", show_a_comment),
    ("PATCH", f"{ISSUE}/comments/{{comment_id}}", edit_comment),
    ("DELETE", f"{ISSUE}/comments/{{comment_id}}", delete_comment),
    ("POST", f"{ISSUE}/comments/{{comment_id}}/reactions", react_to_comment),
    ("GET", f"{ISSUE}/{{issue_number}}", show_one),
    ("PATCH", f"{ISSUE}/{{issue_number}}", edit_issue),
    ("GET", f"{ISSUE}/{{issue_number}}/comments", list_comments),
    ("POST", f"{ISSUE}/{{issue_number}}/comments", create_comment),
    ("GET", f"{ISSUE}/{{issue_number}}/labels", list_labels),
    ("POST", f"{ISSUE}/{{issue_number}}/labels", add_labels),
    ("PUT", f"{ISSUE}/{{issue_number}}/labels", set_labels),
    ("DELETE", f"{ISSUE}/{{issue_number}}/labels/{{name}}", remove_label),
    ("POST", f"{ISSUE}/{{issue_number}}/assignees", add_assignees),
    ("DELETE", f"{ISSUE}/{{issue_number}}/assignees", remove_assignees),
    ("POST", f"{ISSUE}/{{issue_number}}/reactions", react_to_item),
    ("GET", f"{ISSUE}/{{issue_number}}/timeline", list_timeline),
    ("GET", f"{ISSUE}/{{issue_number}}/events", list_events),
    ("GET", "/repos/{owner}/{repo}/labels", list_repository_labels),
    ("POST", "/repos/{owner}/{repo}/labels", create_label),
    ("GET", "/repos/{owner}/{repo}/labels/{name}", show_a_label),
)
