"""Pushing: only onto what we expect, only what descends from it, only to branches of ours."""

import pytest

from harness.edges.git import GitPushing, GitTrees
from harness.errors import ForgeError, GitError, Refused
from harness.facts.intents import CommentOn, DeleteBranch, Push, PushLedger, Receipt
from tests.edges.git.forge import AT, Forge, git, intent

BRANCH = "harness/issue-12"


@pytest.fixture
def pushing(trees: GitTrees) -> GitPushing:
    return trees.pushing("trunk", {"release", "harness/shut"}.__contains__)


def ours(trees: GitTrees, parent: str, message: str = "Ours") -> str:
    tree = git(trees.mirror_path, "rev-parse", f"{parent}^{{tree}}")
    return trees.commit(tree, (parent,), message, AT)


def test_a_new_branch_is_pushed_and_found_again(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    sha = ours(trees, trees.tip("trunk"))
    wish = intent(Push(branch=BRANCH, sha=sha, expected=""))
    before = (pushing.unmet(wish), pushing.read_back(wish))

    receipt = pushing.deliver(wish)

    assert before == ("", None)
    assert receipt == pushing.read_back(wish) == Receipt(sha=sha)
    assert forge.tip(f"refs/heads/{BRANCH}") == sha
    assert git(forge.bare, "for-each-ref", "--format=%(refname)").split() == [
        f"refs/heads/{BRANCH}",
        "refs/heads/trunk",
    ]


def test_of_a_branch_that_tracks_the_default_branch_only_our_own_ref_is_pushed(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    base = trees.tip("trunk")
    git(forge.bare, "update-ref", "--no-deref", "HEAD", base)
    settings = {
        "remote.origin.url": forge.url,
        "remote.origin.push": "HEAD:refs/heads/trunk",
        f"branch.{BRANCH}.remote": "origin",
        f"branch.{BRANCH}.merge": "refs/heads/trunk",
        "push.default": "upstream",
        "push.followTags": "true",
    }
    for name, value in settings.items():
        git(trees.mirror_path, "config", name, value)
    sha = ours(trees, base)
    git(trees.mirror_path, "update-ref", f"refs/heads/{BRANCH}", sha)
    git(trees.mirror_path, "symbolic-ref", "HEAD", f"refs/heads/{BRANCH}")
    git(trees.mirror_path, "tag", "-a", "-m", "v1", "v1", sha)

    pushing.deliver(intent(Push(branch=BRANCH, sha=sha, expected="")))

    refs = git(forge.bare, "for-each-ref", "--format=%(refname) %(objectname)").split("\n")
    assert refs == [f"refs/heads/{BRANCH} {sha}", f"refs/heads/trunk {base}"]


def test_a_push_told_twice_is_one_push(forge: Forge, trees: GitTrees, pushing: GitPushing) -> None:
    sha = ours(trees, trees.tip("trunk"))
    wish = intent(Push(branch=BRANCH, sha=sha, expected=""))
    pushing.deliver(wish)

    assert pushing.unmet(wish) == ""
    assert pushing.deliver(wish) == Receipt(sha=sha)


def test_a_branch_that_somebody_built_upon_counts_as_pushed(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    sha = ours(trees, trees.tip("trunk"))
    wish = intent(Push(branch=BRANCH, sha=sha, expected=""))
    pushing.deliver(wish)
    git(forge.clone, "fetch", "-q", forge.url, BRANCH)
    git(forge.clone, "checkout", "-q", "FETCH_HEAD")
    theirs = forge.commit({"more": "1"}, to=BRANCH)

    assert pushing.read_back(wish) == Receipt(sha=sha)
    assert theirs[:10] in pushing.unmet(wish)


def test_a_branch_that_moved_elsewhere_is_left_alone(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    theirs = forge.commit({"theirs": "1"}, to=BRANCH)
    first = intent(Push(branch=BRANCH, sha=ours(trees, trees.tip("trunk")), expected=""))

    with pytest.raises(GitError):
        pushing.deliver(first)

    assert "moved to" in pushing.unmet(first)
    assert pushing.read_back(first) is None
    assert forge.tip(f"refs/heads/{BRANCH}") == theirs


def test_a_right_lease_does_not_push_what_does_not_descend(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    theirs = forge.commit({"theirs": "1"}, to=BRANCH)
    trees.sync()
    sha = ours(trees, git(trees.mirror_path, "rev-parse", f"{theirs}~1"))
    wish = intent(Push(branch=BRANCH, sha=sha, expected=theirs))

    with pytest.raises(Refused, match="does not descend"):
        pushing.deliver(wish)

    assert "does not descend" in pushing.unmet(wish)
    assert forge.tip(f"refs/heads/{BRANCH}") == theirs


def test_a_branch_that_was_deleted_is_not_made_again(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    base = trees.tip("trunk")
    wish = intent(Push(branch=BRANCH, sha=ours(trees, base), expected=base))

    with pytest.raises(GitError):
        pushing.deliver(wish)

    assert "is gone" in pushing.unmet(wish)


@pytest.mark.parametrize(
    ("branch", "adopted", "why"),
    [
        ("trunk", True, "default branch or protected"),
        ("release", True, "default branch or protected"),
        ("harness/shut", False, "default branch or protected"),
        ("feature", False, "not a branch of ours"),
        ("harness", False, "not a branch of ours"),
        ("harness/../trunk", False, "not a branch name"),
        ("+trunk", False, "not a branch of ours"),
        ("harness/x:refs/heads/trunk", False, "not a branch name"),
    ],
)
def test_nothing_is_pushed_where_it_must_not(
    forge: Forge, trees: GitTrees, pushing: GitPushing, branch: str, adopted: bool, why: str
) -> None:
    base = trees.tip("trunk")
    wish = intent(Push(branch=branch, sha=ours(trees, base), expected=base, adopted=adopted))

    with pytest.raises(Refused, match=why):
        pushing.deliver(wish)

    assert why in pushing.unmet(wish)
    assert forge.tip("refs/heads/trunk") == base


def test_an_adopted_branch_may_have_any_other_name(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    theirs = forge.commit({"theirs": "1"}, to="feature")
    trees.sync()
    sha = ours(trees, theirs)

    pushing.deliver(intent(Push(branch="feature", sha=sha, expected=theirs, adopted=True)))

    assert forge.tip("refs/heads/feature") == sha


def test_a_commit_that_is_not_here_is_not_pushed(trees: GitTrees, pushing: GitPushing) -> None:
    wish = intent(Push(branch=BRANCH, sha="1" * 40, expected=""))

    with pytest.raises(Refused, match="is not here"):
        pushing.deliver(wish)


def test_a_branch_of_ours_is_deleted_only_where_we_left_it(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    sha = ours(trees, trees.tip("trunk"))
    pushing.deliver(intent(Push(branch=BRANCH, sha=sha, expected="")))
    wrong = intent(DeleteBranch(branch=BRANCH, sha=trees.tip("trunk")))
    right = intent(DeleteBranch(branch=BRANCH, sha=sha))

    with pytest.raises(GitError):
        pushing.deliver(wrong)
    before = (pushing.unmet(wrong), pushing.unmet(right), pushing.read_back(right))
    receipt = pushing.deliver(right)

    assert "moved to" in before[0]
    assert before[1:] == ("", None)
    assert receipt == pushing.read_back(right) == Receipt()
    assert pushing.unmet(right) == ""
    assert pushing.deliver(right) == Receipt()


def test_no_branch_of_somebody_else_is_deleted(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    theirs = forge.commit({"a": "1"}, to="feature")

    with pytest.raises(Refused, match="not a branch of ours"):
        pushing.deliver(intent(DeleteBranch(branch="feature", sha=theirs)))


def test_the_ledger_ref_is_pushed_under_its_own_name_only(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    sha = ours(trees, trees.tip("trunk"), "Ledger")
    wish = intent(PushLedger(ref="refs/harness/ledger", sha=sha, expected=""))

    pushing.deliver(wish)

    assert forge.tip("refs/harness/ledger") == sha
    assert pushing.read_back(wish) == Receipt(sha=sha)
    with pytest.raises(Refused, match="not a ledger ref"):
        pushing.deliver(intent(PushLedger(ref="refs/heads/trunk", sha=sha, expected="")))


def test_a_refusal_of_the_forge_is_its_no_and_not_a_doubt(
    forge: Forge, trees: GitTrees, pushing: GitPushing
) -> None:
    hook = forge.bare / "hooks" / "pre-receive"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\necho refusing to allow workflows >&2\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(ForgeError, match=r"pre-receive hook declined: refusing to") as caught:
        pushing.deliver(
            intent(Push(branch=BRANCH, sha=ours(trees, trees.tip("trunk")), expected=""))
        )

    assert caught.value.reason == "forbidden"
    assert not caught.value.may_have_happened


def test_what_is_no_push_is_a_mistake_of_the_caller(pushing: GitPushing) -> None:
    with pytest.raises(TypeError, match="comment"):
        pushing.deliver(intent(CommentOn(number=1, body="x")))
