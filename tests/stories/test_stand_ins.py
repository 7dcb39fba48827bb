"""An agent without a valid answer is stood in for by its own family before the item waits."""

from __future__ import annotations

import pytest

from harness.rehearsal.models import RateLimited, Refuses
from tests.stories.conftest import Play
from tests.stories.scripts import finding, refute, responds, reviews, told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

GPT = 'model = "gpt-6.1-sol"\n'
SPARE = """
[agents.spare]
provider = "openai"
model = "gpt-spare"
base_url = "{url}/v1"

[prices."gpt-spare"]
input = 1
output = 5

[loop]
"""


def _with_a_spare(stage: Stage) -> Stage:
    stage.set(GPT, f'{GPT}fallback = "spare"\n')
    stage.set("\n[loop]\n", SPARE.format(url=stage.models.url))
    return stage


def _asked(stage: Stage, kind: str) -> list[str]:
    asked = [one.question for one in stage.models.requests if one.question]
    return [one.model for one in asked if one.kind == kind]


def test_a_stand_in_judges_reviews_and_rules_in_its_agents_name(play: Play) -> None:
    stage = _with_a_spare(play(told(reviews(1, finding()), responds(1, refute()))))
    stage.models.fail(Refuses(), times=99, model="gpt-6.1-sol")

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert sorted(_asked(stage, "triage")) == ["claude-opus-5-5", "gpt-6.1-sol", "gpt-spare"]
    assert _asked(stage, "review") == _asked(stage, "rebut") == ["gpt-6.1-sol", "gpt-spare"]
    (standing,) = stage.standings.values()
    assert [event.actor for event in standing.events] == ["gpt", "claude", "gpt"]


def test_without_a_valid_answer_from_either_the_item_waits(play: Play) -> None:
    stage = _with_a_spare(play(told()))
    stage.models.fail(Refuses(), times=99, headline="review *")

    assert stage.run() == 3

    assert stage.outcomes == {1: "waiting"}
    assert "no valid answer from gpt" in stage.reports[1].reason
    assert _asked(stage, "review") == ["gpt-6.1-sol", "gpt-spare"]


def test_a_stand_in_that_was_interrupted_goes_on_as_itself(play: Play) -> None:
    stage = _with_a_spare(play(told()))
    stage.models.fail(Refuses(), times=1, headline="review *", model="gpt-6.1-sol")
    stage.models.fail(RateLimited("7200"), headline="review *", model="gpt-spare")
    assert stage.run() == 3

    stage.forge.wait(7300)
    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert _asked(stage, "review") == ["gpt-6.1-sol", "gpt-spare"]
