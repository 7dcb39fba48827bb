"""Taking back texts: comments, edits, reviews."""

from __future__ import annotations

from collections.abc import Callable

from harness.facts.forge import Comment, Thread
from harness.facts.intents import (
    DeleteComment,
    EditBody,
    EditComment,
    EditIssue,
    Intent,
    PostReview,
    ReplaceReview,
    Write,
)
from harness.facts.undoing import Verdict
from harness.rules.body_hash import body_hash
from harness.rules.markers import note_nonce, read_marker, strip_marker
from harness.rules.undo.seen import EDITED, Seen, left, moot, ours_still

Texts = tuple[tuple[Intent, str], ...]


def take_back_comment(seen: Seen, intent: Intent, number: int, where: str) -> Verdict:
    """Our own comment is deleted, unless somebody changed what it says."""
    comment_id = intent.receipt.id if intent.receipt else 0
    comment = seen.comment(number, comment_id)
    if comment is None:
        return seen.absent(intent, number)
    if not ours_still(comment.body, seen.texts(comment_id)):
        return left(intent, EDITED)
    in_thread = where == "thread"
    return seen.take_back(
        intent,
        DeleteComment(
            number=number,
            comment_id=comment_id,
            where="thread" if in_thread else "issue",
            was=body_hash(comment.body),
        ),
    )


def take_back_edit(seen: Seen, intent: Intent, write: EditComment) -> Verdict:
    """Our comment says again what it said before the run."""
    comment = seen.comment(write.number, write.comment_id)

    def restore(now: str, before: str) -> Write:
        return write.model_copy(update={"body": strip_marker(before), "was": body_hash(now)})

    texts = seen.texts(write.comment_id)
    return _restore(seen, intent, write.number, texts, comment.body if comment else None, restore)


def take_back_body(seen: Seen, intent: Intent, write: EditBody) -> Verdict:
    """An item of ours says again what it said before the run."""
    item = seen.item(write.number)

    def restore(now: str, before: str) -> Write:
        return write.model_copy(update={"body": strip_marker(before), "was": body_hash(now)})

    texts = seen.bodies(write.number)
    return _restore(seen, intent, write.number, texts, item.issue.body if item else None, restore)


def take_back_title(seen: Seen, intent: Intent, write: EditIssue) -> Verdict:
    """An item of ours is called again what it was called before the run."""
    item = seen.item(write.number)

    def restore(now: str, before: str) -> Write:
        return write.model_copy(update={"title": before, "was": body_hash(now)})

    texts = seen.titles(write.number)
    return _restore(seen, intent, write.number, texts, item.issue.title if item else None, restore)


def take_back_review(
    seen: Seen, intent: Intent, write: PostReview, told: Verdict | None
) -> tuple[Verdict, ...]:
    """The body is replaced (unless that is `told`), inline notes nobody answered are deleted."""
    item = seen.item(write.number)
    review_id = intent.receipt.id if intent.receipt else 0
    review = next((one for one in (item.reviews if item else ()) if one.id == review_id), None)
    if item is None or review is None:
        return (seen.absent(intent, write.number),)
    notes = [
        _take_back_note(seen, intent, write, thread, index)
        for thread in item.threads
        for index in range(len(write.notes))
        if thread.comments and _is_note(seen, intent, thread.comments[0], index)
    ]
    return (told or _take_back_review_body(seen, intent, write, review.body), *notes)


def _take_back_review_body(seen: Seen, intent: Intent, write: PostReview, now: str) -> Verdict:
    if body_hash(now) != body_hash(write.body):
        return left(intent, EDITED)
    if write.event != "COMMENT":
        verdict = "an approval" if write.event == "APPROVE" else "a request for changes"
        return left(intent, f"it counts as {verdict}: dismiss it on the forge")
    if not now.strip():
        return moot(intent, "it has no body")
    return seen.take_back(
        intent,
        ReplaceReview(
            number=write.number,
            review_id=intent.receipt.id if intent.receipt else 0,
            body=seen.withdrawn.review,
            was=body_hash(now),
        ),
    )


def _is_note(seen: Seen, intent: Intent, comment: Comment, index: int) -> bool:
    marker = read_marker(comment.body)
    ours = comment.author.id == seen.now.me
    return ours and marker is not None and marker.nonce == note_nonce(intent.nonce, index)


def _take_back_note(
    seen: Seen, intent: Intent, write: PostReview, thread: Thread, index: int
) -> Verdict:
    first, *answers = thread.comments
    if any(one.author.id != seen.now.me for one in answers):
        return left(intent, f"the note on {thread.path} was answered")
    if body_hash(first.body) != body_hash(write.notes[index].body):
        return left(intent, f"the note on {thread.path} was edited by a person")
    deletion = DeleteComment(
        number=write.number, comment_id=first.id, where="thread", was=body_hash(first.body)
    )
    return seen.take_back(intent, deletion, part=f"/{index}")


def _restore(
    seen: Seen,
    intent: Intent,
    number: int,
    texts: Texts,
    now: str | None,
    restore: Callable[[str, str], Write],
) -> Verdict:
    """What stood before the run's first edit, where the run's last one still stands."""
    mine = [index for index, (one, _) in enumerate(texts) if seen.is_mine(one)]
    if now is None or not mine:
        return seen.absent(intent, number)
    if mine[0] == 0 and texts[0][0].write.kind != intent.write.kind:
        return moot(intent, "it goes with what it changed")
    if texts[mine[0]][0].id != intent.id:
        return moot(intent, "it goes with the run's first change of this text")
    if mine[0] == 0:
        return left(intent, "what it said before is not known")
    if body_hash(now) == body_hash(texts[mine[-1]][1]):
        return seen.take_back(intent, restore(now, texts[mine[0] - 1][1]))
    later = texts[mine[-1] + 1 :]
    return left(intent, "a later run changed it since" if ours_still(now, later) else EDITED)
