"""Top-level comments, and reactions to them and to items."""

from __future__ import annotations

from harness.rehearsal.github import deeds
from harness.rehearsal.github.answers import Answer, Listing, forbidden, invalid, not_found
from harness.rehearsal.github.call import NOTHING, Call, Route, created, ok
from harness.rehearsal.github.rows import (
    ROLES,
    Account,
    CommentRow,
    Item,
    Repository,
)
from harness.rehearsal.github.shown.people import REACTIONS, show_reaction
from harness.rehearsal.github.shown.talk import show_comment


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


ISSUE = "/repos/{owner}/{repo}/issues"
ROUTES: tuple[Route, ...] = (
    ("GET", f"{ISSUE}/comments", list_all_comments),
    ("GET", f"{ISSUE}/comments/{{comment_id}}", show_a_comment),
    ("PATCH", f"{ISSUE}/comments/{{comment_id}}", edit_comment),
    ("DELETE", f"{ISSUE}/comments/{{comment_id}}", delete_comment),
    ("POST", f"{ISSUE}/comments/{{comment_id}}/reactions", react_to_comment),
    ("GET", f"{ISSUE}/{{issue_number}}/comments", list_comments),
    ("POST", f"{ISSUE}/{{issue_number}}/comments", create_comment),
    ("POST", f"{ISSUE}/{{issue_number}}/reactions", react_to_item),
)
