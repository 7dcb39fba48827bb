from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.words import passages


def test_a_list_item_keeps_its_lines_together() -> None:
    assert passages.bullets(["one\n\n```\nx", "", "two"]) == "- one\n\n  ```\n  x\n  ```\n- two"


def test_a_quote_holds_every_line() -> None:
    assert passages.quote("a\n\nb") == "> a\n>\n> b"


def test_a_part_without_a_body_is_left_out() -> None:
    assert passages.section("Notes", " ") == ""
    assert passages.folded("Notes", "") == ""
    assert passages.paragraphs("a", "", " \n", "b") == "a\n\nb"


def test_a_folded_part_can_be_opened() -> None:
    assert passages.folded("2 nits", "- a") == (
        "<details>\n<summary>2 nits</summary>\n\n- a\n\n</details>"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("It fails. Then more.", "It fails."),
        ("It fails on `a.b()` e.g. here. More", "It fails on `a.b()` e.g. here."),
        ("One\nline\n\nTwo.", "One line"),
        ("", ""),
    ],
)
def test_the_first_sentence_stands_alone(text: str, sentence: str) -> None:
    assert passages.first_sentence(text) == sentence


@given(st.text(), st.integers(2, 50))
def test_a_shortened_text_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = passages.shorten(text, limit)

    assert len(line) <= limit
    assert "\n" not in line


@pytest.mark.parametrize(
    ("place", "out"),
    [(("a.py", 3, 5), "`a.py:3-5`"), (("a.py", 3, 3), "`a.py:3`"), (("a.py", 0, 0), "`a.py`"),
     (("", 0, 0), "")],
)  # fmt: skip
def test_a_place_is_shown_as_code(place: tuple[str, int, int], out: str) -> None:
    assert passages.place(*place) == out


def test_things_are_counted_in_words() -> None:
    assert passages.counted(1, "point") == "1 point"
    assert passages.counted(2000, "entry", "entries") == "2,000 entries"


@pytest.mark.parametrize(
    ("reason", "out"),
    [("it is red", "It is red."), ("Done!", "Done!"), ("`a` b", "`a` b."), (" ", "")],
)
def test_a_reason_is_told_as_a_sentence(reason: str, out: str) -> None:
    assert passages.sentence(reason) == out
