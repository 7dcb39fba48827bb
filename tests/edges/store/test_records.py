from __future__ import annotations

from typing import Any

from harness.edges.store import SqliteStore
from harness.facts.builds import Build
from harness.facts.causes import Called, Cause
from harness.facts.checks import Check
from harness.facts.decisions import Approval, Opinion, Outcome
from harness.facts.forge import Repo
from harness.facts.trees import CommitRow, PullRow
from harness.facts.watermarks import Watermark

REPO = Repo(
    id=1, host="github.com", owner="o", name="r", default_branch="main", private=False,
    archived=False, clone_url="https://github.com/o/r.git", allow_squash=True, allow_merge=True,
    allow_rebase=False,
)  # fmt: skip
PULL = PullRow(
    repo_id=1, number=13, item=12, branch="harness/issue-12", base="main", origin="ours",
    attempt=1, state="open", closed_by="", status_comment=0,
)  # fmt: skip
CHECK = Check(
    command="make test", sha="c" * 40, state="red", exit=2, seconds=0.5, failing=("a",), tail="!"
)  # fmt: skip


def commit(made: Any, sha: str, **fields: Any) -> CommitRow:
    given = {"repo_id": 1, "sha": sha * 40, "parent": "", "item": 12, "branch": "b"}
    rest = {"agent": "ann", "exchange_id": "x", "at": made.noon}
    return CommitRow.model_validate(given | rest | fields)


def test_a_renamed_repository_keeps_its_row(store: SqliteStore) -> None:
    store.note_repo(REPO)

    store.note_repo(REPO.model_copy(update={"owner": "new", "private": True}))

    rows = store._records.rows("SELECT id, owner, private FROM repos")
    assert rows == [{"id": 1, "owner": "new", "private": 1}]


def test_pulls_are_found_by_item_and_by_number_newest_attempt_first(store: SqliteStore) -> None:
    second = PULL.model_copy(update={"number": 20, "attempt": 2})
    adopted = PULL.model_copy(update={"number": 30, "item": 30, "origin": "adopted"})
    closed = PULL.model_copy(update={"state": "closed", "closed_by": "mia"})
    for pull in (PULL, second, adopted, closed):
        store.note_pull(pull)

    assert store.pulls(1, 12) == (second, closed)
    assert store.pulls(1, 13) == (closed,)
    assert store.pulls(1, 30) == (adopted,)
    assert store.open_pulls(1) == (second, adopted)
    assert store.pulls(2, 12) == ()


def test_a_commit_is_recorded_once_as_it_was_first(store: SqliteStore, made: Any) -> None:
    rows = [commit(made, "a"), commit(made, "b"), commit(made, "c", item=13)]
    for row in (*rows, commit(made, "a", agent="bob")):
        store.record_commit(row)

    assert store.commits_of_item(1, 12) == (rows[1], rows[0])
    assert store.commits(1, ["c" * 40, "a" * 40, "d" * 40]) == (rows[2], rows[0])
    assert store.commits(2, ["a" * 40]) == ()


def test_a_check_is_known_by_commit_and_command_and_run_again_replaced(
    store: SqliteStore,
) -> None:
    green = CHECK.model_copy(update={"state": "green", "exit": 0, "failing": ()})
    store.record_check(1, CHECK)
    before = store.check(1, "c" * 40, "make test")

    store.record_check(1, green)

    assert before == CHECK
    assert store.check(1, "c" * 40, "make test") == green
    assert store.check(1, "c" * 40, "make other") is None


def test_a_build_is_known_by_its_key(store: SqliteStore, made: Any) -> None:
    build = Build(repo_id=1, key="k", path="/b/k", state="ready", tail="done")
    store.record_build(build.model_copy(update={"state": "failed"}), made.noon)

    store.record_build(build, made.after(1))

    assert store.build(1, "k") == build
    assert store.build(1, "other") is None


