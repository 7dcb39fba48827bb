"""Each kind of write: made once, found by reading back, and not found before."""

from __future__ import annotations

import pytest

from harness.errors import ForgeError
from harness.facts.intents import (
    Assign,
    BackToDraft,
    CloseItem,
    CommentOn,
    CreateIssue,
    DeleteBranch,
    DeleteComment,
    EditBody,
    EditComment,
    EditIssue,
    InlineNote,
    Label,
    MarkReady,
    Merge,
    Minimise,
    OpenPull,
    PostReview,
    Push,
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
from harness.rehearsal.github import Fault
from harness.rules.body_hash import body_hash
from tests.edges.github.world import SLUG, World

FORK = "harness/issue-9"


@pytest.fixture
def thread(world: World, head: str) -> int:
    """The first comment of a thread on pull request 2."""
    return world.double.people.note(SLUG, "alice", 2, "a.py", 2, "why?")


def kinds(world: World, head: str, thread: int) -> dict[str, Write]:
    """A write of every kind that this edge makes and can find again."""
    people = world.double.people
    people.label(SLUG, "alice", 1, "triage/later")
    people.assign(SLUG, "alice", 1, "alice")
    people.commit(SLUG, "harness-bot", FORK, {"c.py": "x\n"}, "C")
    people.open_issue(SLUG, "harness-bot", "Ours", "body")
    people.close(SLUG, "harness-bot", 3)
    ours = people.comment(SLUG, "harness-bot", 1, "old words")
    other = people.comment(SLUG, "harness-bot", 1, "to go")
    folded = people.note(SLUG, "harness-bot", 2, "b.py", 1, "outdated")
    review = people.review(SLUG, "harness-bot", 2, "COMMENT", "said")
    people.set_draft(SLUG, "harness-bot", 2, draft=True)
    draft = people.open_pull(SLUG, "harness-bot", FORK, "Draft")
    threads = world.reading.threads(2)
    node = next(one.comments[0].node_id for one in threads if one.comments[0].id == folded)
    note = InlineNote(path="a.py", start_line=1, line=2, body="here")
    people.branch_off(SLUG, "harness/issue-8", "main")
    people.commit(SLUG, "harness-bot", "harness/issue-8", {"d.py": "x\n"}, "D")
    return {
        "open_pull": OpenPull(
            branch="harness/issue-8", base="main", title="Eight", body="b", draft=False
        ),
        "comment": CommentOn(number=1, body="hello"),
        "edit_comment": EditComment(
            number=1, comment_id=ours, body="new words", was=body_hash("old words")
        ),
        "edit_body": EditBody(number=2, body="new body", was=body_hash("Fixes #1")),
        "edit_issue": EditIssue(number=3, title="Ours, better", was=body_hash("Ours")),
        "mark_ready": MarkReady(number=2),
        "back_to_draft": BackToDraft(number=draft),
        "review": PostReview(number=2, commit=head, body="r", event="COMMENT", notes=(note,)),
        "replace_review": ReplaceReview(
            number=2, review_id=review, body="withdrawn", was=body_hash("said")
        ),
        "reply": ReplyIn(number=2, comment_id=thread, body="because"),
        "resolve": Resolve(number=2, thread_id=threads[0].id),
        "label": Label(number=1, name="harness: needs a person"),
        "unlabel": Unlabel(number=1, name="triage/later"),
        "assign": Assign(number=2, logins=("alice",)),
        "unassign": Unassign(number=1, logins=("alice",)),
        "request_review": RequestReview(number=2, logins=("alice",)),
        "create_issue": CreateIssue(title="Filed", body="why", labels=("bug",)),
        "close": CloseItem(number=1, reason="not_planned"),
        "reopen": ReopenItem(number=3),
        "status": SetStatus(
            sha=head, context="harness/review", state="success", description="d" * 200
        ),
        "delete_comment": DeleteComment(number=1, comment_id=other, where="issue"),
        "minimise": Minimise(number=2, node_id=node),
    }


KINDS = (
    *("open_pull", "comment", "edit_comment", "edit_body", "edit_issue", "mark_ready"),
    *("back_to_draft", "review", "replace_review", "reply", "resolve", "label", "unlabel"),
    *("assign", "unassign", "request_review", "create_issue", "close", "reopen", "status"),
    *("delete_comment", "minimise"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_write_is_not_there_before_and_is_found_after(
    world: World, head: str, thread: int, kind: str
) -> None:
    intent = world.intent(kinds(world, head, thread)[kind])
    assert intent.write.kind == kind
    assert (world.writing.unmet(intent), world.writing.read_back(intent)) == ("", None)

    receipt = world.writing.deliver(intent)

    found = world.writing.read_back(intent)
    assert found is not None
    assert found.id in {0, receipt.id}
    assert world.writing.unmet(intent) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_write_whose_answer_was_lost_is_found(
    world: World, head: str, thread: int, kind: str
) -> None:
    intent = world.intent(kinds(world, head, thread)[kind])
    world.double.fail(Fault("error_after", method="write"))

    with pytest.raises(ForgeError) as caught:
        world.writing.deliver(intent)

    assert caught.value.may_have_happened
    assert world.writing.read_back(intent) is not None


@pytest.mark.parametrize(
    "write",
    [
        Push(branch="b", sha="a" * 40, expected=""),
        DeleteBranch(branch="b", sha="a" * 40),
    ],
    ids=["push", "delete-branch"],
)
def test_what_git_does_is_not_done_here(world: World, write: Write) -> None:
    with pytest.raises(TypeError):
        world.writing.deliver(world.intent(write))


def test_a_reaction_twice_is_one(world: World) -> None:
    intent = world.intent(React(number=1, comment_id=0, where="issue", content="eyes"))

    first, second = world.writing.deliver(intent), world.writing.deliver(intent)

    assert first.id == second.id
    assert world.writing.read_back(intent) is None


def test_a_merge_is_found_with_its_commit(world: World, head: str) -> None:
    merge = Merge(number=2, sha=head, method="squash", title="Fix (#2)", message="")
    intent = world.intent(merge)
    before = world.writing.read_back(intent)

    receipt = world.writing.deliver(intent)

    found = world.writing.read_back(intent)
    assert before is None
    assert found is not None
    assert found.sha == receipt.sha == world.reading.pull(2).merge_sha
    assert world.reading.issue(1).state == "closed"


def test_a_merge_of_a_head_that_moved_is_a_conflict(world: World, head: str) -> None:
    world.double.people.commit(SLUG, "alice", "harness/issue-1", {"z.py": "z\n"}, "More")
    intent = world.intent(Merge(number=2, sha=head, method="merge", title="", message=""))

    with pytest.raises(ForgeError) as caught:
        world.writing.deliver(intent)

    assert (caught.value.reason, caught.value.status) == ("conflict", 409)
    assert "the head moved" in world.writing.unmet(intent)
    assert world.writing.read_back(intent) is None
