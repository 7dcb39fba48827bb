"""What people did on an item."""

from __future__ import annotations

from datetime import datetime

from harness.facts.forge import Comment, Permission
from harness.rules.standing import counts
from harness.runs.desk import Desk
from harness.runs.job import Job


def last_act(desk: Desk, job: Job, pull: int) -> datetime | None:
    """When a person with write access last commented here, or named the item."""
    acts = []
    if job.item in desk.named or pull in desk.named:
        acts.append(desk.started)
    numbers = [job.item] + ([pull] if pull not in {0, job.item} else [])
    for number in numbers:
        acts += [comment.created_at for comment in _by_people(desk, number)]
    return max(acts, default=None)


def _by_people(desk: Desk, number: int) -> list[Comment]:
    permissions: dict[str, Permission] = {}  # asked once for each person, however much they said

    def may(login: str) -> Permission:
        if login not in permissions:
            permissions[login] = desk.reading.permission(login)
        return permissions[login]

    return [
        comment
        for comment in desk.reading.comments(number)
        if counts(desk.whose(comment, number), may(comment.author.login))
    ]
