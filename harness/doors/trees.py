"""Git, reading and committing; pushing is behind the writing door."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from harness.facts.leaks import Addition
from harness.facts.places import Diff
from harness.facts.trees import CommitInfo, Left, Tree


class Trees(Protocol):
    """The mirror of one repository and the work trees made of it. Raises GitError."""

    def sync(self) -> None:
        """Fetch heads and pull request heads; our own refs are kept."""
        ...

    def tip(self, branch: str) -> str:
        """The fetched tip of the forge's branch, "" when it has none."""
        ...

    def remote_tip(self, branch: str) -> str:
        """The tip as the remote says right now (ls-remote), "" when it has none."""
        ...

    def has(self, sha: str) -> bool:
        """Whether the commit is here."""
        ...

    def has_tree(self, sha: str) -> bool:
        """Whether the tree is here."""
        ...

    def merge_base(self, one: str, other: str) -> str:
        """The best common ancestor, "" when there is none."""
        ...

    def is_ancestor(self, older: str, newer: str) -> bool: ...

    def first_parents(self, base: str, head: str) -> tuple[CommitInfo, ...]:
        """The commits of base..head on the first-parent line, newest first."""
        ...

    def diff(self, base: str, head: str) -> Diff:
        """The change from base to head, renames found, hunks with 3 lines of context."""
        ...

    def diff_text(self, base: str, head: str) -> str:
        """The same as text for an agent; content that is no text is left out."""
        ...

    def patch(self, base: str, head: str) -> str:
        """The same whole, as `git apply` takes it; bytes that are no UTF-8 stand as surrogates."""
        ...

    def line_map(self, old_blob: str, new_blob: str) -> Diff:
        """The hunks of `diff -U0 -w --ignore-blank-lines` between two blobs (one file)."""
        ...

    def blob(self, treeish: str, path: str) -> str:
        """The blob id of a file, "" when it is not there."""
        ...

    def tree_of(self, commit: str) -> str:
        """The tree id of a commit."""
        ...

    def read(self, treeish: str, path: str) -> bytes | None:
        """A file's bytes at a commit or tree, None when it is not there."""
        ...

    def paths(self, treeish: str) -> tuple[str, ...]:
        """All file paths of a commit or tree."""
        ...

    def additions(self, head: str) -> tuple[Addition, ...]:
        """Every text that a push of `head` would bring, of each commit the forge does not have.

        Files that are as in no parent, the names of new ones, the message and its author.
        """
        ...

    def holds(self, treeish: str, line: str) -> bool:
        """Whether some file of a commit or tree has this in a line."""
        ...

    def new_parents(self, head: str) -> tuple[str, ...]:
        """What one commit would stand on that takes the place of all that the forge lacks."""
        ...

    def keep(self, sha: str) -> None:
        """Protect a commit from gc (`refs/harness/keep/<sha>`)."""
        ...

    def add_tree(self, sha: str, name: str) -> Tree:
        """A fresh detached tree at `sha` in the state directory, replacing one of this name."""
        ...

    def share_tree(self, sha: str, name: str) -> Tree:
        """The tree of this name, made at `sha` where there is none; never one that is looked at."""
        ...

    def open_tree(self, name: str) -> Tree | None:
        """The work tree of this name as it was left, or None."""
        ...

    def drop_tree(self, name: str) -> None: ...

    def stale_trees(self) -> tuple[str, ...]:
        """The names of all work trees that lie there, unfinished ones too."""
        ...

    def tidy(self) -> None:
        """Collect garbage; only while nobody works this repository."""
        ...

    def left(self, tree: Tree) -> Left:
        """What an agent left in the tree, judged path by path, written as a git tree object."""
        ...

    def commit(self, tree_sha: str, parents: tuple[str, ...], message: str, at: datetime) -> str:
        """Make a commit of a tree object; same input, same SHA. Author and signing by settings."""
        ...

    def merge_tree(self, ours: str, theirs: str) -> tuple[str, tuple[str, ...]]:
        """Merge two commits without a work tree: (tree id, conflicting paths)."""
        ...
