"""Commits, trees and blobs of the mirror, read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from harness.edges.git.mirror import Mirror
from harness.edges.git.names import check_id, shown_path, spellings
from harness.facts.trees import CommitInfo

_HEADER = re.compile(rb"([0-9a-f]{40,64}) (\w+) (\d+)\n")
_LOG_FORMAT = "%H%x00%P%x00%an <%ae>%x00%ct%x00%s"


def has_commit(mirror: Mirror, sha: str) -> bool:
    """Whether the commit is here."""
    return mirror.run("cat-file", "-e", f"{check_id(sha)}^{{commit}}", ok=(0, 1, 128)).code == 0


def tree_id(mirror: Mirror, commit: str) -> str:
    """The tree of a commit."""
    ended = mirror.run("rev-parse", "--verify", f"{check_id(commit)}^{{tree}}")
    return ended.out.decode("ascii").strip()


def merge_base(mirror: Mirror, one: str, other: str) -> str:
    """The best common ancestor, "" when there is none."""
    ended = mirror.run("merge-base", check_id(one), check_id(other), ok=(0, 1))
    return ended.out.decode("ascii").strip()


def is_ancestor(mirror: Mirror, older: str, newer: str) -> bool:
    """Whether `newer` descends from `older` or is it."""
    ids = (check_id(older), check_id(newer))
    return mirror.run("merge-base", "--is-ancestor", *ids, ok=(0, 1)).code == 0


def first_parents(mirror: Mirror, base: str, head: str) -> tuple[CommitInfo, ...]:
    """The commits of base..head on the first-parent line, newest first; all of them for base ""."""
    span = f"{check_id(base)}..{check_id(head)}" if base else check_id(head)
    out = mirror.run(
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


def read_blobs(mirror: Mirror, wanted: Sequence[tuple[str, str]]) -> tuple[bytes | None, ...]:
    """The bytes of each (treeish, path), None where no such file is; two git commands for all.

    A symbolic link reads as its target's path; a submodule is no file.
    """
    names = [
        (n, check_id(treeish).encode() + b":" + raw)
        for n, (treeish, path) in enumerate(wanted)
        for raw in spellings(path)
    ]
    ids = _blob_ids(mirror, [name for _, name in names])
    asked = [(n, sha) for (n, _), sha in zip(names, ids, strict=True) if sha]
    found: dict[int, bytes] = {}
    if asked:
        stdin = "".join(f"{sha}\n" for _, sha in asked).encode()
        contents = split_batch(mirror.run("cat-file", "--batch", stdin=stdin).out)
        for (n, _), content in zip(asked, contents, strict=True):
            found.setdefault(n, content)
    return tuple(found.get(n) for n in range(len(wanted)))


def split_batch(out: bytes) -> Iterator[bytes]:
    """The contents in the output of `cat-file --batch` that was asked for objects that are here."""
    at = 0
    while header := _HEADER.match(out, at):
        start, size = header.end(), int(header[3])
        yield out[start : start + size]
        at = start + size + 1


def _blob_ids(mirror: Mirror, names: Sequence[bytes]) -> list[str]:
    """The id of the blob behind each `id:path`, "" where there is none.

    The id of an answer without a blob is followed by ":", never by " blob", whatever the path.
    """
    if not names:
        return []
    out = mirror.run(
        "cat-file", "--batch-check", "-z", stdin=b"".join(name + b"\0" for name in names)
    ).out
    ids = []
    for name in names:
        header = _HEADER.match(out)
        end = header.end() if header else _end_of_miss(out, name)
        ids.append(header[1].decode("ascii") if header and header[2] == b"blob" else "")
        out = out[end:]
    return ids


def _end_of_miss(out: bytes, name: bytes) -> int:
    """Where `name missing` or (git 2.46 on) `id submodule` ends: a name may hold newlines."""
    return out.index(b"\n", len(name) if out.startswith(name) else 0) + 1


def blob_id(mirror: Mirror, treeish: str, path: str) -> str:
    """The id of a file's blob, "" when there is no such file."""
    names = [check_id(treeish).encode() + b":" + raw for raw in spellings(path)]
    return next((sha for sha in _blob_ids(mirror, names) if sha), "")


def file_paths(mirror: Mirror, treeish: str) -> tuple[str, ...]:
    """All files of a commit or tree; submodules are none."""
    out = mirror.run("ls-tree", "-r", "-z", "--full-tree", check_id(treeish)).out
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
