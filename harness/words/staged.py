"""A write that a dry run would have made, as one line with its text below."""

from __future__ import annotations

from harness.facts.intents import Intent, Receipt
from harness.facts.looking import StagedWrite
from harness.rules.markers import strip_marker
from harness.rules.outgoing.characters import visible_text
from harness.words.tables import on_line
from harness.words.targets import target_of

_SHOWN = (
    "branch",
    "sha",
    "number",
    "name",
    "logins",
    "context",
    "state",
    "title",
    "method",
    "reason",
)


def staged_line(intent: Intent, receipt: Receipt) -> str:
    """What would be written, where, why, under which staged number."""
    write = intent.write
    told = ", ".join(
        f"{key} {_value(value)}"
        for key in _SHOWN
        if (value := getattr(write, key, "")) not in {"", (), None}
    )
    lines = [f"would {write.kind.replace('_', ' ')}: {told} [staged {receipt.number}]"]
    lines.append(f"    why: {on_line(intent.why)}")
    body = strip_marker(getattr(write, "body", "") or "")
    lines += [f"    | {line}".rstrip() for line in visible_text(body).split("\n")]
    return "\n".join(lines)


def staged_write(repo: str, intent: Intent, receipt: Receipt) -> StagedWrite:
    """The same as a row for programs."""
    return StagedWrite(
        repo=repo,
        item=intent.item,
        kind=intent.write.kind,
        target=target_of(intent.write),
        number=receipt.number,
        why=intent.why,
        body=strip_marker(getattr(intent.write, "body", "") or ""),
    )


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(on_line(str(one)) for one in value)
    text = on_line(str(value))
    is_sha = len(text) == 40 and all(letter in "0123456789abcdef" for letter in text)  # noqa: PLR2004 - SHA-1
    return text[:12] if is_sha else text
