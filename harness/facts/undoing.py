"""Taking back what a run wrote: what the forge says now, what is written, what is left."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from harness.facts.forge import Comment, ForgeReview, Happening, Issue, Pull, Thread
from harness.facts.intents import Intent, Precondition, Write
from harness.facts.value import Fact


class Undone(Fact):
    """A run was taken back on an item, by another run."""

    run_id: str
    repo_id: int
    item: int
    by: str
    at: datetime


class Pushed(Fact):
    """A push that the run made, of work on an item."""

    item: int
    branch: str
    expected: str  # what lay there before, "" when nothing did
    sha: str


class UndoReads(Fact):
    """What has to be known of the forge before anything is taken back."""

    numbers: tuple[int, ...]  # issues and pull requests
    branches: tuple[str, ...]
    pushes: tuple[Pushed, ...]
    shas: tuple[str, ...]  # whose commit statuses


class PullNow(Fact):
    """A pull request, how many commits it has, and how many parents its merge commit has."""

    pull: Pull
    commits: int
    merge_parents: int  # 0: not merged, or not known
    squashes_ours: bool = False  # its merge commit is all of it, which is ours, and nothing else


class ItemNow(Fact):
    """One issue or pull request as it is now."""

    issue: Issue
    pull: PullNow | None
    timeline: tuple[Happening, ...]
    comments: tuple[Comment, ...]
    reviews: tuple[ForgeReview, ...]
    threads: tuple[Thread, ...]


class BranchNow(Fact):
    """A branch as it is now; `foreign` are its commits beyond the base that we did not make."""

    branch: str
    tip: str  # "" when it is gone
    foreign: tuple[str, ...]
    pulls: tuple[int, ...] = ()  # open pull requests from it or onto it


class CommitNow(Fact):
    """A commit that the run made and pushed to a branch, and where it is now."""

    sha: str
    branch: str
    is_merge: bool  # it brought the base in: to revert it takes back what others did
    on_branch: bool
    on_base: bool


class StatusNow(Fact):
    """The newest commit status of one context."""

    sha: str
    context: str
    state: str
    description: str


class ForgeNow(Fact):
    """All of it; what is not there is gone."""

    me: int  # our account's id
    items: dict[int, ItemNow]
    branches: tuple[BranchNow, ...]
    commits: tuple[CommitNow, ...]  # newest first
    statuses: tuple[StatusNow, ...]
    moved: dict[int, str]  # issues that were transferred, and their pages ("" not known)


class TakeBack(Fact):
    """One write that takes another back, under `undo_purpose(of.id)`."""

    of: Intent
    purpose: str
    write: Write
    needs: Precondition
    why: str


class LeftThere(Fact):
    """One write that stays, why, and the command that a person may take it back with."""

    of: Intent
    why: str
    command: str = ""


class Moot(Fact):
    """One write that nothing is to be done about, and why."""

    of: Intent
    why: str


Verdict = TakeBack | LeftThere | Moot


class Withdrawn(Fact):
    """What stands where something of ours stood."""

    status: str  # the description of a commit status
    review: str  # the body of a review


class UndoPlan(Fact):
    """What becomes of every write of a run, newest first."""

    verdicts: tuple[Verdict, ...]


UndoneState = Literal["taken_back", "nothing_to_do", "left"]


class UndoneLine(Fact):
    """One write of the run, and what became of it."""

    repo: str
    item: int
    kind: str
    target: str
    state: UndoneState
    why: str
    command: str
    url: str


class UndonePage(Fact):
    """What `harness undo` did."""

    run: str
    dry: bool
    exit_code: int
    events: int  # of the ledger, revoked now
    lines: tuple[UndoneLine, ...]
    items: tuple[int, ...]  # that are not worked by themselves any more
    failed: tuple[str, ...] = ()  # repositories in which it could not be done, and why
