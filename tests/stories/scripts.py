"""Parts of scripts for stories: what the scripted models say about the demo's project.

A chapter given first is told first, so a story says only what is its own:

    told(reviews(1, finding()), responds(1, refute(NEGATIVE)), rebuts(1, agree=True))

stands for the whole work on issue 1; triage, the implementation and reviews that find nothing and
agree with every claim are there by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from harness.rehearsal.models import Act, Question, Tale, edit, on, reply, say
from harness.rehearsal.models.script import Chapter, Line

CLAUDE, GPT = "claude-*", "gpt-*"
CART, ORDER, TESTS = "shop/cart.py", "shop/order.py", "tests/test_cart.py"

NEGATIVE = "A negative quantity makes the total negative"
ROUNDING = "The discount is rounded down, so that the total is a cent too high"

PRICES = "    whole = sum(line.cents for line in lines)"
TIMES = "    whole = sum(line.cents * line.quantity for line in lines)"
RIGHT = "    return (whole * (100 - discount_percent) + 50) // 100"
WRONG = "    return whole - whole * discount_percent // 100"
GUARD = "    if cents < 0 or quantity < 1:"

Json = dict[str, Any]  # Any: JSON of a reply, judged by its schema


def told(*chapters: Chapter) -> Tale:
    """These chapters, and whatever they leave out."""
    return Tale(
        *chapters,
        on("triage *", triages()),
        on("implement *", *implements()),
        on("review *", says_review()),
        on("close *", says_review()),
        on("rebut *", says_rebuttal()),
    )


# -- what a brief shows ---------------------------------------------------------------------------
class Shown(NamedTuple):
    """A point of a brief: its handle, what the brief calls it, its title."""

    handle: str
    what: str
    title: str


_POINT = re.compile(r'id="([FS]\d+)" what="([^"]*)">\ntitle: ([^\n]*)')


def shown(asked: Question) -> list[Shown]:
    """All points of a brief, in order."""
    return [Shown(*one) for one in _POINT.findall(asked.brief)]


def claimed(asked: Question) -> list[Shown]:
    """The points that have to be ruled on."""
    return [one for one in shown(asked) if one.what.startswith("claimed")]


def handle_of(asked: Question, title: str) -> str:
    """The handle under which a point is shown."""
    return next(one.handle for one in shown(asked) if one.title == title)


# -- triage and implementation --------------------------------------------------------------------
def triages(**per_issue: Json) -> Callable[[Question], Act]:
    """Everything is worth doing; `i4={"worth_doing": False}` differs about issue 4."""

    def opine(asked: Question) -> Act:
        numbers = re.findall(r'id="(\d+)" what="issue ', asked.brief)
        return reply(
            {"issues": [_opinion(int(one), per_issue.get(f"i{one}", {})) for one in numbers]}
        )

    return opine


def _opinion(issue: int, differs: Json) -> Json:
    return {
        "issue": issue,
        "reason": "The failing test shows it.",
        "depends_on": [],
        "complexity": "s",
        "risk": "low",
        "tracker": False,
        "worth_doing": True,
    } | differs


def implements(*acts: Act | str, **differs: Any) -> list[Line]:
    """The edits, then the report; by default the mend of issue 1."""
    return [say(*(acts or (edit(CART, PRICES, TIMES),))), reply(implementation(**differs))]


def declines(reason: str = "`total` already does it.") -> list[Line]:
    """The implementer finds nothing worth doing."""
    return [reply(implementation(not_worth_doing=True, reason=reason))]


def implementation(**differs: Any) -> Json:
    """What the implementer reports."""
    return {
        "problem": "`total` added up the price of each line once.",
        "changes": ["`total` in `shop/cart.py` multiplies each price by its quantity."],
        "testing": ["`test_quantities_count`"],
        "notes": "",
        "summary": "A basket now costs its prices times their quantities.",
        "reason": "",
        "not_worth_doing": False,
    } | differs


# -- reviews --------------------------------------------------------------------------------------
def quote(path: str, line: int, text: str) -> Json:
    """Evidence that stands in a file."""
    return {"kind": "quote", "path": path, "line": line, "text": text}


PROOF = quote(ORDER, 16, GUARD)
"""Evidence that stands at every head of these stories."""


def finding(title: str = NEGATIVE, *, line: int = 8, quoted: str = TIMES, **differs: Any) -> Json:
    """A blocking finding in the cart."""
    file = differs.get("file", CART)
    return {
        "file": file,
        "start_line": line,
        "end_line": line,
        "evidence": [quote(file, line, quoted)],
        "failure_scenario": "A line with quantity -1 at 350 makes the total -350.",
        "title": title,
        "detail": "Nothing in `total` looks at the sign of a quantity. It was run.",
        "suggestion": "",
        "citations": [],
        "category": "correctness",
        "in_scope": True,
        "issue": None,
        "severity": "blocking",
    } | differs


def rounding(**differs: Any) -> Json:
    """The finding that is right."""
    return finding(ROUNDING, line=9, quoted=WRONG, **differs)


def says_review(
    *findings: Json,
    objects: Iterable[str] = (),
    proof: Json | None = None,
    action: str = "hand_back",
    **differs: Any,
) -> Callable[[Question], Act]:
    """A review with these findings that agrees with every claim but those it objects to."""

    def review(asked: Question) -> Act:
        rulings = [
            _ruling(one, proof or PROOF, agrees=one.title not in set(objects))
            for one in claimed(asked)
        ]
        blocks = any(one["severity"] == "blocking" and one["in_scope"] for one in findings)
        stands = blocks or not all(one["agrees"] for one in rulings)
        return reply(
            {
                "findings": list(findings),
                "rulings": rulings,
                "not_reviewed": [],
                "summary": "Quantities count.",
                "risk": "low",
                "next_action": action if stands else "merge",
                "verdict": "changes_requested" if stands else "approve",
            }
            | differs
        )

    return review


def reviews(round_: int, *findings: Json, model: str = "*", **how: Any) -> Chapter:
    """The review of a round."""
    return on(f"review * round {round_}", says_review(*findings, **how), model=model)


def _ruling(point: Shown, proof: Json, *, agrees: bool) -> Json:
    return {
        "handle": point.handle,
        "evidence": [proof],
        "reasoning": "It is so." if agrees else f"{point.title}: it still does.",
        "agrees": agrees,
    }


# -- answers --------------------------------------------------------------------------------------
class Answer(NamedTuple):
    """What the author does about a point."""

    title: str
    action: str
    evidence: list[Json]
    reasoning: str


def refute(title: str = NEGATIVE, *evidence: Json) -> Answer:
    """It is wrong; by default with evidence that stands."""
    why = "`make_line` is the only place where lines are made, and it refuses this."
    return Answer(title, "refuted", list(evidence) or [PROOF], why)


def fixed(title: str = ROUNDING) -> Answer:
    """It is done in this tree."""
    return Answer(title, "fixed", [], "It is mended.")


def says_response(*answers: Answer) -> Callable[[Question], Act]:
    """These answers, and "fixed" about every other blocking point."""

    def respond(asked: Question) -> Act:
        known = {one.title: one for one in answers}
        points = [one for one in shown(asked) if one.handle.startswith("F")]
        told = [(one.handle, known.get(one.title, fixed(one.title))) for one in points]
        told += [(handle, fixed()) for handle in re.findall(r'id="(K\d+)"', asked.brief)]
        return reply(
            {
                "dispositions": [_disposition(handle, answer) for handle, answer in told],
                "summary": "The points are answered.",
            }
        )

    return respond


def responds(round_: int, *told: Answer | Act, kind: str = "respond", model: str = "*") -> Chapter:
    """The author's edits (if any) and answers of a round, however often it is asked in it."""
    acts = [one for one in told if isinstance(one, Act)]
    answer = says_response(*(one for one in told if isinstance(one, Answer)))
    lines: list[Line] = [say(*acts), answer] if acts else [answer]
    return on(f"{kind} * round {round_}", *lines, ..., model=model)


