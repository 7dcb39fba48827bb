"""A forge with something to do for a write of every kind, and the writes."""

from __future__ import annotations

from harness.edges.github.reading import GithubReading
from harness.edges.github.wire import Wire
from harness.facts.intents import (
    Assign,
    BackToDraft,
    CloseItem,
    CommentOn,
    CreateIssue,
    DeleteBranch,
    DeleteComment,
    DeletePendingReview,
    EditBody,
    EditComment,
    EditIssue,
    InlineNote,
    Label,
    MakeCheckRun,
    MarkReady,
    Merge,
    Minimise,
    OpenPull,
    PostReview,
    Precondition,
    Push,
    PushLedger,
    React,
    ReopenItem,
    ReplaceReview,
    ReplyIn,
    RequestReview,
    Resolve,
    SetStatus,
    Unassign,
    Unlabel,
    Write,
)
from harness.rehearsal.demo.story import BOT, MAINTAINER, SLUG
from harness.rehearsal.github.people import People
from harness.rules.body_hash import body_hash
from tests.stories.stage import TOKEN, Stage

OURS, DRAFT, FILED = 5, 6, 7  # two pull requests and an issue of ours
BRANCH = "harness/issue-1"

REST = (
    *("open_pull", "comment", "edit_comment", "edit_body", "edit_issue", "create_issue"),
    *("reply", "review", "replace_review", "delete_pending_review", "resolve", "react"),
    *("label", "unlabel", "assign", "unassign", "request_review", "close", "reopen"),
    *("mark_ready", "back_to_draft", "minimise", "delete_comment", "merge", "status"),
)
GIT = ("push", "delete_branch", "push_ledger")


def furnish_writes(stage: Stage) -> dict[str, Write]:
    """Write by kind; each can be made now."""
    people = stage.forge.people
    head = _open_pulls(people)
    node, thread, first = _talk(stage, people)
    people.open_issue(SLUG, BOT, "Ours", "body")
    people.close(SLUG, BOT, FILED)
    people.label(SLUG, MAINTAINER, 1, "triage/later")
    people.assign(SLUG, MAINTAINER, 1, MAINTAINER)
    old = people.comment(SLUG, BOT, 1, "old words")
    gone = people.comment(SLUG, BOT, 1, "to go")
    said = people.review(SLUG, BOT, OURS, "COMMENT", "said")
    pending = people.review(SLUG, BOT, DRAFT, "", "not said")
    pushed = people.commit(SLUG, MAINTAINER, "feature", {"e.py": "x\n"}, "E")
    note = InlineNote(path="a.py", start_line=0, line=2, body="here")
    writes: tuple[Write, ...] = (
        OpenPull(branch="harness/issue-8", base="main", title="Eight", body="b", draft=False),
        CommentOn(number=1, body="hello"),
        EditComment(number=1, comment_id=old, body="new words", was=body_hash("old words")),
        EditBody(number=OURS, body="new body", was=body_hash("Closes #1")),
        EditIssue(number=FILED, title="Ours, better", was=body_hash("Ours")),
        CreateIssue(title="Filed", body="why", labels=("bug",)),
        ReplyIn(number=OURS, comment_id=first, body="because"),
        PostReview(number=OURS, commit=head, body="r", event="COMMENT", notes=(note,)),
        ReplaceReview(number=OURS, review_id=said, body="withdrawn", was=body_hash("said")),
        DeletePendingReview(number=DRAFT, review_id=pending),
        Resolve(number=OURS, thread_id=thread),
        React(number=1, comment_id=0, where="issue", content="eyes"),
        Label(number=1, name="harness: needs a person"),
        Unlabel(number=1, name="triage/later"),
        Assign(number=2, logins=(MAINTAINER,)),
        Unassign(number=1, logins=(MAINTAINER,)),
        RequestReview(number=OURS, logins=(MAINTAINER,)),
        CloseItem(number=1, reason="not_planned"),
        ReopenItem(number=FILED),
        MarkReady(number=DRAFT),
        BackToDraft(number=OURS),
        Minimise(number=OURS, node_id=node),
        DeleteComment(number=1, comment_id=gone, where="issue"),
        Merge(number=OURS, sha=head, method="squash", title="Fix (#5)", message=""),
        SetStatus(sha=head, context="harness/review", state="success", description="d"),
        MakeCheckRun(sha=head, name="harness", conclusion="success", title="t", summary="s"),
        Push(branch="harness/issue-7", sha=pushed, expected=""),
        DeleteBranch(branch="harness/issue-8", sha=people.branch_off(SLUG, "x", "harness/issue-8")),
        PushLedger(ref="refs/harness/ledger", sha=pushed, expected=""),
    )
    return {write.kind: write for write in writes}


def needs_of(write: Write) -> Precondition:
    """What a story would ask for."""
    match write:
        case Merge(number=number, sha=sha):
            return Precondition(pull=number, head=sha, state="open")
        case _:
            return Precondition()


def _open_pulls(people: People) -> str:
    """The head of pull request 5; 6 is a draft, and a third branch has none."""
    head = people.commit(SLUG, BOT, BRANCH, {"a.py": "one\nTWO\n", "b.py": "x\ny\n"}, "Fix")
    people.open_pull(SLUG, BOT, BRANCH, "Fix", "Closes #1")
    people.commit(SLUG, BOT, "harness/issue-9", {"c.py": "x\n"}, "C")
    people.open_pull(SLUG, BOT, "harness/issue-9", "Draft", draft=True)
    people.commit(SLUG, BOT, "harness/issue-8", {"d.py": "x\n"}, "D")
    return head


def _talk(stage: Stage, people: People) -> tuple[str, str, int]:
    """A comment of ours to fold, a thread to resolve, and that thread's first comment."""
    first = people.note(SLUG, MAINTAINER, OURS, "a.py", 2, "why?")
    ours = people.note(SLUG, BOT, OURS, "b.py", 1, "outdated")
    wire = Wire(stage.forge.url, lambda: TOKEN)
    threads = GithubReading(wire, SLUG).threads(OURS)
    wire.close()
    comments = [one for thread in threads for one in thread.comments]
    node = next(one.node_id for one in comments if one.id == ours)
    return node, next(one.id for one in threads if one.comments[0].id == first), first
