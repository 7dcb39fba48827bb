"""The demo story under a GitHub App instead of a shared login."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli.progress import make_progress
from harness.rehearsal.demo.script import GPT, tell_demo
from harness.rehearsal.models import Fault, Question, Said
from harness.wiring import Calling, open_desk
from tests.stories.identity import BOT
from tests.stories.stage import Stage, open_stage

pytestmark = pytest.mark.slow


def test_an_app_tells_the_same_story_under_its_own_name(demo: Stage) -> None:
    demo.log_in_as_app()

    code = demo.run()

    assert code == 1
    assert demo.outcomes == {1: "approved", 2: "declined", 3: "contested", 4: "parked"}
    pull = demo.item(5)
    authors = [pull.author, *(comment.author for comment in pull.comments)]
    assert [author.login for author in authors] == [BOT, BOT]


def test_what_an_app_wrote_is_no_input_and_no_act_of_a_person(demo: Stage) -> None:
    demo.log_in_as_app()
    demo.run()
    asked, written = len(demo.models.requests), _written(demo)

    demo.run()

    assert (len(demo.models.requests), _written(demo)) == (asked, written)


def test_a_token_that_ends_in_the_middle_of_a_run_is_renewed(tmp_path: Path) -> None:
    tale, stages = tell_demo(), []

    def slowly(question: Question) -> Said | Fault:
        """The reviewer takes more than an hour for its first turn."""
        if question.kind == "review" and question.turn == 0 and question.model.startswith(GPT[:3]):
            stages[0].forge.wait(61 * 60)
        return tale(question)

    with open_stage(tmp_path, slowly) as stage:
        stages.append(stage)
        stage.log_in_as_app()
        stage.run()

        made = len(stage.forge.writes) - len(_written(stage))
        log = "".join(path.read_text() for path in (stage.state / "log").iterdir())
        assert stage.outcomes[1] == "approved"
        assert made >= 3
        assert {one["status"] for one in stage.forge.writes} <= {200, 201, 204}
        assert "ghs_" not in log


def test_a_token_that_was_issued_is_one_of_our_secrets_from_then_on(demo: Stage) -> None:
    demo.log_in_as_app()
    house = demo.house()
    calling = Calling(run_id="run", started=house.clock.now())

    with (
        make_progress(quiet=True, mask=house.mask) as progress,
        open_desk(house, house.settings.repos[0], calling, progress) as desk,
    ):
        (token,) = house.issued
        spotted = desk.spot(f"it is {token}")

    assert [(one.value, one.ours) for one in spotted][:1] == [(token, True)]
    assert token not in house.mask(f"it is {token}")


def _written(stage: Stage) -> list[object]:
    """What was written to the repository; a token is no write to it."""
    paths = [one["path"] for one in stage.forge.writes]
    return [path for path in paths if not str(path).endswith("/access_tokens")]
