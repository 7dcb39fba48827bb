from __future__ import annotations

from typing import Any

import pytest

from harness.facts.intents import (
    Assign,
    CloseItem,
    CommentOn,
    CreateIssue,
    EditBody,
    EditComment,
    EditIssue,
    InlineNote,
    Label,
    MarkReady,
    Merge,
    OpenPull,
    PostReview,
    Push,
    ReopenItem,
    ReplyIn,
    Resolve,
    SetStatus,
    Unlabel,
    Write,
)
from harness.facts.undoing import BranchNow, LeftThere, Moot, StatusNow, TakeBack
from harness.rules.body_hash import body_hash
from harness.rules.markers import note_nonce
from harness.rules.undo import branches_given_up, is_over, same_verdict, wanted
from tests.rules.undo.conftest import (
    ADA,
    US,
    World,
    comment,
    commit,
    happening,
    pull_now,
    review,
    thread,
    told,
)

SHA, OLD, TIP = "a" * 40, "0" * 40, "f" * 40
BRANCH = "harness/issue-12"
PUSH = Push(branch=BRANCH, sha=SHA, expected="")
OPEN = OpenPull(branch=BRANCH, base="main", title="t", body="b", draft=False)


PAGE = "https://forge.example/ada/other/issues/3"


@pytest.mark.parametrize(("page", "where"), [(PAGE, f" to {PAGE}"), ("", "")])
@pytest.mark.parametrize(
    "write",
    [
        CommentOn(number=12, body="hello"),
        EditComment(number=12, comment_id=70, body="b", was=""),
        EditBody(number=12, body="b", was=""),
        Label(number=12, name="bug"),
        Assign(number=12, logins=("ada",)),
        CloseItem(number=12, reason="completed"),
    ],
    ids=lambda write: getattr(write, "kind", None),
)
def test_what_went_along_with_a_transferred_issue_is_left_with_its_new_place(
    world: World, write: Write, page: str, where: str
) -> None:
    world.wrote(write, id=70)
    world.moved[12] = page

    (verdict,) = world.verdicts()

    assert isinstance(verdict, LeftThere)
    assert verdict.why == f"it went along with #12, which was transferred{where}"


# -- texts --------------------------------------------------------------------------------------
def test_a_comment_that_says_what_we_wrote_is_deleted(world: World) -> None:
    world.wrote(CommentOn(number=12, body="hello"), id=70)
    world.stands(comments=(comment(70, "hello\r\n"),))

    (verdict,) = world.verdicts()

    assert isinstance(verdict, TakeBack)
    assert verdict.purpose == "undo:intent-0"
    assert verdict.write.model_dump() == {
        "kind": "delete_comment",
        "number": 12,
        "comment_id": 70,
        "where": "issue",
        "was": body_hash("hello"),
    }


def test_a_comment_that_a_person_edited_is_left(world: World) -> None:
    world.wrote(CommentOn(number=12, body="hello"), id=70)
    world.stands(comments=(comment(70, "hello, I add this"),))

    assert told(world.verdicts()) == ["LeftThere a person edited it since"]


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("hello", "TakeBack delete_comment"),
        ("hello, I add this", "LeftThere a person edited it since"),
        ("", "Moot it is not there any more"),
    ],
)
def test_what_was_to_be_taken_back_is_judged_by_what_is_there_now(
    world: World, now: str, expected: str
) -> None:
    world.wrote(CommentOn(number=12, body="hello"), id=70)
    world.wrote(CommentOn(number=12, body="other"), id=71)
    world.stands(comments=(comment(70, "hello"), comment(71, "other")))
    _, before = world.verdicts()
    assert isinstance(before, TakeBack)

    world.stands(comments=(comment(70, now),) if now else ())

    assert told([same_verdict(before, world.verdicts())]) == [expected]


def test_a_reply_in_a_thread_is_found_there(world: World) -> None:
    world.wrote(ReplyIn(number=5, comment_id=60, body="done"), id=71)
    world.stands(5, pull=pull_now(), threads=(thread(comment(60, "?", ADA), comment(71, "done")),))

    (verdict,) = world.verdicts()

    assert isinstance(verdict, TakeBack)
    assert getattr(verdict.write, "where", "") == "thread"


def test_what_is_gone_needs_nothing(world: World) -> None:
    world.wrote(CommentOn(number=12, body="hello"), id=70)
    world.wrote(Label(number=13, name="x"))
    world.stands(12)

    assert told(world.verdicts()) == ["Moot it is not there any more"] * 2


