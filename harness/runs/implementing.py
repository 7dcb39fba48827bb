"""From an issue to a commit: the first agent writes, deterministic code commits."""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.decisions import ItemReport
from harness.facts.journal import Brief, ExchangeKind
from harness.facts.replies import ImplementationReply, ResponseReply
from harness.facts.steps import Commit, Implement
from harness.facts.trees import CommitRow
from harness.rules.custody import HARNESS
from harness.runs.asking import Question, ask
from harness.runs.desk import Desk
from harness.runs.job import Job
from harness.runs.material import brief_limits, heading, read_material
from harness.runs.told import parse_recorded
from harness.words import briefs
from harness.words.commit_message import commit_message


def implement(desk: Desk, job: Job, case: Case, step: Implement) -> ItemReport | None:
    """Ask for the change; what is left in the work tree is committed by the next step."""
    written = briefs.implement(
        desk.prompts,
        heading(desk, job, "implement", step.agent, step.round, step.attempt),
        read_material(desk, job, case),
        base=case.base,
        limits=brief_limits(desk),
    )
    question = Question(
        kind=ExchangeKind.IMPLEMENT,
        agent=step.agent,
        round=step.round,
        attempt=step.attempt,
        head=case.base,
        base=case.base,
        written=written,
    )
    return ask(desk, job, case, question).report


def commit_left(desk: Desk, job: Job, case: Case, step: Commit) -> ItemReport | None:
    """Commit what an exchange left: the same tree and time give the same commit, however often."""
    replied = desk.store.reply(step.exchange_id)
    exchange = desk.store.exchange(step.exchange_id)
    if replied is None or replied.left is None:
        return None
    parents = _parents(desk, case, exchange.brief)
    reply = parse_recorded(exchange.brief.kind, replied)
    message = commit_message(
        _summary(reply),
        item=job.item,
        settings=desk.settings.commit,
        mask=desk.scrub,
    )
    sha = desk.trees.commit(replied.left.tree_sha, parents, message, exchange.created_at)
    desk.trees.keep(sha)
    record_commit(desk, job, sha, parents[0], step.agent, step.exchange_id)
    return None


def _parents(desk: Desk, case: Case, brief: Brief) -> tuple[str, ...]:
    """What the commit stands on; one that takes out a secret replaces all that was not pushed."""
    if case.leaks:
        return desk.trees.new_parents(case.head)
    parent = case.head or brief.base
    return (parent, brief.base) if brief.kind is ExchangeKind.UPDATE else (parent,)


def record_commit(
    desk: Desk, job: Job, sha: str, parent: str, agent: str = HARNESS, exchange_id: str = ""
) -> None:
    """Say who moved HEAD: nobody reviews their own last move."""
    desk.store.record_commit(
        CommitRow(
            repo_id=desk.repo_id,
            sha=sha,
            parent=parent,
            item=job.item,
            branch=job.branch,
            agent=agent,
            exchange_id=exchange_id,
            at=desk.clock.now(),
        )
    )


def _summary(reply: object) -> str:
    match reply:
        case ImplementationReply() | ResponseReply():
            return reply.summary
        case _:
            return ""
