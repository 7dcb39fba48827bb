from __future__ import annotations

import pytest

from harness.facts.intents import (
    CommentOn,
    CreateIssue,
    EditBody,
    EditIssue,
    InlineNote,
    MakeCheckRun,
    Merge,
    OpenPull,
    PostReview,
    Push,
    ReplaceReview,
    ReplyIn,
    SetStatus,
    Write,
)
from harness.rules.outgoing import OutgoingPolicy, pass_write

POLICY = OutgoingPolicy(mask=lambda text: text.replace("s3cret", "****"), closes=frozenset({3}))
TEXT = "s3cret @eve fixes #3"
SILENT = "**** @\u200beve fi\u200bxes #3"
CLOSING = "**** @\u200beve fixes #3"
TITLE = "**** @ eve fixes # 3"


@pytest.mark.parametrize(
    ("write", "passed"),
    [
        (CommentOn(number=1, body=TEXT), CommentOn(number=1, body=SILENT)),
        (
            ReplyIn(number=1, comment_id=2, body=TEXT),
            ReplyIn(number=1, comment_id=2, body=SILENT),
        ),
        (
            CreateIssue(title=TEXT, body=TEXT, labels=()),
            CreateIssue(title=TITLE, body=SILENT, labels=()),
        ),
        (
            EditBody(number=1, body=TEXT, was=""),
            EditBody(number=1, body=CLOSING, was=""),
        ),
        (EditIssue(number=1, title=TEXT, was=""), EditIssue(number=1, title=TITLE, was="")),
        (
            ReplaceReview(number=1, review_id=2, body=TEXT, was=""),
            ReplaceReview(number=1, review_id=2, body=SILENT, was=""),
        ),
        (
            SetStatus(sha="a", context="c", state="success", description=TEXT),
            SetStatus(sha="a", context="c", state="success", description=TITLE),
        ),
        (
            MakeCheckRun(sha="a", name="n", conclusion="success", title=TEXT, summary=TEXT),
            MakeCheckRun(sha="a", name="n", conclusion="success", title=TITLE, summary=SILENT),
        ),
        (
            Merge(number=1, sha="a", method="squash", title=TEXT, message=TEXT),
            Merge(number=1, sha="a", method="squash", title=TITLE, message="**** @ eve fixes #3"),
        ),
        (
            PostReview(
                number=1,
                commit="a",
                body=TEXT,
                event="COMMENT",
                notes=(InlineNote(path="p", start_line=0, line=1, body=TEXT),),
            ),
            PostReview(
                number=1,
                commit="a",
                body=SILENT,
                event="COMMENT",
                notes=(InlineNote(path="p", start_line=0, line=1, body=SILENT),),
            ),
        ),
    ],
    ids=lambda write: str(write.kind),
)
def test_every_text_of_a_write_is_passed(write: Write, passed: Write) -> None:
    assert pass_write(write, POLICY) == passed


def test_a_pull_request_closes_the_issue_its_branch_is_named_for() -> None:
    write = OpenPull(
        branch="harness/issue-7-2",
        base="main",
        title="Fixes #7",
        body="Closes #7, closes #8",
        draft=False,
    )

    done = pass_write(write, OutgoingPolicy(mask=str))

    assert isinstance(done, OpenPull)
    assert done.title == "Fixes # 7"
    assert done.body == "Closes #7, cl\u200boses #8"


def test_a_merge_closes_the_issue_it_names() -> None:
    write = Merge(
        number=1, sha="a", method="squash", title="t", message="Closes #7, closes #8", closes=7
    )

    done = pass_write(write, OutgoingPolicy(mask=str))

    assert isinstance(done, Merge)
    assert done.message == "Closes #7, closes # 8"


def test_a_write_without_words_is_unchanged() -> None:
    push = Push(branch="b", sha="a", expected="")

    assert pass_write(push, POLICY) is push


def test_a_passed_write_stays_as_it_is() -> None:
    once = pass_write(CommentOn(number=1, body=TEXT), POLICY)

    assert pass_write(once, POLICY) == once
