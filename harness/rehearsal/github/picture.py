"""What can be seen on the rehearsal forge, as one JSON value without ids and times."""

from __future__ import annotations

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import Account, Item, Repository


def picture(forge: Forge) -> Json:
    """Two stories that end alike have equal pictures."""
    return {one.slug: _repository(one) for one in forge.repositories.values()}


def _repository(repository: Repository) -> Json:
    newest = {(row.sha, row.context): row for row in repository.statuses}
    return {
        "branches": repository.bare.branches(),
        "statuses": [
            {"sha": sha, "context": context, "state": row.state, "description": row.description}
            for (sha, context), row in newest.items()
        ],
        "items": {str(number): _item(item) for number, item in repository.items.items()},
    }


def _item(item: Item) -> Json:
    shown: Json = {
        "title": item.title,
        "body": item.body,
        "author": _login(item.author),
        "state": item.state,
        "labels": sorted(item.labels),
        "assignees": sorted(one.login for one in item.assignees),
        "comments": [{"by": _login(row.author), "body": row.body} for row in item.comments],
        "events": [{"kind": row.kind, "by": _login(row.actor)} for row in item.events],
    }
    if item.pull:
        shown["pull"] = {
            "head": item.pull.head_sha,
            "head_ref": item.pull.head_ref,
            "draft": item.pull.draft,
            "merged": item.pull.merged_at is not None,
            "reviews": [
                {"by": _login(row.author), "state": row.state, "body": row.body}
                for row in item.pull.reviews
            ],
            "threads": [
                {
                    "path": thread.path,
                    "line": thread.line,
                    "resolved": thread.resolved_by is not None,
                    "outdated": thread.outdated,
                    "notes": [{"by": _login(n.author), "body": n.body} for n in thread.notes],
                }
                for thread in item.pull.threads
            ],
        }
    return shown


def _login(account: Account | None) -> str:
    return account.login if account else ""
