"""An exchange as a person reads it afterwards, rendered from its journal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import assert_never

from harness.facts.journal import (
    Answered,
    Asked,
    Done,
    Ended,
    Exchange,
    Failed,
    JournalRow,
    Nudged,
    Repaired,
    Replied,
    Started,
)
from harness.rules.outgoing import fence


def transcript(exchange: Exchange, rows: Iterable[JournalRow]) -> str:
    """Markdown: the brief, every turn with its cost, every command with its output, the reply."""
    brief = exchange.brief
    pin = brief.pin
    parts = [
        f"# {brief.kind} of #{brief.item} by {pin.agent}, round {brief.round}, try {brief.attempt}",
        f"{pin.provider} {pin.model}, effort {pin.effort}; exchange {exchange.id}",
        f"Head `{brief.head}`, base `{brief.base}`",
        "## System",
        fence(brief.system.rstrip()),
        "## Brief",
        fence(brief.prompt.rstrip()),
    ]
    parts += [part for row in rows for part in _row(row)]
    return "\n\n".join(parts) + "\n"


def _row(row: JournalRow) -> list[str]:
    match row:
        case Asked():
            return [f"## Turn {row.n}"]
        case Answered():
            return _answered(row)
        case Failed():
            return [f"No turn came: {row.why}: {row.detail}"]
        case Started():
            return []
        case Done():
            return _done(row)
        case Repaired():
            return ["We complained:", fence(row.complaint)]
        case Nudged():
            return ["We reminded:", fence(row.text)]
        case Replied():
            fallen = [f"- {fault.point}: {fault.what}" for fault in row.fallen]
            return ["## The reply that counts", fence(_pretty(row.text), "json"), *_fell(fallen)]
        case Ended():
            return [f"## Ended: {row.result}" + (f": {row.reason}" if row.reason else "")]
        case _:
            assert_never(row)


def _answered(row: Answered) -> list[str]:
    usage = row.turn.usage
    said = [fence(row.turn.text)] if row.turn.text else []
    calls = [
        f"It calls `{call.name}`:\n\n{fence(_pretty(call.arguments), 'json')}"
        for call in row.turn.calls
        if call.tool != "reply"
    ]
    cost = (
        f"_{usage.total_input} tokens in ({usage.cache_read} from cache), {usage.output} out, "
        f"${row.cost / 1_000_000:.4f}_"
    )
    return [cost, *said, *calls]


def _done(row: Done) -> list[str]:
    how = "with an error" if row.result.is_error else f"with {row.result.exit or 0}"
    return [f"It ended {how} after {row.seconds:.1f} s:", fence(row.result.output)]


def _fell(fallen: list[str]) -> list[str]:
    return ["Points that did not check:", "\n".join(fallen)] if fallen else []


def _pretty(text: str) -> str:
    try:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    except ValueError:
        return text
