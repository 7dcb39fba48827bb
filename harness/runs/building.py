"""What a repository's `setup` made, once per lock files, and what becomes of one that fails.

A setup that fails is the operator's trouble and no item's: what needs it waits. It is tried once a
run, `max_tries` times at one commit; then the operator is called, and it is run again when its
command, a lock file or the commit changes, or for a number on the command line.
"""

from __future__ import annotations

import hashlib

from harness.errors import SetupFailed
from harness.facts.builds import Build
from harness.facts.decisions import ItemReport, Outcome
from harness.facts.trees import Tree
from harness.facts.workbench import Command
from harness.rules.checks import tell_end
from harness.runs.desk import Desk
from harness.words.setup_failed import setup_output, setup_sentence

_LOCKS = (
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pylock.toml",
    "requirements.txt",
    "requirements-dev.txt",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "Cargo.toml",
    "Cargo.lock",
    "go.mod",
    "go.sum",
    "Gemfile.lock",
    "composer.lock",
    "pom.xml",
)
"""Files whose change means that setup has to run again."""
_TAIL = 2_000  # characters of output that are kept


def build_layers(desk: Desk, sha: str) -> tuple[str, ...]:
    """The layers below every command at this commit: what `setup` made, once per lock files.

    Raises SetupFailed, at once where it failed before in this run or too often.
    """
    if not desk.choice.setup:
        return ()
    key = build_key(desk, sha)
    made = desk.workbench.layer(key) or _build_once(desk, sha, key)
    return (made,) if made else ()


def shared_tree(desk: Desk, sha: str) -> Tree:
    """A work tree at `sha` that is only ever looked at through overlays."""
    return desk.trees.share_tree(sha, f"{desk.repo_id}-at-{sha[:16]}")


def shell_command(desk: Desk, line: str, *, network: bool = False) -> Command:
    """A command line of the operator's."""
    seconds = desk.choice.limits.command_minutes * 60
    return Command(argv=("bash", "-c", line), seconds=seconds, network=network)


def build_key(desk: Desk, sha: str) -> str:
    """What the layer of this commit is kept under: the same for all with the same lock files."""
    digest = hashlib.sha256(f"{desk.repo_id}\0{desk.choice.setup}".encode())
    for name in _LOCKS:
        digest.update(f"\0{name}\0".encode() + (desk.trees.read(sha, name) or b""))
    return digest.hexdigest()[:24]


def _build_once(desk: Desk, sha: str, key: str) -> str | None:
    """One thread runs `setup`; whoever needs the same waits, and takes what came of it."""
    with desk.one_by_one.alone(key):
        return desk.workbench.layer(key) or _build(desk, sha, key)


def _build(desk: Desk, sha: str, key: str) -> str | None:
    place = f"{key}-{sha[:16]}"
    if place in desk.setups:
        raise desk.setups[place]
    before = desk.store.build(desk.repo_id, place)
    tries = before.tries if before else 0
    if before and tries >= desk.choice.loop.max_tries and not desk.named:
        raise _remember(desk, sha, before)
    desk.progress.step(0, f"setup: {desk.choice.setup}")
    command = shell_command(desk, desk.choice.setup, network=True)
    ran = desk.workbench.build(shared_tree(desk, sha), command, key)
    if ran.exit == 0:
        return desk.workbench.layer(key)
    failed = Build(
        repo_id=desk.repo_id,
        key=place,
        path="",
        state="failed",
        tail=ran.output[-_TAIL:],
        ended=tell_end(ran.exit, ran.stopped_by),
        tries=tries + 1,
    )
    desk.store.record_build(failed, desk.clock.now())
    error = _remember(desk, sha, failed)
    if failed.tries == desk.choice.loop.max_tries:
        _call_operator(desk, error)
    raise error


def _remember(desk: Desk, sha: str, failed: Build) -> SetupFailed:
    """What this run says whenever it is needed again."""
    given_up = failed.tries >= desk.choice.loop.max_tries
    sentence = setup_sentence(desk.repo.slug, sha, failed, given_up=given_up)
    error = SetupFailed(sentence, output=setup_output(failed), given_up=given_up)
    desk.setups[failed.key] = error
    return error


def _call_operator(desk: Desk, error: SetupFailed) -> None:
    report = ItemReport(
        repo=desk.repo.slug, item=0, title="", outcome=Outcome.WAITING, reason=str(error)
    )
    desk.notify.call(report)
