"""One run over one repository: triage, then every item in order, each under its own lease."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from harness.errors import AccessLost, AgentUnusable, DoorError, ForgeError
from harness.facts.decisions import ItemReport, Outcome
from harness.facts.forge import Issue
from harness.rules.forge_names import item_lease, triage_lease
from harness.runs.custody import work_item
from harness.runs.deciding import (
    Schedule,
    act_on_decisions,
    schedule_standing,
    settled_by_pulls,
)
from harness.runs.desk import Desk
from harness.runs.job import Job, job_of_issue, job_of_pull
from harness.runs.leaving import left_alone, pull_of
from harness.runs.named import check_there, named_pull
from harness.runs.putting_away import put_away_ended
from harness.runs.resting import rest_after_undo
from harness.runs.triage import find_standing, judge_issues, read_threads, select
from harness.runs.trouble import tell_trouble

logger = logging.getLogger(__name__)


def triage_repo(desk: Desk) -> Schedule:
    """Judge the issues of this run and act on what was decided; what is scheduled comes back."""
    check_base(desk)
    try:
        selection = select(desk)
    except ForgeError as error:
        if error.status != _DISABLED or desk.named:
            raise
        return Schedule((), (_no_issues(desk),))
    lease = desk.store.claim(triage_lease(desk.repo_id), desk.clock.now())
    if lease is None:
        return _without_triage(desk, selection.chosen)
    try:
        ours = desk.under(lease)
        _finish_left(ours)
        put_away_ended(ours, 0)
        settled = settled_by_pulls(desk, selection.chosen)
        new = [issue for issue in selection.chosen if issue.number not in settled]
        threads, unread = read_threads(ours, new)
        judged = judge_issues(ours, lease, threads)
        told = unread | judged.put_off
        known = [one for one in selection.chosen if one.number not in told]
        schedule = act_on_decisions(ours, tuple(known), judged.decisions)
        return Schedule(schedule.work, (*told.values(), *schedule.reports))
    finally:
        desk.store.release(lease)


def _without_triage(desk: Desk, chosen: tuple[Issue, ...]) -> Schedule:
    """Another process triages: what needs none is worked meanwhile."""
    settled = settled_by_pulls(desk, chosen)
    threads, unread = read_threads(desk, [one for one in chosen if one.number not in settled])
    meanwhile = schedule_standing(desk, chosen, find_standing(desk, threads))
    return Schedule(
        meanwhile.work, (_busy(desk, 0, "triage"), *unread.values(), *meanwhile.reports)
    )


_DISABLED = 410  # what GitHub answers for the issues of a repository that has none


def _no_issues(desk: Desk) -> ItemReport:
    return ItemReport(
        repo=desk.repo.slug,
        item=0,
        title="",
        outcome=Outcome.ABANDONED,
        reason="issues are disabled here: there is nothing to triage",
    )


def _finish_left(desk: Desk) -> None:
    """Finish the writes that killed processes left open, on whatever item nobody works right now.

    Under the lease of triage: a decline is written under it, not under its item's.
    """
    for item in sorted({one.item for one in desk.store.open_intents(desk.repo_id)}):
        lease = desk.store.claim(item_lease(desk.repo_id, item), desk.clock.now())
        if lease is None:
            continue
        try:
            desk.under(lease).outbox.finish_open(desk.repo_id, item)
        except DoorError as error:
            logger.warning("item %d: a write stays open: %s", item, error)
        finally:
            desk.store.release(lease)


def check_base(desk: Desk) -> None:
    """Fetch, and make sure that there is something to work on. Raises Refused."""
    desk.trees.sync()
    check_there(desk, desk.trees.tip(desk.base_ref))


def run_repo(desk: Desk) -> tuple[ItemReport, ...]:
    """Triage, then work what is scheduled, and go on with what is unfinished."""
    schedule = triage_repo(desk)
    jobs = [job_of_issue(desk, issue.number) for issue in schedule.work]
    told = {report.item for report in schedule.reports}
    return schedule.reports + work_jobs(desk, jobs + _unfinished(desk, jobs, told))


def resume_pulls(desk: Desk) -> tuple[ItemReport, ...]:
    """Go on with open pull requests of ours, or with the named ones. Raises Refused."""
    check_base(desk)
    rows = [named_pull(desk, number) for number in sorted(desk.named)]
    rows = rows or list(desk.store.open_pulls(desk.repo_id))
    return work_jobs(desk, [job_of_pull(row) for row in rows])


def work_jobs(desk: Desk, jobs: Iterable[Job]) -> tuple[ItemReport, ...]:
    """Work items in order, up to `parallel` at once; one item's trouble never stops another."""
    workers = desk.choice.loop.parallel
    if workers == 1:
        return tuple(_work_one(desk, job) for job in jobs)

    def work(job: Job) -> ItemReport:
        mine = desk.fresh(None)
        try:
            return _work_one(mine, job)
        finally:
            mine.close()

    with ThreadPoolExecutor(max_workers=workers) as pool:
        return tuple(pool.map(work, jobs))


def _unfinished(desk: Desk, jobs: list[Job], told: set[int]) -> list[Job]:
    """Open pull requests of ours that this run's selection does not reach; none when it names."""
    if desk.named:
        return []
    reached = {job.item for job in jobs} | told
    rows = desk.store.open_pulls(desk.repo_id)
    return [job_of_pull(row) for row in rows if row.origin == "ours" and row.item not in reached]


def _work_one(desk: Desk, job: Job) -> ItemReport:
    lease = desk.store.claim(item_lease(desk.repo_id, job.item), desk.clock.now())
    if lease is None:
        return _busy(desk, job.item, f"#{job.item}")
    try:
        report = _safely(desk.under(lease), job)
    finally:
        desk.store.release(lease)
    desk.store.record_outcome(desk.run_id, desk.repo_id, report, desk.clock.now())
    return report


def _safely(desk: Desk, job: Job) -> ItemReport:
    """The world's trouble with one item is its outcome, and only its."""
    title = ""
    try:
        issue = desk.reading.issue(job.item)
        title = issue.title
        if why := left_alone(desk, issue, pull_of(desk, job)):  # before anything is written
            return _report(desk, job, title, Outcome.ABANDONED, why)
        resting = rest_after_undo(desk, job.item, title)
        if resting is not None:
            return resting
        return work_item(desk, job).model_copy(update={"title": title})
    except AgentUnusable as error:
        return _report(desk, job, title, Outcome.WAITING, str(error))
    except AccessLost as error:
        desk.mistakes.append(str(error))
        return _report(desk, job, title, Outcome.WAITING, str(error))
    except DoorError as error:
        return tell_trouble(desk, job.item, title, error)


def _busy(desk: Desk, item: int, what: str) -> ItemReport:
    return ItemReport(
        repo=desk.repo.slug,
        item=item,
        title="",
        outcome=Outcome.WAITING,
        reason=f"another harness process works {what} right now",
    )


def _report(desk: Desk, job: Job, title: str, outcome: Outcome, reason: str) -> ItemReport:
    return ItemReport(
        repo=desk.repo.slug, item=job.item, title=title, outcome=outcome, reason=reason
    )
