from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from harness.facts.journal import Brief, Ending, Exchange, ExchangeKind, HandleMap
from harness.facts.turns import AgentPin, Tools
from harness.rules.triage_tries import is_asked_alone, is_used_up, tries_about

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def asked(result: Ending | None, *issues: int, agent: str = "gpt", after: int = 0) -> Exchange:
    names = tuple((str(one), str(one)) for one in issues or (1,))
    brief = Brief(
        kind=ExchangeKind.TRIAGE,
        repo_id=1,
        item=0,
        round=1,
        attempt=1,
        pin=AgentPin(agent=agent, provider="openai", model="m", effort="low"),
        head="h",
        base="h",
        decision="d",
        system="",
        prompt="",
        tools=Tools.READ,
        reply_name="triage",
        handles=HandleMap(handles=names),
        required_handles=(),
        optional_handles=(),
        citable=(),
    )
    return Exchange(
        id=f"{agent}-{after}",
        run_id="r",
        brief=brief,
        created_at=NOON + timedelta(minutes=after),
        result=result,
        reason="",
        not_before=None,
        spent=0,
    )


def test_only_what_ended_without_a_valid_answer_about_this_issue_is_a_try() -> None:
    exchanges = [
        asked(Ending.INVALID, 1, 2, after=1),
        asked(Ending.REFUSED, 2, after=2),
        asked(Ending.SUPERSEDED, 1, after=3),
        asked(Ending.REPLIED, 1, agent="claude", after=4),
        asked(None, 1, after=5),
    ]

    assert [one.id for one in tries_about(exchanges, 1, None)] == ["gpt-1"]
    assert [one.id for one in tries_about(exchanges, 2, None)] == ["gpt-1", "gpt-2"]


def test_tries_about_an_older_text_do_not_count() -> None:
    exchanges = [asked(Ending.INVALID, after=minutes) for minutes in (1, 2, 3)]

    assert len(tries_about(exchanges, 1, NOON + timedelta(minutes=2))) == 1


def test_the_agent_that_was_silent_most_often_counts() -> None:
    exchanges = [asked(Ending.INVALID, agent=agent) for agent in ("gpt", "claude", "claude")]

    assert {one.brief.pin.agent for one in tries_about(exchanges, 1, None)} == {"claude"}


@pytest.mark.parametrize(
    ("results", "most", "used_up", "alone"),
    [
        ([], 3, False, False),
        ([], 1, False, False),
        ([Ending.INVALID], 3, False, False),
        ([Ending.INVALID], 1, True, True),
        ([Ending.INVALID] * 2, 3, False, True),
        ([Ending.INVALID, Ending.UNREACHABLE], 3, False, False),
        ([Ending.INVALID] * 3, 3, True, True),
    ],
)
def test_the_last_try_is_about_one_issue_alone(
    results: list[Ending], most: int, used_up: bool, alone: bool
) -> None:
    tries = [asked(result) for result in results]

    assert is_used_up(tries, most) is used_up
    assert is_asked_alone(tries, most) is alone
