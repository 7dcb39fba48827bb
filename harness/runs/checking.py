"""The repository's own check, run in an overlay of one commit, and the setup it needs."""

from __future__ import annotations

import hashlib
import logging

from harness.errors import WorkbenchError
from harness.facts.checks import Check
from harness.facts.trees import Tree
from harness.facts.workbench import Command, Ran
from harness.rules.checks import (
    JUNIT_BEFORE,
    JUNIT_PROGRAM,
    is_killed,
    judge_check,
    read_names,
    tell_end,
)
from harness.runs.desk import Desk
from harness.words.check_result import red_base_told

logger = logging.getLogger(__name__)

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


def run_check(desk: Desk, sha: str, base: Check | None) -> Check:
    """Run the check at `sha` and record it; what it said there once is not asked again.

    Where a signal ended it that is no limit of ours, it is run once more.
    """
    command = desk.choice.check
    known = desk.store.check(desk.repo_id, sha, command)
    if known is not None and known.state != "unrunnable":
        return known
    ran, failing, unknown = _run(desk, sha, command)
    if is_killed(ran):
        desk.progress.step(0, f"the check ended ({tell_end(ran.exit, '')}); it is run once more")
        ran, failing, unknown = _run(desk, sha, command)
    check = judge_check(command, sha, ran, failing, base)
    desk.store.record_check(desk.repo_id, check)
    if base is None and check.state == "red":
        told = red_base_told(check, unknown)
        desk.progress.step(0, told)
        logger.warning("%s at %s: %s", desk.repo.slug, sha[:12], told)
    return check


def build_layers(desk: Desk, sha: str) -> tuple[str, ...]:
    """The layers below every command at this commit: what `setup` made, once per lock files.

    Raises WorkbenchError when setup fails.
    """
    if not desk.choice.setup:
        return ()
    key = _build_key(desk, sha)
    made = desk.workbench.layer(key)
    if made is None:
        desk.progress.step(0, f"setup: {desk.choice.setup}")
        tree = shared_tree(desk, sha)
        ran = desk.workbench.build(tree, _command(desk, desk.choice.setup, network=True), key)
        if ran.exit != 0:
            last = ran.output.strip().splitlines()[-1:] or ["no output"]
            raise WorkbenchError(f"setup ended with {ran.exit} at {sha[:12]}: {last[0]}")
        made = desk.workbench.layer(key)
    return (made,) if made else ()


def shared_tree(desk: Desk, sha: str) -> Tree:
    """A work tree at `sha` that is only ever looked at through overlays."""
    name = f"{desk.repo_id}-at-{sha[:16]}"
    return desk.trees.open_tree(name) or desk.trees.add_tree(sha, name)


def _run(desk: Desk, sha: str, command: str) -> tuple[Ran, tuple[str, ...], str]:
    """What it said, the names of failing tests, and why none are known."""
    junit = desk.choice.junit
    try:
        layers = build_layers(desk, sha)
        with desk.workbench.open(shared_tree(desk, sha), "overlay", layers=layers) as bench:
            if not junit:
                return bench.run(_command(desk, command)), (), "junit is not set"
            before = bench.run(_python(JUNIT_BEFORE, junit))
            ran = bench.run(_command(desk, command))
            if ran.exit == 0:
                return ran, (), ""
            listed = bench.run(_python(JUNIT_PROGRAM, junit, stdin=before.output))
            return ran, *read_names(listed.output, junit)
    except WorkbenchError as error:
        return Ran(exit=126, output=str(error), seconds=0.0, stopped_by=""), (), ""


def _python(program: str, junit: str, *, stdin: str = "") -> Command:
    return Command(argv=("python3", "-c", program, junit), stdin=stdin, seconds=60)


def _command(desk: Desk, line: str, *, network: bool = False) -> Command:
    seconds = desk.choice.limits.command_minutes * 60
    return Command(argv=("bash", "-c", line), seconds=seconds, network=network)


def _build_key(desk: Desk, sha: str) -> str:
    digest = hashlib.sha256(f"{desk.repo_id}\0{desk.choice.setup}".encode())
    for name in _LOCKS:
        digest.update(f"\0{name}\0".encode() + (desk.trees.read(sha, name) or b""))
    return digest.hexdigest()[:24]
