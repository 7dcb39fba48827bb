"""The base moved: it is merged in, never rebased; a conflict is one exchange of the author."""

from __future__ import annotations

import pytest

from harness.rehearsal.demo.story import MAINTAINER
from harness.rehearsal.models import create, on, reply
from tests.stories.conftest import Play
from tests.stories.scripts import CART, PRICES, TIMES, responds, told
from tests.stories.stage import Stage
from tests.stories.test_forge_checks import CI, GREEN, guard, run_ci, tip

pytestmark = pytest.mark.slow

THEIRS = "    whole = sum(max(line.cents, 0) for line in lines)"
BOTH = "    whole = sum(max(line.cents, 0) * line.quantity for line in lines)"


def parents(stage: Stage, commit: str) -> list[str]:
    """The parents of a commit on the forge."""
    repository = stage.forge.forge.repository(stage.slug)
    assert repository is not None
    return repository.bare.run("rev-list", "--parents", "-n1", commit).split()[1:]


def on_main(stage: Stage, files: dict[str, str | None]) -> str:
    """A person commits to the base."""
    return stage.forge.people.commit(stage.slug, MAINTAINER, "main", files, "Move on")


def conflict(stage: Stage) -> tuple[str, str]:
    """The base changes the line that the approved change changed: (head, base) in conflict."""
    base = on_main(stage, {CART: stage.text(CART, "main").replace(PRICES, THEIRS)})
    return stage.item(5).pull.head_sha, base


def solved(stage: Stage) -> str:
    """The cart as both sides mean it."""
    return stage.text(CART, "main").replace(PRICES, BOTH)


def test_a_conflict_is_one_exchange_of_the_author_and_voids_the_approval(play: Play) -> None:
    kept: list[str] = []
    stage = play(told(on("update *", lambda _: create(CART, kept[0]), responds(1).lines[0])))
    kept.append(solved(stage))
    stage.run()
    head, base = conflict(stage)

    assert stage.run() == 0

    merged = stage.item(5).pull.head_sha
    (brief,) = stage.briefs("update *")
    assert CART in brief
    assert parents(stage, merged) == [head, base]
    assert BOTH in stage.text(CART)
    assert "<<<<<<<" not in stage.text(CART)
    assert len(stage.briefs("review *")) == 2
    assert {one.sha for one in stage.statuses if one.state == "success"} == {head, merged}
    assert merged[:7] in stage.comments(5)[0]


def test_markers_that_are_left_are_never_committed_and_a_person_is_called(play: Play) -> None:
    stage = play(told(responds(1, create("NOTES.md", "solved\n"), kind="update")))
    stage.run()
    head, _ = conflict(stage)

    assert stage.run() == 1

    assert stage.reports[1].reason == f"claude left conflict markers in {CART}"
    assert stage.item(5).pull.head_sha == head
    assert "harness: needs a person" in stage.labels(5)
    assert stage.run() == 1
    assert len(stage.briefs("update *")) == 1

    stage.say(5, "Please try it once more.")

    assert stage.run() == 1
    assert len(stage.briefs("update *")) == 2


def test_an_author_who_cannot_decide_it_says_why_and_is_not_asked_again(play: Play) -> None:
    why = "Whether a refund counts is not for me to decide."
    answer = {
        "handle": "K1",
        "evidence": [{"kind": "quote", "path": CART, "line": 9, "text": TIMES}],
        "reasoning": why,
        "new_issue_title": "Decide about refunds",
        "new_issue_body": "Both sides changed the sum.",
        "action": "filed",
    }
    stage = play(told(on("update *", reply({"dispositions": [answer], "summary": "Not solved."}))))
    stage.run()
    head, _ = conflict(stage)

    assert stage.run() == 1

    assert stage.reports[1].reason == f"claude did not solve the conflict with the base: {why}"
    assert stage.item(5).pull.head_sha == head
    assert stage.run() == 1
    assert len(stage.briefs("update *")) == 1


def test_a_base_that_moved_elsewhere_is_left_alone_by_default(play: Play) -> None:
    stage = play(told())
    stage.run()
    head = stage.item(5).pull.head_sha
    on_main(stage, {"NOTES.md": "new\n"})

    assert stage.run() == 0

    assert stage.item(5).pull.head_sha == head


def test_always_merges_a_base_that_moved_without_asking_anybody(play: Play) -> None:
    stage = play(told())
    stage.set("[loop]\n", '[loop]\nupdate = "always"\n')
    stage.run()
    head, base = stage.item(5).pull.head_sha, on_main(stage, {"NOTES.md": "new\n"})

    assert stage.run() == 0

    merged = stage.item(5).pull.head_sha
    assert parents(stage, merged) == [head, base]
    assert stage.briefs("update *") == []
    assert len(stage.briefs("review *")) == 2
    assert [one.state for one in stage.statuses if one.sha == merged] == ["success"]


def test_a_branch_that_the_forge_calls_behind_is_merged(play: Play) -> None:
    stage = play(told())
    guard(stage, CI)
    stage.forge.people.guard_branch(stage.slug, "main", required=[CI], strict=True)
    run_ci(stage, lambda *_: GREEN)
    stage.run()
    head, base = stage.item(5).pull.head_sha, on_main(stage, {"NOTES.md": "new\n"})

    assert stage.run() == 0

    assert parents(stage, tip(stage, "harness/issue-1")) == [head, base]


def test_never_leaves_a_conflict_to_people(play: Play) -> None:
    stage = play(told())
    stage.set("[loop]\n", '[loop]\nupdate = "never"\n')
    stage.run()
    head, _ = conflict(stage)

    assert stage.run() == 0

    assert stage.item(5).pull.head_sha == head
    assert stage.briefs("update *") == []
