from __future__ import annotations

from typing import Any

import pytest

from harness.facts.replies import ImplementationReply
from harness.rules.outgoing import OutgoingPolicy, Where, pass_text
from harness.words.pull_body import NOT_RUN, marked, pull_body, pull_title
from tests.words.made import check

RAN = ("cd src && python -m pytest -q tests/test_add.py", "make lint")


def reply(**other: Any) -> ImplementationReply:  # any field
    fields: dict[str, Any] = {
        "problem": "`add` returned zero for negative numbers.",
        "changes": ("`add` in `calc.py` returns the sum", "It raises on text"),
        "testing": ("`python -m pytest -q tests/test_add.py`", "`npm test`"),
        "notes": "",
        "summary": "Return the sum of negative numbers.",
        "reason": "",
        "not_worth_doing": False,
    }
    return ImplementationReply(**fields | other)


def test_a_pull_request_tells_problem_changes_and_what_was_really_run() -> None:
    body = pull_body(reply(), item=12, closes=True, ran=RAN, check=check())

    assert (
        body
        == """\
`add` returned zero for negative numbers.

### Changes

- `add` in `calc.py` returns the sum
- It raises on text

### Testing

- `python -m pytest -q tests/test_add.py`
- `npm test` (not run: there is no record of it)
- Check `make test`: green at `bbbbbbb`.

Closes #12"""
    )


def test_parts_without_words_are_left_out() -> None:
    body = pull_body(
        reply(changes=(), testing=(), notes="The old name stays as an alias."),
        item=12,
        closes=False,
        ran=(),
        check=None,
    )

    assert body == (
        "`add` returned zero for negative numbers.\n\n"
        "### Notes\n\nThe old name stays as an alias.\n\nRefs #12"
    )


def test_what_the_implementer_says_closes_nothing_else() -> None:
    said = reply(problem="This does not fix #967.", changes=("closes #5",))
    policy = OutgoingPolicy(mask=str, closes=frozenset({12}))

    body = pass_text(pull_body(said, item=12, closes=True, ran=RAN, check=None), Where.BODY, policy)

    assert "does not fi\u200bx #967" in body
    assert "- cl\u200boses #5" in body
    assert body.endswith("\n\nCloses #12")


@pytest.mark.parametrize(
    ("line", "is_marked"),
    [
        pytest.param("`make lint`", False, id="was run"),
        pytest.param("$ make   lint", False, id="as at a prompt"),
        pytest.param("`python -m pytest -q tests/test_add.py` covers it", False, id="part"),
        pytest.param("`pytest -q`", True, id="never run"),
        pytest.param("`make lint` and `make test`", True, id="one of two was never run"),
        pytest.param("npm test", True, id="without ticks"),
        pytest.param("`make`", True, id="a shorter command is another command"),
        pytest.param("./run.sh --all", True, id="a script"),
        pytest.param("`test_add_negative` covers it", False, id="the name of a test"),
        pytest.param("Looked at by hand.", False, id="prose"),
    ],
)  # fmt: skip
def test_a_command_without_a_record_is_marked(line: str, is_marked: bool) -> None:
    assert marked(line, RAN) == (f"{line} {NOT_RUN}" if is_marked else line)


@pytest.mark.parametrize(
    ("summary", "title"),
    [
        ("Return the sum.", "Return the sum"),
        ("", "Add is broken"),
        ("word " * 40, "word " * 18 + "word…"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_title_is_one_short_line(summary: str, title: str) -> None:
    assert pull_title(reply(summary=summary), "Add is broken") == title
