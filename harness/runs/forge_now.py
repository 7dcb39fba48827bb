"""Reading what the forge says now about what a run wrote, before anything is taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.errors import ForgeError
from harness.facts.forge import Pull
from harness.facts.trees import CommitRow
from harness.facts.undoing import (
    BranchNow,
    CommitNow,
    ForgeNow,
    ItemNow,
    PullNow,
    Pushed,
    StatusNow,
    UndoReads,
)
from harness.runs.desk import Desk


def read_forge(desk: Desk, reads: UndoReads) -> ForgeNow:
    """All that was asked for; what is gone is left out. Raises ForgeError, GitError."""
    found = {number: _item(desk, number) for number in reads.numbers}
    pulls = desk.reading.open_pulls() if reads.branches else ()
    return ForgeNow(
        me=desk.me.id,
        items={number: item for number, item in found.items() if item is not None},
        branches=tuple(_branch(desk, name, pulls) for name in reads.branches),
        commits=tuple(_commits(desk, reads.pushes)),
        statuses=tuple(status for sha in reads.shas for status in _statuses(desk, sha)),
    )


def _item(desk: Desk, number: int) -> ItemNow | None:
    try:
        issue = desk.reading.issue(number)
    except ForgeError as error:
        if error.reason in {"gone", "moved"}:
            return None
        raise
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
    if fork in {"", head, merge} or _foreign(desk, fork, head):
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


def _branch(desk: Desk, name: str, pulls: Sequence[Pull]) -> BranchNow:
    """Every commit beyond the base has to be one that we made, or it is somebody else's."""
    tip = desk.trees.tip(name)
    if not tip:
        return BranchNow(branch=name, tip="", foreign=())
    base_tip = desk.trees.tip(desk.base_ref)
    fork = desk.trees.merge_base(base_tip, tip) if base_tip else ""
    return BranchNow(
        branch=name,
        tip=tip,
        foreign=_foreign(desk, fork, tip),
        pulls=tuple(one.number for one in pulls if _stands_on(one, name, desk.repo.slug)),
    )


def _foreign(desk: Desk, base: str, head: str) -> tuple[str, ...]:
    """The commits of base..head that we did not make, newest first."""
    shas = [one.sha for one in desk.trees.first_parents(base, head)]
    ours = {row.sha for row in desk.store.commits(desk.repo_id, shas)}
    return tuple(sha for sha in shas if sha not in ours)


def _commits(desk: Desk, pushes: Sequence[Pushed]) -> Iterator[CommitNow]:
    """What these pushes brought, by the store's own rows; newest first, each commit once."""
    trees = desk.trees
    base_tip = trees.tip(desk.base_ref)
    for item, branch in dict.fromkeys((one.item, one.branch) for one in pushes):
        same = [one for one in pushes if (one.item, one.branch) == (item, branch)]
        tip = trees.tip(branch)
        for row in desk.store.commits_of_item(desk.repo_id, item):
            if row.branch != branch or not trees.has(row.sha):
                continue
            if any(_brought(desk, one, row.sha) for one in same):
                yield CommitNow(
                    sha=row.sha,
                    branch=branch,
                    is_merge=_is_merge(desk, row),
                    on_branch=bool(tip) and trees.is_ancestor(row.sha, tip),
                    on_base=bool(base_tip) and trees.is_ancestor(row.sha, base_tip),
                )


def _brought(desk: Desk, push: Pushed, sha: str) -> bool:
    """Whether a commit came to the forge by this push."""
    if not desk.trees.has(push.sha) or not desk.trees.is_ancestor(sha, push.sha):
        return False
    before = push.expected
    return not (before and desk.trees.has(before) and desk.trees.is_ancestor(sha, before))


def _is_merge(desk: Desk, row: CommitRow) -> bool:
    return len(desk.trees.first_parents(row.parent, row.sha)[0].parents) > 1


def _stands_on(pull: Pull, branch: str, slug: str) -> bool:
    """The forge closes such a pull request when the branch is deleted."""
    is_head = pull.head_ref == branch and pull.head_repo.casefold() == slug.casefold()
    return is_head or pull.base_ref == branch


def _statuses(desk: Desk, sha: str) -> tuple[StatusNow, ...]:
    """The newest of each context."""
    found: dict[str, StatusNow] = {}
    for context, state, description in desk.reading.statuses(sha):
        found.setdefault(
            context, StatusNow(sha=sha, context=context, state=state, description=description)
        )
    return tuple(found.values())
