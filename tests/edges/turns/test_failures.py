from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from harness.edges.connecting import Timeouts
from harness.edges.hearing import hear
from harness.edges.vendor import NOTHING
from harness.errors import VendorError
from harness.facts.money import Usage
from harness.facts.turns import Heard, Stop
from harness.rehearsal.models import (
    BadSignature,
    Dead,
    Empty,
    Fails,
    Fault,
    GivesUp,
    ModelDouble,
    Overflow,
    Overloaded,
    Paused,
    Prose,
    RateLimited,
    Refuses,
    Silent,
    Slow,
    Status,
    Tale,
    Truncated,
    on,
    reply,
    say,
    shell,
)
from tests.edges.turns.conftest import Hands
from tests.edges.turns.test_odd_streams import GOOD, STREAMS

LONG = "I read the code line by line and it does what it says. " * 20
STORY = Tale(on("review *", say(LONG, shell("pytest -q")), reply({"verdict": "ok", "n": 1}), ...))


@pytest.fixture
def models() -> Iterator[ModelDouble]:
    with ModelDouble(STORY) as double:
        yield double


STOPS: list[tuple[Fault, Stop, Stop]] = [
    (Truncated(), Stop.TRUNCATED, Stop.TRUNCATED),
    (Refuses(), Stop.REFUSED, Stop.REFUSED),
    (Refuses(filtered=True), Stop.REFUSED, Stop.REFUSED),
    (Empty(), Stop.END, Stop.END),
    (Prose(), Stop.END, Stop.END),
    (Paused(), Stop.PAUSED, Stop.CALLS),
    (Fails(code="bio_policy"), Stop.CALLS, Stop.REFUSED),
]


@pytest.mark.parametrize(("fault", "claude", "gpt"), STOPS, ids=[str(one[0]) for one in STOPS])
def test_why_a_turn_ended_is_told_and_paid(
    fault: Fault, claude: Stop, gpt: Stop, provider: Any, models: ModelDouble, room: Any
) -> None:
    models.fail(fault)

    turn = room.talk(provider, models).ask()

    assert turn.stop is (claude if provider == "anthropic" else gpt)
    assert turn.usage_known
    assert turn.usage.output > 0
    assert turn.usage.total_input > 0


def test_a_prompt_that_gpts_policy_refuses_is_a_refusal(models: ModelDouble, room: Any) -> None:
    models.fail(Status(400, "invalid_prompt", "Your prompt was flagged."))

    turn = room.talk("openai", models).ask()

    assert (turn.stop, turn.usage_known, turn.content) == (Stop.REFUSED, False, "[]")


def test_a_paused_turn_goes_on_from_where_it_was(room: Any) -> None:
    tale = Tale(on("review *", say(LONG), reply({"verdict": "ok", "n": 1})))
    with ModelDouble(tale) as models:
        models.fail(Paused())
        talk = room.talk("anthropic", models)
        talk.add(Heard(content=talk.ask().content))

        turn = talk.ask()

    assert turn.stop is Stop.CALLS


def test_a_bound_on_output_truncates(provider: Any, models: ModelDouble, room: Any) -> None:
    turn = room.talk(provider, models, max_tokens=100).ask()

    assert turn.stop is Stop.TRUNCATED
    assert LONG.startswith(turn.text)
    assert 0 < len(turn.text) < len(LONG)


ERRORS: list[tuple[Fault, str, str]] = [
    (Overloaded(529), "overloaded", "overloaded"),
    (Overloaded(503), "overloaded", "overloaded"),
    (Overloaded(500), "overloaded", "overloaded"),
    (GivesUp(), "overloaded", "overloaded"),
    (Fails("server_error"), "", "overloaded"),
    (Fails("rate_limit_exceeded"), "", "rate_limited"),
    (RateLimited("3"), "rate_limited", "rate_limited"),
    (RateLimited(""), "rate_limited", "rate_limited"),
    (Overflow(), "overflow", "overflow"),
    (Overflow(late=True), "", "overflow"),
    (BadSignature(), "bad_signature", "bad_signature"),
    (Dead(0), "unreachable", "unreachable"),
    (Dead(6), "unreachable", "unreachable"),
    (Silent(0), "unreachable", "unreachable"),
    (Silent(6), "unreachable", "unreachable"),
    (Status(400, "invalid_request_error"), "bad_request", "bad_request"),
    (Status(401, "authentication_error"), "unauthorised", "unauthorised"),
    (Status(403, "permission_error"), "unauthorised", "unauthorised"),
    (Status(402, "billing_error"), "unpaid", "unpaid"),
    (Status(429, "insufficient_quota"), "rate_limited", "unpaid"),
    (
        Status(400, "invalid_request_error", "Your credit balance is too low"),
        "unpaid",
        "bad_request",
    ),
    (Status(404, "not_found_error"), "misconfigured", "misconfigured"),
    (Status(408, "timeout_error"), "unreachable", "unreachable"),
    (Status(413, "request_too_large"), "overflow", "overflow"),
    (Status(504, "timeout_error"), "unreachable", "unreachable"),
    (Status(418, "teapot"), "unexpected", "unexpected"),
]


