from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from harness.facts.entries import EntryKey
from harness.rules.identity import core_words, file_key, fingerprint, fold_text, title_key


@pytest.mark.parametrize(
    "title",
    [
        "The last page is lost",
        "the LAST page is lost.",
        "[blocking] The last page is lost",
        "**Blocking:** The last page is lost",
        "(nit) The last page is lost",
        "P1: The last page is lost",
        "High severity - The last page is lost",
        "[Severity: high] The last page is lost",
        "nit: [minor] The last page is lost",
        "`The last page` is lost",
        "The last page is lost (lines 12-14)",
        "The last page is lost, line 12",
        "The last page is lost (L12-L14)",
        "The  last\u00a0page\nis lost \u2026",
        "\uff34he last page is lost",
    ],
)
def test_the_same_title_in_other_clothes_has_the_same_key(title: str) -> None:
    assert title_key(title) == "the last page is lost"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a < b", "a > b"),
        ("a <= b is wrong", "a < b is wrong"),
        ("a & b", "a && b"),
        ("x + 1 overflows", "x - 1 overflows"),
        ("!ready is tested", "ready is tested"),
        ("a % b", "a / b"),
        ("a \u2264 b", "a \u2265 b"),
        ("Nit", "Minor"),
        ("Low memory is not handled", "Memory is not handled"),
        ("pages 12 and 13 differ", "pages 12 and 14 differ"),
        ("\u0915\u093f is lost", "\u0915\u0940 is lost"),
    ],
)
def test_titles_that_say_other_things_have_other_keys(one: str, other: str) -> None:
    assert title_key(one) != title_key(other)


def test_blanks_around_operators_do_not_matter() -> None:
    assert title_key("`a<b` lets the last row through") == title_key(
        "a < b lets the last row through"
    )


def test_a_line_after_a_path_is_no_part_of_the_title() -> None:
    assert title_key("pages.py:88 loses the rest") == title_key("pages.py:91-93 loses the rest")
    assert title_key("src/pages:88 loses the rest") == "src / pages loses the rest"
    assert title_key("the port :8080 is fixed") == "the port 8080 is fixed"


@pytest.mark.parametrize(("one", "other"), [("!?", "??"), ("...", "\u2026\u2026"), ("", "   ")])
def test_an_empty_key_becomes_the_hash_of_the_raw_title(one: str, other: str) -> None:
    assert title_key("??").startswith("#")
    assert title_key(one) != title_key(other)


@given(some.text())
@example("[nit]")
@example("l1")
def test_a_title_always_has_a_key(title: str) -> None:
    key = title_key(title)

    assert key
    assert key == fold_text(key)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("src/Pages.py", "src/Pages.py"),
        ("./src/pages.py", "src/pages.py"),
        ("/src//pages.py", "src/pages.py"),
        ("src/pages.py:88", "src/pages.py"),
        ("src/pages.py:88-91", "src/pages.py"),
        ("src/pages.py:88:5", "src/pages.py"),
        ("src/pages.py#L88", "src/pages.py"),
        ("src/pages.py#L88-L91", "src/pages.py"),
        ("x b/y.py", "x b/y.py"),
        (".harness/rules.md", ".harness/rules.md"),
        ("", ""),
    ],
)
def test_a_file_is_known_by_its_path_without_lines(path: str, key: str) -> None:
    assert file_key(path) == key


def test_a_fingerprint_knows_the_host_and_counts_only_further_entries() -> None:
    key = EntryKey(repo_id=1, title_key="a < b", file="a.py")
    first = fingerprint("github.com", "acme/pages", key, "correctness")
    second = fingerprint(
        "github.com", "acme/pages", key.model_copy(update={"ordinal": 2}), "correctness"
    )
    elsewhere = fingerprint("ghe.acme.com", "acme/pages", key, "correctness")

    assert first == "v1:01613004ff0c24e9"
    assert len({first, second, elsewhere}) == 3


def test_brackets_are_no_words_of_a_core() -> None:
    assert core_words("return self.items[0]") == ("return", "self", "items", "0")
    assert core_words("}\n});") == ()
