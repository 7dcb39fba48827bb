"""What the forge holds more of, or takes less of, than is usual: lists, texts, names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from harness.cli.progress import QuietProgress
from harness.facts.intents import Intent, Label, PostReview, Unlabel, Write
from harness.rehearsal.demo.story import BOT, MAINTAINER, SLUG
from harness.rehearsal.models import on
from harness.runs.desk import Desk
from harness.wiring import Calling, open_desk
from tests.stories.conftest import Play
from tests.stories.moments import before
from tests.stories.scripts import (
    CART,
    PRICES,
    TIMES,
    finding,
    implements,
    refute,
    responds,
    reviews,
    told,
)
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

BRANCH = "harness/issue-1"
MARKER = 200  # characters that a hidden marker takes at most


@contextmanager
def at_desk(stage: Stage) -> Iterator[Callable[[int, str, Write], Intent]]:
    """The outbox itself: item, purpose and write in, the settled intent out."""
    house = stage.house()
    calling = Calling(run_id="by-hand", started=house.clock.now())
    with open_desk(house, house.settings.repos[0], calling, QuietProgress()) as desk:

        def write(item: int, purpose: str, what: Write) -> Intent:
            return _write(desk, item, purpose, what)

        yield write


def _write(desk: Desk, item: int, purpose: str, what: Write) -> Intent:
    return desk.outbox.write(
        run_id=desk.run_id,
        repo_id=desk.repo_id,
        item=item,
        purpose=purpose,
        write=what,
        why="a test asks for it",
    )


# -- long lists -----------------------------------------------------------------------------------
def test_the_hundred_and_first_comment_is_read(play: Play) -> None:
    stage = play(told())
    for number in range(104):
        stage.forge.people.comment(SLUG, MAINTAINER, 1, f"Remark {number}: " + "and " * 20)
    stage.forge.people.comment(SLUG, MAINTAINER, 1, "Use whole cents, always.")

    assert stage.run() == 0

    (brief,) = stage.briefs("implement *")
    assert "Use whole cents, always." in brief


def test_all_commits_of_a_long_pull_request_are_reviewed(play: Play) -> None:
    stage = play(told())
    bare = stage.repository.bare
    first = stage.text(CART, "main").replace(PRICES, TIMES)
    stream = [
        f"commit refs/heads/long\nauthor Ada <ada@people.localhost> {at} +0000\n"
        for at in range(130)
    ]
    for at, head in enumerate(stream):
        text = first if at == 0 else f"note {at}\n"
        path = CART if at == 0 else f"notes/{at}.md"
        start = "from refs/heads/main^0\n" if at == 0 else ""
        stream[at] = (
            head.replace("author", "committer")
            + f"data 2\nc\n{start}M 100644 inline {path}\ndata {len(text)}\n{text}\n"
        )
    bare.run("fast-import", "--quiet", text="".join(stream))
    number = stage.forge.people.open_pull(SLUG, MAINTAINER, "long", "Count quantities")

    assert stage.resume(number, adopt=True) == 0

    (brief,) = stage.briefs("review *")
    assert TIMES.strip() in brief
    assert "notes/129.md" in brief
    assert stage.outcomes == {number: "approved"}


# -- long and strange texts -----------------------------------------------------------------------
LONG = "<details><summary>All</summary>\n\n```python\n" + "print('\U0001f9ee done')\n" * 4_500


def test_a_text_of_seventy_thousand_characters_is_cut_closed_and_says_so(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(notes=LONG)),
            reviews(1, finding(detail=LONG)),
            responds(1, refute()),
        )
    )

    assert stage.run() == 0

    body = stage.item(5).body
    assert len(LONG) > 70_000
    assert len(body) < 24_000 + MARKER
    assert "more characters are left out here" in body
    assert body.count("<details>") == body.count("</details>")
    assert body.count("\n```") % 2 == 0
    assert "Closes #1" in body
    (status,) = stage.comments(5)
    assert len(status) < 24_000 + MARKER


def test_a_label_with_a_slash_is_put_on_and_taken_off(play: Play) -> None:
    stage = play(told())
    name = "area/büro & more"

    with at_desk(stage) as write:
        on_it = write(1, "label", Label(number=1, name=name))
        there = stage.labels(1)
        off = write(1, "unlabel", Unlabel(number=1, name=name))

    assert (on_it.state, off.state) == ("delivered", "delivered")
    assert there == {name}
    assert stage.labels(1) == set()


def test_an_unpublished_review_of_our_login_is_a_persons_draft_and_stays(play: Play) -> None:
    stage = play(told())
    assert stage.run() == 0
    draft = stage.forge.people.review(SLUG, BOT, 5, "", "Not done yet.")
    head = stage.item(5).pull.head_sha

    with at_desk(stage) as write:
        intent = write(
            1,
            "review",
            PostReview(number=5, commit=head, body="Fine.", event="COMMENT", notes=()),
        )

    assert intent.state == "dropped"
    assert f"draft review of our login stands there (review {draft})" in intent.reason
    assert [(one.id, one.state) for one in stage.item(5).pull.reviews] == [(draft, "PENDING")]


# -- a pull request that cannot be opened ---------------------------------------------------------
def test_a_pull_request_that_somebody_opened_from_our_branch_is_adopted(play: Play) -> None:
    stage = play(told())

    def open_it() -> None:
        stage.forge.people.open_pull(SLUG, MAINTAINER, BRANCH, "By hand", "Closes #1")

    with before("open", open_it):
        assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert [n for n, item in stage.repository.items.items() if item.pull] == [5]
    assert stage.item(5).title == "By hand"
    assert stage.run() == 0


def test_a_change_that_is_in_the_base_already_needs_no_pull_request(play: Play) -> None:
    stage = play(told())

    def push_to_main() -> None:
        tip = stage.repository.bare.tip(BRANCH)
        stage.forge.people.force_push(SLUG, MAINTAINER, "main", tip)

    with before("open", push_to_main):
        assert stage.run() == 0

    assert stage.reports[1].reason == "its change is in the base already"
    assert stage.said == {"pulls": 0, "comments": 0, "statuses": 0}
    assert stage.run() == 0
