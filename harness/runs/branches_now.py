"""Reading what became of the branches that a run pushed to, and of the commits it pushed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.facts.forge import Pull
from harness.facts.trees import CommitRow
from harness.facts.undoing import BranchNow, CommitNow, Pushed
from harness.runs.desk import Desk


def read_branch(desk: Desk, item: int, name: str, pulls: Sequence[Pull]) -> BranchNow:
    """Every commit beyond the base has to be one that we made, or it is somebody else's."""
    tip = desk.trees.tip(name)
    if not tip:
        return BranchNow(branch=name, tip="", foreign=())
    beyond = [foreign_commits(desk, fork, tip) for fork in _forks(desk, item, name, tip, pulls)]
    return BranchNow(
        branch=name,
        tip=tip,
        foreign=min(beyond, key=len) if beyond else foreign_commits(desk, "", tip),
        pulls=tuple(
            dict.fromkeys(
                one.number
                for one in pulls
                if one.state == "open" and (_is_from(desk, one, name) or one.base_ref == name)
            )
        ),
    )


def read_commits(
    desk: Desk, pushes: Sequence[Pushed], pulls: Sequence[Pull]
) -> Iterator[CommitNow]:
    """What these pushes brought, by the store's own rows; newest first, each commit once."""
    trees = desk.trees
    for item, branch in dict.fromkeys((one.item, one.branch) for one in pushes):
        same = [one for one in pushes if (one.item, one.branch) == (item, branch)]
        tip, bases = trees.tip(branch), _base_tips(desk, branch, pulls)
        for row in desk.store.commits_of_item(desk.repo_id, item):
            if row.branch != branch or not trees.has(row.sha):
                continue
            if any(_brought(desk, one, row.sha) for one in same):
                yield CommitNow(
                    sha=row.sha,
                    branch=branch,
                    is_merge=_is_merge(desk, row),
                    on_branch=bool(tip) and trees.is_ancestor(row.sha, tip),
                    on_base=any(trees.is_ancestor(row.sha, one) for one in bases),
                )


def foreign_commits(desk: Desk, base: str, head: str) -> tuple[str, ...]:
    """The commits of base..head that we did not make, newest first."""
    shas = [one.sha for one in desk.trees.first_parents(base, head)]
    ours = {row.sha for row in desk.store.commits(desk.repo_id, shas)}
    return tuple(sha for sha in shas if sha not in ours)


def _forks(desk: Desk, item: int, name: str, tip: str, pulls: Sequence[Pull]) -> Iterator[str]:
    """Where the branch may have left its base: by git, and by what our first commit stands on."""
    for base in _base_tips(desk, name, pulls):
        if fork := desk.trees.merge_base(base, tip):
            yield fork
    rows = [one for one in desk.store.commits_of_item(desk.repo_id, item) if one.branch == name]
    for row in reversed(rows):
        if desk.trees.has(row.sha) and desk.trees.is_ancestor(row.sha, tip):
            yield row.parent
            return


def _base_tips(desk: Desk, branch: str, pulls: Sequence[Pull]) -> tuple[str, ...]:
    """A base is renamed or deleted, and a pull request turned to another, after a run."""
    of_pulls = [one.base_ref for one in pulls if _is_from(desk, one, branch)]
    names = dict.fromkeys((desk.base_ref, *of_pulls))
    tips = [tip for tip in map(desk.trees.tip, names) if tip]
    default = desk.trees.tip(desk.repo.default_branch)
    return tuple(tips or ([default] if default else []))


def _is_from(desk: Desk, pull: Pull, branch: str) -> bool:
    """The forge closes such a pull request (and one onto it) when the branch is deleted."""
    return pull.head_ref == branch and pull.head_repo.casefold() == desk.repo.slug.casefold()


def _brought(desk: Desk, push: Pushed, sha: str) -> bool:
    """Whether a commit came to the forge by this push."""
    if not desk.trees.has(push.sha) or not desk.trees.is_ancestor(sha, push.sha):
        return False
    before = push.expected
    return not (before and desk.trees.has(before) and desk.trees.is_ancestor(sha, before))


def _is_merge(desk: Desk, row: CommitRow) -> bool:
    return len(desk.trees.first_parents(row.parent, row.sha)[0].parents) > 1
