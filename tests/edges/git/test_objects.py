"""Files of commits, and merges without a work tree."""

from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.errors import GitError
from tests.edges.git.forge import Forge, git


def test_files_are_read_at_a_commit_or_a_tree_byte_for_byte(forge: Forge, trees: GitTrees) -> None:
    content = b"\xff\xfea\0b\r\n\x00"
    head = forge.commit({"bin/data": content})
    trees.sync()
    tree = git(trees.mirror_path, "rev-parse", f"{head}^{{tree}}")

    assert trees.read(head, "bin/data") == content
    assert trees.read(tree, "bin/data") == content
    assert trees.blob(head, "bin/data") == git(forge.clone, "rev-parse", "HEAD:bin/data")


@pytest.mark.parametrize(
    "path",
    [
        "none",
        "src",
        "",
        "/README.md",
        "../x",
        "src/../README.md",
        "./README.md",
        "a\0b",
        "x\nmissing",
        "src/",
        "--x",
    ],
)
def test_what_is_no_file_is_not_there(trees: GitTrees, path: str) -> None:
    head = trees.tip("trunk")

    assert trees.read(head, path) is None
    assert trees.blob(head, path) == ""


def test_names_with_newlines_and_other_bytes_are_read(forge: Forge, trees: GitTrees) -> None:
    (forge.clone / "new\nline missing").write_bytes(b"1")
    Path(str(forge.clone).encode().decode() + "/caf\udce9").write_bytes(b"2")
    head = forge.commit({"naïve.txt": "3"})
    trees.sync()

    assert trees.read(head, "new\nline missing") == b"1"
    assert trees.read(head, "caf\\xe9") == b"2"
    assert trees.read(head, "naïve.txt") == b"3"
    assert set(trees.paths(head)) >= {"new\nline missing", "caf\\xe9", "naïve.txt"}


def test_an_unknown_commit_holds_no_file(trees: GitTrees) -> None:
    assert trees.read("1" * 40, "README.md") is None


def test_submodules_are_no_files(forge: Forge, trees: GitTrees) -> None:
    head = git(forge.clone, "rev-parse", "HEAD")
    git(forge.clone, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    tip = forge.push_index()
    trees.sync()

    assert trees.paths(tip) == ("README.md", "src/app.py")
    assert trees.read(tip, "sub") is None


def test_a_clean_merge_needs_no_work_tree(forge: Forge, trees: GitTrees) -> None:
    base = trees.tip("trunk")
    ours = forge.commit({"a": "1\n"})
    git(forge.clone, "checkout", "-q", base)
    theirs = forge.commit({"b": "2\n"}, to="side")
    trees.sync()

    tree, conflicts = trees.merge_tree(ours, theirs)

    assert conflicts == ()
    assert trees.paths(tree) == ("README.md", "a", "b", "src/app.py")


def test_a_conflict_names_its_paths_and_keeps_both_sides(forge: Forge, trees: GitTrees) -> None:
    base = trees.tip("trunk")
    ours = forge.commit({"README.md": "ours\n", "a b\n": "1\n"})
    git(forge.clone, "checkout", "-q", base)
    theirs = forge.commit({"README.md": "theirs\n", "a b\n": "2\n"}, to="side")
    trees.sync()

    tree, conflicts = trees.merge_tree(ours, theirs)

    text = trees.read(tree, "README.md") or b""
    assert conflicts == ("README.md", "a b\n")
    assert b"<<<<<<<" in text
    assert b"ours" in text
    assert b"theirs" in text


def test_histories_that_never_met_are_not_merged(forge: Forge, trees: GitTrees) -> None:
    git(forge.clone, "checkout", "-q", "--orphan", "lone")
    lone = forge.commit({"x": "1"}, to="lone")
    trees.sync()

    with pytest.raises(GitError, match="unrelated histories"):
        trees.merge_tree(trees.tip("trunk"), lone)
