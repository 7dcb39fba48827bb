"""What a review's findings come to in the ledger: new, known, settled, or held for a question.

    finding ─ match ─┬─ nothing ─────────────────── new
                     ├─ possibly settled ────────── hold ─ `same` ─┬─ yes: as below
                     │                                             ├─ no: new
                     │                                             └─ no valid answer: a person
                     ├─ open here ───────────────── still
                     ├─ fixed ───────────────────── regression: open again
                     ├─ settled, its code changed ─ reopened, then open
                     └─ settled ─┬─ nothing new ─── silent, however often
                                 ├─ new evidence ── again: to the author, the first time
                                 └─ and again ───── escalate

A person's ruling and a suppression stay silent whatever an agent brings: what it brings is
recorded, and the ruling holds until its code changes or a person says otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from harness.facts.entries import Entry, EntryKey, EventKind, Standing, State
from harness.facts.findings import Finding, Severity
from harness.facts.matching import Met, Plan, SettleContext
from harness.facts.replies import RulingReply
from harness.rules.binding import Bond, Ground
from harness.rules.history import again_count, was_blocking
from harness.rules.identity import fingerprint, title_key
from harness.rules.matching import Match, Near, Rule, is_same_key, match_finding, never_near
from harness.rules.novelty import has_new_evidence
from harness.rules.raising import as_evidence
from harness.rules.telling import Telling, derive_id


def plan_review(
    findings: tuple[Finding, ...],
    context: SettleContext,
    said_same: Mapping[str, str] | None,
    *,
    rulings: tuple[RulingReply, ...] = (),
    fallen: Collection[str] = frozenset(),
    near: Near = never_near,
) -> Plan:
    """What is recorded of them, the same however often it is planned.

    `context.known` holds all entries with the findings' keys, aliases and files, and all that were
    shown. `said_same`: handle to entry id, or to "" for a new point; None before it was asked.
    `rulings` on settled points bring evidence to the findings that repeat them, and repeat the
    point themselves where no finding does.
    """
    shown = dict(context.shown)
    against = {
        shown[one.handle]: one
        for one in rulings
        if not one.agrees and one.handle in shown and one.handle not in fallen
    }
    telling = Telling(context, [finding.handle for finding in findings])
    settling = _Settling(telling, said_same, against, near)
    met = [settling.settle(finding) for finding in findings]
    raised = {one.entry_id for one in met}
    met += [
        settling.repeat(ruling)
        for entry, ruling in against.items()
        if entry not in raised and settling.is_settled(entry)
    ]
    return telling.plan().model_copy(update={"met": tuple(met)})


class _Settling:
    """One review while its findings are met one after another."""

    def __init__(
        self,
        telling: Telling,
        said_same: Mapping[str, str] | None,
        against: Mapping[str, RulingReply],
        near: Near,
    ) -> None:
        self.telling = telling
        self._context = telling.context
        self._ground = Ground.of(telling.context)
        self._said = said_same
        self._against = against
        self._near = near

    def settle(self, finding: Finding) -> Met:
        """What the ledger makes of one finding."""
        shown = dict(self._context.shown)
        standings = self.telling.standings.values()
        match = match_finding(finding, standings, shown, self._ground, self._near)
        if match.standing is None and match.possibly:
            return self._settle_possibly(finding, match)
        if match.standing is None:
            return self._settle_new(finding, "none")
        if self._ground.bond(match.standing) is Bond.POSSIBLY:
            possibly = (match.standing.entry.id,)
            return self._settle_possibly(finding, match.model_copy(update={"possibly": possibly}))
        return self._settle_known(finding, match.standing, match.rule)

    def is_settled(self, entry_id: str) -> bool:
        """Whether the entry binds here."""
        standing = self.telling.standings.get(entry_id)
        return standing is not None and self._ground.bond(standing) is Bond.BINDS

    def repeat(self, ruling: RulingReply) -> Met:
        """A settled point that a ruling raises again without a finding of its own."""
        standing = self.telling.standings[dict(self._context.shown)[ruling.handle]]
        finding = standing.finding.model_copy(
            update={
                "handle": ruling.handle,
                "raised_by": self._context.actor,
                "head": self._context.head,
                "detail": ruling.reasoning,
                "evidence": (),
                "fallen": "",
            }
        )
        return self._settle_known(finding, standing, "handle")

    # -- what may be a settled point -------------------------------------------------------------
    def _settle_possibly(self, finding: Finding, match: Match) -> Met:
        if self._said is None:
            return _met(finding, "", match.rule, "hold", match.possibly)
        answer = self._said.get(finding.handle)
        if answer == "":
            return self._settle_new(finding, "none")
        standing = self.telling.standings.get(answer) if answer in match.possibly else None
        if standing is None:
            return self._settle_unanswered(finding)
        return self._settle_known(finding, standing, "said_same")

    def _settle_unanswered(self, finding: Finding) -> Met:
        why = "it may be a settled point, and its raiser gave no valid answer to that question"
        return self._settle_new(
            finding.model_copy(update={"fallen": finding.fallen or why}), "none"
        )

    # -- what is new -----------------------------------------------------------------------------
    def _settle_new(self, finding: Finding, rule: Rule) -> Met:
        context, handle = self._context, finding.handle
        ordinals = [
            one.entry.key.ordinal
            for one in self.telling.standings.values()
            if is_same_key(finding, one)
        ]
        key = EntryKey(
            repo_id=context.repo_id,
            title_key=title_key(finding.title),
            file=finding.anchor.file,
            ordinal=max(ordinals, default=0) + 1,
        )
        entry = Entry(
            id=derive_id(context.exchange_id, handle, "entry"),
            key=key,
            title=finding.title,
            category=finding.category,
            fingerprint=fingerprint(context.host, context.slug, key, finding.category),
            created_at=context.at,
        )
        self.telling.enter(handle, entry, finding)
        return self._open(finding, entry.id, rule, "new")

    # -- what is known ---------------------------------------------------------------------------
    def _settle_known(self, finding: Finding, standing: Standing, rule: Rule) -> Met:
        entry_id = standing.entry.id
        finding = self._with_ruling(finding, entry_id)
        self._note_wording(finding, standing)
        bond = self._ground.bond(standing)
        if bond in {Bond.BINDS, Bond.POSSIBLY}:
            return self._settle_again(finding, standing, rule)
        if bond is Bond.CHANGED:
            since = self._ground.holdings[entry_id].since
            self._reopen(finding, standing, f"its code changed: {since}")
            return self._open(finding, entry_id, rule, "still")
        if standing.state is State.FIXED and self._ground.covers(standing):
            if standing.by_person:
                self._reopen(finding, standing, "it was fixed and is back")
            return self._open(finding, entry_id, rule, "regression")
        if standing.scope == self._context.scope and not standing.state.is_settled:
            self._repeat(finding, entry_id, new=False)
            return _met(finding, entry_id, rule, "still")
        return self._open(finding, entry_id, rule, "new")

    def _settle_again(self, finding: Finding, standing: Standing, rule: Rule) -> Met:
        """The rules of re-raise."""
        entry_id = standing.entry.id
        if not self._brings_something_new(finding, standing):
            self._repeat(finding, entry_id, new=False, scope=standing.scope)
            return _met(finding, entry_id, rule, "silent")
        again = again_count(standing)
        self._repeat(finding, entry_id, new=True)
        if again == 0:
            return _met(finding, entry_id, rule, "again")
        why = "raised again with new evidence, for the second time since it was settled"
        self.telling.tell(finding.handle, entry_id, EventKind.ESCALATED, reasoning=why)
        return _met(finding, entry_id, rule, "escalate")

    def _brings_something_new(self, finding: Finding, standing: Standing) -> bool:
        unmoved = standing.by_person or standing.state is State.SUPPRESSED
        blocks = finding.severity is Severity.BLOCKING and finding.in_scope and not finding.fallen
        if unmoved or not blocks:
            return False
        if not was_blocking(standing):
            return True  # a refuted nit that comes back as blocking
        return has_new_evidence(finding.evidence, finding.anchor, standing, self._ground.renames)

    def _with_ruling(self, finding: Finding, entry_id: str) -> Finding:
        ruling = self._against.get(entry_id)
        if ruling is None or finding.fallen:
            return finding
        return finding.model_copy(
            update={"evidence": finding.evidence + as_evidence(ruling.evidence)}
        )

    def _note_wording(self, finding: Finding, standing: Standing) -> None:
        """A wording (or file) by which the entry was not known becomes an alias of it."""
        others = self.telling.standings.values()
        if not any(is_same_key(finding, one) for one in others):
            key = title_key(finding.title)
            self.telling.alias(finding.handle, standing.entry.id, key, finding.anchor.file)

    # -- events ----------------------------------------------------------------------------------
    def _open(self, finding: Finding, entry_id: str, rule: Rule, action: str) -> Met:
        """It is open here from now on, or waits for a person when it did not check."""
        self.telling.tell(
            finding.handle,
            entry_id,
            EventKind.RAISED,
            reasoning=finding.detail,
            evidence=() if finding.fallen else finding.evidence,
            anchor=finding.anchor,
            finding=finding,
        )
        if not finding.fallen:
            return _met(finding, entry_id, rule, action)
        self.telling.tell(finding.handle, entry_id, EventKind.ESCALATED, reasoning=finding.fallen)
        return _met(finding, entry_id, rule, "needs_human")

    def _repeat(self, finding: Finding, entry_id: str, *, new: bool, scope: str = "") -> None:
        """Raised again; without new evidence this says nothing of its state.

        So it is recorded where the state is: in another scope it would hide the one that binds.
        """
        self.telling.tell(
            finding.handle,
            entry_id,
            EventKind.RERAISED,
            reasoning=finding.detail,
            evidence=() if finding.fallen else finding.evidence,
            anchor=finding.anchor,
            finding=finding,
            new_evidence=new,
            scope=scope,
        )

    def _reopen(self, finding: Finding, standing: Standing, why: str) -> None:
        self.telling.tell(finding.handle, standing.entry.id, EventKind.REOPENED, reasoning=why)


def _met(
    finding: Finding, entry_id: str, rule: Rule, action: str, possibly: tuple[str, ...] = ()
) -> Met:
    return Met.model_validate(
        {
            "finding": finding,
            "entry_id": entry_id,
            "rule": rule,
            "action": action,
            "possibly": possibly,
        }
    )
