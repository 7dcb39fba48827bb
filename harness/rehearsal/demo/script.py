"""What the two scripted models say in the demo: nothing here was written by a model."""

from __future__ import annotations

import re
from typing import Any

from harness.rehearsal.models import Question, Said, Tale, edit, on, reply, say, shell, view

CLAUDE, GPT = "claude-*", "gpt-*"

ROUNDING = "The discount is rounded down, so that the total is a cent too high"
NEGATIVE = "A negative quantity makes the total negative"
UNTESTED = "No test gives a discount"

_WRONG = "    return whole - whole * discount_percent // 100"
_RIGHT = "    return (whole * (100 - discount_percent) + 50) // 100"
_GUARD = "    if cents < 0 or quantity < 1:"
_TESTS = '        self.assertEqual(total([make_line("tea", 350, 3)]), 1050)'
_MORE_TESTS = """\
        self.assertEqual(total([make_line("tea", 350, 3)]), 1050)

    def test_a_discount_rounds_half_up(self) -> None:
        self.assertEqual(total([make_line("tea", 333, 1)], 15), 283)
        self.assertEqual(total([make_line("tea", 335, 1)], 10), 302)"""

Json = dict[str, Any]  # Any: JSON of a reply, judged by its schema


def tell_demo() -> Tale:
    """The whole story; a question it does not know is refused by the double."""
    return Tale(
        on("triage *", say(shell("ls", "cat shop/cart.py")), reply(_triage(True)), model=CLAUDE),
        on("triage *", say(shell("cat shop/cart.py")), reply(_triage(False)), model=GPT),
        on("implement *#1 *", *_implement(), model=CLAUDE),
        on("review *#1 round 1", *_first_review(), model=GPT),
        on("respond *#1 round 1", *_respond(), model=CLAUDE),
        on("review *#1 round 2", *_second_review(), model=GPT),
    )


# -- triage -------------------------------------------------------------------------------------
def _triage(wants_currencies: bool) -> Json:
    """Both do the bug and the stranger's flag, both skip the rewrite, they differ on currencies."""
    return {
        "issues": [
            _opinion(1, "The failing test shows it; one line adds prices without quantities.", "s"),
            _opinion(
                2,
                "A rewrite in another language gives no user anything that is missing today, and "
                "every caller would have to follow.",
                "l",
                worth_doing=False,
            ),
            _opinion(
                3,
                "Shops outside the home country need it."
                if wants_currencies
                else "Nobody has said which currencies, or who rounds between them.",
                "m",
                worth_doing=wants_currencies,
            ),
            _opinion(4, "Small and useful: scripts want to read the total.", "s"),
        ]
    }


def _opinion(issue: int, reason: str, complexity: str, *, worth_doing: bool = True) -> Json:
    return {
        "issue": issue,
        "reason": reason,
        "depends_on": [],
        "complexity": complexity,
        "risk": "low",
        "tracker": False,
        "worth_doing": worth_doing,
    }


# -- issue 1 ------------------------------------------------------------------------------------
def _implement() -> list[Said]:
    return [
        say(shell("python3 -m unittest -q 2>&1 | tail -12"), view("shop/cart.py")),
        say(
            edit(
                "shop/cart.py",
                "    whole = sum(line.cents for line in lines)",
                "    whole = sum(line.cents * line.quantity for line in lines)",
            ),
            edit("shop/cart.py", _RIGHT, _WRONG),
        ),
        say(shell("python3 -m unittest -q")),
        say(
            reply(
                {
                    "problem": "`total` added up the price of each line once, however many pieces "
                    "it was for, so that three teas cost as much as one.",
                    "changes": ["`total` in `shop/cart.py` multiplies each price by its quantity."],
                    "testing": ["`python3 -m unittest -q`; `test_quantities_count` failed before."],
                    "notes": "",
                    "summary": "A basket now costs its prices times their quantities.",
                    "reason": "",
                    "not_worth_doing": False,
                }
            )
        ),
    ]


