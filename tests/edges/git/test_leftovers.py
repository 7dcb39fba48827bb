"""What an implementer leaves behind, and what of it may be committed."""

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.errors import GitError
from harness.facts.settings import ProtectedSettings
from harness.facts.trees import Left, Tree
from tests.edges.git.forge import AT, OURS, Forge, git


@pytest.fixture
def tree(trees: GitTrees) -> Tree:
    return trees.add_tree(trees.tip("trunk"), "issue-12")


def told(left: Left) -> dict[str, tuple[str, str]]:
    return {one.path: (one.status, one.refused) for one in left.changed}


def put(tree: Tree, name: str, content: bytes = b"new\n") -> Path:
    path = Path(tree.path, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def numstat(forge: Forge, trees: GitTrees, tree: Tree, left: Left) -> str:
    return git(trees.mirror_path, "diff-tree", "-r", "--numstat", tree.head, left.tree_sha)


def fresh_tree(trees: GitTrees) -> Tree:
    trees.sync()
    return trees.add_tree(trees.tip("trunk"), "issue-12")


def test_nothing_at_all_is_empty(trees: GitTrees, tree: Tree) -> None:
    left = trees.left(tree)

    assert left.is_empty
    assert trees.diff(tree.head, left.tree_sha).files == ()


def test_only_ignored_files_are_nothing(forge: Forge, trees: GitTrees) -> None:
    forge.commit({".gitignore": "*.pyc\nbuild/\n"})
    tree = fresh_tree(trees)
    put(tree, "src/app.pyc")
    put(tree, "build/out.o")

    assert trees.left(tree).is_empty


def test_build_output_that_nothing_ignores_counts_as_added(trees: GitTrees, tree: Tree) -> None:
    put(tree, "build/out.o", b"\0\1\2")

    assert told(trees.left(tree)) == {"build/out.o": ("added", "")}


def test_edits_additions_and_deletions_are_left_as_they_are(trees: GitTrees, tree: Tree) -> None:
    put(tree, "src/app.py", b"print('bye')\n")
    put(tree, "src/new.py")
    Path(tree.path, "README.md").unlink()

    left = trees.left(tree)

    assert told(left) == {
        "README.md": ("deleted", ""),
        "src/app.py": ("modified", ""),
        "src/new.py": ("added", ""),
    }
    assert trees.read(left.tree_sha, "src/app.py") == b"print('bye')\n"
    assert trees.paths(left.tree_sha) == ("src/app.py", "src/new.py")


def test_reading_what_was_left_changes_nothing_and_says_the_same_again(
    trees: GitTrees, tree: Tree
) -> None:
    put(tree, "src/app.py", b"print('bye')\n")

    first = trees.left(tree)

    assert trees.left(tree) == first
    assert git(trees.mirror_path / "worktrees" / "issue-12", "ls-files", "-s") == git(
        trees.mirror_path,
        "ls-tree",
        "-r",
        "--format=%(objectmode) %(objectname) 0\t%(path)",
        tree.head,
    )


def test_an_edit_of_the_same_size_in_the_same_second_is_seen(trees: GitTrees, tree: Tree) -> None:
    path = Path(tree.path, "README.md")
    was = path.stat()
    put(tree, "README.md", b"ONE\nTWO\nTHREE\n")
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))

    assert told(trees.left(tree)) == {"README.md": ("modified", "")}


def test_a_rename_is_one_change(trees: GitTrees, tree: Tree) -> None:
    Path(tree.path, "README.md").rename(Path(tree.path, "docs.md"))

    assert told(trees.left(tree)) == {"docs.md": ("renamed", "")}


def test_a_change_of_mode_is_left(trees: GitTrees, tree: Tree) -> None:
    Path(tree.path, "src/app.py").chmod(0o755)

    left = trees.left(tree)

    assert told(left) == {"src/app.py": ("modified", "")}
    assert trees.diff(tree.head, left.tree_sha).files[0].new_mode == "100755"