def test_a_comment_of_the_run_is_deleted_with_all_later_edits_of_ours(world: World) -> None:
    world.wrote(CommentOn(number=5, body="one"), id=70)
    world.wrote(EditComment(number=5, comment_id=70, body="two", was="x"))
    world.wrote(EditComment(number=5, comment_id=70, body="three", was="x"), run="run-b")
    world.stands(5, comments=(comment(70, "three"),))

    assert told(world.verdicts()) == [
        "Moot it goes with what it changed",
        "TakeBack delete_comment",
    ]


def test_edits_of_an_earlier_comment_say_again_what_it_said(world: World) -> None:
    world.wrote(CommentOn(number=5, body="one"), id=70, run="run-b")
    world.wrote(EditComment(number=5, comment_id=70, body="two", was="x"))
    world.wrote(EditComment(number=5, comment_id=70, body="three", was="x"))
    world.stands(5, comments=(comment(70, "three"),))

    newest, oldest = world.verdicts()

    assert isinstance(newest, Moot)
    assert isinstance(oldest, TakeBack)
    assert oldest.write == EditComment(number=5, comment_id=70, body="one", was=body_hash("three"))


@pytest.mark.parametrize(
    ("now", "why"),
    [("by hand", "a person edited it since"), ("later", "a later run changed it since")],
)
def test_an_edit_that_does_not_stand_any_more_is_left(world: World, now: str, why: str) -> None:
    world.wrote(CommentOn(number=5, body="one"), id=70, run="run-b")
    world.wrote(EditComment(number=5, comment_id=70, body="two", was="x"))
    world.wrote(EditComment(number=5, comment_id=70, body="later", was="x"), run="run-c")
    world.stands(5, comments=(comment(70, now),))

    assert told(world.verdicts()) == [f"LeftThere {why}"]


def test_a_body_and_a_title_are_restored_or_left_where_nothing_is_known(world: World) -> None:
    world.wrote(OPEN, number=5, run="run-b")
    world.wrote(EditBody(number=5, body="new", was="x"))
    world.wrote(EditIssue(number=5, title="New", was="x"))
    world.wrote(EditIssue(number=12, title="Other", was="x"))
    world.stands(5, body="new", title="New", pull=pull_now())
    world.stands(12, title="Other")

    verdicts = world.verdicts()

    assert told(verdicts) == [
        "LeftThere what it said before is not known",
        "TakeBack edit_issue",
        "TakeBack edit_body",
    ]


def test_a_review_is_replaced_and_its_unanswered_notes_deleted(world: World) -> None:
    notes = tuple(InlineNote(path="a.py", start_line=0, line=n, body=f"n{n}") for n in (1, 2))
    posted = world.wrote(
        PostReview(number=5, commit=SHA, body="all", event="COMMENT", notes=notes), id=90
    )
    marked = [
        f"n{n}\n\n<!-- harness:{note_nonce(posted.nonce, n - 1)}.{'0' * 32} -->" for n in (1, 2)
    ]
    write = posted.write.model_copy(
        update={
            "notes": tuple(
                note.model_copy(update={"body": body})
                for note, body in zip(notes, marked, strict=True)
            )
        }
    )
    world.story[0] = posted.model_copy(update={"write": write})
    answered = thread(comment(72, marked[1]), comment(73, "why?", ADA))
    world.stands(
        5,
        pull=pull_now(),
        reviews=(review(90, "all"),),
        threads=(thread(comment(71, marked[0])), answered, thread(comment(74, "else"))),
    )

    verdicts = world.verdicts()

    assert told(verdicts) == [
        "TakeBack replace_review",
        "TakeBack delete_comment",
        "LeftThere the note on a.py was answered",
    ]
    assert [one.purpose for one in verdicts if isinstance(one, TakeBack)] == [
        "undo:intent-0",
        "undo:intent-0/0",
    ]


def test_an_approval_is_left_to_be_dismissed(world: World) -> None:
    world.wrote(PostReview(number=5, commit=SHA, body="ok", event="APPROVE", notes=()), id=90)
    world.stands(5, pull=pull_now(), reviews=(review(90, "ok"),))

    assert told(world.verdicts()) == ["LeftThere it counts as an approval: dismiss it on the forge"]


