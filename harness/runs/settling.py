"""What the ledger's rules need to know beside a reply."""

from __future__ import annotations

from harness.facts.entries import Standing
from harness.facts.journal import Exchange
from harness.facts.matching import Holding, Plan, SettleContext
from harness.runs.desk import Desk
from harness.runs.job import Job

NOTHING = Plan(entries=(), aliases=(), events=(), met=())
"""An answer that leads to nothing in the ledger."""


def settle_context(
    desk: Desk,
    job: Job,
    exchange: Exchange,
    head: str,
    known: tuple[Standing, ...],
    *,
    holdings: tuple[Holding, ...] = (),
    renames: tuple[tuple[str, str], ...] = (),
) -> SettleContext:
    """The context of one answered exchange; the same exchange gives the same one."""
    brief = exchange.brief
    return SettleContext(
        host=desk.repo.host,
        slug=desk.repo.slug,
        repo_id=desk.repo_id,
        scope=job.scope,
        actor=brief.pin.agent,
        run_id=desk.run_id,
        exchange_id=exchange.id,
        round=brief.round,
        head=head,
        at=exchange.created_at,
        known=known,
        shown=brief.handles.handles,
        renames=renames,
        holdings=holdings,
    )


def harness_context(
    desk: Desk,
    job: Job,
    occasion: str,
    head: str,
    known: tuple[Standing, ...],
    *,
    round_: int = 0,
    holdings: tuple[Holding, ...] = (),
) -> SettleContext:
    """The context of something the harness itself records, once per occasion."""
    return SettleContext(
        host=desk.repo.host,
        slug=desk.repo.slug,
        repo_id=desk.repo_id,
        scope=job.scope,
        actor="harness",
        run_id=desk.run_id,
        exchange_id=f"{job.scope}/{occasion}",
        round=round_,
        head=head,
        at=desk.clock.now(),
        known=known,
        shown=(),
        renames=(),
        holdings=holdings,
    )


def record_plan(
    desk: Desk, job: Job, exchange_id: str, plan: Plan, held: tuple[str, ...] = ()
) -> None:
    """What a reply led to, and that this run recorded it, in one transaction."""
    desk.store.record_reply(
        exchange_id, desk.repo_id, job.item, plan, held, desk.clock.now(), desk.run_id
    )
