"""What a brief is written from, and what it comes to."""

from __future__ import annotations

from harness.facts.checks import Check
from harness.facts.findings import Finding
from harness.facts.forge import Comment, ForgeCheck, Issue, Permission
from harness.facts.journal import HandleMap
from harness.facts.value import Fact


class Heading(Fact):
    """Whose question it is: the first line of a brief, and the key its fence derives from.

    `key` is stable for the exchange (the same question asked again has the same one); `item` is 0
    for triage.
    """

    key: str
    repo: str  # owner/name
    item: int
    round: int


class Said(Fact):
    """A text of a person with what they may do here."""

    comment: Comment
    permission: Permission
    place: str = ""  # of an inline note: `path:line`
    verdict: str = ""  # of a review: its state


class IssueThread(Fact):
    """An issue with its author's permission and its comments, oldest first."""

    issue: Issue
    permission: Permission
    comments: tuple[Said, ...] = ()


class Document(Fact):
    """A text of the base (AGENTS.md, CONTRIBUTING.md, .harness/rules.md) or a configured one."""

    name: str
    text: str


class PullText(Fact):
    """A pull request's own words, and what people said there, oldest first."""

    number: int
    title: str
    body: str
    said: tuple[Said, ...] = ()


class Material(Fact):
    """What every exchange about one item is given; each part gets an id it can be cited by.

    `rules` are the standing rules, one line each, as they are numbered in `.harness/precedents.md`.
    """

    thread: IssueThread | None = None
    pull: PullText | None = None
    documents: tuple[Document, ...] = ()
    rules: tuple[str, ...] = ()
    base_check: Check | None = None
    head_check: Check | None = None
    forge_checks: tuple[ForgeCheck, ...] = ()


class Change(Fact):
    """The diff under discussion; `not_shown` are paths whose content it does not hold, and why."""

    base: str
    head: str
    diff: str
    not_shown: tuple[str, ...] = ()


class Held(Fact):
    """A finding that has no entry of its own (yet); `target` is what its handle stands for."""

    target: str
    finding: Finding


class Ask(Fact):
    """What a person's comment asks for, as the first agent understood it."""

    said: Said
    request: str
    reasoning: str
    ask: str


class BriefLimits(Fact):
    """How much a brief may hold, in characters."""

    issue: int = 20_000  # one issue's text
    thread: int = 40_000  # all comments of an issue
    document: int = 30_000
    diff: int = 150_000
    precedents: int = 20  # points settled elsewhere, in number
    prompt: int = 200_000  # triage: all issues together


class Written(Fact):
    """A brief as text, with everything an answer may name.

    `aloud` are the sentences about what was cut, dropped or cleaned: they stand in the prompt too.
    `deferred` are the issues that triage left for another time; `documents` are (id, text).
    """

    system: str
    prompt: str
    handles: HandleMap
    required_handles: tuple[str, ...] = ()
    optional_handles: tuple[str, ...] = ()
    citable: tuple[str, ...] = ()
    documents: tuple[tuple[str, str], ...] = ()
    aloud: tuple[str, ...] = ()
    deferred: tuple[int, ...] = ()
