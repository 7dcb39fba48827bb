"""The mutations."""

from __future__ import annotations

from typing import Any

from harness.rehearsal.github import deeds
from harness.rehearsal.github.answers import Json, Refusal
from harness.rehearsal.github.conversations import Talk
from harness.rehearsal.github.graph.finding import Found, find_node
from harness.rehearsal.github.graph.view import Resolver, View, unknown
from harness.rehearsal.github.rows import (
    ROLES,
    Account,
    CommentRow,
    Item,
    NoteRow,
    PullRow,
    ThreadRow,
)

REACTIONS = {
    "THUMBS_UP": "+1",
    "THUMBS_DOWN": "-1",
    "LAUGH": "laugh",
    "CONFUSED": "confused",
    "HEART": "heart",
    "HOORAY": "hooray",
    "EYES": "eyes",
    "ROCKET": "rocket",
}


def mutations(view: View) -> dict[str, Resolver]:
    """Resolvers of the root mutation."""
    acting = _Acting(view)
    return {
        "resolveReviewThread": acting.resolve,
        "unresolveReviewThread": acting.unresolve,
        "markPullRequestReadyForReview": acting.mark_ready,
        "convertPullRequestToDraft": acting.back_to_draft,
        "minimizeComment": acting.minimise,
        "addReaction": acting.react,
        "addPullRequestReviewThreadReply": acting.reply,
        "enablePullRequestAutoMerge": acting.refuse_auto_merge,
        "disablePullRequestAutoMerge": acting.refuse_auto_merge,
        "enqueuePullRequest": acting.refuse_queue,
    }


class _Acting:
    def __init__(self, view: View) -> None:
        self._view = view

    @property
    def _me(self) -> Account:
        assert self._view.viewer is not None
        return self._view.viewer

    def _find(self, given: Json, key: str) -> Found:
        found = find_node(self._view, given[key])
        if found is None:
            raise unknown(given[key])
        return found

    def _refuse(self, found: Found, author: Account | None) -> None:
        """Authors, and who may write."""
        role = self._view.forge.role(found.repository, self._me)
        if author is not self._me and ROLES.index(role) < ROLES.index("write"):
            message = f"{self._me.login} does not have the correct permissions to execute this"
            raise Refusal(403, message)

    def resolve(self, _info: object, input: Json) -> Json:  # noqa: A002 - GitHub's name
        thread, found = self._thread(input)
        if thread.resolved_by is None:
            thread.resolved_by = self._me
        return {"thread": found.show()}

    def unresolve(self, _info: object, input: Json) -> Json:  # noqa: A002
        thread, found = self._thread(input)
        thread.resolved_by = None
        return {"thread": found.show()}

    def _thread(self, given: Json) -> tuple[ThreadRow, Found]:
        found = self._find(given, "threadId")
        if not isinstance(found.row, ThreadRow):
            raise unknown(given["threadId"])
        self._refuse(found, found.item.author)
        return found.row, found

    def mark_ready(self, _info: object, input: Json) -> Json:  # noqa: A002
        return self._set_draft(input, False)

    def back_to_draft(self, _info: object, input: Json) -> Json:  # noqa: A002
        return self._set_draft(input, True)

    def _set_draft(self, given: Json, draft: bool) -> Json:
        found = self._find(given, "pullRequestId")
        pull = self._pull(found, given["pullRequestId"])
        self._refuse(found, found.item.author)
        if found.item.state != "open":
            raise Refusal(422, "Pull request is closed")
        if pull.draft != draft:
            pull.draft = draft
            kind = "convert_to_draft" if draft else "ready_for_review"
            self._view.forge.happen(found.item, kind, self._me)
        return {"pullRequest": found.show()}

    @staticmethod
    def _pull(found: Found, text: str) -> PullRow:
        if not isinstance(found.row, Item) or found.row.pull is None:
            raise unknown(text)
        return found.row.pull

    def minimise(self, _info: object, input: Json) -> Json:  # noqa: A002
        found = self._find(input, "subjectId")
        if not isinstance(found.row, CommentRow | NoteRow):
            raise Refusal(422, "This subject cannot be minimized")
        self._refuse(found, found.row.author)
        found.row.minimised = True
        return {"minimizedComment": found.show()}

    def react(self, _info: object, input: Json) -> Json:  # noqa: A002
        row: Any = self._find(input, "subjectId").row
        if not hasattr(row, "reactions"):
            raise unknown(input["subjectId"])
        deeds.react(self._view.forge, row.reactions, self._me, REACTIONS[input["content"]])
        return {"reaction": {"content": input["content"]}}

    def reply(self, _info: object, input: Json) -> Json:  # noqa: A002
        key = "pullRequestReviewThreadId"
        found = self._find(input, key)
        if not isinstance(found.row, ThreadRow) or found.item.pull is None:
            raise unknown(input[key])
        talk = Talk(self._view.forge, found.repository, found.item, found.item.pull, self._me)
        _, note = talk.reply(found.row.notes[0].id, input["body"])
        return {"comment": Found(self._view, found.repository, found.item, note).show()}

    def refuse_auto_merge(self, _info: object, input: Json) -> Json:  # noqa: A002
        self._find(input, "pullRequestId")
        raise Refusal(422, "Auto merge is not allowed for this repository")

    def refuse_queue(self, _info: object, input: Json) -> Json:  # noqa: A002
        self._find(input, "pullRequestId")
        raise Refusal(422, "Merge queue is not enabled for this branch")
