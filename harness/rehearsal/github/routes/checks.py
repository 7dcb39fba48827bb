"""Commit statuses, check runs, and the logs behind them."""

from __future__ import annotations

from harness.rehearsal.github import deeds
from harness.rehearsal.github.answers import (
    Answer,
    Json,
    Listing,
    Refusal,
    forbidden,
    invalid,
    not_found,
)
from harness.rehearsal.github.call import Call, Route, created, ok
from harness.rehearsal.github.rows import CheckRunRow, Repository
from harness.rehearsal.github.shown.addresses import api_of
from harness.rehearsal.github.shown.history import show_check_run, show_commit, show_status
from harness.rehearsal.github.shown.repositories import show_repository

DESCRIPTION = 140  # characters GitHub takes
STATES = {"error", "failure", "pending", "success"}


def create_status(call: Call) -> Answer:
    """POST ~/statuses/{sha}."""
    repository = call.repository("write")
    sha, state = call.path["sha"], call.given("state")
    if state not in STATES:
        raise invalid("Status", "custom", "state", "state is not included in the list")
    if not repository.bare.has(sha):
        raise Refusal(422, f"No commit found for SHA: {sha}")
    description = call.given("description")
    if description and len(description) > DESCRIPTION:
        message = f"description is too long (maximum is {DESCRIPTION} characters)"
        raise invalid("Status", "custom", "description", message)
    row = deeds.set_status(
        call.forge,
        repository,
        call.user,
        sha=sha,
        context=call.given("context") or "default",
        state=state,
        description=description,
        target_url=call.given("target_url"),
    )
    return created(show_status(call.forge.base, repository, row))


def list_statuses(call: Call) -> Listing:
    """GET ~/commits/{ref}/statuses, newest first."""
    repository = call.repository()
    sha = resolve(repository, call.path["ref"])
    rows = [row for row in reversed(repository.statuses) if row.sha == sha]
    return Listing(
        rows, lambda row: show_status(call.forge.base, repository, row), lambda row: row.at
    )


def show_combined(call: Call) -> Answer:
    """GET ~/commits/{ref}/status: the newest of each context."""
    repository = call.repository()
    sha = resolve(repository, call.path["ref"])
    newest = {row.context: row for row in repository.statuses if row.sha == sha}
    states = {row.state for row in newest.values()}
    bad = bool(states & {"error", "failure"})
    state = "failure" if bad else "success" if states == {"success"} else "pending"
    base = call.forge.base
    return ok(
        {
            "state": state,
            "sha": sha,
            "total_count": len(newest),
            "statuses": [show_status(base, repository, row) for row in newest.values()],
            "repository": show_repository(call.forge, repository),
            "commit_url": api_of(base, repository, f"/commits/{sha}"),
            "url": api_of(base, repository, f"/commits/{sha}/status"),
        }
    )


def resolve(repository: Repository, ref: str) -> str:
    """A commit by SHA or branch; 422 as GitHub says it."""
    tip = repository.bare.tip(ref.removeprefix("heads/"))
    if tip:
        return tip
    sha = repository.bare.commit_of(ref)
    if sha:
        return sha
    raise Refusal(422, f"No commit found for SHA: {ref}", errors=[])


def show_a_commit(call: Call) -> Answer:
    """GET ~/commits/{ref}."""
    repository = call.repository()
    sha = resolve(repository, call.path["ref"])
    return ok(show_commit(call.forge.base, repository, sha))


def list_check_runs(call: Call) -> Listing:
    """GET ~/commits/{ref}/check-runs: the latest of each name and App."""
    repository = call.repository()
    sha = resolve(repository, call.path["ref"])
    name = call.query.get("check_name", "")
    newest: dict[tuple[str, str], CheckRunRow] = {}
    for row in repository.check_runs:
        if row.sha == sha and name in {"", row.name}:
            newest[row.app, row.name] = row
    rows = list(newest.values())
    if call.query.get("filter") == "all":
        rows = [row for row in repository.check_runs if row.sha == sha and name in {"", row.name}]
    return Listing(
        rows,
        lambda row: show_check_run(call.forge, repository, row),
        lambda row: row.started_at,
        wrap="check_runs",
    )


