from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from harness.errors import VendorError
from harness.facts.moves import Ask, Pause, Wait
from harness.facts.turns import AgentPin, Conversation, ReplySchema, Tools
from harness.rules.patience import choose_wait, find_not_before

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def make_ask(seconds: float | None, failures: int) -> Ask:
    conversation = Conversation(
        exchange_id="e",
        pin=AgentPin(agent="first", provider="openai", model="m", effort="low"),
        system="",
        tools=Tools.READ,
        reply=ReplySchema(name="review", description="", schema_text="{}"),
        messages=(),
        max_tokens=8_000,
    )
    until = None if seconds is None else NOON + timedelta(seconds=seconds)
    return Ask(conversation=conversation, n=1, not_before=until, failures=failures)


@pytest.mark.parametrize(
    ("seconds", "failures", "choice"),
    [
        (None, 0, None),
        (-1, 5, None),
        (0, 5, None),
        (119, 2, Wait(seconds=119)),
        (120, 1, Wait(seconds=120)),
        (121, 1, "pause"),
        (5, 3, "pause"),
    ],
    ids=["no failure", "passed", "now", "soon", "two minutes", "longer", "third failure"],
)
def test_short_waits_are_waited_out_and_longer_ones_leave_the_exchange_open(
    seconds: float | None, failures: int, choice: Wait | str | None
) -> None:
    chosen = choose_wait(make_ask(seconds, failures), NOON)

    if choice == "pause":
        assert isinstance(chosen, Pause)
        assert seconds is not None
        assert chosen.not_before == NOON + timedelta(seconds=seconds)
    else:
        assert chosen == choice


def test_the_vendors_own_time_counts_when_it_is_later() -> None:
    early = VendorError("x", reason="rate_limited", not_before=NOON + timedelta(seconds=1))
    late = VendorError("x", reason="rate_limited", not_before=NOON + timedelta(hours=2))

    assert find_not_before(1, early, NOON) == NOON + timedelta(seconds=5)
    assert find_not_before(1, late, NOON) == NOON + timedelta(hours=2)
    assert find_not_before(9, early, NOON) == NOON + timedelta(minutes=30)


def test_a_new_start_needs_no_wait() -> None:
    assert find_not_before(1, VendorError("x", reason="bad_signature"), NOON) is None
