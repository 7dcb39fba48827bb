"""Past runs: what each asked, what it cost, what it wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from harness.doors.store import Store
from harness.facts.decisions import ItemReport, Run
from harness.facts.intents import Intent
from harness.facts.journal import Brief, Exchange
from harness.facts.looking import (
    Cost,
    ExchangeLine,
    ReportLine,
    RunLine,
    RunPage,
    WriteLine,
)
from harness.facts.money import MicroDollars, Usage
from harness.words.targets import target_of

NO_COST = Cost(requests=0, input=0, cache_read=0, output=0, micro_dollars=0)

Kept = Callable[[str, Brief], str]
"""Where the transcript of a repository's exchange lies, "" where none was kept."""


def read_runs(store: Store, limit: int) -> tuple[RunLine, ...]:
    """The newest runs."""
    return tuple(_run_line(store, run) for run in store.runs(limit))


def read_run(store: Store, run: Run, kept: Kept) -> RunPage:
    """One run with its reports, exchanges and writes."""
    names = {repo.id: repo.slug for repo in store.repos()}
    costs = _costs(store, run.id)
    return RunPage(
        run=_run_line(store, run),
        reports=tuple(_report_line(report) for report in run.reports),
        exchanges=tuple(
            _exchange_line(one, _name(names, one.brief.repo_id), costs.get(one.id, NO_COST), kept)
            for one in store.exchanges_of_run(run.id)
        ),
        writes=tuple(
            _write_line(one, _name(names, one.repo_id)) for one in store.intents_of_run(run.id)
        ),
    )


def _run_line(store: Store, run: Run) -> RunLine:
    costs = _costs(store, run.id).values()
    return RunLine(
        run=run.id,
        command=run.command,
        dry=run.dry,
        started_at=run.started_at,
        ended_at=run.ended_at,
        exit_code=run.exit_code,
        outcomes=dict(Counter(report.outcome for report in run.reports)),
        cost=Cost(**{name: sum(getattr(one, name) for one in costs) for name in Cost.model_fields}),
    )


def _costs(store: Store, run_id: str) -> dict[str, Cost]:
    used = {exchange_id: (usage, spent) for exchange_id, usage, spent in store.usage(run_id)}
    return {
        exchange_id: _cost(requests, *used[exchange_id]) if exchange_id in used else NO_COST
        for exchange_id, requests in store.requests(run_id)
    }


def _cost(requests: int, usage: Usage, spent: MicroDollars) -> Cost:
    return Cost(
        requests=requests,
        input=usage.total_input,
        cache_read=usage.cache_read,
        output=usage.output,
        micro_dollars=spent,
    )


def _report_line(report: ItemReport) -> ReportLine:
    return ReportLine(
        repo=report.repo,
        item=report.item,
        title=report.title,
        outcome=report.outcome,
        reason=report.reason,
        pull=report.pull,
        not_before=report.not_before,
    )


def _exchange_line(exchange: Exchange, repo: str, cost: Cost, kept: Kept) -> ExchangeLine:
    brief = exchange.brief
    return ExchangeLine(
        exchange=exchange.id,
        repo=repo,
        item=brief.item,
        branch=brief.branch,
        kind=brief.kind,
        agent=brief.pin.agent,
        provider=brief.pin.provider,
        model=brief.pin.model,
        round=brief.round,
        attempt=brief.attempt,
        result=exchange.result,
        reason=exchange.reason,
        not_before=exchange.not_before,
        cost=cost,
        transcript=kept(repo, brief),
    )


def _write_line(intent: Intent, repo: str) -> WriteLine:
    return WriteLine(
        intent=intent.id,
        repo=repo,
        item=intent.item,
        kind=intent.write.kind,
        target=target_of(intent.write),
        state=intent.state,
        attempts=intent.attempts,
        why=intent.why,
        reason=intent.reason,
        url=intent.receipt.url if intent.receipt else "",
    )


def _name(names: Mapping[int, str], repo_id: int) -> str:
    return names.get(repo_id, f"repository {repo_id}")
