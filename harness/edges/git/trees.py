"""Detached work trees in the state directory, each with its control files out of an agent's reach.

    trees/NAME                     what an agent may write (its `.git` file is never read by us)
    mirror.git/worktrees/NAME      git's own files of it; `ready`, written last, says the commit

A tree without `ready` was being made when we were killed: it is not opened, only replaced.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

from harness.edges.git.mirror import Mirror
from harness.edges.git.names import check_id, check_tree_name
from harness.errors import GitError
from harness.facts.trees import Tree

_READY = "ready"
_INDEX = "index.made"


class WorkTrees:
    """Makes, opens and removes the work trees of one repository.

    As root a tree is given to `owner_uid`, the user whom the workbench runs commands as.
    """

    def __init__(self, mirror: Mirror, repo_id: int, owner_uid: int | None) -> None:
        self._mirror = mirror
        self._repo_id = repo_id
        self._owner = owner_uid if os.geteuid() == 0 else None

    def add(self, sha: str, name: str) -> Tree:
        """A fresh tree at `sha`; whatever had this name is gone, nothing else is touched."""
        check_tree_name(name)
        with self._mirror.locked() as lock:
            return self._add(sha, name, lock)

    def share(self, sha: str, name: str) -> Tree:
        """The tree of this name, made at `sha` where there is none: by one, others wait for it."""
        there = self.open(name)
        if there is not None:
            return there
        with self._mirror.locked() as lock:
            return self.open(name) or self._add(sha, name, lock)

    def open(self, name: str) -> Tree | None:
        """The tree of this name, or None when it is missing or was never finished."""
        path = self._mirror.trees / check_tree_name(name)
        ready = self._meta(name) / _READY
        if not ready.is_file() or not path.is_dir():
            return None
        return Tree(repo_id=self._repo_id, path=str(path), head=ready.read_text("ascii"))

    def drop(self, name: str) -> None:
        """Remove a tree and git's files of it."""
        check_tree_name(name)
        with self._mirror.locked():
            self._remove(name)

    def names(self) -> tuple[str, ...]:
        """The names of all that lies there, finished or not."""
        places = (self._mirror.trees, self._mirror.path / "worktrees")
        return tuple(
            sorted({one.name for place in places if place.is_dir() for one in place.iterdir()})
        )

    def meta_of(self, tree: Tree) -> Path:
        """Git's directory of a tree of ours; GitError when the tree is none or lost its files."""
        path = Path(tree.path)
        meta = self._meta(path.name)
        if path.parent != self._mirror.trees or tree.repo_id != self._repo_id:
            raise GitError(f"{tree.path} is not a work tree of repository {self._repo_id}")
        if path.is_symlink() or not path.is_dir() or not (meta / _READY).is_file():
            raise GitError(f"the work tree {tree.path} is gone or was never finished")
        return meta

    def index_of(self, tree: Tree) -> Path:
        """The index as the tree was made: an agent without a sandbox may have used its own."""
        return self.meta_of(tree) / _INDEX

    def run_in(
        self,
        tree: Tree,
        *args: str,
        index: Path | None = None,
        stdin: bytes = b"",
        ok: tuple[int, ...] = (0,),
    ) -> bytes:
        """A git command on a tree, told where everything is, so that it searches for nothing."""
        meta = self.meta_of(tree)
        env = {
            "GIT_DIR": str(meta),
            "GIT_WORK_TREE": tree.path,
            "GIT_INDEX_FILE": str(index or meta / "index"),
        }
        return self._mirror.run(*args, env=env, stdin=stdin, ok=ok).out

    def _add(self, sha: str, name: str, lock: int) -> Tree:
        path = self._mirror.trees / name
        self._remove(name)
        command = ("worktree", "add", "--quiet", "--detach", str(path), check_id(sha))
        try:
            self._mirror.retry(lambda: self._mirror.run(*command, held=[lock]))
            self._hand_over(path, name)
            shutil.copy2(self._meta(name) / "index", self._meta(name) / _INDEX)
            (self._meta(name) / _READY).write_text(sha, "ascii")
        except (GitError, OSError) as error:
            self._remove(name)
            raise _translated(error, name) from error
        return Tree(repo_id=self._repo_id, path=str(path), head=sha)

    def _meta(self, name: str) -> Path:
        return self._mirror.path / "worktrees" / name

    def _hand_over(self, path: Path, name: str) -> None:
        """Give the tree to its user and let git note that, or it reads every file again."""
        if self._owner is None:
            return
        for folder, folders, files in os.walk(path):
            for entry in (".", *folders, *files):
                os.lchown(Path(folder, entry), self._owner, self._owner)
        env = {"GIT_DIR": str(self._meta(name)), "GIT_WORK_TREE": str(path)}
        self._mirror.run("update-index", "-q", "--refresh", env=env, ok=(0, 1))

    def _remove(self, name: str) -> None:
        meta = self._meta(name)
        try:
            (meta / _READY).unlink(missing_ok=True)
            for place in (self._mirror.trees / name, meta):
                _remove_folder(place)
        except OSError as error:
            raise GitError(f"the work tree {name} cannot be removed: {error}") from error


def _remove_folder(path: Path) -> None:
    """Remove a folder, whatever it denies; links are removed, never followed."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    if path.is_dir():
        shutil.rmtree(path, onerror=_allow_and_retry)


def _allow_and_retry(function: Callable[..., object], path: str, _: object) -> None:
    """An agent may have taken its own rights to a folder away."""
    for folder in (Path(path).parent, Path(path)):
        if stat.S_ISDIR(folder.lstat().st_mode):
            folder.chmod(stat.S_IRWXU)
    if function in {os.scandir, os.open, os.listdir}:
        shutil.rmtree(path)
    else:
        function(path)


def _translated(error: GitError | OSError, name: str) -> GitError:
    if isinstance(error, GitError):
        return error
    return GitError(f"the work tree {name} cannot be made: {error}")
