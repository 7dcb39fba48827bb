"""A finding as the host records it, made of what the agent wrote."""

from __future__ import annotations

from harness.facts.findings import Evidence, Finding, NewIssue, Severity
from harness.facts.places import Anchor
from harness.facts.replies import EvidenceReply, FindingReply
from harness.rules.identity import file_key


def as_finding(
    reply: FindingReply,
    *,
    position: int,
    agent: str,
    head: str,
    anchor_text: str,
    fallen: str,
    in_scope: bool,
) -> Finding:
    """The finding at this position (from 1) of a review; `anchor_text` are its lines at the head.

    `fallen` says why one of its claims did not check, "" when all did.
    """
    general = not reply.file or reply.start_line < 1
    anchor = Anchor(
        file=file_key(reply.file),
        start_line=0 if general else reply.start_line,
        end_line=0 if general else reply.end_line,
        commit=head,
        text="" if general else anchor_text,
    )
    return Finding(
        handle=f"F{position}",
        raised_by=agent,
        head=head,
        anchor=anchor,
        title=reply.title,
        failure_scenario=reply.failure_scenario,
        detail=reply.detail,
        suggestion=reply.suggestion,
        evidence=as_evidence(reply.evidence),
        citations=reply.citations,
        category=reply.category,
        severity=Severity(reply.severity),
        in_scope=in_scope,
        issue=NewIssue(**reply.issue.model_dump()) if reply.issue else None,
        fallen=fallen,
    )


def as_evidence(evidence: tuple[EvidenceReply, ...]) -> tuple[Evidence, ...]:
    """Evidence in the host's words; a command keeps its command line where others have a file."""
    return tuple(
        Evidence(
            kind=one.kind,
            file=one.path if one.kind == "command" else file_key(one.path),
            line=one.line,
            text=one.text,
        )
        for one in evidence
    )
