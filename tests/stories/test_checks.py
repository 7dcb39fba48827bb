"""The repository's own check: red goes back to its author, stays here, or is not known at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.rehearsal.models import edit, on
from tests.stories.conftest import Play
from tests.stories.scripts import CART, PRICES, TIMES, implements, responds, told

pytestmark = pytest.mark.slow

BROKEN = "    whole = sum(line.cents * line.quantities for line in lines)"
WORSE = "    whole = sum(line.cents * line.pieces for line in lines)"
GREEN_ON_BASE = "python3 -m unittest -q tests.test_cart.TotalTest.test_one_line"
BREAKS = implements(edit(CART, PRICES, BROKEN))


def test_a_red_check_goes_back_to_its_author_without_costing_a_round(play: Play) -> None:
    mend = responds(0, edit(CART, BROKEN, TIMES), kind="fix_check")
    stage = play(told(on("implement *", *BREAKS), mend))
    stage.set("python3 -m unittest -q", GREEN_ON_BASE)

    assert stage.run() == 0

    assert len(stage.briefs("fix_check *")) == 1
    assert "has no attribute 'quantities'" in stage.briefs("fix_check *")[0]
    assert [brief.split("\n")[0][-7:] for brief in stage.briefs("review *")] == ["round 1"]


def test_a_check_that_stays_red_keeps_its_patch_and_pushes_nothing(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *BREAKS),
            responds(0, edit(CART, BROKEN, WORSE), kind="fix_check"),
        )
    )
    stage.set("python3 -m unittest -q", GREEN_ON_BASE)
    stage.set("[loop]\n", "[loop]\nmax_check_fixes = 1\n")

    assert stage.run() == 1

    reason = stage.reports[1].reason
    assert reason.startswith("the check stays red after 1 attempts to fix it (patch: ")
    patch = Path(reason.split("(patch: ")[1].rstrip(")"))
    assert WORSE.strip() in patch.read_text()
    assert "harness/issue-1" not in stage.branches
    assert "harness: needs a person" in stage.labels(1)
    assert stage.run() == 1
    assert len(stage.briefs("fix_check *")) == 1


def test_an_author_who_changes_nothing_about_a_red_check_is_not_asked_again(play: Play) -> None:
    stage = play(told(on("implement *", *BREAKS), responds(0, kind="fix_check")))
    stage.set("python3 -m unittest -q", GREEN_ON_BASE)

    assert stage.run() == 1

    assert "claude changed nothing" in stage.reports[1].reason
    assert len(stage.briefs("fix_check *")) == 1


def test_a_check_that_cannot_run_on_the_base_asks_no_implementer_until_a_person_mends_it(
    play: Play,
) -> None:
    stage = play(told())
    stage.set("python3 -m unittest -q", "no-such-command")

    assert stage.run() == 1
    assert "the check cannot run on the base" in stage.reports[1].reason
    assert stage.briefs("implement *") == []

    stage.say(1, "It is installed now.")
    stage.set("no-such-command", "python3 -m unittest -q")

    assert stage.run() == 0


def test_a_check_that_could_not_run_runs_again_once_a_person_acted(play: Play) -> None:
    stage = play(told())
    stage.set("python3 -m unittest -q", "test -e /opt/harness-story || exit 127")
    assert stage.run() == 1

    stage.say(1, "Try it again.")
    assert stage.run() == 1

    with stage.store() as store:
        said = [report.reason for run in store.runs(2) for report in run.reports]
    assert [one.startswith("the check cannot run on the base") for one in said] == [True, True]


def test_a_check_that_something_kills_is_run_once_more_and_then_says_how_it_ended(
    play: Play,
) -> None:
    stage = play(told())
    stage.set("python3 -m unittest -q", "kill -9 $$")

    assert stage.run() == 1

    said = stage.reports[1].reason
    assert said == "the check cannot run on the base (exit 137, killed by SIGKILL): no output"


OWN_CHECK = 'check = "python3 -m unittest -q"'
JUNIT_CHECK = 'check = "python3 check.py"\njunit = "report.xml"'
CHECK = """\
import sys
FAILING = ["test_flaky"] + (["test_total"] if "pieces" in open("shop/cart.py").read() else [])
cases = "".join(
    f'<testcase classname="t" name="{name}"><failure message="no"/></testcase>' for name in FAILING
)
open("report.xml", "w").write(f'<testsuite name="all">{cases}</testsuite>')
sys.exit(1)
"""


def test_what_is_red_on_the_base_too_passes_is_said_and_never_merges_by_itself(play: Play) -> None:
    stage = play(told())
    stage.forge.people.commit(stage.slug, "ada", "main", {"check.py": CHECK}, "A flaky check")
    stage.set(
        'check = "python3 -m unittest -q"', 'check = "python3 check.py"\njunit = "report.xml"'
    )
    stage.set("[loop]\n", "[loop]\nauto_merge = true\n")

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    assert "nothing new fails" in stage.item(5).body
    assert stage.item(5).state == "open"


@pytest.mark.parametrize(
    ("junit", "why"),
    [("", "junit is not set"), ("out/*.xml", "the check wrote no file that junit = 'out/*.xml'")],
)
def test_where_nobody_knows_which_tests_fail_no_more_is_claimed(
    play: Play, junit: str, why: str
) -> None:
    stage = play(told())
    stage.forge.people.commit(stage.slug, "ada", "main", {"check.py": CHECK}, "A flaky check")
    line = f'junit = "{junit}"' if junit else ""
    stage.set(OWN_CHECK, f'check = "python3 check.py"\n{line}')
    stage.set("[loop]\n", "[loop]\nauto_merge = true\n")

    assert stage.run() == 0

    assert "nothing new fails" not in stage.item(5).body
    assert "which tests fail is not known, so that new ones may" in stage.item(5).body
    assert stage.item(5).state == "open"
    assert "which tests fail is not known" in stage.reports[1].reason
    assert "failing: not known by name" in stage.briefs("review *")[0]
    assert why in "".join(path.read_text() for path in stage.state.glob("log/*"))


def test_a_report_that_the_check_did_not_write_names_nothing(play: Play) -> None:
    stale = '<testsuite><testcase name="test_flaky"><failure/></testcase></testsuite>'
    stage = play(told())
    files = {"check.py": "raise SystemExit(1)\n", "report.xml": stale}
    stage.forge.people.commit(stage.slug, "ada", "main", files, "An old report")
    stage.set(OWN_CHECK, JUNIT_CHECK)

    assert stage.run() == 0

    assert "which tests fail is not known" in stage.item(5).body


def test_one_more_failing_name_than_on_the_base_is_red(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(edit(CART, PRICES, WORSE))),
            responds(0, edit(CART, WORSE, TIMES), kind="fix_check"),
        )
    )
    stage.forge.people.commit(stage.slug, "ada", "main", {"check.py": CHECK}, "A flaky check")
    stage.set(
        'check = "python3 -m unittest -q"', 'check = "python3 check.py"\njunit = "report.xml"'
    )

    assert stage.run() == 0

    assert len(stage.briefs("fix_check *")) == 1
