from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from harness.facts.checks import Check
from harness.facts.journal import Done, Nudged
from harness.facts.places import Diff, FileDiff, Hunk
from harness.facts.replies import EvidenceReply
from harness.facts.sources import FileText, RanCommand, Sources
from harness.facts.turns import CallResult
from harness.rules.proof import (
    as_text,
    command_of,
    commands_of,
    evidence_fault,
    lines_of,
    removed_lines,
)

NOW = datetime(2026, 11, 30, tzinfo=UTC)
CODE = "\n".join(
    ["def mean(values):", "    total = sum(values)", "", "    return  total / len(values)"]
    + [f"x{n} = {n}" for n in range(30)]
)
SOURCES = Sources(
    texts=(
        FileText(side="head", path="a.py", text=CODE),
        FileText(side="left", path="a.py", text="def mean(values):\n    return 0\n"),
        FileText(side="head", path="logo.png", text=None),
    ),
    removed=(("a.py", "    if not values:\n        return 0"), ("old.py", "gone = True")),
    commands=(
        RanCommand(command="pytest -q", exit=1, output="..F\n1 failed in 0.1s", tree="t1"),
        RanCommand(command="pytest -q", exit=0, output="3 passed", tree="t0"),
        RanCommand(command="true", exit=0, output="", tree="t1"),
    ),
    trees=("t1",),
    documents=(("D1", "Every mean of nothing\nmust be None."),),
)


def proof(kind: str, path: str, line: int, text: str) -> EvidenceReply:
    return EvidenceReply.model_validate({"kind": kind, "path": path, "line": line, "text": text})


@pytest.mark.parametrize(
    ("kind", "path", "line", "text"),
    [
        pytest.param("quote", "a.py", 4, "return total / len(values)", id="blanks folded"),
        pytest.param("quote", "a.py", 14, "return total / len(values)", id="ten lines away"),
        pytest.param(
            "quote", "a.py", 2, "total = sum(values)\nreturn total / len(values)", id="two lines"
        ),
        pytest.param(
            "quote", "a.py", 2, "total = sum(values)\r\n\r\n return", id="CRLF, blank line"
        ),
        pytest.param("quote", "a.py", 2, "return 0", id="as left in the tree"),
        pytest.param("quote", "D1", 0, "mean of nothing must be None.", id="a document"),
        pytest.param("removed", "a.py", 0, "if not values:\n    return 0", id="removed lines"),
        pytest.param("removed", "old.py", 0, "gone = True", id="from a deleted file"),
        pytest.param("command", "pytest  -q", 1, "1 failed in 0.1s", id="a command's end"),
        pytest.param("command", "true", 0, "", id="a silent command"),
        pytest.param(
            "command", "pytest -q", 1, "1 failed in 0.1s\n[exit code 1]", id="with its exit note"
        ),
    ],
)
def test_evidence_that_is_there_checks(kind: str, path: str, line: int, text: str) -> None:
    assert evidence_fault(proof(kind, path, line, text), SOURCES) == ""


@pytest.mark.parametrize(
    ("kind", "path", "line", "text", "fault"),
    [
        pytest.param(
            "quote",
            "a.py",
            4,
            "return total // len(values)",
            "The quote of a.py:4 does not stand in that file.",
            id="nowhere",
        ),
        pytest.param(
            "quote",
            "a.py",
            15,
            "return total / len(values)",
            "The quote of a.py:15 stands at line 4, not within 10 lines of it.",
            id="too far away",
        ),
        pytest.param(
            "quote",
            "b.py",
            4,
            "return total",
            "The quote of b.py:4: there is no such text file.",
            id="no such file",
        ),
        pytest.param(
            "quote",
            "logo.png",
            1,
            "PNG",
            "The quote of logo.png:1: there is no such text file.",
            id="no text",
        ),
        pytest.param("quote", "a.py", 4, " \n", "The quote of a.py:4 has no text.", id="empty"),
        pytest.param(
            "quote",
            "D1",
            0,
            "must be zero",
            "The quote of D1:0 does not stand in D1.",
            id="not in the document",
        ),
        pytest.param(
            "removed",
            "a.py",
            0,
            "return 0\nif not values:",
            "The removed text of a.py is not among the lines that the diff removes there.",
            id="removed in another order",
        ),
        pytest.param(
            "removed",
            "b.py",
            0,
            "gone = True",
            "The removed text of b.py is not among the lines that the diff removes there.",
            id="removed elsewhere",
        ),
        pytest.param(
            "command",
            "pytest -x",
            1,
            "1 failed",
            "The command `pytest -x` was not run.",
            id="never run",
        ),
        pytest.param("command", "", 0, "", "The command `` was not run.", id="no command line"),
        pytest.param(
            "command",
            "pytest -q",
            0,
            "3 passed",
            "The command `pytest -q` ended with exit status 1.",
            id="green elsewhere only",
        ),
        pytest.param(
            "command",
            "pytest -q",
            1,
            "2 failed in 0.1s",
            "The command `pytest -q` printed something else in the end.",
            id="another end",
        ),
        pytest.param(
            "command",
            "pytest -q",
            1,
            "",
            "The command `pytest -q` printed something else in the end.",
            id="output left out",
        ),
    ],
)
def test_evidence_that_is_not_there_is_named(
    kind: str, path: str, line: int, text: str, fault: str
) -> None:
    assert evidence_fault(proof(kind, path, line, text), SOURCES) == fault


