"""The end: checks of the forge are waited for, a person looks at policy, then it is approved."""

from __future__ import annotations

from datetime import datetime, timedelta

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.steps import Approve, AwaitChecks, Escalate, Merge, Step, Wait
from harness.rules.custody.views import review_of_head


def awaited(case: Case) -> Step | None:
    """Required checks that are not done are waited for, up to the timeout.

    One that was stopped (cancelled, stale, it wants something of a person) is not: it stays so, and
    no author can mend it.
    """
    if case.approved != case.head and (stopped := _required(case, "stopped")):
        return Escalate(
            reason=f"required checks ended without a result: {', '.join(stopped)}",
            cause=Cause.PENDING,
        )
    pending = _required(case, "pending") or _required(case, "stopped")
    if not pending:
        return None
    until = _waited_since(case) + timedelta(minutes=case.loop.checks_timeout_minutes)
    if case.now < until:
        return AwaitChecks(sha=case.head, until=until)
    if case.approved == case.head:
        return Wait(reason=f"required checks run again: {', '.join(pending)}", until=None)
    return Escalate(
        reason=f"required checks did not finish: {', '.join(pending)}", cause=Cause.PENDING
    )


def _required(case: Case, state: str) -> list[str]:
    return [one.name for one in case.forge_checks if one.required and one.state == state]


def _waited_since(case: Case) -> datetime:
    """When the head was pushed (a person's: when it was reviewed), or a person acted since."""
    review = review_of_head(case)
    begun = case.pushed_at or (review.at if review else case.now)
    return max(begun, case.last_person_act or begun)


def for_objections(case: Case) -> Step | None:
    """Whoever asked for changes says themselves that they have them."""
    if not case.objections:
        return None
    who = " and ".join(case.objections)
    return Escalate(
        reason=f"the agents have nothing against it any more, but {who} asked for changes",
        cause=Cause.OBJECTION,
    )


def for_policy(case: Case) -> Step | None:
    """What the harness reads from the base, or CI runs, is passed by a person, once per head."""
    if not case.protected_paths or case.approved == case.head:
        return None
    if _is_passed(case):
        return None
    paths = ", ".join(case.protected_paths)
    return Escalate(
        reason=f"the agents have nothing against it, but a person has to pass {paths}",
        cause=Cause.POLICY,
    )


def _is_passed(case: Case) -> bool:
    """A person was asked to pass this head, and has acted since."""
    asked, acted = case.policy_asked_at, case.last_person_act
    return asked is not None and acted is not None and acted > asked


def conclude(case: Case) -> Step:
    """Nothing speaks against it: it is approved, or merged where that is wanted."""
    if case.merge_wanted and case.approved == case.head:
        return Merge(sha=case.head)
    return Approve(sha=case.head)