# -- states -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("write", "now", "expected"),
    [
        (Label(number=12, name="Bug"), {"labels": ("bug",)}, "TakeBack unlabel"),
        (Label(number=12, name="bug"), {}, "Moot it is as it was before"),
        (Unlabel(number=12, name="bug"), {}, "TakeBack label"),
        (Unlabel(number=12, name="bug"), {"labels": ("bug",)}, "Moot it is as it was before"),
        (Assign(number=12, logins=("ada",)), {"assignees": ("Ada",)}, "TakeBack unassign"),
        (Assign(number=12, logins=("ada",)), {}, "Moot it is as it was before"),
        (CloseItem(number=12, reason=""), {"state": "closed"}, "TakeBack reopen"),
        (CloseItem(number=12, reason=""), {}, "Moot it is as it was before"),
        (ReopenItem(number=12), {}, "TakeBack close"),
    ],
)
def test_a_state_that_we_set_last_is_set_back(
    world: World, write: Write, now: dict[str, Any], expected: str
) -> None:
    world.wrote(write)
    world.stands(12, **now)

    assert told(world.verdicts()) == [expected]


@pytest.mark.parametrize(
    ("write", "now", "line"),
    [
        (Label(number=12, name="bug"), {"labels": ("bug",)}, ("labeled", "Bug")),
        (Assign(number=12, logins=("bob",)), {"assignees": ("bob",)}, ("assigned", "bob")),
        (CloseItem(number=12, reason=""), {"state": "closed"}, ("closed", "")),
        (ReopenItem(number=12), {}, ("reopened", "")),
    ],
)
def test_a_state_that_a_person_set_last_is_left(
    world: World, write: Write, now: dict[str, Any], line: tuple[str, str]
) -> None:
    kind, detail = line
    timeline = (happening(kind, US, detail), happening(kind, ADA, detail))
    world.wrote(write)
    world.stands(12, timeline=timeline, **now)

    (verdict,) = world.verdicts()

    assert isinstance(verdict, LeftThere)
    assert verdict.why.startswith("ada ")


def test_of_several_people_only_those_we_assigned_are_unassigned(world: World) -> None:
    world.wrote(Assign(number=12, logins=("ada", "bob")))
    lines = (happening("assigned", ADA, "ada"), happening("assigned", US, "bob"))
    world.stands(12, assignees=("ada", "bob"), timeline=lines)

    (verdict,) = world.verdicts()

    assert isinstance(verdict, TakeBack)
    assert getattr(verdict.write, "logins", ()) == ("bob",)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({"body": "b"}, "TakeBack close"),
        ({"body": "b", "state": "closed"}, "Moot it is closed already"),
        ({"body": "mine now"}, "LeftThere a person edited it since"),
        ({"body": "b", "comments": (comment(1, "?", ADA),)}, "LeftThere ada took it up since"),
        (
            {"body": "b", "timeline": (happening("reopened", ADA),)},
            "LeftThere ada took it up since",
        ),
    ],
)
def test_an_issue_we_filed_is_closed_unless_people_took_it_up(
    world: World, now: dict[str, Any], expected: str
) -> None:
    world.wrote(CreateIssue(title="t", body="b", labels=()), number=30)
    world.stands(30, author=US, **now)

    assert told(world.verdicts()) == [expected]


def test_ready_goes_back_to_draft_only_on_a_pull_request_of_an_earlier_run(world: World) -> None:
    world.wrote(MarkReady(number=5))
    world.stands(5, pull=pull_now())
    alone = told(world.verdicts())
    world.story.insert(0, world.wrote(OPEN, number=5))
    world.story.pop()

    assert alone == ["TakeBack back_to_draft"]
    assert told(world.verdicts())[0] == "Moot it goes with its pull request"


# -- commits ------------------------------------------------------------------------------------
def opened(world: World, **pull: Any) -> None:
    world.wrote(PUSH)
    world.wrote(OPEN, number=5)
    now = pull_now(**pull)
    world.stands(5, pull=now, title=now.pull.title, body=now.pull.body, state=now.pull.state)
    world.branches.append(BranchNow(branch=BRANCH, tip=TIP, foreign=()))


def test_a_pull_request_is_closed_and_its_branch_deleted_at_the_tip_that_was_seen(
    world: World,
) -> None:
    opened(world)

    closing, deleting = world.verdicts()

    assert isinstance(closing, TakeBack)
    assert isinstance(deleting, TakeBack)
    assert closing.needs.head == "h" * 40
    assert deleting.write.model_dump() == {"kind": "delete_branch", "branch": BRANCH, "sha": TIP}


@pytest.mark.parametrize(
    ("foreign", "pull", "why"),
    [
        (("c" * 40,), {}, "commit cccccccccccc in it is not ours"),
        ((), {"title": "Mine"}, "a person edited it since"),
        ((), {"body": "Mine"}, "a person edited it since"),
    ],
)
def test_a_pull_request_that_a_person_took_up_is_left_with_its_branch(
    world: World, foreign: tuple[str, ...], pull: dict[str, Any], why: str
) -> None:
    opened(world, **pull)
    world.branches[:] = [BranchNow(branch=BRANCH, tip=TIP, foreign=foreign)]

    opening, push = world.verdicts()

    assert isinstance(opening, LeftThere)
    assert isinstance(push, LeftThere)
    assert opening.why == why


