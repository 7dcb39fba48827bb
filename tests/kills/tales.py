"""The demo's story for days with kills, whole and cut down to what makes one row of every kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from shlex import quote

from harness.rehearsal.demo import script
from harness.rehearsal.models import Question, Said, Script, Tale, on, reply, shell
from harness.rehearsal.models.faults import Fault
from harness.rehearsal.models.script import Act, Line

INTERRUPTED = "interrupted: may have happened in part"

PATIENT = """
[limits]
dollars_exchange = 1000
dollars_item = 1000
dollars_repo_day = 1000
dollars_day = 1000
"""
"""A request that was under way in a kill is spent whole, however often: none may be the last."""


@dataclass(frozen=True)
class Careful:
    """Tells a script, and says a turn again whose results say that one of its calls broke off.

    An edit that would be made twice then looks whether it was made.
    """

    script: Script

    def __call__(self, question: Question) -> Said | Fault:
        """The next line, or the last one again."""
        broken = sum(INTERRUPTED in heard for heard in question.heard)
        said = self.script(replace(question, turn=question.turn - broken))
        if isinstance(said, Said) and INTERRUPTED in question.last and question.heard:
            return replace(said, acts=tuple(map(_once, said.acts)))
        return said


def _once(act: Act) -> Act:
    """The same edit, made only where it was not made before."""
    if act.kind != "edit" or act.arguments["old"] not in act.arguments["new"]:
        return act
    return shell(f"python3 -c {quote(EDIT)} {' '.join(map(quote, act.arguments.values()))}")


EDIT = """\
import pathlib, sys
path, old, new = pathlib.Path(sys.argv[1]), *sys.argv[2:]
text = path.read_text()
if new not in text:
    path.write_text(text.replace(old, new))
"""


def tell_whole() -> Script:
    """The demo."""
    return Careful(script.tell_demo())


def tell_short(*first: Line) -> Script:
    """The demo without looking around: each exchange its edits, if any, and its reply.

    `first` is what the implementer does before it edits.
    """
    implement, respond = script._implement(), script._respond()
    return Careful(
        Tale(
            on("triage *", reply(script._triage(True)), model=script.CLAUDE),
            on("triage *", reply(script._triage(False)), model=script.GPT),
            on("implement *#1 *", *first, implement[1], implement[-1], model=script.CLAUDE),
            on("review *#1 round 1", script._first_review()[-1], model=script.GPT),
            on("respond *#1 round 1", respond[1], respond[-1], model=script.CLAUDE),
            on("review *#1 round 2", script._second_review()[-1], model=script.GPT),
        )
    )
