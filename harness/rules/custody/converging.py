"""From review to convergence: nothing is open that blocks, or somebody acts next."""

from __future__ import annotations

from harness.facts.case import Case, Told
from harness.facts.causes import Cause
from harness.facts.journal import ExchangeKind
from harness.facts.points import Point
from harness.facts.steps import Close, Escalate, FixOwn, Rebut, Respond, Review, Same, Step
from harness.rules.custody.asking import ask
from harness.rules.custody.views import (
    EDITS,
    REVIEWS,
    author,
    blockers,
    is_outdated,
    is_since_person,
    other,
    review_of_head,
    reviewer,
    round_of,
    unheard,
)
from harness.rules.points import is_for_ruling


def reviewed(case: Case) -> Step | None:
    """This head needs a review by the agent that did not move it."""
    review = review_of_head(case)
    if review is None:
        return _review(case)
    if review.held:
        return _same(case, review)
    return None


def whole(case: Case) -> Step | None:
    """Nothing blocks; whether the review that says so can be taken for one."""
    review = review_of_head(case)
    if review is None:
        return None
    if unheard(case, review) or is_outdated(case, review):
        return _review(case)
    why = _doubt(review)
    if not why:
        return None
    return (
        Escalate(reason=why, cause=Cause.ARGUMENT)
        if is_since_person(case, review)
        else _review(case)
    )


def _doubt(review: Told) -> str:
    if review.not_reviewed:
        return f"the review left out: {', '.join(review.not_reviewed)}"
    if review.asks_for_changes:
        return f"{review.agent} asks for changes and names nothing that blocks"
    return ""


def _review(case: Case) -> Step:
    used = sum(
        1 for t in case.told if t.kind in REVIEWS and t.recorded and is_since_person(case, t)
    )
    if used < case.loop.max_rounds:
        return ask(case, ExchangeKind.REVIEW, reviewer(case), round_of(case) + 1, Review)
    if any(
        t.kind is ExchangeKind.CLOSE and t.recorded and is_since_person(case, t) for t in case.told
    ):
        return Escalate(
            reason=f"{case.loop.max_rounds} rounds and the closing pass are used up",
            cause=Cause.ARGUMENT,
        )
    return ask(case, ExchangeKind.CLOSE, reviewer(case), round_of(case) + 1, Close)


def _same(case: Case, review: Told) -> Step:
    return ask(case, ExchangeKind.SAME, review.agent, review.round, Same, review_id=review.id)


def settled(case: Case) -> Step | None:
    """What is claimed is ruled on, what is open goes back; nothing open goes on."""
    review = review_of_head(case)
    if review is None:
        return None
    claimed = [point for point in case.points if is_for_ruling(point)]
    if claimed:
        return _rebut(case, review, claimed)
    if not blockers(case):
        return None
    if review.kind is ExchangeKind.CLOSE and is_since_person(case, review):
        return Escalate(
            reason="the closing pass still found blocking defects", cause=Cause.ARGUMENT
        )
    return _hand_back(case, review)


def _rebut(case: Case, review: Told, claimed: list[Point]) -> Step:
    after = case.told.index(review)
    ruled = [
        t
        for t in case.told[after:]
        if t.kind is ExchangeKind.REBUT and t.recorded and is_since_person(case, t)
    ]
    responses = [t for t in case.told[after:] if t.kind in EDITS and t.recorded]
    newest = responses[-1] if responses else review
    if any(case.told.index(told) > case.told.index(newest) for told in ruled):
        titles = "; ".join(point.title for point in claimed)
        return Escalate(
            reason=f"nobody ruled on what was claimed about: {titles}", cause=Cause.ARGUMENT
        )
    agent = other(case, claimed[0].claimed_by)
    return ask(case, ExchangeKind.REBUT, agent, review.round, Rebut)


def _hand_back(case: Case, review: Told) -> Step:
    after = case.told[case.told.index(review) :]
    answered = [
        t
        for t in after
        if t.kind in {ExchangeKind.RESPOND, ExchangeKind.FIX_OWN}
        and t.recorded
        and is_since_person(case, t)
    ]
    if len(answered) > 1:
        titles = "; ".join(point.title for point in blockers(case))
        return Escalate(reason=f"still open after two answers: {titles}", cause=Cause.ARGUMENT)
    if review.fix_myself and not answered:
        return ask(case, ExchangeKind.FIX_OWN, review.agent, review.round, FixOwn)
    return ask(case, ExchangeKind.RESPOND, author(case), review.round, Respond)
