"""Every way an answer can be none: its own named result, its true cost, never clean."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from harness.errors import VendorError
from harness.facts.journal import Answered, Done, Ending, Failed
from harness.facts.money import Usage
from harness.facts.moves import ExchangeLimits
from harness.facts.turns import Returned, Stop, Tools

TURN_COST = 100 * 2 + 1_000 * 0.2 + 200 * 2.5 + 50 * 10  # micro-dollars, by the prices of the world
World = Any  # the class that the fixture hands out; conftest modules are not importable by name


def test_a_reply_after_some_commands_counts(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(say.shell("ls")), say.turn(say.reply()))

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert held.reply_text == world.good
    assert world.row_names() == [
        "asked",
        "answered",
        "started",
        "done",
        "asked",
        "answered",
        "replied",
        "ended",
    ]
    assert held.exchange.spent == 2 * TURN_COST
    assert world.progress.money == [TURN_COST, TURN_COST]
    assert world.bench.opened == 1


def test_an_ended_exchange_is_told_again_without_a_call(new_world: World) -> None:
    world = new_world(new_world.say.turn(new_world.say.reply()))
    first = world.hold()

    again = world.hold()

    assert again == first
    assert len(world.turns.asked) == 1


def test_a_cut_off_turn_is_asked_again_once_with_a_larger_bound(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(say.reply('{"summ'), stop=Stop.TRUNCATED), say.turn(say.reply()))

    held = world.hold()

    first, second = world.turns.asked
    assert held.ending is Ending.REPLIED
    assert second.max_tokens >= 2 * first.max_tokens
    assert second.messages == first.messages


def test_findings_of_an_answer_cut_off_twice_are_shown_and_never_count(new_world: World) -> None:
    say = new_world.say
    finding = {"file": "a.py", "start_line": 3, "title": "off by one", "severity": "blocking"}
    text = json.dumps({"findings": [finding, finding]})[:-1] + ', {"file": "b.py", "tit'
    cut = say.turn(say.reply(text), stop=Stop.TRUNCATED)
    world = new_world(cut, cut)

    held = world.hold()

    assert held.ending is Ending.TRUNCATED
    assert held.reply_text == ""
    assert held.reason.count("blocking a.py:3 off by one") == 2
    assert "b.py" not in held.reason
    assert held.exchange.spent == 2 * TURN_COST
    assert "replied" not in world.row_names()


def test_a_complete_reply_in_a_cut_off_turn_is_no_reply(new_world: World) -> None:
    say = new_world.say
    cut = say.turn(say.reply(), stop=Stop.TRUNCATED)
    world = new_world(cut, cut)

    assert world.hold().ending is Ending.TRUNCATED


def test_after_a_turn_that_came_whole_another_may_be_cut_off_once(new_world: World) -> None:
    say = new_world.say
    cut = say.turn(stop=Stop.TRUNCATED)
    world = new_world(cut, say.turn(say.shell("ls")), cut, say.turn(say.reply()))

    assert world.hold().ending is Ending.REPLIED


@pytest.mark.parametrize(
    ("stop", "ending"),
    [(Stop.REFUSED, Ending.REFUSED), (Stop.OVERFLOW, Ending.OVERFLOW)],
    ids=["refused", "overflow"],
)
@pytest.mark.parametrize("with_reply", [False, True])
def test_a_refusal_and_a_full_window_end_the_exchange(
    new_world: World, stop: Stop, ending: Ending, with_reply: bool
) -> None:
    say = new_world.say
    calls = (say.reply(),) if with_reply else ()
    world = new_world(say.turn(*calls, text="I cannot help", stop=stop))

    held = world.hold()

    assert held.ending is ending
    assert held.exchange.spent == TURN_COST


def test_prose_is_nudged_once_and_then_invalid(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(text="Looks good!"), say.turn(text="As I said, fine."))

    held = world.hold()

    assert held.ending is Ending.INVALID
    assert held.reason == "ended its turn without a reply: As I said, fine."
    assert world.row_names().count("nudged") == 1
    assert "Call `reply` now" in world.said_last()


def test_an_empty_turn_is_nudged_and_the_reply_after_it_counts(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(), say.turn(say.reply()))

    assert world.hold().ending is Ending.REPLIED


def test_a_bad_shape_goes_back_as_the_tools_error_once_and_then_is_invalid(
    new_world: World,
) -> None:
    say = new_world.say
    world = new_world(
        say.turn(say.shell("ls"), say.reply("{}")), say.turn(say.reply("{}", call_id="r2"))
    )

    held = world.hold()

    assert held.ending is Ending.INVALID
    assert held.reason == "the reply was invalid twice: the reply is no object with a summary"
    returned = world.turns.asked[1].messages[-1]
    assert isinstance(returned, Returned)
    assert [(one.call_id, one.is_error) for one in returned.results] == [
        ("c1", False),
        ("r1", True),
    ]
    assert "- the reply is no object with a summary" in returned.results[1].output


def test_a_repaired_reply_counts(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(say.reply("{}")), say.turn(say.reply()))

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert held.fallen == ()


def test_a_point_that_does_not_check_twice_falls_and_the_rest_stands(new_world: World) -> None:
    say = new_world.say
    faulty = '{"summary": "s", "faulty": ["F2"]}'
    world = new_world(say.turn(say.reply(faulty)), say.turn(say.reply(faulty)))

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert [fault.point for fault in held.fallen] == ["F2"]
    assert "- F2: no such line" in world.turns.asked[1].messages[-1].model_dump_json().replace(
        "\\n", "\n"
    )


def test_there_is_one_repair_in_total(new_world: World) -> None:
    say = new_world.say
    faulty = '{"summary": "s", "faulty": ["F1"]}'
    world = new_world(
        say.turn(say.reply("{}")), say.turn(say.shell("ls")), say.turn(say.reply(faulty))
    )

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert [fault.point for fault in held.fallen] == ["F1"]
    assert world.row_names().count("repair") == 1


def test_the_last_of_several_complete_replies_is_the_answer(new_world: World) -> None:
    say = new_world.say
    first, second = say.reply('{"summary": "one"}', "r1"), say.reply('{"summary": "two"}', "r2")
    cut = say.reply('{"summary": "thr', "r3")

    held = new_world(say.turn(first, second, cut)).hold()

    assert held.reply_text == '{"summary": "two"}'


def test_without_tools_the_text_is_the_reply_and_the_last_object_counts(new_world: World) -> None:
    say = new_world.say
    text = '{"summary": "one"}\n{"summary": "two"}'
    world = new_world(say.turn(text=text), tools=Tools.NOTHING)

    held = world.hold()

    assert held.reply_text == '{"summary": "two"}'
    assert world.bench.opened == 0
    assert world.turns.asked[0].max_tokens == 32_000


def test_without_tools_prose_is_invalid_and_not_empty(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(text="fine"), say.turn(text=""), tools=Tools.NOTHING)

    held = world.hold()

    assert held.ending is Ending.INVALID
    assert "Your reply cannot be taken as it is" in world.said_last()


def test_tool_calls_without_end_are_endless(new_world: World) -> None:
    say = new_world.say
    script = [say.turn(say.shell(f"ls {n}")) for n in range(9)]
    world = new_world(*script, limits=ExchangeLimits(turns=5))

    held = world.hold()

    assert held.ending is Ending.ENDLESS
    assert held.reason == "no reply within 5 turns"
    assert len(world.turns.asked) == 5
    assert held.exchange.spent == 5 * TURN_COST


def test_a_reply_in_the_last_turn_counts_and_is_not_complained_about(new_world: World) -> None:
    say = new_world.say
    faulty = say.reply('{"summary": "s", "faulty": ["F1"]}')
    world = new_world(say.turn(say.shell("a")), say.turn(faulty), limits=ExchangeLimits(turns=2))

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert [fault.point for fault in held.fallen] == ["F1"]


def test_the_same_call_again_and_again_is_told_once_and_then_endless(new_world: World) -> None:
    say = new_world.say
    world = new_world(*[say.turn(say.shell("pytest")) for _ in range(9)])

    held = world.hold()

    assert held.ending is Ending.ENDLESS
    assert held.reason == "the same call of `bash` again and again"
    assert len(world.bench.ran) == 2
    assert len(world.turns.asked) == 4
    assert "third time in a row" in world.said_last()


def test_the_same_call_on_a_changed_tree_is_no_repetition(new_world: World) -> None:
    say = new_world.say
    script = [say.turn(say.shell("pytest")) for _ in range(5)]
    world = new_world(*script, say.turn(say.reply()), tools=Tools.EDIT)
    run = world.bench.run

    def changing(command: object) -> object:
        world.tree = f"tree-{len(world.bench.ran)}"
        return run(command)

    world.bench.run = changing

    assert world.hold().ending is Ending.REPLIED
    assert len(world.bench.ran) == 5


def test_other_calls_in_between_are_no_repetition(new_world: World) -> None:
    say = new_world.say
    script = [say.turn(say.shell("a")), say.turn(say.shell("b"))] * 4
    world = new_world(*script, say.turn(say.reply()))

    assert world.hold().ending is Ending.REPLIED


def test_a_paused_turn_is_asked_on(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(text="thinking", stop=Stop.PAUSED), say.turn(say.reply()))

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert world.turns.asked[1].messages[-1].kind == "heard"


def test_an_unknown_tool_and_bad_arguments_are_answered_and_nothing_runs(
    new_world: World,
) -> None:
    say = new_world.say
    strange = say.shell("x").model_copy(update={"tool": "unknown", "name": "web_search"})
    broken = say.shell("x", "c2").model_copy(update={"arguments": '{"command": 7}'})
    edit = say.shell("x", "c3").model_copy(
        update={"tool": "create", "arguments": '{"path": "a", "text": "b"}'}
    )
    world = new_world(say.turn(strange, broken, edit), say.turn(say.reply()))

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert world.bench.ran == []
    results = world.turns.asked[1].messages[-1].results
    assert all(result.is_error for result in results)
    assert "web_search" in results[0].output
    assert "nothing may be edited here" in results[2].output


@pytest.mark.parametrize("reason", ["overloaded", "rate_limited", "unreachable", "unexpected"])
def test_a_vendor_that_recovers_soon_is_waited_for(new_world: World, reason: Any) -> None:
    say = new_world.say
    world = new_world(say.fail(reason), say.fail(reason), say.turn(say.reply()))

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert world.clock.waited == [5.0, 20.0]
    assert world.turns.asked[0] == world.turns.asked[1] == world.turns.asked[2]


def test_an_answer_in_between_starts_the_count_of_failures_anew(new_world: World) -> None:
    say = new_world.say
    failed = say.fail("overloaded")
    script = [failed, failed, say.turn(say.shell("ls")), failed, failed, say.turn(say.reply())]
    world = new_world(*script)

    assert world.hold().ending is Ending.REPLIED
    assert world.clock.waited == [5.0, 20.0, 5.0, 20.0]


def test_after_three_failures_in_a_row_the_item_waits_and_goes_on_later(new_world: World) -> None:
    say = new_world.say
    world = new_world(*[say.fail("overloaded")] * 3, say.turn(say.reply()))

    held = world.hold()

    assert held.ending is None
    assert held.waiting_until == world.clock.now() + timedelta(seconds=300)
    world.clock.time = held.waiting_until
    assert world.hold().ending is Ending.REPLIED


def test_a_rate_limit_of_two_hours_leaves_the_exchange_open_and_costs_nothing(
    new_world: World,
) -> None:
    say = new_world.say
    world = new_world(say.fail("rate_limited", after=7_200), say.turn(say.reply()))

    held = world.hold()
    still = world.hold()

    assert held.ending is None
    assert held.waiting_until == world.clock.now() + timedelta(hours=2)
    assert still == held
    assert len(world.turns.asked) == 1
    assert held.exchange.spent == 0
    world.clock.wait(7_200)
    assert world.hold().ending is Ending.REPLIED


def test_six_failures_in_a_row_over_all_runs_are_unreachable(new_world: World) -> None:
    say = new_world.say
    world = new_world(*[say.fail("unreachable")] * 6)

    held = world.hold()
    while held.ending is None:
        world.clock.time = held.waiting_until
        held = world.hold()

    assert held.ending is Ending.UNREACHABLE
    assert len(world.turns.asked) == 6
    assert held.exchange.not_before is not None


@pytest.mark.parametrize(
    ("reason", "ending"),
    [
        ("bad_request", Ending.UNUSABLE),
        ("overflow", Ending.OVERFLOW),
    ],
)
def test_what_waiting_does_not_mend_ends_at_once(
    new_world: World, reason: Any, ending: Ending
) -> None:
    world = new_world(new_world.say.fail(reason))

    held = world.hold()

    assert held.ending is ending
    assert held.reason == f"{reason.replace('_', ' ')}: it failed"
    assert held.exchange.spent == 0


def test_a_refused_signature_starts_anew_from_the_brief_once(new_world: World) -> None:
    say = new_world.say
    refused = say.fail("bad_signature")
    world = new_world(say.turn(say.shell("ls")), refused, say.turn(say.shell("ls")), refused)

    held = world.hold()

    assert held.ending is Ending.UNUSABLE
    assert world.turns.asked[2].messages == world.turns.asked[0].messages
    assert len(world.bench.ran) == 2


def test_a_signature_refused_once_costs_nothing_but_the_new_start(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(say.shell("ls")), say.fail("bad_signature"), say.turn(say.reply()))

    held = world.hold()

    assert held.ending is Ending.REPLIED
    assert held.exchange.spent == 2 * TURN_COST


def test_a_stream_that_ended_early_costs_what_was_told_or_all_that_was_reserved(
    new_world: World,
) -> None:
    say = new_world.say
    partial = Usage(input=10, cache_read=0, cache_write=0, output=1)
    world = new_world(
        say.fail("unreachable", usage=partial), say.fail("unreachable"), say.turn(say.reply())
    )

    held = world.hold()

    told, untold = [row for row in world.rows() if isinstance(row, Failed)]
    bound = world.rows()[2].bound
    assert told.cost == 30
    assert untold.usage is None
    assert held.exchange.spent == 30 + bound + TURN_COST


def test_a_turn_of_unknown_usage_costs_the_reserve(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(say.reply(), known=False))

    held = world.hold()

    asked, answered = world.rows()[:2]
    assert isinstance(answered, Answered)
    assert held.exchange.spent == answered.cost == asked.bound


def test_secrets_in_tool_output_are_neither_stored_nor_sent(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.turn(say.shell("echo hunter2")), say.turn(say.reply()))

    world.hold()

    done = next(row for row in world.rows() if isinstance(row, Done))
    assert done.result.output == "ran echo [masked]\n"
    assert "ran echo hunter2" not in world.turns.asked[1].model_dump_json()


def test_secrets_in_what_a_vendor_says_are_not_stored(new_world: World) -> None:
    refused = VendorError("no hunter2 here", reason="bad_request")

    world = new_world(refused)
    world.hold()

    failed = next(row for row in world.rows() if isinstance(row, Failed))
    assert failed.detail == "no [masked] here"
    assert "hunter2" not in str(world.rows())


def test_an_exchange_whose_head_moved_on_is_superseded_without_a_call(new_world: World) -> None:
    say = new_world.say
    world = new_world(say.fail("rate_limited", after=7_200))
    world.hold()
    world.brief = world.brief.model_copy(update={"head": "n" * 40})

    held = world.hold()

    assert held.ending is Ending.SUPERSEDED
    assert len(world.turns.asked) == 1


def test_a_resumed_exchange_says_what_it_said_whatever_the_brief_is_worded_now(
    new_world: World,
) -> None:
    say = new_world.say
    world = new_world(say.fail("rate_limited", after=7_200), say.turn(say.reply()))
    world.hold()
    world.brief = world.brief.model_copy(update={"prompt": "other words"})
    world.clock.wait(7_200)

    world.hold()

    assert world.turns.asked[0] == world.turns.asked[1]


def test_every_request_is_paid_for_whatever_came_of_it(new_world: World) -> None:
    say = new_world.say
    stories: dict[Ending, list[Any]] = {
        Ending.REPLIED: [say.turn(say.reply())],
        Ending.TRUNCATED: [say.turn(stop=Stop.TRUNCATED)] * 2,
        Ending.REFUSED: [say.turn(stop=Stop.REFUSED)],
        Ending.OVERFLOW: [say.turn(stop=Stop.OVERFLOW)],
        Ending.INVALID: [say.turn(text="fine")] * 2,
        Ending.ENDLESS: [say.turn(say.shell("ls"))] * 4,
        Ending.UNUSABLE: [say.turn(say.shell("ls")), say.fail("bad_request")],
    }

    for ending, script in stories.items():
        world = new_world(*script)
        held = world.hold()

        answered = [row for row in world.rows() if isinstance(row, Answered)]
        assert held.ending is ending
        assert held.exchange.spent == TURN_COST * len(answered)
        assert all(row.turn.usage == new_world.usage for row in answered)
        assert (held.reply_text != "") is (ending is Ending.REPLIED)
