"""What custody sees of a case: who wrote it, who reviews it, what gates, what counts since when."""

from __future__ import annotations

from harness.facts.case import OF_TEXT, Case, Told, Word
from harness.facts.checks import Check
from harness.facts.journal import ExchangeKind
from harness.facts.points import Point
from harness.rules.checks import tell_end
from harness.rules.points import is_gating

REVIEWS = frozenset({ExchangeKind.REVIEW, ExchangeKind.CLOSE})
EDITS = frozenset(
    {
        ExchangeKind.IMPLEMENT,
        ExchangeKind.RESPOND,
        ExchangeKind.FIX_OWN,
        ExchangeKind.FIX_CHECK,
        ExchangeKind.UPDATE,
    }
)
HARNESS = "harness"  # the agent of a clean merge of the base


def author(case: Case) -> str:
    """The agent of the newest commit row on the head's first-parent line, else `first`."""
    agents = (row.agent for row in case.commits if row.agent in case.agents)
    return next(agents, case.agents[0])


def reviewer(case: Case) -> str:
    """The agent that did not move HEAD last."""
    return other(case, author(case))


def other(case: Case, agent: str) -> str:
    """The other one of the two agents."""
    first, second = case.agents
    return second if agent == first else first


def blockers(case: Case) -> tuple[Point, ...]:
    """The points that gate: blocking, in scope, not settled and not fixed."""
    return tuple(point for point in case.points if is_gating(point))


def review_of_head(case: Case) -> Told | None:
    """The newest recorded review of this change by an agent that did not move its head."""
    return next(reversed(reviews_of_head(case)), None)


def reviews_of_head(case: Case) -> tuple[Told, ...]:
    """All recorded reviews of base..head by an agent that did not move the head, oldest first."""
    return tuple(
        told
        for told in case.told
        if told.kind in REVIEWS
        and told.recorded
        and (told.head, told.base) == (case.head, case.base)
        and told.agent == reviewer(case)
    )


def unheard(case: Case, review: Told) -> tuple[Word, ...]:
    """What people with write access said and this review was not shown."""
    return tuple(word for word in case.words if word.may_write and word.key not in review.heard)


def is_outdated(case: Case, review: Told) -> bool:
    """Whether this review was shown another text of the issue than it has now."""
    return case.issue is not None and case.issue.key not in review.heard


def was_rewritten(case: Case) -> bool:
    """Whether the issue had another text when it was reviewed before."""
    return any(_is_of_another_text(case, told) for told in case.told)


def _is_of_another_text(case: Case, told: Told) -> bool:
    now = case.issue.key if case.issue else ""
    return bool(now) and any(key.startswith(OF_TEXT) and key != now for key in told.heard)


def is_unanswered(case: Case) -> bool:
    """Whether a review of this head is the last thing that was recorded."""
    review = review_of_head(case)
    recorded = [told for told in case.told if told.recorded]
    return review is not None and recorded[-1] == review


def red_of_forge(case: Case) -> tuple[str, ...]:
    """Names of required checks of the forge that are red here and not on the base."""
    return tuple(
        check.name
        for check in case.forge_checks
        if check.state == "red"
        and check.required
        and check.name not in case.forge_checks_red_on_base
    )


def round_of(case: Case) -> int:
    """The round of the newest recorded review, 0 before there is one."""
    return max((t.round for t in case.told if t.kind in REVIEWS and t.recorded), default=0)


def is_since_person(case: Case, told: Told) -> bool:
    """Whether nobody pushed, commented, named the item or wrote it anew since this was asked."""
    spoke = case.last_person_act is not None and told.at <= case.last_person_act
    return not spoke and told.head not in _before_push(case) and not _is_before_text(case, told)


def _is_before_text(case: Case, told: Told) -> bool:
    """Whether this or a later review was shown another text: the one of now came after it."""
    return told in case.told and any(
        _is_of_another_text(case, one) for one in case.told[case.told.index(told) :]
    )


def _before_push(case: Case) -> frozenset[str]:
    """The commits below the newest one that a person pushed, the base with them.

    A commit says when it was made, not when it was pushed: only its place tells what came later.
    """
    theirs = next((at for at, row in enumerate(case.commits) if not row.agent), None)
    if theirs is None:
        return frozenset()
    return frozenset({case.base, *(row.sha for row in case.commits[theirs + 1 :])})


def word_unrunnable(where: str, check: Check) -> str:
    """Why a check that cannot run stops the work: how it ended, with its last line of output."""
    last = check.tail.strip().splitlines()[-1:] or ["no output"]
    ended = tell_end(check.exit, check.stopped_by)
    return f"the check cannot run on {where} ({ended}): {last[0]}"
