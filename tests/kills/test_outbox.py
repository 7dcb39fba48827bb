"""Every kind of write, killed where nobody knows whether it was made: it is made once."""

from __future__ import annotations

import pytest

from harness.facts.intents import Write
from harness.rehearsal.github import Fault
from tests.kills.comparing import leftovers
from tests.kills.conftest import NewStage
from tests.kills.deliveries import GIT, REST, furnish_writes, needs_of
from tests.kills.hook import Kill
from tests.kills.nursery import Nursery
from tests.kills.points import rows_of
from tests.kills.tales import tell_short
from tests.stories.stage import Stage

LATE, LAG = 20, 15  # seconds: seen at the second look, 40 s after the doubt began
PUSH = "git-receive-pack"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", [*REST, "check_run", *GIT])
def test_killed_before_it_was_sent_a_write_is_made_once(
    nursery: Nursery, new_stage: NewStage, kind: str
) -> None:
    stage, write = _prepare(new_stage, kind)
    needs = needs_of(write)

    killed = nursery.write(stage, write, needs, Kill("attempt.*"))
    sent = _made(stage, kind)
    ended = nursery.write(stage, write, needs)

    assert killed.killed
    assert sent == []
    assert ended.exit == 0
    assert len(_made(stage, kind)) == 1
    assert leftovers(stage, [killed, ended]) == []


@pytest.mark.parametrize("kind", [*REST, "check_run", *GIT])
def test_killed_while_it_lands_late_and_lists_lag_a_write_is_made_once(
    nursery: Nursery, new_stage: NewStage, kind: str
) -> None:
    stage, write = _prepare(new_stage, kind)
    needs = needs_of(write)
    stage.forge.fail(Fault("lag", seconds=LAG, times=-1))
    stage.forge.fail(Fault("late", method="write", path=_path(kind), seconds=LATE))

    killed = nursery.write(stage, write, needs, Kill(when="waiting"))
    sent = _made(stage, kind)
    ended = nursery.write(stage, write, needs)

    stage.pass_time(hours=1)  # all that is late lands
    assert killed.killed
    assert sent == []
    assert ended.exit == 0
    assert len(_made(stage, kind)) == 1
    assert leftovers(stage, [killed, ended]) == []


@pytest.mark.parametrize("kind", ["comment", "open_pull", "review", "merge", "push"])
def test_killed_after_the_answer_was_lost_a_write_is_found(
    nursery: Nursery, new_stage: NewStage, kind: str
) -> None:
    stage, write = _prepare(new_stage, kind)
    needs = needs_of(write)
    lost = "error_after" if kind in GIT else "drop_after"  # curl itself repeats what was dropped
    stage.forge.fail(Fault(lost, method="write", path=_path(kind)))

    killed = nursery.write(stage, write, needs, Kill(when="waiting"))
    sent = _made(stage, kind)
    ended = nursery.write(stage, write, needs)

    assert killed.killed
    assert ended.exit == 0
    assert _made(stage, kind) == sent
    assert len(sent) == 1


def test_killed_twice_in_doubt_it_stops_and_asks(nursery: Nursery, new_stage: NewStage) -> None:
    stage, write = _prepare(new_stage, "comment")
    needs = needs_of(write)
    nursery.write(stage, write, needs, Kill("attempt.*"))
    stage.forge.fail(Fault("drop_before", method="write"))

    ended = nursery.write(stage, write, needs)

    assert ended.exit != 0
    assert any(name.startswith("stopped.comment") for name in rows_of(stage))
    assert _made(stage, "comment") == []


def _prepare(new_stage: NewStage, kind: str) -> tuple[Stage, Write]:
    stage = new_stage(tell_short())
    write = furnish_writes(stage)[kind]
    if kind == "check_run":
        stage.log_in_as_app()
    return stage, write


def _path(kind: str) -> str:
    return {"check_run": "check-runs"}.get(kind, PUSH if kind in GIT else "")


def _made(stage: Stage, kind: str) -> list[str]:
    """What took effect on the forge: a reaction is asked for again, and GitHub knows it."""
    if kind in GIT:
        return list(stage.forge.pushes)
    if kind == "react":
        return [one.content for one in stage.item(1).reactions]
    return [f"{one['method']} {one['path']}" for one in stage.forge.writes if _is_yes(one)]


def _is_yes(write: dict[str, object]) -> bool:
    is_login = str(write["path"]).endswith("/access_tokens")
    return str(write["status"]).startswith("2") and not is_login
