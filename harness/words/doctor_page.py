"""`harness doctor` for a terminal: a line for each thing it looked at, or what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from harness.facts.looking import DoctorPage, Look
from harness.words.passages import counted
from harness.words.tables import Cell, Paint, Tone, as_it_is, columns

_TONES: dict[str, Tone] = {"ok": "good", "note": "plain", "mend": "bad", "failed": "warn"}


def doctor_text(page: DoctorPage, paint: Paint = as_it_is, *, quiet: bool = False) -> str:
    """By area; `quiet` leaves out what is ok."""
    shown = [look for look in page.looks if not (quiet and look.state == "ok")]
    areas = [
        f"{paint(area, 'head')}\n{_lines(list(looks), paint)}"
        for area, looks in groupby(shown, key=lambda look: look.area)
    ]
    return "\n\n".join([*areas, _verdict(page.looks)]) + "\n"


def _lines(looks: Sequence[Look], paint: Paint) -> str:
    rows = [
        [Cell(look.state, _TONES[look.state]), Cell(look.what), Cell(look.text)] for look in looks
    ]
    return columns(rows, paint, margin="  ")


def _verdict(looks: Sequence[Look]) -> str:
    mend = sum(look.state == "mend" for look in looks)
    failed = sum(look.state == "failed" for look in looks)
    told = [
        f"{counted(mend, 'thing')} to mend" if mend else "",
        f"{counted(failed, 'thing')} to try again" if failed else "",
    ]
    return ", ".join(filter(None, told)) or "ready: `harness run --dry-run` writes nothing"
