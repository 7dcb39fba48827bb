"""Reading the truth about one item, from the forge, git and the store, into a Case."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from harness.errors import GitError
from harness.facts.case import Case, PullView, Told
from harness.facts.causes import Cause
from harness.facts.checks import Check
from harness.facts.forge import ForgeCheck, Issue, Pull
from harness.facts.steps import Step
from harness.facts.trees import CommitRow, PullRow
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
from harness.runs.desk import Desk
from harness.runs.inheriting import heirs_of, supersede_gone
from harness.runs.job import Job, pushes
from harness.runs.leaking import read_leaks
from harness.runs.leaving import left_alone
from harness.runs.people import read_people
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
    pull_row, pull = _pull(desk, job)
    pushed = desk.trees.tip(job.branch)
    head = _head(desk, rows, pushed, job)
    told = tell(desk, job, rows)
    if head and supersede_stale(desk, told, head, rows):
        told = tell(desk, job, rows)
    base_tip = _base_tip(desk, job)
    base = _base(desk, head, base_tip, told)
    commits = _commits(desk, job, rows, base, head)
    points = inherit_points(as_points(desk.store.in_scope(desk.repo_id, job.scope)), heirs)
    checks = _forge_checks(desk, job, pull, head)
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
        unaccounted=_unaccounted(desk, job, rows, pushed, pull_row)
        or _unrelated(desk, job, head, base_tip),
        pull=_view(desk, pull_row, pull),
        has_check=bool(desk.choice.check),
        base_check=_check(desk, base, anew=anew),
        head_check=_check(desk, head, anew=anew),
        forge_checks=checks,
        forge_checks_red_on_base=_red_on_base(desk, job, checks, base),
        pushed_at=_pushed_at(desk, job, head),
        told=told,
        points=points,
        last_person_act=people.last_act,
        words=people.words,
        objections=people.objections,
        called=waiting is not None,
        called_for=waiting.cause if waiting else None,
        policy_asked_at=_policy_asked_at(desk, job, head),
        update_needed=_update_needed(desk, pull, head, base_tip),
        merge_wanted=False,
        approved=_approved(desk, job, head),
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


def _pull(desk: Desk, job: Job) -> tuple[PullRow | None, Pull | None]:
    rows = [row for row in desk.store.pulls(desk.repo_id, job.item) if row.branch == job.branch]
    if not rows:
        return None, None
    row, pull = rows[0], desk.reading.pull(rows[0].number)
    if row.state == "closed" and pull.state == "open":  # a person opened it again
        row = row.model_copy(update={"state": "open", "closed_by": ""})
        desk.store.note_pull(row)
    return row, pull


def _head(desk: Desk, rows: tuple[CommitRow, ...], pushed: str, job: Job) -> str:
    """Ours where it builds on what is pushed, else what is pushed (a person moved it)."""
    ours = rows[0].sha if rows else ""
    if not pushed:
        return ours
    if not ours:
        return pushed if job.origin == "adopted" else ""
    builds = desk.trees.is_ancestor(pushed, ours) and not _taken_away(desk, job, pushed, ours)
    return ours if builds else pushed


def _taken_away(desk: Desk, job: Job, pushed: str, ours: str) -> bool:
    """Whether what we would push holds a commit that was there once and a person took away."""
    return any(
        desk.trees.has(sha)
        and desk.trees.is_ancestor(sha, ours)
        and not desk.trees.is_ancestor(sha, pushed)
        for sha in pushes(desk, job.item, job.branch)
    )


def _base_tip(desk: Desk, job: Job) -> str:
    tip = desk.trees.tip(job.base_ref)
    if not tip:
        raise GitError(
            f"{desk.repo.slug} has no branch {job.base_ref} any more: if it was renamed, run the "
            "same command again; else restore it, or name another one under [[repos]] base"
        )
    return tip


def _base(desk: Desk, head: str, base_tip: str, told: tuple[Told, ...]) -> str:
    shared = desk.trees.merge_base(base_tip, head) if head else ""
    if shared:
        return shared
    begun = [one.base for one in told if desk.trees.has(one.base)]
    return begun[-1] if begun else base_tip


def _commits(
    desk: Desk, job: Job, rows: tuple[CommitRow, ...], base: str, head: str
) -> tuple[CommitRow, ...]:
    """base..head, newest first; a person's commit is a row without an agent."""
    if not head:
        return ()
    ours = {row.sha: row for row in rows}
    return tuple(
        ours.get(commit.sha)
        or CommitRow(
            repo_id=desk.repo_id,
            sha=commit.sha,
            parent=commit.parents[0] if commit.parents else "",
            item=job.item,
            branch=job.branch,
            agent="",
            exchange_id="",
            at=min(commit.at, desk.clock.now()),
        )
        for commit in desk.trees.first_parents(base, head)
    )


