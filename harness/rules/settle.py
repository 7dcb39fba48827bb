"""What is settled stays settled: pure plans from replies to what the ledger records.

Each plan is one story, told with ids that derive from its exchange: planned twice it is the same,
and planned again after it was recorded it holds only what is still missing.
"""

from __future__ import annotations

from harness.rules.raising import as_evidence, as_finding
from harness.rules.reopening_plan import (
    plan_escalation,
    plan_gone,
    plan_lost_fixes,
    plan_person_acted,
    plan_person_ruling,
    plan_reopenings,
)
from harness.rules.response_plan import plan_response
from harness.rules.review_plan import plan_review
from harness.rules.ruling_plan import plan_rebuttal, plan_rulings

__all__ = [
    "as_evidence",
    "as_finding",
    "plan_escalation",
    "plan_gone",
    "plan_lost_fixes",
    "plan_person_acted",
    "plan_person_ruling",
    "plan_rebuttal",
    "plan_reopenings",
    "plan_response",
    "plan_review",
    "plan_rulings",
]
