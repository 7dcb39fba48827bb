"""The demo story, end to end: four issues, four ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.facts.entries import EventKind
from harness.rehearsal.demo.script import NEGATIVE, ROUNDING, tell_demo
from tests.stories.stage import Stage, open_stage

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The story, told once to its end: to be looked at only."""
    with open_stage(tmp_path_factory.mktemp("demo"), tell_demo()) as stage:
        assert stage.run() == 1
        yield stage


def test_four_issues_come_to_the_four_ends_of_the_story(told: Stage) -> None:
    assert told.outcomes == {1: "approved", 2: "declined", 3: "contested", 4: "parked"}


def test_the_pull_request_is_green_approved_and_says_what_it_closes(told: Stage) -> None:
    pull = told.item(5)
    assert pull.title == "A basket now costs its prices times their quantities"
    assert "Closes #1" in pull.body
    assert [comment.split("\n")[0][:12] for comment in told.comments(5)] == ["### Approved"]


def test_the_refutation_is_settled_with_its_evidence_and_the_fix_is_fixed(told: Stage) -> None:
    refuted = told.standings[NEGATIVE]
    assert told.states[ROUNDING] == "fixed"
    assert refuted.state.value == "refuted"
    agreed = [event for event in refuted.events if event.kind is EventKind.AGREED]
    assert [(event.actor, event.evidence[0].file) for event in agreed] == [("gpt", "shop/order.py")]


def test_one_decline_comment_is_posted_and_nothing_else_is_said_on_issues(told: Stage) -> None:
    said = {number: len(told.comments(number)) for number in (1, 2, 3, 4)}
    assert said == {1: 0, 2: 1, 3: 0, 4: 0}
    assert told.item(2).state == "open"


def test_a_second_run_says_nothing_new_and_asks_no_model(demo: Stage) -> None:
    demo.run()
    asked, written = len(demo.models.requests), len(demo.forge.writes)

    code = demo.run()

    assert code == 1
    assert demo.outcomes == {1: "approved", 2: "declined", 3: "contested", 4: "parked"}
    assert (len(demo.models.requests), len(demo.forge.writes)) == (asked, written)


def test_a_dry_run_writes_nothing_and_a_real_run_after_it_pays_nothing_twice(
    demo: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    dry = demo.run(dry=True)
    printed = capsys.readouterr().out
    asked = len(demo.models.requests)
    assert dry == 1
    assert demo.forge.writes == []

    real = demo.run()

    assert real == 1
    assert len(demo.models.requests) == asked
    would = [line.split(":")[0] for line in printed.splitlines() if line.startswith("would ")]
    assert would == [
        "would comment",
        "would label",
        "would label",
        "would push",
        "would open pull",
        "would comment",
        "would push",
        "would edit comment",
        "would status",
    ]
