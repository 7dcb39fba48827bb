"""Title and body of a pull request, from what the implementer reported and what is known of it."""

from __future__ import annotations

import re
from collections.abc import Collection

from harness.facts.checks import Check
from harness.facts.replies import ImplementationReply
from harness.words.check_result import check_sentence
from harness.words.passages import bullets, paragraphs, said, section, shorten

TITLE = 100
NOT_RUN = "(not run: there is no record of it)"

_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_TOOL = re.compile(
    r"(?:\$ |\./|[A-Z_]+=\S+ )|"
    r"(?:bash|bundle|cargo|cd|cmake|composer|ctest|deno|docker|dotnet|go|gradle|gradlew|jest|just|"
    r"make|mvn|mypy|nox|npm|npx|php|phpunit|pip|pnpm|poetry|pre-commit|pytest|python3?|rake|ruby|"
    r"ruff|rspec|sbt|sh|swift|tox|tsc|uv|vitest|yarn|zig)(?=\s|$)"
)


def pull_title(reply: ImplementationReply, issue_title: str) -> str:
    """What the pull request does, in one line; the issue's title where nothing was said."""
    line = " ".join((reply.summary.strip() or issue_title).split())
    return shorten(line.rstrip("."), TITLE)


def pull_body(
    reply: ImplementationReply,
    *,
    item: int,
    closes: bool,
    ran: Collection[str],
    check: Check | None,
) -> str:
    """The body; `ran` are the command lines that the journal of this item knows.

    A command that is not among them is marked, not left out: the claim was made.
    """
    tested = [marked(line, ran) for line in reply.testing]
    return paragraphs(
        said(reply.problem),
        section("Changes", bullets(reply.changes)),
        section("Testing", bullets([*tested, check_sentence(check) if check else ""])),
        section("Notes", said(reply.notes) if reply.notes.strip() else ""),
        f"{'Closes' if closes else 'Refs'} #{item}",
    )


def marked(line: str, ran: Collection[str]) -> str:
    """A line on testing, marked where it names a command that was never run."""
    commands = [span for span in _SPAN.findall(line) if _is_command(span)]
    if not commands and _is_command(line.strip()):
        commands = [line]
    unknown = [command for command in commands if not _was_run(command, ran)]
    return f"{line.rstrip()} {NOT_RUN}" if unknown else line


def _is_command(text: str) -> bool:
    return _TOOL.match(text.strip()) is not None


def _was_run(command: str, ran: Collection[str]) -> bool:
    """Whether it is a whole command line that was run, or one of several joined in a line."""
    wanted = _folded(command)
    return any(
        wanted in {_folded(part) for part in (line, *re.split(r"&&|\|\||[;|\n]", line))}
        for line in ran
    )


def _folded(command: str) -> str:
    return " ".join(command.strip().strip("`").removeprefix("$ ").split())
