"""What agents answer: one closed, strict model per reply; the descriptions travel as prompt.

Model-written shapes stay apart from host-written ones: nothing here can suppress, settle or mark
anything as posted. Keys stand in the order evidence, scenario, words, classification, verdict:
constrained decoding writes in schema order, and what comes first is decided first.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Reply(BaseModel):
    """A closed object, parsed strictly."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Handle = Annotated[str, Field(description="The handle of the point, exactly as it was shown.")]

IssueTitle = Annotated[
    str,
    Field(
        description='Title of the issue to be filed: the defect or the wish, one line; "" when '
        "nothing is to be filed."
    ),
]

IssueBody = Annotated[
    str,
    Field(
        description="Body of the issue to be filed, Markdown, with the sections Problem, "
        "Reproduction, Impact and Expected behaviour, for somebody who picks it up cold, months "
        'later; "" when nothing is to be filed.'
    ),
]


class EvidenceReply(Reply):
    """One piece of proof. It is checked; one that does not check fells the point it stands for."""

    kind: Literal["quote", "removed", "command"] = Field(
        description="quote: text that stands in the file now. removed: a line that the diff "
        "removes. command: a command that you ran in this exchange, or the check."
    )
    path: str = Field(
        description="quote and removed: the file's path as in the repository, no line number. "
        "command: the command line, exactly as it was run."
    )
    line: int = Field(
        description="quote: the line where the text starts, right to within 10 lines. removed: 0. "
        "command: its exit status."
    )
    text: str = Field(
        description="quote and removed: the exact text, copied, without line numbers or diff "
        "signs, nothing left out; a few lines at most. command: the last lines that it printed, "
        "copied."
    )


class IssueOpinion(Reply):
    """Your opinion on one issue."""

    issue: int = Field(description="The issue's number.")
    reason: str = Field(
        description="One sentence: why it is or is not worth a pull request. When the work is "
        "declined it is posted as it is on an issue that may stay open: write it to the person "
        "who opened it, with the fact that decides it, not as a verdict."
    )
    depends_on: tuple[int, ...] = Field(
        description="Numbers of other issues of this list that must be done first; usually empty."
    )
    complexity: Literal["s", "m", "l"] = Field(
        description="s: one place, an hour. m: several places, a day. l: more, or unclear."
    )
    risk: Literal["low", "medium", "high"] = Field(
        description="What breaks if the change is wrong. low: tests show it. medium: users may "
        "notice. high: data, security or a public interface."
    )
    tracker: bool = Field(
        description="true when the issue exists to hold together work that is filed elsewhere "
        "(an epic, a checklist of other issues). Judge what it is, not what you think of it."
    )
    worth_doing: bool = Field(
        description="true when the issue is worth a pull request now. false for a duplicate, "
        "something stale or already fixed, nothing to reproduce or act on, a change that would "
        "make the code worse, and a tracker."
    )


class TriageReply(Reply):
    """Which of the shown issues are worth a pull request."""

    issues: tuple[IssueOpinion, ...] = Field(
        description="One opinion for every issue shown, each exactly once."
    )


class ImplementationReply(Reply):
    """What you changed; it becomes the body of the pull request."""

    problem: str = Field(
        description="Two to four short sentences: what you found to be wrong in the code and what "
        "it cost. Not the issue in other words."
    )
    changes: tuple[str, ...] = Field(
        description="One line per change of behaviour, functions and files in backticks. Not a "
        "list of files. May be empty."
    )
    testing: tuple[str, ...] = Field(
        description="The exact commands that you ran, one per line, and the test that covers the "
        "change. Commands that were not run in this exchange are marked as not run."
    )
    notes: str = Field(
        description='What a reviewer would otherwise have to ask; "" when there is nothing.'
    )
    summary: str = Field(
        description="One plain sentence of about 200 characters with one fact: what the code does "
        "now that it did not do before."
    )
    reason: str = Field(
        description="When the issue turns out not worth doing: why, in one or two sentences to "
        'the person who opened it; it is posted as it is. Otherwise "".'
    )
    not_worth_doing: bool = Field(
        description="true when, after reading the code, no change should be made. Then leave the "
        "tree unchanged and give the reason. Otherwise false, and the tree holds your change."
    )


