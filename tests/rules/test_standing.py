from __future__ import annotations

from datetime import UTC, datetime

import pytest

from harness.facts.forge import Author, Comment, Permission
from harness.rules.markers import MarkerVerdict
from harness.rules.standing import Whose, counts, is_input, others_comments, whose_text

LOGIN = Author(id=10, login="operator", kind="user")
APP = Author(id=20, login="harness[bot]", kind="app")
PERSON = Author(id=30, login="mia", kind="user")
NAMESAKE = Author(id=31, login="harness[bot]", kind="app")
BOT_USER = Author(id=32, login="dependabot[bot]", kind="user")
GHOST = Author(id=0, login="", kind="ghost")


@pytest.mark.parametrize(
    ("author", "us", "delivered", "marker", "whose"),
    [
        pytest.param(LOGIN, LOGIN, True, "absent", "ours", id="delivered, shared login"),
        pytest.param(LOGIN, LOGIN, True, "forged", "ours", id="delivered, edited since"),
        pytest.param(PERSON, LOGIN, True, "absent", "ours", id="delivered, transferred"),
        pytest.param(APP, APP, False, "absent", "ours", id="our App"),
        pytest.param(APP, APP, False, "forged", "ours", id="our App, odd marker"),
        pytest.param(LOGIN, LOGIN, False, "verified", "ours", id="our login, our marker"),
        pytest.param(LOGIN, LOGIN, False, "absent", "operator", id="our login, no marker"),
        pytest.param(LOGIN, LOGIN, False, "forged", "nobody", id="our login, forged marker"),
        pytest.param(PERSON, LOGIN, False, "absent", "person", id="a person"),
        pytest.param(PERSON, LOGIN, False, "verified", "person", id="a person, copied marker"),
        pytest.param(PERSON, APP, False, "forged", "person", id="a person, forged marker"),
        pytest.param(NAMESAKE, APP, False, "verified", "bot", id="another App, same name"),
        pytest.param(BOT_USER, LOGIN, False, "absent", "bot", id="a bot"),
        pytest.param(GHOST, LOGIN, False, "absent", "nobody", id="a deleted account"),
    ],
)
def test_a_text_is_known_by_store_and_author_never_by_its_words(
    author: Author, us: Author, delivered: bool, marker: MarkerVerdict, whose: Whose
) -> None:
    ids = {7} if delivered else {8}

    assert whose_text(text_id=7, author=author, us=us, delivered=ids, marker=marker) == whose


@pytest.mark.parametrize(
    ("whose", "permission", "decides"),
    [
        ("person", Permission.WRITE, True),
        ("operator", Permission.ADMIN, True),
        ("operator", Permission.READ, False),
        ("person", Permission.TRIAGE, False),
        ("ours", Permission.ADMIN, False),
        ("bot", Permission.WRITE, False),
        ("nobody", Permission.ADMIN, False),
    ],
)
def test_only_people_with_write_access_decide(
    whose: Whose, permission: Permission, decides: bool
) -> None:
    assert counts(whose, permission) is decides


@pytest.mark.parametrize(
    ("author", "whose"),
    [
        pytest.param(PERSON, "bot", id="a listed login"),
        pytest.param(PERSON.model_copy(update={"login": "MIA"}), "bot", id="however it is written"),
        pytest.param(PERSON.model_copy(update={"login": "mia2"}), "person", id="another login"),
        pytest.param(LOGIN, "operator", id="our own account is never one"),
        pytest.param(APP, "bot", id="an App is one without being named"),
    ],
)
def test_a_machine_user_is_a_bot_where_the_operator_says_so(author: Author, whose: Whose) -> None:
    said = whose_text(
        text_id=7,
        author=author,
        us=LOGIN,
        delivered=(),
        marker="absent",
        bots=("mia", LOGIN.login),
    )

    assert said == whose


def test_only_people_are_heard() -> None:
    assert [w for w in ("ours", "operator", "person", "bot", "nobody") if is_input(w)] == [
        "operator",
        "person",
    ]


def test_our_own_words_never_come_back_as_new() -> None:
    now = datetime(2026, 11, 30, tzinfo=UTC)
    one, other = (
        Comment(
            id=number,
            node_id="",
            where="issue",
            author=PERSON,
            body="b",
            created_at=now,
            updated_at=now,
            url="",
            reply_to=0,
        )
        for number in (1, 2)
    )

    assert others_comments([(one, "ours"), (other, "person")]) == (other,)
