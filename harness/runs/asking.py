"""Asking one agent one question: its tree and bench, its judge, its stand-in, its silence."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from harness.doors.workbench import Bench
from harness.errors import TURNED_AWAY, AgentUnusable, VendorError
from harness.facts.briefing import Written
from harness.facts.case import Case
from harness.facts.decisions import ItemReport, Outcome
from harness.facts.exchanges import EXCHANGES
from harness.facts.journal import Brief, Ended, Ending, Exchange, ExchangeKind
from harness.facts.moves import ExchangeLimits, Held
from harness.facts.trees import Left, Tree
from harness.facts.turns import AgentPin, Tools
from harness.rules.budget import caps_of
from harness.runs.building import build_layers, shared_tree
from harness.runs.desk import Desk
from harness.runs.exchange import hold_exchange
from harness.runs.job import Job
from harness.runs.putting_away import put_away, tree_name
from harness.runs.sourcing import make_judge
from harness.words.turned_away import turned_away_sentence

logger = logging.getLogger(__name__)

_STAND_IN_FOR = frozenset(
    {
        Ending.TRUNCATED,
        Ending.REFUSED,
        Ending.INVALID,
        Ending.ENDLESS,
        Ending.OVERFLOW,
        Ending.UNREACHABLE,
        Ending.UNUSABLE,
    }
)


@dataclass(frozen=True)
class Question:
    """What is asked, of whom, about which commits."""

    kind: ExchangeKind
    agent: str
    round: int
    attempt: int
    head: str
    base: str
    written: Written
    decision: str = ""
    start: str = ""  # the commit its work tree is made at, where that is not the head
    heard: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """`exchange_id` of a valid answer, or ""; `report` where the item goes no further for now.

    `gave_up`: the agent had its say and there is no valid answer; neither money nor the head ended
    it.
    """

    exchange_id: str = ""
    report: ItemReport | None = None
    gave_up: bool = False


def ask(desk: Desk, job: Job, case: Case, question: Question) -> Answer:
    """Ask, and once more its stand-in where there is no valid answer. Never raises for silence.

    Raises AgentUnusable where its vendor turns the agent away.
    """
    held = hold_either(desk, job, question)
    if held.ending is Ending.REPLIED:
        return Answer(exchange_id=held.exchange.id)
    if held.ending is None:
        return Answer(
            report=ItemReport(
                repo=desk.repo.slug,
                item=job.item,
                title="",
                outcome=Outcome.WAITING,
                reason=f"{question.agent}: {held.reason}",
                pull=case.pull.number if case.pull else 0,
                not_before=held.waiting_until,
            )
        )
    return Answer(gave_up=held.ending in _STAND_IN_FOR)


def hold_either(desk: Desk, job: Job, question: Question) -> Held:
    """Hold the exchange with the agent, then with its stand-in where that gave no valid answer."""
    held = hold(desk, job, question, desk.pin(question.agent))
    spare = desk.settings.agents[question.agent].fallback
    if held.ending not in _STAND_IN_FOR or not spare:
        return held
    pin = desk.pin(spare).model_copy(update={"agent": question.agent})
    return hold(desk, job, replace(question, attempt=question.attempt + 1), pin)


def hold(desk: Desk, job: Job, question: Question, pin: AgentPin) -> Held:
    """Hold one exchange to its end, or to where it must wait; one that is open keeps its pin.

    Raises AgentUnusable, at once where that was found out before in this run.
    """
    brief = _brief(desk, job, question, pin)
    for said in question.written.aloud:
        logger.info("%s #%d, %s: %s", desk.repo.slug, job.item, question.kind, said)
    begun = _asked_before(desk, brief)
    if begun and begun.brief.pin != pin and _was_turned_away(desk, begun):
        return _end_superseded(desk, brief, "its agent was changed after its vendor turned it away")
    pin = begun.brief.pin if begun else pin
    if pin in desk.turned_away:
        raise AgentUnusable(desk.turned_away[pin])
    tree = _tree(desk, question, brief)
    if tree is None and brief.tools is Tools.EDIT:
        return _end_superseded(desk, brief, "its work tree is gone")

    def left() -> Left | None:
        return desk.trees.left(tree) if tree and brief.tools is Tools.EDIT else None

    try:
        held = hold_exchange(
            brief,
            run_id=desk.run_id,
            store=desk.store,
            turns=desk.turns(pin),
            bench=_bench(desk, tree, brief),
            judge=make_judge(desk, brief, job.scope, question.written, left),
            left=left,
            clock=desk.clock,
            caps=caps_of(desk.choice.limits, desk.settings.limits, job.item),
            prices=desk.prices(pin),
            limits=ExchangeLimits.of(desk.choice.limits),
            schemas=desk.schemas,
            editor=desk.editor,
            scrub=desk.scrub,
            progress=desk.progress,
        )
    except VendorError as error:
        raise _give_up(desk, pin, error) from None
    if held.ending is not None:
        put_away(desk, held.exchange)
    return held


def _brief(desk: Desk, job: Job, question: Question, pin: AgentPin) -> Brief:
    form, written = EXCHANGES[question.kind], question.written
    return Brief(
        kind=question.kind,
        repo_id=desk.repo_id,
        item=job.item,
        round=question.round,
        attempt=question.attempt,
        pin=pin,
        head=question.head,
        base=question.base,
        decision=question.decision,
        system=written.system,
        prompt=desk.scrub(written.prompt),
        tools=form.tools,
        reply_name=form.reply,
        handles=written.handles,
        required_handles=written.required_handles,
        optional_handles=written.optional_handles,
        branch=job.branch,
        heard=question.heard,
        citable=written.citable,
    )


def _tree(desk: Desk, question: Question, brief: Brief) -> Tree | None:
    """The tree to work in; None for a tree that should be there and is gone."""
    match brief.tools:
        case Tools.NOTHING:
            return None
        case Tools.READ:
            return shared_tree(desk, question.head)
        case Tools.EDIT:
            name = tree_name(brief)
            there = desk.trees.open_tree(name)
            if there is not None or _is_begun(desk, brief):
                return there
            return desk.trees.add_tree(question.start or question.head, name)


def _is_begun(desk: Desk, brief: Brief) -> bool:
    """Whether this very question has run commands whose effects a fresh tree would not hold."""
    begun = _asked_before(desk, brief)
    return begun is not None and any(row.row == "done" for row in desk.store.journal(begun.id))


def _asked_before(desk: Desk, brief: Brief) -> Exchange | None:
    """The open exchange that asks this very question."""
    key = (brief.branch, brief.kind, brief.pin.agent, brief.round, brief.attempt)
    for one in desk.store.exchanges(brief.repo_id, brief.item):
        its = one.brief
        if one.result is None and key == (
            its.branch, its.kind, its.pin.agent, its.round, its.attempt
        ):  # fmt: skip
            return one
    return None


def _was_turned_away(desk: Desk, exchange: Exchange) -> bool:
    """Whether its vendor turned its agent away when it was last asked."""
    last = desk.store.journal(exchange.id)[-1:]
    return any(row.row == "failed" and row.why in TURNED_AWAY for row in last)


def _give_up(desk: Desk, pin: AgentPin, error: VendorError) -> AgentUnusable:
    """From now on this run does not ask this agent."""
    name = desk.settings.name_of(pin)
    variable = desk.settings.agents[name].key_variable
    sentence = turned_away_sentence(
        name, pin.model, error.reason, desk.scrub(str(error)), variable=variable
    )
    logger.warning("%s", sentence)
    desk.turned_away[pin] = sentence
    return AgentUnusable(sentence)


def _end_superseded(desk: Desk, brief: Brief, reason: str) -> Held:
    """Nothing of it can be gone on with: the question is asked anew."""
    exchange = desk.store.open_exchange(desk.run_id, brief, desk.clock.now())
    desk.store.append(exchange.id, Ended(result=Ending.SUPERSEDED, reason=reason), desk.clock.now())
    return Held(exchange=exchange, ending=Ending.SUPERSEDED, reason=reason)


def _bench(
    desk: Desk, tree: Tree | None, brief: Brief
) -> Callable[[], AbstractContextManager[Bench]] | None:
    if tree is None:
        return None

    def make() -> AbstractContextManager[Bench]:
        layers = build_layers(desk, brief.base)
        if brief.tools is Tools.EDIT:
            return desk.workbench.open(tree, "write", layers=layers)
        return desk.workbench.open(tree, "overlay", layers=layers)

    return make
