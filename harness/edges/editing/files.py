"""Files of a work tree, from inside the sandbox: which may be touched, and their text.

Sent into the workbench as source, so it imports nothing but the standard library and its siblings.
"""

from __future__ import annotations

import os
import stat

BIGGEST = 20_000_000  # bytes of a file that is viewed or edited here


class Refused(Exception):  # noqa: N818 - an answer, not an error
    """Why nothing was done."""


def find_inside(given: str) -> str:
    """The real path of `given`, links followed; refused where that leads out of the work tree."""
    path = join_root(given)
    check_inside(path, given)
    real = os.path.realpath(path)
    check_inside(real, given)
    return real


def find_link_inside(given: str) -> str:
    """As `find_inside`, but a link at the end is not followed: it may lead anywhere."""
    folder, name = os.path.split(join_root(given).rstrip("/"))
    real = os.path.join(find_inside(folder), name)
    check_inside(real, given)
    if not os.path.lexists(real):
        raise Refused(f"{given} does not exist")
    return real


def join_root(given: str) -> str:
    """The path as named, `..` taken by its letters."""
    if not given or "\0" in given:
        raise Refused("that is no path")
    return os.path.normpath(os.path.join(os.path.realpath("."), given))


def check_inside(path: str, given: str) -> None:
    """Refuse what is outside of the work tree, or git's own."""
    root = os.path.realpath(".")
    parts = os.path.relpath(path, root).split(os.sep)
    if parts[0] == "..":
        raise Refused(f"{given} is outside of the work tree {root}")
    if ".git" in (part.lower() for part in parts):
        raise Refused(f"{given} belongs to git, not to the work tree")


def read_text(path: str, given: str) -> str:
    """The file with its bytes kept: what is no UTF-8 becomes lone surrogates."""
    if not os.path.lexists(path):
        raise Refused(f"{given} does not exist")
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        raise Refused(f"{given} is no regular file")
    if found.st_size > BIGGEST:
        raise Refused(f"{given} has {found.st_size} bytes, that is too much here; use the shell")
    with open(path, "rb") as file:
        content = file.read()
    if b"\0" in content:
        raise Refused(f"{given} holds NUL bytes: it is no text in UTF-8")
    return content.decode("utf-8", "surrogateescape")


def write_text(path: str, text: str) -> None:
    """Write in place, so that mode and hard links stay.

    The new content goes over the old one: emptied first, the file would be lost by a kill.
    """
    content = text.encode("utf-8", "surrogateescape")
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o666), "wb") as file:
        file.write(content)
        file.truncate()


def make_folder(folder: str, given: str) -> None:
    """Make the folders that a new file needs."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Refused(f"no folder for {given}: {error.strerror}") from None