def _unaccounted(
    desk: Desk, job: Job, rows: tuple[CommitRow, ...], pushed: str, pull_row: PullRow | None
) -> str:
    """Why what lies on our branch is not ours to build on: nothing of it was pushed by us."""
    if not pushed or pull_row is not None or job.origin == "adopted":
        return ""
    if any(_on_one_line(desk, row.sha, pushed) for row in rows):
        return ""
    return (
        f"the branch {job.branch} holds commits the harness did not make: rename it, delete it, "
        "or open a pull request from it and name that with `harness resume NUMBER --adopt`"
    )


def _unrelated(desk: Desk, job: Job, head: str, base_tip: str) -> str:
    """Why nothing can be compared with the base, "" where something can."""
    if not head or desk.trees.merge_base(base_tip, head):
        return ""
    return (
        f"{job.base_ref} was replaced and has no commit in common with {job.branch}: "
        f"put its history back, or rebase {job.branch} onto it"
    )


def _is_person_wanted(issue: Issue, pull: Pull | None) -> bool:
    labels = (*issue.labels, *(pull.labels if pull else ()))
    return NEEDS_A_PERSON.casefold() in {label.casefold() for label in labels}


def _view(desk: Desk, row: PullRow | None, pull: Pull | None) -> PullView | None:
    if row is None or pull is None:
        return None
    state = "merged" if pull.merged else pull.state
    return PullView(
        number=pull.number,
        state=state,
        branch=pull.head_ref,
        base=pull.base_ref,
        head=pull.head_sha,
        draft=pull.draft,
        mergeable=pull.mergeable,
        conflicts=pull.mergeable_state == "dirty",
        behind=pull.mergeable_state == "behind",
        opened_at=pull.created_at,
        closed_by_us=state == "closed" and _closed_by_us(desk, row),
    )


def _closed_by_us(desk: Desk, row: PullRow) -> bool:
    return any(
        intent.write.kind == "close"
        and intent.state == "delivered"
        and intent.write.number == row.number
        for intent in desk.store.intents(desk.repo_id, row.item)
    )


def _on_one_line(desk: Desk, one: str, other: str) -> bool:
    return desk.trees.is_ancestor(one, other) or desk.trees.is_ancestor(other, one)


def _check(desk: Desk, sha: str, *, anew: bool) -> Check | None:
    """What the check said there."""
    if not sha or not desk.choice.check:
        return None
    known = desk.store.check(desk.repo_id, sha, desk.choice.check)
    return None if known and anew and known.state == "unrunnable" else known


def _forge_checks(desk: Desk, job: Job, pull: Pull | None, head: str) -> tuple[ForgeCheck, ...]:
    if pull is None or pull.state != "open" or pull.head_sha != head:
        return ()
    return desk.reading.checks(head, job.base_ref)


def _red_on_base(
    desk: Desk, job: Job, checks: tuple[ForgeCheck, ...], base: str
) -> tuple[str, ...]:
    """Names of checks that are red on the base too; asked only when one is red here."""
    if not any(check.state == "red" for check in checks):
        return ()
    return tuple(one.name for one in desk.reading.checks(base, job.base_ref) if one.state == "red")


def _pushed_at(desk: Desk, job: Job, head: str) -> datetime | None:
    for intent in reversed(desk.store.intents(desk.repo_id, job.item)):
        if intent.write.kind == "push" and intent.write.sha == head and intent.receipt:
            return intent.receipt.at or intent.created_at
    return None


def _update_needed(desk: Desk, pull: Pull | None, head: str, base_tip: str) -> bool:
    """The base moved, and the branch conflicts with it or must be current."""
    how = desk.choice.loop.update
    if pull is None or pull.state != "open" or not head or how == "never":
        return False
    if not desk.trees.merge_base(base_tip, head) or desk.trees.is_ancestor(base_tip, head):
        return False
    if how == "always" or pull.mergeable_state == "behind":
        return True
    _, conflicts = desk.trees.merge_tree(head, base_tip)
    return bool(conflicts)


def _approved(desk: Desk, job: Job, head: str) -> str:
    """The head, where the last that we said of it is that it is approved."""
    undone = {one.run_id for one in desk.store.undone(desk.repo_id, job.item)}
    said = [
        intent.write.state
        for intent in desk.store.intents(desk.repo_id, job.item)
        if intent.write.kind == "status"
        and intent.write.sha == head
        and intent.state == "delivered"
        and intent.run_id not in undone
    ]
    return head if head and said[-1:] == ["success"] else ""


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
