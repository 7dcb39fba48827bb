"""What every exchange about an item is given: its words, the base's documents, the checks."""

from __future__ import annotations

import logging

from harness.errors import ForgeError
from harness.facts.briefing import (
    BriefLimits,
    Change,
    Document,
    Heading,
    IssueThread,
    Material,
    PullText,
)
from harness.facts.case import Case, IssueText
from harness.facts.forge import ForgeCheck, Issue, Pull
from harness.facts.places import Diff
from harness.rules.custody import red_of_forge
from harness.rules.hunks import hidden_files
from harness.rules.markers import strip_marker
from harness.runs.desk import Desk
from harness.runs.job import Job
from harness.runs.people import Reader

logger = logging.getLogger(__name__)

_DOCUMENTS = ("AGENTS.md", "CONTRIBUTING.md", ".harness/rules.md")
_LOG_CHARS = 20_000  # read of a log; the brief shows less, so that no key is cut before it is known
_STANDING_RULES = ".harness/precedents.md"


def read_thread(desk: Desk, issue: Issue) -> IssueThread:
    """An issue with all its comments and what each author may do here."""
    reader = Reader(desk)
    return IssueThread(
        issue=issue,
        permission=reader.may(issue.author.login),
        comments=reader.comments(issue.number),
    )


def read_documents(desk: Desk, base: str) -> Material:
    """What the base says about how to work here; never read from the head of a change."""
    names = dict.fromkeys((*_DOCUMENTS, *desk.choice.documents))
    texts = ((name, _text(desk, base, name)) for name in names)
    rules = _text(desk, base, _STANDING_RULES)
    return Material(
        documents=tuple(Document(name=name, text=text) for name, text in texts if text),
        rules=tuple(line for line in rules.splitlines() if line[:1].isdigit()),
    )


def read_material(desk: Desk, job: Job, case: Case) -> Material:
    """Everything an exchange of custody is given about its item."""
    pull = desk.reading.pull(case.pull.number) if case.pull else None
    return read_documents(desk, case.base).model_copy(
        update={
            "thread": _thread(desk, job, case.issue) if case.issue else None,
            "pull": _pull_text(desk, pull) if pull else None,
            "base_check": case.base_check,
            "head_check": case.head_check,
            "forge_checks": case.forge_checks,
        }
    )


def _thread(desk: Desk, job: Job, text: IssueText) -> IssueThread:
    """With the text that the case is about: what came since is nobody's word yet."""
    issue = desk.reading.issue(job.item)
    judged = issue.model_copy(update={"title": text.title, "body": text.body})
    return read_thread(desk, judged)


def _pull_text(desk: Desk, pull: Pull) -> PullText:
    reader = Reader(desk)
    said = reader.on_pull(pull.number, reader.reviews(pull.number))
    body = strip_marker(pull.body)  # ours: nothing that was hidden from anybody
    return PullText(number=pull.number, title=pull.title, body=body, said=said)


def read_red_checks(desk: Desk, case: Case) -> tuple[ForgeCheck, ...]:
    """The forge's checks that block, with the end of their logs."""
    names = red_of_forge(case)
    return tuple(_with_log(desk, one) for one in case.forge_checks if one.name in names)


def _with_log(desk: Desk, check: ForgeCheck) -> ForgeCheck:
    """A log that cannot be read stops nobody; the agent is told."""
    try:
        log = desk.reading.check_log(check, _LOG_CHARS)
    except ForgeError as error:
        logger.warning("the log of check %s: %s", check.name, error)
        log = "(its log could not be read)"
    return check.model_copy(update={"log": log})


def read_change(desk: Desk, case: Case) -> tuple[Change, Diff]:
    """The whole change, as text for an agent and as hunks for the rules."""
    diff = desk.trees.diff(case.base, case.head)
    change = Change(
        base=case.base,
        head=case.head,
        diff=desk.trees.diff_text(case.base, case.head),
        not_shown=hidden_files(diff),
    )
    return change, diff


def heading(desk: Desk, job: Job, kind: str, agent: str, round_: int, attempt: int) -> Heading:
    """The first line of a brief, and the key of its fence: the same for the same question."""
    key = f"{desk.repo_id}/{job.item}/{job.branch}/{kind}/{agent}/{round_}/{attempt}"
    return Heading(key=key, repo=desk.repo.slug, item=job.item, round=round_)


def brief_limits(desk: Desk) -> BriefLimits:
    """How much a brief may hold here."""
    triage = desk.choice.triage
    return BriefLimits(issue=triage.max_issue_chars, prompt=triage.max_prompt_chars)


def _text(desk: Desk, base: str, name: str) -> str:
    return (desk.trees.read(base, name) or b"").decode("utf-8", "replace")


def heading_of_triage(desk: Desk, round_: int) -> Heading:
    """The same, for a question about several issues."""
    return Heading(key=f"{desk.repo_id}/triage/{round_}", repo=desk.repo.slug, item=0, round=round_)
