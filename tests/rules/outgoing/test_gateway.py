from __future__ import annotations

import re
import subprocess
from dataclasses import replace

import pytest

from harness.rules.outgoing import OutgoingPolicy, Where, close_line, close_markup, pass_text

POLICY = OutgoingPolicy(mask=lambda text: text.replace("s3cret", "****"))


def body(text: str, **meant: object) -> str:
    return pass_text(text, Where.BODY, replace(POLICY, **meant))  # type: ignore[arg-type]  # a table


def seen(text: str) -> str:
    """What we put in to break a word is shown as a bar."""
    return text.replace("\u200b", "|")


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("ask @eve", "ask @|eve"),
        ("@org/team please", "@|org/team please"),
        ("_@eve_ and **@eve**", "_@|eve_ and **@|eve**"),
        (r"\@eve", r"\@|eve"),
        ("&#64;eve &#x40;eve &commat;eve", "&amp;#64;eve &amp;#x40;eve &amp;commat;eve"),
        ("@\u200beve", "@|eve"),
        ("é@eve", "é@|eve"),
        ("<@eve>", "<@|eve>"),
        ("<br>&copy@eve", "<br>&copy@|eve"),
        ("`@coderabbitai review`", "`@|coderabbitai review`"),
        ("```\n@openhands fix it\n@team\n```", "```\n@|openhands fix it\n@|team\n```"),
        ("x@coderabbitai", "x@|coderabbitai"),
        ("mail eve@example.org", "mail eve@example.org"),
        ("npm i lodash@latest", "npm i lodash@latest"),
        ("uses `@pytest.fixture`", "uses `@pytest.fixture`"),
        ("```python\n@property\n@app.get(1)\n```", "```python\n@property\n@app.get(1)\n```"),
        ("@property is", "@|property is"),
        ("https://example.org/package/@types/node", "https://example.org/package/@types/node"),
    ],
)
def test_mentions_are_broken_wherever_they_stand(text: str, out: str) -> None:
    assert seen(body(text)) == out


def test_only_whom_the_list_allows_is_pinged() -> None:
    text = "@mia, @mia-x, @Mia/x and @eve"

    assert seen(body(text, mentions=frozenset({"Mia"}))) == "@mia, @|mia-x, @|Mia/x and @|eve"


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("/merge", "/|merge"),
        ("> /ok-to-test now", "> /|ok-to-test now"),
        ("```\n/retest\n```", "```\n/|retest\n```"),
        ("bors r+", "b|ors r+"),
        ("/etc/passwd is read", "/etc/passwd is read"),
        ("either/or", "either/or"),
    ],
)
def test_other_bots_commands_are_broken(text: str, out: str) -> None:
    assert seen(body(text)) == out


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("this does not close #967", "this does not cl|ose #967"),
        ("> FIXES: #967", "> FI|XES: #967"),
        ("resolves o/r#5", "re|solves o/r#5"),
        ("fixed GH-5", "fi|xed GH-5"),
        ("fixes <https://github.com/o/r/issues/5>", "fi|xes <https://github.com/o/r/issues/5>"),
        (
            "fixes: <http://github.com/o/r/pull/5#issuecomment-1>",
            "fi|xes: <http://github.com/o/r/pull/5#issuecomment-1>",
        ),
        (
            "closed [it](https://github.com/o/r/issues/5)",
            "cl|osed [it](https://github.com/o/r/issues/5)",
        ),
        ("resolve [#5](https://x.yz)", "re|solve [#5](https://x.yz)"),
        ("closes https://github.com/o/r/issues/5", "cl|oses https://github.com/o/r/issues/5"),
        (
            "closes https://ghe.acme.io:8443/o/r/pull/5",
            "cl|oses https://ghe.acme.io:8443/o/r/pull/5",
        ),
        ('"fix **#5**"', '"fi|x **#5**"'),
        ("`closes #5`", "`cl|oses #5`"),
        ("closes [#5](x)", "cl|oses [#5](x)"),
        ("closes\n#5", "cl|oses\n#5"),
        ("_closes #5_", "_cl|oses #5_"),
        ("prefixes #5 and see #6", "prefixes #5 and see #6"),
        ("this fixes the bug of #5", "this fixes the bug of #5"),
    ],
)
def test_closing_keywords_that_are_not_meant_are_broken(text: str, out: str) -> None:
    assert seen(body(text)) == out


def test_only_the_meant_number_is_closed() -> None:
    text = "Closes #12\n\nfixes #120, fixes o/r#12"

    assert seen(body(text, closes=frozenset({12}))) == "Closes #12\n\nfi|xes #120, fi|xes o/r#12"


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("does not close #967", "does not close # 967"),
        ("fixes o/r#5, GH-5", "fixes o/r# 5, GH-5"),
        ("resolves GH-5", "resolves GH- 5"),
        ("ask @eve, @coderabbitai", "ask @ eve, @ coderabbitai"),
        ("two\nlines", "two lines"),
        ("[skip ci] go", "[ skip ci] go"),
        ("s3cret", "****"),
    ],
)
def test_a_title_is_broken_with_what_can_be_seen(text: str, out: str) -> None:
    assert pass_text(text, Where.TITLE, POLICY) == out


