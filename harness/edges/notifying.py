"""Calling a person with the operator's own command; the report goes in as JSON on stdin."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from harness.facts.decisions import ItemReport

logger = logging.getLogger(__name__)

_SECONDS = 30


def missing_program(command: tuple[str, ...]) -> str:
    """The program of the command that is not to be found; "" where all is well."""
    return command[0] if command and shutil.which(command[0]) is None else ""


@dataclass(frozen=True)
class CommandNotify:
    """Satisfies `doors.notify.Notify`; without a command it only logs."""

    command: tuple[str, ...]
    mask: Callable[[str], str] = str  # takes secrets out of what goes to the command

    def call(self, report: ItemReport) -> None:
        """Run the command; failing is logged, the label on the item still calls."""
        logger.info("%s #%d needs a person: %s", report.repo, report.item, report.reason)
        if not self.command:
            return
        try:
            done = subprocess.run(
                self.command,
                input=self._masked(report).model_dump_json().encode(),
                timeout=_SECONDS,
                capture_output=True,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            logger.warning("[notify] command failed: %s", type(error).__name__)
            return
        if done.returncode:
            logger.warning("[notify] command ended with %d", done.returncode)

    def _masked(self, report: ItemReport) -> ItemReport:
        words = {"title": self.mask(report.title), "reason": self.mask(report.reason)}
        return report.model_copy(update=words)
