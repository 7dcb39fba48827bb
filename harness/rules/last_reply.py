"""Which of several replies is the answer, and what can be read in one that was cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator

from harness.facts.turns import Call, Turn

_SPACE = " \t\r\n"


def pick_complete(replies: tuple[Call, ...]) -> Call:
    """The last complete one, or the last one where none is complete."""
    complete = [call for call in replies if _parses(call.arguments)]
    return (complete or list(replies))[-1]


def take_last(text: str) -> str:
    """Of a text that is nothing but complete JSON objects one after another: the last; else all."""
    start, at = 0, 0
    try:
        while at < len(text):
            start = at
            at = _skip_space(text, _end_of_value(text, at))
    except (ValueError, RecursionError):
        return text
    return text[start:] if start else text


def list_findings(turn: Turn) -> tuple[str, ...]:
    """Titles and places of the findings that stand complete in a cut-off review."""
    sources = [call.arguments for call in turn.calls if call.tool == "reply"] + [turn.text]
    for source in sources:
        found = tuple(_describe(finding) for finding in _complete_items(source, '"findings"'))
        if found:
            return found
    return ()


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _end_of_value(text: str, at: int) -> int:
    at = _skip_space(text, at)
    if not text.startswith("{", at):
        raise ValueError
    return json.JSONDecoder().raw_decode(text, at)[1]


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _complete_items(text: str, key: str) -> Iterator[dict[str, object]]:
    """The complete objects of the list under the first `key` in a JSON text that may break off."""
    at = text.find(key)
    at = text.find("[", at) + 1 if at >= 0 else 0
    while at:
        at = _skip_space(text, at)
        try:
            item, at = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        if isinstance(item, dict):
            yield item
        at = _skip_space(text, at)
        if not text.startswith(",", at):
            return
        at += 1


def _describe(finding: dict[str, object]) -> str:
    where = f"{finding.get('file') or 'in general'}:{finding.get('start_line', 0)}"
    return f"{finding.get('severity', '')} {where} {finding.get('title', '')}".strip()
