"""What two opinions on an issue come to, and when they are asked for again.

first      second     verdict
do         do         scheduled   complexity and risk of the graver, depends_on of both
skip       skip       declined    both reasons are posted
do         skip       contested   parked for a person
any        silent     unjudged    asked again; after `max_tries` a person is called
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from harness.facts.decisions import Complexity, Decision, Opinion, Risk
from harness.facts.forge import Comment, Issue
from harness.facts.settings import TriageSettings

COMPLEXITIES: tuple[Complexity, ...] = ("s", "m", "l")
RISKS: tuple[Risk, ...] = ("low", "medium", "high")
Verdict = Literal["scheduled", "declined", "contested", "unjudged"]


def text_hash(issue: Issue) -> str:
    """What an approval is pinned to: title and body, however line ends and blanks are kept."""
    return _hash([_folded(issue.title), _folded(issue.body)])


def made_on(issue: Issue, comments: Sequence[Comment]) -> str:
    """What a decision was made on: the issue and its thread.

    `comments` are other people's only; with our own among them every comment of ours would ask
    for a new decision. Labels, assignees and times do not count.
    """
    thread = [[comment.author.id, _folded(comment.body)] for comment in comments]
    return _hash([_folded(issue.title), _folded(issue.body), thread])


def needs_decision(
    decision: Decision | None,
    on: str,
    now: datetime,
    settings: TriageSettings,
    *,
    asked: bool,
    given_up: bool = False,
) -> str:
    """Why the agents are to be asked; "" while the decision stands. `on` is from `made_on`.

    `given_up`: so many tries came to no valid answer that it is not asked again by itself.
    """
    if decision is None:
        return "it was never triaged"
    if asked:
        return "a person asked"
    if decision.verdict == "unjudged" and not given_up:
        return "an agent gave no valid answer"
    if decision.made_on != on:
        return "it has changed"
    old = now - decision.at >= timedelta(days=settings.retriage_after_days)
    return f"it was decided {settings.retriage_after_days} days ago or more" if old else ""


def reconcile(
    first: Opinion | None,
    second: Opinion | None,
    *,
    repo_id: int,
    issue: int,
    on: str,
    at: datetime,
) -> Decision:
    """The decision that two independent opinions come to; None is no valid answer."""
    given = tuple(opinion for opinion in (first, second) if opinion is not None)
    depends_on = {number for opinion in given for number in opinion.depends_on} - {issue}
    return Decision(
        repo_id=repo_id,
        issue=issue,
        verdict=_verdict(first, second),
        opinions=given,
        complexity=max((o.complexity for o in given), key=COMPLEXITIES.index, default="l"),
        risk=max((o.risk for o in given), key=RISKS.index, default="high"),
        depends_on=tuple(sorted(depends_on)),
        made_on=on,
        at=at,
    )


def standing_opinion(decision: Decision | None, on: str, agent: str) -> Opinion | None:
    """What an agent said of this very text while the other one was silent."""
    if decision is None or decision.verdict != "unjudged" or decision.made_on != on:
        return None
    return next((one for one in decision.opinions if one.agent == agent), None)


def to_ask(decision: Decision | None, on: str, agents: Sequence[str]) -> frozenset[str]:
    """The agents whose opinion on this text is missing."""
    return frozenset(one for one in agents if standing_opinion(decision, on, one) is None)


def decline_reasons(decision: Decision) -> tuple[tuple[str, str], ...]:
    """(agent, reason) to be posted; one when they say the same, or one says all of the other."""
    said = [(o.agent, o.reason.strip()) for o in decision.opinions if o.reason.strip()]
    words = [_words(reason) for _, reason in said]
    return tuple(
        pair
        for index, pair in enumerate(said)
        if not any(
            _says(words[other], words[index]) and (words[other] != words[index] or other < index)
            for other in range(len(said))
            if other != index
        )
    )


def may_close(decision: Decision, settings: TriageSettings) -> bool:
    """Whether a declined issue is closed: only when asked for, and never a tracker."""
    tracker = any(opinion.tracker for opinion in decision.opinions)
    return settings.close_declined and decision.verdict == "declined" and not tracker


def _verdict(first: Opinion | None, second: Opinion | None) -> Verdict:
    if first is None or second is None:
        return "unjudged"
    match (_does(first), _does(second)):
        case (True, True):
            return "scheduled"
        case (False, False):
            return "declined"
        case _:
            return "contested"


def _does(opinion: Opinion) -> bool:
    """Nothing is opened for a tracker, whatever else is said of it."""
    return opinion.worth_doing and not opinion.tracker


def _says(one: str, other: str) -> bool:
    """Whether `one` holds all that `other` says, word for word."""
    return f" {other} " in f" {one} "


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _folded(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _hash(parts: list[object]) -> str:
    told = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()
