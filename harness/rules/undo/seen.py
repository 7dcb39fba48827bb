"""What is known while a run is taken back: its rows, all rows of the item, the forge as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.facts.forge import Comment, Happening
from harness.facts.intents import (
    CommentOn,
    CreateIssue,
    EditBody,
    EditComment,
    EditIssue,
    Intent,
    OpenPull,
    Precondition,
    ReplyIn,
    Write,
)
from harness.facts.undoing import (
    BranchNow,
    CommitNow,
    ForgeNow,
    ItemNow,
    LeftThere,
    Moot,
    TakeBack,
    Withdrawn,
)
from harness.rules.body_hash import body_hash
from harness.rules.forge_names import undo_purpose

UNDO = undo_purpose("")
GONE = "it is not there any more"
EDITED = "a person edited it since"


@dataclass(frozen=True)
class Seen:
    """`story` are all rows of the item, oldest first, whichever run made them."""

    run_id: str
    story: tuple[Intent, ...]
    now: ForgeNow
    withdrawn: Withdrawn

    @property
    def delivered(self) -> tuple[Intent, ...]:
        """What stands on the forge because of us, or did."""
        return tuple(one for one in self.story if one.state == "delivered")

    def is_mine(self, intent: Intent | None) -> bool:
        """Whether the run that is taken back made it."""
        return intent is not None and intent.run_id == self.run_id

    def undoing(self, intent: Intent) -> Intent | None:
        """The row that took it back, or tried to."""
        purpose = undo_purpose(intent.id)
        same = [one for one in self.story if one.purpose.partition("#")[0] == purpose]
        return same[-1] if same else None

    # -- the forge ---------------------------------------------------------------------------------
    def item(self, number: int) -> ItemNow | None:
        """An issue or pull request; None when it is gone."""
        return self.now.items.get(number)

    def branch(self, name: str) -> BranchNow:
        """A branch; one that was not found has no tip."""
        known = {one.branch: one for one in self.now.branches}
        return known.get(name) or BranchNow(branch=name, tip="", foreign=())

    def commits(self, branch: str) -> tuple[CommitNow, ...]:
        """What the run committed and pushed to a branch, newest first."""
        return tuple(one for one in self.now.commits if one.branch == branch)

    def comment(self, number: int, comment_id: int) -> Comment | None:
        """A comment on an item or in one of its threads."""
        item = self.item(number)
        if item is None:
            return None
        inline = (comment for thread in item.threads for comment in thread.comments)
        return next((one for one in (*item.comments, *inline) if one.id == comment_id), None)

    def absent(self, intent: Intent, number: int) -> LeftThere | Moot:
        """What becomes of a write whose place is not there: it may have moved along elsewhere."""
        to = self.now.moved.get(number)
        if to is None:
            return moot(intent, GONE)
        return left(
            intent, f"it went along with #{number}, which was transferred{to and f' to {to}'}"
        )

    def last(self, number: int, kinds: set[str], detail: str | None = None) -> Happening | None:
        """The newest line of these kinds in an item's timeline (about this, in any case)."""
        item = self.item(number)
        found = [
            one
            for one in (item.timeline if item else ())
            if one.kind in kinds and (detail is None or one.detail.casefold() == detail.casefold())
        ]
        return found[-1] if found else None

    def somebody(self, happening: Happening | None) -> str:
        """The login of whoever did it, "" when it was us or nobody knows."""
        if happening is None or happening.actor.id == self.now.me:
            return ""
        return happening.actor.login

    # -- what we wrote -----------------------------------------------------------------------------
    def texts(self, comment_id: int) -> tuple[tuple[Intent, str], ...]:
        """Every text we gave a comment of ours, oldest first."""
        return tuple(self._texts(comment_id))

    def _texts(self, comment_id: int) -> Iterator[tuple[Intent, str]]:
        for one in self.delivered:
            match one.write:
                case CommentOn(body=body) | ReplyIn(body=body):
                    if one.receipt and one.receipt.id == comment_id:
                        yield one, body
                case EditComment(body=body) as write if write.comment_id == comment_id:
                    yield one, body
                case _:
                    pass

    def bodies(self, number: int) -> tuple[tuple[Intent, str], ...]:
        """Every body we gave an item of ours, oldest first."""
        found = []
        for one in self.delivered:
            match one.write:
                case OpenPull(body=body) | CreateIssue(body=body) if _is(one, number):
                    found.append((one, body))
                case EditBody(body=body) as write if write.number == number:
                    found.append((one, body))
                case _:
                    pass
        return tuple(found)

    def titles(self, number: int) -> tuple[tuple[Intent, str], ...]:
        """Every title we gave an item of ours, oldest first."""
        found = []
        for one in self.delivered:
            match one.write:
                case OpenPull(title=title) | CreateIssue(title=title) if _is(one, number):
                    found.append((one, title))
                case EditIssue(title=title) as write if write.number == number:
                    found.append((one, title))
                case _:
                    pass
        return tuple(found)

    def opened(self, number: int) -> Intent | None:
        """The row that opened this pull request."""
        return next(
            (one for one in self.delivered if isinstance(one.write, OpenPull) and _is(one, number)),
            None,
        )

    def pull_of(self, branch: str) -> tuple[Intent, int] | None:
        """The row that opened the branch's pull request, and its number."""
        for one in reversed(self.delivered):
            if isinstance(one.write, OpenPull) and one.write.branch == branch and one.receipt:
                return one, one.receipt.number
        return None

    # -- verdicts ----------------------------------------------------------------------------------
    def take_back(
        self, of: Intent, write: Write, needs: Precondition | None = None, part: str = ""
    ) -> TakeBack:
        """One write that takes another (or a part of it) back."""
        return TakeBack(
            of=of,
            purpose=undo_purpose(of.id) + part,
            write=write,
            needs=needs or Precondition(),
            why=f"run {self.run_id[:8]} is undone",
        )


def ours_still(text: str, written: tuple[tuple[Intent, str], ...]) -> bool:
    """Whether a text is one that we wrote, as it survives a forge."""
    return body_hash(text) in {body_hash(body) for _, body in written}


def left(of: Intent, why: str, command: str = "") -> LeftThere:
    """It stays."""
    return LeftThere(of=of, why=why, command=command)


def moot(of: Intent, why: str) -> Moot:
    """There is nothing to do about it."""
    return Moot(of=of, why=why)


def _is(intent: Intent, number: int) -> bool:
    return intent.receipt is not None and intent.receipt.number == number