def test_the_newest_decision_of_every_issue_counts(store: SqliteStore, made: Any) -> None:
    opinion = Opinion(
        agent="ann", issue=12, reason="small", depends_on=(3,), complexity="s", risk="low",
        tracker=False, worth_doing=True,
    )  # fmt: skip
    newest = made.decision(verdict="declined", at=made.after(9), opinions=(opinion,))
    other = made.decision(issue=13)
    store.record_decisions([newest, made.decision(), other])
    store.record_decisions([newest])

    assert store.decisions(1) == (newest, other)
    assert store._records.number("SELECT count(*) FROM decisions") == 3


def test_approvals_are_kept_as_first_given(store: SqliteStore, made: Any) -> None:
    first = Approval(repo_id=1, item=12, text_hash="t", by="mia", at=made.noon)
    second = first.model_copy(update={"by": "joe", "at": made.after(5)})
    for approval in (second, first, first.model_copy(update={"at": made.after(9)})):
        store.record_approval(approval)

    assert store.approvals(1, 12) == (first, second)
    assert store.approvals(1, 13) == ()


def test_the_newest_outcome_of_every_item_counts(running: SqliteStore, made: Any) -> None:
    waiting = made.report(outcome=Outcome.WAITING, not_before=made.after(60))
    running.record_outcome("run", 1, made.report(), made.noon)
    running.record_outcome("next", 1, waiting, made.after(1))
    running.record_outcome("run", 1, made.report(13, title="Old"), made.noon)
    running.record_outcome("run", 1, made.report(13), made.after(2))

    assert running.outcomes(1) == ((waiting, made.after(1)), (made.report(13), made.after(2)))
    assert running._records.rows("SELECT number, title FROM items") == [
        {"number": 12, "title": "Crash"},
        {"number": 13, "title": "Crash"},
    ]


def test_a_person_is_called_once_until_the_item_works_again(store: SqliteStore, made: Any) -> None:
    first = store.call_person(1, 12, "disputed", made.noon)
    again = store.call_person(1, 12, "still", made.after(1))
    called = store.person_called(1, 12)
    store.item_works_again(1, 12)
    resting = store.person_called(1, 12)
    later = store.call_person(1, 12, "new", made.after(2))

    assert (first, again, later) == (True, False, True)
    assert (called and (called.reason, called.at), resting) == (("disputed", made.noon), None)
    assert store.call_person(1, 13, "other", made.noon)


def test_calls_are_kept_with_what_they_were_for(store: SqliteStore, made: Any) -> None:
    store.call_person(1, 12, "look", made.noon, "a" * 40, Cause.POLICY)
    store.item_works_again(1, 12)
    store.call_person(1, 12, "wait", made.after(1), "b" * 40, Cause.PENDING)

    assert store.calls(1, 12) == (
        Called(reason="look", at=made.noon, cause=Cause.POLICY, head="a" * 40, open=False),
        Called(reason="wait", at=made.after(1), cause=Cause.PENDING, head="b" * 40, open=True),
    )
    assert store.person_called(1, 12) == store.calls(1, 12)[1]


def test_a_watermark_only_moves_forward(store: SqliteStore, made: Any) -> None:
    mark = Watermark(repo_id=1, item=12, conversation="t1", comment=7, seen_until=made.after(10))
    issue = mark.model_copy(update={"conversation": "issue"})
    older = mark.model_copy(update={"comment": 5, "seen_until": made.after(20)})

    sooner = mark.model_copy(update={"comment": 9, "seen_until": made.noon})

    for one in (mark, issue, older, sooner):
        store.move_watermark(one)

    moved = mark.model_copy(update={"comment": 9, "seen_until": made.after(20)})
    assert store.watermarks(1, 12) == (issue, moved)
    assert store.watermarks(1, 13) == ()


def test_a_period_of_a_job_is_taken_once(store: SqliteStore, made: Any) -> None:
    takes = [("sweep", "12"), ("sweep", "12"), ("sweep", "13"), ("triage", "12")]

    taken = [store.claim_tick(job, period, made.noon) for job, period in takes]

    assert taken == [True, False, True, True]


def test_the_last_answer_of_a_url_is_kept(store: SqliteStore) -> None:
    store.store_etag("u", "one", "body")

    store.store_etag("u", "two", "body 2")

    assert store.etag("u") == ("two", "body 2")
    assert store.etag("v") is None
