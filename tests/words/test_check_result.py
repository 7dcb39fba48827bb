from __future__ import annotations

import pytest

from harness.words.check_result import approved_though, check_output, check_sentence, red_base_told
from tests.words.made import check


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("green", "Check `make test`: green at `bbbbbbb`."),
        (
            "unchanged",
            (
                "Check `make test`: red at `bbbbbbb` as on the base and with the same exit status; "
                "which tests fail is not known, so that new ones may."
            ),
        ),
        ("red", "Check `make test`: red at `bbbbbbb` (exit 0)."),
        (
            "unrunnable",
            "Check `make test`: it could not run at `bbbbbbb` (exit 0), so it says nothing.",
        ),
        ("absent", "No check is configured for this repository."),
    ],
)
def test_a_check_is_told_in_one_sentence(state: str, sentence: str) -> None:
    assert check_sentence(check(state)) == sentence


def test_only_where_the_failing_tests_are_known_is_nothing_new_said_to_fail() -> None:
    known = check("unchanged", failing=("t::one",))

    assert check_sentence(known) == (
        "Check `make test`: red at `bbbbbbb` as on the base; nothing new fails."
    )
    assert approved_though(known) == "its check is red as on the base, nothing new fails"
    assert "not known" in approved_though(check("unchanged"))
    assert approved_though(check("green")) == approved_though(None) == ""


def test_a_red_base_is_told_with_what_follows() -> None:
    assert red_base_told(check("red", failing=("t::one",)), "") == (
        "the check is red on the base, in 1 test"
    )
    dark = red_base_told(check("red"), "junit is not set")
    assert "(junit is not set)" in dark
    assert "nothing merges by itself" in dark


def test_many_failing_names_are_cut_aloud() -> None:
    names = tuple(f"t{n}" for n in range(10))

    assert check_sentence(check("red", failing=names)).endswith("`t6`, `t7` and 2 more.")


def test_output_is_shown_only_where_it_helps_and_cannot_leave_its_fence() -> None:
    assert check_output(check("green", tail="x")) == ""
    assert check_output(check("red", tail=" ")) == ""
    assert check_output(check("red", tail="a\n```\n</details>")) == (
        "<details>\n<summary>The end of its output</summary>\n\n"
        "````text\na\n```\n</details>\n````\n\n</details>"
    )