NAMED = [
    (vendor, fault, reason)
    for fault, *reasons in ERRORS
    for vendor, reason in zip(("anthropic", "openai"), reasons, strict=True)
    if reason  # "": this vendor does not fail so
]


@pytest.mark.parametrize(("vendor", "fault", "reason"), NAMED, ids=str)
def test_what_failed_has_a_name_and_is_not_tried_again(
    vendor: Any, fault: Fault, reason: str, models: ModelDouble, room: Any
) -> None:
    models.fail(fault)

    with pytest.raises(VendorError) as caught:
        room.talk(vendor, models).ask()

    assert caught.value.reason == reason
    assert len(models.requests) == 1


def test_a_context_that_overflows_while_answering_is_a_stop_of_claudes(
    models: ModelDouble, room: Any
) -> None:
    models.fail(Overflow(late=True))

    turn = room.talk("anthropic", models).ask()

    assert turn.stop is Stop.OVERFLOW
    assert turn.usage.output > 0


def test_a_prompt_over_the_window_overflows(provider: Any, room: Any) -> None:
    with ModelDouble(STORY, context_window=9_000) as models:
        room.talk(provider, models).ask()

        with pytest.raises(VendorError) as caught:
            room.talk(provider, models, brief="x" * 8_000).ask()

    assert caught.value.reason == "overflow"


@pytest.mark.parametrize("fault", [Dead(8), Silent(8), GivesUp(8)], ids=str)
def test_what_claude_used_before_the_end_is_told(
    fault: Fault, models: ModelDouble, room: Any
) -> None:
    whole = room.talk("anthropic", models).ask().usage
    models.fail(fault)

    with pytest.raises(VendorError) as caught:
        room.talk("anthropic", models).ask()

    partial = Usage.model_validate_json(caught.value.usage_json)
    assert partial.total_input == whole.total_input
    assert 1 < partial.output < whole.output


TURNED_AWAY = [401, 402, 404, 413, 418, 429, 500, 503, 529]


@pytest.mark.parametrize("status", TURNED_AWAY)
def test_a_request_that_was_turned_away_used_nothing(
    status: int, models: ModelDouble, room: Any, provider: Any
) -> None:
    models.fail(Status(status, "some_error"))

    with pytest.raises(VendorError) as caught:
        room.talk(provider, models).ask()

    assert Usage.model_validate_json(caught.value.usage_json) == NOTHING


@pytest.mark.parametrize("status", [408, 504])
def test_what_a_request_used_that_timed_out_is_unknown(
    status: int, models: ModelDouble, room: Any, provider: Any
) -> None:
    models.fail(Status(status, "timeout_error"))

    with pytest.raises(VendorError) as caught:
        room.talk(provider, models).ask()

    assert caught.value.usage_json == ""


def test_what_is_not_told_is_not_made_up(models: ModelDouble, room: Any, provider: Any) -> None:
    models.fail(Dead(0))

    with pytest.raises(VendorError) as caught:
        room.talk(provider, models).ask()

    assert caught.value.usage_json == ""