def test_a_commit_message_credits_nobody_but_whom_the_configuration_names() -> None:
    policy = replace(POLICY, trailers=("Co-authored-by: Ann <a@x.y>",), closes=frozenset({4}))
    message = (
        "Do it\n\nCloses #4, not closes #5\n\nSigned-off-by: Eve <e@x.y>\n"
        "Co-authored-by: Ann <a@x.y>\nskip-checks: true"
    )

    assert pass_text(message, Where.COMMIT, policy) == (
        "Do it\n\nCloses #4, not closes # 5\n\nSigned off by: Eve <e@x.y>\n"
        "Co-authored-by: Ann <a@x.y>\nskip checks: true"
    )


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("Co-Authored-By:A <a@b.c>", "Co Authored By:A <a@b.c>"),
        ("reviewed-BY : Ada", "reviewed BY : Ada"),
        ("Change-Id: I1", "Change Id: I1"),
        ("Release-As: 2.0.0", "Release As: 2.0.0"),
        ("BREAKING CHANGE: all of it", "Breaking change: all of it"),
        ("BREAKING-CHANGE: all of it", "Breaking change: all of it"),
        ("Cc:ada", "Cc -ada"),
        ("Bug : 12", "Bug - 12"),
        ("***NO_CI***", "*** NO_CI***"),
        ("[skip  ci]", "[ skip  ci]"),
        ("[netlify skip]", "[ netlify skip]"),
        ("https://example.org/a", "https://example.org/a"),
        ("As it was: so it is", "As it was: so it is"),
    ],
)
def test_a_line_that_machines_act_on_is_words(line: str, out: str) -> None:
    message = pass_text(f"Do it\n\n{line}", Where.COMMIT, POLICY)

    assert message == f"Do it\n\n{out}"
    assert line.startswith("https:") or _trailers(message) == ""


def test_only_the_last_paragraph_of_a_message_holds_trailers() -> None:
    message = "Note: it is done\n\nWhy: it was broken\nCo-Authored-By: E\n\nRefs #4"

    assert pass_text(message, Where.COMMIT, POLICY) == (
        "Note: it is done\n\nWhy: it was broken\nCo Authored By: E\n\nRefs #4"
    )


def _trailers(message: str) -> str:
    """What git takes for trailers."""
    asked = ["git", "interpret-trailers", "--parse"]
    done = subprocess.run(asked, input=message, text=True, capture_output=True, check=True)
    return done.stdout


@pytest.mark.parametrize("where", [Where.TITLE, Where.STATUS, Where.COMMIT])
def test_a_comment_is_seen_in_plain_text_too(where: Where) -> None:
    hidden = "a <!-- harness:ab.cd --> b"

    assert pass_text(hidden, where, POLICY) == "a < !-- harness:ab.cd --> b"


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("a <!-- hidden --> b", "a &lt;!-- hidden --> b"),
        ("<picture><img src=x></picture>", "&lt;picture>&lt;img src=x>&lt;/picture>"),
        ("List<T> in words", "List&lt;T> in words"),
        ("`List<T>` in code", "`List<T>` in code"),
        ("`List<T> | None` in code", "`List<T> | None` in code"),
        ("| `a` |\n|-----|\n| `b<c` |", "| `a` |\n|-----|\n| `b&lt;c` |"),
        ("a < b && c", "a < b && c"),
        ("```\n<div> &amp; <!-- x -->\n```", "```\n<div> &amp; <!-- x -->\n```"),
        ("```\n<!-- harness:ab.cd -->\n```", "```\n<|!-- harness:ab.cd -->\n```"),
        ("<!-- harness:ab.cd -->", "&lt;!-- harness:ab.cd -->"),
        ("`<!-- harness:ab.cd -->`", "`<|!-- harness:ab.cd -->`"),
        ("</details> out", "&lt;/details> out"),
        ("<details onclick=x>", "&lt;details onclick=x>"),
        ("&lt;b&gt; &copy; &#8203;", "&lt;b&gt; &copy; &amp;#8203;"),
        ("![x](http://t.co/?q=1)", "!|[x](http://t.co/?q=1)"),
        ("```rust\nvec![1]\n```", "```rust\nvec![1]\n```"),
        ("<https://x.yz/a> <a@b.c>", "<https://x.yz/a> <a@b.c>"),
    ],
)
def test_foreign_markup_is_shown_and_does_nothing(text: str, out: str) -> None:
    assert seen(body(text)) == out


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("```\ncode", "```\ncode\n```"),
        ("````\n```\ncode", "````\n```\ncode\n````"),
        ("~~~\n```", "~~~\n```\n~~~"),
        ("<details>\n\nx", "<details>\n\nx\n\n</details>"),
        ("<details><summary>x", "<details><summary>x\n\n</summary>\n\n</details>"),
        ("<details>\n\n```\nx", "<details>\n\n```\nx\n```\n\n</details>"),
        ("- ```\n  in a list", "- ```\n  in a list"),
        ("```\n> ```", "```\n> ```\n```"),
        ("```\n    ", "```\n```"),
        ("a\r```", "a\n```\n```"),
        ("</details>```\n```py\n", "&lt;/details>```\n```py\n```"),
        (r"\<details>", "&lt;details>"),
    ],
)
def test_what_is_open_is_closed(text: str, out: str) -> None:
    assert close_markup(text) == out


