"""Diffs between objects of the mirror.

Paths, modes and kinds come from `--raw -z`, which quotes nothing; only hunks come from the patch.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from harness.edges.git.mirror import Mirror
from harness.edges.git.names import check_id, shown_path
from harness.errors import GitError
from harness.facts.places import Diff, FileDiff, Hunk
from harness.rules.hunks import parse_diff

Status = Literal["added", "deleted", "modified", "renamed", "copied", "type", "mode"]

_PLAIN = (
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--full-index",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
_SETTINGS = (("core.quotePath", "false"), ("core.bigFileThreshold", "10m"))
_STATUS: dict[str, Status] = {
    "A": "added",
    "D": "deleted",
    "M": "modified",
    "R": "renamed",
    "C": "copied",
    "T": "type",
}
_SECTION = re.compile(rb"^diff --git ", re.MULTILINE)
_BINARY = re.compile(rb"^Binary files .* differ$", re.MULTILINE)
_SUBMODULE = "160000"


class RawEntry(NamedTuple):
    """One record of `--raw -z`."""

    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    status: Status
    old_path: bytes
    new_path: bytes


def read_diff(mirror: Mirror, base: str, head: str) -> Diff:
    """The change from one commit or tree to another. Text that is no UTF-8 is read with U+FFFD."""
    out = _patch(mirror, base, head, "--raw", "-z")
    entries, patch = split_raw(out)
    sections = deque(_sections(out[patch:]))
    files = tuple(_file_of(entry, sections, base, head) for entry in entries)
    if sections:
        raise GitError(f"git shows more files between {base[:10]} and {head[:10]} than it names")
    return Diff(base=base, head=head, files=files)


def read_diff_text(mirror: Mirror, base: str, head: str) -> str:
    """The same as text for an agent."""
    return _patch(mirror, base, head).decode("utf-8", "replace")


def read_patch(mirror: Mirror, base: str, head: str) -> str:
    """The same whole, for `git apply`; bytes that are no UTF-8 stand as surrogates."""
    return _patch(mirror, base, head, "--binary").decode("utf-8", "surrogateescape")


def read_line_map(mirror: Mirror, old_blob: str, new_blob: str) -> Diff:
    """The hunks between two blobs, blanks ignored; no file in it when nothing else differs."""
    flags = ("-U0", "-w", "--ignore-blank-lines")
    ids = (check_id(old_blob), check_id(new_blob))
    out = mirror.run_once("diff", *_PLAIN, *flags, *ids, settings=_SETTINGS).out
    return parse_diff(out.decode("utf-8", "replace"), old_blob, new_blob)


def split_raw(out: bytes) -> tuple[list[RawEntry], int]:
    """The records at the start of `--raw -z` output, and where they end."""
    entries: list[RawEntry] = []
    at = 0
    while out[at : at + 1] == b":":
        about, at = _field(out, at)
        first, at = _field(out, at)
        old_mode, new_mode, old_blob, new_blob, letter = about[1:].decode("ascii").split()
        second, at = _field(out, at) if letter[0] in "RC" else (first, at)
        status = _STATUS[letter[0]]
        if status == "modified" and old_blob == new_blob:
            status = "mode"
        entries.append(RawEntry(old_mode, new_mode, old_blob, new_blob, status, first, second))
    return entries, at + (out[at : at + 1] == b"\0")


def _patch(mirror: Mirror, base: str, head: str, *flags: str) -> bytes:
    ids = (check_id(base), check_id(head))
    return mirror.run_once(
        "diff-tree",
        "-r",
        "-p",
        "-M",
        "-U3",
        *flags,
        *_PLAIN,
        "--submodule=short",
        *ids,
        settings=_SETTINGS,
    ).out


def _field(out: bytes, at: int) -> tuple[bytes, int]:
    end = out.index(b"\0", at)
    return out[at:end], end + 1


def _sections(patch: bytes) -> Iterator[bytes]:
    """The part of each file; a line of content starts with a sign, so none is mistaken for one."""
    starts = [hit.start() for hit in _SECTION.finditer(patch)]
    for start, end in pairwise([*starts, len(patch)]):
        yield patch[start:end]


def _file_of(entry: RawEntry, sections: deque[bytes], base: str, head: str) -> FileDiff:
    """Take the entry's sections from the front: a change of type is shown as two."""
    count = 2 if entry.status == "type" else 1
    if len(sections) < count:
        raise GitError(f"git shows fewer files between {base[:10]} and {head[:10]} than it names")
    mine = [sections.popleft() for _ in range(count)]
    binary = any(_BINARY.search(section) for section in mine)
    submodule = _SUBMODULE in {entry.old_mode, entry.new_mode}
    return FileDiff(
        old_path="" if entry.status == "added" else shown_path(entry.old_path),
        new_path="" if entry.status == "deleted" else shown_path(entry.new_path),
        status=entry.status,
        old_mode=entry.old_mode,
        new_mode=entry.new_mode,
        binary=binary,
        submodule=submodule,
        shown=not binary and not submodule,
        undecodable=not binary and not all(map(_is_text, mine)),
        hunks=tuple(hunk for section in mine for hunk in _hunks(section, base, head)),
    )


def _hunks(section: bytes, base: str, head: str) -> tuple[Hunk, ...]:
    parsed = parse_diff(section.decode("utf-8", "replace"), base, head)
    return tuple(hunk for file in parsed.files for hunk in file.hunks)


def _is_text(section: bytes) -> bool:
    """Whether the content is UTF-8; the names in its header need not be."""
    try:
        section[section.find(b"\n@@ ") :].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