def _first_review() -> list[Said]:
    return [
        say(shell("git diff HEAD~1 -- shop", "python3 -m unittest -q")),
        say(
            shell(
                'python3 -c "from shop.cart import total; from shop.order import make_line; '
                "print(total([make_line('tea', 333, 1)], 15))\""
            )
        ),
        say(
            reply(
                {
                    "findings": [
                        _finding(
                            9,
                            _WRONG,
                            ROUNDING,
                            "total([make_line('tea', 333, 1)], 15) is 283.05 and must be 283; "
                            "it returns 284.",
                            "`whole * discount_percent // 100` rounds the discount down, which "
                            "rounds the total up. AGENTS.md asks for half up. It was run: 284.",
                        ),
                        _finding(
                            8,
                            "    whole = sum(line.cents * line.quantity for line in lines)",
                            NEGATIVE,
                            "A line with quantity -1 at 350 makes the total -350.",
                            "Nothing in `total` looks at the sign of a quantity, which the change "
                            "now multiplies by.",
                        ),
                        _finding(
                            14,
                            _TESTS,
                            UNTESTED,
                            "",
                            "No test calls `total` with a discount, so that rounding is unproven.",
                            file="tests/test_cart.py",
                            category="tests",
                            severity="non-blocking",
                        ),
                    ],
                    "rulings": [],
                    "not_reviewed": [],
                    "summary": "Quantities count now, but the discount is rounded the wrong way.",
                    "risk": "medium",
                    "next_action": "hand_back",
                    "verdict": "changes_requested",
                }
            )
        ),
    ]


def _respond() -> list[Any]:
    return [
        say(view("shop/cart.py"), shell("cat shop/order.py")),
        say(
            edit("shop/cart.py", _WRONG, _RIGHT),
            edit("tests/test_cart.py", _TESTS, _MORE_TESTS),
        ),
        say(shell("python3 -m unittest -q")),
        lambda asked: reply(_dispositions(asked)),
    ]


def _dispositions(asked: Question) -> Json:
    answers = [
        _disposition(
            _handle(asked, ROUNDING),
            [_quote("shop/cart.py", 9, _RIGHT)],
            "The discounted total is rounded half up again, in whole cents, and a test holds it.",
            "fixed",
        ),
        _disposition(
            _handle(asked, NEGATIVE),
            [_quote("shop/order.py", 16, _GUARD)],
            "No such line exists: `make_line` is the only place where lines are made, and it "
            "refuses quantities below one. AGENTS.md says quantities are checked there, not here.",
            "refuted",
        ),
    ]
    beside = _handle(asked, UNTESTED)
    if beside:
        answers.append(
            _disposition(
                beside,
                [_quote("tests/test_cart.py", 17, '[make_line("tea", 333, 1)], 15), 283)')],
                "Two discounts are tested now.",
                "fixed",
            )
        )
    return {
        "dispositions": answers,
        "summary": "The discounted total is rounded half up, and tested.",
    }


def _second_review() -> list[Any]:
    return [
        say(shell("python3 -m unittest -q", "cat shop/order.py"), view("shop/cart.py")),
        lambda asked: reply(
            {
                "findings": [],
                "rulings": [
                    {
                        "handle": _handle(asked, ROUNDING),
                        "evidence": [_quote("shop/cart.py", 9, _RIGHT)],
                        "reasoning": "333 at 15 % is 283 now, and a test holds it.",
                        "agrees": True,
                    },
                    {
                        "handle": _handle(asked, NEGATIVE),
                        "evidence": [_quote("shop/order.py", 16, _GUARD)],
                        "reasoning": "`make_line` refuses it, and lines are made nowhere else.",
                        "agrees": True,
                    },
                ],
                "not_reviewed": [],
                "summary": "Quantities count, totals are rounded half up, both are tested.",
                "risk": "low",
                "next_action": "merge",
                "verdict": "approve",
            }
        ),
    ]


# -- parts of replies ---------------------------------------------------------------------------
def _finding(
    line: int,
    quoted: str,
    title: str,
    scenario: str,
    detail: str,
    *,
    file: str = "shop/cart.py",
    category: str = "correctness",
    severity: str = "blocking",
) -> Json:
    return {
        "file": file,
        "start_line": line,
        "end_line": line,
        "evidence": [_quote(file, line, quoted)],
        "failure_scenario": scenario,
        "title": title,
        "detail": detail,
        "suggestion": "",
        "citations": [],
        "category": category,
        "in_scope": True,
        "issue": None,
        "severity": severity,
    }


def _disposition(handle: str, evidence: list[Json], reasoning: str, action: str) -> Json:
    return {
        "handle": handle,
        "evidence": evidence,
        "reasoning": reasoning,
        "new_issue_title": "",
        "new_issue_body": "",
        "action": action,
    }


def _quote(path: str, line: int, text: str) -> Json:
    return {"kind": "quote", "path": path, "line": line, "text": text}


def _handle(asked: Question, title: str) -> str:
    """The handle under which a point is shown in this brief, "" where it is not."""
    shown = rf'id="([FS]\d+)"[^\n]*\n(?:(?!<data-).)*?title: {re.escape(title)}'
    found = re.search(shown, asked.brief, re.DOTALL)
    return found[1] if found else ""
