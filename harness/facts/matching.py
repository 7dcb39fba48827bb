"""How a raised finding meets the ledger: matches, what holds, and the plan that is recorded."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from harness.facts.entries import Entry, Event, Standing
from harness.facts.findings import Finding
from harness.facts.places import Anchor, Place
from harness.facts.value import Fact


class Holding(Fact):
    """What became of an entry's anchor at a head (staleness)."""

    entry_id: str
    verdict: Literal["holds", "moved", "possibly", "reopened", "gone", "placeless"]
    place: Place | None  # where it stands at the head, for holds and moved
    since: str  # for reopened: the commit, or "between A and H"
    anchor: Anchor | None = None  # for reopened: its lines as they are at the head (none: removed)


class SettleContext(Fact):
    """Everything `rules/settle.py` needs beside the reply itself."""

    host: str
    slug: str
    repo_id: int
    scope: str
    actor: str
    run_id: str
    exchange_id: str  # ids of entries and events derive from it, so that a retold story is the same
    round: int
    head: str
    at: datetime
    known: tuple[Standing, ...]  # by key, alias and file, as seen from this scope
    shown: tuple[tuple[str, str], ...]  # handle -> entry id, as shown in this exchange
    renames: tuple[tuple[str, str], ...]  # old path -> new path
    holdings: tuple[Holding, ...]


class Met(Fact):
    """What the ledger makes of one finding of a review.

    new: first seen. silent: settled, no new evidence: recorded, neither blocks nor is posted.
    again: settled, with new evidence, the first time: goes to the author once. escalate: the
    second time. still: an entry that is open here already. regression: it was fixed and is back.
    hold: possibly settled; its raiser is asked (`same`) before it blocks. needs_human: a claim of
    it did not check.
    """

    finding: Finding
    entry_id: str
    rule: Literal[
        "handle", "key", "alias", "rename", "anchor", "near", "anchor+near", "said_same", "none"
    ]
    action: Literal[
        "new", "silent", "again", "escalate", "still", "regression", "hold", "needs_human"
    ]
    possibly: tuple[str, ...] = ()  # entry ids, for hold


class Plan(Fact):
    """What is recorded in one transaction."""

    entries: tuple[Entry, ...]
    aliases: tuple[tuple[str, str, str], ...]  # (entry id, title key, file)
    events: tuple[Event, ...]
    met: tuple[Met, ...]
