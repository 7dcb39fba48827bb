"""Commits, trees and blobs of the mirror, read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from harness.edges.git.command import Ended
from harness.edges.git.mirror import Mirror
from harness.edges.git.names import check_id, shown_path, spellings
from harness.facts.trees import CommitInfo

_HEADER = re.compile(rb"([0-9a-f]{40,64}) (\w+) (\d+)\n")
_LOG_FORMAT = "%H%x00%P%x00%an <%ae>%x00%ct%x00%s"


def has_commit(mirror: Mirror, sha: str) -> bool:
    """Whether the commit is here."""
    return _has(mirror, sha, "commit")


def has_tree(mirror: Mirror, sha: str) -> bool:
    """Whether the tree is here."""
    return _has(mirror, sha, "tree")


def _has(mirror: Mirror, sha: str, kind: str) -> bool:
    asked = ("cat-file", "-e", f"{check_id(sha)}^{{{kind}}}")
    return mirror.run_once(*asked, ok=(0, 1, 128), lasts=lambda ended: ended.code == 0).code == 0


def tree_id(mirror: Mirror, commit: str) -> str:
    """The tree of a commit."""
    ended = mirror.run_once("rev-parse", "--verify", f"{check_id(commit)}^{{tree}}")
    return ended.out.decode("ascii").strip()


def merge_base(mirror: Mirror, one: str, other: str) -> str:
    """The best common ancestor, "" when there is none."""
    ended = mirror.run_once("merge-base", check_id(one), check_id(other), ok=(0, 1))
    return ended.out.decode("ascii").strip()


def is_ancestor(mirror: Mirror, older: str, newer: str) -> bool:
    """Whether `newer` descends from `older` or is it."""
    ids = (check_id(older), check_id(newer))
    return mirror.run_once("merge-base", "--is-ancestor", *ids, ok=(0, 1)).code == 0


def first_parents(mirror: Mirror, base: str, head: str) -> tuple[CommitInfo, ...]:
    """The commits of base..head on the first-parent line, newest first; all of them for base ""."""
    span = f"{check_id(base)}..{check_id(head)}" if base else check_id(head)
    out = mirror.run_once(
        "log",
        "--first-parent",
        "-z",
        "--no-mailmap",
        "--encoding=UTF-8",
        f"--format={_LOG_FORMAT}",
        span,
    ).out
    fields = out.decode("utf-8", "replace").split("\0")
    return tuple(_read_commit(fields[n : n + 5]) for n in range(0, len(fields) - 4, 5))


def _read_commit(fields: Sequence[str]) -> CommitInfo:
    sha, parents, author, seconds, subject = fields
    return CommitInfo(
        sha=sha,
        parents=tuple(parents.split()),
        subject=subject,
        author=author,
        at=datetime.fromtimestamp(int(seconds), UTC),
    )


def read_blob(mirror: Mirror, treeish: str, path: str) -> bytes | None:
    """A file's bytes, None when no such file is there.

    A symbolic link reads as its target's path; a submodule is no file.
    """
    for raw in spellings(path):
        out = _ask(mirror, "--batch", treeish, raw)
        header = _HEADER.match(out)
        if header and header[2] == b"blob":
            return out[header.end() : header.end() + int(header[3])]
    return None


def blob_id(mirror: Mirror, treeish: str, path: str) -> str:
    """The id of a file's blob, "" when there is no such file."""
    for raw in spellings(path):
        header = _HEADER.match(_ask(mirror, "--batch-check", treeish, raw))
        if header and header[2] == b"blob":
            return header[1].decode("ascii")
    return ""


def _ask(mirror: Mirror, how: str, treeish: str, raw: bytes) -> bytes:
    """The id in an answer without an object is followed by ":", whatever the path says."""
    stdin = check_id(treeish).encode("ascii") + b":" + raw + b"\0"

    def lasts(ended: Ended) -> bool:
        return _HEADER.match(ended.out) is not None or has_commit(mirror, treeish)

    return mirror.run_once("cat-file", how, "-z", stdin=stdin, lasts=lasts).out


def split_batch(out: bytes) -> Iterator[bytes]:
    """The contents in the output of `cat-file --batch` that was asked for objects that are here."""
    at = 0
    while header := _HEADER.match(out, at):
        start, size = header.end(), int(header[3])
        yield out[start : start + size]
        at = start + size + 1


def file_paths(mirror: Mirror, treeish: str) -> tuple[str, ...]:
    """All files of a commit or tree; submodules are none."""
    out = mirror.run_once("ls-tree", "-r", "-z", "--full-tree", check_id(treeish)).out
    rows = (row.partition(b"\t") for row in out.split(b"\0") if row)
    return tuple(shown_path(path) for about, _, path in rows if b" blob " in about)


def merge_trees(mirror: Mirror, ours: str, theirs: str) -> tuple[str, tuple[str, ...]]:
    """Merge two commits without a work tree: (tree id, paths in conflict).

    The tree of a conflict holds the files with conflict markers. Raises GitError when the two have
    no common history.
    """
    ended = mirror.run(
        "merge-tree",
        "--write-tree",
        "-z",
        "--name-only",
        "--no-messages",
        check_id(ours),
        check_id(theirs),
        ok=(0, 1),
    )
    tree, *paths = ended.out.rstrip(b"\0").split(b"\0")
    return tree.decode("ascii"), tuple(shown_path(path) for path in paths if path)
