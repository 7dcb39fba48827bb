"""Triage: both agents judge what is new, without seeing each other; rules make the decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime

from harness.doors.store import Lease
from harness.errors import AgentUnusable, ForgeError, Refused, SetupFailed
from harness.facts.briefing import IssueThread
from harness.facts.decisions import Decision, ItemReport, Opinion, Outcome
from harness.facts.forge import Issue
from harness.facts.journal import Ending, Exchange, ExchangeKind
from harness.facts.replies import TriageReply
from harness.facts.triage import Selection
from harness.rules.forge_names import short_hash
from harness.rules.triage import made_on, needs_decision, reconcile
from harness.rules.triage_select import select_issues
from harness.rules.triage_tries import is_asked_alone, is_used_up, tries_about
from harness.runs.asking import Question, hold_either
from harness.runs.building import build_layers, shared_tree
from harness.runs.desk import Desk
from harness.runs.job import triage_job
from harness.runs.material import brief_limits, heading_of_triage, read_documents, read_thread
from harness.runs.told import parse_recorded
from harness.runs.trouble import tell_trouble
from harness.words import briefs

MOST_BATCHES = 20


def select(desk: Desk) -> Selection:
    """The issues of this run. Raises Refused for a number that is no open issue here."""
    issues = desk.reading.open_issues()
    decided = [one.issue for one in desk.store.decisions(desk.repo_id)]
    selection = select_issues(issues, desk.choice.triage, desk.named, decided)
    for number in selection.missing:
        found = read_named(desk, number)
        if found.is_pull:
            raise Refused(
                f"#{number} of {desk.repo.slug} is a pull request; "
                f"`harness resume {number}` goes on with it"
            )
        raise Refused(f"issue #{number} of {desk.repo.slug} is {found.state}; nothing was done")
    return selection


def read_named(desk: Desk, number: int) -> Issue:
    """An item that was named. Raises Refused when there is none of this number."""
    try:
        return desk.reading.issue(number)
    except ForgeError as error:
        if error.reason in {"gone", "moved"}:
            raise Refused(
                f"{desk.repo.slug} has no #{number} (any more); nothing was done"
            ) from None
        raise


def read_threads(
    desk: Desk, issues: Iterable[Issue]
) -> tuple[dict[int, IssueThread], dict[int, ItemReport]]:
    """What was said on each issue, by number; and the reports of those that cannot be read.

    Raises ForgeError where that is no single issue's trouble: a limit, a credential.
    """
    threads: dict[int, IssueThread] = {}
    unread: dict[int, ItemReport] = {}
    for issue in issues:
        try:
            threads[issue.number] = read_thread(desk, issue)
        except ForgeError as error:
            if error.reason in {"rate_limited", "unauthorised"}:
                raise
            unread[issue.number] = tell_trouble(desk, issue.number, issue.title, error)
            desk.store.record_outcome(
                desk.run_id, desk.repo_id, unread[issue.number], desk.clock.now()
            )
    return threads, unread


@dataclass(frozen=True)
class Judged:
    """The decisions that stand, and the reports of issues that could not be asked about."""

    decisions: tuple[Decision, ...]
    put_off: dict[int, ItemReport]


def judge_issues(desk: Desk, lease: Lease, threads: Mapping[int, IssueThread]) -> Judged:
    """The decisions on these issues, made now where they do not stand; recorded as they come."""
    known = {one.issue: one for one in desk.store.decisions(desk.repo_id)}
    hashes = {
        number: made_on(thread.issue, [said.comment for said in thread.comments])
        for number, thread in threads.items()
    }
    begun = {row.item for row in desk.store.open_pulls(desk.repo_id) if row.origin == "ours"}
    tries = {number: failed_tries(desk, number, hashes[number]) for number in threads}
    due = [
        thread
        for number, thread in threads.items()
        if not (number in begun and number in known)
        and _is_due(desk, known.get(number), hashes[number], number, tries[number])
    ]
    most = desk.choice.loop.max_tries
    alone = [one for one in due if is_asked_alone(tries[one.issue.number], most)]
    put_off: dict[int, ItemReport] = {}
    try:
        for _ in range(MOST_BATCHES):
            if not due:
                break
            batch = [one for one in due if one not in alone] or due[:1]
            made = _judge_batch(desk, lease, batch, hashes, known)
            known |= {one.issue: one for one in made}
            done = {one.issue for one in made}
            due = [one for one in due if one.issue.number not in done]
    except (AgentUnusable, SetupFailed) as error:
        put_off = {one.issue.number: _put_off(desk, one.issue, str(error)) for one in due}
    stand = [one for one in threads if one in known and one not in put_off]
    return Judged(tuple(known[number] for number in stand), put_off)


def _put_off(desk: Desk, issue: Issue, reason: str) -> ItemReport:
    """It waits as it is: nothing counts as having been asked."""
    report = ItemReport(
        repo=desk.repo.slug,
        item=issue.number,
        title=issue.title,
        outcome=Outcome.WAITING,
        reason=reason,
    )
    desk.store.record_outcome(desk.run_id, desk.repo_id, report, desk.clock.now())
    return report


def failed_tries(desk: Desk, issue: int, on: str) -> tuple[Exchange, ...]:
    """The questions about this text of an issue that came to no valid answer."""
    since = desk.store.decided_otherwise(desk.repo_id, issue, on)
    return tries_about(desk.store.exchanges(desk.repo_id, 0), issue, since)


def _is_due(
    desk: Desk, decision: Decision | None, on: str, number: int, tries: tuple[Exchange, ...]
) -> bool:
    """A number on the command line asks again only where the decision did not schedule it."""
    asked = number in desk.named and decision is not None and decision.verdict != "scheduled"
    asked = asked and decision is not None and decision.at < desk.started and not desk.anyway
    now = desk.clock.now()
    until = tries[-1].not_before if tries else None
    rests = is_used_up(tries, desk.choice.loop.max_tries) or (until is not None and until > now)
    return bool(needs_decision(decision, on, now, desk.choice.triage, asked=asked, given_up=rests))


def _settled_at(due: list[IssueThread], known: dict[int, Decision]) -> datetime | None:
    """When one of these issues was last decided: answers from before were used for that."""
    made = [known[one.issue.number] for one in due if one.issue.number in known]
    return max((one.at for one in made if one.verdict != "unjudged"), default=None)


def _judge_batch(
    desk: Desk,
    lease: Lease,
    due: list[IssueThread],
    hashes: dict[int, str],
    known: dict[int, Decision],
) -> list[Decision]:
    """One question to both agents about as many issues as fit; the rest is for the next batch.

    An agent whose opinions on all of them stand already is not asked again.
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
        agent: {number: _heard(known.get(number), hashes[number], agent) for number in asked}
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
    build_layers(desk, base)
    shared_tree(desk, base)  # made once, before two threads look at it
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


def _heard(decision: Decision | None, on: str, agent: str) -> Opinion | None:
    """What an agent said of this very text while the other one was silent."""
    if decision is None or decision.verdict != "unjudged" or decision.made_on != on:
        return None
    return next((one for one in decision.opinions if one.agent == agent), None)


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
