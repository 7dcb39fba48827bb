"""A word is known by where it stands, its id and its text."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from harness.facts.briefing import IssueThread, Material, PullText, Said
from harness.facts.forge import Author, Comment, ForgeReview, Issue, Permission
from harness.rules.hearing import as_comment, as_words, heard_in, key_of, text_of

NOW = datetime(2026, 11, 30, tzinfo=UTC)
MIA = Author(id=2, login="mia", kind="user")


def comment(**other: Any) -> Comment:  # any field
    fields: dict[str, Any] = {
        "id": 7,
        "node_id": "n",
        "where": "issue",
        "author": MIA,
        "body": "Wait.",
        "created_at": NOW,
        "updated_at": NOW,
        "url": "",
        "reply_to": 0,
    }
    return Comment(**fields | other)


@pytest.mark.parametrize("other", [{"id": 8}, {"where": "thread"}, {"body": "Wait!"}])
def test_another_place_id_or_text_is_another_word(other: dict[str, Any]) -> None:
    assert key_of(comment(**other)) != key_of(comment())


def test_a_time_that_the_forge_touched_is_no_other_word() -> None:
    later = datetime(2026, 12, 1, tzinfo=UTC)

    assert key_of(comment(updated_at=later, url="x")) == key_of(comment())


def test_what_an_agent_is_given_was_heard_by_it() -> None:
    said = Said(comment=comment(), permission=Permission.READ)
    given = Material(pull=PullText(number=9, title="t", body="b", said=(said,)))

    (word,) = as_words([said], "pull")

    assert heard_in(given) == (word.key,)
    assert (word.by, word.may_write, word.place) == ("mia", False, "pull")
    assert heard_in(Material()) == ()


def issue(**other: Any) -> Issue:  # any field
    fields: dict[str, Any] = {
        "id": 1,
        "number": 5,
        "title": "t",
        "body": "- [ ] one",
        "author": MIA,
        "state": "open",
        "state_reason": "",
        "labels": (),
        "assignees": (),
        "locked": False,
        "is_pull": False,
        "created_at": NOW,
        "updated_at": NOW,
        "url": "",
    }
    return Issue(**fields | other)


def test_the_text_of_an_issue_is_heard_by_whom_it_is_shown() -> None:
    thread = IssueThread(issue=issue(), permission=Permission.READ, comments=())

    assert heard_in(Material(thread=thread)) == (text_of(issue()).key,)


@pytest.mark.parametrize("other", [{"title": "u"}, {"body": "- [x] one"}])
def test_an_issue_with_another_title_or_body_has_another_text(other: dict[str, Any]) -> None:
    assert text_of(issue(**other)).key != text_of(issue()).key
    assert text_of(issue(labels=("bug",), state="closed")) == text_of(issue())


def test_a_draft_of_a_review_is_no_word() -> None:
    fields: dict[str, Any] = {"id": 1, "author": MIA, "body": "Hm.", "commit": "c"}
    draft = ForgeReview(**fields, state="PENDING", submitted_at=None)
    given = ForgeReview(**fields, state="COMMENTED", submitted_at=NOW)

    said = as_comment(given)

    assert as_comment(draft) is None
    assert said is not None
    assert (said.where, said.body, said.created_at) == ("review", "Hm.", NOW)
