"""Work trees: made, opened, dropped, never at another's cost."""

import hashlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.errors import GitError
from tests.edges.git.forge import OURS, Forge, git


def fingerprint(folder: Path) -> str:
    told = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        seen = path.lstat()
        told.update(f"{path.relative_to(folder)} {seen.st_mode:o} {seen.st_mtime_ns}".encode())
        told.update(path.read_bytes() if path.is_file() else b"")
    return told.hexdigest()


def test_a_tree_is_detached_and_lies_in_the_state_directory(
    forge: Forge, trees: GitTrees, state: Path
) -> None:
    tree = trees.add_tree(trees.tip("trunk"), "issue-12")

    assert Path(tree.path).is_relative_to(state)
    assert Path(tree.path, "README.md").read_text() == "one\ntwo\nthree\n"
    assert git(Path(tree.path), "rev-parse", "--abbrev-ref", "HEAD") == "HEAD"
    assert trees.open_tree("issue-12") == tree
    assert git(trees.mirror_path, "for-each-ref", "refs/heads") == ""


def test_a_shared_tree_is_made_once_however_many_want_it(
    forge: Forge, trees: GitTrees, state: Path
) -> None:
    sha, together = trees.tip("trunk"), threading.Barrier(4)

    def want(number: int) -> None:
        together.wait()
        tree = trees.share_tree(sha, "shared")
        Path(tree.path, f"seen-{number}").touch()

    wanting = [threading.Thread(target=want, args=(number,)) for number in range(4)]
    for one in wanting:
        one.start()
    for one in wanting:
        one.join()

    shared = trees.share_tree(sha, "shared")
    assert len(list(Path(shared.path).glob("seen-*"))) == 4
    assert shared == trees.open_tree("shared")


def test_a_tree_in_the_way_is_replaced(forge: Forge, trees: GitTrees) -> None:
    first = trees.add_tree(trees.tip("trunk"), "one")
    Path(first.path, "left.txt").write_text("old")
    head = forge.commit({"a": "1"})
    trees.sync()

    second = trees.add_tree(head, "one")

    assert (second.path, second.head) == (first.path, head)
    assert not Path(second.path, "left.txt").exists()


def test_a_failed_tree_leaves_nothing_and_touches_no_other(forge: Forge, trees: GitTrees) -> None:
    trees.add_tree(trees.tip("trunk"), "other")
    before = fingerprint(trees.mirror_path.parent / "trees")

    with pytest.raises(GitError):
        trees.add_tree("1" * 40, "one")

    assert trees.open_tree("one") is None
    assert trees.stale_trees() == ("other",)
    assert fingerprint(trees.mirror_path.parent / "trees") == before


def test_a_checkout_that_fails_half_way_leaves_nothing(
    forge: Forge, state: Path, tmp_path: Path
) -> None:
    trees = GitTrees(state, 7, forge.url, None, OURS)
    trees.sync()
    other = trees.add_tree(trees.tip("trunk"), "other")
    before = fingerprint(Path(other.path))
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    real = subprocess.run(
        ["which", "git"], capture_output=True, text=True, check=True
    ).stdout.strip()
    (bin_ / "git").write_text(f'#!/bin/sh\n{real} "$@"\ncase "$*" in worktree*) exit 128;; esac\n')
    (bin_ / "git").chmod(0o755)
    broken = GitTrees(
        state, 7, forge.url, None, OURS, environ={"PATH": f"{bin_}:{os.environ['PATH']}"}
    )

    with pytest.raises(GitError):
        broken.add_tree(trees.tip("trunk"), "one")

    assert trees.stale_trees() == ("other",)
    assert fingerprint(Path(other.path)) == before


def test_a_tree_whose_making_was_killed_is_not_opened_but_replaced(
    forge: Forge, trees: GitTrees
) -> None:
    tree = trees.add_tree(trees.tip("trunk"), "one")
    (trees.mirror_path / "worktrees/one/ready").unlink()
    (trees.mirror_path / "worktrees/one/index.lock").touch()

    opened = trees.open_tree("one")
    again = trees.add_tree(tree.head, "one")

    assert opened is None
    assert trees.open_tree("one") == again


def test_a_tree_deleted_by_hand_is_gone_and_can_be_made_again(
    forge: Forge, trees: GitTrees
) -> None:
    tree = trees.add_tree(trees.tip("trunk"), "one")
    subprocess.run(["rm", "-rf", tree.path], check=True)

    opened = trees.open_tree("one")

    assert opened is None
    assert trees.stale_trees() == ("one",)
    assert trees.left(trees.add_tree(tree.head, "one")).is_empty


