"""What a scripted model says: a pure function of the question, so that a repeated ask is repeated.

    Tale(
        on("implement demo/shop#1 *", say(shell("pytest -q")), say(reply({...})), model="gpt-*"),
        on("review *#1 round 1", reply({...})),
    )

Each turn of a conversation takes the next line of the first chapter whose headline and model fit.
What is said is in no vendor's words: an edit is Claude's str_replace or GPT's apply_patch, and a
reply is a tool call where the tool is offered and plain text where it is not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import EllipsisType
from typing import Any, Protocol

from harness.facts.turns import Provider
from harness.rehearsal.models.faults import Fault

HEADLINE = "exchange: "


@dataclass(frozen=True)
class Question:
    """What a script may look at."""

    provider: Provider
    model: str
    headline: str  # the first line of the brief, after "exchange: "
    turn: int  # assistant turns so far
    brief: str
    last: str  # the last thing said to the model: the brief, results, a complaint
    heard: tuple[str, ...] = ()  # what was said to it after each of its turns

    @property
    def kind(self) -> str:
        """The exchange's kind, as the headline names it."""
        return self.headline.split(" ", 1)[0]


@dataclass(frozen=True)
class Act:
    """One thing in a turn: words, a thought, or a use of a tool, its arguments as JSON text."""

    kind: str  # text, think, shell, view, create, edit, insert, patch, remove, restart, use, reply
    arguments: dict[str, Any]  # Any: what the tool takes, written down as JSON
    raw: str = ""  # the reply, as text


@dataclass(frozen=True)
class Counted:
    """Token counts that a turn claims instead of the double's own estimate."""

    input: int
    cache_read: int
    cache_write: int
    output: int


@dataclass(frozen=True)
class Said:
    """One turn of a scripted model."""

    acts: tuple[Act, ...]
    counted: Counted | None = None


class Unscripted(Exception):  # noqa: N818 - it names what happened, not that it is an error
    """The script has nothing to say to this question."""


class Script(Protocol):
    """What a scripted model says; the same answer to the same question, always."""

    def __call__(self, question: Question, /) -> Said | Fault:
        """Raises Unscripted when there is no answer."""
        ...


Line = Said | Act | Fault | Callable[[Question], "Said | Act | Fault"]


@dataclass(frozen=True)
class Chapter:
    """What the models that fit say, turn by turn, to the briefs that fit (both are globs)."""

    headline: str
    lines: tuple[Line, ...]
    model: str
    repeats: bool  # the last line is said again and again

    def fits(self, question: Question) -> bool:
        """Whether it is about this exchange and told by this model."""
        return fnmatchcase(question.headline, self.headline) and fnmatchcase(
            question.model, self.model
        )

    def line(self, turn: int) -> Line | None:
        """What is said in this turn."""
        if turn < len(self.lines):
            return self.lines[turn]
        return self.lines[-1] if self.repeats else None


class Tale:
    """A script as a table; the first chapter that fits tells."""

    def __init__(self, *chapters: Chapter) -> None:
        self._chapters = chapters

    def __call__(self, question: Question) -> Said | Fault:
        """The line of this turn."""
        chapter = next((one for one in self._chapters if one.fits(question)), None)
        if chapter is None or not (line := chapter.line(question.turn)):
            raise Unscripted(
                f"the script has no turn {question.turn + 1} of {question.model} for"
                f" '{question.headline}'"
            )
        told = line(question) if callable(line) else line
        return Said((told,)) if isinstance(told, Act) else told


def check_offered(act: Act, *, offered: bool) -> None:
    """A model cannot use tools where none are offered: Unscripted then."""
    if not offered and act.kind not in {"text", "think", "reply"}:
        raise Unscripted(f"the script uses a tool ({act.kind}) where none is offered")


def on(headline: str, *lines: Line | EllipsisType, model: str = "*") -> Chapter:
    """A chapter: globs over the headline ("review *#12 round 1") and the model.

    `...` at the end: the line before it is said again and again.
    """
    told = tuple(line for line in lines if not isinstance(line, EllipsisType))
    return Chapter(headline, told, model, repeats=len(told) < len(lines))


def say(*acts: Act | str, counted: Counted | None = None) -> Said:
    """One turn of several acts; a string is plain text."""
    told = (Act("text", {"text": act}) if isinstance(act, str) else act for act in acts)
    return Said(tuple(told), counted)


def think(text: str) -> Act:
    """A thought; a turn without one gets one by itself."""
    return Act("think", {"text": text})


def shell(*commands: str, timeout_seconds: int = 0) -> Act:
    """Run commands: one call with all of them where the vendor has that, else one call each."""
    return Act("shell", {"commands": list(commands), "timeout_seconds": timeout_seconds})


def restart() -> Act:
    """Restart the shell (Anthropic only)."""
    return Act("restart", {})


def view(path: str, start_line: int = 0, end_line: int = 0) -> Act:
    """Look at a file."""
    return Act("view", {"path": path, "start_line": start_line, "end_line": end_line})


def create(path: str, text: str) -> Act:
    """Write a whole file."""
    return Act("create", {"path": path, "text": text})


def edit(path: str, old: str, new: str) -> Act:
    """Replace whole lines."""
    return Act("edit", {"path": path, "old": old, "new": new})


def insert(path: str, after_line: int, text: str) -> Act:
    """Insert lines (Anthropic only)."""
    return Act("insert", {"path": path, "after_line": after_line, "text": text})


def patch(path: str, diff: str) -> Act:
    """Apply a V4A diff (OpenAI only)."""
    return Act("patch", {"path": path, "diff": diff})


def remove(path: str) -> Act:
    """Delete a file."""
    return Act("remove", {"path": path})


def use(name: str, arguments: dict[str, Any]) -> Act:  # Any: JSON of a tool nobody offered
    """Call a tool by the vendor's name for it, offered or not."""
    return Act("use", {"name": name, "arguments": arguments})


def reply(value: dict[str, Any]) -> Act:  # Any: JSON of the reply
    """Answer."""
    return reply_raw(json.dumps(value, ensure_ascii=False))


def reply_raw(text: str) -> Act:
    """Answer with this very text, valid or not."""
    return Act("reply", {}, text)
