"""Reviews, threads and replies, with GitHub's own refusals."""

from __future__ import annotations

from dataclasses import dataclass

from harness.rehearsal.github.answers import Json, Refusal, unprocessable
from harness.rehearsal.github.changes import hunk_to, patch_of, shown_lines
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.heads import moved_line
from harness.rehearsal.github.rows import (
    Account,
    Item,
    NoteRow,
    PullRow,
    Repository,
    ReviewRow,
    ThreadRow,
)

STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
ONE_PENDING = "User can only have one pending review per pull request"


@dataclass(frozen=True)
class Talk:
    """The conversation of one pull request, as `by` takes part in it."""

    forge: Forge
    repository: Repository
    item: Item
    pull: PullRow
    by: Account

    def review(self, event: str, body: str, commit: str, notes: list[Json]) -> ReviewRow:
        """Post a review; without an event it stays pending."""
        self._refuse_second_pending()
        commit = commit or self.pull.head_sha
        if not self.repository.bare.has(commit):
            raise unprocessable("Commit is not part of the pull request")
        if event:
            self._refuse_event(event, body, notes)
        threads = [self._anchored(note, commit) for note in notes]
        row = ReviewRow(self.forge.next_id(), self.by, "PENDING", body, commit, None)
        for thread, note in zip(threads, notes, strict=True):
            thread.notes.append(self._note(row.id, str(note["body"]), commit))
            self.pull.threads.append(thread)
        self.pull.reviews.append(row)
        if event:
            self._submit(row, event)
        return row

    def submit(self, row: ReviewRow, event: str, body: str) -> None:
        """Submit a pending review."""
        if row.state != "PENDING":
            raise unprocessable("Can not submit a non-pending pull request review")
        row.body = body or row.body
        notes = [note for thread in self.pull.threads for note in thread.notes]
        self._refuse_event(event, row.body, [{} for note in notes if note.review == row.id])
        self._submit(row, event)

    def _submit(self, row: ReviewRow, event: str) -> None:
        row.state, row.submitted_at = STATES[event], self.forge.stamp
        self.item.updated_at = self.forge.stamp
        for thread in self.pull.threads:
            for note in thread.notes:
                if note.review == row.id:
                    note.created_at = note.updated_at = self.forge.stamp
        if self.by in self.pull.requested:
            self.pull.requested.remove(self.by)

    def _refuse_event(self, event: str, body: str, notes: list[Json]) -> None:
        if event not in STATES:
            raise unprocessable(
                "Variable $event of type PullRequestReviewEvent was provided invalid value"
            )
        if self.item.author is self.by and event != "COMMENT":
            what = "approve" if event == "APPROVE" else "request changes on"
            raise unprocessable(f"Can not {what} your own pull request")
        if event != "APPROVE" and not body.strip() and not notes:
            raise unprocessable("Body can't be blank")

    def _refuse_second_pending(self) -> None:
        if any(row.state == "PENDING" and row.author is self.by for row in self.pull.reviews):
            raise unprocessable(ONE_PENDING)

    # -- threads ---------------------------------------------------------------------------------
    def start_thread(self, note: Json, commit: str) -> NoteRow:
        """One inline comment of its own: GitHub wraps it in a review without a body."""
        self._refuse_second_pending()
        thread = self._anchored(note, commit or self.pull.head_sha)
        self.pull.threads.append(thread)
        return self._said(thread, str(note["body"]))

    def reply(self, comment_id: int, body: str) -> tuple[ThreadRow, NoteRow]:
        """Reply to the first comment of a thread."""
        thread = self.thread_of(comment_id)
        if thread is None:
            raise Refusal(404, "Not Found")
        if thread.notes[0].id != comment_id:
            raise unprocessable("Replies to replies are not supported")
        self._refuse_second_pending()
        return thread, self._said(thread, body)

    def thread_of(self, comment_id: int) -> ThreadRow | None:
        """The thread a comment stands in."""
        for thread in self.pull.threads:
            if any(note.id == comment_id for note in thread.notes):
                return thread
        return None

    def _said(self, thread: ThreadRow, body: str) -> NoteRow:
        commit = self.pull.head_sha
        review = ReviewRow(self.forge.next_id(), self.by, "COMMENTED", "", commit, self.forge.stamp)
        self.pull.reviews.append(review)
        note = self._note(review.id, body, thread.commit)
        note.reply_to = thread.notes[0].id if thread.notes else 0
        thread.notes.append(note)
        self.item.updated_at = self.forge.stamp
        return note

    def _note(self, review: int, body: str, commit: str) -> NoteRow:
        at = self.forge.stamp
        return NoteRow(self.forge.next_id(), review, self.by, body, at, at, commit)

    def _anchored(self, note: Json, commit: str) -> ThreadRow:
        """A thread for this place; refuses places outside the diff. A comment needs a body."""
        if not str(note.get("body") or "").strip():
            raise unprocessable("Body can't be blank")
        path, side = str(note.get("path", "")), str(note.get("side") or "RIGHT")
        base = self.pull.base_sha
        span = f"{self.repository.bare.start_of(base, commit)}..{commit}"
        if not patch_of(self.repository, span, path, path):
            raise unprocessable("Path could not be resolved")
        if note.get("subject_type") == "file":
            return ThreadRow(
                self.forge.next_id(), path, None, side, None, None, commit, "", file_level=True
            )
        line, start = note.get("line"), note.get("start_line")
        start_side = str(note.get("start_side") or side) if start else None
        self._refuse_place(path, commit, side, line, start, start_side)
        hunk = hunk_to(self.repository, base, commit, path, side, int(line or 0))
        row = ThreadRow(
            self.forge.next_id(), path, line, side, start, start_side, commit, hunk, was=line
        )
        if commit != self.pull.head_sha and side == "RIGHT" and row.line is not None:
            moved = moved_line(self.repository, commit, self.pull.head_sha, path, row.line)
            row.line, row.outdated = moved, moved is None
        return row

    def _refuse_place(
        self,
        path: str,
        commit: str,
        side: str,
        line: object,
        start: object,
        start_side: str | None,
    ) -> None:
        hunks = shown_lines(self.repository, self.pull.base_sha, commit, path)
        hunk = next((one for one in hunks if (side, line) in one), None)
        if hunk is None:
            raise unprocessable("Line could not be resolved")
        if start is None:
            return
        if not isinstance(start, int) or not isinstance(line, int) or start >= line:
            raise unprocessable("Start line must precede the end line")
        if (start_side, start) not in hunk:
            raise unprocessable("Start line must be part of the same hunk as the line")


def is_visible(pull: PullRow, note: NoteRow, viewer: Account | None) -> bool:
    """Comments of a pending review are its author's only."""
    review = next((row for row in pull.reviews if row.id == note.review), None)
    return review is None or review.state != "PENDING" or review.author is viewer


def drop_review(pull: PullRow, row: ReviewRow) -> None:
    """Take a review and its comments away."""
    pull.reviews.remove(row)
    for thread in list(pull.threads):
        thread.notes = [note for note in thread.notes if note.review != row.id]
        if not thread.notes:
            pull.threads.remove(thread)
