"""Where something stands: places, anchors and line maps of a diff."""

from __future__ import annotations

from typing import Literal

from harness.facts.value import Fact


class Place(Fact):
    """Lines of a file, 1-based and inclusive; file "" and lines 0 say "in general"."""

    file: str
    start_line: int
    end_line: int


class Anchor(Fact):
    """Core lines without margin, with the commit they were read at and their text."""

    file: str
    start_line: int
    end_line: int
    commit: str
    text: str


class Hunk(Fact):
    """One hunk of a unified diff; `lines` are (tag, text) with tag " ", "+" or "-"."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[tuple[Literal[" ", "+", "-"], str], ...]


class FileDiff(Fact):
    """What a diff says of one file; `shown` is False when its content is not there.

    `undecodable`: what is shown of it is not UTF-8, so that some characters stand as U+FFFD.
    """

    old_path: str  # "" when added
    new_path: str  # "" when deleted
    status: Literal["added", "deleted", "modified", "renamed", "copied", "type", "mode"]
    old_mode: str
    new_mode: str
    binary: bool
    submodule: bool
    shown: bool
    undecodable: bool = False
    hunks: tuple[Hunk, ...]

    @property
    def path(self) -> str:
        """The path people know the file by now."""
        return self.new_path or self.old_path


class Diff(Fact):
    """All files of a change between two commits."""

    base: str
    head: str
    files: tuple[FileDiff, ...]
