"""What a push would bring to the forge."""

from __future__ import annotations

from harness.edges.git import GitTrees
from tests.edges.git.forge import AT, Forge, git


def _commit(trees: GitTrees, forge: Forge, files: dict[str, bytes | str], parent: str) -> str:
    """A commit of ours that nobody pushed."""
    tree = trees.add_tree(parent, "work")
    for name, content in files.items():
        path = forge.clone.parent / "state/git/7/trees/work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return trees.commit(trees.left(tree).tree_sha, (parent,), "Say it", AT)


def test_every_new_commit_is_told_with_its_files_and_words(trees: GitTrees, forge: Forge) -> None:
    base = trees.tip("trunk")
    one = _commit(trees, forge, {"README.md": "one\ntwo\nNEW\n"}, base)
    two = _commit(trees, forge, {"README.md": "one\ntwo\n", "new name.py": "x\n"}, one)

    told = trees.additions(two)

    files = {(file.where, file.text, file.before) for file in told if file.in_file}
    assert files == {
        ("README.md", "one\ntwo\nNEW\n", ("one\ntwo\nthree\n",)),
        ("README.md", "one\ntwo\n", ("one\ntwo\nNEW\n",)),
        ("new name.py", "x\n", ("",)),
    }
    said = [(file.where, file.text) for file in told if not file.in_file]
    assert ("the name of a file", "new name.py") in said
    assert sum("Harness Bot <bot@example.org>" in text and "Say it" in text for _, text in said)
    assert trees.new_parents(two) == (base,)


def test_what_the_forge_has_is_not_told_again(trees: GitTrees, forge: Forge) -> None:
    assert trees.additions(trees.tip("trunk")) == ()
    assert trees.new_parents(trees.tip("trunk")) == ()


def test_a_merge_brings_only_what_neither_side_had(trees: GitTrees, forge: Forge) -> None:
    old = trees.tip("trunk")
    ours = _commit(trees, forge, {"README.md": "ONE\ntwo\nthree\n", "ours.py": "1\n"}, old)
    git(trees.mirror_path, "update-ref", "refs/remotes/origin/harness/issue-1", ours)
    base = forge.commit({"README.md": "one\ntwo\nTHREE\n", "theirs.py": "2\n"})
    git(trees.mirror_path, "fetch", "-q", forge.url, "trunk:refs/remotes/origin/trunk")
    tree, _ = trees.merge_tree(ours, base)
    merge = trees.commit(tree, (ours, base), "Merge", AT)

    told = [file for file in trees.additions(merge) if file.in_file]

    assert [(file.where, file.text) for file in told] == [("README.md", "ONE\ntwo\nTHREE\n")]
    assert trees.new_parents(merge) == (ours, base)


def test_bytes_of_every_kind_are_text_in_which_words_are_found(
    trees: GitTrees, forge: Forge
) -> None:
    files: dict[str, bytes | str] = {
        "utf16.txt": "﻿naïve SECRET".encode("utf-16"),
        "latin.txt": "naïve SECRET".encode("latin-1"),
        "image.png": b"\x89PNG\0\0SECRET\xff\0",
        "a\nb.txt": "SECRET",
    }
    head = _commit(trees, forge, files, trees.tip("trunk"))

    told = {file.where: file.text for file in trees.additions(head) if file.in_file}

    assert set(told) == set(files)
    assert all("SECRET" in text for text in told.values())


def test_a_line_of_the_base_is_found_whatever_it_looks_like(trees: GitTrees, forge: Forge) -> None:
    head = forge.commit({"a.txt": "-x [a-z] 'quoted' $HOME\n", "b.bin": b"\0\0bytes\0"})
    trees.sync()

    assert trees.holds(head, "[a-z] 'quoted' $HOME")
    assert trees.holds(head, "-x")
    assert trees.holds(head, "bytes")
    assert not trees.holds(head, "-y")
    assert not trees.holds(head, "")
    assert not trees.holds(head, "-x\nmore")
