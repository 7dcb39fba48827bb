"""An agent that the config does not name any more: the one of its vendor takes its place."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from harness.facts.case import Told
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.trees import CommitRow
from harness.facts.turns import AgentPin, Provider
from harness.rules.heirs import heirs, inherit_rows, inherit_told, is_gone

TWO: dict[Provider, str] = {"anthropic": "opus", "openai": "gpt"}
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def pin(agent: str, provider: Provider) -> AgentPin:
    return AgentPin(agent=agent, provider=provider, model="m", effort="medium")


CLAUDE = pin("claude", "anthropic")


def told(**fields: Any) -> Told:
    given = {"id": "e1", "run_id": "r1", "kind": ExchangeKind.REVIEW, "agent": "claude"}
    given |= {"round": 1, "attempt": 1, "head": "h", "base": "b", "result": Ending.REPLIED}
    given |= {"reason": "", "not_before": None, "at": NOON, "recorded": False}
    return Told.model_validate(given | fields)


@pytest.mark.parametrize(
    ("asked", "gone"),
    [
        (pin("gpt", "openai"), False),
        (pin("claude", "anthropic"), True),
        (pin("gpt", "anthropic"), True),  # the name went to another vendor's model
    ],
)
def test_an_agent_is_known_by_its_name_and_its_vendor(asked: AgentPin, gone: bool) -> None:
    assert is_gone(asked, TWO) is gone


def test_commits_count_as_the_heirs_and_so_does_not_review_them() -> None:
    row = CommitRow(
        repo_id=1, sha="s", parent="p", item=1, branch="b", agent="claude", exchange_id="e", at=NOON
    )
    theirs = row.model_copy(update={"agent": "harness"})

    inherited = inherit_rows((row, theirs), heirs((CLAUDE, pin("gpt", "openai")), TWO))

    assert [one.agent for one in inherited] == ["opus", "harness"]


@pytest.mark.parametrize(
    "used",
    [
        {"recorded": True},
        {"kind": ExchangeKind.RESPOND, "edited": True},
        {"kind": ExchangeKind.IMPLEMENT},
        {"result": Ending.REFUSED},
        {"result": Ending.SUPERSEDED},
    ],
    ids=str,
)
def test_what_was_used_or_can_be_used_stays_as_the_heirs(used: dict[str, Any]) -> None:
    before = told(**used)

    after = inherit_told(before, CLAUDE, TWO)

    assert after == before.model_copy(update={"agent": "opus"})


@pytest.mark.parametrize(
    "unused",
    [{}, {"kind": ExchangeKind.RESPOND, "edited": True, "committed": True}],
    ids=["an answer", "an answer whose changes are committed"],
)
def test_an_answer_that_was_not_recorded_is_asked_for_anew(unused: dict[str, Any]) -> None:
    after = inherit_told(told(**unused), CLAUDE, TWO)

    assert (after.agent, after.result) == ("opus", Ending.SUPERSEDED)
    assert "claude is none of the two agents any more" in after.reason


def test_who_is_still_one_of_the_two_is_told_as_it_is() -> None:
    before = told(agent="gpt")

    assert inherit_told(before, pin("gpt", "openai"), TWO) == before
