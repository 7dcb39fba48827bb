"""How results are printed: JSON with the number of its schema, or text with colour on terminals.

Pages come from the store, which keeps what agents said to the byte; secrets in them are masked
before anything is laid out, so that no column cuts one into a piece that nobody would know.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from harness.cli.console import say, say_painted, visible
from harness.facts.value import Fact

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.words.tables import Paint, Tone

F = TypeVar("F", bound=Fact)

Schema = Literal[
    "harness.run/1",
    "harness.status/1",
    "harness.runs/1",
    "harness.run-page/1",
    "harness.ledger/1",
    "harness.entry/1",
    "harness.doctor/1",
    "harness.clean/1",
    "harness.undo/1",
]


def mask_page(page: F, mask: Callable[[str], str]) -> F:
    """The page with every text in it masked."""
    masked = _masked(page.model_dump(mode="json"), mask)
    return type(page).model_validate_json(json.dumps(masked))


def _masked(value: Any, mask: Callable[[str], str]) -> Any:  # Any: JSON goes in and comes out
    match value:
        case str():
            return mask(value)
        case list():
            return [_masked(one, mask) for one in value]
        case dict():
            return {key: _masked(one, mask) for key, one in value.items()}
        case _:
            return value


def print_page(
    schema: Schema,
    page: F,
    text: Callable[[F, Paint], str],
    mask: Callable[[str], str],
    *,
    as_json: bool,
) -> None:
    """A page as JSON, or as the text that `text` makes of it; secrets are masked in both."""
    if as_json:
        print_json(schema, mask_page(page, mask))
    else:
        shown = mask_page(page, lambda told: mask(visible(told)))
        say_painted(text(shown, choose_paint()))


def print_json(schema: Schema, page: Fact) -> None:
    """A page as JSON; every key is in docs/json.md."""
    told = {"schema": schema, **page.model_dump(mode="json")}
    say(json.dumps(told, indent=2))


def choose_paint() -> Paint:
    """Colour on a terminal that may have it (https://no-color.org), none elsewhere."""
    from harness.words.tables import as_it_is

    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if unwanted or not sys.stdout.isatty():
        return as_it_is
    return _styled


def _styled(text: str, tone: Tone) -> str:
    match tone:
        case "plain":
            return text
        case "head":
            return click.style(text, bold=True)
        case "good":
            return click.style(text, fg="green")
        case "warn":
            return click.style(text, fg="yellow")
        case "bad":
            return click.style(text, fg="red")
        case "faint":
            return click.style(text, dim=True)
