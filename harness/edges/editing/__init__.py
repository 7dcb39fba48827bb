"""Viewing and editing files inside the workbench: the program that is sent there."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harness.facts.moves import Editor

_PARTS = ("files", "lines", "hunks", "viewing", "tools")  # each imports only those before it
_BOOT = """\
import json, sys, types
for name, source in json.loads({sources!r}):
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, name, "exec"), module.__dict__)
sys.exit(module.main())
"""


def read_editor(python: str = sys.executable) -> Editor:
    """The editor; `python` is an interpreter (3.11 or newer) as the workbench sees it."""
    sources = [(f"{__name__}.{part}", _read(part)) for part in _PARTS]
    return Editor(python=python, program=_BOOT.format(sources=json.dumps(sources)))


def _read(part: str) -> str:
    return Path(__file__).with_name(f"{part}.py").read_text("utf-8")
