"""The one status comment of a pull request, edited in place.

Outcome first, then what a maintainer has to do if anything, what is open, what is settled, and,
folded away, what does not hold the change up.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.facts.decisions import Outcome
from harness.facts.entries import Standing, State
from harness.facts.findings import Severity
from harness.facts.status import StatusFacts
from harness.rules.outgoing import code_span
from harness.words.check_result import check_output, check_sentence
from harness.words.escalation import escalation_section
from harness.words.passages import counted, folded, paragraphs, quote, section, sentence
from harness.words.points_shown import listed, minor_line, named, open_line, settled_line

UNSETTLED = frozenset({State.OPEN, State.CLAIMED, State.DISPUTED, State.NEEDS_HUMAN})


def status_comment(facts: StatusFacts) -> str:
    """The whole comment, before the gateway."""
    gating = [one for one in facts.standings if _gates(one)]
    disputed = [one for one in gating if one.state in {State.NEEDS_HUMAN, State.DISPUTED}]
    called = facts.outcome in {Outcome.ESCALATED, Outcome.NO_CHANGE}
    open_points = [one for one in gating if not called or one not in disputed]
    return paragraphs(
        f"### {_headline(facts)}",
        _call(facts, disputed) if called else _next(facts),
        _review(facts),
        _checks(facts),
        section("Open", listed(open_line(one) for one in open_points), level=4),
        section("Settled", listed(_settled(facts)), level=4),
        _elsewhere(facts),
        _minor(facts),
        "\n".join(f"- {sentence(note)}" for note in facts.notes),
        "" if facts.sandboxed else "The agents ran without a sandbox, as the operator configured.",
    )


def _call(facts: StatusFacts, disputed: Sequence[Standing]) -> str:
    return escalation_section(facts.reason, disputed, cause=facts.cause, patch=facts.patch)


def _headline(facts: StatusFacts) -> str:
    head = code_span(facts.head[:7])
    match facts.outcome:
        case None:
            return f"In work at {head}" if head else "In work"
        case Outcome.APPROVED:
            return f"Approved at {head}"
        case Outcome.MERGED:
            return f"Merged at {head}"
        case Outcome.ESCALATED | Outcome.NO_CHANGE:
            return "Needs a person"
        case Outcome.ABANDONED | Outcome.DECLINED:
            return "Not continued"
        case Outcome.ERROR:
            return "Stopped by an error"
        case _:
            return "Waiting"


def _next(facts: StatusFacts) -> str:
    """What happens next, or what a maintainer may do."""
    reason = sentence(facts.reason)
    match facts.outcome:
        case Outcome.APPROVED:
            return paragraphs(
                "No blocking point is open. Merging is up to a maintainer; "
                "a new commit voids this approval.",
                reason,
            )
        case Outcome.ERROR:
            return paragraphs(reason, "It is tried again in a later run.")
        case _:
            return reason


def _review(facts: StatusFacts) -> str:
    review = facts.review
    if review is None:
        return ""
    stale = "" if review.head == facts.head else " The head has moved since."
    told = (
        f"Reviewed by {code_span(review.agent)} at {code_span(review.head[:7])}, "
        f"round {review.round}.{stale}"
    )
    left = ", ".join(code_span(path) for path in review.not_reviewed)
    return paragraphs(
        told,
        quote(review.summary) if review.summary.strip() else "",
        f"Not looked at: {left}." if left else "",
    )


def _checks(facts: StatusFacts) -> str:
    red = ", ".join(code_span(name) for name in facts.forge_red)
    return paragraphs(
        check_sentence(facts.check) if facts.check else "",
        check_output(facts.check) if facts.check else "",
        f"Required checks that are red: {red}." if red else "",
    )


def _settled(facts: StatusFacts) -> list[str]:
    done = [one for one in facts.standings if one.state.is_settled or one.state is State.FIXED]
    return [
        settled_line(one, again=one.entry.id in facts.silent)
        for one in done
        if one.finding.severity is Severity.BLOCKING
    ]


def _elsewhere(facts: StatusFacts) -> str:
    """Real defects that this change did not cause."""
    found = [one for one in facts.standings if not one.finding.in_scope and one.state in UNSETTLED]
    body = listed(named(one) for one in found)
    return folded(f"{counted(len(found), 'defect')} outside this change", body)


def _minor(facts: StatusFacts) -> str:
    minor = [
        one
        for one in facts.standings
        if one.state in UNSETTLED
        and one.finding.in_scope
        and one.finding.severity is not Severity.BLOCKING
    ]
    body = listed(minor_line(one) for one in minor)
    return folded(f"{counted(len(minor), 'point')} that need not hold this change", body)


def _gates(standing: Standing) -> bool:
    finding = standing.finding
    blocks = finding.severity is Severity.BLOCKING and finding.in_scope
    return blocks and standing.state in UNSETTLED
