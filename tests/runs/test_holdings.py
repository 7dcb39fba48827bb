from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.edges.git.repository import GitTrees
from harness.facts.entries import Entry, EntryKey, Standing, State
from harness.facts.findings import Finding, Severity
from harness.facts.matching import Holding
from harness.facts.places import Anchor
from harness.runs.holdings import read_holdings

PAGES = """\
def pages(rows, size):
    count = len(rows) // size
    if count < 1:
        count = 1
    return count


def page(rows, size, number):
    start = number * size
    return rows[start : start + size]
"""


class Repo:
    """A repository on disk with the mirror that the harness keeps of it."""

    def __init__(self, path: Path) -> None:
        self.path = path / "upstream"
        self.path.mkdir()
        self.git("init", "-q", "-b", "main")
        self.trees = GitTrees(path / "state", 1, self.path.as_uri())

    def git(self, *args: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ("git", *who, *args), cwd=self.path, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, **files: str | None) -> str:
        """Commit these files (a__py is a.py, None removes) and fetch them."""
        for name, text in files.items():
            path = self.path / name.replace("__", ".")
            if text is None:
                path.unlink()
            else:
                path.write_text(text, newline="")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")
        self.trees.sync()
        return self.git("rev-parse", "HEAD")

    def holding(self, anchor: Anchor, head: str) -> Holding:
        return read_holdings(self.trees, (standing(anchor),), head)[0]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def anchor_of(text: str, commit: str, start: int, end: int, file: str = "pages.py") -> Anchor:
    core = "\n".join(text.split("\n")[start - 1 : end])
    return Anchor(file=file, start_line=start, end_line=end, commit=commit, text=core)


def standing(anchor: Anchor) -> Standing:
    finding = Finding(
        handle="F1",
        raised_by="claude",
        head=anchor.commit,
        anchor=anchor,
        title="The rest is lost",
        failure_scenario="",
        detail="",
        suggestion="",
        evidence=(),
        citations=(),
        category="correctness",
        severity=Severity.BLOCKING,
        in_scope=True,
        issue=None,
    )
    key = EntryKey(repo_id=1, title_key="the rest is lost", file=anchor.file)
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    entry = Entry(
        id="e1",
        key=key,
        title=finding.title,
        category="correctness",
        fingerprint="",
        created_at=noon,
    )
    return Standing(
        entry=entry,
        scope="pr:1",
        state=State.REFUTED,
        by_person=False,
        claim=None,
        finding=finding,
        events=(),
        aliases=(),
    )


CORE = PAGES.split("\n")[1:5]  # the four lines anchored below
INDENTED = "def pages(rows, size):\n    while rows:\n" + "\n".join("    " + one for one in CORE)
EDITS = {
    "an edit elsewhere in the file": (PAGES.replace("number * size", "size * number"), 2, 5),
    "lines added above": ("import math\n\n\n" + PAGES, 5, 8),
    "blank lines added above": (PAGES.replace("):\n", "):\n\n\n", 1), 4, 7),
    "a blank line within": (PAGES.replace("    if", "\n    if"), 2, 6),
    "other blanks within a line": (PAGES.replace("len(rows) //", "len(rows)  //"), 2, 5),
    "other line ends": (PAGES.replace("\n", "\r\n"), 2, 5),
    "the whole block deeper": (INDENTED + "\n\n" + PAGES[PAGES.index("\ndef page(") :], 3, 6),
    "moved below its neighbour": (
        PAGES[PAGES.index("def page(") :] + "\n\n" + PAGES[: PAGES.index("\n\ndef page(")],
        7,
        10,
    ),
}
BREAKS = {
    "a line within changed": PAGES.replace("count = 1", "count = 2"),
    "a line within removed": PAGES.replace("        count = 1\n", "        pass\n"),
    "a line added within": PAGES.replace("    if count", "    check(count)\n    if count"),
    "a line that left its block": PAGES.replace("        count = 1", "    count = 1"),
    "an operator turned": PAGES.replace("count < 1", "count > 1"),
}


@pytest.mark.parametrize(("text", "start", "end"), EDITS.values(), ids=EDITS)
def test_a_settled_point_holds_through(repo: Repo, text: str, start: int, end: int) -> None:
    then = repo.commit(pages__py=PAGES)
    head = repo.commit(pages__py=text)

    found = repo.holding(anchor_of(PAGES, then, 2, 5), head)

    assert found.verdict in {"holds", "moved"}
    assert found.place is not None
    assert (found.place.start_line, found.place.end_line) == (start, end)


@pytest.mark.parametrize("text", BREAKS.values(), ids=BREAKS)
def test_when_its_code_changes_it_is_open_again_and_names_the_commit(repo: Repo, text: str) -> None:
    then = repo.commit(pages__py=PAGES)
    repo.commit(other__py="x = 1\n")
    culprit = repo.commit(pages__py=text)
    head = repo.commit(pages__py=text + "\n# done\n")

    found = repo.holding(anchor_of(PAGES, then, 2, 5), head)

    assert (found.verdict, found.since) == ("reopened", culprit)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        (BREAKS["a line within changed"], 2, 5),
        ("import math\n" + BREAKS["a line added within"], 3, 7),
        (PAGES.replace("    count = len(rows) // size\n", ""), 2, 4),
        (PAGES.replace("    return count\n", "    count += 1\n    return count or 1\n"), 2, 6),
    ],
    ids=["changed", "grown and moved", "first line removed", "last line replaced"],
)
def test_reopened_it_knows_its_lines_as_they_are_now_and_holds_there(
    repo: Repo, text: str, start: int, end: int
) -> None:
    then = repo.commit(pages__py=PAGES)
    changed = repo.commit(pages__py=text)
    head = repo.commit(pages__py="# pages\n" + text)

    now = repo.holding(anchor_of(PAGES, then, 2, 5), changed).anchor
    assert now == anchor_of(text, changed, start, end)
    later = repo.holding(now, head)

    assert later.verdict == "holds"
    assert later.place is not None
    assert (later.place.start_line, later.place.end_line) == (start + 1, end + 1)


