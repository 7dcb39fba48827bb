"""Timelines, commits, statuses and check runs as payloads show them."""

from __future__ import annotations

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import (
    Account,
    CheckRunRow,
    CommentRow,
    EventRow,
    Item,
    Repository,
    ReviewRow,
    StatusRow,
)
from harness.rehearsal.github.shown.addresses import (
    api_of,
    node_id,
    page_of,
    when,
    when_or_none,
)
from harness.rehearsal.github.shown.people import show_account, show_author
from harness.rehearsal.github.shown.talk import show_comment, show_review


def show_event(forge: Forge, repository: Repository, row: EventRow) -> Json:
    """An event of an issue; what it is about stands in a key named after its kind."""
    base = forge.base
    commit = row.about.get("commit")
    url = api_of(base, repository)
    shown: Json = {
        "id": row.id,
        "node_id": node_id("Event", row.id),
        "url": f"{url}/issues/events/{row.id}",
        "actor": show_author(base, row.actor),
        "event": row.kind,
        "commit_id": commit,
        "commit_url": f"{url}/commits/{commit}" if commit else None,
        "created_at": when(row.at),
        "performed_via_github_app": None,
    }
    if "label" in row.about:
        shown["label"] = {"name": row.about["label"], "color": "ededed"}
    if "rename" in row.about:
        before, after = row.about["rename"]
        shown["rename"] = {"from": before, "to": after}
    if row.kind == "locked":
        shown["lock_reason"] = None
    if row.kind in {"closed", "reopened"}:
        shown["state_reason"] = row.about.get("reason")
    for key in ("assignee", "assigner", "review_requester", "requested_reviewer"):
        person = row.about.get(key)
        if isinstance(person, Account):
            shown[key] = show_account(base, person)
    return shown


def show_happening(
    forge: Forge, repository: Repository, item: Item, row: EventRow | CommentRow | ReviewRow | str
) -> Json:
    """One line of the timeline: events, comments, reviews and commits (a SHA) together."""
    base = forge.base
    if isinstance(row, EventRow):
        return show_event(forge, repository, row)
    if isinstance(row, str):
        return {"event": "committed"} | show_git_commit(base, repository, row)
    if isinstance(row, CommentRow):
        shown = show_comment(forge, repository, item, row)
        return shown | {"event": "commented", "actor": shown["user"]}
    shown = show_review(forge, repository, item, row)
    return shown | {"event": "reviewed", "state": row.state.lower()}


def show_git_commit(base: str, repository: Repository, sha: str) -> Json:
    """A commit as the timeline shows it (`timeline-committed-event`)."""
    form = "%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B"
    text = repository.bare.run_once("log", "-1", f"--format={form}", sha)
    tree, parents, an, ae, at, cn, ce, ct, message = text.split("\0", 8)
    url = api_of(base, repository, f"/git/commits/{sha}")
    return {
        "sha": sha,
        "node_id": node_id("Commit", repository.id) + sha[:8],
        "url": url,
        "html_url": page_of(base, repository, f"/commit/{sha}"),
        "author": {"name": an, "email": ae, "date": at},
        "committer": {"name": cn, "email": ce, "date": ct},
        "message": message.rstrip("\n"),
        "tree": {"sha": tree, "url": api_of(base, repository, f"/git/trees/{tree}")},
        "parents": [_parent(base, repository, parent) for parent in parents.split()],
        "verification": {
            "verified": False,
            "reason": "unsigned",
            "signature": None,
            "payload": None,
            "verified_at": None,
        },
    }


def _parent(base: str, repository: Repository, sha: str) -> Json:
    return {
        "sha": sha,
        "url": api_of(base, repository, f"/commits/{sha}"),
        "html_url": page_of(base, repository, f"/commit/{sha}"),
    }


def show_commit(base: str, repository: Repository, sha: str) -> Json:
    """`commit`."""
    inner = show_git_commit(base, repository, sha)
    url = api_of(base, repository, f"/commits/{sha}")
    taken = ("url", "author", "committer", "message", "tree", "verification")
    return {
        "sha": sha,
        "node_id": inner["node_id"],
        "url": url,
        "html_url": inner["html_url"],
        "comments_url": f"{url}/comments",
        "commit": {key: inner[key] for key in taken} | {"comment_count": 0},
        "author": None,
        "committer": None,
        "parents": inner["parents"],
    }


def show_status(base: str, repository: Repository, row: StatusRow) -> Json:
    """`status`."""
    return {
        "url": api_of(base, repository, f"/statuses/{row.sha}"),
        "avatar_url": f"{base}/avatars/{row.creator.id}",
        "id": row.id,
        "node_id": node_id("StatusContext", row.id),
        "state": row.state,
        "description": row.description,
        "target_url": row.target_url,
        "context": row.context,
        "created_at": when(row.at),
        "updated_at": when(row.at),
        "creator": show_account(base, row.creator),
    }


def show_check_run(forge: Forge, repository: Repository, row: CheckRunRow) -> Json:
    """`check-run`; its details lead to the Actions job of the same number."""
    base = forge.base
    url = api_of(base, repository, f"/check-runs/{row.id}")
    page = page_of(base, repository, f"/actions/runs/{row.id}/job/{row.id}")
    return {
        "id": row.id,
        "node_id": node_id("CheckRun", row.id),
        "head_sha": row.sha,
        "external_id": row.external_id,
        "name": row.name,
        "url": url,
        "html_url": page,
        "details_url": page,
        "status": row.status,
        "conclusion": row.conclusion,
        "started_at": when(row.started_at),
        "completed_at": when_or_none(row.completed_at),
        "output": {
            "title": row.title,
            "summary": row.summary,
            "text": None,
            "annotations_count": len(row.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": row.id},
        "app": show_app(forge, row.app),
        "pull_requests": [],
    }


def show_app(forge: Forge, slug: str) -> Json:
    """`integration`."""
    base = forge.base
    owner = forge.add_account("apps-owner", kind="Organization")
    return {
        "id": sum(map(ord, slug)),
        "slug": slug,
        "node_id": node_id("App", sum(map(ord, slug))),
        "owner": show_account(base, owner),
        "name": slug,
        "description": None,
        "external_url": f"{base}/apps/{slug}",
        "html_url": f"{base}/apps/{slug}",
        "created_at": when(forge.stamp.replace(year=2020)),
        "updated_at": when(forge.stamp.replace(year=2020)),
        "permissions": {"checks": "write", "metadata": "read"},
        "events": [],
    }
