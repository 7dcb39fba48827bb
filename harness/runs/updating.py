"""The base moved: it is merged in, never rebased; a conflict is one exchange of the author."""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.decisions import ItemReport
from harness.facts.journal import ExchangeKind
from harness.facts.steps import Update
from harness.runs.asking import Question, ask
from harness.runs.desk import Desk
from harness.runs.implementing import record_commit
from harness.runs.job import Job
from harness.runs.material import brief_limits, heading, read_material
from harness.runs.settling import NOTHING, record_plan
from harness.words import briefs
from harness.words.commit_message import merge_message


def update(desk: Desk, job: Job, case: Case, step: Update) -> ItemReport | None:
    """Merge cleanly without a model, or have the author solve the conflict in the merged tree."""
    tree, conflicts = desk.trees.merge_tree(step.sha, step.base)
    if not conflicts:
        message = merge_message(
            job.base_ref, job.branch, settings=desk.settings.commit, mask=desk.scrub
        )
        sha = desk.trees.commit(tree, (step.sha, step.base), message, desk.clock.now())
        desk.trees.keep(sha)
        record_commit(desk, job, sha, step.sha)
        return None
    written = briefs.update(
        desk.prompts,
        heading(desk, job, "update", step.agent, step.round, step.attempt),
        read_material(desk, job, case),
        base=step.base,
        head=step.sha,
        conflicts=conflicts,
        limits=brief_limits(desk),
    )
    question = Question(
        kind=ExchangeKind.UPDATE,
        agent=step.agent,
        round=step.round,
        attempt=step.attempt,
        head=step.sha,
        base=step.base,
        written=written,
        start=desk.trees.commit(tree, (step.sha, step.base), "conflict", case.now),
    )
    answer = ask(desk, job, case, question)
    if answer.exchange_id:
        record_plan(desk, job, answer.exchange_id, NOTHING)
    return answer.report
