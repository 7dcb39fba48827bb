"""Rows as GraphQL objects: dictionaries whose lists are resolved when they are asked for."""

from __future__ import annotations

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.conversations import is_visible
from harness.rehearsal.github.graph.view import View, connection, node
from harness.rehearsal.github.merging import CLOSES, check_states, mergeable, mergeable_state
from harness.rehearsal.github.rows import (
    CommentRow,
    Item,
    NoteRow,
    PullRow,
    Repository,
    ReviewRow,
    ThreadRow,
)
from harness.rehearsal.github.shown.addresses import page_of, when, when_or_none
from harness.rehearsal.github.shown.people import association

ROLES = {"admin": "ADMIN", "maintain": "MAINTAIN", "write": "WRITE", "triage": "TRIAGE"}


def show_repository(view: View, repository: Repository) -> Json:
    """Repository."""

    def item(_info: object, number: int) -> Json | None:
        found = repository.items.get(number)
        if found is None or found.gone:
            return None
        return show_item(view, repository, found)

    def pull(_info: object, number: int) -> Json | None:
        found = repository.items.get(number)
        return show_item(view, repository, found) if found and found.pull else None

    role = view.forge.role(repository, view.viewer)
    tip = repository.bare.tip(repository.default_branch)
    target = {"__typename": "Commit", "oid": tip}
    return {
        "nameWithOwner": repository.slug,
        "isArchived": repository.archived,
        "isFork": bool(repository.fork_of),
        "mergeCommitAllowed": repository.allow_merge,
        "squashMergeAllowed": repository.allow_squash,
        "rebaseMergeAllowed": repository.allow_rebase,
        "viewerPermission": ROLES.get(role, "READ"),
        "defaultBranchRef": {"name": repository.default_branch, "target": target} if tip else None,
        "issueOrPullRequest": item,
        "pullRequest": pull,
    }


def show_item(view: View, repository: Repository, item: Item) -> Json:
    """Issue or PullRequest."""
    shown: Json = {
        "__typename": "Issue",
        "id": node("Issue", item.id),
        "number": item.number,
        "title": item.title,
        "body": item.body,
        "author": view.actor(item.author),
        "authorAssociation": association(view.forge, repository, item.author),
        "locked": item.locked,
        "state": item.state.upper(),
        "stateReason": item.state_reason.upper() if item.state_reason else None,
        "lastEditedAt": when(item.edited_at) if item.edited_at else None,
        "updatedAt": when(item.updated_at),
        "repository": lambda _info: show_repository(view, repository),
        "labels": connection(item.labels, lambda name: {"name": name}),
        "comments": connection(item.comments, lambda row: show_comment(view, repository, row)),
        "closedByPullRequestsReferences": connection(
            [
                one
                for one, _ in view.forge.pulls(repository)
                if str(item.number) in CLOSES.findall(one.body)
            ],
            lambda one: show_item(view, repository, one),
        ),
    }
    return shown | _pull(view, repository, item, item.pull) if item.pull else shown


def _pull(view: View, repository: Repository, item: Item, pull: PullRow) -> Json:
    seen = [row for row in pull.reviews if row.state != "PENDING" or row.author is view.viewer]
    can = {True: "MERGEABLE", False: "CONFLICTING", None: "UNKNOWN"}
    closes = {int(number) for number in CLOSES.findall(item.body)}
    closing = [repository.items[number] for number in closes if number in repository.items]
    return {
        "__typename": "PullRequest",
        "id": node("PullRequest", item.id),
        "url": page_of(view.forge.base, repository, f"/pull/{item.number}"),
        "isDraft": pull.draft,
        "merged": pull.merged_at is not None,
        "state": "MERGED" if pull.merged_at else item.state.upper(),
        "headRefName": pull.head_ref,
        "headRefOid": pull.head_sha,
        "baseRefName": pull.base_ref,
        "baseRefOid": pull.base_sha,
        "isCrossRepository": pull.head_repo is not repository,
        "maintainerCanModify": pull.may_modify,
        "autoMergeRequest": None,
        "mergeable": lambda _info: can[mergeable(view.forge, repository, pull)],
        "mergeStateStatus": lambda _info: _merge_state(view, repository, item, pull),
        "reviewThreads": connection(
            visible_threads(view, pull),
            lambda thread: show_thread(view, repository, item, pull, thread),
        ),
        "reviews": connection(seen, lambda row: show_review(view, repository, row)),
        "commits": connection(
            repository.bare.commits(pull.base_sha, pull.head_sha),
            lambda sha: {"commit": show_commit(repository, sha)},
        ),
        "closingIssuesReferences": connection(
            [one for one in closing if not one.pull],
            lambda one: show_item(view, repository, one),
        ),
        "timelineItems": connection(
            [*item.comments, *seen],
            lambda row: (
                show_review(view, repository, row)
                if isinstance(row, ReviewRow)
                else show_comment(view, repository, row)
            ),
        ),
    }


