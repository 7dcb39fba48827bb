"""Reading what became of the anchors of settled points at a head."""

from __future__ import annotations

from functools import cache

from harness.doors.trees import Trees
from harness.facts.entries import Standing
from harness.facts.matching import Holding
from harness.facts.places import Anchor
from harness.rules.hunks import added_lines
from harness.rules.staleness import (
    Elsewhere,
    Reads,
    Wanted,
    binding_anchor,
    check,
    has_lines,
    wanted,
)

MOST_FILES = 500  # changed files that a core is looked for in


def read_holdings(trees: Trees, standings: tuple[Standing, ...], head: str) -> tuple[Holding, ...]:
    """One holding per standing, in order. Raises GitError."""
    reader = _Reader(trees)
    return tuple(
        reader.holding(standing.entry.id, binding_anchor(standing), head) for standing in standings
    )


def stands_again(trees: Trees, standing: Standing, head: str) -> bool:
    """Whether the lines it was raised on are in the code of this head. Raises GitError."""
    holding = _Reader(trees).holding(standing.entry.id, standing.finding.anchor, head)
    return holding.verdict in {"holds", "moved"}


class _Reader:
    """Reads each diff and listing once, however many anchors ask for it."""

    def __init__(self, trees: Trees) -> None:
        self._trees = trees
        self._has = cache(trees.has)
        self._blob = cache(trees.blob)
        self._line_map = cache(trees.line_map)
        self._diff = cache(trees.diff)
        self._text = cache(self._read_text)
        self._all_paths = cache(lambda head: frozenset(trees.paths(head)))

    def holding(self, entry_id: str, anchor: Anchor, head: str) -> Holding:
        """What became of one anchor, with the commit that changed it."""
        found = self._judge(entry_id, anchor, head)
        if found.verdict not in {"reopened", "gone"}:
            return found
        return found.model_copy(update={"since": self._since(anchor, head)})

    def _judge(self, entry_id: str, anchor: Anchor, head: str) -> Holding:
        if not has_lines(anchor):
            return check(entry_id, anchor, None, "")
        known = self._has(anchor.commit)
        if known and self._is_same_blob(anchor, head):
            return check(entry_id, anchor, _unchanged(anchor, head), "")
        changes = self._diff(anchor.commit, head) if known else None
        want = wanted(anchor, changes, self._all_paths(head))
        reads = self._read(anchor, want, head, mapped=known)
        found = check(entry_id, anchor, reads, "")
        if changes is None or found.verdict not in {"reopened", "gone"}:
            return found
        elsewhere = tuple(
            Elsewhere(file=path, text=self._text(head, path), written=added_lines(changes, path))
            for path in want.changed[:MOST_FILES]
        )
        return check(entry_id, anchor, reads.model_copy(update={"elsewhere": elsewhere}), "")

    def _is_same_blob(self, anchor: Anchor, head: str) -> bool:
        blob = self._blob(anchor.commit, anchor.file)
        return blob != "" and blob == self._blob(head, anchor.file)

    def _read(self, anchor: Anchor, want: Wanted, head: str, *, mapped: bool) -> Reads:
        old_blob = self._blob(anchor.commit, want.old_file) if mapped else ""
        new_blob = self._blob(head, want.new_file) if want.new_file else ""
        both = bool(old_blob and new_blob)
        between = self._line_map(old_blob, new_blob) if both else None
        return Reads(
            head=head,
            new_file=want.new_file if new_blob else "",
            same_blob=both and old_blob == new_blob,
            mapped=bool(old_blob),
            old_text=self._text(anchor.commit, want.old_file) if old_blob else "",
            new_text=self._text(head, want.new_file) if new_blob else "",
            hunks=tuple(hunk for file in between.files for hunk in file.hunks) if between else (),
        )

    def _since(self, anchor: Anchor, head: str) -> str:
        """The first commit after the anchor's at which it no longer holds."""
        if not self._follows(anchor.commit, head):
            return f"between {anchor.commit[:12]} and {head[:12]}"
        last = anchor.commit
        for commit in reversed(self._trees.first_parents(anchor.commit, head)):
            changed = self._blobs(anchor, commit.sha, head) != self._blobs(anchor, last, head)
            last = commit.sha
            if changed and self._judge("", anchor, last).verdict in {"reopened", "gone"}:
                return last
        return head

    def _follows(self, commit: str, head: str) -> bool:
        return self._has(commit) and self._trees.is_ancestor(commit, head)

    def _blobs(self, anchor: Anchor, commit: str, head: str) -> tuple[str, ...]:
        """The file's content at a commit, under the name it had and the one it has at the head."""
        changes = self._diff(anchor.commit, head)
        now = wanted(anchor, changes, self._all_paths(head)).new_file
        return tuple(self._blob(commit, path) for path in (anchor.file, now) if path)

    def _read_text(self, commit: str, path: str) -> str:
        return (self._trees.read(commit, path) or b"").decode("utf-8", "replace")


def _unchanged(anchor: Anchor, head: str) -> Reads:
    return Reads(
        head=head,
        new_file=anchor.file,
        same_blob=True,
        mapped=True,
        old_text="",
        new_text="",
        hunks=(),
    )
