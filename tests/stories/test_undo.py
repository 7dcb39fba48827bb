"""`harness undo RUN`: what a run wrote is taken back, and what people touched is left and told."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigError, ForgeError, LeaseLost
from harness.facts.entries import Disposition, EventKind
from harness.rehearsal.demo.script import NEGATIVE, ROUNDING
from harness.rehearsal.demo.story import BOT, MAINTAINER
from harness.rehearsal.github import Fault
from harness.rehearsal.github.handling import Request, Response
from harness.rehearsal.models import on
from harness.rules.forge_names import item_lease, triage_lease
from harness.rules.markers import strip_marker
from tests.stories.conftest import Play
from tests.stories.scripts import CART, finding, refute, responds, reviews, told, triages
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

BRANCH = "harness/issue-1"


def test_the_forge_is_as_before_the_ledger_forgets_and_a_second_undo_finds_nothing(
    demo: Stage,
) -> None:
    before = picture(demo)
    demo.run()

    undone = demo.undo(demo.newest_run)

    assert undone["exit_code"] == 0
    assert states(undone, "left") == []
    assert picture(demo) == before
    assert demo.item(5).state == "closed"
    assert demo.comments(5) == []
    assert BRANCH not in branches(demo)
    assert [(one.state, one.description) for one in demo.statuses][-1] == ("error", "withdrawn")
    assert demo.standings == {}
    assert undone["events"] > 0

    written, again = len(demo.forge.writes), demo.undo(undone["run"])

    assert (again["exit_code"], again["events"]) == (0, 0)
    assert {line["state"] for line in again["lines"]} == {"nothing_to_do"}
    assert len(demo.forge.writes) == written


def test_what_was_undone_rests_until_it_is_named_and_then_begins_anew(demo: Stage) -> None:
    demo.run()
    demo.undo(demo.newest_run)
    asked, written = len(demo.models.requests), len(demo.forge.writes)

    by_itself = demo.run()

    assert by_itself == 0
    assert (len(demo.models.requests), len(demo.forge.writes)) == (asked, written)
    assert set(demo.outcomes.values()) == {"abandoned"}

    named = demo.run(1)

    assert named == 0
    assert demo.outcomes == {1: "approved"}
    assert demo.reports[1].pull == 6
    assert demo.item(6).pull.head_ref == f"{BRANCH}-2"
    assert (demo.states[ROUNDING], demo.states[NEGATIVE]) == ("fixed", "refuted")


def test_a_dry_undo_says_it_and_changes_nothing(demo: Stage) -> None:
    demo.run()
    run, written, known = demo.newest_run, len(demo.forge.writes), demo.states

    dry = demo.undo(run, "--dry-run")

    assert states(dry, "taken_back") == [
        *("status", "comment", "open_pull", "push"),  # of the issue that was written to last
        *("label", "label", "comment"),
    ]
    assert len(demo.forge.writes) == written
    assert demo.states == known
    assert demo.undo(run)["events"] == dry["events"] > 0


def test_what_people_touched_is_left_and_told(demo: Stage) -> None:
    demo.run()
    run = demo.newest_run
    by_hand = demo.push({"NOTES.md": "mine\n"})
    decline = demo.item(2).comments[0].id
    demo.forge.people.edit_comment(demo.slug, 2, decline, "I changed this.")
    demo.forge.people.unlabel(demo.slug, MAINTAINER, 3, "harness: needs a person")
    demo.forge.people.unlabel(demo.slug, MAINTAINER, 4, "harness: needs a person")
    demo.forge.people.label(demo.slug, MAINTAINER, 4, "harness: needs a person")

    undone = demo.undo(run)

    assert undone["exit_code"] == 1
    left = {
        (line["item"], line["kind"]): line["why"]
        for line in undone["lines"]
        if line["state"] == "left"
    }
    assert left == {
        (1, "open_pull"): f"commit {by_hand[:12]} in it is not ours",
        (1, "push"): f"commit {by_hand[:12]} on {BRANCH} is not ours",
        (2, "comment"): "a person edited it since",
        (4, "label"): f"{MAINTAINER} set it since",
    }
    assert demo.item(5).state == "open"
    assert demo.comments(2) == ["I changed this."]
    assert demo.labels(3) == set()
    assert demo.labels(4) == {"harness: needs a person"}


def test_what_people_said_stays_and_does_not_keep_the_pull_request_open(play: Play) -> None:
    stage = play(told())
    stage.run()
    stage.say(5, "I would do this differently.")

    undone = stage.undo(stage.newest_run)

    assert undone["exit_code"] == 0
    assert stage.item(5).state == "closed"
    assert stage.comments(5) == ["I would do this differently."]
    told_again = stage.look("undo", stage.newest_run_of("run"))
    assert "\nnothing of run " in told_again
    assert "nothing to do  it was taken back before" in told_again


def test_a_branch_that_a_persons_pull_request_stands_on_stays(play: Play) -> None:
    stage = play(told())
    stage.run()
    people, mine = stage.forge.people, stage.item(5).pull.head_sha
    people.branch_off(stage.slug, "mine", mine)
    people.commit(stage.slug, MAINTAINER, "mine", {"NOTES.md": "mine\n"}, "Add notes")
    number = people.open_pull(stage.slug, MAINTAINER, "mine", "Notes", base=BRANCH)

    undone = stage.undo(stage.newest_run)

    assert undone["exit_code"] == 1
    assert [line["why"] for line in undone["lines"] if line["state"] == "left"] == [
        f"pull request #{number} stands on {BRANCH}"
    ]
    assert (stage.item(5).state, stage.item(number).state) == ("closed", "open")


def test_a_merge_is_only_told_with_its_revert(play: Play) -> None:
    demo = play(told())
    demo.set("[loop]\n", '[loop]\nauto_merge = true\nmerge = "merge"\n')
    demo.run()
    assert demo.outcomes == {1: "merged"}
    sha = demo.item(5).pull.merge_sha

    undone = demo.undo(demo.newest_run)

    of = {line["kind"]: line for line in undone["lines"]}
    assert undone["exit_code"] == 1
    assert of["merge"]["command"] == f"git revert --no-edit -m 1 {sha}"
    assert (of["open_pull"]["state"], of["push"]["state"]) == ("nothing_to_do",) * 2
    assert demo.item(5).state == "closed"


@pytest.mark.parametrize("how", ["merge", "squash", "rebase", "by a push", "reset"])
def test_what_a_person_did_with_our_commits_is_told_with_what_takes_back_only_ours(
    play: Play, how: str, tmp_path: Path
) -> None:
    stage = play(told())
    stage.run()
    people, bare = stage.forge.people, stage.repository.bare
    before = stage.text(CART, "main")
    match how:
        case "merge" | "squash" | "rebase":
            people.merge(stage.slug, MAINTAINER, 5, method=how)
        case "by a push":
            people.branch_off(stage.slug, "more", BRANCH)
            people.commit(stage.slug, MAINTAINER, "more", {"NOTES.md": "mine\n"}, "Notes")
            people.force_push(stage.slug, MAINTAINER, "main", bare.tip("more"))
        case _:
            people.commit(stage.slug, MAINTAINER, "main", {"NOTES.md": "mine\n"}, "Notes")
            people.force_push(stage.slug, MAINTAINER, BRANCH, bare.tip("main"))

    undone = stage.undo(stage.newest_run)

    (command,) = {line["command"] for line in undone["lines"]} - {""} or {"git status"}
    assert (command == "git status") == (how == "reset")
    clone = tmp_path / "clone"
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"]
    subprocess.run(["git", "clone", "-q", "-b", "main", bare.path, clone], check=True)
    git, *words = command.split()
    subprocess.run([git, "-C", clone, *identity, *words], check=True, capture_output=True)
    assert (clone / CART).read_text() == before
    assert (clone / "NOTES.md").exists() == (how in {"by a push", "reset"})


@pytest.mark.parametrize(
    ("after", "deed", "left"),
    [
        ("POST /statuses/", "merges", {"open_pull": f"pull request #5 was merged by {MAINTAINER}"}),
        ("POST /statuses/", "edits", {"comment": "a person edited it since"}),
        ("PATCH /issues/5", "reopens", {"push": "pull request #5 is left, and stands on it"}),
    ],
    ids=["merges", "edits", "reopens"],
)
def test_what_a_person_does_between_two_writes_of_an_undo_is_not_taken_back(
    play: Play, after: str, deed: str, left: dict[str, str]
) -> None:
    stage = play(told())
    stage.run()
    people, (said,) = stage.forge.people, stage.item(5).comments
    deeds: dict[str, Callable[[], object]] = {
        "merges": lambda: people.merge(stage.slug, MAINTAINER, 5),
        "edits": lambda: people.edit_comment(stage.slug, 5, said.id, "I changed this."),
        "reopens": lambda: people.reopen(stage.slug, MAINTAINER, 5),
    }
    once = [deeds[deed]]
    method, path = after.split()

    def act(request: Request, _response: Response) -> None:
        if request.method == method and path in request.path and once:
            once.pop()()

    stage.forge.observe(act)

    undone = stage.undo(stage.newest_run)

    why = {line["kind"]: line["why"] for line in undone["lines"] if line["state"] == "left"}
    assert (once, why) == ([], left)
    assert (stage.item(5).pull.merged_at is not None) == (deed == "merges")
    assert (stage.item(5).state == "open") == (deed == "reopens")
    assert stage.comments(5) == (["I changed this."] if deed == "edits" else [])


def test_a_run_that_went_on_with_anothers_pull_request_takes_back_its_own_part(
    play: Play,
) -> None:
    stage = play(told(reviews(2, finding(), action="fix_myself")))
    stage.run()
    said = stage.comments(5)
    stage.push({"NOTES.md": "mine\n"})
    stage.run(1)
    assert stage.comments(5) != said

    undone = stage.undo(stage.newest_run)

    kinds = {line["kind"]: line["state"] for line in undone["lines"]}
    assert "open_pull" not in kinds
    assert kinds["edit_comment"] in {"taken_back", "nothing_to_do"}
    assert stage.item(5).state == "open"
    assert [strip_marker(one) for one in stage.comments(5)] == [strip_marker(one) for one in said]


def test_a_pull_request_that_was_left_is_reviewed_anew_once_it_is_named(play: Play) -> None:
    stage = play(told())
    stage.run()
    stage.push({"NOTES.md": "mine\n"})
    stage.undo(stage.newest_run)
    asked = len(stage.briefs("review *"))

    assert stage.run() == 0
    assert stage.outcomes == {1: "abandoned"}
    assert stage.run(1) == 0

    assert (stage.outcomes, stage.reports[1].pull) == ({1: "approved"}, 5)
    assert len(stage.briefs("review *")) == asked + 1


def test_an_approval_that_was_undone_is_never_taken_up_again_without_a_review(play: Play) -> None:
    stage = play(told())
    stage.set("[loop]\n", '[loop]\nupdate = "always"\n')
    stage.run()
    before = strip_marker(stage.comments(5)[0])
    stage.forge.people.commit(stage.slug, MAINTAINER, "main", {"NOTES.md": "n\n"}, "Move on")
    stage.run()
    head, asked = stage.item(5).pull.head_sha, len(stage.briefs("review *"))

    undone = stage.undo(stage.newest_run)

    push = next(line for line in undone["lines"] if line["kind"] == "push")
    assert (push["state"], push["command"]) == ("left", "")  # what is merged in is a person's
    assert strip_marker(stage.comments(5)[0]) == before
    assert stage.statuses[-1].state == "error"

    assert stage.run(1) == 0

    assert stage.item(5).pull.head_sha == head
    assert len(stage.briefs("review *")) == asked + 1
    assert (stage.statuses[-1].sha, stage.statuses[-1].state) == (head, "success")


def test_an_undo_that_was_stopped_goes_on_where_it_was(play: Play) -> None:
    stage = play(told())
    stage.run()
    run = stage.newest_run
    stage.forge.fail(Fault("secondary_limit", method="DELETE", times=-1))

    with pytest.raises(ForgeError):
        stage.undo(run)
    stage.forge.recover()
    stage.pass_time(minutes=2)

    assert stage.undo(run)["exit_code"] == 0
    assert stage.item(5).state == "closed"
    assert stage.comments(5) == []


@pytest.mark.parametrize("deed", ["deleted", "renamed"])
def test_a_run_is_undone_though_its_base_is_no_more(play: Play, deed: str) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))
    people = stage.forge.people
    people.branch_off(stage.slug, "dev", "main")
    people.commit(stage.slug, MAINTAINER, "dev", {"NOTES.md": "mine\n"}, "Notes")
    stage.set('name = "ada/shop"\n', 'name = "ada/shop"\nbase = "dev"\n')
    stage.run()
    if deed == "deleted":
        people.delete_branch(stage.slug, MAINTAINER, "dev")
    else:
        people.rename_branch(stage.slug, MAINTAINER, "dev", "trunk")

    undone = stage.undo(stage.newest_run)

    assert (undone["exit_code"], states(undone, "left")) == (0, [])
    assert undone["events"] > 0
    assert (stage.item(5).state, BRANCH in stage.branches) == ("closed", False)


def test_a_run_is_undone_under_the_name_that_its_repository_has_by_now(play: Play) -> None:
    stage = play(told())
    stage.run()
    run, old = stage.newest_run, stage.slug
    stage.forge.people.move_repository(old, "ada/store")

    with pytest.raises(ConfigError, match="ada/shop is called ada/store now: put that under"):
        stage.undo(run)
    stage.set(f'name = "{old}"', 'name = "ada/store"')
    stage.slug = "ada/store"

    assert stage.undo(run)["exit_code"] == 0
    assert stage.item(5).state == "closed"

    stage.forge.people.make_repository(old, files={"README.md": "another\n"})
    stage.forge.people.allow(old, BOT, "write")
    stage.set('name = "ada/store"', f'name = "{old}"')
    with pytest.raises(ConfigError, match="worked on ada/store, which is configured no m"):
        stage.undo(run)


def test_what_went_along_with_a_transferred_issue_is_told_with_its_new_place(play: Play) -> None:
    stage = play(told(on("triage *", triages(i2={"worth_doing": False}))), 2)
    stage.run()
    stage.forge.people.make_repository("ada/elsewhere", files={"README.md": "x"})
    stage.forge.people.transfer(stage.slug, 2, "ada/elsewhere")

    undone = stage.undo(stage.newest_run)

    page = f"{stage.forge.base}/ada/elsewhere/issues/1"
    assert undone["exit_code"] == 1
    assert [(line["state"], line["why"]) for line in undone["lines"]] == [
        ("left", f"it went along with #2, which was transferred to {page}")
    ]


def test_where_the_forge_cannot_be_read_nothing_is_taken_back(play: Play) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))
    stage.run()
    run, known = stage.newest_run, stage.states
    stage.forge.fail(Fault("secondary_limit", method="GET", path="/issues/5/comments", times=-1))

    with pytest.raises(ForgeError):
        stage.undo(run)

    with stage.store() as store:
        assert store.undone(stage.repository.id, 1) == ()
    assert stage.states == known
    stage.forge.recover()
    stage.pass_time(minutes=2)
    assert stage.undo(run)["events"] > 0


@pytest.mark.parametrize(
    ("lease", "what"),
    [(lambda repo: item_lease(repo, 1), "#1"), (triage_lease, "the triage")],
    ids=["item", "triage"],
)
def test_while_another_process_works_there_nothing_is_taken_back(
    play: Play, lease: Callable[[int], str], what: str
) -> None:
    stage = play(told(reviews(1, finding())))
    stage.run()
    run, repo = stage.newest_run, stage.repository.id
    before = (picture(stage), stage.branches, len(stage.forge.writes), stage.states)

    with stage.store() as other:
        held = other.claim(lease(repo), stage.house().clock.now())
        assert held is not None
        with pytest.raises(LeaseLost, match=f"works {what} of ada/shop right now; nothing was"):
            stage.undo(run)
        other.release(held)
        assert other.undone(repo, 1) == ()

    assert (picture(stage), stage.branches, len(stage.forge.writes), stage.states) == before
    assert stage.undo(run)["exit_code"] == 0


def test_what_a_person_ruled_within_the_run_stays_in_force(play: Play) -> None:
    stage = play(told(reviews(1, finding()), responds(1, refute())))
    stage.run()
    answered = len(stage.briefs("respond *"))
    ruled = (
        stage.standings[NEGATIVE]
        .events[-1]
        .model_copy(
            update={
                "id": "f" * 32,
                "kind": EventKind.RULED,
                "scope": "repo",
                "actor": MAINTAINER,
                "by_person": True,
                "disposition": Disposition.REFUTED,
            }
        )
    )
    with stage.store() as store:
        store.record_events((), (), (ruled,))

    stage.undo(ruled.run_id)
    stage.run(1)

    assert stage.outcomes == {1: "approved"}
    standing = stage.standings[NEGATIVE]
    assert (standing.state.value, standing.by_person) == ("refuted", True)
    assert len(stage.briefs("respond *")) == answered


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("zz", 'there is no run "zz"; `harness runs` lists them'),
        ("", 'there is no run ""; `harness runs` lists them'),
    ],
)
def test_an_unknown_run_is_the_callers_mistake(demo: Stage, run: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        demo.undo(run)

    assert str(caught.value) == said
    assert demo.forge.writes == []


def test_what_wrote_nothing_cannot_be_undone(play: Play) -> None:
    stage = play(told())
    stage.run(dry=True)
    dry = stage.newest_run
    stage.run()
    stage.undo(stage.newest_run)
    undo = stage.newest_run

    with pytest.raises(ConfigError, match="was a dry run"):
        stage.undo(dry)
    with pytest.raises(ConfigError, match="is an undo itself"):
        stage.undo(undo)


def picture(stage: Stage) -> dict[int, tuple[Any, ...]]:
    """What can be seen of the issues."""
    return {
        number: (item.state, item.title, item.body, set(item.labels), len(item.comments))
        for number in (1, 2, 3, 4)
        for item in (stage.item(number),)
    }


def branches(stage: Stage) -> str:
    """All branches of the forge."""
    repository = stage.forge.forge.repository(stage.slug)
    assert repository is not None
    return repository.bare.run("for-each-ref", "--format=%(refname)", "refs/heads")


def states(page: dict[str, Any], state: str) -> list[str]:
    """The kinds of the writes in this state, in order."""
    return [line["kind"] for line in page["lines"] if line["state"] == state]
