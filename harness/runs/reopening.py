"""A person acted on an item that waited for them: what only a person could settle is open again."""

from __future__ import annotations

from harness.facts.entries import State
from harness.rules.settle import plan_person_acted
from harness.runs.desk import Desk
from harness.runs.job import Job
from harness.runs.settling import harness_context


def reopen_for_person(desk: Desk, job: Job, head: str) -> None:
    """Open what waited for a person, so that the agents look again at what they did."""
    here = desk.store.in_scope(desk.repo_id, job.scope)
    waiting = tuple(one for one in here if one.state is State.NEEDS_HUMAN)
    if not waiting:
        return
    occasion = f"person-{desk.clock.now().isoformat()}"
    plan = plan_person_acted(waiting, harness_context(desk, job, occasion, head, waiting))
    desk.store.record_events(plan.entries, plan.aliases, plan.events)
