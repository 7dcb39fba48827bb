"""Other stories than the demo's, for chains of kills: each with what has to be there before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.rehearsal.demo.story import MAINTAINER
from harness.rehearsal.models import Script, create, edit, on
from tests.kills.conftest import NewStage
from tests.kills.nursery import Nursery
from tests.kills.tales import Careful
from tests.stories.reviewing import PULL, open_change
from tests.stories.scripts import (
    CART,
    PRICES,
    RIGHT,
    TIMES,
    WRONG,
    declines,
    finding,
    fixed,
    implements,
    refute,
    responds,
    reviews,
    rounding,
    says_same,
    told,
)
from tests.stories.stage import Stage

BROKEN = TIMES.replace("quantity", "quantities")
WORSE = TIMES.replace("quantity", "pieces")
THEIRS = "    whole = sum(max(line.cents, 0) for line in lines)"
BOTH = "    whole = sum(max(line.cents, 0) * line.quantity for line in lines)"
Words = tuple[str, ...]
OTHER_WORDS = "Refunds can be smuggled in as quantities"
CART_TEXT = '''\
"""Adding up an order."""

from shop.order import Line


def total(lines: list[Line], discount_percent: int = 0) -> int:
    """The price of all lines in cents, after the discount, rounded half up."""
'''


RUN = ("run", "-q")


def _as_it_is(_stage: Stage, _nursery: Nursery) -> Words:
    """Nothing has to be there."""
    return RUN


@dataclass(frozen=True)
class Other:
    """A script, and what happens before the chain of this command begins."""

    script: Script
    begin: Callable[[Stage, Nursery], Words] = _as_it_is


def _merging(stage: Stage, _nursery: Nursery) -> Words:
    stage.set("[loop]\n", "[loop]\nauto_merge = true\n")
    return RUN


def _checked_elsewhere(stage: Stage, _nursery: Nursery) -> Words:
    """The check is green on the base, and may be mended once."""
    only = "python3 -m unittest -q tests.test_cart.TotalTest.test_one_line"
    stage.set("python3 -m unittest -q", only)
    stage.set("[loop]\n", "[loop]\nmax_check_fixes = 1\n")
    return RUN


def _in_conflict(stage: Stage, nursery: Nursery) -> Words:
    """Approved, then the base changed the same line."""
    assert nursery.run(stage).exit == 0
    text = stage.text(CART, "main").replace(PRICES, THEIRS)
    stage.forge.people.commit(stage.slug, MAINTAINER, "main", {CART: text}, "Move on")
    return RUN


def _settled_elsewhere(stage: Stage, nursery: Nursery) -> Words:
    """Approved with a refuted finding, whose lines then moved."""
    assert nursery.run(stage).exit == 0
    stage.push({CART: "# a note\n" + stage.text(CART)})
    return RUN


def _spoken_to(stage: Stage, nursery: Nursery) -> Words:
    """Approved, and then a person had something to say."""
    assert nursery.run(stage).exit == 0
    stage.say(PULL, "Have you thought of refunds?")
    return RUN


def _taken_back(stage: Stage, nursery: Nursery) -> Words:
    """Approved, and then not wanted."""
    assert nursery.run(stage).exit == 0
    return ("undo", stage.newest_run)


def _of_a_person(stage: Stage, _nursery: Nursery) -> Words:
    """Ada's own pull request, which an operator gives us."""
    open_change(stage)
    return ("resume", str(PULL), "--adopt", "-q")


def _as_an_app(stage: Stage, _nursery: Nursery) -> Words:
    """We are an App, with tokens for an hour."""
    stage.log_in_as_app()
    return RUN


OTHERS = {
    "escalated": Other(told(reviews(1, not_reviewed=[{"path": CART, "reason": "too long"}]))),
    "red": Other(
        told(
            on("implement *", *implements(edit(CART, PRICES, BROKEN))),
            responds(0, edit(CART, BROKEN, WORSE), kind="fix_check"),
        ),
        _checked_elsewhere,
    ),
    "rebutted": Other(told(reviews(1, finding()), responds(1, refute()))),
    "mended": Other(
        told(
            on("implement *", *implements(edit(CART, PRICES, TIMES), edit(CART, RIGHT, WRONG))),
            reviews(1, rounding(), action="fix_myself"),
            responds(1, fixed(), edit(CART, WRONG, RIGHT), kind="fix_own"),
        )
    ),
    "merged": Other(told(), _merging),
    "undone": Other(told(), _taken_back),
    "withdrawn": Other(told(), _spoken_to),
    "adopted": Other(told(reviews(1, finding()), responds(1, refute())), _of_a_person),
    "as an app": Other(told(reviews(1, finding()), responds(1, refute())), _as_an_app),
    "declined": Other(told(on("implement *", *declines()))),
    "updated": Other(
        told(responds(1, create(CART, CART_TEXT + BOTH + "\n" + RIGHT + "\n"), kind="update")),
        _in_conflict,
    ),
    "settled": Other(
        told(
            reviews(1, finding()),
            responds(1, refute()),
            reviews(2, finding(OTHER_WORDS, line=9)),
            on("same * round 2", says_same(OTHER_WORDS)),
        ),
        _settled_elsewhere,
    ),
}


def prepare(new_stage: NewStage, other: Other, nursery: Nursery) -> tuple[Stage, Words]:
    """A stage with issue 1 alone, its agents doing again what was interrupted; the command."""
    stage = new_stage(Careful(other.script))
    stage.only(1)
    return stage, other.begin(stage, nursery)