def test_the_branch_of_a_pull_request_that_a_person_closed_is_deleted(world: World) -> None:
    opened(world, state="closed")

    assert told(world.verdicts()) == ["Moot it is closed already", "TakeBack delete_branch"]


def test_the_branch_of_another_runs_pull_request_is_left(world: World) -> None:
    world.wrote(PUSH)
    world.wrote(OPEN, number=5, run="run-bbbbbbbb")
    world.stands(5, pull=pull_now())
    world.branches.append(BranchNow(branch=BRANCH, tip=TIP, foreign=()))

    assert told(world.verdicts()) == ["LeftThere run run-bbbb opened #5 from it: undo that first"]


def test_a_branch_that_another_pull_request_stands_on_is_left(world: World) -> None:
    opened(world)
    world.branches[:] = [BranchNow(branch=BRANCH, tip=TIP, foreign=(), pulls=(5, 6))]

    closing, push = world.verdicts()

    assert isinstance(closing, TakeBack)
    assert told([push]) == [f"LeftThere pull request #6 stands on {BRANCH}"]


@pytest.mark.parametrize("adopted", [False, True])
def test_pushes_onto_what_was_there_are_told_with_their_revert(world: World, adopted: bool) -> None:
    world.wrote(Push(branch=BRANCH, sha=SHA, expected=OLD, adopted=adopted))
    world.wrote(Push(branch=BRANCH, sha=TIP, expected=SHA, adopted=adopted))
    world.branches.append(BranchNow(branch=BRANCH, tip=TIP, foreign=("e" * 40,)))
    merge, gone = commit("d" * 40, is_merge=True), commit(SHA, on_branch=False)
    world.commits += [merge, commit(TIP), gone]

    newest, oldest = world.verdicts()

    assert isinstance(newest, Moot)
    assert isinstance(oldest, LeftThere)
    assert oldest.command == f"git revert --no-edit {TIP}"


@pytest.mark.parametrize(
    ("on_base", "expected"),
    [(True, f"LeftThere {BRANCH} is merged"), (False, "Moot it is not there any more")],
)
def test_of_pushes_that_were_pushed_away_only_what_was_merged_is_told(
    world: World, on_base: bool, expected: str
) -> None:
    world.wrote(Push(branch=BRANCH, sha=SHA, expected=OLD))
    world.branches.append(BranchNow(branch=BRANCH, tip=TIP, foreign=()))
    world.commits.append(commit(SHA, on_branch=False, on_base=on_base))

    assert told(world.verdicts()) == [expected]


@pytest.mark.parametrize(
    ("method", "parents", "commits", "command"),
    [
        ("merge", 2, 3, f"git revert --no-edit -m 1 {SHA}"),
        ("squash", 1, 3, f"git revert --no-edit {SHA}"),
        ("rebase", 1, 3, f"git revert --no-edit {SHA}~3..{SHA}"),
        ("rebase", 1, 1, f"git revert --no-edit {SHA}"),
    ],
)
def test_a_merge_is_told_with_the_revert_that_fits_its_method(
    world: World, method: str, parents: int, commits: int, command: str
) -> None:
    opened(
        world, state="closed", merged=True, merge_sha=SHA, merge_parents=parents, commits=commits
    )
    world.wrote(
        Merge.model_validate(
            {"number": 5, "sha": TIP, "method": method, "title": "", "message": ""}
        ),
        sha=SHA,
    )

    merge, opening, push = world.verdicts()

    assert isinstance(merge, LeftThere)
    assert merge.command == command
    assert isinstance(opening, Moot)
    assert isinstance(push, Moot)


@pytest.mark.parametrize(
    ("on_base", "squashes_ours", "command"),
    [
        (True, False, f"git revert --no-edit {TIP} {OLD}"),
        (False, True, f"git revert --no-edit {SHA}"),
        (False, False, ""),
    ],
    ids=["with-our-commits", "squashed", "pushed-away"],
)
@pytest.mark.parametrize("asked", [False, True])
def test_of_a_merge_that_a_person_made_only_what_is_ours_is_named(
    world: World, on_base: bool, squashes_ours: bool, command: str, asked: bool
) -> None:
    merged = {"state": "closed", "merged": True, "merge_sha": SHA, "merge_parents": 2}
    opened(world, **merged, squashes_ours=squashes_ours)
    if asked:
        merge = Merge(number=5, sha=TIP, method="merge", title="", message="")
        world.wrote(merge, sha=SHA)
    now = world.items[5]
    world.items[5] = now.model_copy(update={"timeline": (happening("merged", ADA),)})
    world.commits += [commit(TIP, on_base=on_base), commit(OLD, on_base=on_base)]

    told_first, *_, push = world.verdicts()

    assert isinstance(told_first, LeftThere)
    assert told_first.command == command
    assert "ada" in told_first.why
    assert isinstance(push, Moot)