def test_a_command_counts_only_at_a_tree_of_this_exchange() -> None:
    elsewhere = SOURCES.model_copy(update={"trees": ("t9",)})

    fault = evidence_fault(proof("command", "pytest -q", 1, "1 failed in 0.1s"), elsewhere)

    assert fault == "The command `pytest -q` was run at another state of the tree only."


def test_exit_status_and_end_must_be_those_of_one_run() -> None:
    runs = (
        RanCommand(command="pytest", exit=0, output="3 passed", tree="t1"),
        RanCommand(command="pytest", exit=1, output="1 failed", tree="t1"),
    )
    sources = Sources(commands=runs, trees=("t1",))

    assert evidence_fault(proof("command", "pytest", 0, "3 passed"), sources) == ""
    assert evidence_fault(proof("command", "pytest", 0, "1 failed"), sources) != ""


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"one\r\ntwo", "one\r\ntwo"),
        (b"\xef\xbb\xbfone", "one"),
        (b"caf\xe9\nplain", "caf\ufffd\nplain"),
        ("\ufeffone".encode("utf-16"), None),
        (b"\x89PNG\r\n\x1a\n\0", None),
        (b"", ""),
    ],
    ids=["crlf", "bom", "latin-1", "utf-16", "png", "empty"],
)
def test_a_file_is_read_as_bytes_and_never_fails(raw: bytes, text: str | None) -> None:
    assert as_text(raw) == text


@pytest.mark.parametrize(
    ("quote", "lines"),
    [("b", [2, 4]), ("a b", [1]), ("c\n\n\n b", [3]), ("z", []), ("", [])],
    ids=["twice", "across lines", "across blank lines", "nowhere", "nothing"],
)
def test_a_quote_is_found_at_each_line_where_it_starts(quote: str, lines: list[int]) -> None:
    assert lines_of("  a\nb\nc\n  b\n", quote) == lines


def test_a_carriage_return_or_form_feed_starts_no_line() -> None:
    assert lines_of("a\x0cb\rc\nd", "d") == [2]


def test_removed_lines_are_known_by_the_old_and_the_new_path() -> None:
    hunk = Hunk(
        old_start=1,
        old_count=4,
        new_start=1,
        new_count=2,
        lines=((" ", "a"), ("-", "b"), ("-", "c"), ("+", "d"), ("-", "e")),
    )
    file = FileDiff(
        old_path="old.py",
        new_path="new.py",
        status="renamed",
        old_mode="100644",
        new_mode="100644",
        binary=False,
        submodule=False,
        shown=True,
        hunks=(hunk,),
    )

    removed = removed_lines(Diff(base="a", head="b", files=(file,)))

    assert removed == (
        ("old.py", "b\nc"),
        ("new.py", "b\nc"),
        ("old.py", "e"),
        ("new.py", "e"),
    )


def done(**over: Any) -> Done:
    result = CallResult(call_id="1", tool="shell", output="out", is_error=False, exit=0)
    return Done(
        result=over.pop("result", result), command=over.pop("command", "ls"), seconds=1, tree="t1"
    )


def test_the_commands_of_a_journal_are_those_that_ran_to_an_end() -> None:
    silent = CallResult(call_id="2", tool="view", output="", is_error=False)
    rows = (done(), Nudged(text="x"), done(command=""), done(result=silent))

    assert commands_of(rows) == (RanCommand(command="ls", exit=0, output="out", tree="t1"),)


def test_the_check_counts_as_a_command_at_the_tree_of_its_commit() -> None:
    check = Check(
        command="make", sha="c" * 40, state="red", exit=2, seconds=1, failing=(), tail="Error 1"
    )

    assert command_of(check, "t7") == RanCommand(
        command="make", exit=2, output="Error 1", tree="t7"
    )
