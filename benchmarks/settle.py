"""Settling a review of 50 findings against ledgers of growing size: store and rules together."""

from __future__ import annotations

import argparse
import tempfile
import tracemalloc
import uuid
from datetime import UTC, datetime
from pathlib import Path

from measuring import median_ms, say

from harness.edges.store import SqliteStore
from harness.facts.decisions import Run
from harness.facts.entries import Entry, EntryKey, Event, EventKind
from harness.facts.findings import Evidence, Finding, Severity
from harness.facts.forge import Repo
from harness.facts.matching import SettleContext
from harness.facts.places import Anchor
from harness.rules.identity import title_key
from harness.rules.settle import plan_review

AT = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = "branch:harness/issue-1"
BATCH = 5_000


def finding(n: int) -> Finding:
    """A finding; each file has twenty."""
    file = f"src/module_{n // 20}.py"
    anchor = Anchor(
        file=file, start_line=n % 20 + 1, end_line=n % 20 + 1, commit="c" * 40, text=f"x{n}"
    )
    return Finding(
        handle=f"F{n}",
        raised_by="ada",
        head="h" * 40,
        anchor=anchor,
        title=f"defect number {n} in the handling of case {n * 7}",
        failure_scenario="x",
        detail="x",
        suggestion="",
        evidence=(Evidence(kind="quote", file=file, line=1, text=f"x{n}"),),
        citations=(),
        category="correctness",
        severity=Severity.BLOCKING,
        in_scope=True,
        issue=None,
    )


def fill(store: SqliteStore, count: int) -> None:
    """So many entries, raised once."""
    for start in range(0, count, BATCH):
        entries, events = [], []
        for n in range(start, min(start + BATCH, count)):
            one = finding(n)
            key = EntryKey(repo_id=1, title_key=title_key(one.title), file=one.anchor.file)
            entry = Entry(
                id=uuid.uuid4().hex,
                key=key,
                title=one.title,
                category="correctness",
                fingerprint=f"v1:{n:016x}",
                created_at=AT,
            )
            entries.append(entry)
            events.append(
                Event(
                    id=uuid.uuid4().hex,
                    entry_id=entry.id,
                    clock=1,
                    at=AT,
                    kind=EventKind.RAISED,
                    scope=f"branch:harness/issue-{n // 1000 + 2}",
                    actor="ada",
                    by_person=False,
                    run_id="r",
                    round=1,
                    head="h" * 40,
                    reasoning="",
                    evidence=(),
                    anchor=one.anchor,
                    finding=one,
                )
            )
        store.record_events(entries, (), events)


def settle(store: SqliteStore, count: int) -> int:
    """One review of 50 findings, half of them known: read, match, plan (not recorded)."""
    step = max(1, count // 25)
    findings = [finding(n) for n in range(0, count, step)][:25]
    findings += [finding(count + n) for n in range(25)]
    keys = {(1, title_key(one.title), one.anchor.file) for one in findings}
    known = store.known(keys, SCOPE)
    context = SettleContext(
        host="github.com",
        slug="ada/shop",
        repo_id=1,
        scope=SCOPE,
        actor="ada",
        run_id="r",
        exchange_id="e" * 32,
        round=1,
        head="h" * 40,
        at=AT,
        known=known,
        shown=(),
        renames=(),
        holdings=(),
    )
    return len(plan_review(tuple(findings), context, None).met)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="10000,100000,1000000")
    sizes = [int(size) for size in parser.parse_args().sizes.split(",")]
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            store = SqliteStore.open(Path(name) / "store.db")
            store.note_repo(_repo())
            store.start_run(_run())
            fill(store, size)
            took = median_ms(lambda store=store, size=size: settle(store, size), runs=9)
            tracemalloc.start()
            settle(store, size)
            peak = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            store.close()
        say(
            f"settle 50 findings against {size:,} entries (bar: < 50 ms)",
            f"{took:.1f} ms, {peak:.1f} MB",
        )


def _repo() -> Repo:
    return Repo(
        id=1,
        host="github.com",
        owner="ada",
        name="shop",
        default_branch="main",
        private=False,
        archived=False,
        clone_url="",
        allow_squash=True,
        allow_merge=True,
        allow_rebase=True,
    )


def _run() -> Run:
    return Run(
        id="r", command="run", dry=False, started_at=AT, ended_at=None, exit_code=None, reports=()
    )


if __name__ == "__main__":
    main()
