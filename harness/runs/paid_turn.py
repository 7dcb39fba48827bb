"""One request to a vendor: waited for, paid for before it is made, stored before it is used."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import assert_never

from harness.errors import TURNED_AWAY, VendorError
from harness.facts.journal import Answered, Asked, Ending, Failed
from harness.facts.money import MicroDollars, Spend
from harness.facts.moves import Ask, Finish, Held, Pause, Wait
from harness.rules.budget import (
    bound_cost,
    bound_input,
    cost_of,
    day_of,
    fits_another_day,
    next_day,
    read_partial_usage,
    word_refusal,
)
from harness.rules.patience import (
    HELD_LOOKS,
    HELD_PAUSE,
    HELD_SECONDS,
    choose_wait,
    find_not_before,
)
from harness.runs.sitting import Sitting

logger = logging.getLogger(__name__)


def ask_turn(sitting: Sitting, ask: Ask) -> Held | None:
    """Ask and store what came, good or bad; how it came out where it goes no further for now.

    Raises VendorError where the vendor turns the agent away: the exchange then stays open.
    """
    match choose_wait(ask, sitting.clock.now()):
        case Pause() as pause:
            return sitting.pause(pause)
        case Wait(seconds=seconds):
            sitting.clock.wait(seconds)
        case None:
            pass
        case other:
            assert_never(other)
    bound = _bound(sitting, ask)
    stopped = _reserve(sitting, ask, bound)
    if stopped:
        return stopped
    brief = sitting.exchange.brief
    doing = f"{brief.pin.agent}: {brief.kind}, turn {ask.n}"
    sitting.progress.step(brief.item, doing, round_=brief.round)
    try:
        turn = sitting.turns.ask(ask.conversation)
    except VendorError as error:
        failed = _tell_failure(sitting, ask, error)
        sitting.append(failed)
        if error.reason in TURNED_AWAY:
            sitting.store.rest(sitting.exchange.id, failed.words)
            raise
        return None
    cost = cost_of(turn.usage, sitting.prices) if turn.usage_known else bound
    sitting.append(Answered(n=ask.n, turn=turn, cost=cost))
    sitting.progress.spent(brief.item, turn.usage.total_input + turn.usage.output, cost)
    return None


def _bound(sitting: Sitting, ask: Ask) -> MicroDollars:
    tokens = bound_input(ask, sitting.turns.input_bound(ask.conversation))
    return bound_cost(tokens, ask.max_tokens, sitting.prices)


def _reserve(sitting: Sitting, ask: Ask, bound: MicroDollars) -> Held | None:
    """Hold the money for this request, waiting a while for what others hold; stores `asked`."""
    asked = Asked(n=ask.n, bound=bound, max_tokens=ask.max_tokens)
    for look in range(HELD_LOOKS + 1):
        now = sitting.clock.now()
        match sitting.store.ask(sitting.exchange.id, asked, sitting.caps, day_of(now), now):
            case "reserved":
                sitting.rows = (*sitting.rows, asked)
                return None
            case "refused":
                return _refuse(sitting, bound, now)
            case "held" if look < HELD_LOOKS:
                sitting.clock.wait(HELD_SECONDS)
            case "held":
                break
    until = sitting.clock.now() + timedelta(seconds=HELD_PAUSE)
    reason = word_refusal(sitting.caps, *_spend(sitting, now), bound)
    return sitting.pause(Pause(not_before=until, reason=reason))


def _refuse(sitting: Sitting, bound: MicroDollars, now: datetime) -> Held:
    """The end where no day makes room for this request; else the exchange rests until one does."""
    spent, reserved = _spend(sitting, now)
    reason = word_refusal(sitting.caps, spent, reserved, bound)
    if fits_another_day(sitting.caps, spent, bound):
        return sitting.pause(Pause(not_before=next_day(now), reason=reason))
    return sitting.end(Finish(ending=Ending.OUT_OF_BUDGET, reason=reason))


def _spend(sitting: Sitting, now: datetime) -> tuple[Spend, Spend]:
    brief = sitting.exchange.brief
    return sitting.store.spend(brief.repo_id, brief.item, sitting.exchange.id, day_of(now))


def _tell_failure(sitting: Sitting, ask: Ask, error: VendorError) -> Failed:
    usage = read_partial_usage(error.usage_json)
    said = sitting.scrub(str(error))
    logger.warning("exchange %s, turn %d: %s: %s", sitting.exchange.id, ask.n, error.reason, said)
    return Failed(
        n=ask.n,
        why=error.reason,
        detail=said,
        usage=usage,
        not_before=find_not_before(ask.failures + 1, error, sitting.clock.now()),
        cost=cost_of(usage, sitting.prices) if usage else None,
    )
