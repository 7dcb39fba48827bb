"""Reading the truth about one item, from the forge, git and the store, into a Case."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from harness.facts.case import Case
from harness.facts.causes import Cause
from harness.facts.checks import Check
from harness.facts.forge import Issue, Pull
from harness.facts.steps import Step
from harness.rules.budget import caps_of, day_of
from harness.rules.custody import REVIEWS, is_since_person, next_step, review_of_head
from harness.rules.fixes import rounds_of_blockers_in_fixes
from harness.rules.forge_names import NEEDS_A_PERSON
from harness.rules.gate import merge_gate
from harness.rules.hearing import text_of
from harness.rules.heirs import inherit_points, inherit_rows
from harness.rules.merging import method_allowed, protected_paths
from harness.rules.points import as_points
from harness.runs.allowing import parked
from harness.runs.branch import (
    read_base,
    read_base_tip,
    read_commits,
    read_head,
    why_unaccounted,
    why_unrelated,
)
from harness.runs.desk import Desk
from harness.runs.inheriting import heirs_of, supersede_gone
from harness.runs.job import Job, pushes
from harness.runs.leaking import read_leaks
from harness.runs.leaving import left_alone
from harness.runs.people import read_people
from harness.runs.pull_now import (
    approved_head,
    is_update_needed,
    pushed_at,
    read_forge_checks,
    read_pull,
    red_on_base,
    view_pull,
)
from harness.runs.told import supersede_stale, tell


def gather_case(desk: Desk, job: Job, *, anew: bool = False) -> Case:
    """Everything that decides the next step, as it is right now.

    `anew`: a check that could not run counts as not run.
    """
    desk.trees.sync()
    supersede_gone(desk, job.item)
    heirs = heirs_of(desk, job.item)
    rows = tuple(
        row
        for row in inherit_rows(desk.store.commits_of_item(desk.repo_id, job.item), heirs)
        if row.branch == job.branch and desk.trees.has(row.sha)
    )
    pull_row, pull = read_pull(desk, job)
    pushed = desk.trees.tip(job.branch)
    head = read_head(desk, rows, pushed, job)
    told = tell(desk, job, rows)
    if head and supersede_stale(desk, told, head, rows):
        told = tell(desk, job, rows)
    base_tip = read_base_tip(desk, job)
    base = read_base(desk, head, base_tip, told)
    commits = read_commits(desk, job, rows, base, head)
    points = inherit_points(as_points(desk.store.in_scope(desk.repo_id, job.scope)), heirs)
    checks = read_forge_checks(desk, job, pull, head)
    people = read_people(desk, job, pull)
    issue = desk.reading.issue(job.item)
    waiting = desk.store.person_called(desk.repo_id, job.item)
    case = Case(
        now=desk.clock.now(),
        run_id=desk.run_id,
        item=job.item,
        item_open=issue.state == "open",
        left_alone=left_alone(desk, issue, pull),
        person_wanted=waiting is None and _is_person_wanted(issue, pull),
        issue=None if issue.is_pull else text_of(issue),
        parked="" if issue.is_pull or issue.state != "open" else parked(desk, issue),
        agents=desk.agents,
        loop=desk.choice.loop,
        branch=job.branch,
        base_ref=job.base_ref,
        base=base,
        base_tip=base_tip,
        commits=commits,
        moved_by_person=bool(head) and (not commits or not commits[0].agent),
        head=head,
        pushed=pushed,
        branch_deleted=not pushed and bool(pushes(desk, job.item, job.branch)),
        unaccounted=why_unaccounted(desk, job, rows, pushed, pull_row)
        or why_unrelated(desk, job, head, base_tip),
        pull=view_pull(desk, pull_row, pull),
        has_check=bool(desk.choice.check),
        base_check=_check(desk, base, anew=anew),
        head_check=_check(desk, head, anew=anew),
        forge_checks=checks,
        forge_checks_red_on_base=red_on_base(desk, job, checks, base),
        pushed_at=pushed_at(desk, job, head),
        told=told,
        points=points,
        last_person_act=people.last_act,
        words=people.words,
        objections=people.objections,
        called=waiting is not None,
        called_for=waiting.cause if waiting else None,
        policy_asked_at=_policy_asked_at(desk, job, head),
        update_needed=is_update_needed(desk, pull, head, base_tip),
        merge_wanted=False,
        approved=approved_head(desk, job, head),
        method_allowed=method_allowed(desk.repo, desk.choice.loop.merge),
        rounds_of_blockers_in_fixes=0,
        item_cap_reached=_cap_reached(desk, job),
    )
    case = case.model_copy(
        update={
            "rounds_of_blockers_in_fixes": _in_fixes(desk, case),
            "protected_paths": _protected_paths(desk, case),
            "leaks": read_leaks(desk, case),
        }
    )
    return case.model_copy(update={"merge_wanted": merge_gate(case).go})


def moved_on(desk: Desk, job: Job, step: Step) -> bool:
    """Whether another step is next by now: the world moved between reading it and writing to it."""
    return next_step(gather_case(desk, job)) != step


def _is_person_wanted(issue: Issue, pull: Pull | None) -> bool:
    labels = (*issue.labels, *(pull.labels if pull else ()))
    return NEEDS_A_PERSON.casefold() in {label.casefold() for label in labels}


def _check(desk: Desk, sha: str, *, anew: bool) -> Check | None:
    """What the check said there."""
    if not sha or not desk.choice.check:
        return None
    known = desk.store.check(desk.repo_id, sha, desk.choice.check)
    return None if known and anew and known.state == "unrunnable" else known


def _policy_asked_at(desk: Desk, job: Job, head: str) -> datetime | None:
    """When a person was first asked to pass this head."""
    asked = [
        one.at
        for one in desk.store.calls(desk.repo_id, job.item)
        if one.cause is Cause.POLICY and one.head == head
    ]
    return min(asked, default=None)


def _in_fixes(desk: Desk, case: Case) -> int:
    reviewed = [
        one.head
        for one in case.told
        if one.kind in REVIEWS and one.recorded and is_since_person(case, one)
    ]
    pairs = [pair for pair in pairwise(reviewed) if pair[0] != pair[1]]
    diffs = tuple(desk.trees.diff(old, new) for old, new in pairs[-2:])
    return rounds_of_blockers_in_fixes(case.points, diffs)


def _protected_paths(desk: Desk, case: Case) -> tuple[str, ...] | None:
    """What of the change only a person may pass; asked once this head is reviewed."""
    if review_of_head(case) is None:
        return None
    changed = desk.trees.diff(case.base, case.head).files
    paths = [path for one in changed for path in (one.old_path, one.new_path) if path]
    return protected_paths(paths, desk.choice.protected)


def _cap_reached(desk: Desk, job: Job) -> bool:
    spent, _ = desk.store.spend(desk.repo_id, job.item, "", day_of(desk.clock.now()))
    caps = caps_of(desk.choice.limits, desk.settings.limits, job.item)
    return spent.item + caps.exchange > caps.item
