"""One question of triage, to both agents, about as many issues as fit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

from harness.doors.store import Lease
from harness.facts.briefing import IssueThread
from harness.facts.decisions import Decision, Opinion
from harness.facts.journal import Ending, Exchange, ExchangeKind
from harness.facts.replies import TriageReply
from harness.rules.forge_names import short_hash
from harness.rules.triage import reconcile, standing_opinion
from harness.runs.asking import Question, hold_either
from harness.runs.building import build_layers
from harness.runs.desk import Desk
from harness.runs.job import triage_job
from harness.runs.material import brief_limits, heading_of_triage, read_documents
from harness.runs.told import parse_recorded
from harness.words import briefs


def judge_batch(
    desk: Desk,
    lease: Lease,
    due: list[IssueThread],
    hashes: dict[int, str],
    known: dict[int, Decision],
) -> list[Decision]:
    """One question to both agents about as many issues as fit; the rest is for the next batch.

    An agent whose opinions on all of them stand already is not asked again; `due` is such that an
    agent's opinions on all of them stand, or none.
    """
    base = desk.trees.tip(desk.base_ref)
    decision = short_hash("".join(f"{one.issue.number}:{hashes[one.issue.number]};" for one in due))
    round_ = _round_of(desk, decision, _settled_at(due, known))
    documents = read_documents(desk, base)
    written = briefs.triage(
        desk.prompts,
        heading_of_triage(desk, round_),
        due,
        documents=documents,
        limits=brief_limits(desk),
    )
    asked = [one.issue.number for one in due if one.issue.number not in written.deferred]
    heard = {
        agent: {
            number: standing_opinion(known.get(number), hashes[number], agent) for number in asked
        }
        for agent in desk.agents
    }
    questions = [
        Question(
            kind=ExchangeKind.TRIAGE,
            agent=agent,
            round=round_,
            attempt=_attempt_of(desk, agent, round_),
            head=base,
            base=base,
            written=written,
            decision=decision,
        )
        for agent in desk.agents
        if None in heard[agent].values()
    ]
    build_layers(desk, base)  # a setup that fails is told before anybody is asked
    with ThreadPoolExecutor(max_workers=len(questions)) as pool:
        said = list(pool.map(lambda one: _opinions(desk, lease, one), questions))
    for question, opinions in zip(questions, said, strict=True):
        heard[question.agent] = {number: opinions.get(number) for number in asked}
    one, two = (heard[agent] for agent in desk.agents)
    made = [
        reconcile(
            one[number],
            two[number],
            repo_id=desk.repo_id,
            issue=number,
            on=hashes[number],
            at=desk.clock.now(),
        )
        for number in asked
    ]
    desk.store.record_decisions(made)
    return made


def _opinions(desk: Desk, lease: Lease, question: Question) -> dict[int, Opinion]:
    """One agent's opinions by issue number; none where it gave no valid answer."""
    mine = desk.fresh(lease)
    try:
        held = hold_either(mine, triage_job(mine), question)
        if held.ending is Ending.SUPERSEDED:  # the base or the agent moved on: asked anew
            anew = replace(question, attempt=held.exchange.brief.attempt + 1)
            held = hold_either(mine, triage_job(mine), anew)
        if held.ending is not Ending.REPLIED:
            return {}
        replied = mine.store.reply(held.exchange.id)
    finally:
        mine.close()
    if replied is None:
        return {}
    reply = parse_recorded(ExchangeKind.TRIAGE, replied)
    assert isinstance(reply, TriageReply)
    return {one.issue: Opinion(agent=question.agent, **one.model_dump()) for one in reply.issues}


def _round_of(desk: Desk, decision: str, settled_at: datetime | None) -> int:
    """The round that asked this very question and was not used yet, or a new one."""
    asked = desk.store.exchanges(desk.repo_id, 0)
    same = [
        one.brief.round
        for one in asked
        if one.brief.decision == decision
        and _is_usable(one)
        and (settled_at is None or one.created_at > settled_at)
    ]
    return same[-1] if same else max((one.brief.round for one in asked), default=0) + 1


def _is_usable(exchange: Exchange) -> bool:
    return exchange.result in {None, Ending.REPLIED}


def _attempt_of(desk: Desk, agent: str, round_: int) -> int:
    """The attempt that is open or answered, else the next one."""
    mine = [
        one
        for one in desk.store.exchanges(desk.repo_id, 0)
        if one.brief.pin.agent == agent and one.brief.round == round_
    ]
    if mine and _is_usable(mine[-1]):
        return mine[-1].brief.attempt
    return len(mine) + 1


def _settled_at(due: list[IssueThread], known: dict[int, Decision]) -> datetime | None:
    """When one of these issues was last decided: answers from before were used for that."""
    made = [known[one.issue.number] for one in due if one.issue.number in known]
    return max((one.at for one in made if one.verdict != "unjudged"), default=None)
