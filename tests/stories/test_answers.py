"""An answer that is none has its own name, its price and its line in `runs`; it is never clean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from harness.facts.journal import Ending
from harness.rehearsal.models import (
    Act,
    BadSignature,
    Dead,
    Empty,
    Fails,
    Fault,
    GivesUp,
    Overflow,
    Overloaded,
    Prose,
    Question,
    RateLimited,
    Refuses,
    Silent,
    Status,
    Truncated,
    on,
    say,
    shell,
)
from harness.rehearsal.models.script import Chapter, reply_raw
from tests.stories.bills import owe, read_bill
from tests.stories.reviewing import PULL, go, is_approved, let_review, open_change, transcripts
from tests.stories.scripts import NEGATIVE, Json, finding, says_review, told
from tests.stories.stage import Stage, open_stage

pytestmark = pytest.mark.slow

BOTH = ("claude", "gpt")
FOREVER = 99


class Stop(NamedTuple):
    """What goes wrong, what the exchange is called then, after how many requests, and why."""

    id: str
    fault: Fault
    result: str
    requests: int
    why: str
    only: str = ""  # one vendor's own


STOPS = (
    Stop("truncated twice", Truncated(), "truncated", 2, "cut off at the output limit twice"),
    Stop("refused", Refuses(), "refused", 1, "the vendor refused to answer"),
    Stop("filtered", Refuses(filtered=True), "refused", 1, "the vendor refused to answer"),
    Stop("policy", Fails("bio_policy"), "refused", 1, "the vendor refused to answer", "gpt"),
    Stop("empty", Empty(), "invalid", 2, "ended its turn without a reply"),
    Stop("prose", Prose(), "invalid", 2, "without a reply: I have looked at it and it all seems"),
    Stop("overflow", Overflow(), "overflow", 1, "overflow: "),
    Stop("overflow late", Overflow(late=True), "overflow", 1, "context"),
    Stop("signature refused", BadSignature(), "unusable", 2, "also after a new start"),
    Stop("schema refused", Status(400, "invalid_request_error"), "unusable", 1, "bad request: "),
    Stop("overloaded", Overloaded(), "open", 3, "overloaded: "),
    Stop("failed", Fails(), "open", 3, "overloaded: ", "gpt"),
    Stop("gives up in mid-stream", GivesUp(), "open", 3, "overloaded: "),
    Stop("rate limited", RateLimited("7200"), "open", 1, "rate limited: "),
    Stop("dead connection", Dead(), "open", 3, "unreachable: "),
    Stop("silent end", Silent(), "open", 3, "unreachable: "),
    Stop("timed out", Status(504, "timeout_error"), "open", 3, "unreachable: "),
)
CASES = [
    pytest.param(stop, vendor, id=f"{stop.id}-{vendor}")
    for stop in STOPS
    for vendor in BOTH
    if stop.only in {"", vendor}
]


Play = Callable[..., Stage]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """A person's pull request, reviewed as these chapters tell it."""
    with ExitStack() as ending:

        def open_play(*chapters: Chapter) -> Stage:
            opened = ending.enter_context(open_stage(tmp_path, told(*chapters)))
            open_change(opened)
            return opened

        yield open_play


def line_of(stage: Stage, kind: str = "review") -> re.Match[str]:
    """The exchange's lines in `harness runs RUN`: result, requests, cost, and what stands below."""
    shown = stage.look("runs", stage.newest_run)
    row = rf"{kind} +\w+ \(\S+\) +\d\.\d +(?P<result>[a-z ]+?) +(?P<requests>\d+) +[\d,]+ +\d+ %"
    found = re.search(rf"{row} +(?P<cost>[\d.]+) \$\n(?P<below>(?: {{6}}.*\n)*)", shown)
    assert found, shown
    return found


