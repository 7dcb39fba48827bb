"""The author (or the reviewer, mending its own) answers findings or a red check."""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.briefing import Change, Heading, Material, Written
from harness.facts.case import Case
from harness.facts.decisions import ItemReport
from harness.facts.entries import Standing, State
from harness.facts.findings import Severity
from harness.facts.journal import ExchangeKind
from harness.facts.replies import ResponseReply
from harness.facts.steps import FixCheck, FixOwn, Respond
from harness.rules.custody import blockers
from harness.rules.settle import plan_response
from harness.runs.asking import Question, ask
from harness.runs.desk import Desk
from harness.runs.job import Job
from harness.runs.material import (
    brief_limits,
    heading,
    read_change,
    read_material,
    read_red_checks,
)
from harness.runs.precedents import read_settled
from harness.runs.publishing import publish_review
from harness.runs.settling import NOTHING, record_plan, settle_context
from harness.runs.told import parse_recorded
from harness.words import briefs

_KINDS = {
    FixOwn: ExchangeKind.FIX_OWN,
    Respond: ExchangeKind.RESPOND,
    FixCheck: ExchangeKind.FIX_CHECK,
}


def respond(
    desk: Desk, job: Job, case: Case, step: FixOwn | Respond | FixCheck
) -> ItemReport | None:
    """Ask for an answer; claims are recorded once what was changed is a commit."""
    kind = _KINDS[type(step)]
    publish_review(desk, job, case)
    question = Question(
        kind=kind,
        agent=step.agent,
        round=step.round,
        attempt=step.attempt,
        head=step.sha,
        base=case.base,
        written=_write(desk, job, case, step, kind),
    )
    answer = ask(desk, job, case, question)
    if answer.exchange_id and _is_committed(desk, job, answer.exchange_id):
        record_response(desk, job, answer.exchange_id)
    return answer.report


def record_response(desk: Desk, job: Job, exchange_id: str) -> None:
    """What was claimed, at the head it was claimed for, in one transaction."""
    exchange, replied = desk.store.exchange(exchange_id), desk.store.reply(exchange_id)
    if replied is None:
        return
    plan = NOTHING
    brief = exchange.brief
    if brief.kind in {ExchangeKind.RESPOND, ExchangeKind.FIX_OWN}:
        reply = parse_recorded(brief.kind, replied)
        assert isinstance(reply, ResponseReply)
        new_head = _commit_of(desk, job, exchange_id)
        standings = desk.store.in_scope(desk.repo_id, job.scope)
        context = settle_context(desk, job, exchange, new_head or brief.head, standings)
        fallen = frozenset(fault.point for fault in replied.fallen)
        plan = plan_response(reply.dispositions, fallen, context, new_head)
    record_plan(desk, job, exchange_id, plan)


def _write(
    desk: Desk, job: Job, case: Case, step: FixOwn | Respond | FixCheck, kind: ExchangeKind
) -> Written:
    material, (change, diff) = read_material(desk, job, case), read_change(desk, case)
    head = heading(desk, job, kind.value, step.agent, step.round, step.attempt)
    limits = brief_limits(desk)
    if isinstance(step, FixCheck):
        red = read_red_checks(desk, case)
        local = case.head_check if case.head_check and not case.head_check.passes else None
        return briefs.fix_check(
            desk.prompts,
            head,
            material,
            change,
            check=local,
            forge_checks=red,
            leaks=case.leaks,
            limits=limits,
        )
    settled, precedents = read_settled(desk, job, {one.path for one in diff.files})
    return _write_points(desk, job, case, kind, head, material, change, (*settled, *precedents))


def _write_points(
    desk: Desk,
    job: Job,
    case: Case,
    kind: ExchangeKind,
    head: Heading,
    material: Material,
    change: Change,
    before: Sequence[Standing],
) -> Written:
    gating = {point.entry_id for point in blockers(case)}
    standings = desk.store.in_scope(desk.repo_id, job.scope)
    return briefs.respond(
        desk.prompts,
        head,
        material,
        change,
        points=[one for one in standings if one.entry.id in gating],
        beside=[one for one in standings if _rides_along(one)],
        precedents=before,
        limits=brief_limits(desk),
        kind=kind,
    )


def _rides_along(standing: Standing) -> bool:
    """Non-blocking findings and nits are handed over only beside a blocker."""
    finding = standing.finding
    light = finding.severity is not Severity.BLOCKING
    return light and finding.in_scope and standing.state is State.OPEN


def _commit_of(desk: Desk, job: Job, exchange_id: str) -> str:
    rows = desk.store.commits_of_item(desk.repo_id, job.item)
    return next((row.sha for row in rows if row.exchange_id == exchange_id), "")


def _is_committed(desk: Desk, job: Job, exchange_id: str) -> bool:
    """Whether nothing is left to commit of this answer."""
    replied = desk.store.reply(exchange_id)
    if replied is None or replied.left is None or replied.left.is_empty:
        return True
    return bool(_commit_of(desk, job, exchange_id))
