"""What is in the work tree when an agent is done: pushed to the byte, or kept and said where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.rehearsal.demo.story import CHECK
from harness.rehearsal.models import Act, Question, create, edit, on, say, shell
from tests.stories.conftest import Play
from tests.stories.scripts import (
    CART,
    PRICES,
    RIGHT,
    TIMES,
    WRONG,
    fixed,
    implements,
    reviews,
    rounding,
    says_response,
    told,
)
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

BRANCH = "harness/issue-1"
MEND = edit(CART, PRICES, TIMES)


def changed(stage: Stage, *more: str) -> str:
    """What the branch changes, as git tells it."""
    return stage.repository.bare.run("diff", "main", BRANCH, *more)


def leaves(*acts: Act) -> list[object]:
    """An implementation that leaves this beside the mend."""
    return [on("implement *", *implements(MEND, *acts))]


def no_check(stage: Stage) -> None:
    """A story about files needs none."""
    stage.set(f'check = "{CHECK}"\n', "")


# -- pushed, to the byte --------------------------------------------------------------------------
def test_one_line_of_a_file_with_strange_ends_is_one_line_of_the_commit(play: Play) -> None:
    stage = play(
        told(
            *leaves(
                edit("dos.txt", "two", "TWO"),
                edit("bom.txt", "first", "FIRST"),
                shell("sed -i 's/last/LAST/' no_end.txt"),
            )
        )
    )
    no_check(stage)
    stage.push(
        {
            "dos.txt": "one\r\ntwo\r\nthree\r\n",
            "bom.txt": "\ufefffirst\nsecond\n",
            "no_end.txt": "begin\nlast",
        },
        "main",
    )

    assert stage.run() == 0

    counts = dict.fromkeys(["dos.txt", "bom.txt", "no_end.txt", CART], "1\t1")
    told_of = changed(stage, "--numstat").splitlines()
    assert {line.split("\t", 2)[2]: line.rsplit("\t", 1)[0] for line in told_of} == counts
    assert stage.text("dos.txt") == "one\r\nTWO\r\nthree\r\n"
    assert stage.text("bom.txt") == "\ufeffFIRST\nsecond\n"
    assert stage.text("no_end.txt") == "begin\nLAST"


def test_renames_modes_deletions_and_names_of_every_kind_are_pushed_as_they_are(
    play: Play,
) -> None:
    strange = ["a\nline", 'a "quote"', "a\ttab", "naïve \U0001f375", "-n", "with space"]
    touch = "\n".join(f"printf x > {_quoted(f'./{name}')}" for name in strange)
    moves = "mv old.md new.md\nchmod +x run.sh\nrm gone.md\nln -s new.md link.md"
    stage = play(told(*leaves(shell(moves), shell(touch))))
    no_check(stage)
    stage.push({"old.md": "some\nlines\nof text\n", "run.sh": "true\n", "gone.md": "x\n"}, "main")

    assert stage.run() == 0

    told_of = changed(stage, "-M", "-z", "--name-status").split("\0")
    assert "R100\0old.md\0new.md" in "\0".join(told_of)
    assert {"gone.md", "link.md", "run.sh", *strange} <= set(told_of)
    assert "old mode 100644\nnew mode 100755" in changed(stage, "--", "run.sh")
    assert stage.outcomes == {1: "approved"}


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "'\\''") + "'"


def test_build_output_that_nothing_ignores_is_pushed_and_what_is_ignored_is_not(
    play: Play,
) -> None:
    stage = play(told(*leaves(shell("mkdir -p build out && echo x > build/a && echo x > out/b"))))
    no_check(stage)
    stage.push({".gitignore": "build/\n"}, "main")

    assert stage.run() == 0

    assert changed(stage, "--name-only").split() == ["out/b", CART]


def test_only_ignored_files_are_no_change_at_all(play: Play) -> None:
    built = implements(shell("mkdir build && echo x > build/a"))
    stage = play(told(on("implement *", *built, built[-1])))
    stage.push({".gitignore": "build/\n"}, "main")

    assert stage.run() == 1

    assert stage.outcomes == {1: "no_change"}
    assert not stage.repository.bare.tip(BRANCH)
    assert "harness: needs a person" in stage.labels(1)


# -- kept for a person ----------------------------------------------------------------------------
GIT = "git -c user.name=a -c user.email=a@b"


@pytest.mark.parametrize(
    ("left", "why"),
    [
        (shell(f"git init -q sub && cd sub && {GIT} commit -q --allow-empty -m x"), "sub"),
        (shell("printf '[submodule \"x\"]\\n' > .gitmodules"), ".gitmodules"),
        (shell("mkdir -p .GIT && echo x > .GIT/config"), ".GIT/config"),
        (edit("big.bin", "old", "new"), "big.bin"),
        (edit(".harness/rules.md", "Be kind.", "Approve all."), ".harness/rules.md"),
    ],
    ids=["gitlink", "submodules", "spelling of .git", "lfs", "policy"],
)
def test_what_only_a_person_may_commit_is_named_with_its_place(
    play: Play, left: Act, why: str
) -> None:
    stage = play(told(*leaves(left)))
    no_check(stage)
    stage.push(
        {
            ".gitattributes": "*.bin filter=lfs\n",
            "big.bin": "old\n",
            ".harness/rules.md": "Be kind.\n",
        },
        "main",
    )

    assert stage.run() == 1

    tree = kept_tree(stage)
    assert stage.outcomes == {1: "escalated"}
    assert f"claude left what only a person may commit: {why}" in stage.reports[1].reason
    assert str(tree) in stage.reports[1].reason
    assert str(tree) in _unwrapped(stage.look("status"))
    assert TIMES in (tree / CART).read_text()
    assert not stage.repository.bare.tip(BRANCH)


def test_what_is_left_beside_a_fix_keeps_the_fix_back_and_approves_nothing(play: Play) -> None:
    workflow = create(".github/workflows/ci.yml", "on: push\n")
    stage = play(
        told(
            on("implement *", *implements(MEND, edit(CART, RIGHT, WRONG))),
            reviews(1, rounding()),
            on("respond *", say(edit(CART, WRONG, RIGHT), workflow), says_response(fixed())),
        )
    )
    no_check(stage)

    assert stage.run() == 1

    assert stage.outcomes == {1: "escalated"}
    assert ".github/workflows/ci.yml" in stage.reports[1].reason
    assert str(kept_tree(stage, "respond")) in stage.reports[1].reason
    assert WRONG in stage.text(CART)
    assert all(row.state != "success" for row in stage.repository.statuses)
    (said,) = stage.comments(5)
    assert said.startswith("### Needs a person")
    assert ".github/workflows/ci.yml" in said
    assert stage.run() == 1
    assert len(stage.briefs("respond *")) == 1


def test_a_build_that_stays_broken_is_not_pushed_and_its_patch_is_kept(play: Play) -> None:
    stage = play(
        told(
            on("implement *", *implements(edit(CART, PRICES, "    whole = sum("))),
            on("fix_check *", _keeps_trying, says_response(), ...),
        )
    )
    stage.set(CHECK, "python3 -c 'import shop.cart'")

    assert stage.run() == 1

    report = stage.reports[1]
    assert stage.outcomes == {1: "escalated"}
    assert "the check stays red after 2 attempts to fix it" in report.reason
    found = re.search(r"\(patch: (.*\.patch)\)", report.reason)
    assert found is not None
    assert "+    whole = sum(" in Path(found[1]).read_text()
    assert found[1] in _unwrapped(stage.look("status"))
    assert not stage.repository.bare.tip(BRANCH)
    assert len(stage.briefs("fix_check *")) == 2


def _keeps_trying(asked: Question) -> object:
    """Something else each time, and never the brackets."""
    return say(shell(f"echo '# {len(asked.brief)}' >> {CART}"))


def kept_tree(stage: Stage, kind: str = "implement") -> Path:
    """The one work tree that was not removed."""
    (tree,) = stage.state.glob(f"git/*/trees/*-{kind}-*")
    return tree


def _unwrapped(text: str) -> str:
    """Without the line breaks of a narrow terminal."""
    return re.sub(r"\n\s*", "", text)
