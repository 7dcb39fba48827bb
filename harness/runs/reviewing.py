"""A review: who did not move HEAD looks; the ledger decides what is new and what is settled."""

from __future__ import annotations

from harness.facts.briefing import Held
from harness.facts.case import Case
from harness.facts.decisions import ItemReport
from harness.facts.entries import Standing, State
from harness.facts.findings import Finding, Severity
from harness.facts.journal import Brief, ExchangeKind, Replied
from harness.facts.matching import Plan, SettleContext
from harness.facts.places import Diff
from harness.facts.replies import ReviewReply, SameReply
from harness.facts.steps import Close, Review, Same
from harness.rules.hearing import heard_in
from harness.rules.history import claimed_by
from harness.rules.identity import file_key, title_key
from harness.rules.scope import is_in_scope
from harness.rules.settle import as_finding, plan_gone, plan_reopenings, plan_review, plan_rulings
from harness.runs.asking import Question, ask
from harness.runs.desk import Desk
from harness.runs.ending import withdraw_approval
from harness.runs.holdings import read_holdings
from harness.runs.job import Job
from harness.runs.material import brief_limits, heading, read_change, read_material
from harness.runs.precedents import read_settled
from harness.runs.settling import harness_context, record_plan, settle_context
from harness.runs.told import parse_recorded
from harness.words import briefs


def review(desk: Desk, job: Job, case: Case, step: Review | Close) -> ItemReport | None:
    """Ask for a review of this head and record what it says; what was approved is so no more."""
    withdraw_approval(desk, job, case)
    kind = ExchangeKind.REVIEW if isinstance(step, Review) else ExchangeKind.CLOSE
    reopen_changed(desk, job, step.sha, step.round)
    change, diff = read_change(desk, case)
    settled, precedents = read_settled(desk, job, {one.path for one in diff.files})
    material = read_material(desk, job, case)
    written = briefs.review(
        desk.prompts,
        heading(desk, job, kind.value, step.agent, step.round, step.attempt),
        material,
        change,
        claimed=_claimed(desk, job, step.agent),
        settled=settled,
        precedents=precedents,
        limits=brief_limits(desk),
        kind=kind,
    )
    question = Question(
        kind=kind,
        agent=step.agent,
        round=step.round,
        attempt=step.attempt,
        head=step.sha,
        base=case.base,
        written=written,
        heard=heard_in(material),
    )
    answer = ask(desk, job, case, question)
    if answer.exchange_id:
        record_review(desk, job, answer.exchange_id, None)
    return answer.report


def ask_same(desk: Desk, job: Job, case: Case, step: Same) -> ItemReport | None:
    """Ask the raiser whether held findings are settled points in other words; record either way."""
    told = next(one for one in case.told if one.id == step.review_id)
    findings, plan, context = _plan(desk, job, step.review_id, None)
    held = [met for met in plan.met if met.finding.handle in told.held]
    points = {one for met in held for one in met.possibly}
    written = briefs.same(
        desk.prompts,
        heading(desk, job, "same", step.agent, step.round, step.attempt),
        held=[Held(target=met.finding.handle, finding=met.finding) for met in held],
        points=[one for one in context.known if one.entry.id in points],
    )
    question = Question(
        kind=ExchangeKind.SAME,
        agent=step.agent,
        round=step.round,
        attempt=step.attempt,
        head=case.head,
        base=case.base,
        written=written,
    )
    answer = ask(desk, job, case, question)
    if answer.exchange_id:
        record_review(desk, job, step.review_id, _said_same(desk, answer.exchange_id, findings))
    elif answer.gave_up:
        record_review(desk, job, step.review_id, {})
    return answer.report


def reopen_changed(desk: Desk, job: Job, head: str, round_: int) -> None:
    """What is settled is open again where its code changed, and gone with its file."""
    standings = tuple(
        one for one in desk.store.in_scope(desk.repo_id, job.scope) if one.state.is_settled
    )
    holdings = read_holdings(desk.trees, standings, head)
    context = harness_context(
        desk, job, f"reopen-{head}", head, standings, round_=round_, holdings=holdings
    )
    for plan in (
        plan_reopenings(standings, holdings, context),
        plan_gone(standings, holdings, context),
    ):
        if plan.events:
            desk.store.record_events(plan.entries, plan.aliases, plan.events)


