"""Triage: both agents judge what is new, without seeing each other; rules make the decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.doors.store import Lease
from harness.errors import AgentUnusable, ForgeError, SetupFailed
from harness.facts.briefing import IssueThread
from harness.facts.decisions import Decision, ItemReport, Outcome
from harness.facts.forge import Issue
from harness.facts.journal import Exchange
from harness.facts.triage import Selection
from harness.rules.triage import made_on, needs_decision, to_ask
from harness.rules.triage_select import select_issues
from harness.rules.triage_tries import is_asked_alone, is_used_up, tries_about
from harness.runs.desk import Desk
from harness.runs.inheriting import supersede_gone
from harness.runs.judging import judge_batch
from harness.runs.material import read_thread
from harness.runs.named import named_issue
from harness.runs.trouble import tell_trouble

MOST_BATCHES = 20


def select(desk: Desk) -> Selection:
    """The issues of this run. Raises Refused for a number that is no open issue here.

    A named one that the forge does not list yet is read by itself.
    """
    issues = desk.reading.open_issues()
    decided = [one.issue for one in desk.store.decisions(desk.repo_id)]
    selection = select_issues(issues, desk.choice.triage, desk.named, decided)
    unlisted = tuple(named_issue(desk, number) for number in selection.missing)
    if not unlisted:
        return selection
    return select_issues((*issues, *unlisted), desk.choice.triage, desk.named, decided)


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


@dataclass(frozen=True)
class _Looked:
    """What is known of these issues, and which are to be asked about."""

    known: dict[int, Decision]
    hashes: dict[int, str]
    tries: dict[int, tuple[Exchange, ...]]
    due: list[IssueThread]


def find_standing(desk: Desk, threads: Mapping[int, IssueThread]) -> tuple[Decision, ...]:
    """The decisions on these issues that stand as they are."""
    looked = _look(desk, threads)
    due = {one.issue.number for one in looked.due}
    return tuple(looked.known[one] for one in threads if one in looked.known and one not in due)


def judge_issues(desk: Desk, lease: Lease, threads: Mapping[int, IssueThread]) -> Judged:
    """The decisions on these issues, made now where they do not stand; recorded as they come."""
    supersede_gone(desk, 0)
    looked = _look(desk, threads)
    known, hashes, due = dict(looked.known), looked.hashes, looked.due
    most = desk.choice.loop.max_tries
    alone = [one for one in due if is_asked_alone(looked.tries[one.issue.number], most)]
    put_off: dict[int, ItemReport] = {}
    try:
        for _ in range(MOST_BATCHES):
            if not due:
                break
            batch = _alike(desk, [one for one in due if one not in alone] or due[:1], known, hashes)
            made = judge_batch(desk, lease, batch, hashes, known)
            known |= {one.issue: one for one in made}
            done = {one.issue for one in made}
            due = [one for one in due if one.issue.number not in done]
    except (AgentUnusable, SetupFailed) as error:
        put_off = {one.issue.number: _put_off(desk, one.issue, str(error)) for one in due}
    stand = [one for one in threads if one in known and one not in put_off]
    return Judged(tuple(known[number] for number in stand), put_off)


def _alike(
    desk: Desk, due: list[IssueThread], known: Mapping[int, Decision], hashes: Mapping[int, str]
) -> list[IssueThread]:
    """The first, and all others that are to be asked of the same agents: nobody answers twice."""

    def asked(one: IssueThread) -> frozenset[str]:
        number = one.issue.number
        return to_ask(known.get(number), hashes[number], desk.agents)

    return [one for one in due if asked(one) == asked(due[0])]


def _look(desk: Desk, threads: Mapping[int, IssueThread]) -> _Looked:
    known = {one.issue: one for one in desk.store.decisions(desk.repo_id)}
    hashes = {
        number: made_on(thread.issue, [said.comment for said in thread.comments])
        for number, thread in threads.items()
    }
    begun = {row.item for row in desk.store.open_pulls(desk.repo_id) if row.origin == "ours"}
    tries = _tries(desk, known, hashes)
    due = [
        thread
        for number, thread in threads.items()
        if not (number in begun and number in known)
        and _is_due(desk, known.get(number), hashes[number], number, tries[number])
    ]
    return _Looked(known, hashes, tries, due)


def _tries(
    desk: Desk, known: dict[int, Decision], hashes: dict[int, str]
) -> dict[int, tuple[Exchange, ...]]:
    """The questions about each issue that came to nothing; none where it is judged."""
    open_ = {one for one in hashes if one not in known or known[one].verdict == "unjudged"}
    asked = desk.store.exchanges(desk.repo_id, 0) if open_ else ()
    return {
        number: _since_changed(desk, asked, number, on) if number in open_ else ()
        for number, on in hashes.items()
    }


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
    return _since_changed(desk, desk.store.exchanges(desk.repo_id, 0), issue, on)


def _since_changed(
    desk: Desk, asked: tuple[Exchange, ...], issue: int, on: str
) -> tuple[Exchange, ...]:
    since = desk.store.decided_otherwise(desk.repo_id, issue, on)
    return tries_about(asked, issue, since)


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
