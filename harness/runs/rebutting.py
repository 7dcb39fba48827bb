"""HEAD did not move: the other agent answers what was claimed."""

from __future__ import annotations

from harness.facts.case import Case
from harness.facts.decisions import ItemReport
from harness.facts.entries import State
from harness.facts.journal import ExchangeKind
from harness.facts.replies import RebuttalReply
from harness.facts.steps import Rebut
from harness.rules.settle import plan_rebuttal
from harness.runs.asking import Question, ask
from harness.runs.desk import Desk
from harness.runs.holdings import read_holdings
from harness.runs.job import Job
from harness.runs.material import brief_limits, heading, read_change, read_material
from harness.runs.publishing import publish_review
from harness.runs.settling import record_plan, settle_context
from harness.runs.told import parse_recorded
from harness.words import briefs


def rebut(desk: Desk, job: Job, case: Case, step: Rebut) -> ItemReport | None:
    """Ask whether the claims hold, and record each answer."""
    publish_review(desk, job, case)
    standings = desk.store.in_scope(desk.repo_id, job.scope)
    change, _ = read_change(desk, case)
    written = briefs.rebut(
        desk.prompts,
        heading(desk, job, "rebut", step.agent, step.round, step.attempt),
        read_material(desk, job, case),
        change,
        points=[one for one in standings if one.state is State.CLAIMED],
        limits=brief_limits(desk),
    )
    question = Question(
        kind=ExchangeKind.REBUT,
        agent=step.agent,
        round=step.round,
        attempt=step.attempt,
        head=step.sha,
        base=case.base,
        written=written,
    )
    answer = ask(desk, job, case, question)
    if answer.exchange_id:
        record_rebuttal(desk, job, answer.exchange_id)
    return answer.report


def record_rebuttal(desk: Desk, job: Job, exchange_id: str) -> None:
    """What stands and what is withdrawn, in one transaction."""
    exchange, replied = desk.store.exchange(exchange_id), desk.store.reply(exchange_id)
    if replied is None:
        return
    reply = parse_recorded(ExchangeKind.REBUT, replied)
    assert isinstance(reply, RebuttalReply)
    standings = desk.store.in_scope(desk.repo_id, job.scope)
    head = exchange.brief.head
    holdings = read_holdings(desk.trees, standings, head)
    context = settle_context(desk, job, exchange, head, standings, holdings=holdings)
    fallen = frozenset(fault.point for fault in replied.fallen)
    plan = plan_rebuttal(reply.answers, fallen, context)
    record_plan(desk, job, exchange_id, plan)
