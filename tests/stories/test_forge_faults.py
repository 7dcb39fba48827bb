"""The forge on a bad day: nothing twice, nothing lost, nothing paid again, one item at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from harness.rehearsal.demo.story import BOT, CHECK, MAINTAINER, SLUG
from harness.rehearsal.github import Fault
from harness.rehearsal.github.faults import FaultKind
from harness.rehearsal.github.handling import Request, Response
from harness.rehearsal.models import on
from tests.stories.conftest import Play
from tests.stories.moments import before
from tests.stories.scripts import told, triages
from tests.stories.stage import TOKEN, Stage

pytestmark = pytest.mark.slow

PULLS, COMMENTS, STATUSES = r"/pulls$", r"/issues/5/comments$", r"/statuses/"
ASKED = 5  # triage twice, the edit, its report, the review


def begin(play: Play) -> Stage:
    """The shortest story; without a check, which costs time and changes nothing here."""
    stage = play(told())
    stage.set(f'check = "{CHECK}"\n', "")
    return stage


ONCE = Counter(pulls=1, comments=1, statuses=1)


def gaps(stage: Stage) -> list[float]:
    """Seconds between one write and the next."""
    at = [datetime.fromisoformat(str(write["at"])) for write in stage.forge.writes]
    return [(after - first).total_seconds() for first, after in pairwise(at)]


# -- a write that may have happened ----------------------------------------------------------------
@pytest.mark.parametrize(
    "faults",
    [
        pytest.param([Fault("error_after", "POST", PULLS)], id="502 after a pull request"),
        pytest.param([Fault("error_after", "POST", COMMENTS)], id="502 after a comment"),
        pytest.param([Fault("error_after", "POST", STATUSES)], id="502 after a status"),
        pytest.param([Fault("error_before", "POST", PULLS)], id="502 before a pull request"),
        pytest.param([Fault("error_before", "POST", COMMENTS)], id="502 before a comment"),
        pytest.param([Fault("drop_after", "POST", COMMENTS)], id="cut off after a comment"),
        pytest.param([Fault("drop_before", "POST", COMMENTS)], id="cut off before a comment"),
        pytest.param([Fault("garbage", "POST", COMMENTS)], id="gibberish for a comment"),
        pytest.param([Fault("late", "POST", PULLS, seconds=25)], id="a late pull request"),
        pytest.param(
            [
                Fault("late", "POST", COMMENTS, seconds=25),
                Fault("lag", "GET", COMMENTS, times=-1, seconds=8),
            ],
            id="a late comment in a lagging list",
        ),
    ],
)
def test_a_write_in_doubt_is_looked_for_before_it_is_made_again(
    play: Play, faults: list[Fault]
) -> None:
    stage = begin(play)
    for fault in faults:
        stage.forge.fail(replace(fault))

    code = stage.run()

    stage.pass_time(hours=1)  # what is late lands
    assert code == 0
    assert stage.outcomes == {1: "approved"}
    assert stage.said == ONCE
    assert len(stage.models.requests) == ASKED


def test_a_comment_that_stays_in_doubt_is_a_persons_question_and_is_made_once_they_looked(
    play: Play,
) -> None:
    stage = begin(play)
    stage.forge.fail(Fault("error_before", "POST", COMMENTS, times=-1))

    assert stage.run() == 1
    assert stage.outcomes == {1: "escalated"}
    assert "GitHub does not tell whether this write happened: comment" in stage.reports[1].reason
    assert "look there, then say so" in stage.look("status").casefold()
    assert "harness: needs a person" in stage.labels(5)
    stage.forge.recover()
    written = len(stage.forge.writes)
    assert stage.run() == 1
    assert len(stage.forge.writes) == written

    stage.forge.people.comment(SLUG, MAINTAINER, 5, "Nothing stands here.")
    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}
    assert [text[:12] for text in stage.comments(5)] == ["Nothing stan", "### Approved"]
    assert len(stage.models.requests) == ASKED + 1  # the review that their word is shown to


def test_a_comment_that_landed_after_all_is_found_when_a_person_looked(play: Play) -> None:
    stage = begin(play)
    stage.forge.fail(Fault("late", "POST", COMMENTS, seconds=600))
    stage.forge.fail(Fault("error_before", "POST", COMMENTS, times=-1))

    assert stage.run() == 1
    stage.forge.recover()
    stage.forge.wait(900)
    stage.forge.people.comment(SLUG, MAINTAINER, 5, "It came late.")

    assert stage.run() == 0
    assert [text[:12] for text in stage.comments(5)] == ["### Approved", "It came late"]


def test_a_status_that_does_not_come_to_pass_is_tried_again_by_a_later_run(play: Play) -> None:
    stage = begin(play)
    stage.forge.fail(Fault("error_before", "POST", STATUSES, times=-1))

    assert stage.run() == 3
    assert stage.outcomes == {1: "error"}
    assert "tried again later" in stage.reports[1].reason
    stage.forge.recover()

    assert stage.run() == 0
    assert stage.said == ONCE
    assert len(stage.models.requests) == ASKED


# -- limits ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        (Fault("secondary_limit", "POST", PULLS), 60),
        (Fault("secondary_limit", "POST", PULLS, retry_after=90), 90),
        (Fault("too_many", "POST", COMMENTS, retry_after=30), 60),
        (Fault("primary_limit", "POST", STATUSES, seconds=600), 600),
        (Fault("primary_limit", "POST", STATUSES, seconds=-5), 60),
        (Fault("secondary_limit", "GET", r"/issues/1$", after=3), 60),
    ],
    ids=["secondary", "with retry-after", "429", "primary", "reset in the past", "while reading"],
)
def test_after_a_limit_nothing_is_sent_until_its_time_and_no_answer_is_paid_again(
    play: Play, fault: Fault, seconds: float
) -> None:
    stage = begin(play)
    stage.forge.fail(replace(fault))
    began = stage.house().clock.now()

    assert stage.run() == 3
    assert stage.outcomes == {1: "waiting"}
    until = stage.reports[1].not_before
    assert until is not None
    assert until - began > timedelta(seconds=seconds)
    assert f"{until:%Y-%m-%d %H:%M}" in stage.look("status")
    written = len(stage.forge.writes)

    assert stage.run() == (3 if fault.method == "POST" else 0)
    if fault.method == "POST":
        assert len(stage.forge.writes) == written
        stage.pass_time(seconds=seconds)
        assert stage.run() == 0

    assert stage.said == ONCE
    assert len(stage.models.requests) == ASKED
    assert min(gaps(stage)) >= 1


def test_limits_in_a_row_are_waited_for_longer_each_time(play: Play) -> None:
    stage = begin(play)
    stage.forge.fail(Fault("secondary_limit", "POST", PULLS, times=3))

    waits = []
    for _ in range(3):
        assert stage.run() == 3
        (report,) = stage.reports.values()
        until = report.not_before
        assert until is not None
        waits.append((until - stage.house().clock.now()).total_seconds())
        stage.pass_time(seconds=waits[-1])

    assert stage.run() == 0
    assert [round(wait, -1) for wait in waits] == [60, 120, 240]
    assert stage.said == ONCE
    assert len(stage.models.requests) == ASKED


# -- who we are, and what we may -------------------------------------------------------------------
@pytest.mark.parametrize("step", ["implement", "push", "review", "approve"])
def test_a_refused_credential_is_an_error_of_the_run_and_the_next_one_goes_on(
    play: Play, step: str
) -> None:
    stage = begin(play)
    with before(step, lambda: stage.forge.people.lose_token(BOT)):
        assert stage.run() == 3

    assert stage.outcomes == {1: "error"}
    assert stage.reports[1].title == stage.item(1).title
    assert "401" in stage.reports[1].reason
    assert TOKEN not in stage.look("status")
    stage.forge.people.join(BOT, token=TOKEN)

    assert stage.run() == 0
    assert stage.said == ONCE
    assert len(stage.models.requests) == ASKED


@pytest.mark.parametrize(
    ("path", "what", "outcome"),
    [
        (PULLS, "the pull request could not be opened", "escalated"),
        (STATUSES, "its commit status could not be set", "escalated"),
        (COMMENTS, "the status comment could not be written", "approved"),
    ],
    ids=["pull request", "status", "comment"],
)
def test_what_may_not_be_written_is_said_with_the_forges_own_words_and_made_up_for(
    play: Play, path: str, what: str, outcome: str
) -> None:
    stage = begin(play)
    stage.forge.fail(Fault("forbidden", "POST", path, times=-1))

    assert stage.run() == (1 if outcome == "escalated" else 0)
    assert stage.outcomes == {1: outcome}
    assert what in stage.reports[1].reason
    assert "Resource not accessible" in stage.reports[1].reason
    stage.forge.recover()

    assert stage.run(1) == 0
    assert stage.outcomes == {1: "approved"}
    assert stage.said["pulls"] == stage.said["statuses"] == 1
    assert [text[:12] for text in stage.comments(5)] == ["### Approved"]
    assert len(stage.models.requests) == ASKED


@pytest.mark.parametrize("kind", ["error_before", "drop_before", "garbage", "not_found"])
def test_an_answer_that_is_none_is_an_error_of_the_run_and_the_next_one_goes_on(
    play: Play, kind: FaultKind
) -> None:
    stage = begin(play)
    stage.forge.fail(Fault(kind, "GET", r"^/repos/ada/shop/pulls/5$", after=1))

    assert stage.run() == 3
    assert stage.outcomes == {1: "error"}
    assert stage.run() == 0
    assert stage.said == ONCE
    assert len(stage.models.requests) == ASKED


# -- one item's trouble ----------------------------------------------------------------------------
def take_away(stage: Stage) -> None:
    """Issue 3 goes elsewhere, issue 4 is deleted, issue 2 is locked for us."""
    stage.forge.people.transfer(SLUG, 3, "ada/elsewhere")
    stage.forge.people.delete_item(SLUG, 4)


def while_they_are_listed(stage: Stage) -> int:
    """Right after the list of issues was asked for."""
    left = [1]

    def watch(request: Request, _: Response) -> None:
        if left and request.method == "GET" and request.path.endswith("/shop/issues"):
            left.clear()
            take_away(stage)

    stage.forge.observe(watch)
    return stage.run()


def while_another_is_worked(stage: Stage) -> int:
    """Right before the first of them is implemented."""
    with before("implement", lambda: take_away(stage)):
        return stage.run()


@pytest.mark.parametrize("run", [while_they_are_listed, while_another_is_worked])
def test_a_locked_a_transferred_and_a_deleted_issue_stop_no_sweep(
    play: Play, run: Callable[[Stage], int]
) -> None:
    stage = play(told(on("triage *", triages(i2={"worth_doing": False}))), 1, 2, 3, 4)
    stage.set(f'check = "{CHECK}"\n', "")
    people = stage.forge.people
    people.make_repository("ada/elsewhere", files={"README.md": "x"})
    people.allow(SLUG, "mallory", "write")
    people.open_issue(SLUG, MAINTAINER, "Three teas still cost as much as one", "As said.")
    locked = "Unable to create comment because issue is locked."
    stage.forge.fail(
        Fault("error_before", "POST", r"/issues/2/comments$", times=-1, status=403, message=locked)
    )

    code = run(stage)

    assert code == 0
    ends = {number: (one.outcome.value, one.reason) for number, one in stage.reports.items()}
    assert ends[1] == ends[5] == ("approved", "")
    assert ends[3] == (
        "abandoned",
        f"it was transferred to {stage.forge.base}/ada/elsewhere/issues/1",
    )
    assert ends[4] == ("abandoned", "it was deleted")
    assert ends[2][0] == "declined"
    assert "not said there" in ends[2][1]
    assert locked in ends[2][1]
    assert stage.run() == 0


def test_a_repository_without_issues_is_no_error(play: Play) -> None:
    stage = begin(play)
    stage.forge.fail(
        Fault("error_before", "GET", r"/shop/issues$", status=410, message="Issues are disabled")
    )

    assert stage.run() == 0
    assert stage.reports[0].reason == "issues are disabled here: there is nothing to triage"
    assert not stage.models.requests
