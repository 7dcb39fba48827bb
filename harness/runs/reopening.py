"""What people did opens points again.

They acted where they were called: the call is over, and what was theirs is open. Or a commit that
fixed something is not in the branch any more.
"""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.entries import Standing, State
from harness.rules.history import fix_commit
from harness.rules.settle import plan_lost_fixes, plan_person_acted
from harness.runs.calling import end_call
from harness.runs.desk import Desk
from harness.runs.holdings import stands_again
from harness.runs.job import Job
from harness.runs.settling import harness_context


def wake(desk: Desk, job: Job, case: Case) -> bool:
    """Whether somebody was called and has acted since: spoken, named the item, or moved HEAD."""
    called = desk.store.person_called(desk.repo_id, job.item)
    if called is None:
        return False
    spoke = case.last_person_act is not None and case.last_person_act > called.at
    if not spoke and case.head == called.head:
        return False
    _reopen(desk, job, case.head)
    end_call(desk, job.item, case.pull.number if case.pull else job.item)
    return True


def _reopen(desk: Desk, job: Job, head: str) -> None:
    """What only a person could settle is open again: the agents look at what they did."""
    here = desk.store.in_scope(desk.repo_id, job.scope)
    waiting = tuple(one for one in here if one.state is State.NEEDS_HUMAN)
    if not waiting:
        return
    occasion = f"person-{desk.clock.now().isoformat()}"
    plan = plan_person_acted(waiting, harness_context(desk, job, occasion, head, waiting))
    desk.store.record_events(plan.entries, plan.aliases, plan.events)


def reopen_lost_fixes(desk: Desk, job: Job, head: str) -> bool:
    """Open what was fixed by a commit that is not below this head; whether there was any."""
    here = desk.store.in_scope(desk.repo_id, job.scope)
    lost = {one.entry.id: sha for one in here if (sha := _lost_fix(desk, one, head))}
    plan = plan_lost_fixes(here, lost, harness_context(desk, job, f"lost-{head}", head, here))
    if plan.events:
        desk.store.record_events(plan.entries, plan.aliases, plan.events)
    return bool(plan.events)


def _lost_fix(desk: Desk, standing: Standing, head: str) -> str:
    """The commit, where it is lost; a fix that was agreed to only where its lines are back."""
    sha = fix_commit(standing)
    if not sha or not head or (desk.trees.has(sha) and desk.trees.is_ancestor(sha, head)):
        return ""
    is_lost = standing.state is State.CLAIMED or stands_again(desk.trees, standing, head)
    return sha if is_lost else ""
