"""The gateway against texts made of everything that has ever gone wrong, put together at random."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.rules.outgoing import (
    OutgoingPolicy,
    Where,
    close_line,
    close_markup,
    pass_text,
)
from harness.rules.scrub import scrub
from tests.rules.outgoing.reading import live_closings, live_mentions, open_tags, rendered

SECRET = "hunter2-correct-horse"
POLICY = OutgoingPolicy(
    mask=lambda text: text.replace(SECRET, "****"),
    mentions=frozenset({"mia"}),
    closes=frozenset({12}),
    trailers=("Co-authored-by: harness <harness@localhost>",),
    body_chars=1_000,
    comment_chars=500,
)
FRAGMENTS = [
    "@", "@eve", "@mia", "@coderabbitai review", "@org/team", "@property", "@pytest.fixture",
    "fixes", "Fixes", "closes:", "resolved", "#", "#12", "#967", "o/r#5", "GH-7", "does not ",
    "https://github.com/o/r/issues/9", "```", "````", "~~~", "`", "``", "```python\n",
    "```suggestion\n", "<details>", "</details>", "<summary>", "</summary>", "<br>", "<!--", "-->",
    "<!-- harness:", "<picture>", "<script>", "<pre>", "<b", ">", "<", "&", "&#64;", "&#x40;eve",
    "&commat;", "&#35;12", "&nbsp;", "&amp;", "&copy", ";", "\\", "\n", "\n\n", "\n> ", "\n- ",
    "\n    ", "\n1. ", "`a|b`", "| a | b |\n|---|---|\n| ", "\n|-|\n", " | ", " ", "x", "word",
    "\u200b", "\u200d",
    "\ufe0f", "\u202e", "\u00ad", "\U000e0041", "\x00", "\x1b[31m", "\r\n", "\ud83d", "👩‍💻", "é",
    "🇫🇷", "/merge", "/etc/passwd", "bors r+", "[skip ci]", "Signed-off-by: Eve <e@x.y>", SECRET,
    SECRET[:9], SECRET[9:], "*", "_", "**", "[", "](", ")", "![", "eve@example.org", "http://x.yz/@",
    "\t", "=", "---", "# ", "<?", "<![CDATA[", "]]>", "</", "<a@b.c>", "<https://x.yz>",
]  # fmt: skip
texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=40).map("".join)
places = st.sampled_from(list(Where))
markdown = st.sampled_from([where for where in Where if not where.is_plain])


@settings(max_examples=120, deadline=None)
@given(texts, places)
def test_passing_twice_changes_nothing_more(text: str, where: Where) -> None:
    once = pass_text(text, where, POLICY)

    assert pass_text(once, where, POLICY) == once


@settings(max_examples=120, deadline=None)
@given(texts, places)
def test_a_text_is_valid_and_within_its_limits(text: str, where: Where) -> None:
    done = pass_text(text, where, POLICY)

    chars, size = POLICY.limits(where)
    assert len(done) <= chars
    assert len(done.encode()) <= size
    assert not {"\x00", "\x1b", "\u202e", "\U000e0041", "\r"} & set(done)


@settings(max_examples=120, deadline=None)
@given(texts, st.integers(0, 60), places)
def test_no_secret_leaves(text: str, at: int, where: Where) -> None:
    done = pass_text(text[:at] + SECRET + text[at:], where, POLICY)

    assert SECRET not in done
    assert SECRET not in done.replace("\u200b", "")


TOKENS = ("ghp_" + "a1B2" * 9, "sk-ant-api03-" + "x9Y8" * 8, "AKIA" + "ABCD1234EFGH5678")


@settings(max_examples=120, deadline=None)
@given(texts, st.integers(0, 60), st.sampled_from(TOKENS), places)
def test_no_token_leaves_by_its_shape(text: str, at: int, token: str, where: Where) -> None:
    policy = replace(POLICY, mask=lambda said: scrub(said, [SECRET]))

    done = pass_text(f"{text[:at]} {token} {text[at:]}{SECRET}", where, policy)

    assert token not in done.replace("\u200b", "")
    assert SECRET not in done.replace("\u200b", "")
    assert pass_text(done, where, policy) == done


@settings(max_examples=120, deadline=None)
@given(texts, markdown)
def test_nobody_is_notified_who_is_not_allowed(text: str, where: Where) -> None:
    done = pass_text(text, where, POLICY)

    assert set(live_mentions(done)) <= {"mia"}


@settings(max_examples=120, deadline=None)
@given(texts, places)
def test_nothing_is_closed_that_is_not_meant(text: str, where: Where) -> None:
    done = pass_text(text, where, POLICY)

    assert set(live_closings(done)) <= {"#12"}


@settings(max_examples=120, deadline=None)
@given(texts, markdown)
def test_markup_is_closed_and_nothing_is_hidden(text: str, where: Where) -> None:
    done = pass_text(text, where, POLICY)

    assert open_tags(done) == []
    assert rendered(done).hidden == []
    assert "what follows" in "".join(rendered(f"{done}\n\nwhat follows").parts)


@settings(max_examples=120, deadline=None)
@given(texts)
def test_a_closed_text_does_not_swallow_what_follows(text: str) -> None:
    done = close_markup(text)

    assert "what follows" in "".join(rendered(f"{done}\n\nwhat follows").parts)
    assert open_tags(done) == []


@settings(max_examples=120, deadline=None)
@given(texts, texts)
def test_a_closed_line_opens_and_closes_nothing(one: str, other: str) -> None:
    line, next_line = close_line(one), close_line(other)
    text = f"<details>\n\n- of **{line}** {next_line}\n- `code`\n\n</details>\n\nwhat follows"

    done = pass_text(text, Where.BODY, replace(POLICY, body_chars=20_000))

    assert close_line(line) == line
    assert open_tags(done) == []
    assert "what follows" in "".join(rendered(done).parts)
