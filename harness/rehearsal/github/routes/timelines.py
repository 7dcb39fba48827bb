"""Timelines and events."""

from __future__ import annotations

from datetime import datetime

from harness.rehearsal.github.answers import Listing
from harness.rehearsal.github.call import Call, Route
from harness.rehearsal.github.rows import (
    CommentRow,
    EventRow,
    ReviewRow,
)
from harness.rehearsal.github.shown.history import show_event, show_happening


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
    ("GET", f"{ISSUE}/{{issue_number}}/timeline", list_timeline),
    ("GET", f"{ISSUE}/{{issue_number}}/events", list_events),
)
