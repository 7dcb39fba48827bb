"""The config names other agents than it did: open questions end, and nobody reviews their own."""

from __future__ import annotations

import pytest

from harness.facts.journal import Ending
from harness.rehearsal.models import RateLimited
from tests.stories.conftest import Play
from tests.stories.scripts import finding, refute, responds, reviews, told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow


def rename(stage: Stage) -> None:
    """Both agents get other names, and the one that has not implemented comes first."""
    stage.set("[agents.claude]", "[agents.opus]")
    stage.set("[agents.gpt]", "[agents.sol]")
    stage.set('first = "claude"', 'first = "sol"')


def asked(stage: Stage, kind: str) -> set[str]:
    questions = [one.question for one in stage.models.requests if one.question]
    return {one.model for one in questions if one.kind == kind}


@pytest.mark.parametrize(
    "stopped_at", ["triage *", "implement *", "review *", "respond *", "rebut *"]
)
def test_work_goes_on_under_other_names(play: Play, stopped_at: str) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))
    stage.models.fail(RateLimited("7200"), headline=stopped_at)
    assert stage.run() == 3
    rename(stage)
    stage.forge.wait(7300)

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    with stage.store() as store:
        repo_id = store.repos()[0].id
        exchanges = [*store.exchanges(repo_id, 0), *store.exchanges(repo_id, 1)]
    open_ = [one for one in exchanges if one.result is None]
    superseded = [one for one in exchanges if one.result is Ending.SUPERSEDED]
    assert open_ == []
    assert len(superseded) == 1
    assert "none of the two agents any more" in superseded[0].reason
    if stopped_at not in {"triage *", "implement *"}:
        assert asked(stage, "review") == asked(stage, "rebut") == {"gpt-6.1-sol"}
        assert asked(stage, "respond") == {"claude-opus-5-5"}