def create_check_run(call: Call) -> Answer:
    """POST ~/check-runs: Apps only."""
    repository = call.repository("write")
    if call.user.kind != "Bot":
        raise forbidden("You must authenticate via a GitHub App.")
    output = call.given("output") or {}
    done = call.given("conclusion")
    row = CheckRunRow(
        id=call.forge.next_id(),
        sha=call.text("head_sha", "CheckRun"),
        name=call.text("name", "CheckRun"),
        status="completed" if done else call.given("status") or "queued",
        conclusion=done,
        external_id=call.given("external_id") or "",
        app=call.user.login.removesuffix("[bot]"),
        started_at=call.forge.stamp,
        completed_at=call.forge.stamp if done else None,
        title=output.get("title"),
        summary=output.get("summary"),
    )
    if not repository.bare.has(row.sha):
        raise Refusal(422, f"No commit found for SHA: {row.sha}")
    repository.check_runs.append(row)
    return created(show_check_run(call.forge, repository, row))


def _find_run(call: Call, repository: Repository) -> CheckRunRow:
    wanted = call.number("check_run_id")
    found = next((row for row in repository.check_runs if row.id == wanted), None)
    if found is None:
        raise not_found()
    return found


def show_a_run(call: Call) -> Answer:
    """GET ~/check-runs/{id}."""
    repository = call.repository()
    return ok(show_check_run(call.forge, repository, _find_run(call, repository)))


def edit_check_run(call: Call) -> Answer:
    """PATCH ~/check-runs/{id}: by the App that made it."""
    repository = call.repository("write")
    row = _find_run(call, repository)
    if call.user.login != f"{row.app}[bot]":
        raise forbidden("Invalid app_id `0` - check run can only be modified by the GitHub App")
    if call.given("conclusion"):
        row.status, row.conclusion = "completed", call.given("conclusion")
        row.completed_at = call.forge.stamp
    row.title = (call.given("output") or {}).get("title", row.title)
    row.summary = (call.given("output") or {}).get("summary", row.summary)
    return ok(show_check_run(call.forge, repository, row))


def list_annotations(call: Call) -> Listing:
    """GET ~/check-runs/{id}/annotations."""
    repository = call.repository()
    row = _find_run(call, repository)
    url = api_of(call.forge.base, repository, f"/git/blobs/{row.sha}")

    def show(note: Json) -> Json:
        plain: Json = {
            "path": "",
            "start_line": 1,
            "end_line": 1,
            "start_column": None,
            "end_column": None,
            "annotation_level": "failure",
            "title": None,
            "message": "",
            "raw_details": None,
            "blob_href": url,
        }
        return plain | note

    return Listing(row.annotations, show)


def redirect_to_log(call: Call) -> Answer:
    """GET ~/actions/jobs/{id}/logs: 302 to a place that wants no credential."""
    repository = call.repository()
    wanted = call.number("job_id")
    if not any(row.id == wanted and row.log for row in repository.check_runs):
        raise not_found()
    url = f"{call.forge.base}/_logs/{repository.id}/{wanted}"
    return Answer(302, None, headers={"Location": url})


ROUTES: tuple[Route, ...] = (
    ("POST", "/repos/{owner}/{repo}/statuses/{sha}", create_status),
    ("GET", "/repos/{owner}/{repo}/commits/{ref*}/statuses", list_statuses),
    ("GET", "/repos/{owner}/{repo}/commits/{ref*}/status", show_combined),
    ("GET", "/repos/{owner}/{repo}/commits/{ref*}/check-runs", list_check_runs),
    ("GET", "/repos/{owner}/{repo}/commits/{ref}", show_a_commit),
    ("POST", "/repos/{owner}/{repo}/check-runs", create_check_run),
    ("GET", "/repos/{owner}/{repo}/check-runs/{check_run_id}", show_a_run),
    ("PATCH", "/repos/{owner}/{repo}/check-runs/{check_run_id}", edit_check_run),
    ("GET", "/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations", list_annotations),
    ("GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs", redirect_to_log),
)
