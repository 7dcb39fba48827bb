"""Everything that decides who acts next on one item, read afresh before every step."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from harness.facts.causes import Cause
from harness.facts.checks import Check
from harness.facts.forge import ForgeCheck
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.leaks import Leak
from harness.facts.points import Point
from harness.facts.settings import LoopSettings
from harness.facts.trees import CommitRow
from harness.facts.value import Fact

OF_TEXT = "text:"  # how the key of an issue's text begins, among keys of words


class Told(Fact):
    """One exchange of this branch, as custody sees it, oldest first in a case."""

    id: str
    run_id: str
    kind: ExchangeKind
    agent: str
    round: int
    attempt: int
    head: str
    base: str
    result: Ending | None  # None: open, to be resumed
    reason: str
    not_before: datetime | None
    at: datetime
    heard: tuple[str, ...] = ()  # review only: keys of the words and the issue's text in it
    recorded: bool  # what it led to is in the ledger
    held: tuple[str, ...] = ()  # findings waiting for `same`
    edited: bool = False  # it left changes in its work tree
    refused: tuple[str, ...] = ()  # what it left that may not be committed
    unsolved: tuple[str, ...] = ()  # update only: files it left with conflict markers
    committed: bool = False  # its changes are a commit row (or are in one)
    not_worth_doing: bool = False  # implement only
    fix_myself: bool = False  # review only
    not_reviewed: tuple[str, ...] = ()  # review only: what it did not look at
    of_leak: bool = False  # fix_check only: it was told of a secret in its change
    asks_for_changes: bool = False  # review only: its verdict does, and its list has no reason


class Word(Fact):
    """What a person said of the item: neither our own texts nor those of bots."""

    key: str  # tells it from every other, and from itself with another text
    by: str
    at: datetime
    may_write: bool
    place: Literal["issue", "pull"]


class IssueText(Fact):
    """The text of an issue that this case is about: no other is shown to an agent."""

    key: str  # tells it from every other text of the issue
    title: str
    body: str


class PullView(Fact):
    """Our pull request, as far as custody looks at it."""

    number: int
    state: Literal["open", "closed", "merged"]
    branch: str  # where its head is now, whatever we pushed to
    base: str = ""  # the branch it goes into now, whatever we opened it into
    head: str
    draft: bool
    mergeable: bool | None
    conflicts: bool
    behind: bool
    closed_by_us: bool
    opened_at: datetime | None = None


class Case(Fact):
    """The whole situation of one item."""

    now: datetime
    run_id: str
    item: int
    item_open: bool
    issue: IssueText | None = None  # None: there is no issue, the pull request was adopted
    left_alone: str = ""  # which label says to leave it alone, "" when none does
    person_wanted: bool = False  # the label that calls one is on, and nobody of ours set it
    parked: str = ""  # why nothing may be written for this text, "" when it may
    agents: tuple[str, str]  # first, other
    loop: LoopSettings
    branch: str
    base_ref: str = ""  # the branch the work is for
    base: str  # the commit the work stands on
    base_tip: str
    commits: tuple[CommitRow, ...]  # base..head on the first-parent line, newest first
    moved_by_person: bool  # the head is in no commit row
    head: str  # "" before there is anything
    pushed: str  # the branch's tip on the forge, "" when it has none
    branch_deleted: bool = False  # we pushed to it, and the forge has it no more
    unaccounted: str  # why the branch on the forge is not ours to continue, "" when it is
    pull: PullView | None
    has_check: bool
    base_check: Check | None
    head_check: Check | None
    forge_checks: tuple[ForgeCheck, ...]
    forge_checks_red_on_base: tuple[str, ...]
    pushed_at: datetime | None
    told: tuple[Told, ...]
    points: tuple[Point, ...]  # of this scope
    last_person_act: datetime | None
    words: tuple[Word, ...] = ()  # everything that people said of the item
    called: bool  # a person was called and has not acted since
    called_for: Cause | None = None  # what for, where somebody is
    policy_asked_at: datetime | None = None  # when a person was first asked to pass this head
    update_needed: bool
    merge_wanted: bool  # auto_merge, and the gate says GO
    approved: str  # the head we said is approved, "" when none
    rounds_of_blockers_in_fixes: (
        int  # reviews in a row that found blockers in lines that fixes wrote
    )
    item_cap_reached: bool
    leaks: tuple[Leak, ...] = ()  # secrets in what is not pushed yet
    method_allowed: bool | None = None  # the repository allows the configured way to merge
    protected_paths: tuple[str, ...] | None = None  # that base..head touches; None: not looked at
    objections: tuple[str, ...] | None = None  # people who ask for changes; None: not looked at
