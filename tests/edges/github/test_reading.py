from __future__ import annotations

import pytest

from harness.edges.github.reading import GithubReading
from harness.errors import AccessLost, ForgeError
from harness.facts.forge import Permission
from harness.rehearsal.github import Fault
from tests.edges.github.world import SLUG, KeptEtags, World, connect


def test_a_repository_and_ourselves_are_read(world: World) -> None:
    repo, me = world.reading.repo(), world.reading.whoami()

    assert (repo.slug, repo.host, repo.default_branch) == (SLUG, "127.0.0.1", "main")
    assert repo.clone_url == f"{world.double.base}/{SLUG}.git"
    assert (me.login, me.kind) == ("harness-bot", "user")


def test_open_issues_are_all_pages_without_pull_requests(world: World, head: str) -> None:
    for index in range(120):
        world.double.people.open_issue(SLUG, "bob", f"Bug {index}")

    issues = world.reading.open_issues()

    assert [issue.number for issue in issues] == [1, *range(3, 123)]


def test_the_hundred_and_first_comment_is_seen(world: World) -> None:
    for index in range(101):
        world.double.people.comment(SLUG, "bob", 1, f"word {index}")

    comments = world.reading.comments(1)

    assert [comment.body for comment in comments][-1] == "word 100"
    assert len(comments) == 101


def test_who_may_not_write_is_told_so_when_they_ask_what_others_may_do(world: World) -> None:
    world.double.people.allow(SLUG, "harness-bot", "read")

    with pytest.raises(AccessLost, match=f"no write access to {SLUG} any more.*: give it back"):
        world.reading.permission("carol")


@pytest.mark.parametrize("role", ["none", "read", "triage", "write", "maintain", "admin"])
def test_a_permission_is_the_role(world: World, role: str) -> None:
    world.double.people.allow(SLUG, "carol", role)

    assert world.reading.permission("carol") == Permission(role)


def test_an_unknown_account_may_nothing(world: World) -> None:
    assert world.reading.permission("nobody-of-this-name") == Permission.NONE


@pytest.mark.parametrize(
    ("fate", "reason"), [("delete_item", "gone"), ("transfer", "moved")], ids=["deleted", "moved"]
)
def test_an_issue_that_is_not_there_any_more_says_how(world: World, fate: str, reason: str) -> None:
    if fate == "transfer":
        world.double.people.make_repository("octo/other", files={"a": "b\n"})
        world.double.people.transfer(SLUG, 1, "octo/other")
    else:
        world.double.people.delete_item(SLUG, 1)

    with pytest.raises(ForgeError) as caught:
        world.reading.issue(1)

    assert caught.value.reason == reason


def test_pull_requests_are_found_by_their_branch_newest_first(world: World, head: str) -> None:
    people = world.double.people
    people.close(SLUG, "alice", 2)
    again = people.open_pull(SLUG, "harness-bot", "harness/issue-1", "Again")

    pulls = world.reading.pulls_from("harness/issue-1")

    assert [(pull.number, pull.state) for pull in pulls] == [(again, "open"), (2, "closed")]
    assert pulls[0].head_sha == head
    assert world.reading.pulls_from("harness/issue-2") == ()


def test_a_timeline_tells_who_did_what(world: World) -> None:
    people = world.double.people
    people.label(SLUG, "alice", 1, "harness: skip")
    people.close(SLUG, "bob", 1)
    people.reopen(SLUG, "alice", 1)

    told = [(one.kind, one.actor.login, one.detail) for one in world.reading.timeline(1)]

    assert told[-3:] == [
        ("labeled", "alice", "harness: skip"),
        ("closed", "bob", ""),
        ("reopened", "alice", ""),
    ]


def test_threads_are_read_with_all_their_comments(world: World, head: str) -> None:
    people = world.double.people
    first = people.note(SLUG, "alice", 2, "a.py", 2, "why?")
    for index in range(60):
        people.reply(SLUG, "bob", 2, first, f"word {index}")
    other = people.note(SLUG, "alice", 2, "b.py", 1, "and this?")
    people.resolve(SLUG, "alice", 2, other)
    people.commit(SLUG, "alice", "harness/issue-1", {"a.py": "one\n2\nthree\nfour\nfive\n"}, "X")

    one, two = world.reading.threads(2)

    assert (one.path, one.line, one.resolved, one.outdated) == ("a.py", 2, False, True)
    assert [len(one.comments), one.comments[-1].body] == [61, "word 59"]
    assert {comment.reply_to for comment in one.comments} == {0, first}
    assert one.comments[0].id == first
    assert (two.resolved, two.resolved_by, two.outdated) == (True, "alice", False)


