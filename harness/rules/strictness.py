"""What both vendors' strict modes document, checked before a schema is ever sent.

Sources: developers.openai.com/api/docs/guides/structured-outputs#supported-schemas (numbers since
July 2025) and platform.claude.com/docs/en/build-with-claude/structured-outputs. Where the two
differ the narrower holds. One schema is one request here: `reply` is its only strict tool.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

_DEPTH = 10  # OpenAI
_PROPERTIES = 5_000  # OpenAI
_TOTAL_CHARS = 120_000  # OpenAI: property names, definition names, enum and const values
_ENUM_VALUES = 1_000  # OpenAI, all enums together
_LONG_ENUM = 250  # OpenAI: an enum of strings above this many values ...
_LONG_ENUM_CHARS = 15_000  # ... may hold so many characters
_OPTIONALS = 24  # Anthropic, a request
_UNIONS = 16  # Anthropic, a request: parameters with anyOf or a list of types
_FORMATS = frozenset(  # Anthropic
    {
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    }
)
_KNOWN = frozenset(
    {
        "type",
        "description",
        "title",
        "enum",
        "const",
        "items",
        "anyOf",
        "properties",
        "required",
        "additionalProperties",
        "$ref",
        "$defs",
        "format",
        "minItems",
        "pattern",
    }
)
_TYPES = frozenset({"object", "array", "string", "integer", "number", "boolean", "null"})
_BAD_PATTERN = re.compile(r"\(\?(?:<?[=!])|\\b|\\B|\\[1-9]|\(\?P=|\\k<")
_LOCAL_REF = re.compile(r"#/\$defs/([^/]+)")


def schema_faults(schema: Schema) -> tuple[str, ...]:
    """Every way in which one of the vendors would refuse or misread this schema, with its place."""
    faults = list(_root_faults(schema))
    nodes = list(_walk(schema, "#"))
    for path, node in nodes:
        faults += [f"{path}: {fault}" for check in _NODE_CHECKS for fault in check(node)]
        faults += [f"{path}: {fault}" for fault in _ref_faults(node, schema)]
    faults += _recursion_faults(schema)
    faults += _total_faults(nodes)
    if not any("recursive" in fault for fault in faults):
        faults += _depth_faults(schema)
    return tuple(faults)


def name_faults(name: str) -> tuple[str, ...]:
    """What is wrong with a schema's or a tool's name (OpenAI: 64 of A-Z a-z 0-9 _ -)."""
    if re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        return ()
    return (f"name {name!r}: 1 to 64 characters of A-Z, a-z, 0-9, _ and -",)


def request_faults(schemas: Sequence[Schema]) -> tuple[str, ...]:
    """Limits that all strict schemas of one request share (Anthropic)."""
    nodes = [node for schema in schemas for node in _walk(schema, "#")]
    faults = _shared_faults(nodes)
    if len(schemas) > _STRICT_TOOLS:
        faults.append(f"{len(schemas)} strict tools, at most {_STRICT_TOOLS}")
    return tuple(faults)


_STRICT_TOOLS = 20  # Anthropic, a request


def _walk(node: Any, path: str) -> Iterator[tuple[str, Schema]]:
    if not isinstance(node, Mapping):
        return
    yield path, node
    for keyword in ("properties", "$defs"):
        children = node.get(keyword)
        if isinstance(children, Mapping):
            for name, child in children.items():
                yield from _walk(child, f"{path}/{keyword}/{name}")
    for keyword in ("items", "not", "if", "then", "else", "additionalProperties"):
        yield from _walk(node.get(keyword), f"{path}/{keyword}")
    for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for n, child in enumerate(node.get(keyword) or ()):
            yield from _walk(child, f"{path}/{keyword}/{n}")


def _root_faults(schema: Schema) -> Iterator[str]:
    if schema.get("type") != "object" or "anyOf" in schema or "$ref" in schema:
        yield "#: the root must be an object itself, no union and no reference"


def _object_faults(node: Schema) -> Iterator[str]:
    if node.get("type") != "object" and "properties" not in node:
        return
    if node.get("type") != "object":
        yield "properties without type object"
    if node.get("additionalProperties") is not False:
        yield "additionalProperties must be false"
    if not node.get("properties"):
        yield "an object without properties can only be {}"
    required = list(node.get("required") or ())
    for name in node.get("properties") or ():
        if name not in required:
            yield f"{name} must be required"
    for name in required:
        if name not in (node.get("properties") or ()):
            yield f"{name} is required and no property"


def _keyword_faults(node: Schema) -> Iterator[str]:
    for keyword in node:
        if keyword not in _KNOWN:
            yield f"{keyword} is not supported"


def _type_faults(node: Schema) -> Iterator[str]:
    kinds = node.get("type")
    for kind in kinds if isinstance(kinds, list) else [kinds] if kinds is not None else []:
        if kind not in _TYPES:
            yield f"type {kind!r} is unknown"
    if not {"type", "enum", "const", "anyOf", "$ref"} & set(node):
        yield "says nothing about its type"
    if kinds == "array" and not isinstance(node.get("items"), Mapping):
        yield "an array must say its items"


def _enum_faults(node: Schema) -> Iterator[str]:
    values = list(node.get("enum") or ()) + ([node["const"]] if "const" in node else [])
    for value in values:
        if value is not None and not isinstance(value, str | int | float | bool):
            yield f"enum value {value!r} is not a string, number, boolean or null"
    if "enum" in node and not node["enum"]:
        yield "an empty enum"
    strings = [value for value in values if isinstance(value, str)]
    if len({value.casefold() for value in strings}) != len(strings):
        yield "enum values that differ in case only: their case is not guaranteed"
    if len(strings) > _LONG_ENUM and sum(map(len, strings)) > _LONG_ENUM_CHARS:
        yield f"more than {_LONG_ENUM_CHARS} characters in an enum of over {_LONG_ENUM} values"


def _array_faults(node: Schema) -> Iterator[str]:
    if node.get("minItems") not in {None, 0, 1}:
        yield "minItems other than 0 or 1"


def _text_faults(node: Schema) -> Iterator[str]:
    if "format" in node and node["format"] not in _FORMATS:
        yield f"format {node['format']!r} is unknown"
    if _BAD_PATTERN.search(str(node.get("pattern", ""))):
        yield "pattern with lookaround, word boundary or back-reference"


def _ref_siblings(node: Schema) -> Iterator[str]:
    if "$ref" in node and len(node) > 1:
        yield "$ref with other keywords beside it: one vendor inlines it, the other drops them"


_NODE_CHECKS: tuple[Callable[[Schema], Iterator[str]], ...] = (
    _keyword_faults,
    _object_faults,
    _type_faults,
    _enum_faults,
    _array_faults,
    _text_faults,
    _ref_siblings,
)


def _ref_faults(node: Schema, root: Schema) -> Iterator[str]:
    ref = node.get("$ref")
    if ref is None:
        return
    match = _LOCAL_REF.fullmatch(str(ref))
    if not match:
        yield f"$ref {ref!r} does not lead to $defs of this schema"
    elif match[1] not in (root.get("$defs") or {}):
        yield f"$ref {ref!r} leads nowhere"


def _refs_below(node: Schema) -> set[str]:
    found = (_LOCAL_REF.fullmatch(str(child.get("$ref", ""))) for _, child in _walk(node, "#"))
    return {match[1] for match in found if match}


def _recursion_faults(root: Schema) -> list[str]:
    """Definitions that lead back to themselves: Anthropic refuses them."""
    reach = {name: _refs_below(node) for name, node in (root.get("$defs") or {}).items()}
    for _ in reach:
        for name, below in reach.items():
            reach[name] = below.union(*(reach.get(one, set()) for one in below))
    return [
        f"#/$defs/{name}: recursive, which is not supported"
        for name, below in reach.items()
        if name in below
    ] + [
        f"{path}: recursive, which is not supported"
        for path, node in _walk(root, "#")
        if node.get("$ref") == "#"
    ]


def _depth_faults(root: Schema) -> list[str]:
    deepest = _depth(root, root)
    return [f"#: {deepest} levels deep, at most {_DEPTH}"] if deepest > _DEPTH else []


def _depth(node: Any, root: Schema) -> int:
    """Levels of objects and arrays, references followed."""
    if not isinstance(node, Mapping):
        return 0
    match = _LOCAL_REF.fullmatch(str(node.get("$ref", "")))
    if match:
        return _depth((root.get("$defs") or {}).get(match[1]), root)
    children = [*(node.get("properties") or {}).values(), *(node.get("anyOf") or ())]
    below = max((_depth(child, root) for child in [*children, node.get("items")]), default=0)
    return below + (node.get("type") in ("object", "array"))


def _total_faults(nodes: Sequence[tuple[str, Schema]]) -> list[str]:
    names = [name for _, node in nodes for name in node.get("properties") or ()]
    definitions = [name for _, node in nodes for name in node.get("$defs") or ()]
    enums = [value for _, node in nodes for value in node.get("enum") or ()]
    consts = [node["const"] for _, node in nodes if "const" in node]
    chars = sum(len(str(text)) for text in (*names, *definitions, *enums, *consts))
    faults = _shared_faults(nodes)
    if len(names) > _PROPERTIES:
        faults.append(f"#: {len(names)} properties, at most {_PROPERTIES}")
    if len(enums) > _ENUM_VALUES:
        faults.append(f"#: {len(enums)} enum values, at most {_ENUM_VALUES}")
    if chars > _TOTAL_CHARS:
        faults.append(f"#: {chars} characters of names and values, at most {_TOTAL_CHARS}")
    return faults


def _shared_faults(nodes: Sequence[tuple[str, Schema]]) -> list[str]:
    optionals = sum(
        name not in (node.get("required") or ())
        for _, node in nodes
        for name in node.get("properties") or ()
    )
    unions = sum("anyOf" in node or isinstance(node.get("type"), list) for _, node in nodes)
    faults = []
    if optionals > _OPTIONALS:
        faults.append(f"#: {optionals} optional parameters, at most {_OPTIONALS} a request")
    if unions > _UNIONS:
        faults.append(f"#: {unions} unions, at most {_UNIONS} a request")
    return faults
