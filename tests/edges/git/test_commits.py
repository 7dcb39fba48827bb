"""Commits in the configured identity and in nobody else's."""

import os
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from harness.edges.git import GitTrees
from harness.errors import GitError
from harness.facts.settings import CommitSettings
from tests.edges.git.forge import AT, OURS, Forge, git


def tree_of(trees: GitTrees) -> tuple[str, tuple[str, ...]]:
    tip = trees.tip("trunk")
    return git(trees.mirror_path, "rev-parse", f"{tip}^{{tree}}"), (tip,)


def message_of(trees: GitTrees, sha: str) -> str:
    return git(trees.mirror_path, "log", "-1", "--format=%B", sha)


def with_settings(trees: GitTrees, forge: Forge, state: Path, settings: CommitSettings) -> GitTrees:
    return GitTrees(state, 7, forge.url, None, settings)


def test_the_same_commit_has_the_same_id_and_another_another(trees: GitTrees) -> None:
    tree, parents = tree_of(trees)

    first = trees.commit(tree, parents, "Fix", AT)

    assert trees.commit(tree, parents, "Fix", AT) == first
    assert trees.commit(tree, parents, "Fix", AT + timedelta(seconds=1)) != first
    assert trees.commit(tree, parents, "Other", AT) != first


def test_author_and_committer_are_the_configured_identity(trees: GitTrees) -> None:
    tree, parents = tree_of(trees)

    sha = trees.commit(tree, parents, "Fix", AT)

    told = git(trees.mirror_path, "log", "-1", "--format=%an|%ae|%at|%cn|%ce|%ct", sha)
    seconds = int(AT.timestamp())
    assert told == f"Harness Bot|bot@example.org|{seconds}|Harness Bot|bot@example.org|{seconds}"


def test_without_an_identity_and_with_a_hook_that_edits_files_it_is_one_clean_commit(
    forge: Forge, state: Path, tmp_path: Path
) -> None:
    hooks = {"pre-commit", "commit-msg", "post-commit", "post-checkout", "post-index-change"}
    edit = f'#!/bin/sh\necho hooked >> {state}/git/7/trees/one/README.md; echo hooked >> "$1"\n'
    forge.write({f".githooks/{name}": edit for name in hooks})
    for name in hooks:
        (forge.clone / ".githooks" / name).chmod(0o755)
    base = forge.commit({})
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "nobody")}
    trees = GitTrees(state, 7, forge.url, None, OURS, environ=environ)
    trees.sync()
    (trees.mirror_path / "hooks").mkdir()
    for name in hooks:
        (trees.mirror_path / "hooks" / name).write_text(edit)
        (trees.mirror_path / "hooks" / name).chmod(0o755)
    tree = trees.add_tree(base, "one")
    Path(tree.path, "src/app.py").write_text("print('ho')\n")

    sha = trees.commit(trees.left(tree).tree_sha, (base,), "Fix", AT)

    (made,) = trees.first_parents(base, sha)
    assert (made.author, made.subject) == ("Harness Bot <bot@example.org>", "Fix")
    assert message_of(trees, sha) == "Fix"
    assert [file.path for file in trees.diff(base, sha).files] == ["src/app.py"]


def test_nobody_vouches_in_a_persons_name(trees: GitTrees) -> None:
    tree, parents = tree_of(trees)
    message = (
        "Fix the parser\n\nIt was wrong.\n\nSigned-off-by: Linus <l@example.org>\n"
        "reviewed-BY: Ann <a@example.org>\nCo-authored-by: Bob <b@example.org>\nRefs: #3\n"
    )

    sha = trees.commit(tree, parents, message, AT)

    assert message_of(trees, sha) == "Fix the parser\n\nIt was wrong.\n\nRefs: #3"


def test_trailers_and_sign_off_are_exactly_as_configured(
    forge: Forge, trees: GitTrees, state: Path
) -> None:
    settings = OURS.model_copy(update={"signoff": True, "trailers": ("Assisted-by: harness",)})
    configured = with_settings(trees, forge, state, settings)
    tree, parents = tree_of(trees)

    sha = configured.commit(tree, parents, "Fix\n\nBody.", AT)

    assert message_of(trees, sha) == (
        "Fix\n\nBody.\n\nAssisted-by: harness\nSigned-off-by: Harness Bot <bot@example.org>"
    )


def test_a_message_of_any_characters_is_one_message(trees: GitTrees) -> None:
    tree, parents = tree_of(trees)

    sha = trees.commit(tree, parents, "--amend \0 naïve \ud800\r\n\r\nx", AT)

    assert message_of(trees, sha) == "--amend  naïve ?\n\nx"


def test_a_merge_has_both_parents_in_order(forge: Forge, trees: GitTrees) -> None:
    other = forge.commit({"a": "1"})
    trees.sync()
    tree, _ = tree_of(trees)
    one = git(trees.mirror_path, "rev-parse", f"{other}~1")

    sha = trees.commit(tree, (one, other), "Merge", AT)

    assert trees.first_parents(one, sha)[0].parents == (one, other)


@pytest.fixture
def signed(forge: Forge, trees: GitTrees, state: Path, tmp_path: Path) -> GitTrees:
    """Signs with an ssh key that has no passphrase."""
    home = tmp_path / "home"
    home.mkdir()
    new_key(home / "key", "")
    (home / ".gitconfig").write_text('[gpg]\n format = ssh\n[user]\n signingkey = "~/key.pub"\n')
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    settings = OURS.model_copy(update={"sign": True})
    return GitTrees(state, 7, forge.url, None, settings, environ=environ)


def new_key(place: Path, passphrase: str) -> None:
    argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", str(place)]
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)


def test_a_signed_commit_is_signed_once_and_given_again(signed: GitTrees) -> None:
    tree, parents = tree_of(signed)

    sha = signed.commit(tree, parents, "Fix", AT)

    assert "BEGIN SSH SIGNATURE" in git(signed.mirror_path, "cat-file", "-p", sha)
    assert signed.commit(tree, parents, "Fix", AT) == sha


def test_a_key_with_a_passphrase_fails_at_once_and_asks_nobody(
    signed: GitTrees, tmp_path: Path
) -> None:
    for name in ("key", "key.pub"):
        (tmp_path / "home" / name).unlink()
    new_key(tmp_path / "home" / "key", "geheim")
    tree, parents = tree_of(signed)

    with pytest.raises(GitError, match="commit-tree"):
        signed.commit(tree, parents, "Fix", AT)


def test_gpg_is_called_so_that_it_cannot_ask(
    forge: Forge, trees: GitTrees, state: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    fake = home / "gpg2"
    fake.write_text(
        '#!/bin/sh\necho "$@" >"$HOME/args"\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED " >&2\n'
        "echo -----BEGIN PGP SIGNATURE-----\necho x\necho -----END PGP SIGNATURE-----\n"
    )
    fake.chmod(0o755)
    (home / ".gitconfig").write_text(f"[gpg]\n program = {fake}\n[user]\n signingkey = ABCD\n")
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    settings = OURS.model_copy(update={"sign": True})
    gpg = GitTrees(state, 7, forge.url, None, settings, environ=environ)
    tree, parents = tree_of(gpg)

    sha = gpg.commit(tree, parents, "Fix", AT)

    args = (home / "args").read_text()
    assert args.startswith("--batch --no-tty --pinentry-mode error --status-fd=2")
    assert "ABCD" in args
    assert "BEGIN PGP SIGNATURE" in git(gpg.mirror_path, "cat-file", "-p", sha)
