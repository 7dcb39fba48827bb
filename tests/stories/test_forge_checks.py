"""The forge's own checks: waited for, given back when red, never passed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from harness.rehearsal.models import edit
from tests.stories.conftest import Play
from tests.stories.scripts import CART, RIGHT, responds, told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

CI = "ci / test"
ROUNDS = "    return round(whole * (100 - discount_percent) / 100)"
MEND = edit(CART, RIGHT, ROUNDS)
KEY = "ghp_" + "a1B2" * 9
RED = {
    "conclusion": "failure",
    "annotations": [
        {
            "path": CART,
            "start_line": 9,
            "end_line": 9,
            "annotation_level": "failure",
            "message": "rounds half to even",
            "title": None,
            "raw_details": None,
        }
    ],
    "log": f"{'.' * 100}\nusing {KEY}\nAssertionError: 282 != 283\n",
}
GREEN = {"conclusion": "success"}
PENDING: dict[str, Any] = {}

Runner = Callable[[int, float], dict[str, Any]]
"""What the check says of the nth head that was pushed, so many seconds after it was."""


def guard(stage: Stage, *required: str) -> None:
    """The base asks for these checks."""
    stage.forge.people.guard_branch(stage.slug, "main", required=list(required))


def tip(stage: Stage, branch: str) -> str:
    """The commit that a branch of the forge is at."""
    repository = stage.forge.forge.repository(stage.slug)
    assert repository is not None
    return repository.bare.run("rev-parse", branch).strip()


def run_ci(stage: Stage, runner: Runner, name: str = CI) -> None:
    """A CI of the forge looks at each head of pull request 5, whenever anybody asks anything."""
    heads: dict[str, float] = {}
    said: dict[str, dict[str, Any]] = {}

    def look(*_: object) -> None:
        repository = stage.forge.forge.repository(stage.slug)
        item = repository.items.get(5) if repository else None
        if item is None or item.pull is None:
            return
        sha, now = item.pull.head_sha, stage.forge.forge.now.timestamp()
        since = heads.setdefault(sha, now)
        told_now = runner(list(heads).index(sha) + 1, now - since)
        if said.get(sha) != told_now:
            said[sha] = told_now
            stage.forge.people.run_check(stage.slug, sha, name, **told_now)

    stage.forge.observe(look)


def test_a_pending_check_is_waited_for_until_it_is_green(play: Play) -> None:
    stage = play(told())
    guard(stage, CI)
    run_ci(stage, lambda _, seconds: GREEN if seconds > 5 * 60 else PENDING)
    begun = stage.house().clock.now()

    assert stage.run() == 0

    waited = (stage.house().clock.now() - begun).total_seconds()
    assert stage.outcomes == {1: "approved"}
    assert 5 * 60 < waited < 8 * 60


def test_a_check_that_never_ends_is_with_a_person_at_the_timeout(play: Play) -> None:
    stage = play(told())
    guard(stage, CI)
    run_ci(stage, lambda *_: PENDING)

    assert stage.run() == 1

    assert stage.reports[1].reason == f"required checks did not finish: {CI}"
    assert "harness: needs a person" in stage.labels(5)
    assert "success" not in {status.state for status in stage.statuses}


def test_a_red_check_goes_back_with_its_name_annotations_and_the_masked_end_of_its_log(
    play: Play,
) -> None:
    stage = play(told(responds(0, MEND, kind="fix_check")))
    guard(stage, CI)
    run_ci(stage, lambda head, _: RED if head == 1 else GREEN)

    assert stage.run() == 0

    (brief,) = stage.briefs("fix_check *")
    assert stage.outcomes == {1: "approved"}
    assert "check of the forge: red, required" in brief
    assert CI in brief
    assert f"{CART}:9: rounds half to even" in brief
    assert "AssertionError: 282 != 283" in brief
    assert KEY not in brief
    assert ROUNDS in stage.text(CART)


def test_a_check_that_turns_red_after_the_approval_voids_it(play: Play) -> None:
    stage = play(told(responds(1, MEND, kind="fix_check")))
    guard(stage, CI)
    run_ci(stage, lambda *_: GREEN)
    stage.run()
    approved = stage.item(5).pull.head_sha

    stage.forge.people.run_check(stage.slug, approved, CI, **RED)
    code = stage.run()

    head = stage.item(5).pull.head_sha
    assert (code, stage.outcomes) == (0, {1: "approved"})
    assert head != approved
    assert [status.state for status in stage.statuses if status.sha == head] == ["success"]
    assert len(stage.briefs("review *")) == 2


def test_a_check_that_is_red_on_the_base_too_blocks_nothing_is_said_and_never_merges(
    play: Play,
) -> None:
    stage = play(told())
    stage.set("[loop]\n", "[loop]\nauto_merge = true\n")
    guard(stage, CI)
    stage.forge.people.run_check(stage.slug, tip(stage, "main"), CI, **RED)
    run_ci(stage, lambda *_: RED)

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert stage.item(5).state == "open"
    assert stage.briefs("fix_check *") == []
    assert f"required check {CI} is red on the base too" in stage.comments(5)[0]


def test_a_check_that_nobody_requires_blocks_nothing(play: Play) -> None:
    stage = play(told())
    guard(stage, "another")
    run_ci(stage, lambda *_: GREEN, "another")
    run_ci(stage, lambda *_: RED)

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert stage.briefs("fix_check *") == []
