from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from harness.rules.outgoing import code_span, fence


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("x", "```\nx\n```"),
        ("a ``` b", "````\na ``` b\n````"),
        ("`````", "``````\n`````\n``````"),
        ("", "```\n\n```"),
    ],
)
def test_a_fence_is_longer_than_any_run_inside(text: str, out: str) -> None:
    assert fence(text) == out


def test_an_info_string_holds_a_language_only() -> None:
    assert fence("x", "c++\n@eve `").startswith("```c++eve\n")


@given(st.text(alphabet="`~x \n", max_size=30))
def test_nothing_inside_leaves_a_fence(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"{fence(text)}\n\nafter")

    assert [token.type for token in tokens] == [
        "fence",
        "paragraph_open",
        "inline",
        "paragraph_close",
    ]


@pytest.mark.parametrize(
    ("text", "out"),
    [("x", "`x`"), ("a`b", "``a`b``"), ("`x`", "`` `x` ``"), ("a\n b", "`a b`"), (" ", "")],
)
def test_a_code_span_holds_any_line(text: str, out: str) -> None:
    assert code_span(text) == out
