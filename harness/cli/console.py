"""Where text leaves for people: results on stdout, all else on stderr, and nothing past here.

Texts come from strangers and from models: what could steer a terminal is taken out of all of them.
A reader who left (`| head`) stops no work; a result that cannot be written is said.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from traceback import walk_tb
from typing import TextIO

import click

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_PAINT = re.compile(r"(\x1b\[(?:0|1|2|31|32|33)m)")
"""The escapes of `printing.choose_paint`, and no others."""


class OutputLost(Exception):  # noqa: N818 - it says what happened
    """Stdout cannot be written, and somebody waits for what stands there."""


def say(text: str, *, nl: bool = True) -> None:
    """A result, on stdout. Raises OutputLost."""
    _say(visible(text), nl=nl)


def say_painted(text: str) -> None:
    """A result of texts that were made visible before they were painted. Raises OutputLost."""
    parts = _PAINT.split(text)
    parts[::2] = [visible(part) for part in parts[::2]]
    _say("".join(parts), nl=False)


def tell(text: str, *, nl: bool = True) -> None:
    """What happens, or what is wrong, on stderr; nobody can be told that it is lost."""
    try:
        click.echo(visible(text), nl=nl, err=True)
    except OSError:
        _leave(sys.stderr)


def visible(text: str) -> str:
    """The text without a character that could steer a terminal, or hide something on it."""
    if text.isascii() and not _CONTROL.search(text):
        return text
    from harness.rules.outgoing.characters import visible_text

    return visible_text(text)


def end_output() -> None:
    """Write what is left, so that the interpreter does not fail to. Raises OutputLost."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _leave(sys.stdout)
    except OSError as error:
        _leave(sys.stdout)
        raise OutputLost(error.strerror) from None
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()


def lose_output(error: OSError) -> None:
    """Raises OutputLost where click's own words (`--help`) are what could not be written."""
    if any(frame.f_code is click.echo.__code__ for frame, _ in walk_tb(error.__traceback__)):
        _leave(sys.stdout)
        raise OutputLost(error.strerror) from None


def _say(text: str, *, nl: bool) -> None:
    try:
        click.echo(text, nl=nl)
    except BrokenPipeError:
        _leave(sys.stdout)
    except OSError as error:
        _leave(sys.stdout)
        raise OutputLost(error.strerror) from None


def _leave(stream: TextIO) -> None:
    """Whatever goes there from now on goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