def test_reopened_with_its_lines_removed_it_has_no_place(repo: Repo) -> None:
    then = repo.commit(pages__py=PAGES)
    head = repo.commit(pages__py=PAGES.replace("\n".join(CORE) + "\n", "", 1))

    now = repo.holding(anchor_of(PAGES, then, 2, 5), head).anchor

    assert now is not None
    assert (now.file, now.start_line, now.text) == ("pages.py", 0, "")
    assert repo.holding(now, head).verdict == "placeless"


def test_it_follows_a_renamed_file(repo: Repo) -> None:
    then = repo.commit(pages__py=PAGES)
    head = repo.commit(pages__py=None, paging__py="import math\n" + PAGES)

    found = repo.holding(anchor_of(PAGES, then, 2, 5), head)

    assert found.verdict == "holds"
    assert found.place is not None
    assert (found.place.file, found.place.start_line) == ("paging.py", 3)


def test_it_follows_its_lines_into_another_file(repo: Repo) -> None:
    then = repo.commit(pages__py=PAGES, other__py="import math\n")
    cut = PAGES[PAGES.index("def page(") :]
    moved = "import math\n\n\n" + PAGES[: PAGES.index("\n\ndef page(")]
    head = repo.commit(pages__py=cut, other__py=moved)

    found = repo.holding(anchor_of(PAGES, then, 2, 5), head)

    assert found.verdict == "moved"
    assert found.place is not None
    assert (found.place.file, found.place.start_line, found.place.end_line) == ("other.py", 5, 8)


def test_lines_that_were_written_twice_are_possibly_settled(repo: Repo) -> None:
    then = repo.commit(pages__py=PAGES)
    block = "\n".join(CORE)
    twice = f"def one(rows, size):\n{block}\n\n\ndef two(size, rows):\n    size()\n{block}\n"
    head = repo.commit(pages__py=None, one__py=twice)

    found = repo.holding(anchor_of(PAGES, then, 2, 5), head)

    assert found.verdict == "possibly"


def test_a_twin_that_stood_there_before_is_no_place_it_moved_to(repo: Repo) -> None:
    twin = PAGES + "\n\ndef again(rows, size):\n" + "\n".join(CORE) + "\n"
    then = repo.commit(pages__py=twin)
    head = repo.commit(pages__py=twin.replace("count < 1", "count > 1", 1))

    found = repo.holding(anchor_of(twin, then, 2, 5), head)

    assert (found.verdict, found.since) == ("reopened", head)


def test_a_short_core_is_not_looked_for(repo: Repo) -> None:
    text = "a = 1\n" + "".join(f"b{n} = {n}\n" for n in range(8))
    then = repo.commit(pages__py=text)
    head = repo.commit(pages__py=text.removeprefix("a = 1\n"), other__py="a = 1\n")

    found = repo.holding(anchor_of(text, then, 1, 1), head)

    assert found.verdict == "reopened"


def test_a_deleted_file_closes_it_as_gone(repo: Repo) -> None:
    then = repo.commit(pages__py=PAGES, other__py="x = 1\n")
    head = repo.commit(pages__py=None)

    found = repo.holding(anchor_of(PAGES, then, 2, 5), head)

    assert (found.verdict, found.since) == ("gone", head)


def test_after_a_force_push_it_is_found_by_its_text_or_named_between_two_heads(
    repo: Repo,
) -> None:
    head = repo.commit(pages__py="import math\n" + PAGES)
    lost = "f" * 40

    kept = repo.holding(anchor_of(PAGES, lost, 2, 5), head)
    other = anchor_of(PAGES.replace("count < 1", "count < 2"), lost, 2, 5)
    changed = repo.holding(other, head)

    assert kept.verdict == "moved"
    assert kept.place is not None
    assert (kept.place.start_line, kept.place.end_line) == (3, 6)
    assert (changed.verdict, changed.since) == (
        "reopened",
        f"between {lost[:12]} and {head[:12]}",
    )


def test_a_rewritten_branch_is_named_between_two_heads(repo: Repo) -> None:
    repo.commit(pages__py="x = 1\n")
    then = repo.commit(pages__py=PAGES)
    repo.git("branch", "kept")
    repo.git("reset", "-q", "--hard", "HEAD~")
    head = repo.commit(pages__py=PAGES.replace("count < 1", "count < 2"))

    found = repo.holding(anchor_of(PAGES, then, 2, 5), head)

    assert (found.verdict, found.since) == (
        "reopened",
        f"between {then[:12]} and {head[:12]}",
    )


def test_a_point_without_lines_has_no_place(repo: Repo) -> None:
    head = repo.commit(pages__py=PAGES)
    general = Anchor(file="", start_line=0, end_line=0, commit=head, text="")

    assert repo.holding(general, head).verdict == "placeless"