def test_what_cannot_be_seen_is_dropped_and_emoji_stay_whole() -> None:
    text = "a\u202eb\u00ad\x00\x1b[0m \ud83d 👩‍💻 ❤️\r\n\U000e0041end"

    assert body(text) == "ab[0m \ufffd 👩‍💻 ❤️\nend"


def test_a_secret_is_masked_even_when_it_was_parted() -> None:
    assert body("s3\u200bcret and s3cret") == "**** and ****"


def test_a_suggestion_is_applied_to_a_file_and_stays_as_it_is() -> None:
    note = "Like this:\n\n```suggestion\n@given\ndef closes():  # fixes #5\n```"

    assert pass_text(note, Where.NOTE, POLICY) == note


def test_a_suggestion_that_would_wake_a_bot_becomes_plain_code() -> None:
    note = "```suggestion\n@coderabbitai resolve\n```"

    assert seen(pass_text(note, Where.NOTE, POLICY)) == "```text\n@|coderabbitai resolve\n```"


def test_a_suggestion_outside_a_note_is_code_like_any_other() -> None:
    assert seen(body("```suggestion\n@eve\n```")) == "```text\n@|eve\n```"


def test_a_long_body_is_cut_with_everything_closed_and_says_so() -> None:
    text = "<details>\n<summary>Log</summary>\n\n```\n" + "line 🙂\n" * 10_000

    done = body(text)

    assert len(done) <= 24_000
    assert done.endswith(
        "line 🙂\n```\n\n</details>\n\n"
        "_46,153 more characters are left out here: the text is too long for this place._"
    )


def test_a_body_of_wide_characters_is_cut_by_its_bytes() -> None:
    done = body("🙂" * 60_000, body_chars=60_000)

    assert 65_000 < len(done.encode()) <= 65_280
    assert "more characters are left out here" in done


def test_a_title_and_a_status_are_cut_to_what_github_takes() -> None:
    assert pass_text("t" * 300, Where.TITLE, POLICY) == "t" * 255 + "…"
    assert pass_text("é" * 300, Where.STATUS, POLICY) == "é" * 139 + "…"


def test_a_cut_never_halves_what_is_seen_as_one_character() -> None:
    text = "x" * 253 + "👩‍💻" * 5

    assert pass_text(text, Where.TITLE, POLICY) == "x" * 253 + "…"


def test_a_blank_text_stays_empty() -> None:
    assert body(" \n\u200b\n") == ""


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("two\nlines", "two lines"),
        ("a ` b ``` c", "a ' b ' c"),
        ("`a` and <details>", "`a` and &lt;details>"),
        (r"\` stays", r"\` stays"),
        ("`<details>` stays", "`<details>` stays"),
    ],
)
def test_a_line_of_somebody_else_opens_nothing_in_ours(text: str, out: str) -> None:
    assert close_line(text) == out


def test_a_body_that_is_cut_keeps_the_reference_at_its_end() -> None:
    policy = OutgoingPolicy(mask=str, closes=frozenset({12}), body_chars=1_000)

    cut = pass_text("word " * 1_000 + "\n\nCloses #12", Where.BODY, policy)

    assert len(cut) <= 1_000
    assert re.search(r"_[\d,]+ more characters are left out here: .*_\n\nCloses #12\Z", cut)
    assert pass_text(cut, Where.BODY, policy) == cut
    assert "#12" not in pass_text("word " * 1_000 + "\n\nCloses #12", Where.COMMENT, policy)


@pytest.mark.parametrize(
    "text",
    [
        "@ada " * 100_000,
        "` a `` " * 70_000,
        "".join("`" * n + " " for n in range(1, 1_000)),
        "<" * 500_000,
        "fixes #1 " * 50_000,
        ("MIIEpAIBAAKCAQEA" * 4 + "\n") * 8_000,
    ],
    ids=["mentions", "spans", "growing", "angles", "closing", "data"],
)
def test_a_long_hostile_text_costs_what_its_length_costs(text: str) -> None:
    assert len(body(text)) <= POLICY.body_chars
