"""One item from where it stands to where it must stop: read the truth, decide, take one step."""

from __future__ import annotations

import logging
from typing import assert_never

from harness.errors import InDoubt
from harness.facts.case import Case
from harness.facts.decisions import ItemReport, Outcome
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
from harness.rules.custody import next_step
from harness.runs.checking import run_check
from harness.runs.desk import Desk
from harness.runs.ending import (
    abandon,
    approve,
    ask_person,
    escalate,
    merge,
    report,
    wait_for_checks,
)
from harness.runs.gather import gather_case
from harness.runs.implementing import commit_left, implement
from harness.runs.job import Job, follow_base
from harness.runs.looking_again import look_again, try_check_again
from harness.runs.opening import open_pull, push_head
from harness.runs.putting_away import put_away_ended
from harness.runs.rebutting import rebut
from harness.runs.reopening import reopen_lost_fixes, wake
from harness.runs.responding import respond
from harness.runs.reviewing import ask_same, review
from harness.runs.updating import update

logger = logging.getLogger(__name__)

MOST_STEPS = 200  # a bound on one call, far above what caps and rounds allow


def work_item(desk: Desk, job: Job) -> ItemReport:
    """Work an item until it is done, waits, or needs a person. Raises DoorError."""
    try:
        return _work(desk, job)
    except InDoubt as error:
        return ask_person(desk, job, gather_case(desk, job), str(error))


def _work(desk: Desk, job: Job) -> ItemReport:
    desk.outbox.finish_open(desk.repo_id, job.item)
    put_away_ended(desk, job.item)
    job = follow_base(desk, job)
    before: Case | None = None
    woken = _wake(desk, job)
    if not woken:
        try_check_again(desk, job)
    for _ in range(MOST_STEPS):
        case = look_again(desk, job, gather_case(desk, job, anew=woken and before is None))
        if reopen_lost_fixes(desk, job, case.head):
            continue
        step = next_step(case)
        if before is not None and _stands_still(before, case):
            return report(desk, job, case, Outcome.ERROR, f"no progress at {_name(step)}")
        before = None if isinstance(step, AwaitChecks) else case  # time alone may decide the next
        _announce(desk, job, case, step)
        ended = take_step(desk, job, case, step)
        if ended is not None:
            return ended
    return report(desk, job, case, Outcome.ERROR, f"more than {MOST_STEPS} steps")


def take_step(  # noqa: C901, PLR0911, PLR0912 - one total match, a line a step
    desk: Desk, job: Job, case: Case, step: Step
) -> ItemReport | None:
    """Take one step; a report when the item goes no further for now."""
    match step:
        case Implement():
            return implement(desk, job, case, step)
        case CheckBase():
            run_check(desk, step.sha, None)
        case Commit():
            return commit_left(desk, job, case, step)
        case Check():
            run_check(desk, step.sha, case.base_check)
        case Push():
            return push_head(desk, job, case, step)
        case Open():
            return open_pull(desk, job, case, step)
        case Review() | Close():
            return review(desk, job, case, step)
        case Same():
            return ask_same(desk, job, case, step)
        case FixOwn() | Respond() | FixCheck():
            return respond(desk, job, case, step)
        case Rebut():
            return rebut(desk, job, case, step)
        case Update():
            return update(desk, job, case, step)
        case AwaitChecks():
            wait_for_checks(desk, job, case, step)
        case Approve():
            return approve(desk, job, case, step)
        case Merge():
            return merge(desk, job, case, step)
        case Escalate():
            return escalate(desk, job, case, step)
        case Wait():
            return report(desk, job, case, Outcome.WAITING, step.reason, until=step.until)
        case Abandon():
            return abandon(desk, job, case, step)
        case _:
            assert_never(step)
    return None


def _wake(desk: Desk, job: Job) -> bool:
    called = desk.store.person_called(desk.repo_id, job.item) is not None
    return called and wake(desk, job, gather_case(desk, job))


def _stands_still(before: Case, now: Case) -> bool:
    """Whether a step changed nothing at all: ours to mend, and never to be repeated."""
    return before == now.model_copy(update={"now": before.now})


def _announce(desk: Desk, job: Job, case: Case, step: Step) -> None:
    round_ = getattr(step, "round", 0)
    who = getattr(step, "agent", "")
    desk.progress.step(job.item, f"{_name(step)} {who}".rstrip(), round_=round_)
    logger.info(
        "%s item %d round %d: %s %s head %s",
        desk.repo.slug,
        job.item,
        round_,
        _name(step),
        who,
        case.head[:12],
    )


def _name(step: Step) -> str:
    words = "".join(
        f" {letter.lower()}" if letter.isupper() else letter for letter in type(step).__name__
    )
    return words.strip()
