"""What a push would bring to the forge: read commit by commit, for all of them would be there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from harness.edges.git.diffs import RawEntry, split_raw
from harness.edges.git.mirror import Mirror
from harness.edges.git.names import check_id, shown_path
from harness.edges.git.objects import split_batch
from harness.facts.leaks import Addition

_SAID = "%an <%ae>%n%cn <%ce>%n%B"
_NO_BLOB = "0"
_SUBMODULE = "160000"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class _New(NamedTuple):
    """A commit that no branch of the forge holds."""

    sha: str
    parents: tuple[str, ...]


def read_additions(mirror: Mirror, head: str) -> tuple[Addition, ...]:
    """The texts of all new commits; one that stood in a parent just so is none."""
    made: list[Addition] = []
    for commit in _new_commits(mirror, head):
        said = mirror.run_once("log", "-1", "--no-mailmap", f"--format={_SAID}", commit.sha).out
        made.append(Addition(where="the commit message or its author", text=_text(said)))
        made += _files(mirror, commit)
    return tuple(made)


def new_parents(mirror: Mirror, head: str) -> tuple[str, ...]:
    """The commits of the forge that the new ones stand on, the first-parent line's first."""
    new = _new_commits(mirror, head)
    made = {commit.sha for commit in new}
    return tuple(dict.fromkeys(one for commit in new for one in commit.parents if one not in made))


def holds_line(mirror: Mirror, treeish: str, line: str) -> bool:
    """Whether a file has this in a line; it is told by stdin, for it may be a secret."""
    if not line or "\n" in line:
        return False
    flags = ("--quiet", "--text", "--fixed-strings", "--no-textconv", "-f", "-")
    stdin = line.encode("utf-8", "surrogatepass") + b"\n"
    return mirror.run("grep", *flags, check_id(treeish), stdin=stdin, ok=(0, 1)).code == 0


def _new_commits(mirror: Mirror, head: str) -> list[_New]:
    """Oldest first."""
    span = (check_id(head), "--not", "--glob=refs/remotes/origin")
    out = mirror.run("rev-list", "--topo-order", "--reverse", "--parents", *span).out
    rows = (line.split() for line in out.decode("ascii").splitlines())
    return [_New(sha, tuple(parents)) for sha, *parents in rows]


def _files(mirror: Mirror, commit: _New) -> Iterator[Addition]:
    """The files that are as in no parent, with what they were in each."""
    sides = [_changed(mirror, parent, commit.sha) for parent in commit.parents]
    in_all = [path for path in sides[0] if all(path in side for side in sides)] if sides else []
    for path in in_all:
        new, *before = _blobs(mirror, sides[0][path].new_blob, *(s[path].old_blob for s in sides))
        yield Addition(where=shown_path(path), text=new, before=tuple(before), in_file=True)
        if not any(before):
            yield Addition(where="the name of a file", text=shown_path(path))


def _changed(mirror: Mirror, old: str, new: str) -> dict[bytes, RawEntry]:
    out = mirror.run_once(
        "diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", old, new
    ).out
    entries, _ = split_raw(out)
    return {
        entry.new_path: entry
        for entry in entries
        if entry.status != "deleted" and entry.new_mode != _SUBMODULE
    }


def _blobs(mirror: Mirror, *blobs: str) -> list[str]:
    """The texts of blobs, "" for one that is not there."""
    here = [blob for blob in blobs if blob.strip(_NO_BLOB)]
    stdin = "".join(f"{blob}\n" for blob in here).encode("ascii")
    texts = iter(split_batch(mirror.run_once("cat-file", "--batch", stdin=stdin).out))
    return [_text(next(texts)) if blob in here else "" for blob in blobs]


def _text(raw: bytes) -> str:
    """Any bytes as text in which ASCII is found: UTF-16 without its zeros, all else by bytes."""
    if raw[:2] in _UTF16:
        raw = raw[2:].replace(b"\0", b"")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
