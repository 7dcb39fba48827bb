"""Judges every exchange with the GitHub double by GitHub's own description of its API.

Two relaxations are needed, since GitHub's own examples fail without them: enums of nullable values
take null, and `oneOf` is read as `anyOf` (variants overlap). Objects of the description are open,
so keys that a request must not have are looked for apart.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from graphql import GraphQLError, build_schema, parse, validate
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from harness.rehearsal.github.handling import Request, Response

SAMPLES = Path(__file__).parents[2] / "samples" / "github"
SCHEMA = Path(__file__).parents[3] / "harness" / "rehearsal" / "github" / "schema.graphql"

UNDESCRIBED_STATUSES = {
    301: "a moved repository answers so everywhere; the description says it at some operations",
    304: "any GET may be conditional; the description knows it for a few",
    401: "a bad credential is refused everywhere",
    403: "rate limits, locks and missing permissions are refused everywhere",
    404: "what one may not see is not there, everywhere",
    410: "a deleted issue answers so at all its operations",
    422: "what does not fit is refused at every write",
    429: "a secondary rate limit may be answered so everywhere",
    500: "a fault",
    502: "a fault",
    503: "a fault",
}
UNDESCRIBED_PATHS = {
    r"/repositories/(\d+)": "GitHub's own Link headers name repositories by id",
}

NAME = "urn:github"
formats = FormatChecker(formats=())


@formats.checks("date-time", raises=ValueError)
def _is_time(value: object) -> bool:
    return not isinstance(value, str) or bool(datetime.fromisoformat(value).tzinfo)


@cache
def description() -> dict[str, Any]:
    relaxed = _relax(json.loads((SAMPLES / "rest.json").read_text("utf-8")))
    assert isinstance(relaxed, dict)
    return relaxed


@cache
def registry() -> Registry[Any]:
    resource = Resource(contents=description(), specification=DRAFT202012)
    return Registry().with_resource(NAME, resource).crawl()


def _relax(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_relax(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _relax(value) for key, value in schema.items()}
    if isinstance(made.get("$ref"), str):
        made["$ref"] = made["$ref"].replace("#/", f"{NAME}#/", 1)
    if isinstance(made.get("oneOf"), list):
        made["anyOf"] = made.get("anyOf", []) + made.pop("oneOf")
    if made.pop("nullable", False) is True:
        if "enum" in made:
            made["enum"] = [*made["enum"], None]
        if isinstance(made.get("type"), str):
            made["type"] = [made["type"], "null"]
        else:
            made = {"anyOf": [{"type": "null"}, made]}
    return made


class Judge:
    """Collects what does not fit; `judged` counts exchanges that were looked at."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.judged: list[str] = []
        self._operations = sorted(_operations(), key=_narrow_first)
        self._schema = build_schema(SCHEMA.read_text("utf-8"))

    def __call__(self, request: Request, response: Response) -> None:
        if request.path.endswith("/graphql"):
            self._judge_graphql(request)
            return
        path = re.sub(r"^/repositories/\d+", "/repos/octo/demo", request.path)
        for method, pattern, name, operation in self._operations:
            match = pattern.fullmatch(path)
            if match and method == request.method:
                self.judged.append(name)
                self._judge_request(name, operation, request)
                self._judge_response(name, operation, response)
                return
        self.complaints.append(f"{request.method} {request.path}: not in the description")

    def _judge_graphql(self, request: Request) -> None:
        try:
            errors = validate(self._schema, parse(json.loads(request.body)["query"]))
        except GraphQLError as error:
            errors = [error]
        self.judged.append("graphql")
        self.complaints += [f"graphql: {error.message}" for error in errors]

    def _judge_request(self, name: str, operation: dict[str, Any], request: Request) -> None:
        known = {}
        for parameter in operation.get("parameters", ()):
            plain = _resolved(parameter)
            if plain["in"] == "query":
                known[plain["name"]] = plain["schema"]
        for key, value in parse_qsl(request.query):
            if key not in known:
                self.complaints.append(f"{name}: query {key} is not described")
            else:
                self._check(f"{name} query {key}", known[key], _typed(known[key], value))
        described = operation.get("requestBody")
        if not request.body:
            return
        if described is None:
            self.complaints.append(f"{name}: a body is not described")
            return
        schema = _resolved(described)["content"]["application/json"]["schema"]
        body = json.loads(request.body)
        self._check(f"{name} request", schema, body)
        self._refuse_unknown(f"{name} request", schema, body)

    def _judge_response(self, name: str, operation: dict[str, Any], response: Response) -> None:
        if (
            response.status == 0
            or dict(response.headers).get("Content-Type", "json")[:9] == "text/html"
        ):
            return  # a fault: no answer, or one that is none of the API's
        described = operation["responses"].get(str(response.status))
        if described is None and response.status not in UNDESCRIBED_STATUSES:
            self.complaints.append(f"{name}: status {response.status} is not described")
        described = _resolved(described or {})
        content = described.get("content", {})
        if not content:
            content = {} if response.status < 400 else _ERROR
        kinds = [kind for kind in content if "json" in kind]
        if not kinds:
            if response.body and response.status < 300:
                self.complaints.append(f"{name}: a body with {response.status} is not described")
            return
        payload = json.loads(response.body)
        self._check(f"{name} {response.status}", content[kinds[0]]["schema"], payload)

    def _check(self, where: str, schema: dict[str, Any], value: Any) -> None:
        judging = Draft202012Validator(schema, format_checker=formats, registry=registry())
        for error in judging.iter_errors(value):
            best = min(error.context or [error], key=lambda one: len(str(one.message)))
            self.complaints.append(f"{where} at {error.json_path}: {best.message[:300]}")

    def _refuse_unknown(self, where: str, schema: dict[str, Any], value: Any) -> None:
        variants = _variants(schema)
        if isinstance(value, list):
            items = [one["items"] for one in variants if "items" in one]
            for one in value:
                self._refuse_unknown(where, {"anyOf": items}, one)
        if not isinstance(value, dict):
            return
        known: dict[str, list[Any]] = {}
        for variant in variants:
            for key, inner in variant.get("properties", {}).items():
                known.setdefault(key, []).append(inner)
        for key, inner_value in value.items():
            if key not in known:
                self.complaints.append(f"{where}: key {key} is not described")
            else:
                self._refuse_unknown(f"{where}.{key}", {"anyOf": known[key]}, inner_value)


