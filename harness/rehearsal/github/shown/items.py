"""Issues and pull requests as payloads show them."""

from __future__ import annotations

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.merging import mergeable, mergeable_state
from harness.rehearsal.github.rows import Account, Item, LabelRow, PullRow, Repository
from harness.rehearsal.github.shown.addresses import (
    api_of,
    node_id,
    page_of,
    when,
    when_or_none,
)
from harness.rehearsal.github.shown.people import (
    association,
    show_account,
    show_author,
    show_reactions,
)
from harness.rehearsal.github.shown.repositories import show_label, show_repository


def show_issue(forge: Forge, repository: Repository, item: Item) -> Json:
    """`issue`; of a pull request its issue side."""
    base = forge.base
    url = api_of(base, repository, f"/issues/{item.number}")
    people = [show_account(base, one) for one in item.assignees]
    shown: Json = {
        "id": item.id,
        "node_id": node_id("PullRequest" if item.pull else "Issue", item.id),
        "url": url,
        "repository_url": api_of(base, repository),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "timeline_url": f"{url}/timeline",
        "html_url": page_of(base, repository, f"/{_folder(item)}/{item.number}"),
        "number": item.number,
        "title": item.title,
        "body": item.body or None,
        "user": show_author(base, item.author),
        "labels": _labels(base, repository, item),
        "state": item.state,
        "state_reason": item.state_reason,
        "locked": item.locked,
        "active_lock_reason": None,
        "assignee": people[0] if people else None,
        "assignees": people,
        "milestone": None,
        "comments": len(item.comments),
        "created_at": when(item.created_at),
        "updated_at": when(item.updated_at),
        "closed_at": when_or_none(item.closed_at),
        "author_association": association(forge, repository, item.author),
        "performed_via_github_app": None,
        "reactions": show_reactions(url, item.reactions),
    }
    if item.pull:
        page = page_of(base, repository, f"/pull/{item.number}")
        shown["draft"] = item.pull.draft
        shown["pull_request"] = {
            "url": api_of(base, repository, f"/pulls/{item.number}"),
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "merged_at": when_or_none(item.pull.merged_at),
        }
    return shown


def _folder(item: Item) -> str:
    return "pull" if item.pull else "issues"


def _labels(base: str, repository: Repository, item: Item) -> list[Json]:
    return [
        show_label(base, repository, repository.labels.get(name) or LabelRow(0, name))
        for name in item.labels
    ]


def show_pull_in_list(forge: Forge, repository: Repository, item: Item) -> Json:
    """`pull-request-simple`."""
    pull = item.pull
    assert pull is not None
    base = forge.base
    page = page_of(base, repository, f"/pull/{item.number}")
    issue = api_of(base, repository, f"/issues/{item.number}")
    url = api_of(base, repository, f"/pulls/{item.number}")
    people = [show_account(base, one) for one in item.assignees]
    addresses = {
        "self": url,
        "html": page,
        "issue": issue,
        "comments": f"{issue}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": api_of(base, repository, "/pulls/comments{/number}"),
        "commits": f"{url}/commits",
        "statuses": api_of(base, repository, f"/statuses/{pull.head_sha}"),
    }
    return {
        "id": item.id + 1_000_000,
        "node_id": node_id("PullRequest", item.id),
        "url": url,
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": issue,
        "comments_url": addresses["comments"],
        "review_comments_url": addresses["review_comments"],
        "review_comment_url": addresses["review_comment"],
        "commits_url": addresses["commits"],
        "statuses_url": addresses["statuses"],
        "number": item.number,
        "state": item.state,
        "locked": item.locked,
        "active_lock_reason": None,
        "title": item.title,
        "body": item.body or None,
        "user": show_account(base, item.author or _ghost(forge)),
        "labels": _labels(base, repository, item),
        "milestone": None,
        "assignee": people[0] if people else None,
        "assignees": people,
        "requested_reviewers": [show_account(base, one) for one in pull.requested],
        "requested_teams": [],
        "draft": pull.draft,
        "created_at": when(item.created_at),
        "updated_at": when(item.updated_at),
        "closed_at": when_or_none(item.closed_at),
        "merged_at": when_or_none(pull.merged_at),
        "merge_commit_sha": pull.merge_sha,
        "author_association": association(forge, repository, item.author),
        "auto_merge": None,
        "head": _end(forge, pull.head_repo, pull.head_ref, pull.head_sha),
        "base": _end(forge, repository, pull.base_ref, pull.base_sha),
        "_links": {name: {"href": address} for name, address in addresses.items()},
    }


def show_pull(forge: Forge, repository: Repository, item: Item) -> Json:
    """`pull-request`."""
    pull = item.pull
    assert pull is not None
    added, removed, files = _size(repository, pull)
    return show_pull_in_list(forge, repository, item) | {
        "merged": pull.merged_at is not None,
        "mergeable": mergeable(forge, repository, pull) if item.state == "open" else None,
        "rebaseable": None,
        "mergeable_state": mergeable_state(forge, repository, item, pull),
        "merged_by": show_author(forge.base, pull.merged_by),
        "maintainer_can_modify": pull.may_modify,
        "comments": len(item.comments),
        "review_comments": sum(len(thread.notes) for thread in pull.threads),
        "commits": len(repository.bare.commits(pull.base_sha, pull.head_sha)),
        "additions": added,
        "deletions": removed,
        "changed_files": files,
    }


def _ghost(forge: Forge) -> Account:
    return forge.add_account("ghost")


def _end(forge: Forge, repository: Repository | None, ref: str, sha: str) -> Json:
    if repository is None:
        return {"label": f"unknown:{ref}", "ref": ref, "sha": sha, "user": None, "repo": None}
    return {
        "label": f"{repository.owner.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": show_account(forge.base, repository.owner),
        "repo": show_repository(forge, repository),
    }


def _size(repository: Repository, pull: PullRow) -> tuple[int, int, int]:
    span = f"{repository.bare.start_of(pull.base_sha, pull.head_sha)}..{pull.head_sha}"
    text = repository.bare.run_once("diff", "--numstat", span)
    rows = [row.split("\t") for row in text.splitlines()]
    added = sum(int(row[0]) for row in rows if row[0].isdigit())
    removed = sum(int(row[1]) for row in rows if row[1].isdigit())
    return added, removed, len(rows)
