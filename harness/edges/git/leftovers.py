"""What an agent left in a work tree: listed by git, judged path by path, written as a git tree.

    walk (pipes, nested repositories) > status > names and lstat > filter attributes of the base
    > exactly the good paths into a copy of the index > write-tree > compare with the base

Ignored files are not left. Build output that nothing ignores counts as added. Nothing here reads a
file in a way that a pipe could hold up, and no setting or attribute an agent wrote decides what is
refused.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.edges.git.changes import (
    SUBMODULE,
    Change,
    Touched,
    filtered,
    read_attributes,
    read_touched,
    stored_with_cr,
)
from harness.edges.git.diffs import Status, split_raw
from harness.edges.git.judging import refuse_kind, refuse_name
from harness.edges.git.linking import refuse_link
from harness.edges.git.names import shown_path
from harness.edges.git.trees import WorkTrees
from harness.edges.git.walking import NESTED, Oddity, find_oddities
from harness.edges.private import told_as
from harness.errors import GitError
from harness.facts.settings import ProtectedSettings
from harness.facts.trees import Left, Leftover, Tree

_LEFT_AS: dict[Status, Change] = {
    "added": "added",
    "copied": "added",
    "deleted": "deleted",
    "modified": "modified",
    "mode": "modified",
    "renamed": "renamed",
    "type": "type",
}


def read_left(trees: WorkTrees, tree: Tree, protected: ProtectedSettings) -> Left:
    """All that was left in the tree. Raises GitError when the tree is gone or cannot be read."""
    meta = trees.meta_of(tree)
    with told_as(GitError, Path(tree.path)):
        return _read_left(trees, tree, meta, protected)


def _read_left(trees: WorkTrees, tree: Tree, meta: Path, protected: ProtectedSettings) -> Left:
    oddities = find_oddities(Path(tree.path))
    if any(oddity.blinds_git for oddity in oddities):
        return Left(tree_sha=_base_tree(trees, tree), changed=_as_refused(oddities))
    with tempfile.TemporaryDirectory(dir=meta, prefix="left.") as room:
        index = Path(room) / "index"
        shutil.copy2(trees.index_of(tree), index)  # with its time: git judges freshness by it
        return _Reading(trees, tree, index, protected).read(oddities)


@dataclass(frozen=True)
class _Reading:
    """One reading of a tree, on its own copy of the index."""

    trees: WorkTrees
    tree: Tree
    index: Path
    protected: ProtectedSettings

    def read(self, oddities: Sequence[Oddity]) -> Left:
        touched = read_touched(self._git)
        refused = {one.path: why for one in touched if (why := self._refuse(one))}
        good = [one for one in touched if one.path not in refused]
        if good:
            attributes = read_attributes(self._git, good)
            refused |= filtered(attributes)
            good = [one for one in good if one.path not in refused]
            self._stage(good, stored_with_cr(self._git, good, attributes))
        after = self._git("write-tree").decode("ascii").strip()
        bad = [one for one in touched if one.path in refused]
        odd = self._not_ignored([oddity for oddity in oddities if oddity.path not in refused])
        changed = [
            *(self._compared(after) if good else ()),
            *(_leftover(one.path, one.change, refused[one.path]) for one in bad),
            *_as_refused(odd),
        ]
        return Left(tree_sha=after, changed=tuple(sorted(changed, key=lambda left: left.path)))

    def _git(self, *args: str, stdin: bytes = b"", ok: tuple[int, ...] = (0,)) -> bytes:
        return self.trees.run_in(self.tree, *args, index=self.index, stdin=stdin, ok=ok)

    def _refuse(self, one: Touched) -> str:
        by_name = refuse_name(shown_path(one.path.rstrip(b"/")), self.protected)
        if by_name:
            return by_name
        if one.mode == SUBMODULE:
            return "is a submodule"
        place = self._place(one.path)
        try:
            seen = place.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return ""
        if place.is_symlink():
            return refuse_link(Path(self.tree.path), place)
        if one.blob and place.is_dir():
            return ""  # a folder took the place of a file: that file is deleted
        if place.name == "HEAD" and (place.parent / "objects").is_dir():
            return NESTED  # a bare one, listed by git as plain files
        return refuse_kind(seen.st_mode, seen.st_size)

    def _place(self, path: bytes) -> Path:
        return Path(self.tree.path, os.fsdecode(path))

    def _stage(self, touched: Sequence[Touched], raw: Sequence[bytes]) -> None:
        """Exactly these paths, into the copy of the index; `raw` ones byte for byte."""
        kept = set(raw)
        paths = b"".join(one.path + b"\0" for one in touched if one.path not in kept)
        self._git("update-index", "-z", "--add", "--remove", "--replace", "--stdin", stdin=paths)
        if raw:
            names = b"".join(_quoted(self._place(path)) + b"\n" for path in raw)
            ids = self._git("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=names)
            rows = (
                b"%s %s 0\t%s\0" % (self._mode(path), sha, path)
                for path, sha in zip(raw, ids.split(), strict=True)
            )
            self._git("update-index", "-z", "--index-info", stdin=b"".join(rows))

    def _mode(self, path: bytes) -> bytes:
        return b"100755" if self._place(path).lstat().st_mode & 0o100 else b"100644"

    def _compared(self, after: str) -> list[Leftover]:
        args = ("diff-tree", "-r", "-z", "--raw", "-M", self.tree.head, after)
        entries, _ = split_raw(self._git(*args))
        return [_leftover(entry.new_path, _LEFT_AS[entry.status], "") for entry in entries]

    def _not_ignored(self, oddities: Sequence[Oddity]) -> list[Oddity]:
        """Without pipes and repositories in ignored folders: those are not left."""
        if not oddities:
            return []
        plain = [b"./" + oddity.path.rstrip(b"/") for oddity in oddities]
        out = self._git("check-ignore", "-z", "--stdin", stdin=b"\0".join(plain), ok=(0, 1, 128))
        ignored = set(out.split(b"\0"))
        return [oddity for path, oddity in zip(plain, oddities, strict=True) if path not in ignored]


def _quoted(place: Path) -> bytes:
    """A path on a line of its own, in the C quoting that git undoes."""
    return b'"' + b"".join(b"\\%03o" % byte for byte in os.fsencode(place)) + b'"'


def _leftover(path: bytes, change: Change, refused: str) -> Leftover:
    return Leftover(path=shown_path(path), status=change, refused=refused)


def _as_refused(oddities: Iterable[Oddity]) -> tuple[Leftover, ...]:
    return tuple(_leftover(oddity.path, "added", oddity.why) for oddity in oddities)


def _base_tree(trees: WorkTrees, tree: Tree) -> str:
    out = trees.run_in(tree, "rev-parse", f"{tree.head}^{{tree}}")
    return out.decode("ascii").strip()
