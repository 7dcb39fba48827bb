"""What an LLM said without our own secrets, before it is stored, judged or acted on.

None is shown to it, so that one it says was found some other way. A call that holds one is not run:
with the mask in it, it would do something else. Everything else stays byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from harness.facts.turns import Call, Turn

Json = Any  # as parsed: what a vendor or an LLM wrote


def hush(turn: Turn, mask: Callable[[str], str]) -> Turn:
    """The turn with every secret of ours masked; the same object where it holds none."""
    said = turn.model_copy(
        update={
            "content": _in_json(turn.content, mask),
            "text": mask(turn.text),
            "calls": tuple(_hush_call(call, mask) for call in turn.calls),
        }
    )
    return turn if said == turn else said


def _hush_call(call: Call, mask: Callable[[str], str]) -> Call:
    """A masked reply is judged as it is; any other call is withheld."""
    arguments = _in_json(call.arguments, mask)
    if arguments == call.arguments:
        return call
    kept = {} if call.tool == "reply" else {"tool": "withheld"}
    return call.model_copy(update={"arguments": arguments, **kept})


def _in_json(text: str, mask: Callable[[str], str]) -> str:
    """Masked as it is read, however it is escaped; what cannot be read, as it stands."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return mask(text)
    masked = _walk(said, mask)
    if masked == said:
        return text
    return json.dumps(masked, ensure_ascii=False, separators=(",", ":"))


def _walk(said: Json, mask: Callable[[str], str]) -> Json:
    match said:
        case str():
            return mask(said)
        case list():
            return [_walk(one, mask) for one in said]
        case dict():
            return {mask(key): _walk(one, mask) for key, one in said.items()}
        case _:
            return said
