"""`harness ledger` for a terminal: entries with their states, or one with its whole story."""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.entries import State
from harness.facts.findings import Evidence
from harness.facts.looking import EntryPage, EventLine, LedgerLine, LedgerPage
from harness.words.passages import counted, shorten
from harness.words.points_told import finding_text
from harness.words.tables import Cell, Paint, Tone, as_it_is, indented, minute, on_line, table

_TITLE = 80  # characters
_HEADS = ("id", "state", "scope", "where", "last (UTC)", "title")


def ledger_text(page: LedgerPage, paint: Paint = as_it_is) -> str:
    """A line per entry and scope."""
    if not page.entries:
        return "the ledger has no such entry\n"
    lines = [table(_HEADS, [_row(one) for one in page.entries], paint, margin="")]
    if page.more:
        lines.append(f"only the newest {len(page.entries)}; --limit shows more")
    return "\n".join(lines) + "\n"


def entry_text(page: EntryPage, paint: Paint = as_it_is) -> str:
    """The finding as last raised, its state in each scope, and its whole story, oldest first."""
    first = page.scopes[0]
    head = f"{paint(f'{page.id} {on_line(first.title)}', 'head')}\n{page.repo}, {page.fingerprint}"
    if page.aliases:
        head += f"\nalso worded: {'; '.join(on_line(alias) for alias in page.aliases)}"
    rows = [
        [Cell(one.scope), Cell(_state(one), _tone(one.state)), _last(one)] for one in page.scopes
    ]
    parts = [
        head,
        table(("scope", "state", "last (UTC)"), rows, paint),
        indented(finding_text(page.finding), "  "),
        f"{paint('what happened', 'head')} ({counted(len(page.events), 'event')})",
        *(_event(event) for event in page.events),
    ]
    return "\n\n".join(parts) + "\n"


def candidates(lines: Sequence[LedgerLine]) -> str:
    """The entries that an id may have meant, on one line."""
    told = {one.entry: f"{one.id} ({shorten(on_line(one.title), 40)})" for one in lines}
    return ", ".join(told.values())


def _row(line: LedgerLine) -> list[Cell]:
    return [
        Cell(line.id),
        Cell(_state(line), _tone(line.state)),
        Cell(line.scope),
        Cell(line.file or "in general"),
        Cell(minute(line.last_at)),
        Cell(shorten(on_line(line.title), _TITLE)),
    ]


def _state(line: LedgerLine) -> str:
    words = line.state.value.replace("_", " ")
    claim = f": {line.claim.value}" if line.claim else ""
    return f"{words}{claim}{' (by a person)' if line.by_person else ''}"


def _last(line: LedgerLine) -> Cell:
    return Cell(f"{minute(line.last_at)} by {line.last_by}")


def _tone(state: State) -> Tone:
    if state in {State.DISPUTED, State.NEEDS_HUMAN}:
        return "bad"
    if state in {State.OPEN, State.CLAIMED}:
        return "warn"
    return "good"


def _event(event: EventLine) -> str:
    what = event.kind.value.replace("_", " ")
    ruled = f": {event.disposition.value}" if event.disposition else ""
    who = f"{event.actor}{' (a person)' if event.by_person else ''}"
    where = f"{event.scope}, round {event.round}" + (f", at {event.head[:7]}" if event.head else "")
    lines = [f"  {minute(event.at)}  {what}{ruled} by {who} ({where})"]
    if event.reasoning:
        lines.append(indented(event.reasoning, "    "))
    lines += [_evidence(evidence) for evidence in event.evidence]
    return "\n".join(lines)


def _evidence(evidence: Evidence) -> str:
    match evidence.kind:
        case "quote":
            head = f"{evidence.file}:{evidence.line}"
        case "removed":
            head = f"removed from {evidence.file}"
        case "command":
            head = f"$ {evidence.file} (exit status {evidence.line})"
    return f"    {on_line(head)}\n{indented(evidence.text, '    | ')}"
