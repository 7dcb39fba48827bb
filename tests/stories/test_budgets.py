"""No cap is ever passed, whoever is killed when; what stopped is told with its amounts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from harness.facts.journal import Ending
from harness.rehearsal.models import Counted, Dead, Slow, create, on, say, use
from harness.rehearsal.models.script import Chapter
from harness.wiring import REHEARSAL
from tests.stories.bills import limit, owe, read_bill, watch_caps
from tests.stories.reviewing import CHECK, PULL, go, is_approved, open_change
from tests.stories.scripts import implements, says_review, told
from tests.stories.stage import SECRETS, Stage, open_stage

pytestmark = pytest.mark.slow

DEAR = Counted(input=0, cache_read=0, cache_write=12_000, output=4_000)
DEAR_COST = 70_000  # micro-dollars, by the list price of gpt-6.1-sol
LOOKS = [say(use("look", {"n": n}), counted=DEAR) for n in range(30)]

Play = Callable[..., Stage]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """A person's pull request, reviewed as these chapters tell it, within these limits."""
    with ExitStack() as ending:

        def open_play(*chapters: Chapter, **limits: float) -> Stage:
            opened = ending.enter_context(open_stage(tmp_path, told(*chapters)))
            open_change(opened)
            limit(opened, **limits)
            return opened

        yield open_play


def results(stage: Stage) -> list[Ending | None]:
    """How the exchanges of the pull request ended."""
    with stage.store() as store:
        return [one.result for one in store.exchanges(store.repos()[0].id, PULL)]


REACHED = r"is reached: 0\.14\d* \$ spent, the next request may cost 0\.1\d+ \$"
CAPS = {
    "dollars_exchange": ("for one exchange", "out of budget", "waiting", 3),
    "dollars_item": ("for this item", "out of budget", "escalated", 1),
    "dollars_repo_day": ("a day for this repository", "open", "waiting", 3),
    "dollars_day": ("a day in all", "open", "waiting", 3),
}