def record_review(desk: Desk, job: Job, exchange_id: str, said_same: dict[str, str] | None) -> None:
    """What a review led to, in one transaction; telling it again is the same story."""
    _, plan, _ = _plan(desk, job, exchange_id, said_same)
    held = tuple(met.finding.handle for met in plan.met if met.action == "hold")
    record_plan(desk, job, exchange_id, plan, held)


def _plan(
    desk: Desk, job: Job, exchange_id: str, said_same: dict[str, str] | None
) -> tuple[tuple[Finding, ...], Plan, SettleContext]:
    exchange = desk.store.exchange(exchange_id)
    replied = desk.store.reply(exchange_id)
    assert replied is not None
    brief = exchange.brief
    reply = parse_recorded(brief.kind, replied)
    assert isinstance(reply, ReviewReply)
    diff = desk.trees.diff(brief.base, brief.head)
    findings = _findings(desk, brief, reply, replied, diff)
    known = _known(desk, job, findings, diff)
    holdings = read_holdings(desk.trees, known, brief.head)
    context = settle_context(
        desk,
        job,
        exchange,
        brief.head,
        known,
        holdings=holdings,
        renames=tuple(
            (one.old_path, one.new_path) for one in diff.files if one.status == "renamed"
        ),
    )
    fallen = frozenset(fault.point for fault in replied.fallen)
    plan = plan_review(findings, context, said_same, rulings=reply.rulings, fallen=fallen)
    raised = {met.entry_id for met in plan.met if met.finding.severity is Severity.BLOCKING}
    rulings = plan_rulings(reply.rulings, fallen, context, known, raised)
    both = plan.model_copy(update={"events": (*rulings.events, *plan.events)})
    return findings, both, context


def _findings(
    desk: Desk, brief: Brief, reply: ReviewReply, replied: Replied, diff: Diff
) -> tuple[Finding, ...]:
    faults = {fault.point: fault.what for fault in replied.fallen}
    return tuple(
        as_finding(
            one,
            position=position,
            agent=brief.pin.agent,
            head=brief.head,
            anchor_text=_lines(desk, brief.head, one.file, one.start_line, one.end_line),
            fallen=faults.get(f"F{position}", ""),
            in_scope=is_in_scope(one, diff),
        )
        for position, one in enumerate(reply.findings, start=1)
    )


def _known(desk: Desk, job: Job, findings: tuple[Finding, ...], diff: Diff) -> tuple[Standing, ...]:
    """Everything the findings could be: by key, by file (old names too), and what was shown."""
    files = {file_key(one.anchor.file) for one in findings}
    files |= {one.old_path for one in diff.files if one.new_path in files}
    keys = {(desk.repo_id, title_key(one.title), file) for one in findings for file in files}
    found = (
        *desk.store.in_scope(desk.repo_id, job.scope),
        *desk.store.known(keys, job.scope),
        *desk.store.in_files(desk.repo_id, files, job.scope),
    )
    return tuple({one.entry.id: one for one in reversed(found)}.values())


def _claimed(desk: Desk, job: Job, agent: str) -> list[Standing]:
    """What this agent has to rule on: blocking points that the other one claims."""
    return [
        one
        for one in desk.store.in_scope(desk.repo_id, job.scope)
        if one.state is State.CLAIMED and _blocks(one) and claimed_by(one) != agent
    ]


def _blocks(standing: Standing) -> bool:
    return standing.finding.severity is Severity.BLOCKING


def _said_same(desk: Desk, exchange_id: str, findings: tuple[Finding, ...]) -> dict[str, str]:
    """Finding handle -> entry id, or "" for a new point."""
    exchange, replied = desk.store.exchange(exchange_id), desk.store.reply(exchange_id)
    if replied is None:
        return {}
    reply = parse_recorded(ExchangeKind.SAME, replied)
    assert isinstance(reply, SameReply)
    handles = exchange.brief.handles
    known = {finding.handle for finding in findings}
    return {
        handles.target(one.handle): handles.target(one.same_as) if one.same_as else ""
        for one in reply.answers
        if handles.target(one.handle) in known
    }


def _lines(desk: Desk, head: str, path: str, start: int, end: int) -> str:
    text = (desk.trees.read(head, path) or b"").decode("utf-8", "replace") if path else ""
    return "\n".join(text.split("\n")[max(start - 1, 0) : end]) if start else ""
