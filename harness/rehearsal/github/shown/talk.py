"""Comments, reviews and review comments as payloads show them."""

from __future__ import annotations

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import (
    CommentRow,
    Item,
    NoteRow,
    Repository,
    ReviewRow,
    ThreadRow,
)
from harness.rehearsal.github.shown.addresses import api_of, node_id, page_of, when
from harness.rehearsal.github.shown.people import association, show_author, show_reactions


def show_comment(forge: Forge, repository: Repository, item: Item, row: CommentRow) -> Json:
    """`issue-comment`."""
    base = forge.base
    url = api_of(base, repository, f"/issues/comments/{row.id}")
    folder = "pull" if item.pull else "issues"
    return {
        "id": row.id,
        "node_id": node_id("IssueComment", row.id),
        "url": url,
        "html_url": page_of(base, repository, f"/{folder}/{item.number}#issuecomment-{row.id}"),
        "issue_url": api_of(base, repository, f"/issues/{item.number}"),
        "user": show_author(base, row.author),
        "body": row.body,
        "created_at": when(row.created_at),
        "updated_at": when(row.updated_at),
        "author_association": association(forge, repository, row.author),
        "performed_via_github_app": None,
        "reactions": show_reactions(url, row.reactions),
    }


def show_review(forge: Forge, repository: Repository, item: Item, row: ReviewRow) -> Json:
    """`pull-request-review`; a pending one has no time of submission."""
    base = forge.base
    pull_url = api_of(base, repository, f"/pulls/{item.number}")
    page = page_of(base, repository, f"/pull/{item.number}#pullrequestreview-{row.id}")
    shown: Json = {
        "id": row.id,
        "node_id": node_id("PullRequestReview", row.id),
        "user": show_author(base, row.author),
        "body": row.body,
        "state": row.state,
        "commit_id": row.commit,
        "html_url": page,
        "pull_request_url": pull_url,
        "author_association": association(forge, repository, row.author),
        "_links": {"html": {"href": page}, "pull_request": {"href": pull_url}},
    }
    if row.submitted_at is not None:
        shown["submitted_at"] = when(row.submitted_at)
    return shown


def show_note(
    forge: Forge, repository: Repository, item: Item, thread: ThreadRow, row: NoteRow
) -> Json:
    """`pull-request-review-comment`; outdated ones have no line any more."""
    base = forge.base
    url = api_of(base, repository, f"/pulls/comments/{row.id}")
    pull_url = api_of(base, repository, f"/pulls/{item.number}")
    page = page_of(base, repository, f"/pull/{item.number}#discussion_r{row.id}")
    shown: Json = {
        "id": row.id,
        "node_id": node_id("PullRequestReviewComment", row.id),
        "url": url,
        "html_url": page,
        "pull_request_url": pull_url,
        "pull_request_review_id": row.review or None,
        "diff_hunk": thread.hunk,
        "path": thread.path,
        "commit_id": row.commit,
        "original_commit_id": thread.commit,
        "user": show_author(base, row.author),
        "body": row.body,
        "created_at": when(row.created_at),
        "updated_at": when(row.updated_at),
        "author_association": association(forge, repository, row.author),
        "reactions": show_reactions(url, row.reactions),
        "_links": {
            "self": {"href": url},
            "html": {"href": page},
            "pull_request": {"href": pull_url},
        },
    }
    if thread.line is not None:
        shown |= {"line": thread.line, "side": thread.side}
    if thread.line is not None and thread.start_line is not None:
        shown |= {"start_line": thread.start_line, "start_side": thread.start_side}
    shown["subject_type"] = "file" if thread.file_level else "line"
    if row.reply_to:
        shown["in_reply_to_id"] = row.reply_to
    return shown
