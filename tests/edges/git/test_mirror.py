"""The bare repository and what fetching does to it."""

import fcntl
import os
import select
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.errors import ConfigError, GitError
from tests.edges.git.forge import AT, OURS, Forge, git


def test_heads_and_pull_request_heads_are_fetched_and_gone_ones_forgotten(
    forge: Forge, trees: GitTrees
) -> None:
    head = forge.commit({"a": "1"}, to="topic/one")
    git(forge.bare, "update-ref", "refs/pull/3/head", head)
    trees.sync()
    fetched = (trees.tip("topic/one"), git(trees.mirror_path, "rev-parse", "refs/pull/3/head"))
    git(forge.bare, "update-ref", "-d", "refs/heads/topic/one")
    git(forge.bare, "update-ref", "-d", "refs/pull/3/head")

    trees.sync()

    assert fetched == (head, head)
    assert trees.tip("topic/one") == ""
    assert git(trees.mirror_path, "for-each-ref", "refs/pull") == ""


def test_pruning_and_collecting_garbage_keep_what_is_ours(forge: Forge, trees: GitTrees) -> None:
    sha = trees.commit(trees_of(trees, trees.tip("trunk")), (trees.tip("trunk"),), "Ours", AT)
    trees.keep(sha)

    trees.sync()
    trees.tidy()
    git(trees.mirror_path, "prune", "--expire=now")

    assert trees.has(sha)
    assert trees.tip(f"harness/keep/{sha}") == ""


def junk(mirror: Path) -> None:
    (mirror / "HEAD").write_text("junk")


def lose_objects(mirror: Path) -> None:
    shutil.rmtree(mirror / "objects")


def lose_packs(mirror: Path) -> None:
    shutil.rmtree(mirror / "objects")
    (mirror / "objects").mkdir()


def spoil_config(mirror: Path) -> None:
    (mirror / "config").write_text("[[[")


def spoil_refs(mirror: Path) -> None:
    (mirror / "packed-refs").write_text("junk\n")


@pytest.mark.parametrize("spoil", [junk, lose_objects, lose_packs, spoil_config, spoil_refs])
def test_a_damaged_mirror_is_made_anew_and_nothing_of_it_is_removed(
    forge: Forge, trees: GitTrees, spoil: Callable[[Path], None]
) -> None:
    mirror = trees.mirror
    tree = trees.tree_of(trees.tip("trunk"))
    ours = trees.commit(tree, (trees.tip("trunk"),), "Ours", AT)
    trees.keep(ours)
    spoil(mirror.path)
    damage = mirror.damage()
    head = forge.commit({"a": "2"}, to="topic")

    trees.sync()

    assert damage
    assert (mirror.damage(), trees.tip("topic")) == ("", head)
    assert not trees.has(ours)
    (aside,) = mirror.set_aside()
    assert (aside / "refs/harness/keep" / ours).is_file()


def test_a_mirror_that_is_whole_stays_whatever_the_forge_does(
    forge: Forge, trees: GitTrees
) -> None:
    forge.bare.rename(forge.bare.with_name("away"))

    with pytest.raises(GitError):
        trees.sync()

    assert (trees.mirror.damage(), trees.mirror.set_aside()) == ("", ())
    assert trees.tip("trunk")


def test_a_branch_may_become_a_folder_of_branches(forge: Forge, trees: GitTrees) -> None:
    forge.commit({"a": "1"}, to="topic")
    trees.sync()
    git(forge.bare, "update-ref", "-d", "refs/heads/topic")
    head = forge.commit({"a": "2"}, to="topic/one")

    trees.sync()

    assert trees.tip("topic/one") == head
    assert trees.tip("topic") == ""


def test_a_branch_that_was_pushed_over_is_followed(forge: Forge, trees: GitTrees) -> None:
    forge.commit({"a": "1"}, to="topic")
    trees.sync()
    git(forge.clone, "reset", "-q", "--hard", "HEAD~1")
    git(forge.bare, "update-ref", "-d", "refs/heads/topic")
    head = forge.commit({"b": "1"}, to="topic")

    trees.sync()

    assert trees.tip("topic") == head


def test_the_remote_tip_is_read_now_and_the_tip_as_fetched(forge: Forge, trees: GitTrees) -> None:
    before = trees.tip("trunk")
    after = forge.commit({"a": "1"})

    assert (trees.tip("trunk"), trees.remote_tip("trunk")) == (before, after)
    assert trees.remote_tip("unk") == ""
    assert trees.remote_tip("none") == ""


def test_a_ref_whose_name_ends_like_the_branch_is_not_the_branch(
    forge: Forge, trees: GitTrees
) -> None:
    head = forge.tip("refs/heads/trunk")
    git(forge.bare, "update-ref", "refs/heads/x/refs/heads/topic", head)

    assert trees.remote_tip("topic") == ""


