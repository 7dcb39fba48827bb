"""What stands before the hunks of one file in a diff of git: its names, modes and kind."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from harness.facts.places import FileDiff, Hunk

SUBMODULE = "160000"
DEV_NULL = "/dev/null"

_PREFIX = re.compile(r"^[abciow12]/")  # a/ b/, and those of diff.mnemonicPrefix
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NAMED = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_INDEX = re.compile(r"^index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})$")


@dataclass
class Header:
    """One file while its lines are read; names "" where that side has no file."""

    old: str = ""
    new: str = ""
    git: bool = False
    old_mode: str = ""
    new_mode: str = ""
    moved: Literal["", "renamed", "copied"] = ""
    side: Literal["", "added", "deleted"] = ""
    binary: bool = False
    hunks: list[Hunk] = field(default_factory=list)

    def read(self, line: str) -> None:
        """Take in one extended header line of git; anything else says nothing."""
        if not self.git or self.hunks:
            return
        line = line.rstrip("\r")
        if match := _INDEX.match(line):
            self.old_mode = self.new_mode = match[1]
        elif line == "GIT binary patch" or _is_binary(line):
            self.binary = True
        else:
            self._read_words(line)

    def _read_words(self, line: str) -> None:
        match line.split(" ", 2):
            case ["old", "mode", mode]:
                self.old_mode = mode
            case ["new", "mode", mode]:
                self.new_mode = mode
            case ["deleted", "file", rest]:
                self.side, self.old_mode = "deleted", rest.removeprefix("mode ")
            case ["new", "file", rest]:
                self.side, self.new_mode = "added", rest.removeprefix("mode ")
            case ["rename" | "copy" as how, "from", name]:
                self.moved, self.old = "renamed" if how == "rename" else "copied", unquote(name)
            case ["rename" | "copy", "to", name]:
                self.new = unquote(name)
            case _:
                pass

    def name(self, old: str, new: str) -> None:
        """Take the names of the `---` and `+++` lines, unless git said more exactly already."""
        if self.moved:
            return
        self.old, self.new = _without_prefixes(old, new, git=self.git)
        if old == DEV_NULL:
            self.side = "added"
        if new == DEV_NULL:
            self.side = "deleted"

    def as_file(self) -> FileDiff:
        """The finished fact."""
        submodule = SUBMODULE in {self.old_mode, self.new_mode}
        return FileDiff(
            old_path="" if self.side == "added" else self.old,
            new_path="" if self.side == "deleted" else self.new,
            status=self._status(),
            old_mode=self.old_mode,
            new_mode=self.new_mode,
            binary=self.binary,
            submodule=submodule,
            shown=not self.binary and not submodule,
            hunks=tuple(self.hunks),
        )

    def _status(
        self,
    ) -> Literal["added", "deleted", "modified", "renamed", "copied", "type", "mode"]:
        if self.side:
            return self.side
        if self.moved:
            return self.moved
        if self.old_mode[:3] != self.new_mode[:3]:
            return "type"
        if self.old_mode != self.new_mode and not self.hunks and not self.binary:
            return "mode"
        return "modified"


def git_names(rest: str) -> tuple[str, str]:
    """The two names of a `diff --git` line; a blank in a name does not confuse it.

    Git leaves blanks unquoted there, but where the names differ (a rename) it says them again.
    """
    if quoted := _QUOTED.match(rest):
        return _strip(unquote(quoted[0])), _strip(unquote(rest[quoted.end() + 1 :]))
    if rest.endswith('"') and (second := rest.find(' "')) >= 0:
        return _strip(rest[:second]), _strip(unquote(rest[second + 1 :]))
    middle = len(rest) // 2
    if rest[middle : middle + 1] == " " and _strip(rest[:middle]) == _strip(rest[middle + 1 :]):
        return _strip(rest[:middle]), _strip(rest[middle + 1 :])
    old, _, new = rest.partition(" b/")
    return _strip(old), new or _strip(old)


def plain_name(text: str) -> str:
    """The name in a `---` or `+++` line, without what follows it after a tab (blanks, a date)."""
    if quoted := _QUOTED.match(text):
        return unquote(quoted[0])
    return text.split("\t", 1)[0].rstrip("\r")


def unquote(name: str) -> str:
    """A path as git names it; in quotes it is C-escaped UTF-8 (git-config, core.quotePath)."""
    if not (len(name) > 1 and name.startswith('"') and name.endswith('"')):
        return name
    raw = b""
    at = 1
    for match in _ESCAPE.finditer(name, 1, len(name) - 1):
        raw += name[at : match.start()].encode() + _byte(match[1])
        at = match.end()
    return (raw + name[at:-1].encode()).decode("utf-8", "backslashreplace")


def _byte(escape: str) -> bytes:
    if escape.isdigit():
        return bytes([int(escape, 8) & 0xFF])
    return bytes([_NAMED[escape]]) if escape in _NAMED else escape.encode()


def _without_prefixes(old: str, new: str, *, git: bool) -> tuple[str, str]:
    both = [name for name in (old, new) if name != DEV_NULL]
    if git or all(_PREFIX.match(name) for name in both):
        old, new = _strip(old), _strip(new)
    return ("" if old == DEV_NULL else old), ("" if new == DEV_NULL else new)


def _strip(name: str) -> str:
    return _PREFIX.sub("", name)


def _is_binary(line: str) -> bool:
    return line.startswith("Binary files ") and line.endswith(" differ")
