"""Whether one piece of evidence checks: a quote, a removed line, a command that was run.

Whitespace is folded on both sides. A quote stands within ten lines of the line it names; a command
counts with an equal command line, exit status and end of output, at a tree this exchange is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from harness.facts.checks import Check
from harness.facts.journal import Done, JournalRow
from harness.facts.places import Diff
from harness.facts.replies import EvidenceReply
from harness.facts.sources import RanCommand, Sources

_NEAR = 10
_EXIT_NOTE = re.compile(r"\s*\[exit code \d+\]\s*$")  # an edge says it behind the output


def evidence_fault(evidence: EvidenceReply, sources: Sources) -> str:
    """Why this evidence does not check; "" when it does."""
    if evidence.kind != "command" and not evidence.text.strip():
        return f"The {_named(evidence)} has no text."
    match evidence.kind:
        case "quote":
            return _quote_fault(evidence, sources)
        case "removed":
            return _removed_fault(evidence, sources)
        case "command":
            return _command_fault(evidence, sources)


def as_text(raw: bytes) -> str | None:
    """A file as an agent was shown it, without a byte order mark; None for what is no text.

    Bytes that are no UTF-8 are U+FFFD there and here, so that the rest of the file can be quoted.
    """
    return None if b"\0" in raw else raw.decode("utf-8", "replace").removeprefix("\ufeff")


def removed_lines(diff: Diff) -> tuple[tuple[str, str], ...]:
    """(path, text) of every run of removed lines, under the old path and the new one."""
    return tuple(
        (path, run)
        for file in diff.files
        for hunk in file.hunks
        for run in _runs(hunk.lines)
        for path in dict.fromkeys(path for path in (file.old_path, file.new_path) if path)
    )


def commands_of(rows: Iterable[JournalRow]) -> tuple[RanCommand, ...]:
    """The commands that a journal has, with what they came to."""
    return tuple(
        RanCommand(
            command=row.command, exit=row.result.exit, output=row.result.output, tree=row.tree
        )
        for row in rows
        if isinstance(row, Done) and row.command and row.result.exit is not None
    )


def command_of(check: Check, tree: str) -> RanCommand:
    """A check as a command; `tree` is the git tree of its commit."""
    return RanCommand(command=check.command, exit=check.exit, output=check.tail, tree=tree)


def _quote_fault(evidence: EvidenceReply, sources: Sources) -> str:
    if evidence.path in dict(sources.documents):
        stands = fold(evidence.text) in fold(dict(sources.documents)[evidence.path])
        return "" if stands else f"The {_named(evidence)} does not stand in {evidence.path}."
    texts = [
        file.text for file in sources.texts if file.path == evidence.path and file.text is not None
    ]
    if not texts:
        return f"The {_named(evidence)}: there is no such text file."
    found = [line for text in texts for line in lines_of(text, evidence.text)]
    if any(abs(line - evidence.line) <= _NEAR for line in found):
        return ""
    if found:
        nearest = min(found, key=lambda line: abs(line - evidence.line))
        return f"The {_named(evidence)} stands at line {nearest}, not within {_NEAR} lines of it."
    return f"The {_named(evidence)} does not stand in that file."


def _removed_fault(evidence: EvidenceReply, sources: Sources) -> str:
    wanted = fold(evidence.text)
    runs = [text for path, text in sources.removed if path == evidence.path]
    if any(wanted in fold(run) for run in runs):
        return ""
    return f"The {_named(evidence)} is not among the lines that the diff removes there."


def _command_fault(evidence: EvidenceReply, sources: Sources) -> str:
    line = fold(evidence.path)
    ran = [one for one in sources.commands if line and fold(one.command) == line]
    here = [one for one in ran if one.tree in sources.trees]
    if not ran:
        return f"The {_named(evidence)} was not run."
    if not here:
        return f"The {_named(evidence)} was run at another state of the tree only."
    if not any(one.exit == evidence.line for one in here):
        return f"The {_named(evidence)} ended with exit status {here[-1].exit}."
    if not any(one.exit == evidence.line and _ends_with(one, evidence.text) for one in here):
        return f"The {_named(evidence)} printed something else in the end."
    return ""


def _ends_with(ran: RanCommand, text: str) -> bool:
    output, tail = fold(ran.output), fold(_EXIT_NOTE.sub("", text))
    return output.endswith(tail) if tail else not output


def lines_of(text: str, quote: str) -> list[int]:
    """The 1-based lines at which a quote starts in a text, whitespace folded."""
    wanted = fold(quote)
    lines = [fold(line) for line in text.split("\n")]
    starts: list[int] = []
    joined_at: list[tuple[int, int]] = []  # (offset in the folded text, line)
    offset = 0
    for number, line in enumerate(lines, start=1):
        if line:
            joined_at.append((offset, number))
            offset += len(line) + 1
    joined = " ".join(line for line in lines if line)
    at = joined.find(wanted) if wanted else -1
    while at >= 0:
        starts.append(_line_at(joined_at, at))
        at = joined.find(wanted, at + 1)
    return starts


def fold(text: str) -> str:
    """The text with every run of whitespace as one space."""
    return " ".join(text.split())


def _line_at(joined_at: Sequence[tuple[int, int]], offset: int) -> int:
    low, high = 0, len(joined_at)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if joined_at[middle][0] <= offset else (low, middle)
    return joined_at[low][1]


def _runs(lines: Sequence[tuple[str, str]]) -> list[str]:
    runs: list[list[str]] = [[]]
    for tag, text in lines:
        if tag == "-":
            runs[-1].append(text)
        elif runs[-1]:
            runs.append([])
    return ["\n".join(run) for run in runs if run]


def _named(evidence: EvidenceReply) -> str:
    match evidence.kind:
        case "quote":
            return f"quote of {evidence.path}:{evidence.line}"
        case "removed":
            return f"removed text of {evidence.path}"
        case "command":
            return f"command `{evidence.path[:120]}`"
