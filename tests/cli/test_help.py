"""Help is cheap, and teaches with an example."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.making import Harness

HEAVY = ("pydantic", "anthropic", "openai", "github", "sqlite_utils", "rich", "httpx", "requests")
COMMANDS = (
    ("status",),
    ("runs",),
    ("ledger", "list"),
    ("ledger", "show"),
    ("init",),
    ("doctor",),
    ("clean",),
    ("rehearse", "serve"),
    ("undo",),
)


@pytest.mark.parametrize("words", [(), ("--help",), ("--version",)], ids=str)
def test_help_costs_no_more_than_click(words: tuple[str, ...]) -> None:
    script = (
        "import sys; from harness.cli import main\n"
        f"sys.argv = ['harness', *{words!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stderr.endswith("[]\n")


def test_looking_imports_no_vendor() -> None:
    script = "import sys, harness.cli.looking, harness.cli.setting_up\nprint(*sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert not {"anthropic", "openai", "github"} & set(done.stdout.split())


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_teaches_with_an_example(bare: Harness, words: tuple[str, ...]) -> None:
    said = bare(*words, "--help")

    assert said.code == 0
    assert f"Example: harness {' '.join(words)}" in said.out


def test_an_unknown_command_is_the_callers_mistake(bare: Harness) -> None:
    said = bare("dcotor")

    assert (said.code, said.out) == (2, "")
    assert "dcotor" in said.err