@pytest.mark.parametrize(
    "name",
    [
        b"new\nline.txt",
        b'a "q".py',
        b"od\td",
        b"caf\xe9.txt",
        "naïve.txt".encode(),
        b"-rf",
        b":(top)x",
        b"*",
    ],
    ids=["newline", "quotes", "tab", "latin-1", "utf-8", "dash", "pathspec", "glob"],
)
def test_names_of_every_kind_are_left_with_their_bytes(
    forge: Forge, trees: GitTrees, tree: Tree, name: bytes
) -> None:
    Path(tree.path, os.fsdecode(name)).write_bytes(b"x\n")

    left = trees.left(tree)

    assert [one.refused for one in left.changed] == [""]
    assert trees.read(left.tree_sha, left.changed[0].path) == b"x\n"
    assert left.model_dump_json()
    listed = git(
        trees.mirror_path, "-c", "core.quotePath=true", "ls-tree", "--name-only", left.tree_sha
    )
    assert len(listed.split("\n")) == 3


@pytest.mark.parametrize(
    ("attributes", "stored", "edited"),
    [
        ("", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        ("* text\n", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        ("* text=auto\n", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        ("*.txt eol=lf\n", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        ("* text eol=crlf\n", b"a\nb\nc\n", b"a\r\nB\r\nc\r\n"),
        ("", b"\xef\xbb\xbfa\r\nb\r\nc", b"\xef\xbb\xbfa\r\nB\r\nc"),
        ("*.txt working-tree-encoding=UTF-16LE\n", b"a\nb\nc\n", "a\nB\nc\n".encode("utf-16-le")),
    ],
    ids=["plain", "text", "auto", "eol-lf", "eol-crlf", "bom-no-newline", "utf-16"],
)
def test_a_file_edited_in_one_line_changes_in_one_line(
    forge: Forge, trees: GitTrees, attributes: str, stored: bytes, edited: bytes
) -> None:
    forge.write({"f.txt": stored})
    blob = git(forge.clone, "hash-object", "-w", "--no-filters", "f.txt")
    git(forge.clone, "update-index", "--add", "--cacheinfo", f"100644,{blob},f.txt")
    if attributes:
        forge.write({".gitattributes": attributes})
        git(forge.clone, "add", ".gitattributes")
    forge.push_index()
    tree = fresh_tree(trees)
    put(tree, "f.txt", edited)

    left = trees.left(tree)

    assert numstat(forge, trees, tree, left) == "1\t1\tf.txt"


def test_a_file_that_git_would_clean_is_not_left_when_nobody_touched_it(
    forge: Forge, trees: GitTrees
) -> None:
    forge.write({"f.txt": b"a\r\nb\r\n", ".gitattributes": "* text\n"})
    blob = git(forge.clone, "hash-object", "-w", "--no-filters", "f.txt")
    git(forge.clone, "update-index", "--add", "--cacheinfo", f"100644,{blob},f.txt")
    git(forge.clone, "add", ".gitattributes")
    forge.push_index()
    tree = fresh_tree(trees)
    os.utime(Path(tree.path, "f.txt"))

    assert trees.left(tree).is_empty


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (".gitattributes", "controls git itself"),
        ("sub/.gitattributes", "controls git itself"),
        (".gitmodules", "controls git itself"),
        (".GITMODULES", "controls git itself"),
        (".lfsconfig", "controls git itself"),
        (".github/workflows/ci.yml", "is run by CI"),
        (".GitHub/Workflows/ci.yml", "is run by CI"),
        (".gitlab-ci.yml", "is run by CI"),
        (".harness/rules.md", "is policy, read from the base"),
        ("secret/a/b.txt", "is protected by the configuration"),
        ("keys/server.pem", "is protected by the configuration"),
        ("sub/.git./config", "lies in a git directory"),
        ("git~1/config", "lies in a git directory"),
    ],
)
def test_what_needs_a_person_is_refused_and_the_rest_stays(
    trees: GitTrees, tree: Tree, name: str, why: str
) -> None:
    put(tree, name)
    put(tree, "src/app.py")

    left = trees.left(tree)

    assert told(left) == {name: ("added", why), "src/app.py": ("modified", "")}
    assert name not in trees.paths(left.tree_sha)


@pytest.mark.parametrize(
    "name", [".gitignore", "sub/.gitkeep", ".github/CODEOWNERS", "workflows/a.yml"]
)
def test_harmless_names_that_look_alike_are_left(trees: GitTrees, tree: Tree, name: str) -> None:
    put(tree, name)

    assert told(trees.left(tree)) == {name: ("added", "")}


def test_workflows_are_left_where_the_operator_allows_them(forge: Forge, state: Path) -> None:
    trees = GitTrees(state, 7, forge.url, None, OURS, ProtectedSettings(allow_workflows=True))
    tree = fresh_tree(trees)
    put(tree, ".github/workflows/ci.yml")

    assert not trees.left(tree).refused


def test_deleting_or_renaming_a_protected_file_is_refused(forge: Forge, trees: GitTrees) -> None:
    forge.commit({".github/workflows/ci.yml": "on: push\n", ".harness/rules.md": "1. Be kind.\n"})
    tree = fresh_tree(trees)
    Path(tree.path, ".harness/rules.md").unlink()
    Path(tree.path, ".github/workflows/ci.yml").rename(Path(tree.path, "old.yml"))

    left = trees.left(tree)

    assert {one.path for one in left.refused} == {".github/workflows/ci.yml", ".harness/rules.md"}
    assert trees.read(left.tree_sha, ".harness/rules.md") == b"1. Be kind.\n"


def test_a_file_that_goes_through_a_filter_is_refused(forge: Forge, trees: GitTrees) -> None:
    forge.commit(
        {".gitattributes": "*.psd filter=lfs diff=lfs\n", "a.psd": "pointer\n", "b.psd": "p\n"}
    )
    tree = fresh_tree(trees)
    put(tree, "a.psd", b"raw bytes")
    put(tree, "c.psd", b"raw bytes")
    Path(tree.path, "b.psd").unlink()

    left = trees.left(tree)

    assert told(left) == {
        "a.psd": ("modified", "goes through the filter lfs"),
        "b.psd": ("deleted", ""),
        "c.psd": ("added", "goes through the filter lfs"),
    }


def test_taking_the_attributes_away_does_not_free_the_file(forge: Forge, trees: GitTrees) -> None:
    forge.commit({".gitattributes": "*.psd filter=lfs\n", "a.psd": "pointer\n"})
    tree = fresh_tree(trees)
    put(tree, ".gitattributes", b"")
    put(tree, "a.psd", b"raw bytes")

    left = trees.left(tree)

    assert {one.path for one in left.refused} == {".gitattributes", "a.psd"}


def test_links_inside_the_tree_are_left_and_links_out_of_it_refused(
    trees: GitTrees, tree: Tree, tmp_path: Path
) -> None:
    root = Path(tree.path)
    (root / "good").symlink_to("src/app.py")
    (root / "src/up").symlink_to("../README.md")
    (root / "dangling").symlink_to("nowhere/yet")
    (root / "loop").symlink_to("loop")
    (root / "absolute").symlink_to("/etc/passwd")
    (root / "machine").symlink_to(root / "README.md")
    (root / "out").symlink_to("../../../x")
    (root / "src/out").symlink_to("../../issue-12/../x")
    (root / "control").symlink_to(".git")
    (root / "step").symlink_to(tmp_path)
    (root / "by-step").symlink_to("step/state")

    left = trees.left(tree)

    assert {one.path for one in left.changed if not one.refused} == {
        "good",
        "src/up",
        "dangling",
        "loop",
    }
    assert told(left)["machine"][1] == "is a link out of the tree"
    assert told(left)["control"][1] == "is a link into the git directory"
    assert told(left)["by-step"][1] == "is a link out of the tree"
    assert trees.read(left.tree_sha, "src/up") == b"../README.md"


def test_a_file_that_became_a_link_and_a_link_that_became_a_file(
    forge: Forge, trees: GitTrees
) -> None:
    (forge.clone / "link").symlink_to("README.md")
    forge.commit({})
    tree = fresh_tree(trees)
    Path(tree.path, "link").unlink()
    put(tree, "link")
    Path(tree.path, "README.md").unlink()
    Path(tree.path, "README.md").symlink_to("src/app.py")

    assert told(trees.left(tree)) == {"README.md": ("type", ""), "link": ("type", "")}


def test_a_folder_that_takes_the_place_of_a_file_and_back(forge: Forge, trees: GitTrees) -> None:
    forge.commit({"thing": "file\n", "dir/a": "a\n", "dir/b": "b\n"})
    tree = fresh_tree(trees)
    Path(tree.path, "thing").unlink()
    put(tree, "thing/inner", b"different content\n")
    for name in ("dir/a", "dir/b"):
        Path(tree.path, name).unlink()
    Path(tree.path, "dir").rmdir()
    put(tree, "dir", b"now it is a file\n")

    left = trees.left(tree)

    assert not left.refused
    assert trees.paths(left.tree_sha) == ("README.md", "dir", "src/app.py", "thing/inner")


def test_nested_repositories_are_refused_even_when_empty(trees: GitTrees, tree: Tree) -> None:
    for name in ("empty", "full", "deep/inside"):
        Path(tree.path, name).mkdir(parents=True)
        git(Path(tree.path, name), "init", "-q")
    put(tree, "full/a.txt")
    git(Path(tree.path, "full"), "add", "a.txt")
    git(Path(tree.path, "full"), "commit", "-q", "-m", "inner")
    put(tree, "deep/beside.txt")
    git(Path(tree.path), "init", "-q", "--bare", "bare.git")

    left = trees.left(tree)

    reasons = {path: why for path, (_, why) in told(left).items() if why}
    assert reasons.pop("bare.git/HEAD") == "is a repository of its own"
    assert reasons == dict.fromkeys(
        ("empty/", "full/", "deep/inside/"), "is a repository of its own"
    )
    assert told(left)["deep/beside.txt"] == ("added", "")


def test_a_nested_repository_in_an_ignored_folder_is_not_left(
    forge: Forge, trees: GitTrees
) -> None:
    forge.commit({".gitignore": "node_modules/\n"})
    tree = fresh_tree(trees)
    place = Path(tree.path, "node_modules/dep")
    place.mkdir(parents=True)
    git(place, "init", "-q")
    os.mkfifo(Path(tree.path, "node_modules/pipe"))

    assert trees.left(tree).is_empty


def test_a_submodule_is_refused_and_its_settings_run_nothing(
    forge: Forge, trees: GitTrees, tmp_path: Path
) -> None:
    head = git(forge.clone, "rev-parse", "HEAD")
    git(forge.clone, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    forge.push_index()
    tree = fresh_tree(trees)
    sub = Path(tree.path, "sub")
    ran = tmp_path / "ran"
    git(sub, "init", "-q")
    put(tree, "sub/a.txt")
    git(sub, "add", "a.txt")
    git(sub, "commit", "-q", "-m", "inner")
    put(tree, "sub/.gitattributes", b"* filter=evil\n")
    put(tree, "sub/a.txt", b"two\n")
    git(sub, "config", "core.fsmonitor", f"touch {ran}; false")
    git(sub, "config", "filter.evil.clean", f"touch {ran}; cat")

    left = trees.left(tree)

    assert told(left)["sub"] == ("modified", "is a submodule")
    assert not ran.exists()


def test_an_untouched_submodule_is_nothing(forge: Forge, trees: GitTrees) -> None:
    head = git(forge.clone, "rev-parse", "HEAD")
    git(forge.clone, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    forge.push_index()

    assert trees.left(fresh_tree(trees)).is_empty


def test_pipes_and_sockets_are_refused(
    trees: GitTrees, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(Path(tree.path, "pipe"))
    Path(tree.path, "README.md").unlink()
    os.mkfifo(Path(tree.path, "README.md"))
    monkeypatch.chdir(tree.path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        left = trees.left(tree)

    assert {one.path for one in left.refused} == {"pipe", "README.md", "socket"}
    assert all("a pipe, a socket or a device" in one.refused for one in left.refused)
    assert trees.read(left.tree_sha, "README.md") == b"one\ntwo\nthree\n"


@pytest.mark.parametrize(
    "plant",
    [
        lambda root: os.mkfifo(root / ".gitignore"),
        lambda root: os.mkfifo(root / "src/.gitattributes"),
        lambda root: ((root / "n/.git").mkdir(parents=True), os.mkfifo(root / "n/.git/HEAD")),
        lambda root: (
            (root / "n/.git").mkdir(parents=True),
            (root / "n/.git/HEAD").write_text("ref: refs/heads/x\n"),
            (root / "n/.git/commondir").symlink_to("/dev/zero"),
        ),
        lambda root: ((root / "n").mkdir(), (root / "n/.git").symlink_to("/")),
        lambda root: ((root / "n").mkdir(), (root / "n/.git").write_text("gitdir: /proc/self\n")),
        lambda root: (
            (root / "n").mkdir(),
            (root / "x").mkdir(),
            os.mkfifo(root / "x/HEAD"),
            (root / "n/.git").write_text("gitdir: ../x\n"),
        ),
    ],
    ids=[
        "ignore-pipe",
        "attributes-pipe",
        "head-pipe",
        "zero",
        "git-link",
        "git-file-out",
        "git-file-pipe",
    ],
)
def test_what_would_hold_git_up_is_refused_before_git_looks(
    trees: GitTrees, tree: Tree, plant: Callable[[Path], object]
) -> None:
    plant(Path(tree.path))
    put(tree, "src/app.py")
    started = time.monotonic()

    left = trees.left(tree)

    assert time.monotonic() - started < 20
    assert left.refused
    assert trees.diff(tree.head, left.tree_sha).files == ()


def test_a_file_larger_than_the_forge_takes_is_refused(trees: GitTrees, tree: Tree) -> None:
    with Path(tree.path, "core").open("wb") as file:
        file.truncate(100 * 1024 * 1024 + 1)

    assert told(trees.left(tree)) == {"core": ("added", "is larger than the forge takes (100 MiB)")}


def test_a_planted_git_file_leads_nowhere(trees: GitTrees, tree: Tree, tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    git(evil, "init", "-q")
    git(evil, "config", "core.fsmonitor", f"touch {tmp_path / 'ran'}; false")
    Path(tree.path, ".git").write_text(f"gitdir: {evil / '.git'}\n")
    put(tree, "src/app.py")

    left = trees.left(tree)

    assert told(left) == {"src/app.py": ("modified", "")}
    assert not (tmp_path / "ran").exists()


def test_settings_that_reach_the_mirror_run_nothing(
    trees: GitTrees, tree: Tree, tmp_path: Path
) -> None:
    evil = f"touch {tmp_path / 'ran'}; cat"
    for key in ("core.fsmonitor", "diff.external", "core.pager", "core.editor"):
        git(trees.mirror_path, "config", key, evil)
    put(tree, "src/app.py")

    left = trees.left(tree)
    trees.diff_text(tree.head, left.tree_sha)
    trees.diff(tree.head, left.tree_sha)
    trees.line_map(trees.blob(tree.head, "src/app.py"), trees.blob(left.tree_sha, "src/app.py"))

    assert not (tmp_path / "ran").exists()


def test_a_deleted_tree_is_an_error_and_never_a_deletion_of_everything(
    trees: GitTrees, tree: Tree
) -> None:
    Path(tree.path).rename(Path(tree.path + ".away"))

    with pytest.raises(GitError, match="is gone"):
        trees.left(tree)


def test_a_foreign_folder_is_never_read(trees: GitTrees, tree: Tree, forge: Forge) -> None:
    foreign = Tree(repo_id=7, path=str(forge.clone), head=tree.head)

    with pytest.raises(GitError, match="is not a work tree"):
        trees.left(foreign)


def test_what_an_agent_staged_and_committed_itself_is_judged_all_the_same(
    trees: GitTrees, tree: Tree
) -> None:
    put(tree, "src/app.py")
    put(tree, ".github/workflows/ci.yml")
    before = trees.left(tree)
    git(Path(tree.path), "add", "-A")
    staged = trees.left(tree)
    git(Path(tree.path), "commit", "-q", "-m", "Mine")

    committed = trees.left(tree)

    assert before == staged == committed
    assert [one.path for one in before.refused] == [".github/workflows/ci.yml"]


def test_a_conflict_is_solved_on_top_of_the_merge(forge: Forge, trees: GitTrees) -> None:
    base = forge.commit({"README.md": "1\n", ".github/workflows/ci.yml": "on: push\n"})
    git(forge.clone, "checkout", "-q", "HEAD~1")
    side = forge.commit({"README.md": "2\n"}, to="side")
    trees.sync()
    merged, conflicts = trees.merge_tree(side, base)
    tree = trees.add_tree(trees.commit(merged, (side, base), "Merge", AT), "issue-12")
    put(tree, "README.md", b"1 and 2\n")

    left = trees.left(tree)

    assert conflicts == ("README.md",)
    assert told(left) == {"README.md": ("modified", "")}
    assert trees.read(left.tree_sha, ".github/workflows/ci.yml") == b"on: push\n"


def test_what_was_left_becomes_one_clean_commit(trees: GitTrees, tree: Tree) -> None:
    put(tree, "src/app.py")

    sha = trees.commit(trees.left(tree).tree_sha, (tree.head,), "Fix it", AT)

    (made,) = trees.first_parents(tree.head, sha)
    assert (made.subject, made.author, made.at) == ("Fix it", "Harness Bot <bot@example.org>", AT)
