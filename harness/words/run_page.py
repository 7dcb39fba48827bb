"""`harness runs RUN` for a terminal: how its items ended, all it asked, all it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from harness.facts.looking import Cost, ExchangeLine, ReportLine, RunLine, RunPage, WriteLine
from harness.words.passages import counted, shorten
from harness.words.report import outcome_words
from harness.words.runs_page import SHORT, exit_words
from harness.words.status_lines import dollars
from harness.words.tables import Cell, Paint, Tone, as_it_is, indented, minute, on_line, table

_TITLE, _WHY = 70, 100  # characters
_ASKED = ("kind", "agent", "round.try", "result", "turns", "tokens", "cached", "spent")
_STATES: dict[str, Tone] = {"delivered": "good", "open": "warn", "stopped": "bad", "refused": "bad"}


def run_text(page: RunPage, paint: Paint = as_it_is) -> str:
    """Everything about one run; what is empty is left out."""
    sections = (
        ("items", _reports(page.reports, paint) if page.reports else ""),
        ("exchanges", _exchanges(page.exchanges, paint) if page.exchanges else ""),
        ("writes", _writes(page.writes, paint) if page.writes else ""),
    )
    told = [f"{paint(title, 'head')}\n{body}" for title, body in sections if body]
    return "\n\n".join([_head(page.run, paint), *told]) + "\n"


def _head(run: RunLine, paint: Paint) -> str:
    cost = run.cost
    told = f"{cost.input:,} tokens in ({_cached(cost)} from cache), {cost.output:,} out"
    end = f"ended {minute(run.ended_at)} UTC" if run.ended_at else "it goes on, or was killed"
    lines = [
        paint(f"run {run.run}", "head"),
        f"harness {run.command}" + (", dry: nothing was written to the forge" if run.dry else ""),
        f"started {minute(run.started_at)} UTC, {end}, exit code {exit_words(run.exit_code)}",
        f"{counted(cost.requests, 'request')}, {told}, {dollars(cost.micro_dollars)}",
    ]
    return "\n".join(lines)


def _reports(reports: Sequence[ReportLine], paint: Paint) -> str:
    rows = [
        [
            Cell(_item(one.repo, one.item)),
            Cell(outcome_words(one.outcome)),
            Cell(f"#{one.pull}" if one.pull else ""),
            Cell(shorten(on_line(one.title), _TITLE)),
        ]
        for one in reports
    ]
    notes = [_note(one.reason, _when(one.not_before)) for one in reports]
    return table(("item", "outcome", "pull", "title"), rows, paint, notes=notes)


def _exchanges(exchanges: Sequence[ExchangeLine], paint: Paint) -> str:
    rows = [
        [
            Cell(one.exchange[:SHORT]),
            Cell(_item(one.repo, one.item)),
            Cell(one.kind.value.replace("_", " ")),
            Cell(f"{one.agent} ({one.model})"),
            Cell(f"{one.round}.{one.attempt}"),
            Cell(one.result.value.replace("_", " ") if one.result else "open", _tone(one)),
            Cell(str(one.cost.requests)),
            Cell(f"{one.cost.input + one.cost.output:,}"),
            Cell(_cached(one.cost)),
            Cell(dollars(one.cost.micro_dollars)),
        ]
        for one in exchanges
    ]
    notes = [_note(one.reason, _when(one.not_before), one.transcript) for one in exchanges]
    return table(("exchange", "item", *_ASKED), rows, paint, notes=notes)


def _writes(writes: Sequence[WriteLine], paint: Paint) -> str:
    rows = [
        [
            Cell(_item(one.repo, one.item)),
            Cell(one.kind.replace("_", " ")),
            Cell(one.target),
            Cell(one.state, _STATES.get(one.state, "plain")),
            Cell(shorten(on_line(one.why), _WHY)),
        ]
        for one in writes
    ]
    notes = [_note(one.reason, one.url) for one in writes]
    return table(("item", "write", "target", "state", "why"), rows, paint, notes=notes)


def _item(repo: str, number: int) -> str:
    return f"{repo} #{number}" if number else repo


def _note(*parts: str) -> str:
    return "\n".join(indented(part, "      ") for part in parts if part)


def _when(not_before: datetime | None) -> str:
    return f"not before {minute(not_before)} UTC" if not_before else ""


def _cached(cost: Cost) -> str:
    return f"{100 * cost.cache_read // cost.input} %" if cost.input else "0 %"


def _tone(exchange: ExchangeLine) -> Tone:
    if exchange.result is None:
        return "warn"
    return "good" if exchange.result.value == "replied" else "bad"
