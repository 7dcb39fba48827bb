from __future__ import annotations

import logging
import socket
from datetime import UTC, datetime, timedelta

import pytest

from harness.edges.github.wire import Wire, next_page
from harness.errors import ForgeError
from harness.facts.intents import CommentOn
from harness.rehearsal.github import Fault
from tests.edges.github.world import SLUG, World, connect

ISSUE = f"/repos/{SLUG}/issues/1"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("drop_before", "unreachable"),
        ("error_before", "unreachable"),
        ("unauthorised", "unauthorised"),
        ("forbidden", "forbidden"),
        ("not_found", "gone"),
        ("secondary_limit", "rate_limited"),
        ("too_many", "rate_limited"),
        ("garbage", "unexpected"),
    ],
    ids=str,
)
def test_every_fault_of_the_forge_is_a_forge_error(world: World, kind: str, reason: str) -> None:
    world.double.recover()
    world.double.fail(Fault(kind))
    fresh = connect(world.double)  # the judge does not know garbage

    with pytest.raises(ForgeError) as caught:
        fresh.reading.issue(1)

    assert caught.value.reason == reason


def test_nobody_there_is_unreachable_and_may_have_happened() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        wire = Wire(f"http://127.0.0.1:{held.getsockname()[1]}", lambda: "t", timeout=1)

        with pytest.raises(ForgeError) as caught:
            wire.ask("POST", "/repos/o/r/issues", given={})

    assert (caught.value.reason, caught.value.may_have_happened) == ("unreachable", True)


def test_a_silent_server_is_unreachable_after_the_timeout() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        wire = Wire(f"http://127.0.0.1:{held.getsockname()[1]}", lambda: "t", timeout=1)

        with pytest.raises(ForgeError, match="ReadTimeout") as caught:
            wire.ask("GET", "/user")

    assert caught.value.reason == "unreachable"


def test_a_write_is_sent_once_whatever_the_answer(world: World) -> None:
    world.double.fail(Fault("error_after", method="POST", times=-1))

    with pytest.raises(ForgeError):
        world.writing.deliver(world.intent(CommentOn(number=1, body="hi")))

    posts = [one for one in world.statuses if one[0] == "POST"]
    assert [status for _, _, status in posts] == [502]
    assert len(world.reading.comments(1)) == 1


def test_a_moved_repository_is_told_and_not_followed(world: World) -> None:
    world.double.people.move_repository(SLUG, "octo/renamed")

    with pytest.raises(ForgeError) as caught:
        world.writing.deliver(world.intent(CommentOn(number=1, body="hi")))

    assert caught.value.reason == "moved"
    assert [status for _, _, status in world.statuses[-1:]] == [301]


def test_where_a_moved_thing_lies_now_is_told_where_it_can_be_seen(world: World) -> None:
    people = world.double.people
    people.make_repository("octo/other", files={"a": "b\n"})
    for _ in range(2):
        people.open_issue(SLUG, "alice", "Bug")
    people.transfer(SLUG, 2, "octo/other")
    people.transfer(SLUG, 3, "octo/other")
    people.allow("octo/other", "harness-bot", "read")

    for number, page in ((2, "/octo/other/issues/1"), (3, "/octo/other/issues/2")):
        with pytest.raises(ForgeError) as caught:
            world.reading.issue(number)
        assert caught.value.to.endswith(page)
    people.allow("octo/other", "harness-bot", "none")
    with pytest.raises(ForgeError) as caught:
        world.reading.issue(2)
    assert (caught.value.reason, caught.value.to) == ("moved", "")

    people.move_repository(SLUG, "octo/renamed")
    with pytest.raises(ForgeError) as caught:
        world.reading.repo()
    assert caught.value.to == "octo/renamed"


def test_secondary_limits_in_a_row_are_waited_for_longer(world: World) -> None:
    world.double.fail(Fault("secondary_limit", times=3))
    waits = []
    for _ in range(3):
        with pytest.raises(ForgeError) as caught:
            world.reading.issue(1)
        assert caught.value.not_before is not None
        waits.append((caught.value.not_before - world.wire.forge_time()).total_seconds())
    world.reading.issue(1)
    world.double.fail(Fault("secondary_limit"))

    with pytest.raises(ForgeError) as again:
        world.reading.issue(1)

    assert waits == [60, 120, 240]
    assert again.value.not_before == world.wire.forge_time() + timedelta(seconds=60)


def test_the_forges_time_is_the_date_it_last_said(world: World) -> None:
    before = world.writing.forge_time()
    world.double.wait(3600)
    world.reading.issue(1)

    assert before == datetime(2026, 11, 30, 9, 0, 5, tzinfo=UTC)
    assert world.writing.forge_time() - before >= timedelta(hours=1)


@pytest.mark.parametrize("kind", ["unauthorised", "drop_before", "forbidden"], ids=str)
def test_the_token_stands_in_no_error_and_no_log(
    world: World, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    world.double.fail(Fault(kind))

    with pytest.raises(ForgeError) as caught:
        world.reading.issue(1)
    world.reading.issue(1)

    assert "secret-token" not in f"{caught.value!r} {caught.value.__cause__!r} {caplog.text}"


def test_a_token_with_a_line_break_is_not_quoted(world: World) -> None:
    wire = Wire(world.double.url, lambda: "secret\nX-Other: 1")

    with pytest.raises(ForgeError) as caught:
        wire.ask("GET", "/user")

    assert "secret" not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_the_token_is_asked_for_at_every_request(world: World) -> None:
    tokens = iter(["secret-token", "wrong"])
    wire = Wire(world.double.url, lambda: next(tokens))

    wire.ask("GET", ISSUE)
    with pytest.raises(ForgeError) as caught:
        wire.ask("GET", ISSUE)

    assert caught.value.reason == "unauthorised"


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("", ""),
        ('<http://x/1?page=2>; rel="next", <http://x/1?page=9>; rel="last"', "http://x/1?page=2"),
        ('<http://x/1?page=1>; rel="prev", <http://x/1?page=3>; rel="next"', "http://x/1?page=3"),
        ('<http://x/1?page=1>; rel="first"', ""),
    ],
    ids=["none", "first", "middle", "last"],
)
def test_the_next_page_is_where_the_link_says(link: str, address: str) -> None:
    assert next_page(link) == address


def test_graphql_errors_are_translated(world: World) -> None:
    with pytest.raises(ForgeError) as caught:
        world.wire.graphql("a node", "query($id: ID!) { node(id: $id) { id } }", {"id": "bm9uZTox"})

    assert caught.value.reason == "gone"
