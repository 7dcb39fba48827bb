"""What people said of an item, and which of it a review was shown.

A word is known by where it stands, its id and its text, not by a time: clocks differ, an answer may
be under way while it is said, and one that is changed later is another word.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Literal

from harness.facts.briefing import Material, Said
from harness.facts.case import OF_TEXT, IssueText, Word
from harness.facts.forge import Comment, ForgeReview, Issue
from harness.rules.triage import text_hash

VERDICTS = frozenset({"APPROVED", "CHANGES_REQUESTED"})


def key_of(comment: Comment) -> str:
    """What one text is known by."""
    digest = sha256(comment.body.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{comment.where}:{comment.id}:{digest[:16]}"


def text_of(issue: Issue) -> IssueText:
    """The text of an issue, as custody sees it."""
    key = f"{OF_TEXT}{text_hash(issue)[:16]}"
    return IssueText(key=key, title=issue.title, body=issue.body)


def as_words(said: Iterable[Said], place: Literal["issue", "pull"]) -> tuple[Word, ...]:
    """Comments as custody sees them."""
    return tuple(
        Word(
            key=key_of(one.comment),
            by=one.comment.author.login,
            at=one.comment.created_at,
            may_write=one.permission.may_write,
            place=place,
        )
        for one in said
    )


def heard_in(material: Material) -> tuple[str, ...]:
    """The keys of everything that people said in what an agent is given, the issue with it."""
    texts = (text_of(material.thread.issue).key,) if material.thread else ()
    on_issue = material.thread.comments if material.thread else ()
    on_pull = material.pull.said if material.pull else ()
    return (*texts, *(key_of(one.comment) for one in (*on_issue, *on_pull)))


def as_comment(review: ForgeReview) -> Comment | None:
    """A submitted review as the text it is; None for a draft, which nobody has said yet."""
    if review.submitted_at is None or review.state == "PENDING":
        return None
    return Comment(
        id=review.id,
        node_id="",
        where="review",
        author=review.author,
        body=review.body,
        created_at=review.submitted_at,
        updated_at=review.submitted_at,
        url="",
        reply_to=0,
    )
