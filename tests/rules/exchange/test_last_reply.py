from __future__ import annotations

import pytest

from harness.rules.last_reply import take_last


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('{"a": 1}', '{"a": 1}'),
        (' {"a": 1}\n\n{"a": 2} ', '{"a": 2} '),
        ('{"a": 1}{"a": 2}', '{"a": 2}'),
        ('{"a": 1} and {"a": 2}', '{"a": 1} and {"a": 2}'),
        ('{"a": 1}{"a": ', '{"a": 1}{"a": '),
        ("Fine.", "Fine."),
        ("1 2", "1 2"),
        ("", ""),
        ("{" * 5_000, "{" * 5_000),
    ],
    ids=["one", "two", "no space", "prose", "cut off", "words", "numbers", "empty", "deep"],
)
def test_only_whole_objects_one_after_another_give_the_last(text: str, taken: str) -> None:
    assert take_last(text) == taken