class NewIssueReply(Reply):
    """A defect of its own, for somebody who picks it up cold, months later."""

    problem: str = Field(
        description="What is wrong, with the specifics: function, file, value, message."
    )
    reproduction: str = Field(
        description='Numbered steps that show it, then "Actual result:" with what happens, saying '
        "which part of it is right."
    )
    impact: str = Field(description="Who notices and what it costs, one short paragraph.")
    expected: str = Field(
        description="What should hold instead, as requirements that can be tested, and whether "
        "the defect was there before this change."
    )


class FindingReply(Reply):
    """One defect."""

    file: str = Field(
        description='Path as in the repository, without a line number; "" for a finding about the '
        "change as a whole."
    )
    start_line: int = Field(
        description="First line of the defect in the file as it is at the head; 0 when general."
    )
    end_line: int = Field(
        description="Last line of the defect, no context around it; 0 when general."
    )
    evidence: tuple[EvidenceReply, ...] = Field(
        description="What proves it. Required for a blocking finding: the code that is wrong, "
        "and where it helps the command that shows it."
    )
    failure_scenario: str = Field(
        description="The concrete input or state, then the wrong result or crash that follows; "
        'for a cleanup the concrete cost. "" only below blocking.'
    )
    title: str = Field(
        description="The defect, not the fix, about 80 characters, no severity tag, no line number."
    )
    detail: str = Field(
        description="The first sentence stands alone: it is the short form. Then what goes wrong, "
        "where, and how to reproduce it; for a blocking finding also what you did to confirm it."
    )
    suggestion: str = Field(
        description='Replacement for exactly the lines start_line to end_line; "" when there is '
        "none or it would touch other lines."
    )
    citations: tuple[str, ...] = Field(
        description="Ids of supplied documents (D2), standing rules (R1) or criteria that this "
        "rests on; required for architecture and spec. Also the handle (S3) of a shown settled "
        "or claimed point when this finding is that point again."
    )
    category: Literal[
        "correctness",
        "security",
        "data",
        "performance",
        "tests",
        "maintainability",
        "architecture",
        "spec",
    ] = Field(
        description="The main kind. data: loss or corruption. architecture: against a cited rule "
        "of this project. spec: against a cited requirement, which evidence or detail quotes."
    )
    in_scope: bool = Field(
        description="false only for a real defect that this change did not cause and that is "
        "worth somebody stopping for; an observation is not one. Lines that the diff added are in "
        "scope. Unsure: true."
    )
    issue: NewIssueReply | None = Field(
        description="When in_scope is false: the defect as an issue of its own. Otherwise null."
    )
    severity: Literal["blocking", "non-blocking", "nit"] = Field(
        description="blocking: must not be merged as it is: a real defect, confirmed, with "
        "evidence. non-blocking: a true gain that need not hold this change up. nit: taste. "
        "Unsure: non-blocking."
    )


class RulingReply(Reply):
    """Your ruling on a point shown as claimed, or on a settled one that you raise again."""

    handle: Handle
    evidence: tuple[EvidenceReply, ...] = Field(
        description="What you found when you went there. Required when you agree (a quote, where "
        "the claim is refuted or filed) and when you raise a settled point again (what is new)."
    )
    reasoning: str = Field(
        description="Why the claim holds or does not hold at this head, in a few sentences."
    )
    agrees: bool = Field(
        description="true only after you went to the code: of a claimed fix, the defect is gone "
        "at this head; of a refuted point, it is wrong or not worth acting on; of a filed one, it "
        "is not this change's. false: the point stands, or a settled point is raised again."
    )


class NotReviewed(Reply):
    """A part of the change that you did not look at."""

    path: str = Field(description="Path as in the repository.")
    reason: str = Field(description="Why it was not looked at.")


