from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Template
from typing import Any

import pytest

from harness.facts.briefing import Ask, Material, Written
from harness.facts.exchanges import EXCHANGES
from harness.facts.journal import ExchangeKind
from harness.facts.turns import Tools
from harness.words import briefs, briefs_checkin
from harness.words.filling import fill, system_text

Prompts = Mapping[str, str]


def write(kind: ExchangeKind, prompts: Prompts, facts: Any) -> Written:
    """The brief of an exchange of this kind, about something."""
    heading, change, none = facts.heading, facts.change, Material()
    points, held, said = [facts.standing()], [facts.held()], facts.said(1, "b")
    asks = [Ask(said=said, request="r", reasoning="w", ask="implement")]
    writers: dict[ExchangeKind, Callable[[], Written]] = {
        ExchangeKind.TRIAGE: lambda: briefs.triage(prompts, heading, [facts.thread()]),
        ExchangeKind.IMPLEMENT: lambda: briefs.implement(prompts, heading, none, base="a"),
        ExchangeKind.REVIEW: lambda: briefs.review(prompts, heading, none, change),
        ExchangeKind.CLOSE: lambda: briefs.close(prompts, heading, none, change),
        ExchangeKind.RESPOND: lambda: briefs.respond(prompts, heading, none, change, points=points),
        ExchangeKind.FIX_OWN: lambda: briefs.fix_own(prompts, heading, none, change, points=points),
        ExchangeKind.FIX_CHECK: lambda: briefs.fix_check(
            prompts, heading, none, change, check=facts.check()
        ),
        ExchangeKind.UPDATE: lambda: briefs.update(
            prompts, heading, none, base="a", head="b", conflicts=["a.py"]
        ),
        ExchangeKind.REBUT: lambda: briefs.rebut(prompts, heading, none, change, points=points),
        ExchangeKind.SAME: lambda: briefs.same(prompts, heading, held=held, points=points),
        ExchangeKind.ADJUDICATE: lambda: briefs.adjudicate(
            prompts, heading, none, change, held=held
        ),
        ExchangeKind.SCREEN: lambda: briefs_checkin.screen(
            prompts, heading, entries=points, base="a"
        ),
        ExchangeKind.CHECKIN: lambda: briefs_checkin.checkin(
            prompts, heading, none, change, comments=[said]
        ),
        ExchangeKind.CHECKIN_CHECK: lambda: briefs_checkin.checkin_check(
            prompts, heading, none, change, asks=asks
        ),
        ExchangeKind.CHECKIN_FIX: lambda: briefs_checkin.checkin_fix(
            prompts, heading, none, change, asks=asks
        ),
    }
    return writers[kind]()


def supplied(kind: ExchangeKind, prompts: Prompts, facts: Any) -> set[str]:
    """Every name that the brief supplies, found by a prompt that wants just that one."""
    every = {name for text in prompts.values() for name in Template(text).get_identifiers()}
    found = set()
    for name in every:
        one = {**prompts, EXCHANGES[kind].prompt: f"${{{name}}}"}
        try:
            write(kind, one, facts)
        except KeyError:
            continue
        found.add(name)
    return found


@pytest.mark.parametrize("kind", ExchangeKind)
def test_a_prompt_names_exactly_what_its_brief_supplies(
    kind: ExchangeKind, prompts: Prompts, facts: Any
) -> None:
    wanted = set(Template(prompts[EXCHANGES[kind].prompt]).get_identifiers())

    unused = supplied(kind, prompts, facts) - wanted

    assert wanted <= supplied(kind, prompts, facts)
    assert unused <= {"item"}


@pytest.mark.parametrize("kind", ExchangeKind)
def test_the_first_line_says_kind_place_and_round(
    kind: ExchangeKind, prompts: Prompts, facts: Any
) -> None:
    written = write(kind, prompts, facts)

    assert written.prompt.splitlines()[0] == f"exchange: {kind.value} octo/calc#12 round 2"


@pytest.mark.parametrize("kind", ExchangeKind)
def test_a_brief_is_the_same_bytes_every_time_and_leaves_no_name_open(
    kind: ExchangeKind, prompts: Prompts, facts: Any
) -> None:
    written = write(kind, prompts, facts)

    assert write(kind, prompts, facts) == written
    assert "$" not in written.prompt.replace("$ make test", "")
    assert "$" not in written.system


def test_a_name_that_nothing_supplies_is_an_error(prompts: Prompts, facts: Any) -> None:
    broken = {**prompts, "same": "$findings $weather"}

    with pytest.raises(KeyError, match="weather"):
        briefs.same(broken, facts.heading, held=[facts.held()], points=[])


def test_there_is_a_prompt_for_each_exchange_and_no_other(prompts: Prompts) -> None:
    may = {f"may_{tools.value}" for tools in Tools}

    assert set(prompts) == {form.prompt for form in EXCHANGES.values()} | may | {"house"}


def test_the_system_text_depends_on_what_the_exchange_may_do_only(prompts: Prompts) -> None:
    texts = {tools: system_text(prompts, tools) for tools in Tools}

    assert len(set(texts.values())) == len(Tools)
    for tools, text in texts.items():
        assert prompts[f"may_{tools.value}"].strip() in text
        assert ("tool `reply`" in text) == (tools is not Tools.NOTHING)


@pytest.mark.parametrize("tools", [Tools.READ, Tools.EDIT])
def test_an_agent_with_a_shell_is_told_what_fails(prompts: Prompts, tools: Tools) -> None:
    text = system_text(prompts, tools)

    for command in ("git add", "git stash", "git checkout", "git restore", "git commit"):
        assert f"`{command}`" in text


def test_the_fence_in_the_prompt_is_the_fence_around_the_data(prompts: Prompts, facts: Any) -> None:
    system, prompt = fill(
        {**prompts, "same": "mark $fence\n$data"},
        ExchangeKind.SAME,
        facts.heading,
        words={},
        sections={"data": ()},
    )

    assert system
    assert prompt == (
        "exchange: same octo/calc#12 round 2\n\nmark "
        + prompt.split("mark ")[1][:16]
        + "\n[None.]\n"
    )
