from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from harness.facts.exchanges import REPLY_TYPES
from harness.facts.replies import ReviewReply
from harness.rooms import data_room, read_schemas
from harness.rules.schemas import reply_schema, schema_text
from harness.rules.strictness import name_faults, request_faults, schema_faults

NAMES = sorted(REPLY_TYPES)
Json = dict[str, Any]


def shapes_of(node: Any) -> list[Json]:
    """Every object schema below a node, with its properties."""
    if isinstance(node, list):
        return [shape for child in node for shape in shapes_of(child)]
    if not isinstance(node, dict):
        return []
    below = [shape for child in node.values() for shape in shapes_of(child)]
    return [node, *below] if "properties" in node else below


def enums_of(schema: Json) -> dict[tuple[str, str], list[str]]:
    return {
        (shape["description"], name): field["enum"]
        for shape in shapes_of(schema)
        for name, field in shape["properties"].items()
        if "enum" in field
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_schema_is_current(name: str) -> None:
    committed = read_schemas()[name]

    assert committed == schema_text(name), "run `harness schemas --write`"


def test_there_is_no_schema_without_a_reply() -> None:
    stored = {path.name for path in Path(data_room("schemas")).iterdir()}

    assert stored == {"README.md", *(f"{name}.json" for name in NAMES)}


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_is_strict_for_both_vendors(name: str) -> None:
    schema = json.loads(schema_text(name))

    assert schema_faults(schema) == ()
    assert request_faults([schema]) == ()
    assert name_faults(name) == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_keys_of_the_schema_come_in_the_order_of_the_reply(name: str) -> None:
    schema = json.loads(schema_text(name))

    assert list(schema["properties"]) == list(REPLY_TYPES[name].model_fields)
    for shape in shapes_of(schema):
        assert shape["required"] == list(shape["properties"])


@pytest.mark.parametrize("name", NAMES)
def test_every_shape_and_every_field_is_described(name: str) -> None:
    for shape in shapes_of(json.loads(schema_text(name))):
        assert shape["description"]
        assert all(field["description"] for field in shape["properties"].values())


def test_the_only_union_is_an_issue_that_may_be_absent() -> None:
    unions = [
        field
        for name in NAMES
        for shape in shapes_of(json.loads(schema_text(name)))
        for field, node in shape["properties"].items()
        if "anyOf" in node
    ]

    assert unions == ["issue"]


def test_the_schema_travels_with_its_name_and_its_own_sentence() -> None:
    sent = reply_schema("review", schema_text("review"))

    assert (sent.name, sent.description) == ("review", "A review of the change.")
    assert sent.schema_text == schema_text("review")


MINIMAL: dict[str, Json] = {
    "review": {
        "findings": [],
        "rulings": [],
        "not_reviewed": [],
        "summary": "",
        "risk": "low",
        "next_action": "merge",
        "verdict": "approve",
    },
}


def test_what_an_enum_offers_is_what_is_parsed() -> None:
    offered = json.loads(schema_text("review"))["properties"]["risk"]["enum"]

    for value in offered:
        ReviewReply.model_validate({**MINIMAL["review"], "risk": value}, strict=False)
    with pytest.raises(ValidationError):
        ReviewReply.model_validate({**MINIMAL["review"], "risk": "High"}, strict=False)


@pytest.mark.parametrize("name", NAMES)
def test_the_enums_of_the_schema_are_the_literals_of_the_types(name: str) -> None:
    generated = REPLY_TYPES[name].model_json_schema()

    assert enums_of(json.loads(schema_text(name))) == enums_of(generated)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_openais_own_helper_changes_no_schema(name: str) -> None:
    from openai.lib._pydantic import to_strict_json_schema

    ours = json.loads(schema_text(name))

    theirs = to_strict_json_schema(REPLY_TYPES[name])

    assert without_titles(theirs) == ours


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_anthropics_own_helper_drops_only_the_type_beside_an_enum(name: str) -> None:
    from anthropic import transform_schema

    ours = json.loads(schema_text(name))

    theirs = transform_schema(deepcopy(ours))

    assert theirs == without_type_beside_enum(ours)


def without_titles(node: Any) -> Any:
    if isinstance(node, list):
        return [without_titles(child) for child in node]
    if not isinstance(node, dict):
        return node
    return {
        key: without_titles(child)
        for key, child in node.items()
        if key != "title" or not isinstance(child, str)
    }


def without_type_beside_enum(node: Any) -> Any:
    if isinstance(node, list):
        return [without_type_beside_enum(child) for child in node]
    if not isinstance(node, dict):
        return node
    return {
        key: without_type_beside_enum(child)
        for key, child in node.items()
        if not (key == "type" and "enum" in node)
    }