class ReviewReply(Reply):
    """A review of the change."""

    findings: tuple[FindingReply, ...] = Field(
        description="Every defect found, each once. Empty when there is none."
    )
    rulings: tuple[RulingReply, ...] = Field(
        description="One for every point shown as claimed, and one for each settled point that "
        "you raise again."
    )
    not_reviewed: tuple[NotReviewed, ...] = Field(
        description="What of the change you did not look at; empty when you looked at all of it."
    )
    summary: str = Field(
        description="About 200 characters on the change and its state, no preamble."
    )
    risk: Literal["low", "medium", "high"] = Field(
        description="What breaks if this change is wrong. low: tests show it. medium: users may "
        "notice. high: data, security or a public interface."
    )
    next_action: Literal["merge", "fix_myself", "hand_back"] = Field(
        description="merge: nothing blocks. fix_myself: you would mend what blocks, it is small "
        "and clear. hand_back: the author should."
    )
    verdict: Literal["approve", "changes_requested"] = Field(
        description="changes_requested exactly when a finding in scope blocks or a claimed point "
        "stands; otherwise approve."
    )


class DispositionReply(Reply):
    """What you did about one point."""

    handle: Handle
    evidence: tuple[EvidenceReply, ...] = Field(
        description="Proof. Required when refuted (what shows that the finding is wrong) and when "
        "filed (what shows that it is not this change's). Quotes may stand in the tree as you "
        "leave it."
    )
    reasoning: str = Field(
        description="fixed: what you changed and why that mends it. refuted or filed: the whole "
        "argument, since its raiser decides on it; no apology, no politeness."
    )
    new_issue_title: IssueTitle
    new_issue_body: IssueBody
    action: Literal["fixed", "refuted", "filed"] = Field(
        description="fixed: valid, in scope, and done in this tree. refuted: wrong, or not worth "
        "acting on. filed: valid, but not this change's; give title and body of the issue."
    )


class ResponseReply(Reply):
    """Your answer to the points; your edits stand in the tree."""

    dispositions: tuple[DispositionReply, ...] = Field(
        description="One for every point that was put to you, each exactly once."
    )
    summary: str = Field(
        description="One or two sentences: what the code does now that it did not do before you "
        "answered."
    )


class VerdictReply(Reply):
    """Your verdict on one finding of the other reviewer."""

    handle: Handle
    evidence: tuple[EvidenceReply, ...] = Field(
        description="What you found when you went there. Agreeing needs a quote of the defect."
    )
    reasoning: str = Field(
        description="Why the defect is or is not there. When you disagree: the whole argument."
    )
    severity: Literal["blocking", "non-blocking", "nit"] = Field(
        description="Your own view of its weight, also when you agree. blocking: must not be "
        "merged as it is. non-blocking: a true gain that need not hold this change up. nit: taste."
    )
    agrees: bool = Field(
        description="true only after you read the code and found the defect there. What you cannot "
        "confirm is false: it should not cost a maintainer time."
    )


class AdjudicationReply(Reply):
    """Your verdicts on the findings of the other reviewer."""

    verdicts: tuple[VerdictReply, ...] = Field(
        description="One for every finding shown, each exactly once."
    )


class AnswerReply(Reply):
    """Your answer to an objection, or to a claim, about a point that you raised."""

    handle: Handle
    evidence: tuple[EvidenceReply, ...] = Field(
        description="When you stand: the line, the command or the failing case that shows it. "
        "When you withdraw: may be empty."
    )
    reasoning: str = Field(
        description="Why the point stands, or what in the other side's argument ends it."
    )
    stands: bool = Field(
        description="true only with the line, the input or the failing case that proves the "
        "point. false withdraws it, which costs nothing and ends it."
    )


class RebuttalReply(Reply):
    """Your answers on the points that you raised."""

    answers: tuple[AnswerReply, ...] = Field(
        description="One for every point put to you, each exactly once."
    )


class SameAnswer(Reply):
    """Whether one finding is a point that was shown before."""

    handle: Handle
    reasoning: str = Field(
        description="What makes them the same defect, or what tells them apart, one sentence."
    )
    same_as: str = Field(
        description='The S handle of the point that this finding is, in other words; "" when it is '
        "a new point."
    )


class SameReply(Reply):
    """Which findings are points that were shown before."""

    answers: tuple[SameAnswer, ...] = Field(
        description="One for every finding shown, each exactly once."
    )


