r"""Names that cross the door: paths as people see them, commit ids, branches, work trees.

A path is bytes to git and text to us. Bytes that are no UTF-8 are shown as `\xe9`, because facts
are stored as JSON; the exact spelling is tried first when such a text comes back.
"""

from __future__ import annotations

import os
import re

from harness.errors import GitError

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_TREE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}")
_NO_BRANCH = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(?:/|$)|^[/.-]|[/.]$|^@$")
_ESCAPED = re.compile(rb"\\x([89a-f][0-9a-f])")


def shown_path(raw: bytes) -> str:
    """A path as text that any encoder takes."""
    return raw.decode("utf-8", "backslashreplace")


def spellings(path: str) -> tuple[bytes, ...]:
    """The paths a text may stand for, the exact one first; none when it leaves the tree."""
    if "\0" in path or any(part in {"", ".", ".."} for part in path.split("/")):
        return ()
    exact = os.fsencode(path)
    raw = _ESCAPED.sub(lambda hit: bytes([int(hit[1], 16)]), exact)
    return (exact,) if raw == exact else (exact, raw)


def check_id(sha: str) -> str:
    """The id itself; GitError unless it is a whole object id."""
    if not _ID.fullmatch(sha):
        raise GitError(f"{sha[:80]!r} is not a whole object id")
    return sha


def is_branch(name: str) -> bool:
    """Whether git takes it as a branch name (the rules of git-check-ref-format)."""
    return bool(name) and not _NO_BRANCH.search(name)


def check_branch(name: str) -> str:
    """The branch name itself; GitError when git would not take it."""
    if not is_branch(name):
        raise GitError(f"{name[:80]!r} is not a branch name")
    return name


def check_tree_name(name: str) -> str:
    """The name itself; GitError unless it can be a directory and git's own name of the tree."""
    if not _TREE_NAME.fullmatch(name) or name.endswith((".", ".lock")) or ".." in name:
        raise GitError(f"{name[:80]!r} cannot name a work tree")
    return name