@pytest.mark.parametrize(("stop", "vendor"), CASES)
def test_each_answer_that_is_none_has_a_name_a_price_and_never_approves(
    stop: Stop, vendor: str, play: Play
) -> None:
    stage = play()
    let_review(stage, vendor)
    stage.models.fail(stop.fault, times=FOREVER, headline="review *")

    code = go(stage)

    line = line_of(stage)
    assert code == 3
    assert (line["result"], int(line["requests"])) == (stop.result, stop.requests)
    assert stop.why in line["below"]
    assert stop.why in stage.look("status")
    assert float(line["cost"]) == pytest.approx(owe(stage) / 1_000_000, abs=0.0001)
    assert stage.outcomes == {PULL: "waiting"}
    assert not is_approved(stage)
    assert stage.states == {}
    assert bool(transcripts(stage)) is (stop.result != "open")


@pytest.mark.parametrize("vendor", BOTH)
def test_an_answer_cut_off_once_is_asked_for_again_with_more_room(vendor: str, play: Play) -> None:
    stage = play()
    let_review(stage, vendor)
    stage.models.fail(Truncated(), headline="review *")

    code = go(stage)

    line, bill = line_of(stage), read_bill(stage)
    assert code == 0
    assert (line["result"], line["requests"]) == ("replied", "2")
    assert bill[1].bound > bill[0].bound
    assert float(line["cost"]) == pytest.approx(owe(stage) / 1_000_000, abs=0.0001)


def test_findings_that_were_complete_before_the_cut_are_shown_and_never_count(play: Play) -> None:
    long = finding("The second one is long", detail="It goes on. " * 400)
    stage = play(on("review *", says_review(finding(), finding("Another"), long), ...))
    stage.models.fail(Truncated(share=0.6), times=2)

    code = go(stage)

    below = line_of(stage)["below"]
    assert code == 3
    assert f"complete before the cut, not counted: blocking shop/cart.py:8 {NEGATIVE}" in below
    assert "Another" in below
    assert "The second" not in below
    assert stage.states == {}


def reply_of(*findings: Json) -> Act:
    return cast("Act", says_review(*findings)(Question("openai", "", "", 0, "", "")))


NONSENSE = reply_raw('{"findings": "none", "verdict": "approve"}')
ROUNDS = {
    "invalid twice": ((NONSENSE, NONSENSE), "invalid", 2, "the reply was invalid twice"),
    "not even JSON": ((reply_raw("LGTM"), reply_raw("{")), "invalid", 2, "invalid twice"),
    "tools without end": (
        (lambda asked: shell(f"echo {asked.turn}"), ...),
        "endless",
        6,
        "no reply within 6 turns",
    ),
    "the same call": ((shell("true"), ...), "endless", 4, "the same call of `"),
}


@pytest.mark.parametrize("case", ROUNDS)
def test_an_agent_that_comes_to_no_answer_is_stopped(case: str, play: Play) -> None:
    lines, result, requests, why = ROUNDS[case]
    stage = play(on("review *", *lines))
    stage.config += "\n[limits]\nturns = 6\n"

    code = go(stage)

    line = line_of(stage)
    assert code == 3
    assert (line["result"], int(line["requests"])) == (result, requests)
    assert why in line["below"]
    assert float(line["cost"]) == pytest.approx(owe(stage) / 1_000_000, abs=0.0001)
    assert not is_approved(stage)


@pytest.mark.parametrize("vendor", BOTH)
def test_of_several_replies_in_one_turn_the_last_counts(vendor: str, play: Play) -> None:
    stage = play(
        on("review * round 1", say(reply_of(), reply_of(finding()))),
        on("respond *", Refuses()),
    )
    let_review(stage, vendor)

    go(stage)

    assert line_of(stage)["result"] == "replied"
    assert stage.states == {NEGATIVE: "open"}
    assert not is_approved(stage)


PASSING = [
    (Overloaded(), "gpt"),
    (Overloaded(), "claude"),
    (RateLimited("30"), "gpt"),
    (Dead(), "claude"),
    (Silent(), "gpt"),
    (GivesUp(), "claude"),
]


