"""The shortest story with a question in it: a person's pull request, reviewed and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from harness.rehearsal.demo.story import MAINTAINER
from tests.stories.scripts import CART, PRICES, TIMES
from tests.stories.stage import Stage

CHECK = 'check = "python3 -m unittest -q"\n'
PULL = 5  # after the demo's four issues

Reviewed = Callable[..., Stage]


def open_change(stage: Stage, files: dict[str, str | None] | None = None) -> None:
    """Ada's pull request; no check, so that its review is all there is to do."""
    changed = files or {CART: stage.text(CART, "main").replace(PRICES, TIMES)}
    people = stage.forge.people
    people.commit(stage.slug, MAINTAINER, "tea", changed, "Count quantities")
    people.open_pull(stage.slug, MAINTAINER, "tea", "Count quantities")
    stage.set(CHECK, "")


def let_review(stage: Stage, reviewer: str) -> None:
    """Who reviews: on work by a person, the agent that is not first."""
    if reviewer == "claude":
        stage.set('first = "claude"', 'first = "gpt"')


def go(stage: Stage) -> int:
    """`harness resume 5 --adopt`."""
    return stage.resume(PULL, adopt=True)


def is_approved(stage: Stage) -> bool:
    """Whether the forge shows anything that could be taken for an approval."""
    repository = stage.forge.forge.repository(stage.slug)
    assert repository is not None
    green = [one for one in repository.statuses if one.state == "success"]
    said = [one for one in stage.comments(PULL) if "Approved" in one]
    return bool(green or said or stage.item(PULL).pull.reviews)


def transcripts(stage: Stage) -> list[Path]:
    """The transcripts in the state directory."""
    return sorted(stage.state.glob("transcripts/**/*.md"))
