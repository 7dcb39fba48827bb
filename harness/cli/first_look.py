"""Before the first command makes anything: can it be done at all?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory
from uuid import uuid4

from harness.cli.called import Call
from harness.cli.finding import has_store, state_path
from harness.cli.progress import make_progress
from harness.errors import ConfigError, DoorError, Refused
from harness.facts.settings import RepoSettings, Settings
from harness.runs.desk import Desk
from harness.runs.named import check_there
from harness.wiring import Calling, House, open_desk

Named = Callable[[Desk, int], object]
"""Reads what was named. Raises Refused."""


def look_first(house: House, repos: tuple[RepoSettings, ...], call: Call, named: Named) -> None:
    """Refuse what only GitHub or the sandbox can tell while there is no state directory to leave.

    Raises ConfigError. Of several repositories one that can be worked is enough; what the world
    fails at is left for the command to tell.
    """
    if has_store(house.settings):
        return
    with _on_trial(house) as trial:
        trial.check_ready(repos)
        mistakes: list[str] = []
        for repo in repos:
            mistake = _mistake(trial, repo, call, named)
            if not mistake:
                return
            mistakes.append(mistake)
    raise ConfigError("; ".join(dict.fromkeys(mistakes)))


@contextmanager
def _on_trial(house: House) -> Iterator[House]:
    """The same house on a state directory that is gone afterwards, on the same disk if may be."""
    with TemporaryDirectory(prefix=".harness-look-", dir=_beside(house.settings)) as place:
        yield replace(house, settings=house.settings.model_copy(update={"state": place}))


def _beside(settings: Settings) -> str:
    there = next(one for one in state_path(settings).parents if one.is_dir())
    return str(there) if os.access(there, os.W_OK) else tempfile.gettempdir()


def _mistake(house: House, repo: RepoSettings, call: Call, named: Named) -> str:
    calling = Calling(uuid4().hex, house.clock.now(), named=call.named, adopt=call.adopt, dry=True)
    try:
        with (
            make_progress(quiet=True, mask=house.mask) as progress,
            open_desk(house, repo, calling, progress) as desk,
        ):
            check_there(desk, desk.trees.remote_tip(desk.base_ref))
            for number in sorted(call.named):
                named(desk, number)
    except (ConfigError, Refused) as error:
        return str(error)
    except DoorError:
        return ""
    return ""
