from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from harness.errors import Refused
from harness.facts.places import Diff, FileDiff, Place
from harness.rules.hunks import (
    added_lines,
    file_of,
    hidden_files,
    is_inline,
    new_line,
    old_line,
    parse_diff,
    removed_lines,
)

SAMPLES = Path(__file__).parents[2] / "samples" / "diffs"
ROW = re.compile(r"^\| (\S+) \|.*\| (?:(\d+) files \+(\d+) -(\d+)|refused: .*) \|$", re.MULTILINE)
ORACLE = ROW.findall((SAMPLES / "README.md").read_text())
READ = [(name, *map(int, counts)) for name, *counts in ORACLE if counts[0]]
REFUSED = [name for name, *counts in ORACLE if not counts[0]]


def parse(name: str) -> Diff:
    text = (SAMPLES / name).read_bytes().decode("utf-8", "replace")
    return parse_diff(text, "base", "head")


def count(file: FileDiff, tag: str) -> int:
    return sum(1 for hunk in file.hunks for line_tag, _ in hunk.lines if line_tag == tag)


@pytest.mark.parametrize(("name", "files", "added", "removed"), READ)
def test_a_diff_counts_as_git_counts_it(name: str, files: int, added: int, removed: int) -> None:
    diff = parse(name)

    of_git = sum(2 if file.status == "type" else 1 for file in diff.files)
    assert of_git == files + (name == "made-traps.diff")  # diff --numstat joins a type, apply not
    assert sum(count(file, "+") for file in diff.files) == added
    assert sum(count(file, "-") for file in diff.files) == removed


def test_every_sample_has_its_oracle() -> None:
    assert {path.name for path in SAMPLES.iterdir()} == {name for name, *_ in ORACLE} | {
        "README.md"
    }
    assert len(REFUSED) == 3


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_unified_diff_is_refused_and_never_empty(name: str) -> None:
    with pytest.raises(Refused):
        parse(name)


def test_a_hunk_that_is_cut_off_is_refused() -> None:
    with pytest.raises(Refused, match="ends early"):
        parse_diff("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n", "base", "head")


def test_no_text_is_no_change() -> None:
    assert parse_diff("", "base", "head").files == ()


def test_every_file_of_a_trap_is_listed_with_its_true_path() -> None:
    listed = [
        (file.old_path, file.new_path, file.status, file.shown)
        for file in parse("made-traps.diff").files
    ]

    assert listed == [
        ('a "q".py', 'a "q".py', "modified", True),
        ("bin ary", "bin ary", "modified", False),
        ("cr", "cr", "modified", True),
        ("", "dashes", "added", True),
        ("", "empty", "added", True),
        ("ff", "ff", "modified", True),
        ("link", "link", "type", True),
        ("mode", "mode", "mode", True),
        ("naïve.txt", "naïve.txt", "modified", True),
        ("old", "new b/x", "renamed", True),
        ("od\td", "od\td", "modified", True),
        ("x b/y.py", "x b/z b.py", "renamed", True),
    ]


def test_content_that_looks_like_a_header_is_content() -> None:
    file = file_of(parse("made-traps.diff"), "dashes")

    assert file is not None
    assert file.hunks[0].lines == (("+", "-- a"), ("+", "++ b"))


def test_lines_end_at_line_feeds_only() -> None:
    diff = parse("made-traps.diff")
    cr, form_feed = file_of(diff, "cr"), file_of(diff, "ff")

    assert cr is not None
    assert form_feed is not None
    assert cr.hunks[0].lines == (("-", "one\rtwo"), ("+", "one\rTWO"), (" ", "three"))
    assert len(form_feed.hunks[0].lines) == 2


def test_a_submodule_and_a_copy_are_told() -> None:
    bumped = file_of(parse("h-gitpython-f03301779d.diff"), "git/ext/gitdb")
    copied = parse("gitpython-diff_copied_mode.diff").files[0]

    assert bumped is not None
    assert (bumped.submodule, bumped.shown) == (True, False)
    assert (copied.old_path, copied.new_path, copied.status) == (
        "test1.txt",
        "test2.txt",
        "copied",
    )


@pytest.mark.parametrize(
    ("header", "old", "new"),
    [
        ("diff --git a/x b/y.py b/x b/y.py", "x b/y.py", "x b/y.py"),
        ('diff --git "a/t\\tb" "b/t\\tb"', "t\tb", "t\tb"),
        ("diff --git i/x w/x", "x", "x"),
    ],
)
def test_a_change_of_mode_alone_has_its_path(header: str, old: str, new: str) -> None:
    file = parse_diff(f"{header}\nold mode 100644\nnew mode 100755\n", "base", "head").files[0]

    assert (file.old_path, file.new_path, file.status) == (old, new, "mode")


