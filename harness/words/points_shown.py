"""Points of the ledger as people read them in a comment."""

from __future__ import annotations

from collections.abc import Iterable

from harness.facts.entries import Event, EventKind, Standing, State
from harness.facts.findings import Evidence, Severity
from harness.rules.history import is_regression
from harness.rules.outgoing import code_span, fence
from harness.words.passages import first_sentence, on_line, paragraphs, place, said, shorten

MOST = 20  # points of one kind in a comment; the ledger has them all
CLAIMS = frozenset({EventKind.CLAIMED_FIXED, EventKind.CLAIMED_REFUTED, EventKind.CLAIMED_FILED})
SIDES = frozenset({EventKind.OBJECTED, EventKind.STOOD, EventKind.RERAISED, EventKind.RAISED})
ENDS = frozenset({EventKind.AGREED, EventKind.RULED, EventKind.WITHDRAWN})


def short_id(standing: Standing) -> str:
    """The 8 characters of the fingerprint that people know an entry by."""
    return standing.entry.fingerprint.removeprefix("v1:")[:8]


def named(standing: Standing) -> str:
    """Title, place and id on one line, and whether it is a regression."""
    anchor = standing.finding.anchor
    where = place(anchor.file, anchor.start_line, anchor.end_line)
    title = on_line(shorten(standing.finding.title, 160))
    parts = (f"**{title}**", where, f"({short_id(standing)})")
    back = ", fixed once and back" if is_regression(standing) else ""
    return " ".join(part for part in parts if part) + back


def open_line(standing: Standing) -> str:
    """A point that gates, with its state and what it is about."""
    detail = on_line(first_sentence(standing.finding.detail))
    return f"{named(standing)}, {_state(standing)}. {detail}".rstrip()


def settled_line(standing: Standing, *, again: bool = False) -> str:
    """A settled point: how, by whom, and the one sentence that it rests on.

    `again`: it was raised anew without new evidence, which changes nothing.
    """
    end = newest(standing, ENDS)
    who = _settler(end) if end else ""
    argument = on_line(first_sentence(_argument(standing)))
    raised = " Raised again without new evidence." if again else ""
    return f"{named(standing)}: {standing.state.value}{who}. {argument}".rstrip() + raised


def minor_line(standing: Standing) -> str:
    """A point that does not gate."""
    detail = on_line(first_sentence(standing.finding.detail))
    nit = "nit: " if standing.finding.severity is Severity.NIT else ""
    return f"{nit}{named(standing)}. {detail}".rstrip()


def listed(lines: Iterable[str]) -> str:
    """A list of single lines, cut aloud."""
    every = list(lines)
    shown = [f"- {line}" for line in every[:MOST]]
    left = len(every) - MOST
    return "\n".join([*shown, f"- and {left} more in the ledger"] if left > 0 else shown)


def raisers_side(standing: Standing, limit: int) -> str:
    """What the raiser says last, or the finding itself where it was never argued about."""
    event = newest(standing, SIDES)
    finding = standing.finding
    if event is not None and event.reasoning.strip():
        head = f"{code_span(event.actor)} says:"
        return paragraphs(head, whole(event.reasoning, limit), *map(proof, event.evidence[:2]))
    head = f"{code_span(finding.raised_by)} says:"
    return paragraphs(head, whole(finding.detail, limit), *map(proof, finding.evidence[:2]))


def authors_side(standing: Standing, limit: int) -> str:
    """What the author claims last."""
    event = newest(standing, CLAIMS)
    if event is None:
        return "There is no answer to it."
    head = f"{code_span(event.actor)} answers ({event.kind.value.removeprefix('claimed_')}):"
    return paragraphs(head, whole(event.reasoning, limit), *map(proof, event.evidence[:2]))


def whole(text: str, limit: int) -> str:
    """A text as Markdown of its own, its end left out with an ellipsis where it is long."""
    kept = text.strip()
    return said(kept if len(kept) <= limit else f"{kept[: limit - 1].rstrip()}…")


def proof(evidence: Evidence) -> str:
    """A piece of evidence, with where it stands."""
    match evidence.kind:
        case "quote":
            head = f"{place(evidence.file, evidence.line, evidence.line)} says"
        case "removed":
            head = f"{place(evidence.file, 0, 0)} said, and this change removes it"
        case "command":
            head = f"{code_span(evidence.file)} printed"
    return f"{head}:\n\n{fence(evidence.text[:800])}"


def newest(standing: Standing, kinds: frozenset[EventKind]) -> Event | None:
    """The newest event of one of these kinds, by the clock of the entry."""
    found = [event for event in standing.events if event.kind in kinds]
    return max(found, key=lambda event: (event.clock, event.at, event.id), default=None)


def _settler(end: Event) -> str:
    who = code_span(end.actor)
    if end.by_person:
        return f", decided by {who}"
    return f" by {who}" if end.kind is EventKind.WITHDRAWN else f", {who} agrees"


def _argument(standing: Standing) -> str:
    """What a settled point rests on: the claim that was agreed to, or the word that settled it."""
    end = newest(standing, ENDS)
    claim = newest(standing, CLAIMS)
    if end is not None and (end.by_person or claim is None):
        return end.reasoning
    return claim.reasoning if claim else ""


def _state(standing: Standing) -> str:
    match standing.state:
        case State.CLAIMED:
            claim = standing.claim.value if standing.claim else "answered"
            return f"claimed {claim}, not ruled on"
        case State.NEEDS_HUMAN:
            return "for a person to decide"
        case _:
            return standing.state.value
