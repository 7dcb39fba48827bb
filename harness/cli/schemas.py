"""`harness schemas`: the reply schemas, as they are sent to both vendors."""

from __future__ import annotations

import sys

import click

from harness.cli.console import say
from harness.facts.exchanges import REPLY_TYPES
from harness.rooms import data_room, read_schemas
from harness.rules.schemas import schema_text


@click.command()
@click.argument("name", required=False)
@click.option(
    "--check", is_flag=True, help="Exit 3 unless the committed schemas are what the code means."
)
@click.option("--write", is_flag=True, help="Write the schemas of this code (in a checkout).")
def schemas(name: str | None, *, check: bool, write: bool) -> None:
    """List the reply schemas, or print the one called NAME."""
    if check or write:
        _compare(write=write)
        return
    committed = read_schemas()
    if name is None:
        say("\n".join(committed))
    elif name in committed:
        say(committed[name], nl=False)
    else:
        raise click.UsageError(f"no schema {name}; there are {', '.join(committed)}")


def _compare(*, write: bool) -> None:
    room, committed = data_room("schemas"), read_schemas()
    current = {name: schema_text(name) for name in REPLY_TYPES}
    stale = sorted(
        name
        for name in current.keys() | committed.keys()
        if current.get(name) != committed.get(name)
    )
    if write:
        for name in stale:
            path = room / f"{name}.json"
            path.write_text(current[name], "utf-8") if name in current else path.unlink()
    for name in stale:
        said = "written" if write else "is not what the code means"
        say(f"{name}: {said}")
    sys.exit(3 if stale and not write else 0)
