"""The program as it is really sent: by `python -I -c` in a directory, JSON in, text out."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from harness.edges.editing import read_editor

EDITOR = read_editor()


class Answer(NamedTuple):
    code: int
    text: str


class Edit(Protocol):
    def __call__(self, tool: str, *, limit: int = 30_000, **arguments: object) -> Answer: ...


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "tree"
    path.mkdir()
    return path


@pytest.fixture
def edit(tree: Path) -> Edit:
    def run(tool: str, *, limit: int = 30_000, **arguments: object) -> Answer:
        question = json.dumps({"tool": tool, "arguments": arguments, "bytes": limit})
        ran = subprocess.run(
            [EDITOR.python, "-I", "-c", EDITOR.program],
            input=question.encode(),
            cwd=tree,
            capture_output=True,
            check=False,
            timeout=30,
        )
        assert ran.stderr == b""
        return Answer(ran.returncode, ran.stdout.decode())

    return run


def test_one_edited_line_of_a_crlf_file_with_a_byte_order_mark_changes_one_line(
    tree: Path, edit: Edit
) -> None:
    (tree / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\nthree")

    answer = edit("replace", path="a.txt", old="one\ntwo\nthree", new="one\n2\nthree")

    assert answer.code == 0
    assert (tree / "a.txt").read_bytes() == b"\xef\xbb\xbfone\r\n2\r\nthree"


def test_mixed_endings_and_foreign_bytes_stay_as_they_are(tree: Path, edit: Edit) -> None:
    (tree / "a.txt").write_bytes(b"caf\xe9\r\nb\nc\r\nd\n")

    edit("replace", path="a.txt", old="b\nc", new="b\nX\nc")

    assert (tree / "a.txt").read_bytes() == b"caf\xe9\r\nb\nX\r\nc\r\nd\n"


@pytest.mark.parametrize(
    ("text", "old", "says"),
    [
        ("a\nb\na\n", "a", "stands 2 times in f, at lines 1, 3"),
        ("aaa", "aa", "stands 2 times"),
        ("a\n", "b", "is not in f"),
        ("def f():\n\tpass\n", "    pass", "line 2 differs from it in white space only"),
        ("a\n", "", "is empty"),
    ],
    ids=["twice", "overlapping", "missing", "white space", "empty"],
)
def test_a_replacement_that_names_no_single_place_is_refused(
    tree: Path, edit: Edit, text: str, old: str, says: str
) -> None:
    (tree / "f").write_text(text)

    answer = edit("replace", path="f", old=old, new="new")

    assert answer.code == 1
    assert says in answer.text
    assert (tree / "f").read_text() == text


def test_a_changed_place_is_shown_with_its_line_numbers(tree: Path, edit: Edit) -> None:
    (tree / "f").write_text("1\n2\n3\n4\n5\n6\n")

    answer = edit("replace", path="f", old="4", new="four\nand a half")

    assert answer.text == (
        "f was changed:\n"
        "     2\t2\n     3\t3\n     4\tfour\n     5\tand a half\n     6\t5\n     7\t6\n"
    )


@pytest.mark.parametrize(
    ("before", "after_line", "text", "after"),
    [
        (b"a\nb\n", 0, "x\n", b"x\na\nb\n"),
        (b"a\r\nb\r\n", 1, "x\ny", b"a\r\nx\r\ny\r\nb\r\n"),
        (b"a\nb", 2, "x\n", b"a\nb\nx"),
        (b"", 0, "x", b"x\n"),
        (b"\xef\xbb\xbfa\n", 0, "x", b"\xef\xbb\xbfx\na\n"),
    ],
    ids=["in front", "CRLF", "no newline at the end", "empty file", "byte order mark"],
)
def test_inserted_lines_take_the_endings_of_the_file(
    tree: Path, edit: Edit, before: bytes, after_line: int, text: str, after: bytes
) -> None:
    (tree / "f").write_bytes(before)

    answer = edit("insert", path="f", after_line=after_line, text=text)

    assert answer.code == 0
    assert (tree / "f").read_bytes() == after


def test_an_inserted_line_is_shown_where_it_stands(tree: Path, edit: Edit) -> None:
    (tree / "f").write_text("a\nb\nc")

    answer = edit("insert", path="f", after_line=3, text="d\n")

    assert answer.text == "f was changed:\n     2\tb\n     3\tc\n     4\td\n"


def test_a_line_that_is_not_there_takes_no_insertion(tree: Path, edit: Edit) -> None:
    (tree / "f").write_text("a\n")

    assert edit("insert", path="f", after_line=2, text="x").code == 1
    assert edit("insert", path="f", after_line=-1, text="x").code == 1


def test_a_new_file_is_made_with_its_folders(tree: Path, edit: Edit) -> None:
    answer = edit("create", path="src/deep/a.py", text="x = 1\n")

    assert answer == Answer(0, "src/deep/a.py was created\n")
    assert (tree / "src/deep/a.py").read_bytes() == b"x = 1\n"


def test_a_file_written_anew_keeps_its_mark_its_endings_and_its_mode(
    tree: Path, edit: Edit
) -> None:
    file = tree / "run.sh"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    file.chmod(0o755)

    edit("create", path="run.sh", text="a\nc\n")

    assert file.read_bytes() == b"\xef\xbb\xbfa\r\nc\r\n"
    assert file.stat().st_mode & 0o777 == 0o755


def test_a_view_numbers_the_lines_asked_for(tree: Path, edit: Edit) -> None:
    (tree / "f").write_bytes(b"a\r\nb\r\nc")

    assert edit("view", path="f", start_line=2, end_line=3).text == "     2\tb\n     3\tc\n"
    assert edit("view", path="f", start_line=0, end_line=0).text.count("\n") == 3
    assert edit("view", path="f", start_line=9, end_line=9).code == 1


def test_a_long_view_is_cut_and_says_which_lines_are_missing(tree: Path, edit: Edit) -> None:
    (tree / "f").write_text("".join(f"line {n}\n" for n in range(1, 1_001)))

    answer = edit("view", path="f", start_line=0, end_line=0, limit=2_000)

    assert len(answer.text) < 2_200
    assert answer.text.endswith("to 1000 are not shown, ask for them ...]\n")


def test_a_huge_single_line_is_cut(tree: Path, edit: Edit) -> None:
    (tree / "f.min.js").write_text("x" * 1_000_000)

    answer = edit("view", path="f.min.js", start_line=0, end_line=0)

    assert "[... 998000 characters left out ...]" in answer.text


def test_a_view_of_a_directory_lists_two_levels(tree: Path, edit: Edit) -> None:
    (tree / "a/b/c").mkdir(parents=True)
    (tree / "a/b/c/deep.py").touch()
    (tree / "a/one.py").touch()
    (tree / ".hidden").touch()

    answer = edit("view", path=".", start_line=0, end_line=0)

    assert answer.text == "a/\na/b/\na/one.py\n"


def test_a_file_is_removed_and_a_link_goes_alone(tree: Path, edit: Edit) -> None:
    outside = tree.parent / "outside"
    outside.write_text("precious")
    (tree / "link").symlink_to(outside)
    (tree / "f").touch()

    assert edit("remove", path="f").code == 0
    assert edit("remove", path="link").code == 0

    assert list(tree.iterdir()) == []
    assert outside.read_text() == "precious"


@pytest.mark.parametrize(
    "path",
    [
        "../outside",
        "{tree}/../outside",
        "/etc/passwd",
        "out",
        "dir/outside",
        ".git/config",
        "sub/.GIT/x",
    ],
)
@pytest.mark.parametrize("tool", ["view", "create", "replace", "insert", "patch", "remove"])
def test_nothing_outside_of_the_tree_is_touched(
    tree: Path, edit: Edit, tool: str, path: str
) -> None:
    outside = tree.parent / "outside"
    outside.write_text("old\n")
    (tree / "out").symlink_to(outside)
    (tree / "dir").symlink_to(tree.parent)
    for git in (".git", "sub/.GIT"):
        (tree / git).mkdir(parents=True)
    (tree / ".git/config").write_text("old\n")
    arguments: dict[str, dict[str, object]] = {
        "view": {"start_line": 0, "end_line": 0},
        "create": {"text": "new\n"},
        "replace": {"old": "old", "new": "new"},
        "insert": {"after_line": 0, "text": "new"},
        "patch": {"diff": "-old\n+new\n"},
        "remove": {},
    }

    answer = edit(tool, path=path.format(tree=tree), **arguments[tool])

    assert outside.read_text() == "old\n"
    assert (tree / ".git/config").read_text() == "old\n"
    assert not (tree / "sub/.GIT/x").exists()
    if tool != "remove" or path != "out":
        assert answer.code == 1
        assert answer.text.startswith("Not done: ")


def test_an_absolute_path_inside_and_a_link_inside_are_followed(tree: Path, edit: Edit) -> None:
    (tree / "real").write_text("old\n")
    (tree / "link").symlink_to("real")

    assert edit("replace", path=f"{tree}/link", old="old", new="new").code == 0

    assert (tree / "real").read_text() == "new\n"
    assert (tree / "link").is_symlink()


def test_what_is_no_regular_text_file_is_refused_without_waiting(tree: Path, edit: Edit) -> None:
    os.mkfifo(tree / "pipe")
    (tree / "image").write_bytes(b"\x89PNG\0\0")
    (tree / "dir").mkdir()

    for path in ("pipe", "image", "dir", "missing"):
        assert edit("replace", path=path, old="a", new="b").code == 1
    assert edit("create", path="pipe", text="x").code == 1
    assert edit("create", path="dir", text="x").code == 1
    assert edit("create", path="image/x", text="x").code == 1
    assert edit("remove", path="dir").code == 1


def test_the_trees_own_modules_are_not_imported(tree: Path, edit: Edit) -> None:
    (tree / "json.py").write_text("raise SystemExit(7)")
    (tree / "f").write_text("a\n")

    assert edit("view", path="f", start_line=0, end_line=0).code == 0


PATCHED = "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 1\n"


@pytest.mark.parametrize(
    ("diff", "after"),
    [
        (
            "@@ def two():\n-    return 1\n+    return 2\n",
            PATCHED[:-2] + "2\n",
        ),
        (
            " def two():\n-    return 1\n+    return 2",
            PATCHED[:-2] + "2\n",
        ),
        (
            (
                "*** Begin Patch\n*** Update File: f\n@@\n-import os\n+import re\n"
                "@@ def two():\n-    return 1\n+    return 2\n*** End Patch\n"
            ),
            PATCHED.replace("os", "re")[:-2] + "2\n",
        ),
        (
            "--- a/f\n+++ b/f\n@@ -8,2 +8,2 @@\n def two():\n-    return 1\n+    return 2\n",
            PATCHED[:-2] + "2\n",
        ),
        ("@@\n+# end\n*** End of File\n", PATCHED + "# end\n"),
        (
            "@@ def one():\n+    # why\n     return 1\n",
            PATCHED.replace("    return 1\n", "    # why\n    return 1\n", 1),
        ),
        (" def two():   \n-  return 1\n+    return 2\n", PATCHED[:-2] + "2\n"),
    ],
    ids=[
        "anchor",
        "context",
        "envelope",
        "unified header",
        "end of file",
        "addition",
        "white space",
    ],
)
def test_a_patch_is_applied_by_its_context(tree: Path, edit: Edit, diff: str, after: str) -> None:
    (tree / "f").write_text(PATCHED)

    answer = edit("patch", path="f", diff=diff)

    assert answer.code == 0, answer.text
    assert (tree / "f").read_text() == after


@pytest.mark.parametrize(
    ("diff", "says"),
    [
        ("-    return 1\n+    return 2\n", "a hunk fits f at lines 5, 9"),
        (" def three():\n-    return 1\n+    return 2\n", "does not fit f"),
        ("@@ def two():\n-import os\n+import re\n", "does not fit f"),
        ("-import os\n+import re\n@@\n-import os\n+import sys\n", "does not fit f"),
        ("@@\n import os\n", "no line that starts with + or -"),
        ("-import os\n+import os\n", "changes nothing"),
        ("@@\nimport os\n+x\n", "starts with neither blank, + nor -"),
    ],
    ids=[
        "ambiguous",
        "no place",
        "above its anchor",
        "twice the same",
        "context only",
        "same",
        "prefix",
    ],
)
def test_a_patch_that_does_not_fit_changes_nothing(
    tree: Path, edit: Edit, diff: str, says: str
) -> None:
    (tree / "f").write_text(PATCHED)

    answer = edit("patch", path="f", diff=diff)

    assert answer.code == 1
    assert says in answer.text
    assert (tree / "f").read_text() == PATCHED


def test_a_patched_line_keeps_ending_mark_and_the_missing_last_newline(
    tree: Path, edit: Edit
) -> None:
    (tree / "f").write_bytes(b"\xef\xbb\xbfa\r\nb\r\nc")

    edit("patch", path="f", diff=" b\n-c\n+C\n+d\n")

    assert (tree / "f").read_bytes() == b"\xef\xbb\xbfa\r\nb\r\nC\r\nd"
