"""Whether a text is a reply at all: strict JSON, the reply's type, each handle answered as asked.

Any fault here ends the reply: one repair turn with these exact sentences, then no valid answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from harness.facts.exchanges import REPLY_TYPES
from harness.facts.journal import Brief
from harness.facts.judgement import ShapeFaults
from harness.facts.replies import (
    AdjudicationReply,
    AnyReply,
    CheckinCheckReply,
    CheckinFixReply,
    CheckinReply,
    ImplementationReply,
    RebuttalReply,
    ResponseReply,
    ReviewReply,
    SameReply,
    ScreenReply,
    TriageReply,
)
from harness.facts.turns import Tools
from harness.rules.strict_json import StrictJsonError, last_json, load_object

_SHOWN_FAULTS = 12


def read_reply(brief: Brief, text: str) -> AnyReply | ShapeFaults:
    """The reply, or everything that is wrong with its shape.

    Where no tools are offered the reply is text, and of several complete ones the last counts.
    """
    if brief.tools is Tools.NOTHING:
        text = last_json(text)
    try:
        load_object(text)
        reply: AnyReply = REPLY_TYPES[brief.reply_name].model_validate_json(text)
    except StrictJsonError as error:
        return ShapeFaults(complaints=(str(error),))
    except ValidationError as error:
        return ShapeFaults(complaints=_type_complaints(error))
    complaints = (*_handle_complaints(brief, reply), *_reference_complaints(brief, reply))
    return ShapeFaults(complaints=_few(complaints)) if complaints else reply


def answered_handles(reply: AnyReply) -> tuple[str, ...]:
    """The handles that a reply answers, in its order; for triage the issue numbers."""
    match reply:
        case TriageReply():
            return tuple(str(opinion.issue) for opinion in reply.issues)
        case ImplementationReply():
            return ()
        case ReviewReply():
            return tuple(ruling.handle for ruling in reply.rulings)
        case ResponseReply():
            return tuple(one.handle for one in reply.dispositions)
        case AdjudicationReply() | CheckinReply():
            return tuple(verdict.handle for verdict in reply.verdicts)
        case RebuttalReply() | SameReply():
            return tuple(answer.handle for answer in reply.answers)
        case ScreenReply():
            return tuple(entry.handle for entry in reply.entries)
        case CheckinCheckReply():
            return tuple(check.handle for check in reply.checks)
        case CheckinFixReply():
            return tuple(done.handle for done in reply.done)


def _handle_complaints(brief: Brief, reply: AnyReply) -> list[str]:
    counts = Counter(answered_handles(reply))
    known = {*brief.required_handles, *brief.optional_handles}
    return [
        *(f"{handle} was not answered." for handle in brief.required_handles if not counts[handle]),
        *(f"{handle} was answered {n} times." for handle, n in counts.items() if n > 1),
        *(f"{_brief(handle)} was not asked." for handle in counts if handle not in known),
    ]


def _reference_complaints(brief: Brief, reply: AnyReply) -> list[str]:
    """Handles and numbers that are named beside the one that is answered."""
    match reply:
        case TriageReply():
            return _dependency_complaints(brief, reply)
        case SameReply():
            points = {h for h, _ in brief.handles.handles} - set(brief.required_handles)
            return _unknown(((a.handle, a.same_as) for a in reply.answers), "same_as", points)
        case ScreenReply():
            return _unknown(
                ((entry.handle, entry.duplicate_of_handle) for entry in reply.entries),
                "duplicate_of_handle",
                brief.required_handles,
            )
        case _:
            return []


def _dependency_complaints(brief: Brief, reply: TriageReply) -> list[str]:
    known = set(brief.required_handles)
    return [
        f"Issue {opinion.issue} depends on {number}, which is "
        f"{'itself' if number == opinion.issue else 'not in this list'}."
        for opinion in reply.issues
        for number in dict.fromkeys(opinion.depends_on)
        if str(number) not in known or number == opinion.issue
    ]


def _unknown(pairs: Iterable[tuple[str, str]], field: str, known: Iterable[str]) -> list[str]:
    allowed = set(known)
    return [
        f"{field} of {handle} names {_brief(named)}, not one of {_listed(allowed - {handle})}."
        for handle, named in pairs
        if named and (named not in allowed or named == handle)
    ]


def _type_complaints(error: ValidationError) -> tuple[str, ...]:
    return _few([_type_complaint(details) for details in error.errors(include_url=False)])


def _type_complaint(details: ErrorDetails) -> str:
    place = ".".join(str(step) for step in details["loc"]) or "The reply"
    match details["type"]:
        case "missing":
            return f"{place} is missing."
        case "extra_forbidden":
            return f"{place} is not a field."
        case "literal_error":
            given = _brief(repr(details["input"]))
            return f"{place} is {given}; it must be {details['ctx']['expected']}."
        case _:
            return f"{place}: {details['msg'][:1].lower()}{details['msg'][1:]}."


def _few(complaints: Sequence[str]) -> tuple[str, ...]:
    if len(complaints) <= _SHOWN_FAULTS:
        return tuple(complaints)
    left = len(complaints) - _SHOWN_FAULTS
    return (*complaints[:_SHOWN_FAULTS], f"And {left} more of the kind.")


def _brief(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}..."  # noqa: PLR2004 - a glance


def _listed(handles: Iterable[str]) -> str:
    ordered = sorted(handles, key=lambda handle: (len(handle), handle))
    return ", ".join(ordered) or '"" (there is none)'
