from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.facts.intents import InlineNote
from harness.facts.replies import FindingReply
from harness.rules.anchors import divide_findings, inline_note
from harness.rules.hunks import parse_diff
from harness.rules.scope import is_in_scope

if TYPE_CHECKING:
    from tests.rules.ledger.conftest import Making

DIFF = parse_diff(
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
    "@@ -1,3 +1,4 @@\n a\n+b\n c\n d\n@@ -10,2 +11,2 @@\n-k\n+K\n l\n"
    "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n"
    "@@ -0,0 +1 @@\n+x\n",
    "base",
    "head",
)


def test_valid_anchors_stand_inline_and_the_rest_goes_to_the_body(make: Making) -> None:
    spans = {"F1": (7, 7), "F2": (3, 11), "F3": (2, 2), "F4": (4, 2), "F5": (1, 4)}
    findings = tuple(
        make.finding(handle=handle, anchor=make.anchor(start=start, end=end))
        for handle, (start, end) in spans.items()
    )

    divided = divide_findings(findings, DIFF)

    assert [one.handle for one in divided.inline] == ["F3", "F5"]
    assert [one.handle for one in divided.body] == ["F1", "F2", "F4"]


def test_a_note_of_one_line_has_no_start_and_a_span_has_one(make: Making) -> None:
    single = make.finding(anchor=make.anchor(start=2, end=2))
    span = make.finding(anchor=make.anchor(start=1, end=4))

    assert inline_note(single, DIFF, "text") == InlineNote(
        path="a.py", start_line=0, line=2, body="text"
    )
    assert inline_note(span, DIFF, "text") == InlineNote(
        path="a.py", start_line=1, line=4, body="text"
    )
    assert inline_note(make.finding(anchor=make.anchor(file="b.py")), DIFF, "text") is None


@pytest.mark.parametrize(
    ("file", "start", "end", "said", "in_scope"),
    [
        ("a.py", 2, 2, False, True),
        ("./a.py", 1, 3, False, True),
        ("a.py", 11, 11, False, True),
        ("a.py", 3, 4, False, False),
        ("a.py", 7, 7, False, False),
        ("a.py", 0, 0, False, False),
        ("new.py", 0, 0, False, True),
        ("", 0, 0, False, False),
        ("", 0, 0, True, True),
        ("a.py", 7, 7, True, True),
    ],
)
def test_lines_that_the_diff_added_are_in_scope_whatever_the_reply_said(
    file: str,
    start: int,
    end: int,
    said: bool,
    in_scope: bool,
) -> None:
    reply = FindingReply(
        file=file,
        start_line=start,
        end_line=end,
        evidence=(),
        failure_scenario="",
        title="t",
        detail="",
        suggestion="",
        citations=(),
        category="correctness",
        in_scope=said,
        issue=None,
        severity="nit",
    )

    assert is_in_scope(reply, DIFF) is in_scope
