from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.facts.intents import (
    CommentOn,
    InlineNote,
    MarkReady,
    OpenPull,
    PostReview,
    ReplyIn,
    Write,
)
from harness.rules.markers import (
    mark_write,
    note_nonce,
    put_marker,
    read_marker,
    strip_marker,
    verify_marker,
)

KEY = b"k" * 32
NONCE = "0123456789abcdef0123456789abcdef"


def marked(body: str, *, key: bytes = KEY, repo: int = 7, parent: int = 12) -> str:
    return put_marker(key, repo_id=repo, kind="comment", parent=parent, nonce=NONCE, body=body)


def verdict(body: str) -> str:
    return verify_marker(KEY, repo_id=7, kind="comment", parent=12, body=body)


def test_a_marker_is_the_last_line_of_what_we_write() -> None:
    first, blank, line = marked("Done.\n\n").split("\n")

    assert (first, blank) == ("Done.", "")
    assert line.startswith(f"<!-- harness:{NONCE}.")
    assert line.endswith(" -->")


@given(st.text())
def test_what_we_wrote_verifies_where_we_wrote_it(body: str) -> None:
    assert verdict(marked(body.replace("<!--", ""))) == "verified"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda body: body.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(lambda body: body + "\n\n  \n", id="blanks at the end"),
        pytest.param(lambda body: body.replace("One.", "One.  \t"), id="blanks at a line's end"),
    ],
)
def test_a_marker_survives_what_forges_do_to_a_text(change: object) -> None:
    assert callable(change)
    assert verdict(change(marked("One.\n\nTwo."))) == "verified"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(marked("One.").replace("One", "Two"), id="the text was changed"),
        pytest.param(marked("One.", key=b"x" * 32), id="another key"),
        pytest.param(marked("One.", repo=8), id="copied from another repository"),
        pytest.param(marked("One.", parent=13), id="copied from another item"),
        pytest.param(marked("One.") + "\nand more", id="something follows it"),
        pytest.param("<!-- harness: -->", id="nothing in it"),
        pytest.param("<!--  HARNESS:zz.yy -->\nhello", id="odd writing"),
        pytest.param(f"<!-- harness:{NONCE}.{'0' * 32} -->", id="invented"),
        pytest.param(marked("One.") + "\n\n" + marked("One."), id="two of them"),
    ],
)
def test_a_marker_that_does_not_verify_is_forged(body: str) -> None:
    assert verdict(body) == "forged"


def test_a_text_without_a_marker_has_none() -> None:
    assert verdict("harness: hello <!-- a comment -->") == "absent"


def test_a_marker_is_read_and_taken_off() -> None:
    body = marked("One.\n\nTwo.")

    marker = read_marker(body)

    assert marker is not None
    assert marker.nonce == NONCE
    assert strip_marker(body) == "One.\n\nTwo."
    assert strip_marker("One.") == "One."


def body_of(write: Write) -> str:
    assert isinstance(write, CommentOn | ReplyIn | OpenPull | PostReview)
    return write.body


@pytest.mark.parametrize(
    ("write", "kind", "parent"),
    [
        (CommentOn(number=12, body="b"), "comment", 12),
        (ReplyIn(number=12, comment_id=3, body="b"), "thread", 12),
        (
            OpenPull(branch="x", base="main", title="t", body="b", draft=False),
            "item",
            0,
        ),
    ],
    ids=["comment", "reply", "pull request"],
)
def test_a_write_is_marked_for_the_place_it_goes_to(write: Write, kind: str, parent: int) -> None:
    done = mark_write(write, key=KEY, repo_id=7, nonce=NONCE)

    assert (
        verify_marker(KEY, repo_id=7, kind=kind, parent=parent, body=body_of(done))  # type: ignore[arg-type]  # a table of strings
        == "verified"
    )


def test_each_note_of_a_review_is_known_as_ours() -> None:
    note = InlineNote(path="a.py", start_line=0, line=3, body="Here.")
    review = PostReview(number=12, commit="c", body="", event="COMMENT", notes=(note, note))

    done = mark_write(review, key=KEY, repo_id=7, nonce=NONCE)

    assert isinstance(done, PostReview)
    marks = [read_marker(one.body) for one in done.notes]
    assert [mark.nonce for mark in marks if mark] == [note_nonce(NONCE, 0), note_nonce(NONCE, 1)]
    assert all(
        verify_marker(KEY, repo_id=7, kind="thread", parent=12, body=one.body) == "verified"
        for one in done.notes
    )


def test_a_write_without_a_body_is_unchanged() -> None:
    assert mark_write(MarkReady(number=1), key=KEY, repo_id=7, nonce=NONCE) == MarkReady(number=1)