def _disposition(handle: str, answer: Answer) -> Json:
    return {
        "handle": handle,
        "evidence": answer.evidence,
        "reasoning": answer.reasoning,
        "new_issue_title": "",
        "new_issue_body": "",
        "action": answer.action,
    }


def says_rebuttal(
    *stands: str, times: int = 9, proof: Json | None = None, bare: bool = False
) -> Callable[[Question], Act]:
    """The raiser stands by these points (so many times) and gives in on all others.

    `bare`: without evidence for any of it.
    """

    def rebut(asked: Question) -> Act:
        again = asked.brief.count("stands by it")
        answers = [
            {
                "handle": one.handle,
                "evidence": [] if bare else [proof or PROOF],
                "reasoning": f"{one.title}: I went there.",
                "stands": one.title in stands and again < times,
            }
            for one in shown(asked)
        ]
        return reply({"answers": answers})

    return rebut


def rebuts(round_: int, *stands: str, **how: Any) -> Chapter:
    """The rebuttal of a round, however often it is asked."""
    return on(f"rebut * round {round_}", says_rebuttal(*stands, **how))


def says_same(*titles: str) -> Callable[[Question], Act]:
    """Findings with these titles are the first point shown beside them, all others are new."""

    def same(asked: Question) -> Act:
        settled = next(one.handle for one in shown(asked) if one.handle.startswith("S"))
        answers = [
            {
                "handle": one.handle,
                "reasoning": "The same lines and the same claim.",
                "same_as": settled if one.title in titles else "",
            }
            for one in shown(asked)
            if one.handle.startswith("F")
        ]
        return reply({"answers": answers})

    return same
