"""What lies in a work tree that git must not meet, or would not tell of.

Git opens ignore files, attribute files and the heads of nested repositories without looking: a
pipe in such a place holds it up for ever, a link to /dev/zero fills the memory. So the tree is
walked first, by kind of entry alone; nothing is opened but small `.git` files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

NO_FILE = "is no file: a pipe, a socket or a device"
NESTED = "is a repository of its own"

_READ_BY_GIT = {".git", ".gitignore", ".gitattributes", ".gitmodules"}
_GITFILE_BYTES = 4_096


class Oddity(NamedTuple):
    """Something odd in the tree; with `blinds_git` no git command may look at it."""

    path: bytes
    why: str
    blinds_git: bool


def find_oddities(root: Path) -> tuple[Oddity, ...]:
    """Pipes, sockets, devices, nested repositories and folders that cannot be read."""
    found: list[Oddity] = []
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if path == ".git":
                        continue  # the tree's own: never read, git is told where everything is
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(path)
                    found += _judge(root, folder, entry)
        except PermissionError:
            found.append(Oddity(os.fsencode(folder), "cannot be read", blinds_git=False))
    return tuple(found)


def _judge(root: Path, folder: str, entry: os.DirEntry[str]) -> Iterator[Oddity]:
    path = os.fsencode(f"{folder}/{entry.name}" if folder else entry.name)
    in_git = ".git" in folder.split("/")
    link, plain = entry.is_symlink(), entry.is_file(follow_symlinks=False)
    if not (link or plain or entry.is_dir(follow_symlinks=False)):
        yield Oddity(path, NO_FILE, blinds_git=in_git or entry.name in _READ_BY_GIT)
    elif in_git and link:
        yield Oddity(path, "is a link in a git directory", blinds_git=True)
    elif entry.name == ".git" and not in_git:
        sane = not link and (not plain or _is_sane_gitfile(root, Path(entry.path)))
        yield Oddity(os.fsencode(f"{folder}/"), NESTED, blinds_git=not sane)


def _is_sane_gitfile(root: Path, path: Path) -> bool:
    """Whether git may follow it: to a directory inside the tree that holds plain files only."""
    with path.open("rb") as file:
        text = os.fsdecode(file.read(_GITFILE_BYTES).strip())
    if not text.startswith("gitdir: ") or "\0" in text:
        return True  # git opens nothing else because of it
    target = Path(os.path.realpath(path.parent / text.removeprefix("gitdir: ")))
    return target.is_relative_to(os.path.realpath(root)) and _is_plain(target)


def _is_plain(target: Path) -> bool:
    for folder, _, files in os.walk(target):
        places = (Path(folder, name) for name in files)
        if any(place.is_symlink() or not place.is_file() for place in places):
            return False
    return True
