from __future__ import annotations

from http.client import RemoteDisconnected

import pytest

from harness.rehearsal.github import Fault, GithubDouble
from tests.rehearsal.github.client import Client

DEMO = "/repos/octo/demo"
COMMENTS = f"{DEMO}/issues/1/comments"


@pytest.fixture(autouse=True)
def issue(double: GithubDouble) -> int:
    return double.people.open_issue("octo/demo", "alice", "Bug")


def said(us: Client) -> list[str]:
    return [one["body"] for one in us.get(COMMENTS)]


@pytest.mark.parametrize(
    ("kind", "left"),
    [("error_before", []), ("error_after", ["hi"])],
    ids=["before", "after"],
)
def test_a_bad_gateway_comes_before_or_after_the_write(
    double: GithubDouble, us: Client, kind: str, left: list[str]
) -> None:
    double.fail(Fault(kind, method="write"))

    answer = us.ask("POST", COMMENTS, {"body": "hi"})

    assert (answer.status, said(us)) == (502, left)


@pytest.mark.parametrize(
    ("kind", "left"), [("drop_before", []), ("drop_after", ["hi"])], ids=["before", "after"]
)
def test_a_connection_drops_before_or_after_the_write(
    double: GithubDouble, us: Client, kind: str, left: list[str]
) -> None:
    double.fail(Fault(kind, method="POST"))

    with pytest.raises(RemoteDisconnected):
        us.ask("POST", COMMENTS, {"body": "hi"})

    assert said(us) == left


def test_a_late_write_lands_at_its_own_time(double: GithubDouble, us: Client) -> None:
    double.fail(Fault("late", method="POST", seconds=20))
    us.ask("POST", COMMENTS, {"body": "hi"})

    double.wait(15)
    before = said(us)
    double.wait(15)

    assert (before, said(us)) == ([], ["hi"])
    assert "09:00:26" <= us.get(COMMENTS)[0]["created_at"][11:19] <= "09:00:27"


def test_a_lagging_list_leaves_out_what_is_young(double: GithubDouble, us: Client) -> None:
    double.fail(Fault("lag", path="/comments$", seconds=20, times=-1))
    made = us.post(COMMENTS, {"body": "hi"})

    at_once = said(us)
    alone = us.get(f"{DEMO}/issues/comments/{made['id']}")["body"]
    double.wait(25)

    assert (at_once, alone, said(us)) == ([], "hi", ["hi"])


def test_limits_answer_as_github_does(double: GithubDouble, us: Client) -> None:
    double.fail(Fault("secondary_limit", retry_after=90))
    double.fail(Fault("secondary_limit"))
    double.fail(Fault("primary_limit", seconds=600))

    told, silent, spent = (us.ask("GET", DEMO) for _ in range(3))

    assert (told.status, told.headers["retry-after"]) == (403, "90")
    assert (silent.status, "retry-after" in silent.headers) == (403, False)
    assert spent.headers["x-ratelimit-remaining"] == "0"
    assert us.ask("GET", DEMO).status == 200


def test_a_fault_strikes_after_some_requests_and_only_so_often(
    double: GithubDouble, us: Client
) -> None:
    double.fail(Fault("error_before", path="/issues/1$", after=1, times=2, status=503))

    statuses = [us.ask("GET", f"{DEMO}/issues/1").status for _ in range(4)]

    assert statuses == [200, 503, 503, 200]


def test_other_processes_hold_the_clock_the_faults_and_the_people(
    double: GithubDouble, us: Client
) -> None:
    control = Client(f"{double.base}/_rehearsal", "")
    before = control.get("/clock")["now"]
    later = control.post("/clock", {"seconds": 3600})["now"]
    control.post("/faults", {"kind": "unauthorised", "path": "/user$"})
    given = {"slug": "octo/demo", "login": "bob", "number": 1, "body": "hello"}

    made = control.post("/people/comment", given)["made"]

    assert before < "2026-11-30T10:00" < later
    assert us.ask("GET", "/user").status == 401
    assert us.get(COMMENTS)[0]["id"] == made
    assert control.ask("POST", "/people/_commit", {}).status == 404
    assert control.ask("POST", "/faults", {"kind": "lag", "typo": 1}).status == 400


def test_the_picture_shows_what_two_equal_stories_have_in_common(
    double: GithubDouble, us: Client
) -> None:
    us.post(COMMENTS, {"body": "hi"})
    us.get(DEMO)

    picture = Client(f"{double.base}/_rehearsal", "").get("/state")
    writes = Client(f"{double.base}/_rehearsal", "").get("/writes")["writes"]

    item = picture["octo/demo"]["items"]["1"]
    assert item["comments"] == [{"by": "harness-bot", "body": "hi"}]
    assert [(one["method"], one["status"]) for one in writes] == [("POST", 201)]