@pytest.mark.parametrize(("fault", "vendor"), PASSING, ids=str)
def test_a_vendor_that_fails_once_is_waited_for(fault: Fault, vendor: str, play: Play) -> None:
    stage = play()
    let_review(stage, vendor)
    stage.models.fail(fault)

    code = go(stage)

    line = line_of(stage)
    assert code == 0
    assert (line["result"], line["requests"]) == ("replied", "2")
    assert owe(stage) > 0


@pytest.mark.parametrize("vendor", BOTH)
def test_a_rate_limit_of_two_hours_is_not_slept_through_and_nothing_is_paid_twice(
    vendor: str, play: Play
) -> None:
    stage = play(on("review *", say(shell("echo looked")), says_review()))
    let_review(stage, vendor)
    stage.models.fail(RateLimited("7200"), turn=1)
    began = stage.house().clock.now()

    first, again = go(stage), go(stage)

    took = stage.house().clock.now() - began
    assert (first, again) == (3, 3)
    assert took < timedelta(minutes=2)
    assert [one.status for one in stage.models.requests] == [200, 429]
    assert stage.outcomes == {PULL: "waiting"}
    assert "rate limited: " in stage.look("status")
    assert f"{began + timedelta(hours=2):%Y-%m-%d %H:}" in stage.look("status")

    stage.pass_time(hours=2)
    last = go(stage)

    with stage.store() as store:
        told_again = store.exchanges(store.repos()[0].id, PULL)
    assert last == 0
    assert [one.result for one in told_again] == [Ending.REPLIED]
    assert [one.status for one in stage.models.requests] == [200, 429, 200]
    assert stage.models.requests[1].raw == stage.models.requests[2].raw
    assert sum(line.spent for line in read_bill(stage)) == owe(stage) == told_again[0].spent


def test_a_vendor_that_never_recovers_is_given_up_and_a_person_is_called(play: Play) -> None:
    stage = play()
    stage.config = stage.config.replace("[loop]\n", "[loop]\nmax_tries = 2\n")
    stage.models.fail(Overloaded(), times=FOREVER)
    codes = [go(stage)]

    while codes[-1] == 3:
        stage.pass_time(hours=1)
        codes.append(stage.resume())

    with stage.store() as store:
        results = [one.result for one in store.exchanges(store.repos()[0].id, PULL)]
    assert codes == [*[3] * 8, 1]
    assert results == [Ending.UNREACHABLE, Ending.UNREACHABLE]
    assert len(stage.models.requests) == 12
    assert "6 requests in a row failed, the last with overloaded" in stage.look("status")
    assert owe(stage) == 0
    assert not is_approved(stage)


@pytest.mark.parametrize("vendor", BOTH)
def test_a_refused_signature_begins_anew_from_the_brief_once(vendor: str, play: Play) -> None:
    stage = play(on("review *", say(shell("echo looked")), says_review()))
    let_review(stage, vendor)
    stage.models.fail(BadSignature(), turn=1)

    code = go(stage)

    line = line_of(stage)
    turns = [one.question.turn if one.question else -1 for one in stage.models.requests]
    assert code == 0
    assert turns == [0, -1, 0, 1]
    assert (line["result"], line["requests"]) == ("replied", "4")
    assert owe(stage) > 0


@pytest.mark.parametrize("fault", [Truncated(), Refuses(), Prose(), Dead()], ids=str)
def test_an_implementer_without_an_answer_leaves_nothing_behind(
    fault: Fault, tmp_path: Path
) -> None:
    with open_stage(tmp_path, told()) as stage:
        stage.only(1)
        stage.models.fail(fault, times=FOREVER, headline="implement *")

        code = stage.run()

        assert code == 3
        assert stage.outcomes == {1: "waiting"}
        assert line_of(stage, "implement")["result"] in {"truncated", "refused", "invalid", "open"}
        assert stage.forge.writes == []
        assert owe(stage) > 0