def test_outdated_and_not_resolved_is_open(world: World, head: str) -> None:
    people = world.double.people
    people.note(SLUG, "alice", 2, "a.py", 2, "why?")
    people.commit(SLUG, "alice", "harness/issue-1", {"a.py": "one\n2\n"}, "Answer")
    done = people.note(SLUG, "alice", 2, "b.py", 1, "and this?")
    people.resolve(SLUG, "alice", 2, done)

    threads = world.reading.threads(2)

    assert [one.outdated for one in threads] == [True, False]
    assert [one.path for one in threads if not one.resolved] == ["a.py"]


def test_notes_of_a_draft_nobody_has_said_yet(world: World, head: str) -> None:
    note = {"path": "a.py", "line": 2, "body": "Later."}
    world.double.people.review(
        SLUG, world.reading.whoami().login, 2, "", "Later.", notes=[note], commit=head
    )

    (thread,) = world.reading.threads(2)

    assert thread.comments == ()


def test_all_of_120_threads_are_read(world: World, head: str) -> None:
    for index in range(120):
        world.double.people.note(SLUG, "alice", 2, "a.py", 2, f"note {index}")

    threads = world.reading.threads(2)

    assert [one.comments[0].body for one in threads] == [f"note {index}" for index in range(120)]


def test_threads_tell_apps_and_ghosts_from_people(world: World, head: str) -> None:
    people = world.double.people
    people.join("helper[bot]", kind="Bot")
    for login in ("helper[bot]", "alice", "leaver"):
        people.note(SLUG, login, 2, "a.py", 2, "hm")
    people.leave("leaver")

    authors = [thread.comments[0].author for thread in world.reading.threads(2)]

    assert [(one.kind, one.login) for one in authors] == [
        ("app", "helper[bot]"),
        ("user", "alice"),
        ("ghost", "ghost"),
    ]


def test_reviews_hold_our_own_pending_one(world: World, head: str) -> None:
    people = world.double.people
    people.review(SLUG, "alice", 2, "REQUEST_CHANGES", "no")
    people.review(SLUG, "harness-bot", 2, "", "draft")
    people.review(SLUG, "alice", 2, "", "hers")

    states = [(one.author.login, one.state) for one in world.reading.reviews(2)]

    assert states == [("alice", "CHANGES_REQUESTED"), ("harness-bot", "PENDING")]
    pending = world.reading.pending_review(2)
    assert pending is not None
    assert pending.body == "draft"


# -- checks ------------------------------------------------------------------------------------
def test_checks_are_runs_and_statuses_with_what_is_required(world: World, head: str) -> None:
    people = world.double.people
    people.guard_branch(SLUG, "main", required=["ci"], by_rules=True)
    people.set_status(SLUG, "alice", head, "ci", "failure", "2 tests failed")
    people.set_status(SLUG, "harness-bot", head, "harness/review", "success")
    people.run_check(SLUG, head, "lint", "success")
    people.run_check(SLUG, head, "slow")
    notes = [{"path": "a.py", "start_line": 2, "message": "boom"}]
    people.run_check(SLUG, head, "unit", "timed_out", annotations=notes)

    checks = {one.name: one for one in world.reading.checks(head, "main")}

    assert {name: (one.state, one.required) for name, one in checks.items()} == {
        "ci": ("red", True),
        "lint": ("green", False),
        "slow": ("pending", False),
        "unit": ("red", False),
    }
    assert checks["unit"].annotations == ("a.py:2: boom",)
    assert checks["ci"].annotations == ("2 tests failed",)


