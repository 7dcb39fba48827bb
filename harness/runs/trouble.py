"""The world's trouble with one item is that item's outcome; every other item goes on."""

from __future__ import annotations

import logging

from harness.errors import DoorError, ForgeError, InDoubt, LeaseLost, SetupFailed
from harness.facts.causes import Cause
from harness.facts.decisions import ItemReport, Outcome
from harness.runs.calling import call_person
from harness.runs.desk import Desk
from harness.words.moved import renamed_sentence

logger = logging.getLogger(__name__)


def tell_trouble(desk: Desk, item: int, title: str, error: DoorError) -> ItemReport:
    """What the run says of an item that could not be gone on with."""
    logger.warning("item %d: %s", item, error)
    report = ItemReport(
        repo=desk.repo.slug,
        item=item,
        title=title,
        outcome=Outcome.ERROR,
        reason=str(error),
    )
    match error:
        case LeaseLost():
            taken = {"outcome": Outcome.WAITING, "reason": "another process took it over"}
            return report.model_copy(update=taken)
        case SetupFailed():
            return report.model_copy(update={"outcome": Outcome.WAITING})
        case InDoubt():
            return _ask_person(desk, report.model_copy(update={"outcome": Outcome.ESCALATED}))
        case ForgeError(not_before=until) if until is not None:
            return report.model_copy(update={"outcome": Outcome.WAITING, "not_before": until})
        case ForgeError(reason="gone" | "moved") if gone := _gone(desk, item):
            return report.model_copy(update={"outcome": Outcome.ABANDONED, "reason": gone})
        case ForgeError(reason="moved") if renamed := _renamed(desk):
            return report.model_copy(update={"reason": renamed})
        case _:
            return report


def _gone(desk: Desk, item: int) -> str:
    """How a person took the item away, "" where it is the repository (or nothing) that is gone."""
    try:
        desk.reading.repo()
    except ForgeError:
        return ""
    try:
        desk.reading.issue(item)
    except ForgeError as error:
        led = f" to {error.to}" if error.to else ""
        return {"gone": "it was deleted", "moved": f"it was transferred{led}"}.get(error.reason, "")
    return ""


def _renamed(desk: Desk) -> str:
    """Where the repository is by now, "" where it is no other."""
    try:
        desk.reading.repo()
    except ForgeError as error:
        return renamed_sentence(desk.repo.slug, error.to) if error.reason == "moved" else ""
    return ""


def _ask_person(desk: Desk, report: ItemReport) -> ItemReport:
    try:
        call_person(desk, report, Cause.DOUBT)
    except DoorError as error:
        logger.warning("item %d: nobody could be called there: %s", report.item, error)
    return report
