"""What claims are checked against: file texts, removed lines, commands that ran, what was left."""

from __future__ import annotations

from typing import Literal

from harness.facts.entries import Disposition
from harness.facts.trees import Left
from harness.facts.value import Fact

Side = Literal["head", "left"]


class Read(Fact):
    """A file that a check needs: at the exchange's head, or in the tree as it was left."""

    side: Side
    path: str


class FileText(Fact):
    """An answered read; `text` is None when the file is not there or is no text."""

    side: Side
    path: str
    text: str | None


class RanCommand(Fact):
    """A command that a journal of this item or a check has, at a git tree."""

    command: str
    exit: int
    output: str
    tree: str


class Sources(Fact):
    """Everything beside brief and reply that decides whether a claim holds.

    `removed` are (path, removed line) of the diff under review, by its old and its new path.
    `known_paths` are the paths at the head and those the diff removes, `head_paths` those at the
    head alone; None: not looked up.
    `trees` are the git trees at which a command counts: the head's, in an editing exchange also
    the one that was left. `claims` says what was claimed about each shown handle.
    `documents` are (id, text) of supplied documents: a quote may name one instead of a file.
    """

    texts: tuple[FileText, ...] = ()
    removed: tuple[tuple[str, str], ...] = ()
    commands: tuple[RanCommand, ...] = ()
    trees: tuple[str, ...] = ()
    known_paths: frozenset[str] | None = None
    head_paths: frozenset[str] | None = None
    left: Left | None = None
    claims: tuple[tuple[str, Disposition], ...] = ()
    documents: tuple[tuple[str, str], ...] = ()
