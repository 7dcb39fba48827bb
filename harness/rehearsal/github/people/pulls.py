"""People open, review, comment and merge pull requests."""

from __future__ import annotations

from typing import Any, Literal

from harness.rehearsal.github import deeds
from harness.rehearsal.github.conversations import Talk
from harness.rehearsal.github.merging import merge
from harness.rehearsal.github.people.acting import Acting, deed


class Pulls(Acting):
    """People open, review, comment and merge pull requests."""

    @deed
    def open_pull(
        self,
        slug: str,
        login: str,
        head: str,
        title: str,
        body: str = "",
        *,
        base: str = "",
        draft: bool = False,
    ) -> int:
        """Open a pull request from `branch` or `owner:branch`; returns its number."""
        repository = self._repository(slug)
        return deeds.open_pull(
            self.forge,
            repository,
            self._who(login),
            title=title,
            body=body,
            head=head,
            base=base or repository.default_branch,
            draft=draft,
        ).number

    @deed
    def retarget(self, slug: str, login: str, number: int, base: str) -> None:
        """Have a pull request go into another branch."""
        repository, item = self._item(slug, number)
        deeds.retarget(self.forge, repository, item, self._who(login), base)

    @deed
    def set_draft(self, slug: str, login: str, number: int, *, draft: bool) -> None:
        """To draft, or out of it."""
        _, item = self._item(slug, number)
        assert item.pull is not None
        item.pull.draft = draft
        kind = "convert_to_draft" if draft else "ready_for_review"
        self.forge.happen(item, kind, self._who(login))

    @deed
    def merge(
        self,
        slug: str,
        login: str,
        number: int,
        *,
        method: Literal["merge", "squash", "rebase"] = "merge",
    ) -> str:
        """Merge a pull request; returns the new commit."""
        repository, item = self._item(slug, number)
        who = self._who(login)
        return merge(self.forge, repository, item, who, method=method, sha="", title="", message="")

    def _talk(self, slug: str, login: str, number: int) -> Talk:
        repository, item = self._item(slug, number)
        assert item.pull is not None
        return Talk(self.forge, repository, item, item.pull, self._who(login))

    @deed
    def review(
        self,
        slug: str,
        login: str,
        number: int,
        event: Literal["APPROVE", "REQUEST_CHANGES", "COMMENT", ""],
        body: str = "",
        *,
        notes: list[dict[str, Any]] | None = None,
        commit: str = "",
    ) -> int:
        """Review; without an event it stays a pending draft. Notes have path, line and body."""
        return self._talk(slug, login, number).review(event, body, commit, notes or []).id

    @deed
    def note(self, slug: str, login: str, number: int, path: str, line: int, body: str) -> int:
        """One inline comment on the head; returns its id."""
        given = {"path": path, "line": line, "body": body}
        return self._talk(slug, login, number).start_thread(given, "").id

    @deed
    def reply(self, slug: str, login: str, number: int, comment_id: int, body: str) -> int:
        """Reply in a thread; returns the reply's id."""
        return self._talk(slug, login, number).reply(comment_id, body)[1].id

    @deed
    def resolve(
        self, slug: str, login: str, number: int, comment_id: int, *, resolved: bool = True
    ) -> None:
        """Resolve the thread of a comment, or open it again."""
        talk = self._talk(slug, login, number)
        thread = talk.thread_of(comment_id)
        assert thread is not None
        thread.resolved_by = talk.by if resolved else None

    @deed
    def edit_note(self, slug: str, number: int, comment_id: int, body: str) -> None:
        """Change a comment in a thread."""
        _, item = self._item(slug, number)
        assert item.pull is not None
        notes = [note for thread in item.pull.threads for note in thread.notes]
        note = next(note for note in notes if note.id == comment_id)
        note.body, note.updated_at = body, self.forge.stamp

    @deed
    def request_review(self, slug: str, login: str, number: int, person: str) -> None:
        """Ask a collaborator for a review."""
        repository, item = self._item(slug, number)
        deeds.request_review(self.forge, repository, item, self._who(login), person)

    @deed
    def react(
        self, slug: str, login: str, number: int, content: str, *, comment_id: int = 0
    ) -> None:
        """React to an item, or to one of its comments."""
        _, item = self._item(slug, number)
        rows = item.reactions
        if comment_id:
            rows = next(row.reactions for row in item.comments if row.id == comment_id)
        deeds.react(self.forge, rows, self._who(login), content)