@pytest.mark.parametrize(
    ("run", "status", "state"),
    [
        ("success", "failure", "red"),
        ("failure", "success", "red"),
        ("success", "pending", "pending"),
        (None, "success", "pending"),
        (None, "failure", "red"),
        ("cancelled", "success", "stopped"),
        ("action_required", "pending", "stopped"),
        ("cancelled", "failure", "red"),
        ("neutral", "success", "green"),
        ("success", "success", "green"),
    ],
)
def test_of_a_run_and_a_status_of_one_name_the_worse_counts(
    world: World, head: str, run: str | None, status: str, state: str
) -> None:
    people = world.double.people
    people.run_check(SLUG, head, "ci / test", run)
    people.set_status(SLUG, "alice", head, "ci / test", status)

    (check,) = world.reading.checks(head, "main")

    assert check.state == state


def test_a_required_check_that_has_not_reported_is_pending(world: World, head: str) -> None:
    world.double.people.guard_branch(SLUG, "main", required=["ci"])

    (check,) = world.reading.checks(head, "main")

    assert (check.name, check.state, check.required) == ("ci", "pending", True)


def test_what_a_check_says_is_masked_before_anybody_has_it(world: World, head: str) -> None:
    notes = [{"path": "a.py", "start_line": 2, "message": "used hunter2"}]
    world.double.people.run_check(
        SLUG, head, "unit hunter2", "failure", annotations=notes, log="with hunter2\n"
    )
    masking = GithubReading(world.wire, SLUG, mask=lambda text: text.replace("hunter2", "***"))

    (check,) = masking.checks(head, "main")

    assert (check.name, check.annotations) == ("unit ***", ("a.py:2: used ***",))
    assert masking.check_log(check, 100) == "with ***\n"


def test_the_tail_of_a_log_is_fetched_without_our_credential(world: World, head: str) -> None:
    log = "".join(f"line {index}\n" for index in range(10_000))
    world.double.people.run_check(SLUG, head, "unit", "failure", log=log)
    world.double.people.run_check(SLUG, head, "other", "failure")
    other, unit = world.reading.checks(head, "main")

    assert world.reading.check_log(unit, 20) == log[-20:]
    assert world.reading.check_log(other, 20) == ""


@pytest.mark.parametrize("by_rules", [False, True], ids=["protection", "ruleset"])
def test_a_branch_is_protected_by_either_means(world: World, by_rules: bool) -> None:
    world.double.people.guard_branch(SLUG, "release/1", by_rules=by_rules)
    world.double.people.branch_off(SLUG, "release/1", "main")

    assert world.reading.is_protected("release/1") is True
    assert world.reading.is_protected("main") is False
    assert world.reading.is_protected("not/there") is False


def test_statuses_are_newest_first(world: World, head: str) -> None:
    for state in ("pending", "success"):
        world.double.people.set_status(SLUG, "alice", head, "ci", state, "x")

    assert world.reading.statuses(head) == (("ci", "success", "x"), ("ci", "pending", "x"))


# -- conditional requests -------------------------------------------------------------------------
def test_what_did_not_change_costs_no_quota_and_reads_alike(world: World) -> None:
    for index in range(120):
        world.double.people.open_issue(SLUG, "bob", f"Bug {index}")
    etags = KeptEtags()
    first = GithubReading(world.wire, SLUG, etags=etags)
    before = first.open_issues()
    world.statuses.clear()

    after = GithubReading(world.wire, SLUG, etags=etags).open_issues()

    assert after == before
    assert [status for _, _, status in world.statuses] == [304, 304]
    world.double.people.close(SLUG, "bob", 1)
    assert len(first.open_issues()) == len(before) - 1


def test_writing_reads_without_stored_answers(world: World) -> None:
    world.reading.issue(1)
    world.statuses.clear()

    world.reading.issue(1)

    assert [status for _, _, status in world.statuses] == [200]


def test_a_lagging_list_is_read_as_it_is(world: World) -> None:
    world.double.people.comment(SLUG, "bob", 1, "young")
    world.double.fail(Fault("lag", path="/comments", seconds=60, times=-1))

    assert world.reading.comments(1) == ()


# -- the credential --------------------------------------------------------------------------------
def test_a_credential_says_what_it_cannot_do(world: World) -> None:
    world.double.people.join("reader", token="reads")

    ours, theirs = (
        list(world.reading.scopes()),
        list(connect(world.double, "reads").reading.scopes()),
    )

    assert "it cannot push to octo/demo: give it write access" in theirs
    assert not any("push to" in sentence for sentence in ours)
    assert any("check runs" in sentence for sentence in ours)
