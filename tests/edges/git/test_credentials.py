"""Where a token goes, and where it never shows."""

import base64
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.edges.git.credentials import mask
from harness.errors import ForgeError, GitError
from harness.facts.intents import Push
from tests.edges.git.forge import AT, OURS, Forge, git, intent
from tests.edges.git.smart_http import serve

TOKEN = "ghs_16C7e42F292c6912E7710c838347Ae178B4a"
ENCODED = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()


@pytest.fixture
def seen() -> list[str]:
    return []


@pytest.fixture
def url(forge: Forge, seen: list[str]) -> Iterator[str]:
    git(forge.bare, "config", "http.receivepack", "true")
    with serve(forge.bare.parent, TOKEN, seen) as root:
        yield f"{root}/repo.git"


def test_a_repository_is_mirrored_and_pushed_over_http(
    forge: Forge, state: Path, url: str, seen: list[str]
) -> None:
    trees = GitTrees(state, 7, url, lambda: TOKEN, OURS)
    trees.sync()
    tip = trees.tip("trunk")
    tree = git(trees.mirror_path, "rev-parse", f"{tip}^{{tree}}")
    sha = trees.commit(tree, (tip,), "Ours", AT)
    pushing = trees.pushing("trunk")
    wish = intent(Push(branch="harness/issue-12", sha=sha, expected=""))

    pushing.deliver(wish)

    assert tip == forge.tip("refs/heads/trunk")
    assert trees.remote_tip("harness/issue-12") == sha
    assert set(seen) == {f"Basic {ENCODED}"}


def test_the_token_is_in_no_argument_and_no_file(
    forge: Forge, state: Path, url: str, tmp_path: Path
) -> None:
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    which = subprocess.run(["which", "git"], capture_output=True, text=True, check=True)
    (bin_ / "git").write_text(
        f'#!/bin/sh\necho "$@" >>{tmp_path}/args\nexec {which.stdout.strip()} "$@"\n'
    )
    (bin_ / "git").chmod(0o755)
    environ = {"PATH": f"{bin_}:{os.environ['PATH']}"}
    trees = GitTrees(state, 7, url, lambda: TOKEN, OURS, environ=environ)

    trees.sync()

    args = (tmp_path / "args").read_text()
    stored = b"".join(path.read_bytes() for path in state.rglob("*") if path.is_file())
    assert "fetch" in args
    for secret in (TOKEN, ENCODED):
        assert secret not in args
        assert secret.encode() not in stored


def test_a_wrong_token_is_an_error_that_does_not_show_it(state: Path, url: str) -> None:
    wrong = "ghs_wrongwrongwrongwrongwrongwrongwrong"
    trees = GitTrees(state, 7, url, lambda: wrong, OURS)

    with pytest.raises(GitError) as caught:
        trees.sync()

    told = f"{caught.value} {caught.value.command} {caught.value.stderr}"
    assert wrong not in told
    assert base64.b64encode(f"x-access-token:{wrong}".encode()).decode() not in told


def test_a_push_with_a_wrong_token_is_the_forges_no(state: Path, url: str) -> None:
    good = GitTrees(state, 7, url, lambda: TOKEN, OURS)
    good.sync()
    tip = good.tip("trunk")
    tree = git(good.mirror_path, "rev-parse", f"{tip}^{{tree}}")
    wish = intent(Push(branch="harness/x", sha=good.commit(tree, (tip,), "Ours", AT), expected=""))
    bad = GitTrees(state, 7, url, lambda: "wrong", OURS).pushing("trunk")

    with pytest.raises(ForgeError) as caught:
        bad.deliver(wish)

    assert caught.value.reason == "unauthorised"


def test_a_forge_that_says_our_token_does_not_make_us_say_it(
    forge: Forge, state: Path, url: str
) -> None:
    hook = forge.bare / "hooks" / "pre-receive"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\necho you sent {TOKEN} {ENCODED} >&2\nexit 1\n")
    hook.chmod(0o755)
    trees = GitTrees(state, 7, url, lambda: TOKEN, OURS)
    trees.sync()
    tip = trees.tip("trunk")
    tree = git(trees.mirror_path, "rev-parse", f"{tip}^{{tree}}")
    sha = trees.commit(tree, (tip,), "Ours", AT)

    with pytest.raises(ForgeError) as caught:
        trees.pushing("trunk").deliver(intent(Push(branch="harness/x", sha=sha, expected="")))

    assert "you sent *** ***" in str(caught.value)


def test_the_token_is_asked_for_anew_each_time(state: Path, url: str) -> None:
    tokens = iter(["expired", TOKEN])
    trees = GitTrees(state, 7, url, lambda: next(tokens), OURS)
    with pytest.raises(GitError):
        trees.sync()

    trees.sync()

    assert trees.tip("trunk")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("fatal: https://u:p@github.com/x denied", "fatal: https://***@github.com/x denied"),
        ("> Authorization: Basic abc==\n", "> Authorization: Basic ***\n"),
        ("authorization: bearer  xyz", "authorization: bearer  ***"),
        (f"remote says {TOKEN}", "remote says ***"),
        ("mail a@b.c at https://github.com/x", "mail a@b.c at https://github.com/x"),
    ],
)
def test_what_git_prints_is_masked(text: str, masked: str) -> None:
    assert mask(text, (TOKEN,)) == masked
