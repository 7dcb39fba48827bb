"""What `git status` tells of a work tree, and which attributes its base gives to a path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from harness.edges.git.names import shown_path
from harness.edges.git.objects import split_batch

Change = Literal["added", "modified", "deleted", "renamed", "type"]
Attributes = dict[bytes, dict[str, str]]
Run = Callable[..., bytes]

SUBMODULE = "160000"

_CHANGES: dict[str, Change] = {"M": "modified", "D": "deleted", "T": "type", "A": "added"}
_ATTRIBUTES = ("filter", "text", "eol", "ident", "working-tree-encoding")
_UNSET = {"unspecified", "unset"}


class Touched(NamedTuple):
    """A path that differs from the index; `blob` is "" for one that git does not know."""

    path: bytes
    change: Change
    mode: str = ""
    blob: str = ""


def read_touched(git: Run) -> list[Touched]:
    """Everything an agent touched and nothing ignores.

    Never looks into a submodule: git would run there, with the settings an agent wrote.
    """
    flags = ("--porcelain=v2", "-z", "--untracked-files=all", "--no-renames")
    out = git("status", *flags, "--ignore-submodules=dirty")
    return [one for record in out.split(b"\0") if (one := _read_record(record))]


def read_attributes(git: Run, touched: Sequence[Touched]) -> Attributes:
    """The attributes that the base gives these paths; what an agent wrote has no say."""
    paths = b"".join(one.path + b"\0" for one in touched if one.change != "deleted")
    fields = git("check-attr", "--cached", "-z", "--stdin", *_ATTRIBUTES, stdin=paths).split(b"\0")
    told: Attributes = {}
    for path, name, value in zip(fields[0::3], fields[1::3], fields[2::3], strict=False):
        told.setdefault(path, {})[shown_path(name)] = shown_path(value)
    return told


def filtered(attributes: Attributes) -> dict[bytes, str]:
    """Paths that a filter would have to clean: without the filter a raw file would be stored."""
    return {
        path: f"goes through the filter {values['filter']}"
        for path, values in attributes.items()
        if values["filter"] not in _UNSET
    }


def stored_with_cr(git: Run, touched: Sequence[Touched], attributes: Attributes) -> list[bytes]:
    """Files stored with CRLF whose attributes ask for LF: cleaning would change every line."""
    asked = [
        one
        for one in touched
        if one.change == "modified" and _is_cleaned_only(attributes.get(one.path, {}))
    ]
    if not asked:
        return []
    stdin = "".join(f"{one.blob}\n" for one in asked).encode("ascii")
    blobs = split_batch(git("cat-file", "--batch", stdin=stdin))
    return [one.path for one, blob in zip(asked, blobs, strict=True) if b"\r\n" in blob]


def _read_record(record: bytes) -> Touched | None:
    """A record of porcelain v2: `1 XY sub mH mI mW hH hI path` or `? path`.

    X says how the index differs from a head that an agent may have moved: Y says all.
    """
    if record.startswith(b"? "):
        return Touched(record[2:], "added")
    if not record.startswith(b"1 "):
        return None
    _, xy, _, _, mode, _, _, blob, path = record.split(b" ", 8)
    letter = xy[1:].decode("ascii")
    if letter == ".":
        return None
    return Touched(path, _CHANGES[letter], mode.decode("ascii"), blob.decode("ascii"))


def _is_cleaned_only(values: dict[str, str]) -> bool:
    """Whether git checks the file out as it is stored, but stores it with LF only."""
    if not values or values["ident"] == "set" or values["working-tree-encoding"] not in _UNSET:
        return False
    return values["eol"] != "crlf" and (values["text"] == "set" or values["eol"] == "lf")
