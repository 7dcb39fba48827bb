"""One repository through git: the trees door, put together from its parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from harness.edges.git import additions, diffs, objects
from harness.edges.git.command import NETWORK_SECONDS, Git
from harness.edges.git.commits import Committer
from harness.edges.git.credentials import check_url
from harness.edges.git.leftovers import read_left
from harness.edges.git.mirror import KEEP, Mirror
from harness.edges.git.names import check_branch, check_id
from harness.edges.git.push import GitPushing
from harness.edges.git.signing import Signer
from harness.edges.git.trees import WorkTrees
from harness.facts.leaks import Addition
from harness.facts.places import Diff
from harness.facts.settings import CommitSettings, ProtectedSettings
from harness.facts.trees import CommitInfo, Left, Tree

_SCHEMES = {"https": ("https",), "http": ("http", "https"), "file": ("file",)}


class GitTrees:
    """Satisfies `doors.trees.Trees` with a mirror and work trees under `state_dir/git/ID`.

    Threads and processes may share a repository. `credential` is asked for a token before each
    call that uses the network. Raises ConfigError for a URL that is not usable.
    """

    def __init__(
        self,
        state_dir: Path,
        repo_id: int,
        url: str,
        credential: Callable[[], str] | None = None,
        settings: CommitSettings | None = None,
        protected: ProtectedSettings | None = None,
        owner_uid: int | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        depth: int = 0,
        network_seconds: float = NETWORK_SECONDS,
    ) -> None:
        environ = os.environ if environ is None else environ
        settings = settings or CommitSettings()
        home = state_dir.absolute() / "git" / str(repo_id)
        git = Git(environ, _SCHEMES[check_url(url)])
        self.mirror = Mirror(
            home, url, git, credential, depth=depth, network_seconds=network_seconds
        )
        self._protected = protected or ProtectedSettings()
        self._trees = WorkTrees(self.mirror, repo_id, owner_uid)
        signer = Signer(git, environ, home) if settings.sign else None
        self._committer = Committer(self.mirror, settings, signer)

    @property
    def mirror_path(self) -> Path:
        """The bare repository, to be shown read-only beside a tree."""
        return self.mirror.path

    def pushing(
        self, default_branch: str, is_protected: Callable[[str], bool] = lambda _: False
    ) -> GitPushing:
        """The writing side."""
        return GitPushing(self.mirror, default_branch, is_protected)

    def sync(self) -> None:
        self.mirror.sync()

    def tip(self, branch: str) -> str:
        return self.mirror.tip(branch)

    def remote_tip(self, branch: str) -> str:
        return self.mirror.remote_ref(f"refs/heads/{check_branch(branch)}")

    def has(self, sha: str) -> bool:
        return objects.has_commit(self.mirror, sha)

    def has_tree(self, sha: str) -> bool:
        return objects.has_tree(self.mirror, sha)

    def merge_base(self, one: str, other: str) -> str:
        return objects.merge_base(self.mirror, one, other)

    def is_ancestor(self, older: str, newer: str) -> bool:
        return objects.is_ancestor(self.mirror, older, newer)

    def first_parents(self, base: str, head: str) -> tuple[CommitInfo, ...]:
        return objects.first_parents(self.mirror, base, head)

    def diff(self, base: str, head: str) -> Diff:
        return diffs.read_diff(self.mirror, base, head)

    def diff_text(self, base: str, head: str) -> str:
        return diffs.read_diff_text(self.mirror, base, head)

    def patch(self, base: str, head: str) -> str:
        return diffs.read_patch(self.mirror, base, head)

    def line_map(self, old_blob: str, new_blob: str) -> Diff:
        return diffs.read_line_map(self.mirror, old_blob, new_blob)

    def blob(self, treeish: str, path: str) -> str:
        return objects.blob_id(self.mirror, treeish, path)

    def tree_of(self, commit: str) -> str:
        return objects.tree_id(self.mirror, commit)

    def read(self, treeish: str, path: str) -> bytes | None:
        return objects.read_blob(self.mirror, treeish, path)

    def paths(self, treeish: str) -> tuple[str, ...]:
        return objects.file_paths(self.mirror, treeish)

    def additions(self, head: str) -> tuple[Addition, ...]:
        return additions.read_additions(self.mirror, head)

    def holds(self, treeish: str, line: str) -> bool:
        return additions.holds_line(self.mirror, treeish, line)

    def new_parents(self, head: str) -> tuple[str, ...]:
        return additions.new_parents(self.mirror, head)

    def keep(self, sha: str) -> None:
        self.mirror.set_ref(KEEP + check_id(sha), sha)

    def tidy(self) -> None:
        """Collect garbage; for the sweep only."""
        self.mirror.tidy()

    def add_tree(self, sha: str, name: str) -> Tree:
        return self._trees.add(sha, name)

    def share_tree(self, sha: str, name: str) -> Tree:
        return self._trees.share(sha, name)

    def open_tree(self, name: str) -> Tree | None:
        return self._trees.open(name)

    def drop_tree(self, name: str) -> None:
        self._trees.drop(name)

    def stale_trees(self) -> tuple[str, ...]:
        """The names of all work trees that lie there, unfinished ones too."""
        return self._trees.names()

    def left(self, tree: Tree) -> Left:
        return read_left(self._trees, tree, self._protected)

    def commit(self, tree_sha: str, parents: tuple[str, ...], message: str, at: datetime) -> str:
        return self._committer.commit(tree_sha, parents, message, at)

    def merge_tree(self, ours: str, theirs: str) -> tuple[str, tuple[str, ...]]:
        return objects.merge_trees(self.mirror, ours, theirs)