def test_a_failed_response_of_gpts_is_paid(models: ModelDouble, room: Any) -> None:
    models.fail(Fails())

    with pytest.raises(VendorError) as caught:
        room.talk("openai", models).ask()

    assert Usage.model_validate_json(caught.value.usage_json).total_input > 0


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [("7200", 7200), ("0.5", 0.5), ("", None), ("soon", None), ("-3", 0)],
)
def test_a_rate_limit_says_when_to_come_back(
    retry_after: str, seconds: float | None, provider: Any, room: Any, clock: Any
) -> None:
    with ModelDouble(STORY, clock=clock) as models:
        models.fail(RateLimited(retry_after))

        with pytest.raises(VendorError) as caught:
            room.talk(provider, models).ask()

    expected = None if seconds is None else clock.time + timedelta(seconds=seconds)
    assert caught.value.not_before == expected


def test_a_date_to_come_back_at_is_told_by_the_vendors_clock(
    provider: Any, room: Any, clock: Any
) -> None:
    class Ahead(type(clock)):  # type: ignore[misc]  # the fixture's own class
        def now(self) -> Any:
            return super().now() + timedelta(hours=3)

    with ModelDouble(STORY, clock=Ahead()) as models:
        models.fail(RateLimited("Tue, 01 Dec 2026 13:01:40 GMT"))

        with pytest.raises(VendorError) as caught:
            room.talk(provider, models).ask()

    assert caught.value.not_before == clock.time + timedelta(seconds=100)


def test_silence_is_not_waited_for_without_end(
    provider: Any, models: ModelDouble, room: Any
) -> None:
    models.fail(Slow(30))

    with pytest.raises(VendorError) as caught:
        room.talk(provider, models, timeouts=Timeouts(read=0.05)).ask()

    assert caught.value.reason == "unreachable"


def test_an_answer_without_end_is_left(
    provider: Any, models: ModelDouble, room: Any, clock: Any
) -> None:
    clock.ticks = 1.0

    with pytest.raises(VendorError) as caught:
        room.talk(provider, models, timeouts=Timeouts(whole=5.0)).ask()

    assert caught.value.reason == "unreachable"
    assert bool(caught.value.usage_json) is (provider == "anthropic")


@pytest.mark.parametrize("fault", [Dead(1_000), Silent(1_000)], ids=str)
def test_an_answer_counts_that_was_whole_when_the_connection_died(
    fault: Fault, provider: Any, models: ModelDouble, room: Any
) -> None:
    models.fail(fault)
    talk = room.talk(provider, models)

    turn = talk.go_on()

    assert (turn.stop, turn.usage_known) == (Stop.CALLS, True)
    assert talk.ask().calls[0].tool == "reply"


def test_an_answer_that_is_whole_is_not_waited_on(provider: Any, room: Any) -> None:
    events = GOOD[provider]

    def wire() -> Iterator[bytes]:
        yield from (f"data: {json.dumps(one)}\n\n".encode() for one in events)
        raise AssertionError("it was waited for more")

    stream = STREAMS[provider]()
    hear(wire(), stream, Hands(), vendor=provider, seconds=60)

    assert stream.turn("", alone=False).calls


def test_nobody_at_the_address_is_unreachable(provider: Any, room: Any) -> None:
    with pytest.raises(VendorError) as caught:
        room.talk(provider, "http://127.0.0.1:9").ask()

    assert caught.value.reason == "unreachable"
    assert "refused" in str(caught.value)
    assert Usage.model_validate_json(caught.value.usage_json) == NOTHING


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>Log in</html>", "unreachable"),
        (b"data: {oops\n\n", "unexpected"),
        (
            b'data: {"type": "message_delta"}\n\ndata: {"type": "response.completed"}\n\n',
            "unexpected",
        ),
        (b"", "unreachable"),
    ],
)
def test_an_answer_that_is_none_is_an_error(
    body: bytes, reason: str, provider: Any, room: Any
) -> None:
    class Stranger(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        with pytest.raises(VendorError) as caught:
            room.talk(provider, f"http://127.0.0.1:{server.server_port}").ask()
        server.shutdown()
        thread.join()

    assert caught.value.reason == reason


@pytest.mark.parametrize("key", ["", "  ", "schlüssel", "two\nlines"])
def test_a_key_that_is_none_is_never_sent(
    key: str, provider: Any, models: ModelDouble, room: Any
) -> None:
    talk = room.talk(provider, models)
    talk.turns = room.turns(provider, models.url, key=lambda: key)

    with pytest.raises(VendorError) as caught:
        talk.ask()

    assert caught.value.reason == "unauthorised"
    assert Usage.model_validate_json(caught.value.usage_json) == NOTHING
    assert models.requests == ()
