"""Where every item stands, from the store alone: no forge is asked, nothing is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from harness.doors.store import Store
from harness.facts.decisions import ItemReport
from harness.facts.looking import ItemStatus, PullStatus, Purse, RepoStatus, StatusPage
from harness.facts.settings import RepoSettings, Settings
from harness.rules.outcomes import CLEAN, NEEDS_A_PERSON, exit_code


def read_status(
    store: Store, settings: Settings, repos: Sequence[RepoSettings], now: datetime
) -> StatusPage:
    """Every item of these repositories as it ended last, open pull requests, today's money."""
    day = f"{now:%Y-%m-%d}"
    known = repo_ids(store)
    return StatusPage(
        day=day,
        today=_day_purse(store, day, settings.limits.dollars_day),
        repos=tuple(_repo_status(store, repo, known, day) for repo in repos),
    )


def repo_ids(store: Store) -> dict[str, int]:
    """The forge's ids by `owner/name`, casefolded."""
    return {repo.slug.casefold(): repo.id for repo in store.repos()}


def _repo_status(
    store: Store, repo: RepoSettings, known: Mapping[str, int], day: str
) -> RepoStatus:
    repo_id = known.get(repo.name.casefold())
    cap = _micro(repo.limits.dollars_repo_day)
    if repo_id is None:
        today = Purse(spent=0, presumed=0, held=0, cap=cap)
        return RepoStatus(repo=repo.name, met=False, today=today, items=(), pulls=())
    spent, held = store.spend(repo_id, 0, "", day)
    pulls = tuple(
        PullStatus(
            pull=row.number, item=row.item, branch=row.branch, base=row.base, origin=row.origin
        )
        for row in store.open_pulls(repo_id)
    )
    return RepoStatus(
        repo=repo.name,
        met=True,
        today=Purse(
            spent=spent.repo_day,
            presumed=store.presumed(repo_id, day),
            held=held.repo_day,
            cap=cap,
        ),
        items=_items(store, repo_id),
        pulls=pulls,
    )


def _items(store: Store, repo_id: int) -> tuple[ItemStatus, ...]:
    called = {item: (reason, at) for item, reason, at in store.people_called(repo_id)}
    ended = {report.item: (report, at) for report, at in store.outcomes(repo_id)}
    begun = dict(store.unfinished(repo_id))
    return tuple(
        _item(number, ended.get(number), called.get(number), begun.get(number))
        for number in sorted(ended.keys() | called.keys() | begun.keys())
    )


def _item(
    number: int,
    ended: tuple[ItemReport, datetime] | None,
    call: tuple[str, datetime] | None,
    begun: datetime | None,
) -> ItemStatus:
    """An item that ended well after a call does not wait any more; one that failed since does."""
    reason, called_at = call or ("", None)
    report, at = ended or (None, None)
    code = exit_code(report.outcome) if report else None
    heard = code == CLEAN and called_at is not None and at is not None and called_at <= at
    waits = code == NEEDS_A_PERSON or (called_at is not None and not heard)
    since = at or called_at or begun
    assert since is not None
    return ItemStatus(
        item=number,
        title=report.title if report else "",
        outcome=report.outcome if report else None,
        reason=report.reason if report else "",
        at=since,
        pull=report.pull if report else 0,
        not_before=report.not_before if report else None,
        needs_person=waits,
        called=reason if waits else "",
        called_at=called_at if waits else None,
        unfinished=begun is not None and (at is None or begun > at),
    )


def _day_purse(store: Store, day: str, cap: float) -> Purse:
    spent, held = store.spend(0, 0, "", day)
    presumed = store.presumed(0, day)
    return Purse(spent=spent.day, presumed=presumed, held=held.day, cap=_micro(cap))


def _micro(dollars: float) -> int:
    return round(dollars * 1_000_000)
