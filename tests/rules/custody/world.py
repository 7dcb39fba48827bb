"""A small world that custody's steps act on: enough of stories to see where the rules lead."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal, Protocol, TypeVar

from harness.facts.case import Case, IssueText, PullView, Told, Word
from harness.facts.checks import Check as CheckFact
from harness.facts.entries import Disposition, State
from harness.facts.findings import Finding, Severity
from harness.facts.journal import Ending, ExchangeKind
from harness.facts.places import Anchor, Place
from harness.facts.points import Point
from harness.facts.settings import LoopSettings
from harness.facts.steps import (
    Check,
    CheckBase,
    Close,
    Commit,
    FixCheck,
    FixOwn,
    Implement,
    Open,
    Push,
    Rebut,
    Respond,
    Review,
    Same,
    Step,
    Update,
)
from harness.facts.trees import CommitRow
from harness.rules.custody import other

AGENTS = ("ada", "bob")
START = datetime(2026, 1, 1, tzinfo=UTC)
T = TypeVar("T")


class Choose(Protocol):
    """Chance: one of several."""

    def __call__(self, options: tuple[T, ...]) -> T: ...


@dataclass
class World:
    """The truth, as forge, git and store would tell it."""

    choose: Choose
    loop: LoopSettings = field(default_factory=LoopSettings)
    has_check: bool = True
    run: int = 0
    minutes: int = 0
    told: list[Told] = field(default_factory=list)
    points: dict[str, Point] = field(default_factory=dict)
    commits: list[CommitRow] = field(default_factory=list)
    checks: dict[str, CheckFact] = field(default_factory=dict)
    pushed: str = ""
    is_open: bool = False
    person_act: datetime | None = None
    words: list[Word] = field(default_factory=list)
    text: int = 0  # how often the issue was written anew
    objections: tuple[str, ...] = ()
    reviews_at: dict[str, list[str]] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        return START + timedelta(minutes=self.minutes)

    @property
    def head(self) -> str:
        return self.commits[0].sha if self.commits else ""

    @property
    def text_key(self) -> str:
        return f"text:{self.text}"

    def case(self) -> Case:
        self.minutes += 1
        pull = PullView(
            number=7,
            state="open",
            branch="harness/issue-1",
            base="main",
            head=self.pushed,
            draft=False,
            mergeable=True,
            conflicts=False,
            behind=False,
            closed_by_us=False,
        )
        return Case(
            now=self.now,
            run_id=f"run{self.run}",
            item=1,
            item_open=True,
            issue=IssueText(key=self.text_key, title="t", body=str(self.text)),
            agents=AGENTS,
            loop=self.loop,
            branch="harness/issue-1",
            base_ref="main",
            base="base",
            base_tip="base",
            commits=tuple(self.commits),
            moved_by_person=bool(self.commits) and not self.commits[0].agent,
            head=self.head,
            pushed=self.pushed,
            unaccounted="",
            pull=pull if self.is_open else None,
            has_check=self.has_check,
            base_check=self.checks.get("base"),
            head_check=self.checks.get(self.head),
            forge_checks=(),
            forge_checks_red_on_base=(),
            pushed_at=None,
            told=tuple(self.told),
            points=tuple(self.points.values()),
            last_person_act=self.person_act,
            words=tuple(self.words),
            objections=self.objections,
            called=False,
            update_needed=False,
            merge_wanted=False,
            approved="",
            rounds_of_blockers_in_fixes=0,
            item_cap_reached=False,
        )

    # -- what a person or the night does ------------------------------------------------
    def push_by_person(self) -> None:
        self._commit("", "")
        self.pushed = self.head
        self.person_act = self.now

    def speak(self, *, may_write: bool = True) -> None:
        place: Literal["issue", "pull"] = "pull" if self.is_open else "issue"
        key = f"{place}:{len(self.words)}"
        word = Word(key=key, by="eve", at=self.now, may_write=may_write, place=place)
        self.words.append(word)
        if may_write:
            self.person_act = self.now

    def rewrite(self) -> None:
        """Somebody writes the text of the issue anew."""
        self.text += 1

    def next_run(self) -> None:
        self.run += 1

    # -- what a step does ---------------------------------------------------------------
    def take(self, step: Step) -> None:  # noqa: C901 - a line a step
        match step:
            case CheckBase(sha=sha):
                self.checks[sha] = _check(sha, self.choose(("green", "red", "unrunnable")))
            case Check(sha=sha):
                self.checks[sha] = _check(sha, self.choose(("green", "red", "red", "unchanged")))
            case Commit():
                self._take_commit(step)
            case Push(sha=sha):
                self.pushed = sha
            case Open():
                self.is_open = True
            case Implement():
                self._ask(ExchangeKind.IMPLEMENT, step, "")
            case Review() | Close():
                kind = ExchangeKind.REVIEW if isinstance(step, Review) else ExchangeKind.CLOSE
                self._take_review(kind, step)
            case Same():
                self._take_same(step)
            case FixOwn() | Respond():
                kind = ExchangeKind.FIX_OWN if isinstance(step, FixOwn) else ExchangeKind.RESPOND
                self._take_response(kind, step)
            case FixCheck():
                self._take_fix_check(step)
            case Rebut():
                self._take_rebuttal(step)
            case Update():
                raise AssertionError("no update is needed in this world")
            case _:
                raise AssertionError(f"{step} ends a run")

    def _ask(self, kind: ExchangeKind, step: Step, head: str) -> Told | None:
        """Ask anew, or find the answer that is there; None without a valid one."""
        agent, round_, attempt = step.agent, step.round, step.attempt  # type: ignore[union-attr] # asking steps
        same = [
            t
            for t in self.told
            if (t.kind, t.agent, t.round, t.attempt) == (kind, agent, round_, attempt)
        ]
        if same and same[0].result is Ending.REPLIED:
            return same[0]
        self.told = [told for told in self.told if told not in same]
        result = self.choose((Ending.REPLIED,) * 6 + (Ending.INVALID, Ending.TRUNCATED, None))
        edits = kind in {
            ExchangeKind.IMPLEMENT,
            ExchangeKind.RESPOND,
            ExchangeKind.FIX_OWN,
            ExchangeKind.FIX_CHECK,
        }
        told = Told(
            id=f"{kind}-{agent}-{round_}-{attempt}",
            run_id=f"run{self.run}",
            kind=kind,
            agent=agent,
            round=round_,
            attempt=attempt,
            head=head,
            base="base",
            result=result,
            reason="",
            not_before=None if result else self.now + timedelta(minutes=5),
            at=self.now,
            recorded=False,
            edited=bool(result is Ending.REPLIED and edits and self.choose((True, True, False))),
            not_worth_doing=kind is ExchangeKind.IMPLEMENT and self.choose((False, True)),
            fix_myself=self.choose((False, True)),
            heard=(self.text_key, *(word.key for word in self.words)),
        )
        self.told.append(told)
        return told if result is Ending.REPLIED else None

    def _record(self, told: Told, **changes: object) -> None:
        index = self.told.index(told)
        self.told[index] = told.model_copy(update={"recorded": True, **changes})

    def _take_commit(self, step: Commit) -> None:
        told = next(one for one in self.told if one.id == step.exchange_id)
        self.told[self.told.index(told)] = told.model_copy(update={"committed": True})
        self._commit(step.agent, told.id)

    def _commit(self, agent: str, exchange_id: str) -> None:
        sha = f"sha{len(self.commits)}"
        row = CommitRow(
            repo_id=1,
            sha=sha,
            parent=self.head or "base",
            item=1,
            branch="harness/issue-1",
            agent=agent,
            exchange_id=exchange_id,
            at=self.now,
        )
        self.commits.insert(0, row)

    def _take_review(self, kind: ExchangeKind, step: Review | Close) -> None:
        told = self._ask(kind, step, step.sha)
        if told is None:
            return
        self.reviews_at.setdefault(step.sha, []).append(step.agent)
        for point in list(self.points.values()):
            if point.state is State.CLAIMED and point.claimed_by != step.agent:
                self._rule(point)
        for _ in range(self.choose((0, 0, 1, 2))):
            name = f"point{len(self.points)}"
            self.points[name] = _point(name, step.agent, self.choose(tuple(Severity)))
        held = self.choose(((), (), (), ("F9",)))
        self._record(told, held=held, not_reviewed=self.choose(((), (), (), (), ("x.py",))))

    def _rule(self, point: Point) -> None:
        ruling = self.choose(("agrees", "objects", "silent"))
        if ruling == "agrees":
            settled = {
                Disposition.FIXED: State.FIXED,
                Disposition.REFUTED: State.REFUTED,
                Disposition.FILED: State.FILED,
            }
            assert point.claim is not None
            self.points[point.entry_id] = point.model_copy(update={"state": settled[point.claim]})
        elif ruling == "objects":
            self._contest(point)

    def _contest(self, point: Point) -> None:
        """The second time a person is called."""
        state = State.NEEDS_HUMAN if point.stood_count else State.DISPUTED
        self.points[point.entry_id] = point.model_copy(
            update={"state": state, "stood_count": point.stood_count + 1}
        )

    def _take_same(self, step: Same) -> None:
        told = self._ask(ExchangeKind.SAME, step, self.head)
        if told is None:
            return
        self._record(told)
        review = next(one for one in self.told if one.id == step.review_id)
        self._record(review, held=())

    def _take_response(self, kind: ExchangeKind, step: FixOwn | Respond) -> None:
        told = self._ask(kind, step, step.sha)
        if told is None or (told.edited and not told.committed):
            return
        for point in list(self.points.values()):
            if point.state in {State.OPEN, State.DISPUTED}:
                self._claim(point, step.agent, moved=told.committed)
        self._record(told)

    def _claim(self, point: Point, agent: str, *, moved: bool) -> None:
        claims: tuple[Disposition | None, ...] = (Disposition.REFUTED, Disposition.FILED, None)
        claim = self.choose((Disposition.FIXED, *claims) if moved else claims)
        if claim is not None:
            self.points[point.entry_id] = point.model_copy(
                update={
                    "state": State.CLAIMED,
                    "claim": claim,
                    "claimed_by": agent,
                    "head_of_claim": self.head,
                }
            )

    def _take_fix_check(self, step: FixCheck) -> None:
        told = self._ask(ExchangeKind.FIX_CHECK, step, step.sha)
        if told is not None and not (told.edited and not told.committed):
            self._record(told)

    def _take_rebuttal(self, step: Rebut) -> None:
        told = self._ask(ExchangeKind.REBUT, step, step.sha)
        if told is None:
            return
        for point in list(self.points.values()):
            if point.state is State.CLAIMED and point.claimed_by == other(self.case(), step.agent):
                self._rule(point)
        self._record(told)


def _check(sha: str, state: str) -> CheckFact:
    return CheckFact.model_validate(
        {
            "command": "make test",
            "sha": sha,
            "state": state,
            "exit": 0 if state == "green" else 1,
            "seconds": 1.0,
            "failing": (),
            "tail": "",
        }
    )


def _point(name: str, agent: str, severity: Severity) -> Point:
    anchor = Anchor(file="a.py", start_line=1, end_line=1, commit="x", text="x")
    finding = Finding(
        handle="F1",
        raised_by=agent,
        head="x",
        anchor=anchor,
        title=name,
        failure_scenario="x",
        detail="x",
        suggestion="",
        evidence=(),
        citations=(),
        category="correctness",
        severity=severity,
        in_scope=True,
        issue=None,
    )
    return Point(
        entry_id=name,
        title=name,
        place=Place(file="a.py", start_line=1, end_line=1),
        severity=severity,
        in_scope=True,
        state=State.OPEN,
        claim=None,
        raised_by=agent,
        claimed_by="",
        head_of_claim="",
        stood_count=0,
        again_count=0,
        finding=finding,
    )
