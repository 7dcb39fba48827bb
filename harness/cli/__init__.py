"""The command line: thin, lazy, and the only place where exit codes are made of errors.

Commands are imported when they are called, so that `--help` costs no more than click.
"""

from __future__ import annotations

import importlib
import io
import sys

import click

from harness import __version__
from harness.cli.console import end_output, lose_output, tell

_COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "harness.cli.demo:demo",
        "Watch two scripted agents take an issue to an approved pull request.",
    ),
    "init": ("harness.cli.setting_up:init", "Write a commented config to start from."),
    "doctor": ("harness.cli.setting_up:doctor", "Check every prerequisite, agent and repository."),
    "triage": ("harness.cli.working:triage", "Let both agents judge the open issues."),
    "run": ("harness.cli.working:run", "Triage, then work issues to approved pull requests."),
    "resume": (
        "harness.cli.working:resume",
        "Go on with pull requests that are ours, or adopt one.",
    ),
    "undo": ("harness.cli.working:undo", "Take back what a run wrote."),
    "status": (
        "harness.cli.looking:status",
        "Show where every item stands and what waits for a person.",
    ),
    "runs": (
        "harness.cli.looking:runs",
        "List runs, or show one with its exchanges, writes and cost.",
    ),
    "ledger": ("harness.cli.looking:ledger", "Look at what was raised, refuted, fixed and ruled."),
    "schemas": ("harness.cli.schemas:schemas", "Show, check or write the reply schemas."),
    "rehearse": ("harness.cli.rehearse:rehearse", "Serve the rehearsal GitHub for any client."),
    "clean": (
        "harness.cli.setting_up:clean",
        "Remove work trees, builds and old journals that nothing needs.",
    ),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order a newcomer meets them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """The command, imported now."""
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """Names and first lines, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="harness")
def cli() -> None:
    """Maintain GitHub repositories with two LLM agents of different families.

    One agent implements, the other reviews; what they settle is kept in a ledger and is not argued
    again. Nothing is merged, closed or pushed to a branch of yours unless your config says so.

    Start with `harness demo` (no account needed), then `harness init` and `harness doctor`.

    \b
    Exit codes: 0 done and clean; 1 something waits for a person; 2 your call, config or credential
    is wrong (nothing was written to GitHub, and a first command leaves nothing here either), or a
    vendor turns an agent's key, account or model away, or a `setup` fails again and again; 3 the
    world failed, or something is to be tried again.
    """  # noqa: D301 - \b is click's mark for a paragraph that is not wrapped


def main() -> None:
    """Run the command line and turn what went wrong into one sentence and an exit code."""
    from harness.cli.called import Called

    called = Called()
    try:
        code = _run(called)
        end_output()
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        tell(shown.getvalue(), nl=False)
        code = 2
    except BaseException as error:  # noqa: BLE001 - the one place that turns all of them into words
        from harness.cli.breaking import answer

        code = answer(error, called)
    sys.exit(code)


def _run(called: object) -> int:
    """The exit code of a command that ended by itself."""
    stdout = sys.stdout
    try:
        code = cli.main(standalone_mode=False, obj=called)
    except SystemExit as ended:
        code = ended.code
        if sys.stdout is not stdout:  # click wrapped it: the reader of its own --help left
            sys.stdout, code = stdout, 0
    except OSError as error:
        lose_output(error)
        raise
    return code if isinstance(code, int) else 0
