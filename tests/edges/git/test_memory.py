"""What git is asked once, and what it is asked again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.edges.git.command import Ended
from harness.edges.git.memory import BIGGEST, MOST, Memory
from harness.errors import GitError
from tests.edges.git.forge import OURS, Forge, git


class Oracle:
    """Counts how often it is asked."""

    def __init__(self, out: bytes = b"yes") -> None:
        self.asked = 0
        self._out = out

    def run(self) -> Ended:
        self.asked += 1
        return Ended(0, self._out, "")


def always(_: Ended) -> bool:
    return True


def test_an_answer_that_lasts_is_asked_for_once() -> None:
    memory, lasting, passing = Memory(), Oracle(), Oracle()

    for _ in range(3):
        memory.ask(("lasts",), lasting.run, always)
        memory.ask(("passes",), passing.run, lambda _: False)

    assert (lasting.asked, passing.asked) == (1, 3)


def test_what_is_large_is_not_kept_and_of_too_many_the_oldest_is_forgotten() -> None:
    memory, large, first, last = Memory(), Oracle(b"x" * (BIGGEST + 1)), Oracle(), Oracle()

    memory.ask(("first",), first.run, always)
    for number in range(MOST - 1):
        memory.ask((number,), Oracle().run, always)
    memory.ask(("last",), last.run, always)
    for question, oracle in (("first", first), ("last", last), ("large", large), ("large", large)):
        memory.ask((question,), oracle.run, always)

    assert (first.asked, last.asked, large.asked) == (2, 1, 2)


def test_questions_about_objects_start_one_git_each_and_those_about_names_ask_again(
    forge: Forge, state: Path, tmp_path: Path
) -> None:
    log, environ = _counting_git(tmp_path)
    trees = GitTrees(state, 7, forge.url, None, OURS, environ=environ)
    trees.sync()
    base = trees.tip("trunk")
    head = forge.commit({"src/app.py": "print('ho')\n"})
    trees.sync()
    log.write_text("")

    told = [_all_of(trees, base, head) for _ in range(3)]

    verbs = log.read_text().split()
    assert told[0] == told[1] == told[2]
    assert verbs.count("rev-parse") == 3 + 1  # the branch's tip each time, the tree once
    assert verbs.count("merge-base") == 2
    assert verbs.count("diff-tree") == 1
    assert verbs.count("log") == 1
    assert verbs.count("ls-tree") == 1
    assert verbs.count("cat-file") == 3  # is it here, a file, what is no file


def test_what_is_not_here_yet_is_asked_for_again(forge: Forge, trees: GitTrees) -> None:
    head = forge.commit({"new": "1"})
    before = (trees.has(head), trees.read(head, "new"), trees.blob(head, "new"))

    trees.sync()

    assert before == (False, None, "")
    assert (trees.has(head), trees.read(head, "new")) == (True, b"1")
    assert trees.blob(head, "new") == git(forge.clone, "rev-parse", "HEAD:new")


def test_nothing_is_remembered_of_a_mirror_that_was_lost(forge: Forge, trees: GitTrees) -> None:
    sha = trees.tip("trunk")
    assert (trees.has(sha), trees.is_ancestor(sha, sha)) == (True, True)

    shutil.rmtree(trees.mirror_path)

    assert trees.has(sha) is False
    with pytest.raises(GitError):
        trees.is_ancestor(sha, sha)


def test_a_shallow_mirror_asks_each_time(forge: Forge, state: Path) -> None:
    old = forge.commit({"a": "1"})
    trees = GitTrees(state, 7, forge.url, None, OURS, depth=1)
    trees.sync()
    assert trees.first_parents("", old)[0].parents == ()

    git(trees.mirror_path, "fetch", "-q", "--unshallow", forge.url)

    assert trees.first_parents("", old)[0].parents != ()


def _counting_git(folder: Path) -> tuple[Path, dict[str, str]]:
    """A git that writes the verb of each local command down; and where it does."""
    log, program = folder / "verbs", folder / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$1" >> {log}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    return log, dict(os.environ) | {"PATH": f"{program.parent}:{os.environ['PATH']}"}


def _all_of(trees: GitTrees, base: str, head: str) -> tuple[object, ...]:
    return (
        trees.tip("trunk"),
        trees.has(head),
        trees.tree_of(head),
        trees.merge_base(base, head),
        trees.is_ancestor(base, head),
        trees.first_parents(base, head),
        trees.diff(base, head),
        trees.paths(head),
        trees.read(head, "src/app.py"),
        trees.read(head, "none"),
    )
