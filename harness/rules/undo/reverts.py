"""The commands that a person may take back with what no undo takes back: only ours is named."""

from __future__ import annotations

from collections.abc import Iterable

from harness.facts.intents import Intent, OpenPull
from harness.facts.undoing import CommitNow, PullNow
from harness.rules.undo.seen import Seen


def revert_by_hand(seen: Seen, opened: Intent, pull: PullNow) -> str:
    """What takes back our part of a merge that a person made; nothing of theirs is named."""
    assert isinstance(opened.write, OpenPull)
    ours = revert_ours([one for one in seen.commits(opened.write.branch) if one.on_base])
    return ours or (revert(pull.pull.merge_sha) if pull.squashes_ours else "")


def revert_merge(pull: PullNow, method: str) -> str:
    """The merge is ours, made by this method."""
    sha = pull.pull.merge_sha
    if pull.merge_parents > 1:
        return f"git revert --no-edit -m 1 {sha}"
    if method == "rebase" and pull.commits > 1:
        return revert(f"{sha}~{pull.commits}..{sha}")
    return revert(sha)


def revert_ours(commits: Iterable[CommitNow]) -> str:
    """Newest first, as they are given; what was merged in is others' work and is not named."""
    return revert(*(one.sha for one in commits if not one.is_merge))


def revert(*what: str) -> str:
    """The command for these commits, "" for none."""
    named = " ".join(filter(None, what))
    return f"git revert --no-edit {named}" if named else ""
