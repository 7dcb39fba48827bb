"""A real bare git repository: what the rehearsal forge asks of git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

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

    @classmethod
    def make(cls, path: Path, default_branch: str) -> Bare:
        """A new, empty one that lets pushes in over HTTP."""
        path.parent.mkdir(parents=True, exist_ok=True)
        made = cls(path)
        command = ["git", "init", "--bare", "-q", "-b", default_branch, str(path)]
        subprocess.run(command, check=True, env=git_environment(), capture_output=True)
        for key, value in (
            ("http.receivepack", "true"),
            ("uploadpack.allowAnySHA1InWant", "true"),
            ("transfer.hideRefs", "refs/rehearsal"),
            ("gc.auto", "0"),
        ):
            made.run("config", key, value)
        return made

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
        return self.succeeds("cat-file", "-e", f"{sha}^{{commit}}")

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether `older` is an ancestor of `newer` (or the same)."""
        return self.succeeds("merge-base", "--is-ancestor", older, newer)

    def merge_base(self, one: str, other: str) -> str:
        """The best common ancestor, "" when there is none."""
        try:
            return self.run("merge-base", one, other).strip()
        except subprocess.CalledProcessError:
            return ""

    def merged_tree(self, ours: str, theirs: str) -> str:
        """The tree of a clean merge, "" when it conflicts."""
        try:
            return self.run("merge-tree", "--write-tree", ours, theirs).split()[0]
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
        return self.run("rev-list", "--reverse", "--topo-order", f"{base}..{head}").split()

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
        """Commit these texts (None removes a file) on a branch; a new one starts at the default."""
        main = (self.path / "HEAD").read_text().strip().removeprefix("ref: refs/heads/")
        parent = self.tip(branch) or self.tip(main)
        index = self.path / "rehearsal-index"
        index.unlink(missing_ok=True)
        lines = []
        for path, content in files.items():
            if content is None:
                lines.append(f"0 {'0' * 40}\t{path}\n")
            else:
                blob = self.run("hash-object", "-w", "--stdin", text=content).strip()
                lines.append(f"100644 {blob}\t{path}\n")
        environment = git_environment() | {"GIT_INDEX_FILE": str(index)}
        steps = [["update-index", "--index-info"], ["write-tree"]]
        if parent:
            steps.insert(0, ["read-tree", parent])
        out = b""
        for step in steps:
            given = "".join(lines).encode() if step[0] == "update-index" else None
            out = subprocess.run(
                ["git", "-C", str(self.path), *step],
                check=True,
                capture_output=True,
                env=environment,
                input=given,
            ).stdout
        tree = out.decode().strip()
        sha = self.commit(tree, [parent] if parent else [], message, author=author, at=at)
        self.move(f"refs/heads/{branch}", sha)
        return sha
