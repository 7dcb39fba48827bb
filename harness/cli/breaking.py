"""What a command that did not end well says: one sentence, and an exit code.

The caller's mistake is 2, the world's failure 3; a fault of our own is 3 too, and its traceback
goes to the log.
"""

from __future__ import annotations

import logging
import os
import traceback
from pathlib import Path

import click

from harness.cli.called import Called
from harness.cli.console import OutputLost, tell, visible
from harness.errors import ConfigError, DoorError, Refused
from harness.rules.outcomes import CALLERS_MISTAKE, TRY_AGAIN

logger = logging.getLogger(__name__)

STOPPED = 130  # as a shell says of a process that Ctrl-C ended
_USUAL = ("GITHUB_TOKEN", "HARNESS_APP_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY")
_SHOWN = 300  # characters of an error's own text


def answer(error: BaseException, called: Called) -> int:
    """Say what went wrong; the exit code."""
    match error:
        case click.Abort() | KeyboardInterrupt():
            tell("stopped; whatever was begun is finished by the next run")
            return STOPPED
        case ConfigError() | Refused():
            tell(f"harness: {_masked(str(error), called)}")
            return CALLERS_MISTAKE
        case DoorError():
            tell(f"harness: {_masked(str(error), called)}")
            return TRY_AGAIN
        case OutputLost():
            tell(f"harness: the output could not be written: {error}")
            return TRY_AGAIN
        case _:
            tell(f"harness: {_fault(error, called)}")
            return TRY_AGAIN


def _fault(error: BaseException, called: Called) -> str:
    log = _keep(error, called)
    where = f"the details are in {log}" if log else "nothing was kept of it"
    if isinstance(error, OSError) and error.strerror:
        place = f": {error.filename}" if error.filename else ""
        return f"{_short(_masked(f'{error.strerror}{place}', called))}; {where}"
    what = _short(_masked(f"{type(error).__name__}: {error}".rstrip(": "), called))
    if not log:
        what += f", in {_place(error)}"
    return f"the harness itself broke ({what}); {where}"


def _keep(error: BaseException, called: Called) -> Path | None:
    """The traceback in the log; None where there is no place for one, and none is made for it."""
    from harness.cli.finding import state_path
    from harness.cli.log import logged

    house = called.house
    try:
        if house is None or not state_path(house.settings).is_dir():
            return None
        with logged(house) as path:
            logger.error("the command broke", exc_info=error)
    except Exception:  # noqa: BLE001 - what broke is told, whatever else breaks
        return None
    return path


def _place(error: BaseException) -> str:
    """Where it happened: the last line of ours that it came through."""
    root = Path(__file__).parents[2]
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if Path(one.filename).is_relative_to(root / "harness")]
    if not ours:
        return "a library"
    return f"{Path(ours[-1].filename).relative_to(root)}, line {ours[-1].lineno}"


def _masked(text: str, called: Called) -> str:
    """On one line, without what cannot be seen, and without secrets."""
    from harness.edges.secrets import find_secrets
    from harness.rules.scrub import scrub

    line = " ".join(visible(text).split())
    if called.house is not None:
        return called.house.mask(line)
    known = [os.environ[name] for name in _USUAL if os.environ.get(name)]
    return scrub(line, [*known, *find_secrets(line)])


def _short(line: str) -> str:
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ..."