def test_two_blobs_have_a_line_map() -> None:
    text = (
        f"diff --git a/{'a' * 40} b/{'b' * 40}\nindex {'a' * 40}..{'b' * 40} 100644\n"
        f"--- a/{'a' * 40}\n+++ b/{'b' * 40}\n@@ -3 +3 @@ def f():\n-x\n+y\n"
        "@@ -9,2 +8,0 @@\n-p\n-q\n"
    )

    hunks = parse_diff(text, "a", "b").files[0].hunks

    assert [new_line(hunks, old) for old in (2, 3, 4, 8, 9, 10, 11)] == [
        2,
        None,
        4,
        8,
        None,
        None,
        9,
    ]
    assert [old_line(hunks, new) for new in (3, 8, 9)] == [None, 8, 11]


def test_a_trailing_hunk_that_only_deletes_moves_nothing_before_it() -> None:
    hunks = (
        parse_diff(
            "--- a/x\n+++ b/x\n@@ -8,3 +7,0 @@\n-h\n-i\n-j\n\\ No newline at end of file\n", "", ""
        )
        .files[0]
        .hunks
    )

    assert [new_line(hunks, old) for old in (7, 8, 10)] == [7, None, None]
    assert old_line(hunks, 7) == 7


LINES = some.lists(some.sampled_from(["a", "b", "c", "d\r", "", "@@ -1 +1 @@"]), max_size=12)


@given(old=LINES, new=LINES, context=some.integers(0, 3))
def test_a_line_that_stays_keeps_its_text_and_the_way_back(
    old: list[str], new: list[str], context: int
) -> None:
    lines = difflib.unified_diff(old, new, "a/x", "b/x", lineterm="", n=context)
    diff = parse_diff("".join(f"{line}\n" for line in lines), "base", "head")
    hunks = diff.files[0].hunks if diff.files else ()

    there = [new_line(hunks, number) for number in range(1, len(old) + 1)]
    back = [old_line(hunks, number) for number in range(1, len(new) + 1)]

    assert [new[to - 1] for to in there if to] == [old[at] for at, to in enumerate(there) if to]
    assert [to for to in there if to] == sorted(
        set(range(1, len(new) + 1)) - added_lines(diff, "x")
    )
    assert {at + 1 for at, to in enumerate(there) if to is None} == removed_lines(diff, "x")
    assert all(back[to - 1] == at + 1 for at, to in enumerate(there) if to)


TWO_HUNKS = parse_diff(
    "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n+b\n c\n d\n@@ -10,2 +11,2 @@\n-k\n+K\n l\n", "", ""
)


@pytest.mark.parametrize(
    ("start", "end", "inline"),
    [
        (1, 1, True),
        (1, 4, True),
        (4, 5, False),
        (4, 11, False),
        (11, 12, True),
        (12, 11, False),
        (0, 0, False),
        (7, 7, False),
        (13, 13, False),
    ],
)
def test_only_lines_within_one_hunk_are_inline(start: int, end: int, inline: bool) -> None:
    place = Place(file="x", start_line=start, end_line=end)

    assert is_inline(TWO_HUNKS, place) is inline


def test_rename_binary_and_what_is_no_text_are_told_as_not_shown() -> None:
    plain = parse("made-traps.diff").files[0].model_copy(update={"new_path": "new", "hunks": ()})
    ways: dict[str, dict[str, object]] = {
        "plain": {},
        "binary": {"binary": True, "shown": False},
        "submodule": {"submodule": True, "shown": False},
        "latin": {"undecodable": True},
        "renamed": {"status": "renamed", "old_path": "old"},
        "edited": {"status": "renamed", "hunks": TWO_HUNKS.files[0].hunks},
    }
    files = tuple(plain.model_copy(update={"new_path": way} | set_) for way, set_ in ways.items())

    assert hidden_files(Diff(base="", head="", files=files)) == (
        "binary (binary)",
        "submodule (submodule)",
        "latin (not UTF-8; what cannot be read is shown as \ufffd)",
        "renamed (renamed from old, content unchanged)",
    )


def test_another_file_and_a_deleted_one_have_no_inline_lines() -> None:
    deleted = parse_diff("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "", "")

    assert not is_inline(TWO_HUNKS, Place(file="y", start_line=1, end_line=1))
    assert not is_inline(deleted, Place(file="x", start_line=1, end_line=1))
    assert not is_inline(deleted, Place(file="", start_line=1, end_line=1))
