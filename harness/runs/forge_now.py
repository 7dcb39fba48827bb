"""Reading what the forge says now about what a run wrote, before anything is taken back."""

from __future__ import annotations

from collections.abc import Iterable

from harness.errors import ForgeError
from harness.facts.forge import Pull
from harness.facts.undoing import (
    ForgeNow,
    ItemNow,
    PullNow,
    StatusNow,
    UndoReads,
)
from harness.runs.branches_now import foreign_commits, read_branch, read_commits
from harness.runs.desk import Desk


def read_forge(desk: Desk, item: int, reads: UndoReads) -> ForgeNow:
    """All that was asked for; what is gone is left out. Raises ForgeError, GitError."""
    items, moved = _items(desk, reads.numbers)
    pulls = [one.pull.pull for one in items.values() if one.pull]
    pulls += desk.reading.open_pulls() if reads.branches else ()
    return ForgeNow(
        me=desk.me.id,
        items=items,
        branches=tuple(read_branch(desk, item, name, pulls) for name in reads.branches),
        commits=tuple(read_commits(desk, reads.pushes, pulls)),
        statuses=tuple(status for sha in reads.shas for status in _statuses(desk, sha)),
        moved=moved,
    )


def _items(desk: Desk, numbers: Iterable[int]) -> tuple[dict[int, ItemNow], dict[int, str]]:
    """What is there, and where went what was transferred; what is gone is in neither."""
    items: dict[int, ItemNow] = {}
    moved: dict[int, str] = {}
    for number in numbers:
        try:
            items[number] = _item(desk, number)
        except ForgeError as error:
            if error.reason not in {"gone", "moved"}:
                raise
            if error.reason == "moved":
                desk.reading.repo()  # raises where it is not this issue that is elsewhere
                moved[number] = error.to
    return items, moved


def _item(desk: Desk, number: int) -> ItemNow:
    issue = desk.reading.issue(number)
    return ItemNow(
        issue=issue,
        pull=_pull(desk, desk.reading.pull(number)) if issue.is_pull else None,
        timeline=desk.reading.timeline(number),
        comments=desk.reading.comments(number),
        reviews=desk.reading.reviews(number) if issue.is_pull else (),
        threads=desk.reading.threads(number) if issue.is_pull else (),
    )


def _pull(desk: Desk, pull: Pull) -> PullNow:
    return PullNow(
        pull=pull,
        commits=len(_line(desk, pull.base_sha, pull.head_sha)),
        merge_parents=max(_parents(desk, pull), default=0),
        squashes_ours=_squashes_ours(desk, pull),
    )


def _parents(desk: Desk, pull: Pull) -> list[int]:
    """How many parents the merge commit has, if there is one and it is here."""
    if not pull.merged or not pull.merge_sha:
        return []
    return _line(desk, pull.head_sha, pull.merge_sha)[:1]


def _squashes_ours(desk: Desk, pull: Pull) -> bool:
    """Whether the merge commit changes the lines that the head changed, and all of it is ours."""
    trees, head, merge = desk.trees, pull.head_sha, pull.merge_sha
    if not (pull.merged and merge and trees.has(head) and trees.has(merge)):
        return False
    fork = trees.merge_base(head, merge)
    if fork in {"", head, merge} or foreign_commits(desk, fork, head):
        return False
    parents = trees.first_parents(fork, merge)[0].parents
    return len(parents) == 1 and _changed(desk, parents[0], merge) == _changed(desk, fork, head)


def _changed(desk: Desk, older: str, newer: str) -> list[str]:
    """A patch without what depends on what stands around it."""
    lines = desk.trees.patch(older, newer).split("\n")
    return [line for line in lines if not line.startswith((" ", "@@ ", "index "))]


def _line(desk: Desk, older: str, newer: str) -> list[int]:
    """How many parents each commit of older..newer has, newest first; none where git lacks one."""
    if not (older and newer and desk.trees.has(older) and desk.trees.has(newer)):
        return []
    fork = desk.trees.merge_base(older, newer) or older
    return [len(one.parents) for one in desk.trees.first_parents(fork, newer)]


def _statuses(desk: Desk, sha: str) -> tuple[StatusNow, ...]:
    """The newest of each context."""
    found: dict[str, StatusNow] = {}
    for context, state, description in desk.reading.statuses(sha):
        found.setdefault(
            context, StatusNow(sha=sha, context=context, state=state, description=description)
        )
    return tuple(found.values())
