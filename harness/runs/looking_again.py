"""Where a person was called: looking whether the world has mended what they were called for.

Nothing is written and nobody is asked while it has not.
"""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.steps import Check, CheckBase
from harness.rules.custody import asking_again, is_over, may_ask_again, next_step, uncalled
from harness.runs.calling import end_call
from harness.runs.checking import run_check
from harness.runs.desk import Desk
from harness.runs.gather import gather_case
from harness.runs.job import Job

MENDED = "what a person was called for is over"


def look_again(desk: Desk, job: Job, case: Case) -> Case:
    """The case as it is gone on with; the call is over where custody has something to do."""
    if is_over(case):
        end_call(desk, job.item, case.pull.number if case.pull else job.item, MENDED)
        return uncalled(case)
    return asking_again(case) if may_ask_again(case) else case


def try_check_again(desk: Desk, job: Job) -> None:
    """Run the check that could not run once more, on the base and on the head."""
    called = desk.store.person_called(desk.repo_id, job.item)
    if called is None or called.cause is not Cause.UNRUNNABLE:
        return
    case = gather_case(desk, job, anew=True)
    for _ in range(2):
        match next_step(uncalled(case)):
            case CheckBase(sha=sha):
                run_check(desk, sha, None)
            case Check(sha=sha):
                run_check(desk, sha, case.base_check)
            case _:
                return
        case = gather_case(desk, job)
