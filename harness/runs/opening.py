"""From a checked commit to an open pull request."""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.decisions import ItemReport
from harness.facts.intents import Intent, OpenPull, Precondition
from harness.facts.intents import Push as PushWrite
from harness.facts.steps import Escalate, Open, Push
from harness.facts.trees import PullRow
from harness.rules.forge_names import open_purpose, push_purpose
from harness.rules.proof import commands_of
from harness.runs.desk import Desk
from harness.runs.ending import escalate, refused
from harness.runs.gather import moved_on
from harness.runs.job import Job
from harness.runs.publishing import implementation_of
from harness.words.pull_body import pull_body, pull_title


def push_head(desk: Desk, job: Job, case: Case, step: Push) -> ItemReport | None:
    """Push the head to our branch, under a lease on what it replaces."""
    if desk.reading.is_protected(job.branch):
        return refused(desk, job, case, f"the branch {job.branch} is protected")
    number = case.pull.number if case.pull else 0
    intent = desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=job.item,
        purpose=push_purpose(job.branch, step.sha),
        write=PushWrite(
            branch=job.branch,
            sha=step.sha,
            expected=step.expected,
            adopted=job.origin == "adopted",
        ),
        why=f"commit {step.sha[:12]} passed the check",
        needs=Precondition(pull=number, state="open" if number else ""),
    )
    return _unless_delivered(desk, job, case, step, intent, "the branch could not be pushed")


def open_pull(desk: Desk, job: Job, case: Case, step: Open) -> ItemReport | None:
    """Open the pull request from what the implementer reported; its number is read back."""
    reply = implementation_of(desk, case.told)
    if reply is None:
        reason = "no implementation was reported for this branch"
        return escalate(desk, job, case, Escalate(reason=reason, cause=Cause.ARGUMENT))
    ran = [
        command.command
        for told in case.told
        for command in commands_of(desk.store.journal(told.id))
    ]
    intent = desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=job.item,
        purpose=open_purpose(job.branch),
        write=OpenPull(
            branch=job.branch,
            base=job.base_ref,
            title=pull_title(reply, case.issue.title if case.issue else ""),
            body=pull_body(reply, item=job.item, closes=True, ran=ran, check=case.head_check),
            draft=case.loop.drafts,
        ),
        why=f"issue #{job.item} is implemented at {step.sha[:12]}",
        needs=Precondition(item=job.item, item_state="open"),
    )
    what = "the pull request could not be opened"
    stopped = _unless_delivered(desk, job, case, step, intent, what)
    if stopped is not None or intent.receipt is None:
        return stopped
    desk.store.note_pull(
        PullRow(
            repo_id=desk.repo_id,
            number=intent.receipt.number,
            item=job.item,
            branch=job.branch,
            base=job.base_ref,
            origin="ours",
            attempt=job.attempt,
            state="open",
            closed_by="",
            status_comment=0,
        )
    )
    return None


def _unless_delivered(
    desk: Desk, job: Job, case: Case, step: Push | Open, intent: Intent, what: str
) -> ItemReport | None:
    """A person is called, unless somebody only was quicker and the next step is another one now."""
    if intent.state == "delivered" or moved_on(desk, job, step):
        return None
    return refused(desk, job, case, f"{what}: {intent.reason}")