@pytest.mark.parametrize("cap", CAPS)
def test_a_cap_stops_before_it_is_passed_and_says_which_and_how_much(
    cap: str, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    name, result, outcome, code = CAPS[cap]
    stage = play(on("review *", *LOOKS), **{cap: 0.2})

    ended = go(stage)

    said = re.compile(rf"the limit of 0\.20* \$ {name} {REACHED}")
    assert (ended, stage.outcomes) == (code, {PULL: outcome})
    assert said.search(capsys.readouterr().out)
    assert said.search(stage.look("status"))
    assert said.search(stage.look("runs", stage.newest_run))
    assert f"  {result}  " in stage.look("runs", stage.newest_run)
    assert owe(stage) == 2 * DEAR_COST
    assert max(watch_caps(stage).day.values()) <= 200_000
    assert not is_approved(stage)


@pytest.mark.parametrize("cap", ["dollars_repo_day", "dollars_day"])
def test_a_full_day_is_waited_out_and_the_next_one_goes_on_where_it_stood(
    cap: str, play: Play
) -> None:
    stage = play(on("review *", *LOOKS[:3], says_review()), **{cap: 0.2})

    stopped, again = go(stage), go(stage)
    shown = stage.look("status")
    stage.pass_time(hours=16)
    last = go(stage)

    assert (stopped, again, last) == (3, 3, 0)
    assert "2026-12-01 00:00" in shown
    assert results(stage) == [Ending.REPLIED]
    assert [one.question.turn for one in stage.models.requests if one.question] == [0, 1, 2, 3]
    assert owe(stage) > 3 * DEAR_COST
    assert sorted(watch_caps(stage).day) == ["2026-11-30", "2026-12-01"]
    assert max(watch_caps(stage).day.values()) <= 200_000


def test_a_request_that_no_day_has_room_for_is_not_waited_for(play: Play) -> None:
    stage = play(dollars_day=0.1)

    code = go(stage)

    assert code == 3
    assert results(stage) == [Ending.OUT_OF_BUDGET]
    assert stage.models.requests == ()


def test_a_cap_that_a_person_raises_lets_the_same_exchange_go_on_at_once(play: Play) -> None:
    stage = play(on("review *", *LOOKS[:3], says_review()), dollars_day=0.2)
    go(stage)

    limit(stage, dollars_day=5)
    code = go(stage)

    assert code == 0
    assert results(stage) == [Ending.REPLIED]
    assert len(stage.models.requests) == 4


def test_an_exchange_that_ran_out_of_its_own_money_is_tried_again_only_so_often(play: Play) -> None:
    stage = play(on("review *", *LOOKS), dollars_exchange=0.2, dollars_item=50)
    codes = [go(stage)]

    while codes[-1] == 3:
        codes.append(stage.resume())

    assert codes == [3, 3, 3, 1]
    assert results(stage) == [Ending.OUT_OF_BUDGET] * 3
    assert "for one exchange is reached" in stage.look("status")
    assert max(watch_caps(stage).exchange.values()) <= 200_000
    assert owe(stage) == 6 * DEAR_COST


def test_what_nobody_knows_the_usage_of_counts_whole(play: Play) -> None:
    stage = play(dollars_item=0.3)
    stage.models.fail(Dead(), times=9)

    code = go(stage)

    bill = read_bill(stage)
    assert code == 1
    assert [line.spent == line.bound for line in bill] == [True, True]
    assert sum(line.spent for line in bill) == owe(stage)
    assert "for this item is reached: 0.2" in stage.look("status")


def test_triage_that_a_cap_stops_says_so(tmp_path: Path) -> None:
    with open_stage(tmp_path, told()) as stage:
        stage.only(1)
        limit(stage, dollars_day=0.1)

        code = stage.run()

        assert (code, stage.outcomes) == (3, {1: "unjudged"})
        for agent in ("claude", "gpt"):
            assert f"no valid answer from {agent}: the limit of 0.1" in stage.look("status")
        assert stage.models.requests == ()


# -- killed ---------------------------------------------------------------------------------------
def kill_while_asking(stage: Stage) -> None:
    """`harness resume` in a process of its own, killed while its first request is answered."""
    stage.models.fail(Slow(20))
    (stage.root / "harness.toml").write_text(stage.config)
    environ = {**os.environ, **SECRETS, REHEARSAL: stage.forge.base}
    words = ["resume", str(PULL), "--adopt", "-q", "--config", str(stage.root / "harness.toml")]
    process = subprocess.Popen([sys.executable, "-m", "harness", *words], env=environ)
    until = time.monotonic() + 30
    while not stage.models.requests and time.monotonic() < until:
        time.sleep(0.01)  # the process is another one: there is nothing of it to wait on
    process.kill()
    process.wait()


@pytest.mark.parametrize(("cap", "code"), [("dollars_item", 1), ("dollars_day", 3)])
def test_what_a_killed_run_had_reserved_is_spent_for_every_run_after_it(
    cap: str, code: int, play: Play
) -> None:
    stage = play(**{cap: 0.2})
    kill_while_asking(stage)

    after = go(stage)

    assert after == code
    assert f"is reached: {read_bill(stage)[0].bound / 1_000_000} $ spent" in stage.look("status")
    assert len(stage.models.requests) == 1
    assert max(watch_caps(stage).day.values()) <= 200_000


def test_after_a_kill_the_request_is_made_once_more_within_the_caps(play: Play) -> None:
    stage = play(dollars_item=0.3)
    kill_while_asking(stage)

    code = go(stage)

    lost, asked = read_bill(stage)
    assert code == 0
    assert stage.models.requests[0].raw == stage.models.requests[1].raw
    assert (lost.spent, asked.known) == (lost.bound, True)
    assert max(watch_caps(stage).item.values()) <= 300_000


# -- in parallel ----------------------------------------------------------------------------------
def three_bugs(counted: Counted | None = None) -> tuple[Chapter, ...]:
    """Three issues whose mends do not meet."""
    _, report = implements()
    return tuple(
        on(
            f"implement *#{n} *",
            say(create(f"shop/mend_{n}.py", f"MENDED = {n}\n"), counted=counted),
            report,
        )
        for n in (1, 2, 3)
    )


def test_items_in_parallel_share_the_caps_and_wait_for_what_others_hold(tmp_path: Path) -> None:
    with open_stage(tmp_path, told(*three_bugs())) as stage:
        stage.only(1, 2, 3)
        stage.set(CHECK, "")
        stage.set("[loop]\n", "[loop]\nparallel = 3\n")
        limit(stage, dollars_day=0.55)
        stage.models.fail(Slow(0.5), times=2, headline="implement *")

        codes: list[int] = [stage.run()]
        first: dict[int, Any] = {item: one.reason for item, one in stage.reports.items()}
        while codes[-1] == 3 and len(codes) < 6:
            stage.pass_time(minutes=2)
            codes.append(stage.run())

        held = [reason for reason in first.values() if "held by running requests" in reason]
        assert codes[-1] == 0
        assert stage.outcomes == {1: "approved", 2: "approved", 3: "approved"}
        assert len(held) >= 1
        assert max(watch_caps(stage).day.values()) <= 550_000
        assert len(stage.models.requests) == 2 + 3 * 2 + 3


def test_without_room_for_all_of_them_some_items_end_and_the_rest_goes_on_tomorrow(
    tmp_path: Path,
) -> None:
    dear = Counted(input=0, cache_read=0, cache_write=10_000, output=2_000)
    with open_stage(tmp_path, told(*three_bugs(dear))) as stage:
        stage.only(1, 2, 3)
        stage.set(CHECK, "")
        stage.set("[loop]\n", "[loop]\nparallel = 3\n")
        limit(stage, dollars_repo_day=0.25)

        codes = [stage.run()]
        while codes[-1] == 3 and len(codes) < 9:
            stage.pass_time(hours=24)
            codes.append(stage.run())

        peaks = watch_caps(stage)
        assert codes[-1] == 0
        assert stage.outcomes == {1: "approved", 2: "approved", 3: "approved"}
        assert len(peaks.repo_day) > 1
        assert max(peaks.repo_day.values()) <= 250_000
        assert len(stage.models.requests) == 2 + 3 * 2 + 3
