"""kill -9 at any row, in any request, in any command: the same end, nothing twice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import VendorError
from harness.facts.journal import Answered, Asked, Ended, Ending, Failed, Replied
from harness.facts.money import Caps, Usage
from harness.facts.moves import ExchangeLimits
from harness.facts.turns import Stop, Tools, Turn

World = Any  # the class that the fixture hands out; conftest modules are not importable by name
CAP = 400_000
TIGHT = Caps(exchange=CAP, item=CAP, repo_day=CAP, day=CAP)


def story(world: World) -> list[Turn | VendorError]:
    """Calls, a failure, a cut, a nudge, a complaint, an accepted reply."""
    say = world.say
    return [
        say.turn(say.shell("ls"), say.shell("cat a.py", "c2")),
        say.fail("overloaded"),
        say.turn(say.shell("pytest")),
        say.turn(say.reply('{"summ'), stop=Stop.TRUNCATED),
        say.turn(text="Done."),
        say.turn(say.shell("git diff"), say.reply("{}")),
        say.turn(say.reply()),
    ]


def test_a_kill_after_any_row_changes_nothing(new_world: World) -> None:
    calm = new_world(*story(new_world))
    expected = calm.hold()

    for row in range(1, calm.store.appended + 1):
        world = new_world(*story(new_world))
        world.store.die_after = row
        held = world.hold_through_kills()

        assert (held.ending, held.reply_text) == (expected.ending, expected.reply_text), row
        assert max(Counter(world.turns.asked).values(), default=1) <= 2, row
        assert len(world.turns.asked) == len(calm.turns.asked), row
        ran = Counter(command.argv[-1] for command in world.bench.ran)
        assert max(ran.values()) == 1, row
        assert sum(ran.values()) >= len(calm.bench.ran) - 1, row
        assert world.row_names().count("replied") == 1
        assert world.row_names().count("ended") == 1


def test_a_kill_while_the_vendor_works_repeats_that_one_request_and_spends_its_reserve(
    new_world: World,
) -> None:
    calm = new_world(*story(new_world))
    expected = calm.hold()

    for request in range(1, len(calm.turns.asked) + 1):
        world = new_world(*story(new_world))
        world.turns.die_at = request
        held = world.hold_through_kills()

        assert held.ending is expected.ending
        assert world.turns.asked[request - 1] == world.turns.asked[request]
        assert len(world.turns.asked) == len(calm.turns.asked) + 1
        lost = [row for row in world.rows() if isinstance(row, Asked)][request - 1]
        assert held.exchange.spent == expected.exchange.spent + lost.bound


def test_a_command_that_was_killed_is_never_run_again_and_the_agent_is_told(
    new_world: World,
) -> None:
    say = new_world.say
    world = new_world(
        say.turn(say.shell("rm -r build"), say.shell("ls", "c2")), say.turn(say.reply())
    )
    world.bench.die_at = 1

    held = world.hold_through_kills()

    assert held.ending is Ending.REPLIED
    assert [command.argv[-1] for command in world.bench.ran] == ["rm -r build", "ls"]
    first, second = world.turns.asked[1].messages[-1].results
    assert first.output == "interrupted: may have happened in part, look before you repeat"
    assert first.is_error
    assert second.output == "ran ls\n"


def test_a_command_that_was_killed_twice_is_run_when_it_is_asked_for_again(
    new_world: World,
) -> None:
    say = new_world.say
    tries = [say.turn(say.shell("pytest", f"c{number}")) for number in (1, 2, 3)]
    world = new_world(*tries, say.turn(say.reply()))

    held = None
    while held is None:
        world.bench.die_at = min(len(world.bench.ran) + 1, 2)
        held = world.hold_once()

    assert held.ending is Ending.REPLIED
    assert [command.argv[-1] for command in world.bench.ran] == ["pytest"] * 3
    assert "ran pytest" in world.turns.asked[-1].messages[-1].results[0].output


def test_killed_at_every_other_row_it_comes_to_the_same_end(new_world: World) -> None:
    world = new_world(*story(new_world))
    held = None
    while held is None:
        world.store.die_after = world.store.appended + 2
        held = world.hold_once()

    assert held.ending is Ending.REPLIED


def test_a_request_that_kills_the_harness_every_time_is_given_up(new_world: World) -> None:
    world = new_world()
    held = None
    while held is None:
        world.turns.die_at = len(world.turns.asked) + 1
        held = world.hold_once()

    assert held.ending is Ending.UNREACHABLE
    assert held.reason == "the harness was stopped 6 times in a row while it asked"
    assert len(world.turns.asked) == 6


@st.composite
def scripts(draw: st.DrawFn, say: Any) -> list[Turn | VendorError]:
    """Any mixture of turns and failures, long enough for the turn limit."""
    reasons = st.sampled_from(
        ["overloaded", "rate_limited", "unreachable", "unexpected", "bad_signature", "overflow"]
    )
    calls = st.lists(
        st.sampled_from(
            [
                say.shell("ls"),
                say.shell("pytest"),
                say.shell("x").model_copy(update={"tool": "unknown"}),
                say.reply(),
                say.reply("{}"),
                say.reply('{"summary": "s", "faulty": ["F1"]}'),
            ]
        ),
        max_size=3,
    )
    stops = st.sampled_from([None, None, None, Stop.TRUNCATED, Stop.PAUSED, Stop.REFUSED])
    usages = st.builds(
        Usage,
        input=st.integers(0, 500),
        cache_read=st.integers(0, 500),
        cache_write=st.integers(0, 500),
        output=st.integers(0, 500),
    )
    turns = st.builds(
        lambda made, stop, usage, known, text: say.turn(
            *(call.model_copy(update={"id": f"c{n}"}) for n, call in enumerate(made)),
            stop=stop,
            usage=usage,
            known=known,
            text=text,
        ),
        calls,
        stops,
        usages,
        st.booleans(),
        st.sampled_from(["", "prose", '{"summary": "as text"}']),
    )
    failures = st.builds(
        lambda reason, after: say.fail(reason, after=after),
        reasons,
        st.sampled_from([None, 10, 7_200]),
    )
    head = draw(st.lists(st.one_of(turns, turns, failures), max_size=8))
    return head + [say.turn(say.shell(f"ls {n}")) for n in range(20)]


@pytest.mark.parametrize("tools", list(Tools))
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_every_exchange_ends_within_its_caps_whatever_comes_and_whenever_it_is_killed(
    new_world: World, tools: Tools, data: st.DataObject
) -> None:
    script = data.draw(scripts(new_world.say))
    world = new_world(*script, tools=tools, caps=TIGHT, limits=ExchangeLimits(turns=8))
    kills = data.draw(st.lists(st.integers(1, 40), max_size=3))

    held = None
    for _ in range(60):
        world.store.die_after = kills.pop() if kills else None
        before = len(world.turns.script)
        held = world.hold_through_kills()
        if held.ending is not None:
            break
        assert held.waiting_until > world.clock.now()
        assert len(world.turns.script) <= before
        world.clock.time = held.waiting_until

    assert held is not None
    assert held.ending is not None
    rows = world.rows()
    assert [row for row in rows if isinstance(row, Ended)] == rows[-1:]
    assert held.exchange.spent <= CAP
    assert all(bound >= 0 for _, bound in world.store.reserves.values())
    assert not [state for state, _ in world.store.reserves.values() if state == "open"]
    heard = [row for row in rows if isinstance(row, Answered | Failed)]
    asked = [row for row in rows if isinstance(row, Asked)]
    assert len(asked) - len(heard) <= 3
    if held.ending is Ending.REPLIED:
        last_turn = [row for row in rows if isinstance(row, Answered)][-1].turn
        assert last_turn.stop not in {Stop.TRUNCATED, Stop.REFUSED, Stop.OVERFLOW}
        assert [row.text for row in rows if isinstance(row, Replied)] == [held.reply_text]
    else:
        assert held.reply_text == ""
        assert not held.fallen
