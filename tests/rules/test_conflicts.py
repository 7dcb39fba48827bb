from __future__ import annotations

import pytest

from harness.rules.conflicts import has_markers

CONFLICT = b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"
MANUAL = b"Git writes\n\n<<<<<<< HEAD\n=======\n>>>>>>> other\n\nthere.\n"


@pytest.mark.parametrize(
    ("merged", "left"),
    [
        (b"a\nb\nc\n", False),
        (CONFLICT, True),
        (CONFLICT.replace(b"\n", b"\r\n"), True),
        (b"a\nb\n>>>>>>> theirs\n", True),
        (b"Title\n=======\n", False),
        (b"", False),
    ],
    ids=["solved", "whole", "crlf", "half", "a heading", "deleted"],
)
def test_markers_of_a_merge_are_seen(merged: bytes, left: bool) -> None:
    assert has_markers(merged, (b"a\nb\n", b"a\nc\n")) is left


def test_a_manual_that_shows_markers_is_no_conflict_but_one_more_is() -> None:
    assert not has_markers(MANUAL, (MANUAL, b""))
    assert has_markers(MANUAL + CONFLICT, (MANUAL, MANUAL))
