"""A bad key, an unpaid account, an unknown model: the operator is told, and no item suffers."""

from __future__ import annotations

import pytest

from harness.facts.journal import Ending
from harness.rehearsal.models import Status
from tests.stories.conftest import Play
from tests.stories.scripts import told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

BAD_KEY = Status(401, "authentication_error", "invalid x-api-key")
NO_MODEL = Status(404, "model_not_found", "The model does not exist")


def asked(stage: Stage, model: str) -> int:
    return sum(1 for one in stage.models.requests if one.body.get("model") == model)


def test_a_bad_key_stops_the_agent_at_once_and_touches_nothing(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = play(told(), 1, 3)
    before = (stage.said, stage.labels(1), len(stage.forge.writes))
    stage.set("[loop]\n", "[loop]\nmax_tries = 1\n")
    stage.models.fail(BAD_KEY, times=99, model="gpt-*")

    codes = [stage.run() for _ in range(3)]

    (said,) = set(capsys.readouterr().err.splitlines())
    assert codes == [2] * 3
    assert asked(stage, "gpt-6.1-sol") == 3
    assert (stage.said, stage.labels(1), len(stage.forge.writes)) == before
    assert stage.outcomes == {1: "waiting", 3: "waiting"}
    assert said.startswith("harness: agent gpt (gpt-6.1-sol) is not asked any more")
    assert "401 invalid x-api-key" in said
    assert "put a key in OPENAI_API_KEY that is valid for this model" in said


def test_with_a_good_key_it_goes_on_and_nothing_is_paid_twice(play: Play) -> None:
    stage = play(told())
    stage.set("[loop]\n", "[loop]\nmax_tries = 1\n")
    stage.models.fail(BAD_KEY, times=2, headline="review *")

    codes = [stage.run() for _ in range(3)]

    assert codes == [2, 2, 0]
    assert stage.outcomes == {1: "approved"}
    with stage.store() as store:
        exchanges = store.exchanges(store.repos()[0].id, 1)
    assert {one.result for one in exchanges} == {Ending.REPLIED}


def test_work_that_does_not_need_the_agent_goes_on(play: Play) -> None:
    stage = play(told())
    stage.models.fail(BAD_KEY, times=99, headline="review *")
    assert stage.run() == 2
    stage.forge.people.open_issue(stage.slug, "ada", "Another", "Please.")

    assert stage.run() == 2

    assert stage.outcomes == {1: "waiting", 6: "waiting"}
    assert "harness/issue-6" in stage.branches


def test_another_model_in_the_config_is_asked_anew(play: Play) -> None:
    stage = play(told())
    stage.set('model = "gpt-6.1-sol"', 'model = "gpt-gone"')
    stage.set("\n[loop]\n", '\n[prices."gpt-gone"]\ninput = 1\noutput = 5\n\n[loop]\n')
    stage.models.fail(NO_MODEL, times=99, model="gpt-gone")
    assert stage.run() == 2
    stage.set('model = "gpt-gone"', 'model = "gpt-6.1-sol"')

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert asked(stage, "gpt-gone") == 1