def test_a_status_is_withdrawn_once_where_ours_still_stands(world: World) -> None:
    for state in ("failure", "success"):
        status = {"sha": SHA, "context": "c", "state": state, "description": state}
        world.wrote(SetStatus.model_validate(status))
    world.statuses.append(StatusNow(sha=SHA, context="c", state="success", description="success"))

    newest, older = world.verdicts()

    assert isinstance(newest, TakeBack)
    assert newest.write == SetStatus(sha=SHA, context="c", state="error", description="withdrawn")
    assert isinstance(older, Moot)


def test_a_status_that_somebody_else_set_is_left(world: World) -> None:
    world.wrote(SetStatus(sha=SHA, context="c", state="success", description="ok"))
    world.statuses.append(StatusNow(sha=SHA, context="c", state="failure", description="no"))

    assert told(world.verdicts()) == ["LeftThere somebody else set it since"]


# -- the whole ----------------------------------------------------------------------------------
def test_only_the_run_itself_is_taken_back_newest_first(world: World) -> None:
    world.wrote(Label(number=12, name="a"))
    world.wrote(Label(number=12, name="b"), run="run-b")
    world.wrote(Label(number=12, name="c"))
    world.wrote(Label(number=12, name="d"), state="dropped")
    world.stands(12, labels=("a", "b", "c", "d"))

    names = [getattr(one.of.write, "name", "") for one in world.verdicts()]

    assert names == ["c", "a"]


def test_what_is_in_doubt_or_out_of_reach_is_left(world: World) -> None:
    world.wrote(Resolve(number=5, thread_id="T"))
    world.wrote(Label(number=12, name="a"), state="stopped")

    assert [type(one) for one in world.verdicts()] == [LeftThere, LeftThere]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("delivered", "Moot it was taken back before"),
        ("dropped", "LeftThere it could not be taken back: a person edited it"),
        ("refused", "TakeBack unlabel"),
        ("open", "TakeBack unlabel"),
    ],
)
def test_an_earlier_undo_is_gone_on_with(world: World, state: str, expected: str) -> None:
    world.wrote(Label(number=12, name="a"))
    world.wrote(
        Unlabel(number=12, name="a"),
        run="undo-1",
        purpose="undo:intent-0",
        state=state,
        reason="a person edited it" if state == "dropped" else "",
    )
    world.stands(12, labels=("a",))

    assert told(world.verdicts()) == [expected]


def test_only_what_was_written_is_read(world: World) -> None:
    world.wrote(PUSH)
    world.wrote(OPEN, number=5, run="run-b")
    world.wrote(SetStatus(sha=SHA, context="c", state="success", description="ok"))
    world.wrote(Label(number=12, name="a"))
    world.wrote(Label(number=99, name="a"), run="run-b")

    reads = wanted("run-a", tuple(world.story))

    assert reads.numbers == (5, 12)
    assert reads.branches == (BRANCH,)
    assert reads.shas == (SHA,)


# -- what counts afterwards ---------------------------------------------------------------------
def test_what_was_undone_may_be_written_again_but_a_text_that_was_left_may_not(
    world: World,
) -> None:
    label = world.wrote(Label(number=12, name="a"))
    said = world.wrote(CommentOn(number=12, body="hello"), id=70)
    taken = world.wrote(CommentOn(number=12, body="bye"), id=71)
    world.wrote(
        Label(number=12, name="b"), run="undo-1", purpose=f"undo:{taken.id}", state="delivered"
    )

    over = [is_over(one, world.story, {"run-a"}) for one in (label, said, taken)]

    assert over == [True, False, True]
    assert not is_over(label, world.story, {"run-b"})


def test_branches_that_an_undo_took_away_are_given_up(world: World) -> None:
    opened(world)
    taken = [one for one in world.verdicts() if isinstance(one, TakeBack)]
    for one in taken:
        world.wrote(one.write, run="undo-1", purpose=one.purpose)

    assert branches_given_up(world.story, ()) == {BRANCH}
    assert branches_given_up(world.story[:2], ()) == frozenset()
