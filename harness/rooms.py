"""Where the data rooms are: prompts/, schemas/, ledger/ and the example config.

In a checkout they stand beside `harness/`; a wheel carries them inside, under `harness/_data/`.
Nothing is ever looked for in the current directory.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CARRIED = _PACKAGE / "_data"


def data_room(name: str) -> Path:
    """The folder (or file) `name`: prompts, schemas, ledger or config.example.toml."""
    root = _CARRIED if _CARRIED.is_dir() else _PACKAGE.parent
    return root / name


def read_prompts() -> dict[str, str]:
    """All prompts by name, without their ending."""
    return _read("prompts", ".md")


def read_schemas() -> dict[str, str]:
    """All reply schemas by name, as committed, byte for byte."""
    return _read("schemas", ".json")


def _read(room: str, ending: str) -> dict[str, str]:
    paths = sorted(data_room(room).glob(f"*{ending}"))
    return {path.stem: path.read_text("utf-8") for path in paths if path.stem != "README"}
