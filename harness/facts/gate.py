"""What the gate says."""

from __future__ import annotations

from harness.facts.value import Fact


class Verdict(Fact):
    """GO, or every reason against it; unknown is a reason."""

    go: bool
    reasons: tuple[str, ...]
