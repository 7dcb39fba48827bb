"""What is ours and what only looks so; what a person did meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest

from harness.errors import ForgeError
from harness.facts.intents import (
    Assign,
    CloseItem,
    CommentOn,
    DeleteComment,
    DeletePendingReview,
    EditBody,
    EditComment,
    Label,
    Merge,
    OpenPull,
    PostReview,
    Precondition,
    ReopenItem,
    ReplyIn,
    SetStatus,
)
from harness.rehearsal.github import Fault
from harness.rules.body_hash import body_hash
from tests.edges.github.world import SLUG, World

PULL = OpenPull(branch="harness/issue-1", base="main", title="Fix", body="b", draft=False)


# -- the marker --------------------------------------------------------------------------------
def test_a_copied_marker_of_somebody_else_proves_nothing(world: World) -> None:
    intent = world.intent(CommentOn(number=1, body="hello"))
    assert isinstance(intent.write, CommentOn)
    world.double.people.comment(SLUG, "stranger", 1, intent.write.body)

    assert world.writing.read_back(intent) is None


def test_a_marker_in_another_place_proves_nothing(world: World) -> None:
    world.double.people.open_issue(SLUG, "alice", "Other")
    intent = world.intent(CommentOn(number=1, body="hello"))
    assert isinstance(intent.write, CommentOn)
    world.double.people.comment(SLUG, "harness-bot", 2, intent.write.body)

    assert world.writing.read_back(intent) is None


def test_a_marker_older_than_the_intent_proves_nothing(world: World) -> None:
    intent = world.intent(CommentOn(number=1, body="hello"))
    assert isinstance(intent.write, CommentOn)
    old = world.double.people.comment(SLUG, "harness-bot", 1, intent.write.body)
    later = intent.model_copy(update={"forge_time": intent.forge_time + timedelta(hours=1)})
    world.double.wait(7200)
    world.double.people.edit_comment(SLUG, 1, old, intent.write.body)  # `since` shows it again

    assert world.writing.read_back(intent) is not None
    assert world.writing.read_back(later) is None


def test_a_reply_in_another_thread_is_not_ours(world: World, head: str) -> None:
    people = world.double.people
    here = people.note(SLUG, "alice", 2, "a.py", 2, "why?")
    there = people.note(SLUG, "alice", 2, "b.py", 1, "and?")
    intent = world.intent(ReplyIn(number=2, comment_id=here, body="because"))
    assert isinstance(intent.write, ReplyIn)
    people.reply(SLUG, "harness-bot", 2, there, intent.write.body)

    assert world.writing.read_back(intent) is None


def test_a_late_write_is_found_once_it_has_landed(world: World) -> None:
    intent = world.intent(CommentOn(number=1, body="hello"))
    world.double.fail(Fault("late", method="POST", seconds=30))
    with pytest.raises(ForgeError):
        world.writing.deliver(intent)

    before = world.writing.read_back(intent)
    world.double.wait(40)

    assert before is None
    assert world.writing.read_back(intent) is not None


# -- pull requests -----------------------------------------------------------------------------
def test_an_open_pull_request_of_the_branch_is_adopted(world: World, head: str) -> None:
    intent = world.intent(PULL)

    with pytest.raises(ForgeError, match="already exists") as caught:
        world.writing.deliver(intent)

    found = world.writing.read_back(intent)
    assert caught.value.reason == "unprocessable"
    assert not caught.value.may_have_happened
    assert found is not None
    assert (found.number, found.sha) == (2, head)


def test_a_closed_pull_request_is_a_persons_no(world: World, head: str) -> None:
    world.double.people.close(SLUG, "alice", 2)
    intent = world.intent(PULL)

    assert world.writing.unmet(intent) == (
        "pull request #2 from harness/issue-1 was closed by a person"
    )
    assert world.writing.read_back(intent) is None


def test_a_pull_request_that_we_opened_and_a_person_closed_at_once_did_happen(
    world: World,
) -> None:
    world.double.people.commit(SLUG, "harness-bot", "harness/issue-1", {"b": "c\n"}, "Fix")
    intent = world.intent(PULL)
    number = world.writing.deliver(intent).number
    world.double.people.close(SLUG, "alice", number)

    found = world.writing.read_back(intent)

    assert found is not None
    assert found.number == number


# -- what a person undid -----------------------------------------------------------------------
def test_a_label_that_a_person_took_off_was_put_on(world: World) -> None:
    intent = world.intent(Label(number=1, name="harness: needs a person"))
    world.writing.deliver(intent)
    world.double.people.unlabel(SLUG, "alice", 1, "harness: needs a person")

    assert world.writing.read_back(intent) is not None


def test_a_label_of_another_name_or_by_another_hand_was_not(world: World) -> None:
    world.double.people.label(SLUG, "alice", 1, "x")
    world.double.people.unlabel(SLUG, "alice", 1, "x")
    world.writing.deliver(world.intent(Label(number=1, name="y")))

    assert world.writing.read_back(world.intent(Label(number=1, name="x"))) is None


def test_an_issue_that_a_person_reopened_was_closed(world: World) -> None:
    intent = world.intent(CloseItem(number=1, reason="completed"))
    world.writing.deliver(intent)
    world.double.people.reopen(SLUG, "alice", 1)

    assert world.writing.read_back(intent) is not None


def test_who_cannot_be_assigned_is_not_found(world: World) -> None:
    world.double.people.join("stranger")
    intent = world.intent(Assign(number=1, logins=("alice", "stranger")))
    world.writing.deliver(intent)

    assert world.reading.issue(1).assignees == ("alice",)
    assert world.writing.read_back(intent) is None


def test_only_what_we_closed_is_reopened(world: World) -> None:
    world.double.people.close(SLUG, "alice", 1)

    assert world.writing.unmet(world.intent(ReopenItem(number=1))) == "#1 was closed by alice"


# -- edits -------------------------------------------------------------------------------------
def test_a_comment_that_a_person_edited_is_left_alone(world: World) -> None:
    people = world.double.people
    ours = people.comment(SLUG, "harness-bot", 1, "old")
    edit = EditComment(number=1, comment_id=ours, body="new", was=body_hash("old"))
    intent = world.intent(edit)
    before = world.writing.unmet(intent)
    people.edit_comment(SLUG, 1, ours, "old, and more")

    assert (before, world.writing.unmet(intent)) == ("", "a person edited it")


def test_a_body_that_a_person_edited_is_left_alone(world: World, head: str) -> None:
    intent = world.intent(EditBody(number=2, body="new", was=body_hash("Fixes #1")))
    world.double.people.edit(SLUG, "alice", 2, body="Mine now")

    assert world.writing.unmet(intent) == "a person edited it"


def test_trailing_blanks_and_line_ends_are_no_edit(world: World) -> None:
    ours = world.double.people.comment(SLUG, "harness-bot", 1, "old  \r\nwords\r\n")
    edit = EditComment(number=1, comment_id=ours, body="new", was=body_hash("old\nwords"))

    assert world.writing.unmet(world.intent(edit)) == ""


def test_a_comment_that_is_not_ours_or_not_there_is_not_touched(world: World) -> None:
    people = world.double.people
    theirs = people.comment(SLUG, "alice", 1, "hers")
    gone = people.comment(SLUG, "harness-bot", 1, "ours")
    people.delete_comment(SLUG, "alice", 1, gone)
    ours = people.comment(SLUG, "harness-bot", 1, "ours, and more")

    foreign = world.intent(DeleteComment(number=1, comment_id=theirs, where="issue"))
    edited = world.intent(
        DeleteComment(number=1, comment_id=ours, where="issue", was=body_hash("ours"))
    )
    missing = world.intent(EditComment(number=1, comment_id=gone, body="x", was=""))

    assert world.writing.unmet(foreign) == "it is not ours"
    assert world.writing.unmet(edited) == "a person edited it"
    assert "not there any more" in world.writing.unmet(missing)


# -- reviews -----------------------------------------------------------------------------------
def review(head: str, **more: object) -> PostReview:
    return PostReview.model_validate(
        {"number": 2, "commit": head, "body": "r", "event": "COMMENT", "notes": (), **more}
    )


def test_a_persons_draft_review_under_our_login_is_not_touched(world: World, head: str) -> None:
    draft = world.double.people.review(SLUG, "harness-bot", 2, "", "my own thoughts")
    intent = world.intent(review(head))

    assert world.writing.unmet(intent) == (
        f"an unpublished draft review of our login stands there (review {draft})"
    )


def test_our_own_leftover_of_this_write_is_submitted(world: World, head: str) -> None:
    intent = world.intent(review(head))
    assert isinstance(intent.write, PostReview)
    left = world.double.people.review(SLUG, "harness-bot", 2, "", intent.write.body)
    assert (world.writing.unmet(intent), world.writing.read_back(intent)) == ("", None)

    receipt = world.writing.deliver(intent)

    assert receipt.id == left
    assert [one.state for one in world.reading.reviews(2)] == ["COMMENTED"]


def test_a_leftover_can_be_deleted(world: World, head: str) -> None:
    left = world.double.people.review(SLUG, "harness-bot", 2, "", "x")
    intent = world.intent(DeletePendingReview(number=2, review_id=left))
    before = world.writing.read_back(intent)
    world.writing.deliver(intent)

    assert before is None
    assert world.writing.read_back(intent) is not None
    assert world.reading.reviews(2) == ()


def test_a_review_is_pinned_to_the_commit_that_was_read(world: World, head: str) -> None:
    world.double.people.commit(SLUG, "alice", "harness/issue-1", {"z.py": "z\n"}, "More")
    intent = world.intent(review(head))
    world.writing.deliver(intent)

    (posted,) = world.reading.reviews(2)

    found = world.writing.read_back(intent)
    assert posted.commit == head != world.reading.pull(2).head_sha
    assert found is not None
    assert found.sha == head


def test_a_review_among_two_hundred_is_found(world: World, head: str) -> None:
    intent = world.intent(review(head))
    world.writing.deliver(intent)
    for index in range(120):
        world.double.people.review(SLUG, "alice", 2, "COMMENT", f"word {index}")

    assert world.writing.read_back(intent) is not None


def test_approving_our_own_pull_request_is_refused(world: World, head: str) -> None:
    with pytest.raises(ForgeError, match="Can not approve your own") as caught:
        world.writing.deliver(world.intent(review(head, event="APPROVE")))

    assert caught.value.reason == "unprocessable"


# -- preconditions -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("push", "the head moved"),
        ("close", "pull request #2 is closed"),
        ("merge", "pull request #2 is merged"),
        ("turn", "pull request #2 goes into release, not main"),
    ],
    ids=["push", "close", "merge", "turn"],
)
def test_what_happened_meanwhile_drops_the_write(
    world: World, head: str, act: str, reason: str
) -> None:
    people = world.double.people
    needs = Precondition(pull=2, head=head, base="main", state="open")
    status = SetStatus(sha=head, context="harness/review", state="success", description="")
    intent = world.intent(status, needs)
    before = world.writing.unmet(intent)
    if act == "push":
        people.commit(SLUG, "alice", "harness/issue-1", {"z.py": "z\n"}, "More")
    elif act == "turn":
        people.branch_off(SLUG, "release", "main")
        people.retarget(SLUG, "alice", 2, "release")
    else:
        people.close(SLUG, "alice", 2) if act == "close" else people.merge(SLUG, "alice", 2)

    assert before == ""
    assert world.writing.unmet(intent).startswith(reason)


def test_an_issue_that_closed_or_went_away_drops_the_write(world: World) -> None:
    intent = world.intent(CommentOn(number=1, body="x"), Precondition(item=1, item_state="open"))
    world.double.people.close(SLUG, "alice", 1)
    closed = world.writing.unmet(intent)
    world.double.people.delete_item(SLUG, 1)

    assert closed == "issue #1 is closed"
    assert "not there any more" in world.writing.unmet(intent)


def test_a_closed_pull_request_is_not_merged(world: World, head: str) -> None:
    world.double.people.close(SLUG, "alice", 2)
    intent = world.intent(Merge(number=2, sha=head, method="merge", title="", message=""))

    assert world.writing.unmet(intent) == "pull request #2 is closed"


# -- the forge's bad days ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("act", "reason"),
    [("lock", "locked"), ("permission", "forbidden"), ("archive", "forbidden")],
    ids=["locked", "permission-removed", "archived"],
)
def test_a_write_that_is_not_allowed_says_why(world: World, act: str, reason: str) -> None:
    people = world.double.people
    if act == "archive":
        people.archive(SLUG)
    else:
        people.allow(SLUG, "harness-bot", "read")
        people.lock(SLUG, "alice", 1)
    write = Label(number=1, name="x") if act == "permission" else CommentOn(number=1, body="x")

    with pytest.raises(ForgeError) as caught:
        world.writing.deliver(world.intent(write))

    assert caught.value.reason == reason
    assert not caught.value.may_have_happened