def _merge_state(view: View, repository: Repository, item: Item, pull: PullRow) -> str:
    return mergeable_state(view.forge, repository, item, pull).upper()


def show_comment(view: View, repository: Repository, row: CommentRow) -> Json:
    """IssueComment."""
    return {
        "__typename": "IssueComment",
        "id": node("IssueComment", row.id),
        "databaseId": row.id,
        "body": row.body,
        "author": view.actor(row.author),
        "authorAssociation": association(view.forge, repository, row.author),
        "createdAt": when(row.created_at),
        "updatedAt": when(row.updated_at),
        "lastEditedAt": None if row.updated_at == row.created_at else when(row.updated_at),
        "isMinimized": row.minimised,
        "viewerDidAuthor": row.author is view.viewer,
    }


def show_review(view: View, repository: Repository, row: ReviewRow) -> Json:
    """PullRequestReview."""
    return {
        "__typename": "PullRequestReview",
        "id": node("PullRequestReview", row.id),
        "databaseId": row.id,
        "body": row.body,
        "state": row.state,
        "author": view.actor(row.author),
        "authorAssociation": association(view.forge, repository, row.author),
        "commit": lambda _info: show_commit(repository, row.commit),
        "submittedAt": when_or_none(row.submitted_at),
        "lastEditedAt": None,
        "isMinimized": False,
        "viewerDidAuthor": row.author is view.viewer,
    }


def visible_threads(view: View, pull: PullRow) -> list[ThreadRow]:
    """Threads with a comment that the viewer may see."""
    return [one for one in pull.threads if any(is_visible(pull, n, view.viewer) for n in one.notes)]


def show_thread(
    view: View, repository: Repository, item: Item, pull: PullRow, thread: ThreadRow
) -> Json:
    """PullRequestReviewThread."""
    notes = [note for note in thread.notes if is_visible(pull, note, view.viewer)]
    return {
        "__typename": "PullRequestReviewThread",
        "id": node("PullRequestReviewThread", thread.id),
        "path": thread.path,
        "line": thread.line,
        "originalLine": thread.was,
        "startLine": thread.start_line,
        "diffSide": thread.side,
        "isResolved": thread.resolved_by is not None,
        "isOutdated": thread.outdated,
        "isCollapsed": thread.resolved_by is not None or thread.outdated,
        "resolvedBy": view.actor(thread.resolved_by),
        "subjectType": "FILE" if thread.file_level else "LINE",
        "comments": connection(notes, lambda note: show_note(view, repository, item, note)),
    }


def show_note(view: View, repository: Repository, item: Item, row: NoteRow) -> Json:
    """PullRequestReviewComment."""
    page = page_of(view.forge.base, repository, f"/pull/{item.number}#discussion_r{row.id}")
    reviews = item.pull.reviews if item.pull else []
    review = next((one for one in reviews if one.id == row.review), None)
    return {
        "__typename": "PullRequestReviewComment",
        "pullRequestReview": show_review(view, repository, review) if review else None,
        "id": node("PullRequestReviewComment", row.id),
        "databaseId": row.id,
        "body": row.body,
        "bodyText": row.body,
        "url": page,
        "author": view.actor(row.author),
        "authorAssociation": association(view.forge, repository, row.author),
        "createdAt": when(row.created_at),
        "updatedAt": when(row.updated_at),
        "lastEditedAt": None if row.updated_at == row.created_at else when(row.updated_at),
        "isMinimized": row.minimised,
        "minimizedReason": "outdated" if row.minimised else None,
        "viewerDidAuthor": row.author is view.viewer,
    }


def show_commit(repository: Repository, sha: str) -> Json:
    """Commit with its checks."""
    states = check_states(repository, sha)
    words = {"success": "SUCCESS", "failure": "FAILURE", "pending": "PENDING"}
    worst = "failure" if "failure" in states.values() else "success"
    worst = "pending" if worst == "success" and "pending" in states.values() else worst
    contexts = [
        {
            "__typename": "StatusContext",
            "context": name,
            "description": None,
            "state": words[state],
            "isRequired": False,
        }
        for name, state in states.items()
    ]
    rollup = {"state": words[worst], "contexts": connection(contexts, lambda one: one)}
    return {"__typename": "Commit", "oid": sha, "statusCheckRollup": rollup if states else None}
