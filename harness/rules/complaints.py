"""The one complaint about a reply, in the words its writer gets."""

from __future__ import annotations

from harness.facts.judgement import Judgement


def word_complaint(judgement: Judgement) -> str:
    """Exactly what is wrong, one line each, and what happens if it stays so."""
    lines = ["Your reply cannot be taken as it is:"]
    lines += [f"- {fault}" for fault in judgement.shape]
    lines += [f"- {fault.point}: {fault.what}" for fault in judgement.claims]
    lines.append(
        "Send the whole reply again, corrected. This is the only time you are asked: a reply of "
        "the wrong shape will be no answer, and a point that does not check will not count."
    )
    return "\n".join(lines)
