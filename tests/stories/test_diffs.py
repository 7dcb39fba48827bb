"""Changes that a diff does not show well are reviewed all the same, and edited to the byte."""

from __future__ import annotations

import re

import pytest

from harness.rehearsal.demo.story import BOT, MAINTAINER, SLUG, project_files
from harness.rehearsal.models import edit, on
from tests.stories.conftest import Play
from tests.stories.reviewing import PULL, go, is_approved, open_change
from tests.stories.scripts import CART, PRICES, TIMES, finding, implements, says_review, told
from tests.stories.stage import Stage

pytestmark = pytest.mark.slow

NOT_SHOWN = 'what="files whose content is not shown, or not whole'


def _listed(brief: str) -> list[str]:
    """The names under the part that says what of the diff is not shown."""
    return brief.split(NOT_SHOWN)[1].split(">\n", 1)[1].split("\n</data-", 1)[0].split("\n")


def test_a_diff_of_over_300_files_and_20_000_lines_is_reviewed_and_never_nothing_to_review(
    play: Play,
) -> None:
    """GitHub answers 406 to it; what is reviewed comes from git here."""
    text = "".join(f"line = {number}\n" for number in range(67))
    stage = play(told())
    open_change(stage, {f"many/f{number}.py": text for number in range(301)})

    assert go(stage) == 0

    (brief,) = stage.briefs("review *")
    shown = re.findall(r"^diff --git a/\S+ b/(\S+)$", brief, re.MULTILINE)
    left_out = [name.removesuffix(" (too large)") for name in _listed(brief)]
    assert len(shown) > 50
    assert sorted([*shown, *left_out]) == sorted(f"many/f{number}.py" for number in range(301))


ODD = {
    "naïve.txt": "one\n",
    "x b/y.py": "one = 1\n",
    "od\td": "one\n",
    'a "q".py': "one = 1\n",
    "latin.txt": "caf\udce9\n",
    "utf16.txt": "\udcff\udcfeo\0n\0e\0\n\0",
    "pic ture.png": "\udc89PNG\r\n\x1a\n\0",
    "bundle.js": "y" * 9_000,
}


def test_what_is_no_text_is_marked_and_calling_a_file_missing_is_refused_by_looking_it_up(
    play: Play,
) -> None:
    missing = finding(
        "The file was never added to this commit",
        file="pic ture.png",
        line=0,
        evidence=finding(quoted=PRICES)["evidence"],
    )
    stage = play(told(on("review *", says_review(missing), says_review(missing))))
    readme = stage.text("README.md", "main")
    open_change(stage, {**ODD, "README.md": None, "READ.md": readme})

    assert go(stage) == 1

    (brief,) = stage.briefs("review *")
    assert _listed(brief) == [
        "READ.md (renamed from README.md, content unchanged)",
        "latin.txt (not UTF-8; what cannot be read is shown as \ufffd)",
        "pic ture.png (binary)",
        "utf16.txt (binary)",
        "bundle.js (its long lines are cut)",
    ]
    assert all(f"+++ b/{name}" in brief for name in ("naïve.txt", "x b/y.py"))
    assert list(stage.states.values()) == ["needs_human"]
    assert "it is there at the head" in stage.comments(PULL)[0]
    assert not is_approved(stage)


@pytest.mark.parametrize("first", ["claude", "gpt"])
def test_a_model_that_edits_one_line_of_a_crlf_file_with_a_byte_order_mark_changes_one_line(
    play: Play, first: str
) -> None:
    stage = play(told(on("implement *", *implements(edit(CART, PRICES, TIMES)))))
    stage.set('first = "claude"', f'first = "{first}"')
    before = "\ufeff" + stage.text(CART, "main").replace("\n", "\r\n")
    stage.push({CART: before}, "main")

    assert stage.run() == 0

    after = _bytes(stage, CART, "harness/issue-1")
    assert after == before.replace(PRICES, TIMES).encode()


def test_on_a_default_branch_called_trunk_only_a_branch_of_ours_is_pushed(play: Play) -> None:
    stage = play(told())
    people = stage.forge.people
    people.make_repository("ada/till", files=project_files(), default_branch="trunk")
    people.allow("ada/till", BOT, "write")
    people.open_issue("ada/till", MAINTAINER, "Three teas cost as much as one", "It returns 350.")
    stage.set(f'name = "{SLUG}"', 'name = "ada/till"')
    stage.slug = "ada/till"
    before = stage.text(CART, "trunk")

    assert stage.run() == 0

    assert stage.item(2).pull.base_ref == "trunk"
    assert stage.text(CART, "trunk") == before
    assert sorted(stage.branches) == ["harness/issue-1", "trunk"]


def _bytes(stage: Stage, path: str, branch: str) -> bytes:
    repository = stage.forge.forge.repository(stage.slug)
    assert repository is not None
    found = repository.bare.read(branch, path)
    assert found is not None
    return found