class ScreenVerdict(Reply):
    """Whether one recorded follow-up is still true."""

    handle: Handle
    reason: str = Field(
        description="Why, in one or two sentences: it is the only record of a follow-up that is "
        "dropped. already_fixed names the function or change that did it."
    )
    title: str = Field(
        description="The title, unchanged unless it says nothing; then one that names the defect."
    )
    duplicate_of_issue: int = Field(
        description="Number of the issue that already says this; 0 when there is none."
    )
    duplicate_of_handle: str = Field(
        description='Handle of the other follow-up that says the same; "" when there is none.'
    )
    verdict: Literal["still_relevant", "already_fixed", "not_worth_it", "duplicate"] = Field(
        description="still_relevant: true of the code as it is, and whenever you are unsure. "
        "already_fixed: no longer true. not_worth_it: true, and not worth anybody's time. "
        "duplicate: said by the issue or the follow-up that you name."
    )


class ScreenReply(Reply):
    """Which recorded follow-ups are still true."""

    entries: tuple[ScreenVerdict, ...] = Field(
        description="One for every follow-up shown, each exactly once."
    )


class CheckinVerdict(Reply):
    """What one person's comment asks for, and what should be done about it."""

    handle: Handle
    request: str = Field(
        description="What is asked, in your own words, complete enough to be acted on without the "
        'comment. "" when nothing is asked.'
    )
    reasoning: str = Field(
        description="Why. For decline and answer it is posted as it is: write it to the person, "
        "with facts from the code, not about yourself; no promise, no date."
    )
    new_issue_title: IssueTitle
    new_issue_body: IssueBody
    unambiguous: bool = Field(
        description="false when the comment reads two ways or you had to guess. A false costs a "
        "question; a wrong true costs somebody a commit."
    )
    ask: Literal["implement", "defer", "decline", "answer", "nothing"] = Field(
        description="implement: right, and belongs on this branch. defer: right, but work of its "
        "own; give title and body of the issue. decline: should not be made. answer: a question. "
        "nothing: nothing is asked."
    )


class CheckinReply(Reply):
    """What the comments of people on this pull request ask for."""

    verdicts: tuple[CheckinVerdict, ...] = Field(
        description="One for every comment put to you, each exactly once."
    )


class CheckinCheck(Reply):
    """Your check of one verdict of the other agent."""

    handle: Handle
    reasoning: str = Field(
        description="What the comment and the code say. When you disagree and ask is decline or "
        "answer: written to the person."
    )
    unambiguous: bool = Field(
        description="false when the comment reads two ways or you had to guess."
    )
    ask: Literal["implement", "defer", "decline", "answer", "nothing"] = Field(
        description="Your own reading; it counts only when agrees is false. implement: right, and "
        "belongs on this branch. defer: right, but work of its own. decline: should not be made. "
        "answer: a question. nothing: nothing is asked."
    )
    agrees: bool = Field(
        description="true only after you went to the code and would do the same. Otherwise false."
    )


class CheckinCheckReply(Reply):
    """Your checks of the other agent's verdicts."""

    checks: tuple[CheckinCheck, ...] = Field(
        description="One for every verdict shown, each exactly once."
    )


class CheckinDone(Reply):
    """What you did about one request."""

    handle: Handle
    summary: str = Field(
        description="What was changed, or why nothing should be, one or two sentences to the "
        "person who asked; it is posted in that thread as it is."
    )
    changed: bool = Field(
        description="true when the tree holds the change that was asked for. false is a good "
        "answer when the change turns out to be wrong."
    )


class CheckinFixReply(Reply):
    """What you did about the requests; your edits stand in the tree."""

    done: tuple[CheckinDone, ...] = Field(
        description="One for every request put to you, each exactly once."
    )


AnyReply = (
    TriageReply
    | ImplementationReply
    | ReviewReply
    | ResponseReply
    | AdjudicationReply
    | RebuttalReply
    | SameReply
    | ScreenReply
    | CheckinReply
    | CheckinCheckReply
    | CheckinFixReply
)
