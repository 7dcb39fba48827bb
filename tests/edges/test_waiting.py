"""What a server asks for is bounded, and odd words for it are no time at all."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from harness.edges.waiting import MOST, seconds_asked

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        (" 1.5 ", 1.5),
        ("Mon, 30 Nov 2026 12:05:00 GMT", 300),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0),
        ("7200", 7200),
        ("2e9", None),
        ("-5", 0),
        ("inf", None),
        ("nan", None),
        ("²", None),
        ("soon", None),
        ("", None),
        ("Fri, 31 Dec 9999 23:59:59 -1200", None),
        ("99999999999999", MOST),
        ("9" * 5_000, MOST),
        ("Fri, 31 Dec 9999 23:59:59 GMT", MOST),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_time_to_wait_is_bounded_or_none(text: str, seconds: float | None) -> None:
    assert seconds_asked(text, NOON) == seconds