@pytest.mark.parametrize(
    "name", ["", "-x", "a..b", "a b", "a:b", "x.lock", "/a", "a/", "a~1", "@{-1}", "a\nb"]
)
def test_a_name_that_is_no_branch_is_refused_before_git_sees_it(trees: GitTrees, name: str) -> None:
    with pytest.raises(GitError, match="not a branch name"):
        trees.tip(name)
    with pytest.raises(GitError, match="not a branch name"):
        trees.remote_tip(name)


def test_a_name_that_is_no_id_is_refused_before_git_sees_it(trees: GitTrees) -> None:
    for wrong in ("trunk", "--output=/tmp/x", "", "abc123"):
        with pytest.raises(GitError, match="not a whole object id"):
            trees.has(wrong)


def test_an_unreachable_forge_is_a_git_error(state: Path, tmp_path: Path) -> None:
    trees = GitTrees(state, 7, f"file://{tmp_path}/nothing.git", None, OURS)

    with pytest.raises(GitError) as caught:
        trees.sync()

    assert caught.value.exit_code == 128


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c id",
        "ssh://git@example.org/x",
        "git@example.org:x/y",
        "https://u:geheim@example.org/x",
        "/x",
    ],
)
def test_a_url_that_runs_a_program_or_carries_a_credential_is_refused(
    state: Path, url: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        GitTrees(state, 7, url)

    assert "geheim" not in str(caught.value)


def test_a_submodule_url_of_another_transport_is_never_followed(
    forge: Forge, trees: GitTrees, tmp_path: Path
) -> None:
    head = forge.tip("refs/heads/trunk")
    git(forge.clone, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    forge.write(
        {".gitmodules": f'[submodule "sub"]\n path = sub\n url = ext::touch {tmp_path}/ran\n'}
    )
    git(forge.clone, "add", ".gitmodules")
    forge.push_index()

    trees.sync()
    trees.add_tree(trees.tip("trunk"), "one")

    assert not (tmp_path / "ran").exists()


def test_nothing_of_the_machine_has_a_say(forge: Forge, state: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    ran = tmp_path / "ran"
    (home / ".gitconfig").write_text(
        f'[core]\n fsmonitor = "touch {ran}; false"\n hooksPath = {home}\n[user]\n name = Person\n'
        f'[url "file:///nowhere"]\n insteadOf = {forge.url}\n[filter "x"]\n smudge = touch {ran}\n'
        f"[diff]\n external = touch {ran}\n noprefix = true\n[commit]\n gpgsign = true\n"
    )
    hook = home / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    forge.commit({".gitattributes": "* filter=x\n"})
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GIT_DIR": "/nowhere",
        "GIT_EXTERNAL_DIFF": f"touch {ran}",
        "GIT_TRACE": str(tmp_path / "trace"),
    }
    trees = GitTrees(state, 7, forge.url, None, OURS, environ=environ)

    trees.sync()
    tree = trees.add_tree(trees.tip("trunk"), "one")
    sha = trees.commit(trees.left(tree).tree_sha, (tree.head,), "One", AT)
    trees.diff_text(tree.head, sha)

    assert not ran.exists()
    assert not (tmp_path / "trace").exists()
    assert trees.first_parents(tree.head, sha)[0].author == "Harness Bot <bot@example.org>"


def test_hooks_that_lie_in_the_mirror_do_not_run(
    forge: Forge, trees: GitTrees, tmp_path: Path
) -> None:
    hooks = trees.mirror_path / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "pre-push", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (hooks / name).chmod(0o755)

    trees.sync()
    trees.add_tree(trees.tip("trunk"), "one")
    trees.keep(trees.tip("trunk"))

    assert not (tmp_path / "ran").exists()


def test_lock_files_that_a_killed_git_left_do_not_stop_the_next(
    forge: Forge, trees: GitTrees
) -> None:
    head = forge.commit({"a": "1"})
    (trees.mirror_path / "packed-refs.lock").touch()
    (trees.mirror_path / "refs/remotes/origin").mkdir(parents=True, exist_ok=True)
    (trees.mirror_path / "refs/remotes/origin/trunk.lock").touch()

    trees.sync()
    (trees.mirror_path / "refs/harness/keep").mkdir(parents=True, exist_ok=True)
    (trees.mirror_path / f"refs/harness/keep/{head}.lock").touch()
    trees.keep(head)

    assert trees.tip("trunk") == head


def test_a_command_that_takes_too_long_is_killed_with_all_it_started(
    forge: Forge, state: Path, tmp_path: Path
) -> None:
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    real = subprocess.run(
        ["which", "git"], capture_output=True, text=True, check=True
    ).stdout.strip()
    (bin_ / "git").write_text(
        f'#!/bin/sh\ncase "$*" in fetch*) sleep 60 & echo $! >{tmp_path}/child; sleep 60;; esac\n'
        f'exec {real} "$@"\n'
    )
    (bin_ / "git").chmod(0o755)
    environ = {"PATH": f"{bin_}:{os.environ['PATH']}"}
    trees = GitTrees(state, 7, forge.url, None, OURS, environ=environ, network_seconds=0.5)

    with pytest.raises(GitError, match="took more than"):
        trees.sync()

    assert has_ended(int((tmp_path / "child").read_text()))


def has_ended(pid: int) -> bool:
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    readable, _, _ = select.select([process], [], [], 5)
    os.close(process)
    return bool(readable)


def test_a_missing_git_is_a_git_error(forge: Forge, state: Path, tmp_path: Path) -> None:
    trees = GitTrees(state, 7, forge.url, None, OURS, environ={"PATH": str(tmp_path)})

    with pytest.raises(GitError, match="could not be started"):
        trees.sync()


def test_the_mirror_is_readable_for_the_user_of_the_workbench(
    trees: GitTrees, forge: Forge
) -> None:
    modes = {path: path.stat().st_mode for path in trees.mirror_path.rglob("*")}

    assert all(mode & stat.S_IROTH for mode in modes.values())
    assert not any(mode & stat.S_IWOTH for mode in modes.values())


def test_a_shallow_mirror_holds_what_was_asked_for(forge: Forge, state: Path) -> None:
    for n in range(3):
        forge.commit({"a": str(n)})
    trees = GitTrees(state, 7, forge.url, None, OURS, depth=2)

    trees.sync()

    assert len(trees.first_parents("", trees.tip("trunk"))) == 2


def test_a_detached_head_and_a_default_branch_of_any_name_do_not_matter(
    forge: Forge, trees: GitTrees
) -> None:
    git(forge.bare, "update-ref", "--no-deref", "HEAD", forge.tip("refs/heads/trunk"))

    trees.sync()

    assert trees.tip("trunk") == forge.tip("refs/heads/trunk")


def trees_of(trees: GitTrees, commit: str) -> str:
    return git(trees.mirror_path, "rev-parse", f"{commit}^{{tree}}")


def test_the_first_parents_are_told_newest_first(forge: Forge, trees: GitTrees) -> None:
    base = trees.tip("trunk")
    side = forge.commit({"side": "1"}, to="side", message="Side")
    git(forge.clone, "checkout", "-q", base)
    one = forge.commit({"a": "1"}, message="One")
    git(forge.clone, "merge", "-q", "--no-ff", "-m", 'Merge: a "side"', side)
    git(forge.clone, "push", "-q", forge.url, "HEAD:refs/heads/trunk")
    trees.sync()

    line = trees.first_parents(base, trees.tip("trunk"))

    assert [commit.subject for commit in line] == ['Merge: a "side"', "One"]
    assert line[0].parents == (one, side)
    assert line[0].author == "Person <person@example.org>"
    assert line[0].at <= datetime.now(UTC)
    assert trees.first_parents(base, base) == ()


def test_ancestry_is_told(forge: Forge, trees: GitTrees) -> None:
    base = trees.tip("trunk")
    side = forge.commit({"side": "1"}, to="side")
    git(forge.clone, "checkout", "-q", "--orphan", "lone")
    lone = forge.commit({}, to="lone")
    trees.sync()

    assert trees.is_ancestor(base, side)
    assert not trees.is_ancestor(side, base)
    assert trees.merge_base(base, side) == base
    assert trees.merge_base(lone, side) == ""
    assert not trees.has("0" * 40)
    with pytest.raises(GitError):
        trees.is_ancestor("1" * 40, base)


FETCHES = """\
import sys
from pathlib import Path
from harness.edges.git import GitTrees
from tests.edges.git.forge import OURS
GitTrees(Path(sys.argv[1]), 7, sys.argv[2], None, OURS, network_seconds=2).sync()
"""


@pytest.mark.slow
def test_a_fetch_that_hangs_gives_up_though_nobody_is_left_to_stop_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/a/b.git"
        fetching = subprocess.Popen([sys.executable, "-c", FETCHES, str(tmp_path), url])
        silent.settimeout(20)
        with silent.accept()[0]:
            fetching.kill()
            fetching.wait(10)
            with (tmp_path / "git" / "7" / "lock").open("rb") as lock:
                with pytest.raises(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

                fcntl.flock(lock, fcntl.LOCK_EX)  # free once git is gone; else the test times out
