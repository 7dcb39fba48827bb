"""A secret in what an agent wrote is pushed in no commit, name or message."""

from __future__ import annotations

import pytest

from harness.rehearsal.models import on, shell
from tests.stories.conftest import Play
from tests.stories.scripts import implements, responds, told
from tests.stories.stage import TOKEN, Stage

pytestmark = pytest.mark.slow

PRETENDED = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MEND = shell("sed -i 's/line.cents for/line.cents * line.quantity for/' shop/cart.py")


UNSEEN = "$(printf %s%s rehear sal-token)"  # TOKEN, as no text of the model shows it


def _leaves(text: str, path: str = "shop/key.py") -> object:
    return on("implement *", *implements(MEND, shell(f"printf 'one\\n{text}\\n' > {path}")))


def _on_forge(stage: Stage) -> str:
    """Everything of every commit on the forge."""
    return str(stage.repository.bare.run("log", "-p", "--all", "--format=%B", "--stat"))


def test_an_author_is_told_where_and_no_commit_with_the_secret_is_pushed(play: Play) -> None:
    takes_out = responds(0, shell("echo one > shop/key.py"), kind="fix_check")
    stage = play(told(_leaves(PRETENDED), takes_out))

    assert stage.run() == 0

    assert stage.outcomes == {1: "approved"}
    (brief,) = stage.briefs("fix_check *")
    assert "shop/key.py:2 (it looks like a token or a key)" in brief
    assert PRETENDED not in brief
    assert stage.text("shop/key.py") == "one\n"
    assert PRETENDED not in _on_forge(stage)
    assert stage.repository.bare.run("rev-list", "--count", "main..harness/issue-1").strip() == "1"


def test_an_author_that_leaves_it_is_told_once_and_a_person_is_called(play: Play) -> None:
    stage = play(told(_leaves(PRETENDED), responds(0, kind="fix_check")))

    assert stage.run() == 1
    assert stage.run() == 1

    assert len(stage.briefs("fix_check *")) == 1
    assert "shop/key.py:2 (it looks like a token or a key)" in stage.comments(1)[-1]
    assert "harness/issue-1" not in stage.branches
    assert PRETENDED not in str(stage.forge.writes)

    stage.set("[loop]\n", '[protected]\nsample_secrets = ["shop/*"]\n[loop]\n')
    stage.say(1, "It is a sample.")
    assert stage.run() == 0
    assert PRETENDED in stage.text("shop/key.py")


def test_our_own_secrets_stop_a_push_wherever_they_stand(play: Play) -> None:
    stage = play(told(_leaves("x", f'"shop/{UNSEEN}.py"'), responds(0, kind="fix_check")))
    stage.set("[loop]\n", '[protected]\nsample_secrets = ["shop/*"]\n[loop]\n')

    assert stage.run() == 1

    assert "the name of a file (one of the harness's own secrets)" in stage.comments(1)[-1]
    assert TOKEN not in _on_forge(stage)


def test_after_a_dry_run_nothing_of_it_is_asked_again(play: Play) -> None:
    takes_out = responds(0, shell("echo one > shop/key.py"), kind="fix_check")
    stage = play(told(_leaves(PRETENDED), takes_out))
    assert stage.run(dry=True) == 0
    asked = len(stage.models.requests)

    assert stage.run() == 0

    assert len(stage.models.requests) == asked
    assert stage.text("shop/key.py") == "one\n"
    assert PRETENDED not in _on_forge(stage)
