"""Who acts next on an item: the state machine of custody.

    CheckBase ─ Implement ─┬─ Abandon (declined, no change)
                           └─ Commit ─ Check ─┬─ FixCheck ─ Commit ...
                                              └─ Push ─ Open ─ Review ─┬─ Same
                     ┌───────────────────────────────────────────────┤
                     │ blocking, in scope                              │ nothing open
                 FixOwn | Respond ─┬─ (HEAD moved) Commit ─ Check ─ Push ─ Review (rules on claims)
                                   └─ (it did not) Rebut ─────────────┤
                                                                       AwaitChecks ─ Approve ─ Merge

Level-triggered: nothing is remembered between steps but what the store, git and the forge say.
An answer that was paid for and not yet recorded is recorded first; changes that were left and not
yet committed are committed first. At every point: a closed pull request ends it, a moved base may
update it, a called person stops it, an agent without a valid answer makes it wait. A change of
policy or CI goes to a person before it is approved.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import assert_never

from harness.facts.case import Case, Told
from harness.facts.decisions import Outcome
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.points import Point
from harness.facts.steps import (
    Abandon,
    Approve,
    AwaitChecks,
    Check,
    CheckBase,
    Close,
    Commit,
    Escalate,
    FixCheck,
    FixOwn,
    Implement,
    Merge,
    Open,
    Push,
    Rebut,
    Respond,
    Review,
    Same,
    Step,
    Update,
    Wait,
)
from harness.rules.points import is_for_person, is_for_ruling, is_gating

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
_NO_FAILURE = {Ending.SUPERSEDED, Ending.REPLIED}
HARNESS = "harness"  # the agent of a clean merge of the base


def next_step(case: Case) -> Step:
    """The one step that is next; total, and the same for the same case."""
    for decide in _ORDER:
        step = decide(case)
        if step is not None:
            return step
    return _conclude(case)


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
    """The newest recorded review of this head by an agent that did not move it."""
    return next(
        (
            told
            for told in reversed(case.told)
            if told.kind in REVIEWS
            and told.recorded
            and told.head == case.head
            and told.agent == reviewer(case)
        ),
        None,
    )


def is_unanswered(case: Case) -> bool:
    """Whether a review of this head is the last thing that was recorded."""
    review = review_of_head(case)
    recorded = [told for told in case.told if told.recorded]
    return review is not None and recorded[-1] == review


# -- what ends or stops it ----------------------------------------------------------------------
def _ended(case: Case) -> Step | None:
    if case.pull is not None and case.pull.state == "merged":
        return Abandon(outcome=Outcome.MERGED, reason="its pull request is merged")
    if case.pull is not None and case.pull.state == "closed":
        who = "by the harness" if case.pull.closed_by_us else "by a person"
        return Abandon(
            outcome=Outcome.ABANDONED, reason=f"pull request #{case.pull.number} was closed {who}"
        )
    if not case.item_open:
        return Abandon(outcome=Outcome.ABANDONED, reason="it was closed")
    if case.pull is None and case.head and case.head == case.base:
        return Abandon(outcome=Outcome.ABANDONED, reason="its change is in the base already")
    return None


def _stopped(case: Case) -> Step | None:
    if case.unaccounted:
        return Escalate(reason=case.unaccounted)
    if case.called:
        return Escalate(reason="a person was called and has not acted since")
    waiting = [point.title for point in case.points if is_for_person(point)]
    if waiting:
        return Escalate(reason=f"the agents could not settle: {'; '.join(waiting)}")
    if case.rounds_of_blockers_in_fixes >= 2:  # noqa: PLR2004 - design 7: two rounds
        return Escalate(reason="two rounds in a row found blocking defects in what the fixes wrote")
    return None


# -- what is paid for and not yet used ----------------------------------------------------------
def _pending(case: Case) -> Step | None:
    """The oldest answer that was not used: committed first, then recorded."""
    for told in case.told:
        if told.result is not Ending.REPLIED:
            continue
        step = _uncommitted(case, told) if _is_uncommitted(told) else _unrecorded(told)
        if step is not None:
            return step
    return None


def _is_uncommitted(told: Told) -> bool:
    return told.edited and not told.committed


def _uncommitted(case: Case, told: Told) -> Step | None:
    """Nothing where HEAD went another way meanwhile: the changes belong to an older head."""
    begins = told.kind is ExchangeKind.IMPLEMENT and not case.head
    if not begins and told.head != case.head:
        return None
    if told.refused:
        return _for_a_person(told) if is_since_person(case, told) else None
    if told.unsolved:
        return _unmerged(told) if is_since_person(case, told) else None
    return Commit(exchange_id=told.id, agent=told.agent)


def _for_a_person(told: Told) -> Step:
    kept = ", ".join(told.refused)
    reason = f"{told.agent} left what only a person may commit: {kept}"
    return Escalate(reason=reason, exchange_id=told.id)


def _unmerged(told: Told) -> Step:
    return Escalate(reason=f"{told.agent} left conflict markers in {', '.join(told.unsolved)}")


def _unrecorded(told: Told) -> Step | None:
    return None if told.recorded else _again(told)


def _again(told: Told) -> Step | None:
    """The step that asked this, so that its stored answer is read and recorded."""
    spot = {"agent": told.agent, "round": told.round, "attempt": told.attempt}
    match told.kind:
        case ExchangeKind.REVIEW:
            return Review(sha=told.head, **spot)
        case ExchangeKind.CLOSE:
            return Close(sha=told.head, **spot)
        case ExchangeKind.RESPOND:
            return Respond(sha=told.head, **spot)
        case ExchangeKind.FIX_OWN:
            return FixOwn(sha=told.head, **spot)
        case ExchangeKind.FIX_CHECK:
            return FixCheck(sha=told.head, **spot)
        case ExchangeKind.REBUT:
            return Rebut(sha=told.head, **spot)
        case ExchangeKind.UPDATE:
            return Update(sha=told.head, base=told.base, **spot)
        case ExchangeKind.IMPLEMENT | ExchangeKind.SAME | ExchangeKind.TRIAGE:
            return None  # `same` is recorded with its review; the others elsewhere
        case (
            ExchangeKind.ADJUDICATE
            | ExchangeKind.SCREEN
            | ExchangeKind.CHECKIN
            | ExchangeKind.CHECKIN_CHECK
            | ExchangeKind.CHECKIN_FIX
        ):
            return None  # not of custody
        case _:
            assert_never(told.kind)


# -- from nothing to a head ---------------------------------------------------------------------
def _begin(case: Case) -> Step | None:
    if case.head:
        return None
    if case.has_check and case.base_check is None:
        return CheckBase(sha=case.base)
    if case.base_check is not None and case.base_check.state == "unrunnable":
        return Escalate(reason=_unrunnable("the base", case.base_check.tail))
    told = next((t for t in reversed(case.told) if t.kind is ExchangeKind.IMPLEMENT), None)
    if told is not None and told.result is Ending.REPLIED and not _may_ask_again(case, told):
        return _without_edits(told)
    return _ask(case, ExchangeKind.IMPLEMENT, case.agents[0], 0, Implement)


def _may_ask_again(case: Case, told: Told) -> bool:
    """It was said what came of it, and a person has acted since."""
    said = told.recorded or bool(told.refused)
    return said and not is_since_person(case, told)


def _without_edits(told: Told) -> Step:
    if told.not_worth_doing:
        return Abandon(outcome=Outcome.DECLINED, reason=told.reason, exchange_id=told.id)
    return Abandon(
        outcome=Outcome.NO_CHANGE, reason=f"{told.agent} changed nothing", exchange_id=told.id
    )


# -- from a head to an open pull request --------------------------------------------------------
def _checked(case: Case) -> Step | None:
    if not case.has_check:
        return None
    if case.base_check is None:
        return CheckBase(sha=case.base)
    if case.head_check is None:
        return Check(sha=case.head)
    match case.head_check.state:
        case "unrunnable":
            return Escalate(reason=_unrunnable("the head", case.head_check.tail))
        case "red":
            return _fix_check(case, "the check stays red")
        case _:
            return None


def _fix_check(case: Case, reason: str) -> Step:
    if _check_fixes(case) >= case.loop.max_check_fixes:
        return Escalate(reason=f"{reason} after {case.loop.max_check_fixes} attempts to fix it")
    last = case.told[-1] if case.told else None
    if (
        last is not None
        and last.kind is ExchangeKind.FIX_CHECK
        and last.recorded
        and not last.edited
        and is_since_person(case, last)
    ):
        return Escalate(
            reason=f"{reason} and {last.agent} changed nothing: {last.reason}".rstrip(": ")
        )
    return _ask(case, ExchangeKind.FIX_CHECK, author(case), _rounds(case), FixCheck)


def _check_fixes(case: Case) -> int:
    """Recorded fixes of the check since something else was written or a person acted."""
    fixes = 0
    for told in case.told:
        if told.result is not Ending.REPLIED or told.kind not in EDITS:
            continue
        fixes = (
            fixes + 1 if told.kind is ExchangeKind.FIX_CHECK and is_since_person(case, told) else 0
        )
    return fixes


def _published(case: Case) -> Step | None:
    if case.pushed != case.head:
        return Push(sha=case.head, expected=case.pushed)
    if case.pull is None:
        return Open(sha=case.head)
    return None


def _updated(case: Case) -> Step | None:
    if not case.update_needed:
        return None
    last = next((told for told in reversed(case.told) if told.kind is ExchangeKind.UPDATE), None)
    if last is not None and _left_the_conflict(case, last):
        return Escalate(
            reason=f"{last.agent} did not solve the conflict with the base: {last.reason}"
        )
    return _ask(case, ExchangeKind.UPDATE, author(case), _rounds(case), Update, base=case.base_tip)


def _left_the_conflict(case: Case, last: Told) -> bool:
    """Whether it was asked about this very conflict, answered, and merged nothing."""
    asked = (last.head, last.base) == (case.head, case.base_tip)
    return asked and last.recorded and not last.edited and is_since_person(case, last)


def _forge_red(case: Case) -> Step | None:
    red = red_of_forge(case)
    return _fix_check(case, f"required checks stay red: {', '.join(red)}") if red else None


def red_of_forge(case: Case) -> tuple[str, ...]:
    """Names of required checks of the forge that are red here and not on the base."""
    return tuple(
        check.name
        for check in case.forge_checks
        if check.state == "red"
        and check.required
        and check.name not in case.forge_checks_red_on_base
    )


# -- from review to convergence -----------------------------------------------------------------
def _reviewed(case: Case) -> Step | None:
    review = review_of_head(case)
    if review is None:
        return _review(case)
    if review.held:
        return _same(case, review)
    return None


def _whole(case: Case) -> Step | None:
    """Nothing blocks; whether the review that says so can be taken for one."""
    review = review_of_head(case)
    why = _doubt(review) if review is not None else ""
    if not why:
        return None
    assert review is not None
    return Escalate(reason=why) if is_since_person(case, review) else _review(case)


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
        return _ask(case, ExchangeKind.REVIEW, reviewer(case), _rounds(case) + 1, Review)
    if any(
        t.kind is ExchangeKind.CLOSE and t.recorded and is_since_person(case, t) for t in case.told
    ):
        return Escalate(reason=f"{case.loop.max_rounds} rounds and the closing pass are used up")
    return _ask(case, ExchangeKind.CLOSE, reviewer(case), _rounds(case) + 1, Close)


def _same(case: Case, review: Told) -> Step:
    return _ask(case, ExchangeKind.SAME, review.agent, review.round, Same, review_id=review.id)


def _settled(case: Case) -> Step | None:
    review = review_of_head(case)
    if review is None:
        return None
    claimed = [point for point in case.points if is_for_ruling(point)]
    if claimed:
        return _rebut(case, review, claimed)
    if not blockers(case):
        return None
    if review.kind is ExchangeKind.CLOSE and is_since_person(case, review):
        return Escalate(reason="the closing pass still found blocking defects")
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
        return Escalate(reason=f"nobody ruled on what was claimed about: {titles}")
    agent = other(case, claimed[0].claimed_by)
    return _ask(case, ExchangeKind.REBUT, agent, review.round, Rebut)


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
        return Escalate(reason=f"still open after two answers: {titles}")
    if review.fix_myself and not answered:
        return _ask(case, ExchangeKind.FIX_OWN, review.agent, review.round, FixOwn)
    return _ask(case, ExchangeKind.RESPOND, author(case), review.round, Respond)


# -- the end ------------------------------------------------------------------------------------
def _awaited(case: Case) -> Step | None:
    pending = [
        check.name for check in case.forge_checks if check.state == "pending" and check.required
    ]
    if not pending:
        return None
    until = _waited_since(case) + timedelta(minutes=case.loop.checks_timeout_minutes)
    if case.now < until:
        return AwaitChecks(sha=case.head, until=until)
    if case.approved == case.head:
        return Wait(reason=f"required checks run again: {', '.join(pending)}", until=None)
    return Escalate(reason=f"required checks did not finish: {', '.join(pending)}")


def _waited_since(case: Case) -> datetime:
    """When the head was pushed (a person's: when it was reviewed), or a person acted since."""
    review = review_of_head(case)
    begun = case.pushed_at or (review.at if review else case.now)
    return max(begun, case.last_person_act or begun)


def _for_policy(case: Case) -> Step | None:
    """What the harness reads from the base, or CI runs, is passed by a person, once per head."""
    review = review_of_head(case)
    if not case.protected_paths or case.approved == case.head or review is None:
        return None
    if not is_since_person(case, review):
        return None
    paths = ", ".join(case.protected_paths)
    return Escalate(reason=f"the agents have nothing against it, but a person has to pass {paths}")


def _conclude(case: Case) -> Step:
    if case.merge_wanted and case.approved == case.head:
        return Merge(sha=case.head)
    return Approve(sha=case.head)


_ORDER: tuple[Callable[[Case], Step | None], ...] = (
    _ended,
    _stopped,
    _pending,
    _begin,
    _checked,
    _published,
    _updated,
    _forge_red,
    _reviewed,
    _settled,
    _whole,
    _awaited,
    _for_policy,
)


# -- asking -------------------------------------------------------------------------------------
def _ask(
    case: Case,
    kind: ExchangeKind,
    agent: str,
    round_: int,
    step: Callable[..., Step],
    **extra: str,
) -> Step:
    """Ask, resume, try again, wait or give up: the bounded answer to an agent's silence."""
    where = {} if kind in {ExchangeKind.IMPLEMENT, ExchangeKind.SAME} else {"sha": case.head}
    prior = [t for t in case.told if (t.kind, t.agent, t.round) == (kind, agent, round_)]
    last = prior[-1] if prior else None

    def at(attempt: int) -> Step:
        return step(agent=agent, round=round_, attempt=attempt, **where, **extra)

    if last is None:
        return at(1)
    if last.result is Ending.SUPERSEDED or last.head != _asked_head(case, kind, last):
        return at(last.attempt + 1)
    if last.result is None:
        return (
            at(last.attempt)
            if _is_due(case, last)
            else Wait(reason=last.reason, until=last.not_before)
        )
    if last.result is Ending.REPLIED:
        return at(last.attempt if kind is ExchangeKind.SAME else last.attempt + 1)
    return _unanswered(case, prior, at)


def _asked_head(case: Case, kind: ExchangeKind, last: Told) -> str:
    return last.head if kind in {ExchangeKind.IMPLEMENT, ExchangeKind.SAME} else case.head


def _is_due(case: Case, told: Told) -> bool:
    return told.not_before is None or told.not_before <= case.now


def _unanswered(case: Case, prior: list[Told], at: Callable[[int], Step]) -> Step:
    last = prior[-1]
    if last.result is Ending.OUT_OF_BUDGET and case.item_cap_reached:
        return Escalate(reason=last.reason)
    if last.run_id == case.run_id or not _is_due(case, last):
        return Wait(
            reason=f"no valid answer from {last.agent}: {last.reason}", until=last.not_before
        )
    failures = [t for t in prior if t.result not in _NO_FAILURE and is_since_person(case, t)]
    if len(failures) >= case.loop.max_tries:
        return Escalate(
            reason=f"no valid answer from {last.agent} in {len(failures)} tries: {last.reason}"
        )
    return at(last.attempt + 1)


def _rounds(case: Case) -> int:
    """The round of the newest recorded review, 0 before there is one."""
    return max((t.round for t in case.told if t.kind in REVIEWS and t.recorded), default=0)


def is_since_person(case: Case, told: Told) -> bool:
    """Whether nobody pushed, commented or named the item since this was asked."""
    spoke = case.last_person_act is not None and told.at <= case.last_person_act
    return not spoke and told.head not in _before_push(case)


def _before_push(case: Case) -> frozenset[str]:
    """The commits below the newest one that a person pushed, the base with them.

    A commit says when it was made, not when it was pushed: only its place tells what came later.
    """
    theirs = next((at for at, row in enumerate(case.commits) if not row.agent), None)
    if theirs is None:
        return frozenset()
    return frozenset({case.base, *(row.sha for row in case.commits[theirs + 1 :])})


def _unrunnable(where: str, tail: str) -> str:
    last = tail.strip().splitlines()[-1:] or ["no output"]
    return f"the check cannot run on {where}: {last[0]}"
