"""Check runs and statuses of a commit as one list, and the logs behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Literal
from urllib.parse import quote

from harness.edges.github.check_shapes import (
    AnnotationShape,
    CheckRunShape,
    CheckRunsShape,
    StatusShape,
)
from harness.edges.github.shapes import read, read_list
from harness.edges.github.wire import TIMEOUT, Etags, Wire
from harness.errors import ForgeError
from harness.facts.forge import ForgeCheck

OURS = "harness/"  # contexts and names of our own
JOB = re.compile(r"/actions/runs/\d+/job/(\d+)")
GREEN = {"success", "neutral", "skipped"}
RED = {"failure", "timed_out"}  # anything else says nothing of the code: cancelled, stale, ...
MOST_ANNOTATIONS = 50
MOST_LOG = 64 * 1024 * 1024  # bytes read of a log before its tail is taken

State = Literal["pending", "green", "red", "stopped"]


class Checks:
    """The checks of one repository; `base` is its path."""

    def __init__(self, wire: Wire, base: str, etags: Etags | None) -> None:
        self._wire = wire
        self._base = base
        self._etags = etags

    def list(self, sha: str, required: frozenset[str]) -> tuple[ForgeCheck, ...]:
        """All but ours; a required one that has not reported yet is pending.

        Of a name that several runs, Apps or statuses share the worst counts: GitHub requires each
        (docs.github.com, "Troubleshooting required status checks").
        """
        found: dict[str, ForgeCheck] = {}
        for check in chain(self._runs(sha, required), self._statuses(sha, required)):
            before = found.get(check.name)
            if before is None or _worse(check, before):
                found[check.name] = check
        for name in required - found.keys():
            found[name] = _check(name, "pending", required, "")
        return tuple(found[name] for name in sorted(found) if not name.startswith(OURS))

    def _statuses(self, sha: str, required: frozenset[str]) -> Iterator[ForgeCheck]:
        """The newest status of each context."""
        seen: set[str] = set()
        path = f"{self._base}/commits/{quote(sha)}/statuses"
        for page in self._wire.pages(path, etags=self._etags):
            for row in read_list(StatusShape, page):  # newest first
                if row.context not in seen:
                    seen.add(row.context)
                    yield _status(row, required)

    def _runs(self, sha: str, required: frozenset[str]) -> Iterator[ForgeCheck]:
        path = f"{self._base}/commits/{quote(sha)}/check-runs"
        for page in self._wire.pages(path, etags=self._etags):
            for row in read(CheckRunsShape, page).check_runs:
                yield self._run(row, required)

    def _run(self, row: CheckRunShape, required: frozenset[str]) -> ForgeCheck:
        state: State = "pending"
        if row.status == "completed":
            state = _concluded(row.conclusion or "")
        said: tuple[str, ...] = ()
        if state == "red" and row.output.annotations_count:
            said = self._annotations(row.id)
        return _check(row.name, state, required, row.details_url or row.html_url or "", said)

    def _annotations(self, run: int) -> tuple[str, ...]:
        path = f"{self._base}/check-runs/{run}/annotations"
        answer = self._wire.ask("GET", path, query={"per_page": "100"}, etags=self._etags)
        rows = read_list(AnnotationShape, answer)
        return tuple(
            f"{row.path}:{row.start_line}: {row.message or row.title or ''}".strip()
            for row in rows[:MOST_ANNOTATIONS]
        )

    def log(self, check: ForgeCheck, limit: int) -> str:
        """The tail of an Actions job's log, "" where there is none."""
        job = JOB.search(check.url)
        if job is None or limit <= 0:
            return ""
        try:
            answer = self._wire.ask(
                "GET", f"{self._base}/actions/jobs/{job[1]}/logs", good=range(200, 303)
            )
        except ForgeError as error:
            if error.reason in {"gone", "forbidden"}:
                return ""
            raise
        place = answer.headers.get("location", "")
        return _tail(place, limit) if place else answer.text[-limit:]


def _concluded(conclusion: str) -> State:
    if conclusion in GREEN:
        return "green"
    return "red" if conclusion in RED else "stopped"


def _status(row: StatusShape, required: frozenset[str]) -> ForgeCheck:
    state: State = {"success": "green", "pending": "pending"}.get(row.state, "red")  # type: ignore[assignment] # closed by the shape
    said = (row.description,) if row.description and state == "red" else ()
    return _check(row.context, state, required, row.target_url or "", said)


def _check(
    name: str, state: State, required: frozenset[str], url: str, said: tuple[str, ...] = ()
) -> ForgeCheck:
    return ForgeCheck(
        name=name, state=state, required=name in required, url=url, annotations=said, log=""
    )


def _worse(one: ForgeCheck, other: ForgeCheck) -> bool:
    order = ("green", "pending", "stopped", "red")
    return order.index(one.state) > order.index(other.state)


def _tail(address: str, limit: int) -> str:
    """The end of what lies at a signed address, fetched without our credential."""
    import requests

    kept, read_so_far = b"", 0
    try:
        with requests.get(address, timeout=TIMEOUT, stream=True) as answer:
            if not answer.ok:
                return ""
            for chunk in answer.iter_content(1 << 16):
                kept = (kept + chunk)[-4 * limit :]
                read_so_far += len(chunk)
                if read_so_far > MOST_LOG:
                    break
    except requests.RequestException as error:
        message = f"the log of a check could not be read ({type(error).__name__})"
        raise ForgeError(message, reason="unreachable") from None
    return kept.decode("utf-8", "replace")[-limit:]