def test_a_dropped_tree_is_gone_whatever_its_rights_and_links(
    forge: Forge, trees: GitTrees, tmp_path: Path
) -> None:
    tree = trees.add_tree(trees.tip("trunk"), "one")
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "keep").touch()
    Path(tree.path, "link").symlink_to(victim)
    Path(tree.path, "src").chmod(0)
    Path(tree.path).chmod(0o500)

    trees.drop_tree("one")

    assert not Path(tree.path).exists()
    assert (victim / "keep").exists()
    assert trees.stale_trees() == ()
    trees.drop_tree("one")


def test_a_tree_replaced_by_a_link_is_not_followed(
    forge: Forge, trees: GitTrees, tmp_path: Path
) -> None:
    tree = trees.add_tree(trees.tip("trunk"), "one")
    Path(tree.path).rename(tmp_path / "moved")
    Path(tree.path).symlink_to(forge.clone)

    with pytest.raises(GitError, match="is gone"):
        trees.left(tree)
    trees.drop_tree("one")

    assert (forge.clone / "README.md").exists()


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "-x", "a..b", "x.lock", "a b"])
def test_a_name_that_leads_elsewhere_is_refused(trees: GitTrees, name: str) -> None:
    for act in (
        lambda: trees.add_tree("1" * 40, name),
        lambda: trees.drop_tree(name),
        lambda: trees.open_tree(name),
    ):
        with pytest.raises(GitError, match="cannot name a work tree"):
            act()


def test_trees_of_many_threads_do_not_disturb_each_other(forge: Forge, trees: GitTrees) -> None:
    head = trees.tip("trunk")
    failed: list[Exception] = []

    def work(n: int) -> None:
        try:
            tree = trees.add_tree(head, f"tree-{n}")
            trees.sync()
            Path(tree.path, f"{n}.txt").write_text("x")
            assert [one.path for one in trees.left(tree).changed] == [f"{n}.txt"]
            trees.keep(head)
        except Exception as error:  # noqa: BLE001 - a thread's failure is told below
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failed == []
    assert len(trees.stale_trees()) == 4


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a tree away")
def test_as_root_the_tree_belongs_to_the_user_of_the_workbench(forge: Forge, state: Path) -> None:
    trees = GitTrees(state, 7, forge.url, None, OURS, None, 65_534)
    trees.sync()

    tree = trees.add_tree(trees.tip("trunk"), "one")

    owners = {path.lstat().st_uid for path in [Path(tree.path), *Path(tree.path).rglob("*")]}
    assert owners == {65_534}
    assert trees.left(tree).is_empty
    stats = git(
        trees.mirror_path / "worktrees/one", "--work-tree", tree.path, "ls-files", "--debug"
    )
    assert "uid: 65534" in stats


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_as_root_what_another_user_left_is_read(forge: Forge, state: Path) -> None:
    trees = GitTrees(state, 7, forge.url, None, OURS, None, 65_534)
    trees.sync()
    tree = trees.add_tree(trees.tip("trunk"), "one")
    Path(tree.path, "src/app.py").write_text("print('bye')\n")
    os.lchown(Path(tree.path, "src/app.py"), 65_534, 65_534)

    left = trees.left(tree)

    assert [one.path for one in left.changed] == ["src/app.py"]


@pytest.mark.slow
def test_a_harness_killed_while_fetching_stops_no_other(
    forge: Forge, state: Path, tmp_path: Path
) -> None:
    script = (
        "import sys, pathlib\n"
        "from harness.edges.git import GitTrees\n"
        "trees = GitTrees(pathlib.Path(sys.argv[1]), 7, sys.argv[2])\n"
        "trees.sync()\n"
        "print('ready', flush=True)\n"
        "while True:\n    trees.sync(); trees.add_tree(trees.tip('trunk'), 'one')\n"
    )
    trees = GitTrees(state, 7, forge.url, None, OURS)

    for _ in range(3):
        argv = [sys.executable, "-c", script, str(state), forge.url]
        with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            forge.commit({"a": os.urandom(8).hex()})
            process.kill()
        trees.sync()
        tree = trees.add_tree(trees.tip("trunk"), "one")
        assert trees.left(tree).is_empty
