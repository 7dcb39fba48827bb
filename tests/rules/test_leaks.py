"""Which secrets hold up a push."""

from __future__ import annotations

import pytest

from harness.facts.leaks import Addition, Leak, Spotted
from harness.rules.leaks import leak_line, leaks, longest_line, suspects
from harness.rules.scrub import find_ours, find_shapes

OURS = "our-own-token-77"
TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
KEY = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkq\n" * 3 + "-----END PRIVATE KEY-----"


def _spot(text: str) -> tuple[Spotted, ...]:
    ours = [Spotted(value=one, ours=True) for one in find_ours(text, [OURS])]
    return (*ours, *(Spotted(value=one, ours=False) for one in find_shapes(text)))


def _found(
    text: str, *before: str, held: str = "", samples: tuple[str, ...] = ()
) -> tuple[Leak, ...]:
    addition = Addition(where="tests/a.py", text=text, before=before, in_file=True)
    return leaks(suspects([addition], _spot, samples), lambda line: line in held)


def test_a_secret_in_a_new_line_is_named_by_its_place_and_kind() -> None:
    (leak,) = _found(f"one\ntoken = '{TOKEN}'\n", "one\n")

    assert leak_line(leak) == "tests/a.py:2 (it looks like a token or a key)"


def test_a_line_that_was_there_before_is_not_this_changes() -> None:
    assert _found(f"new\n{TOKEN}\n{OURS}\n", f"{TOKEN}\n{OURS}\n") == ()


def test_a_merge_counts_what_neither_side_held() -> None:
    assert _found(f"{TOKEN}\nboth\n", "other\n", f"{TOKEN}\n") == ()


def test_what_the_base_holds_elsewhere_was_moved_but_ours_always_counts() -> None:
    moved = _found(f"{TOKEN}\n{OURS}\n", held=f"{TOKEN} {OURS}")

    assert [(one.line, one.ours) for one in moved] == [(2, True)]


def test_a_key_over_several_lines_is_found_where_it_begins() -> None:
    (leak,) = _found(f"a\nb\n{KEY}\n", "a\n")

    assert leak.line == 3
    assert longest_line(KEY) in KEY.split("\n")


@pytest.mark.parametrize(
    "stands_for",
    ["ghp_" + "x" * 36, "AKIAIOSFODNN7EXAMPLE", "sk-ant-api03-placeholder-0123456789"],
)
def test_what_plainly_stands_for_a_secret_is_none(stands_for: str) -> None:
    assert _found(f"token = '{stands_for}'\n") == ()


def test_pretended_secrets_may_stand_where_the_operator_says_ours_nowhere() -> None:
    assert _found(f"{TOKEN}\n", samples=("tests/*",)) == ()
    assert len(_found(f"{OURS}\n", samples=("tests/*",))) == 1


def test_a_secret_in_a_message_or_a_name_has_no_line() -> None:
    addition = Addition(where="the commit message", text=f"Use {OURS}")

    (leak,) = leaks(suspects([addition], _spot), lambda _line: True)

    assert leak_line(leak) == "the commit message (one of the harness's own secrets)"


def test_a_secret_of_ours_is_found_encoded_too() -> None:
    import base64

    assert _found(base64.b64encode(OURS.encode()).decode())
