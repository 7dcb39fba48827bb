"""The repository's own check, run in an overlay of one commit."""

from __future__ import annotations

import logging

from harness.errors import SetupFailed, WorkbenchError
from harness.facts.checks import Check
from harness.facts.workbench import Command, Ran
from harness.rules.checks import (
    JUNIT_BEFORE,
    JUNIT_PROGRAM,
    is_killed,
    judge_check,
    read_names,
    tell_end,
)
from harness.runs.building import build_key, build_layers, shared_tree, shell_command
from harness.runs.desk import Desk
from harness.words.check_result import red_base_told

logger = logging.getLogger(__name__)


def run_check(desk: Desk, sha: str, base: Check | None) -> Check:
    """Run the check at `sha` and record it; what it said there once is not asked again.

    Where a signal ended it that is no limit of ours, it is run once more. Raises SetupFailed where
    the base's setup does not work either.
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


def _run(desk: Desk, sha: str, command: str) -> tuple[Ran, tuple[str, ...], str]:
    """What it said, the names of failing tests, and why none are known."""
    junit = desk.choice.junit
    try:
        layers = build_layers(desk, sha)
        with desk.workbench.open(shared_tree(desk, sha), "overlay", layers=layers) as bench:
            if not junit:
                return bench.run(shell_command(desk, command)), (), "junit is not set"
            before = bench.run(_python(JUNIT_BEFORE, junit))
            ran = bench.run(shell_command(desk, command))
            if ran.exit == 0:
                return ran, (), ""
            listed = bench.run(_python(JUNIT_PROGRAM, junit, stdin=before.output))
            return ran, *read_names(listed.output, junit)
    except WorkbenchError as error:
        if isinstance(error, SetupFailed) and _fails_on_base_too(desk, sha):
            raise
        return Ran(exit=126, output=str(error), seconds=0.0, stopped_by=""), (), ""


def _fails_on_base_too(desk: Desk, sha: str) -> bool:
    """Whether nothing that setup depends on is changed here: then no change can mend it."""
    return build_key(desk, sha) == build_key(desk, desk.trees.tip(desk.base_ref))


def _python(program: str, junit: str, *, stdin: str = "") -> Command:
    return Command(argv=("python3", "-c", program, junit), stdin=stdin, seconds=60)
