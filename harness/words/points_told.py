"""Findings and points of the ledger as an agent reads them, each under its handle."""

from __future__ import annotations

from harness.facts.entries import Event, EventKind, Standing
from harness.facts.findings import Evidence, Finding
from harness.rules.history import is_regression
from harness.words.fences import Part

_ARGUED = {
    EventKind.CLAIMED_FIXED: "says it is fixed",
    EventKind.CLAIMED_REFUTED: "refutes it",
    EventKind.CLAIMED_FILED: "says it is not this change's, to be filed",
    EventKind.AGREED: "agrees with the claim",
    EventKind.OBJECTED: "objects to the claim",
    EventKind.STOOD: "stands by it",
    EventKind.WITHDRAWN: "withdraws it",
    EventKind.RULED: "rules on it",
    EventKind.RERAISED: "raised it again",
    EventKind.REOPENED: "reopened it",
}


def finding_part(handle: str, finding: Finding) -> Part:
    """A finding as it was raised."""
    what = f"finding by {finding.raised_by} at {finding.head[:7]}"
    return Part(id=handle, what=what, text=finding_text(finding))


def standing_part(handle: str, standing: Standing) -> Part:
    """A point of the ledger with its state and the whole argument so far."""
    state = standing.state.value
    if standing.claim:
        state = f"{state}: {standing.claim.value}"
    if is_regression(standing):
        state = f"{state}, a regression: fixed once and back"
    by = "by a person" if standing.by_person else f"raised by {standing.finding.raised_by}"
    argument = [text for event in standing.events if (text := _event_text(event))]
    text = "\n\n".join([finding_text(standing.finding), *argument])
    return Part(id=handle, what=f"{state}, {by}", text=text)


def finding_text(finding: Finding) -> str:
    """Everything a finding says, one labelled paragraph each, empty ones left out."""
    paragraphs = [
        f"title: {finding.title}",
        f"where: {_where(finding)}",
        f"severity: {finding.severity.value}; category: {finding.category}",
        _labelled("scenario", finding.failure_scenario),
        _labelled("detail", finding.detail),
        _labelled("suggestion", finding.suggestion),
        *(_evidence_text(evidence) for evidence in finding.evidence),
    ]
    return "\n".join(paragraph for paragraph in paragraphs if paragraph)


def _where(finding: Finding) -> str:
    anchor = finding.anchor
    if not anchor.file:
        return "the change as a whole"
    lines = f":{anchor.start_line}-{anchor.end_line}" if anchor.start_line else ""
    return f"{anchor.file}{lines} at {anchor.commit[:7]}"


def _evidence_text(evidence: Evidence) -> str:
    match evidence.kind:
        case "quote":
            head = f"quote of {evidence.file}:{evidence.line}"
        case "removed":
            head = f"removed from {evidence.file}"
        case "command":
            head = f"command `{evidence.file}`, exit status {evidence.line}"
    return f"evidence, {head}:\n{evidence.text}"


def _event_text(event: Event) -> str:
    told = _ARGUED.get(event.kind, "")
    if not told:
        return ""
    if event.kind is EventKind.RULED and event.disposition:
        told = f"rules: {event.disposition.value}"
    head = f"{event.actor} {told} (round {event.round}, at {event.head[:7]}): {event.reasoning}"
    return "\n".join([head.strip(), *(_evidence_text(evidence) for evidence in event.evidence)])


def _labelled(label: str, text: str) -> str:
    return f"{label}: {text}" if text else ""