_ERROR = {"application/json": {"schema": {"$ref": f"{NAME}#/components/schemas/basic-error"}}}


def _operations() -> Any:
    for path, operations in description()["paths"].items():
        for method, operation in operations.items():
            places = [_resolved(one) for one in operation.get("parameters", ())]
            wide = {one["name"] for one in places if one.get("x-multi-segment")}
            pattern = re.sub(
                r"\{(\w+)\}", lambda found, wide=wide: ".+" if found[1] in wide else "[^/]+", path
            )
            yield method.upper(), re.compile(pattern), f"{method.upper()} {path}", operation


def _narrow_first(operation: tuple[str, re.Pattern[str], str, Any]) -> tuple[bool, int]:
    """A path that spans slashes takes only what no longer path takes."""
    return ".+" in operation[1].pattern, -len(operation[2])


def _resolved(value: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in value:
        found: Any = description()
        for part in value["$ref"].removeprefix(f"{NAME}#/").split("/"):
            found = found[part]
        value = found
    return value


def _variants(schema: dict[str, Any]) -> list[dict[str, Any]]:
    plain = _resolved(schema)
    found = [plain]
    for key in ("anyOf", "allOf"):
        for one in plain.get(key, ()):
            found += _variants(one)
    return found


def _typed(schema: dict[str, Any], text: str) -> object:
    kind = _resolved(schema).get("type")
    if kind in ("integer", ["integer", "null"]) and text.isdigit():
        return int(text)
    if kind == "boolean":
        return text == "true"
    return text
