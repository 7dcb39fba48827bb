"""What a person is called for: the question, both arguments side by side, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.causes import Cause
from harness.facts.entries import Standing
from harness.facts.replies import ImplementationReply
from harness.rules.outgoing import code_span
from harness.words.mending import what_to_do
from harness.words.passages import (
    bullets,
    first_sentence,
    on_line,
    paragraphs,
    said,
    section,
    sentence,
)
from harness.words.points_shown import authors_side, listed, named, raisers_side

ARGUMENT = 700  # characters of one side of an argument
ARGUED = 3  # points told in full; more are named


def escalation_section(
    reason: str,
    disputed: Sequence[Standing] = (),
    *,
    cause: Cause = Cause.ARGUMENT,
    patch: str = "",
    on_issue: bool = False,
) -> str:
    """The part of the status comment that calls a person, or the comment on an issue.

    `patch` is where on the operator's host the work lies that could not be pushed.
    """
    kept = f"What could not be pushed is kept in {code_span(patch)}." if patch else ""
    more = disputed[ARGUED:]
    return paragraphs(
        sentence(reason),
        *(argued(standing) for standing in disputed[:ARGUED]),
        f"Not settled either:\n\n{listed(named(standing) for standing in more)}" if more else "",
        kept,
        what_to_do(cause, on_issue=on_issue),
    )


def argued(standing: Standing) -> str:
    """One point with what its raiser and its author say."""
    finding = standing.finding
    scenario = on_line(first_sentence(finding.failure_scenario))
    if finding.fallen:
        return paragraphs(
            f"{named(standing)}. {scenario}".rstrip(),
            f"Raised by {code_span(finding.raised_by)}; its proof does not check: "
            f"{on_line(finding.fallen)}.",
        )
    return paragraphs(
        f"{named(standing)}. {scenario}".rstrip(),
        raisers_side(standing, ARGUMENT),
        authors_side(standing, ARGUMENT),
    )


def no_change_comment(reply: ImplementationReply) -> str:
    """The text for an issue where an agent reported work and left no change behind."""
    return paragraphs(
        "An agent worked on this issue and left no change behind, so no pull request is opened.",
        section("What it reports", said(reply.problem), level=4),
        section("What it tried", bullets([*reply.changes, *reply.testing]), level=4),
        said(reply.notes) if reply.notes.strip() else "",
        what_to_do(Cause.NO_CHANGE, on_issue=True),
    )
