"""A real bare git repository: what the rehearsal forge asks of git."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

SETTINGS = """[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[http]
\treceivepack = true
[uploadpack]
\tallowAnySHA1InWant = true
[gc]
\tauto = 0
"""
_ID = re.compile("[0-9a-f]{40}")
IDENTITY = ("Rehearsal", "rehearsal@localhost")


def git_environment(*, author: tuple[str, str] = IDENTITY, at: str = "") -> dict[str, str]:
    """An environment in which no configuration of the machine or its user counts.

    `at` is a git date; without one git takes the machine's clock.
    """
    environment = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": author[0],
        "GIT_AUTHOR_EMAIL": author[1],
        "GIT_COMMITTER_NAME": author[0],
        "GIT_COMMITTER_EMAIL": author[1],
    }
    if at:
        environment |= {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    return environment


class Bare:
    """A bare repository at `path`; a git command that fails raises CalledProcessError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[tuple[str, ...], str] = {}

    @classmethod
    def make(cls, path: Path, default_branch: str) -> Bare:
        """A new, empty one that lets pushes in over HTTP."""
        for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
            (path / folder).mkdir(parents=True)
        (path / "HEAD").write_text(f"ref: refs/heads/{default_branch}\n")
        (path / "config").write_text(SETTINGS)
        return cls(path)

    def run(
        self,
        *arguments: str,
        text: str | None = None,
        author: tuple[str, str] = IDENTITY,
        at: str = "",
    ) -> str:
        """Standard output of a git command, undecodable bytes kept as surrogates."""
        done = subprocess.run(
            ["git", "-C", str(self.path), *arguments],
            check=True,
            capture_output=True,
            env=git_environment(author=author, at=at),
            input=None if text is None else text.encode("utf-8", "surrogateescape"),
        )
        return done.stdout.decode("utf-8", "surrogateescape")

    def run_once(self, *arguments: str) -> str:
        """The same for a question about commits by SHA, whose answer never changes."""
        if arguments not in self._known:
            self._known[arguments] = self.run(*arguments)
        return self._known[arguments]

    def succeeds(self, *arguments: str) -> bool:
        """Whether a git command exits with 0."""
        command = ["git", "-C", str(self.path), *arguments]
        done = subprocess.run(command, check=False, capture_output=True, env=git_environment())
        return done.returncode == 0

    def refs(self) -> dict[str, str]:
        """All refs, read from the files git keeps them in (no process: asked at every request)."""
        found: dict[str, str] = {}
        packed = self.path / "packed-refs"
        if packed.exists():
            for line in packed.read_text().splitlines():
                if line[:1] not in {"#", "^", ""}:
                    sha, _, name = line.partition(" ")
                    found[name] = sha
        root = self.path / "refs"
        for folder, _, names in os.walk(root):
            for name in names:
                if name.endswith(".lock"):
                    continue
                path = Path(folder) / name
                try:
                    sha = path.read_text().strip()
                except FileNotFoundError:
                    continue
                if sha and not sha.startswith("ref:"):
                    found[path.relative_to(self.path).as_posix()] = sha
        return found

    def branches(self) -> dict[str, str]:
        """Branch names and their tips."""
        head = "refs/heads/"
        return {
            name[len(head) :]: sha for name, sha in self.refs().items() if name.startswith(head)
        }

    def tip(self, branch: str) -> str:
        """The tip of a branch, "" when there is none."""
        return self.branches().get(branch, "")

    def has(self, sha: str) -> bool:
        """Whether this commit is here."""
        return self.commit_of(sha) != ""

    def commit_of(self, name: str) -> str:
        """The commit that an id or another name leads to, "" when there is none."""
        run = self.run_once if _ID.fullmatch(name) else self.run
        try:
            return run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").strip()
        except subprocess.CalledProcessError:
            return ""

    def head(self) -> str:
        """What HEAD says."""
        return (self.path / "HEAD").read_text().strip()

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether `older` is an ancestor of `newer` (or the same)."""
        return self.succeeds("merge-base", "--is-ancestor", older, newer)

    def merge_base(self, one: str, other: str) -> str:
        """The best common ancestor, "" when there is none."""
        try:
            return self.run_once("merge-base", one, other).strip()
        except subprocess.CalledProcessError:
            return ""

    def start_of(self, base: str, head: str) -> str:
        """What a change is counted from: the common ancestor, the base itself where is none."""
        return self.merge_base(base, head) or base

    def merged_tree(self, ours: str, theirs: str) -> str:
        """The tree of a clean merge, "" when it conflicts."""
        try:
            return self.run_once("merge-tree", "--write-tree", ours, theirs).split()[0]
        except subprocess.CalledProcessError:
            return ""

    def commit(
        self, tree: str, parents: list[str], message: str, *, author: tuple[str, str], at: str
    ) -> str:
        """A commit of a tree."""
        flags = [flag for parent in parents for flag in ("-p", parent)]
        return self.run("commit-tree", tree, *flags, text=message, author=author, at=at).strip()

    def move(self, ref: str, sha: str) -> None:
        """Set a ref; an empty sha deletes it."""
        self.run("update-ref", *(("-d", ref) if not sha else (ref, sha)))

    def commits(self, base: str, head: str) -> list[str]:
        """Commits of base..head, oldest first."""
        span = f"{base}..{head}"
        return self.run_once("rev-list", "--reverse", "--topo-order", span).split()

    def read(self, treeish: str, path: str) -> bytes | None:
        """A file's bytes, None when it is not there."""
        command = ["git", "-C", str(self.path), "cat-file", "blob", f"{treeish}:{path}"]
        done = subprocess.run(command, check=False, capture_output=True, env=git_environment())
        return done.stdout if done.returncode == 0 else None

    def write_files(
        self,
        branch: str,
        files: dict[str, str | None],
        message: str,
        *,
        author: tuple[str, str],
        at: str,
    ) -> str:
        """Commit these texts (None removes a file) on a branch; a new one starts at the default.

        `at` is in seconds since 1970.
        """
        main = self.head().removeprefix("ref: refs/heads/")
        parent = self.tip(branch) or self.tip(main)
        who = f"{author[0]} <{author[1]}> {at} +0000"
        parts = [f"commit refs/heads/{branch}\nauthor {who}\ncommitter {who}\n", _data(message)]
        parts += [f"from {parent}\n"] if parent else []
        for path, content in files.items():
            name = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            parts.append(f'D "{name}"\n' if content is None else f'M 100644 inline "{name}"\n')
            parts += [] if content is None else [_data(content)]
        self.run("fast-import", "--quiet", "--date-format=raw", text="".join(parts))
        return self.tip(branch)


def _data(text: str) -> str:
    return f"data {len(text.encode('utf-8', 'surrogateescape'))}\n{text}\n"
