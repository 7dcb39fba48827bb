"""What rulings and rebuttals come to: a claim is settled, disputed, or waits on.

Nobody rules on their own claim. Fixed needs a head that is not the one the point was opened at, and
evidence from there by whoever confirms it. An answer that did not check is no answer: the point
stays claimed. Objected to or stood by for the second time, a point needs a person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeVar

from harness.facts.entries import Disposition, EventKind, Standing, State
from harness.facts.findings import Evidence
from harness.facts.matching import Plan, SettleContext
from harness.facts.replies import AnswerReply, RulingReply
from harness.rules.history import claimed_by, opened_at, stood_count
from harness.rules.raising import as_evidence
from harness.rules.telling import Telling, changed_anchor

MOST_OBJECTIONS = 2

Answer = TypeVar("Answer", RulingReply, AnswerReply)


def plan_rulings(
    rulings: tuple[RulingReply, ...],
    fallen: Collection[str],
    context: SettleContext,
    standings: tuple[Standing, ...],
    raised: Collection[str] = (),
) -> Plan:
    """What rulings on claimed points come to; on settled ones `plan_review` takes them.

    Whoever agrees that a point is done and raises it again (`raised`, entry ids) has not ruled.
    """
    telling = _telling(context, standings)
    for one, standing in _answered(rulings, fallen, telling):
        if standing.state is not State.CLAIMED or claimed_by(standing) == context.actor:
            continue
        evidence = as_evidence(one.evidence)
        if one.agrees and standing.entry.id in raised:
            continue
        if one.agrees:
            _accept(telling, one.handle, standing, one.reasoning, evidence)
        else:
            kind = EventKind.OBJECTED
            _contest(telling, kind, one.handle, standing, one.reasoning, evidence)
    return telling.plan()


def plan_rebuttal(
    answers: tuple[AnswerReply, ...], fallen: Collection[str], context: SettleContext
) -> Plan:
    """What a raiser's answers come to, where HEAD did not move.

    Who gives in to a claim agrees with it (a refutation or a filing has evidence of its own that
    checked, a fix is confirmed with the raiser's); who gives in to an objection without a claim
    withdraws, and only who raised a point can.
    """
    telling = _telling(context, context.known)
    for one, standing in _answered(answers, fallen, telling):
        if standing.state not in {State.CLAIMED, State.DISPUTED}:
            continue
        if claimed_by(standing) == context.actor:
            continue
        evidence = as_evidence(one.evidence)
        if one.stands:
            _contest(telling, EventKind.STOOD, one.handle, standing, one.reasoning, evidence)
        elif standing.claim is not None:
            _accept(telling, one.handle, standing, one.reasoning, evidence)
        elif standing.finding.raised_by == context.actor:
            telling.tell(
                one.handle,
                standing.entry.id,
                EventKind.WITHDRAWN,
                reasoning=one.reasoning,
                evidence=evidence,
            )
    return telling.plan()


def _telling(context: SettleContext, standings: tuple[Standing, ...]) -> Telling:
    return Telling(context.model_copy(update={"known": standings}))


def _answered(
    answers: tuple[Answer, ...], fallen: Collection[str], telling: Telling
) -> Iterator[tuple[Answer, Standing]]:
    """The answers that count, each with the point it was shown."""
    shown = dict(telling.context.shown)
    for one in answers:
        standing = telling.standings.get(shown.get(one.handle, ""))
        if standing is not None and one.handle not in fallen:
            yield one, standing


def _accept(
    telling: Telling,
    handle: str,
    standing: Standing,
    reasoning: str,
    evidence: tuple[Evidence, ...],
) -> None:
    if standing.claim is Disposition.FIXED:
        if not evidence:
            return  # nobody showed that they went there
        if opened_at(standing) == telling.context.head:
            return  # nothing was committed since: it cannot be fixed
    kind = EventKind.FIXED if standing.claim is Disposition.FIXED else EventKind.AGREED
    telling.tell(
        handle,
        standing.entry.id,
        kind,
        reasoning=reasoning,
        evidence=evidence,
        anchor=changed_anchor(telling.context, standing.entry.id),
        disposition=standing.claim,
    )


def _contest(
    telling: Telling,
    kind: EventKind,
    handle: str,
    standing: Standing,
    reasoning: str,
    evidence: tuple[Evidence, ...],
) -> None:
    before, entry_id = stood_count(standing), standing.entry.id
    telling.tell(
        handle,
        entry_id,
        kind,
        reasoning=reasoning,
        evidence=evidence,
        disposition=standing.claim,
    )
    if before + 1 >= MOST_OBJECTIONS:
        why = "claimed and objected to twice"
        telling.tell(handle, entry_id, EventKind.ESCALATED, reasoning=why)
