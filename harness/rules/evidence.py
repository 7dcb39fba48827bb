"""Whether what a reply claims can be believed: the pair of what is to be read, and the check.

A fault fells one point after the one repair turn, never the answer: a finding is recorded
needs_human, a refutation or filing is not claimed, a ruling that agrees or an answer that stands
does not count, of a verdict and its list the worse counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from harness.facts.entries import Disposition
from harness.facts.exchanges import EXCHANGES
from harness.facts.journal import Brief
from harness.facts.judgement import ClaimFault
from harness.facts.replies import (
    AdjudicationReply,
    AnswerReply,
    AnyReply,
    DispositionReply,
    EvidenceReply,
    FindingReply,
    ImplementationReply,
    RebuttalReply,
    ResponseReply,
    ReviewReply,
    RulingReply,
    VerdictReply,
)
from harness.facts.sources import Read, Side, Sources
from harness.facts.turns import Tools
from harness.rules.missing import called_missing
from harness.rules.proof import evidence_fault

VERDICT = "verdict"  # the point that falls where a review's verdict and its list disagree
_CITED = frozenset({"architecture", "spec"})


def wanted_reads(brief: Brief, reply: AnyReply) -> tuple[Read, ...]:
    """The files whose texts the check needs, each once: in an editing exchange on both sides."""
    sides: tuple[Side, ...] = ("head",)
    if EXCHANGES[brief.kind].tools is Tools.EDIT:
        sides = ("head", "left")
    paths = (
        evidence.path
        for evidence in _all_evidence(reply)
        if evidence.kind == "quote" and evidence.path and evidence.path not in brief.citable
    )
    return tuple(Read(side=side, path=path) for path in dict.fromkeys(paths) for side in sides)


def check_claims(brief: Brief, reply: AnyReply, sources: Sources) -> tuple[ClaimFault, ...]:
    """Every claim of the reply that does not check, by the point that falls with it."""
    faults: Iterator[_Fault]
    match reply:
        case ReviewReply():
            faults = _review_faults(brief, reply, sources)
        case ResponseReply():
            faults = _each(reply.dispositions, _disposition_faults, sources)
        case AdjudicationReply():
            faults = _each(reply.verdicts, _verdict_faults, sources)
        case RebuttalReply():
            faults = _each(reply.answers, _answer_faults, sources)
        case ImplementationReply():
            faults = (("reply", what) for what in _implementation_faults(reply, sources))
        case _:
            return ()
    return tuple(ClaimFault(point=point, what=what) for point, what in faults)


_Fault = tuple[str, str]
_Point = TypeVar("_Point", bound=DispositionReply | VerdictReply | AnswerReply | RulingReply)


def _each(
    points: Iterable[_Point],
    faults_of: Callable[[_Point, Sources], Iterator[str]],
    sources: Sources,
) -> Iterator[_Fault]:
    for point in points:
        for what in (*faults_of(point, sources), *_proof_faults(point.evidence, sources)):
            yield point.handle, what


def _proof_faults(evidence: Iterable[EvidenceReply], sources: Sources) -> Iterator[str]:
    for one in evidence:
        if fault := evidence_fault(one, sources):
            yield fault


# -- reviews ---------------------------------------------------------------------------------------
def _review_faults(brief: Brief, reply: ReviewReply, sources: Sources) -> Iterator[_Fault]:
    for n, finding in enumerate(reply.findings, start=1):
        for what in _finding_faults(finding, brief, sources):
            yield f"F{n}", what
        for what in _proof_faults(finding.evidence, sources):
            yield f"F{n}", what
    yield from _each(reply.rulings, _ruling_faults, sources)
    for what in _verdict_against_list(brief, reply):
        yield VERDICT, what


def _finding_faults(finding: FindingReply, brief: Brief, sources: Sources) -> Iterator[str]:
    if finding.file and sources.known_paths is not None and finding.file not in sources.known_paths:
        yield f"There is no file {finding.file[:120]} at the head or in the diff."
    missing = called_missing(
        finding.file, finding.title, finding.detail, sources.head_paths or frozenset()
    )
    if missing:
        yield f"It says that {missing[:120]} is missing, and it is there at the head."
    if not finding.title.strip():
        yield "The finding has no title."
    if finding.severity == "blocking":
        if not finding.evidence:
            yield "A blocking finding needs evidence."
        if not finding.failure_scenario.strip():
            yield "A blocking finding needs a failure_scenario."
    yield from _citation_faults(finding, brief)


def _citation_faults(finding: FindingReply, brief: Brief) -> Iterator[str]:
    """A handle says that a point is meant again; only a document, rule or criterion supports."""
    shown = {handle for handle, _ in brief.handles.handles}
    unknown = [name for name in finding.citations if name not in {*brief.citable, *shown}]
    if unknown:
        yield f"Nothing that was supplied is called {', '.join(unknown)[:120]}."
    if finding.category in _CITED and not set(finding.citations) & set(brief.citable):
        yield f"A finding of category {finding.category} needs the id of what it rests on."


def _ruling_faults(ruling: RulingReply, sources: Sources) -> Iterator[str]:
    if not ruling.agrees:
        return
    if _is_claimed_fixed(ruling.handle, sources):
        yield from _confirmation_faults(ruling.evidence)
    elif not _has_quote(ruling.evidence):
        yield "Agreeing needs a quote."


def _is_claimed_fixed(handle: str, sources: Sources) -> bool:
    return dict(sources.claims).get(handle) is Disposition.FIXED


def _confirmation_faults(evidence: tuple[EvidenceReply, ...]) -> Iterator[str]:
    if not evidence:
        yield "Agreeing that it is fixed needs evidence from this head."


def _verdict_against_list(brief: Brief, reply: ReviewReply) -> Iterator[str]:
    """Blocking findings out of scope, and settled points raised again, allow either verdict."""
    claimed = set(brief.required_handles)
    blocks = [f for f in reply.findings if f.severity == "blocking"]
    objects = [r for r in reply.rulings if not r.agrees]
    if reply.verdict == "approve":
        if any(finding.in_scope for finding in blocks):
            yield "It says approve, and a finding in scope is blocking."
        elif any(ruling.handle in claimed for ruling in objects):
            yield "It says approve, and a ruling does not agree with what is claimed."
    elif not blocks and not objects:
        yield "It says changes_requested, and nothing is blocking."


# -- answers to points -----------------------------------------------------------------------------
def _disposition_faults(point: DispositionReply, sources: Sources) -> Iterator[str]:
    match point.action:
        case "fixed":
            if not point.evidence and sources.left is not None and sources.left.is_empty:
                yield "It says fixed, and nothing was changed in the tree."
            return
        case "refuted":
            if not point.evidence:
                yield "Refuting needs evidence."
        case "filed":
            if not point.evidence:
                yield "Filing needs evidence that this change did not cause it."
            if not point.new_issue_title.strip() or not point.new_issue_body.strip():
                yield "Filing needs new_issue_title and new_issue_body."
    if not point.reasoning.strip():
        yield f"It says {point.action}, and gives no reasoning."


def _verdict_faults(verdict: VerdictReply, _: Sources) -> Iterator[str]:
    if verdict.agrees and not _has_quote(verdict.evidence):
        yield "Agreeing needs a quote."


def _answer_faults(answer: AnswerReply, sources: Sources) -> Iterator[str]:
    """Giving in to an argument needs nothing; giving in to a claimed fix confirms it."""
    if answer.stands and not answer.evidence:
        yield "Standing needs evidence."
    if not answer.stands and _is_claimed_fixed(answer.handle, sources):
        yield from _confirmation_faults(answer.evidence)


def _implementation_faults(reply: ImplementationReply, sources: Sources) -> Iterator[str]:
    edited = None if sources.left is None else not sources.left.is_empty
    if reply.not_worth_doing:
        if not reply.reason.strip():
            yield "not_worth_doing needs a reason."
        if edited:
            yield "It says not_worth_doing, and the tree was changed."
    else:
        if reply.reason.strip():
            yield 'It gives a reason not to do it, and not_worth_doing is false; reason must be "".'
        if edited is False:
            yield "not_worth_doing is false, and nothing was changed in the tree."


def _has_quote(evidence: Iterable[EvidenceReply]) -> bool:
    return any(one.kind == "quote" for one in evidence)


def _all_evidence(reply: AnyReply) -> Iterator[EvidenceReply]:
    points: Iterable[FindingReply | RulingReply | DispositionReply | VerdictReply | AnswerReply]
    match reply:
        case ReviewReply():
            points = (*reply.findings, *reply.rulings)
        case ResponseReply():
            points = reply.dispositions
        case AdjudicationReply():
            points = reply.verdicts
        case RebuttalReply():
            points = reply.answers
        case _:
            points = ()
    for point in points:
        yield from point.evidence
