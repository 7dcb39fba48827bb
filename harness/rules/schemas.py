"""The JSON schema of each reply: generated from the models, the same text every time.

A schema is sent as it is, to both vendors: closed objects, everything required, Literal enums,
descriptions kept, a union only where an object may be absent. `rules/strictness.py` knows the
vendors' documented limits.
"""

from __future__ import annotations

import json
from typing import Any

from harness.facts.exchanges import REPLY_TYPES
from harness.facts.turns import ReplySchema
from harness.rules.strictness import schema_faults

__all__ = ["reply_schema", "schema_faults", "schema_text"]

_ORDER = ("type", "description", "enum", "items", "anyOf", "properties", "required")


def schema_text(name: str) -> str:
    """The schema of a reply as its file in schemas/ holds it; KeyError for an unknown name."""
    schema = REPLY_TYPES[name].model_json_schema()
    return json.dumps(_tidy(schema), indent=2, ensure_ascii=False) + "\n"


def reply_schema(name: str, text: str) -> ReplySchema:
    """The committed schema `text` as an exchange sends it."""
    description: str = json.loads(text)["description"]
    return ReplySchema(name=name, description=description, schema_text=text)


def _tidy(node: Any) -> Any:
    """Titles dropped (they repeat the names), keywords in one order, definitions last."""
    if isinstance(node, list):
        return [_tidy(child) for child in node]
    if not isinstance(node, dict):
        return node
    ranks = {keyword: rank for rank, keyword in enumerate((*_ORDER, "additionalProperties"))}
    keywords = sorted(
        (keyword for keyword in node if keyword != "title"),
        key=lambda keyword: ranks.get(keyword, len(ranks)),
    )
    return {
        keyword: (
            {name: _tidy(child) for name, child in node[keyword].items()}
            if keyword in {"properties", "$defs"}
            else _tidy(node[keyword])
        )
        for keyword in keywords
    }
