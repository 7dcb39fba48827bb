from __future__ import annotations

from typing import Any

import pytest

from harness.rules.strictness import name_faults, request_faults, schema_faults

Json = dict[str, Any]


def closed(properties: Json, **more: Any) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **more,
    }


def nested(levels: int) -> Json:
    node: Json = {"type": "string"}
    for _ in range(levels):
        node = closed({"a": node})
    return node


def refers(name: str = "Leaf") -> Json:
    return {"$ref": f"#/$defs/{name}"}


def text(**more: Any) -> Json:
    return {"type": "string", **more}


LEAF = closed({"a": text()})
NULLABLE = {"anyOf": [text(), {"type": "null"}]}


def test_a_plain_closed_object_passes() -> None:
    schema = closed(
        {
            "a": text(description="words", enum=["x", "y"]),
            "b": {"type": "array", "items": refers(), "minItems": 1},
            "c": {"anyOf": [refers(), {"type": "null"}], "description": "or none"},
            "d": text(format="date-time", pattern="^a+$"),
        },
        **{"$defs": {"Leaf": LEAF}},
    )

    assert schema_faults(schema) == ()


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        pytest.param({"anyOf": [LEAF]}, "the root must be an object", id="root is a union"),
        pytest.param({"type": "array", "items": LEAF}, "the root must be", id="root is a list"),
        pytest.param(
            {"$ref": "#/$defs/Leaf", "$defs": {"Leaf": LEAF}},
            "the root must be",
            id="root is a ref",
        ),
        pytest.param({**LEAF, "required": []}, "a must be required", id="an optional property"),
        pytest.param(
            {**LEAF, "required": ["a", "z"]}, "z is required and no property", id="unknown required"
        ),
        pytest.param(
            {k: v for k, v in LEAF.items() if k != "additionalProperties"},
            "additionalProperties must be false",
            id="an open object",
        ),
        pytest.param(
            closed({"a": {"type": "object", "additionalProperties": {"type": "integer"}}}),
            "#/properties/a: additionalProperties must be false",
            id="a dict",
        ),
        pytest.param(
            closed({"a": closed({})}), "can only be {}", id="a dict after anthropic's helper"
        ),
        pytest.param(closed({"a": {}}), "says nothing about its type", id="any"),
        pytest.param(closed({"a": text(default="")}), "default is not supported", id="default"),
        pytest.param(closed({"a": {"oneOf": [text()]}}), "oneOf is not supported", id="oneOf"),
        pytest.param(closed({"a": {"allOf": [LEAF]}}), "allOf is not supported", id="allOf"),
        pytest.param(closed({"a": text(**{"not": LEAF})}), "not is not supported", id="not"),
        pytest.param({**LEAF, "if": LEAF, "then": LEAF}, "if is not supported", id="if"),
        pytest.param({**LEAF, "else": LEAF}, "else is not supported", id="else"),
        pytest.param(
            {**LEAF, "dependentRequired": {}}, "dependentRequired is not", id="dependentRequired"
        ),
        pytest.param(
            {**LEAF, "dependentSchemas": {}}, "dependentSchemas is not", id="dependentSchemas"
        ),
        pytest.param(
            {**LEAF, "patternProperties": {}}, "patternProperties is not", id="patternProperties"
        ),
        pytest.param(closed({"a": text(minLength=1)}), "minLength is not", id="minLength"),
        pytest.param(closed({"a": text(maxLength=9)}), "maxLength is not", id="maxLength"),
        pytest.param(
            closed({"a": {"type": "integer", "minimum": 0}}), "minimum is not", id="minimum"
        ),
        pytest.param(
            closed({"a": {"type": "integer", "maximum": 9}}), "maximum is not", id="maximum"
        ),
        pytest.param(
            closed({"a": {"type": "integer", "exclusiveMinimum": 0}}),
            "exclusiveMinimum is not",
            id="exclusiveMinimum",
        ),
        pytest.param(
            closed({"a": {"type": "integer", "multipleOf": 2}}),
            "multipleOf is not",
            id="multipleOf",
        ),
        pytest.param(
            closed({"a": {"type": "array", "items": text(), "maxItems": 3}}),
            "maxItems is not",
            id="maxItems",
        ),
        pytest.param(
            closed({"a": {"type": "array", "items": text(), "uniqueItems": True}}),
            "uniqueItems is not",
            id="uniqueItems",
        ),
        pytest.param(
            closed({"a": {"type": "array", "items": text(), "minItems": 2}}),
            "minItems other than 0 or 1",
            id="minItems 2",
        ),
        pytest.param(
            closed({"a": {"type": "array", "prefixItems": [text()]}}),
            "prefixItems is not",
            id="a fixed tuple",
        ),
        pytest.param(
            closed({"a": {"type": "array"}}), "must say its items", id="a list of anything"
        ),
        pytest.param(closed({"a": {"type": "text"}}), "type 'text' is unknown", id="unknown type"),
        pytest.param(closed({"a": text(format="path")}), "format 'path'", id="unknown format"),
        pytest.param(closed({"a": text(pattern="(?=x)")}), "lookaround", id="lookahead"),
        pytest.param(closed({"a": text(pattern="(?<!x)y")}), "lookaround", id="lookbehind"),
        pytest.param(closed({"a": text(pattern=r"\bword")}), "word boundary", id="word boundary"),
        pytest.param(closed({"a": text(pattern=r"(a)\1")}), "back-reference", id="back-reference"),
        pytest.param(
            closed({"a": {"enum": [["x"]]}}), "is not a string, number", id="a list in an enum"
        ),
        pytest.param(closed({"a": {"const": {"x": 1}}}), "is not a string, number", id="const {}"),
        pytest.param(closed({"a": {"enum": []}}), "an empty enum", id="empty enum"),
        pytest.param(
            closed({"a": {"enum": ["High", "high"]}}), "differ in case only", id="case of enums"
        ),
        pytest.param(
            closed({"a": {**refers(), "description": "lost"}}, **{"$defs": {"Leaf": LEAF}}),
            "$ref with other keywords",
            id="siblings of a ref",
        ),
        pytest.param(
            closed({"a": {"$ref": "https://example.org/x.json"}}),
            "does not lead to $defs",
            id="external ref",
        ),
        pytest.param(closed({"a": refers("Gone")}), "leads nowhere", id="dangling ref"),
        pytest.param(
            closed({"a": refers()}, **{"$defs": {"Leaf": closed({"next": refers()})}}),
            "recursive",
            id="recursion",
        ),
        pytest.param(
            closed(
                {"a": refers("One")},
                **{
                    "$defs": {
                        "One": closed({"x": refers("Two")}),
                        "Two": closed({"y": refers("One")}),
                    }
                },
            ),
            "#/$defs/Two: recursive",
            id="recursion over two",
        ),
        pytest.param(closed({"a": {"$ref": "#"}}), "recursive", id="recursion to the root"),
        pytest.param(nested(11), "11 levels deep, at most 10", id="depth"),
        pytest.param(
            closed({f"p{n}": {"type": "boolean"} for n in range(5_001)}),
            "5001 properties, at most 5000",
            id="properties",
        ),
        pytest.param(
            closed(
                {f"p{n}": {"enum": [f"v{n}-{m}" for m in range(91)]} for n in range(11)},
            ),
            "1001 enum values, at most 1000",
            id="enum values",
        ),
        pytest.param(
            closed({"a": {"enum": [f"{n:060}" for n in range(251)]}}),
            "more than 15000 characters in an enum",
            id="a long enum",
        ),
        pytest.param(
            closed({"a" * 120_001: text()}),
            "120001 characters of names and values, at most 120000",
            id="characters in all",
        ),
        pytest.param(
            closed({f"p{n}": NULLABLE for n in range(17)}), "17 unions, at most 16", id="unions"
        ),
        pytest.param(
            closed({f"p{n}": {"type": ["string", "null"]} for n in range(17)}),
            "17 unions, at most 16",
            id="lists of types",
        ),
        pytest.param(
            {**closed({f"p{n}": text() for n in range(25)}), "required": []},
            "25 optional parameters, at most 24",
            id="optional parameters",
        ),
    ],
)
def test_each_documented_limit_is_found(schema: Json, fault: str) -> None:
    faults = schema_faults(schema)

    assert any(fault in one for one in faults), faults


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(nested(10), id="depth"),
        pytest.param(closed({f"p{n}": NULLABLE for n in range(16)}), id="unions"),
        pytest.param(closed({"a": {"enum": [f"{n:059}" for n in range(250)]}}), id="a long enum"),
        pytest.param(closed({"a" * 120_000: text()}), id="characters in all"),
        pytest.param(closed({f"p{n}": {"type": "null"} for n in range(5_000)}), id="properties"),
    ],
)
def test_what_is_just_within_a_limit_passes(schema: Json) -> None:
    assert schema_faults(schema) == ()


@pytest.mark.parametrize("name", ["", "a" * 65, "with space", "dot.ted", "naïve"])
def test_a_name_that_a_vendor_refuses_is_found(name: str) -> None:
    assert name_faults(name)


def test_twenty_one_strict_tools_are_one_too_many() -> None:
    assert request_faults([LEAF] * 21) == ("21 strict tools, at most 20",)
    assert request_faults([LEAF] * 20) == ()
