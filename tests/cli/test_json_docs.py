"""docs/json.md says every key that `--json` prints, and no schema that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from harness.cli.printing import Schema
from harness.facts.looking import (
    ClearedPage,
    DoctorPage,
    EntryPage,
    LedgerPage,
    RunPage,
    RunsPage,
    StatusPage,
    WorkedPage,
)
from harness.facts.undoing import UndonePage

PAGES: dict[str, type[BaseModel]] = {
    "harness.run/1": WorkedPage,
    "harness.status/1": StatusPage,
    "harness.runs/1": RunsPage,
    "harness.run-page/1": RunPage,
    "harness.ledger/1": LedgerPage,
    "harness.entry/1": EntryPage,
    "harness.doctor/1": DoctorPage,
    "harness.clean/1": ClearedPage,
    "harness.undo/1": UndonePage,
}
DOCS = Path(__file__).parents[2] / "docs" / "json.md"


def sections() -> dict[str, str]:
    """The text of each schema's section."""
    parts = re.split(r"^## (\S+)\n", DOCS.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def keys(schema: dict[str, object]) -> Iterator[str]:
    """All property names of a JSON schema, those of its definitions too."""
    for one in (schema, *schema.get("$defs", {}).values()):  # type: ignore[attr-defined]
        yield from one.get("properties", {})


@pytest.mark.parametrize("schema", get_args(Schema))
def test_every_key_is_documented(schema: str) -> None:
    section = sections()[schema]

    documented = {word.removesuffix("[]") for word in re.findall(r"`([a-z_]+(?:\[\])?)`", section)}

    assert set(keys(PAGES[schema].model_json_schema())) <= documented


def test_every_documented_schema_is_printed_somewhere() -> None:
    code = "".join(path.read_text() for path in (DOCS.parents[1] / "harness/cli").glob("*.py"))

    assert [name for name in sections() if f'"{name}"' not in code] == []
