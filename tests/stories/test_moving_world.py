"""What people do between any two steps: nobody's work is overwritten, nothing unseen is approved.

The story is always the same one: an implementation that rounds wrong, a review that says so, the
fix, the review of the fix. Each case lets one person do one thing at one moment of it, runs it to
its end, sets right what only an operator can, and runs it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from harness.facts.journal import Ending
from harness.rehearsal.demo.story import BOT, CHECK, MAINTAINER, SLUG
from harness.rehearsal.models import Act, Question, create, edit, on, say
from harness.rehearsal.models.script import Chapter
from harness.rules.custody import REVIEWS
from tests.stories.conftest import Play
from tests.stories.moments import Moments
from tests.stories.scripts import (
    CART,
    PRICES,
    RIGHT,
    ROUNDING,
    TIMES,
    WRONG,
    fixed,
    implements,
    quote,
    refute,
    rounding,
    says_response,
    says_review,
    shown,
    told,
)
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

BRANCH, PULL = "harness/issue-1", 5
NOTES = "notes.md"


# -- the story ------------------------------------------------------------------------------------
def rounds_wrong(asked: Question) -> bool:
    """Whether the change that is shown does."""
    return f"+{WRONG}" in asked.brief


def looks(asked: Question) -> Act:
    """A reviewer who finds it as often as it is there, and agrees where it is not."""
    wrong = rounds_wrong(asked)
    known = any(one.title == ROUNDING for one in shown(asked))
    raised = [rounding()] if wrong and not known else []
    return says_review(*raised, objects=[ROUNDING] if wrong else [])(asked)


def answers(asked: Question) -> Act:
    """An author who mends it, and says so where it is right already."""
    right = refute(ROUNDING, quote(CART, 9, RIGHT))
    return says_response(fixed() if rounds_wrong(asked) else right)(asked)


def story(moments: Moments) -> list[Chapter]:
    """The chapters, with the moments in which somebody may act."""
    mend = say(edit(CART, WRONG, RIGHT))
    return [
        on(
            "implement *",
            *implements(
                edit(CART, PRICES, TIMES), edit(CART, RIGHT, WRONG), create(NOTES, "ours\n")
            ),
        ),
        on("review *", moments.during("review", looks)),
        on("respond *", moments.during("respond", lambda _: mend), answers),
        on("update *", say(create(NOTES, "both\n")), says_response()),
    ]


# -- what a person does ---------------------------------------------------------------------------
@dataclass
class Person:
    """The maintainer, and what has to be found again afterwards."""

    stage: Stage
    commits: list[str] = field(default_factory=list)  # theirs, on our branch
    mains: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.people = self.stage.forge.people
        self.repository = self.stage.repository  # under whatever name
        self._note_main()

    def _note_main(self) -> None:
        self.mains.append(self.repository.bare.tip("main"))

    def pushes(self) -> None:
        self.commits.append(self.stage.push({"by_hand.md": "mine\n"}))

    def force_pushes(self) -> None:
        self.people.branch_off(SLUG, "elsewhere", "main")
        sha = self.stage.push({"by_hand.md": "mine\n"}, "elsewhere")
        self.people.force_push(SLUG, MAINTAINER, BRANCH, sha)
        self.commits.append(sha)

    def deletes_the_branch(self) -> None:
        self.people.delete_branch(SLUG, MAINTAINER, BRANCH)

    def renames_the_branch(self) -> None:
        self.people.rename_branch(SLUG, MAINTAINER, BRANCH, "feature")

    def closes_the_pull_request(self) -> None:
        self.people.close(SLUG, MAINTAINER, PULL)

    def merges_it(self) -> None:
        self.people.merge(SLUG, MAINTAINER, PULL)
        self._note_main()

    def turns_it_to_draft(self) -> None:
        self.people.set_draft(SLUG, MAINTAINER, PULL, draft=True)

    def closes_the_issue(self) -> None:
        self.people.close(SLUG, MAINTAINER, 1)

    def edits_the_issue(self) -> None:
        self.people.edit(SLUG, MAINTAINER, 1, body="With milk, too.")

    def protects_the_branch(self) -> None:
        self.people.guard_branch(SLUG, BRANCH)

    def takes_our_permission(self) -> None:
        self.people.allow(SLUG, BOT, "read")

    def renames_the_repository(self) -> None:
        self.people.move_repository(SLUG, "ada/store")

    def moves_the_base(self) -> None:
        self.stage.push({"readme.txt": "moved\n"}, "main")
        self._note_main()

    def starts_the_base_over(self) -> None:
        self.people.start_over(SLUG, MAINTAINER, "main")
        self._note_main()

    def empties_the_branch(self) -> None:
        self.people.force_push(SLUG, MAINTAINER, BRANCH, self.repository.bare.tip("main"))

    def writes_into_the_same_file(self) -> None:
        self.stage.push({NOTES: "theirs\n"}, "main")
        self._note_main()

    def gives_back(self) -> None:
        """What only an operator can set right."""
        self.people.allow(self.repository.slug, BOT, "write")
        if self.repository.slug != self.stage.slug:
            self.stage.set(f'name = "{self.stage.slug}"', f'name = "{self.repository.slug}"')
            self.stage.slug = self.repository.slug


Deed = Callable[[Person], None]


# -- what must hold however it went ---------------------------------------------------------------
def check(stage: Stage, person: Person) -> None:
    """Nothing unseen approved, nobody overwritten, nothing said twice."""
    approved = {row.sha for row in person.repository.statuses if row.state == "success"}
    assert approved <= seen_by_the_other(stage, person.repository.id)
    tip = person.repository.bare.tip(BRANCH)
    if tip:
        for sha in person.commits:
            assert person.repository.bare.is_ancestor(sha, tip)
    if tip in approved:
        assert WRONG not in stage.text(CART)
    assert person.repository.bare.tip("main") == person.mains[-1]
    for number, item in person.repository.items.items():
        ours = [row for row in item.comments if row.author and row.author.login == BOT]
        assert len(ours) <= 1, f"said twice on #{number}"


def seen_by_the_other(stage: Stage, repo: int) -> set[str]:
    """The heads of valid reviews by an agent that did not write them."""
    with stage.store() as store:
        wrote = {row.sha: row.agent for row in store.commits_of_item(repo, 1)}
        return {
            one.brief.head
            for one in store.exchanges(repo, 1)
            if one.brief.kind in REVIEWS
            and one.result is Ending.REPLIED
            and wrote.get(one.brief.head) != one.brief.pin.agent
        }


CASES = [
    ("push", Person.pushes, "escalated"),
    ("open", Person.pushes, "approved"),
    ("during review", Person.pushes, "approved"),
    ("push 2", Person.pushes, "approved"),
    ("approve", Person.pushes, "approved"),
    ("open", Person.force_pushes, "approved"),
    ("approve", Person.force_pushes, "approved"),
    ("open", Person.deletes_the_branch, "abandoned"),
    ("push 2", Person.deletes_the_branch, "abandoned"),
    ("push 2", Person.renames_the_branch, "escalated"),
    ("during respond", Person.closes_the_pull_request, "abandoned"),
    ("approve", Person.closes_the_pull_request, "abandoned"),
    ("during review", Person.merges_it, "merged"),
    ("approve", Person.merges_it, "merged"),
    ("review", Person.turns_it_to_draft, "approved"),
    ("open", Person.closes_the_issue, "abandoned"),
    ("respond", Person.edits_the_issue, "approved"),
    ("push 2", Person.protects_the_branch, "escalated"),
    ("push", Person.takes_our_permission, "waiting"),
    ("approve", Person.takes_our_permission, "waiting"),
    ("approve", Person.renames_the_repository, "error"),
    ("approve", Person.moves_the_base, "approved"),
    ("during review", Person.empties_the_branch, "abandoned"),
    ("commit", Person.writes_into_the_same_file, "approved"),
]


def begin(play: Play, moments: Moments) -> Person:
    """The stage is set; without a check, which costs time and changes nothing here."""
    stage = play(told(*story(moments)))
    stage.set(f'check = "{CHECK}"\n', "")
    return Person(stage)


CODES = {"approved": 0, "abandoned": 0, "merged": 0, "escalated": 1, "error": 3, "waiting": 2}


@pytest.mark.parametrize(
    ("moment", "deed", "outcome"),
    [pytest.param(*case, id=f"{case[1].__name__} at {case[0]}") for case in CASES],
)
def test_a_person_acts_at_a_moment(play: Play, moment: str, deed: Deed, outcome: str) -> None:
    moments = Moments()
    person = begin(play, moments)
    stage = person.stage

    with moments.at(moment, lambda: deed(person)):
        code = stage.run()

    assert stage.outcomes == {1: outcome}, stage.reports
    assert code == CODES[outcome]
    check(stage, person)
    person.gives_back()
    stage.run(*([1] if outcome == "escalated" else []))
    check(stage, person)
    written, asked = len(stage.forge.writes), len(stage.models.requests)
    assert stage.run() == (1 if "escalated" in stage.outcomes.values() else 0)
    assert (len(stage.forge.writes), len(stage.models.requests)) == (written, asked)
    check(stage, person)


@pytest.mark.parametrize("moment", ["push", "approve"])
def test_a_base_that_is_renamed_is_told_and_followed_by_the_next_command(
    play: Play, moment: str
) -> None:
    moments = Moments()
    person = begin(play, moments)
    stage = person.stage

    def renames() -> None:
        person.people.rename_branch(SLUG, MAINTAINER, "main", "trunk")

    with moments.at(moment, renames):
        assert stage.run() == 3

    assert stage.reports[1].reason.startswith("ada/shop has no branch main any more: if it was")
    goes_on = stage.run if moment == "push" else stage.resume
    assert goes_on() == 0
    assert stage.outcomes == {1: "approved"}
    assert person.repository.items[PULL].pull.base_ref == "trunk"


def test_a_base_without_common_history_calls_a_person_and_the_work_goes_on_once_it_is_back(
    play: Play,
) -> None:
    moments = Moments()
    person = begin(play, moments)
    stage, before = person.stage, person.mains[0]

    with moments.at("approve", person.starts_the_base_over):
        assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert stage.reports[1].reason.startswith("main was replaced and has no commit in common")
    check(stage, person)
    written = len(stage.forge.writes)
    assert stage.run() == 1
    assert len(stage.forge.writes) == written

    person.people.force_push(SLUG, MAINTAINER, "main", before)

    assert stage.run() == 0
    assert stage.outcomes == {1: "approved"}


def test_a_fix_that_is_pushed_away_is_open_again_and_nothing_is_approved_without_it(
    play: Play,
) -> None:
    person = begin(play, Moments())
    stage = person.stage
    assert stage.run() == 0
    (approved,) = seen_by_the_other(stage, person.repository.id) & {
        row.sha for row in person.repository.statuses
    }
    unfixed = person.repository.bare.run("rev-parse", f"{approved}~1").strip()
    assert WRONG in stage.text(CART, unfixed)

    person.people.force_push(SLUG, MAINTAINER, BRANCH, unfixed)

    assert stage.run() == 0
    check(stage, person)
    assert unfixed not in {row.sha for row in person.repository.statuses}
    kinds = [event.kind.value for event in stage.standings[ROUNDING].events]
    assert kinds == ["raised", "claimed_fixed", "fixed", "reopened", "claimed_fixed", "fixed"]
