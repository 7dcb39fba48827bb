"""A stage for whole stories: rehearsal forge, scripted models, a config, and the ordinary command.

Nothing of the product is replaced: the command runs in this process (or in a forked one), through
its real edges and SDKs, against the doubles on loopback.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from harness.cli import cli
from harness.cli.called import Call
from harness.cli.session import tell_run
from harness.config import read_settings
from harness.edges.store import SqliteStore
from harness.facts.decisions import ItemReport
from harness.facts.entries import Standing
from harness.rehearsal.demo.story import MAINTAINER, SLUG, config_text, furnish
from harness.rehearsal.github import GithubDouble
from harness.rehearsal.github.heads import follow_all
from harness.rehearsal.github.rows import Repository
from harness.rehearsal.models import ModelDouble, Script
from harness.runs.desk import Desk
from harness.runs.sweep import resume_pulls, run_repo
from harness.wiring import REHEARSAL, House, open_house
from tests.stories.identity import install_app

TOKEN = "rehearsal-token"
SECRETS = {"GITHUB_TOKEN": TOKEN, "ANTHROPIC_API_KEY": "rehearsal", "OPENAI_API_KEY": "rehearsal"}


@dataclass
class Stage:
    """One forge, two models, one state directory; `config` is changed before the first run."""

    root: Path
    forge: GithubDouble
    models: ModelDouble
    config: str
    slug: str = SLUG
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def state(self) -> Path:
        """The state directory."""
        return self.root / "state"

    def house(self) -> House:
        """A house as a new process would make it."""
        settings = read_settings(tomllib.loads(self.config), "harness.toml")
        environ = {**os.environ, **SECRETS, REHEARSAL: self.forge.base, **self.environ}
        return open_house(settings, environ)

    def log_in_as_app(self) -> None:
        """From now on an App's key is all we have; the shared login's token is gone."""
        lines, key = install_app(self.forge, self.slug)
        self.set("[github]\n", f"[github]\n{lines}")
        self.environ |= {"HARNESS_APP_KEY": key, "GITHUB_TOKEN": ""}

    def set(self, old: str, new: str) -> None:
        """Change the config's text."""
        assert old in self.config, old
        self.config = self.config.replace(old, new)

    def run(self, *numbers: int, **how: Any) -> int:
        """`harness run`; returns the exit code. Raises what the command line would say."""
        return self._tell("run", run_repo, numbers, how)

    def resume(self, *numbers: int, **how: Any) -> int:
        """`harness resume`."""
        return self._tell("resume", resume_pulls, numbers, how)

    def tell(self, command: str, story: Callable[[Desk], tuple[ItemReport, ...]]) -> int:
        """A story of the test's own, under the name of a command."""
        return self._tell(command, story, (), {})

    def _tell(
        self,
        command: str,
        story: Callable[[Desk], tuple[ItemReport, ...]],
        numbers: tuple[int, ...],
        how: dict[str, Any],
    ) -> int:
        house = self.house()
        call = Call(command, frozenset(numbers), quiet=True, **how)
        return tell_run(house, house.settings.repos, call, story)

    def look(self, *words: str) -> str:
        """What a command that only looks prints: `runs`, `status`, `ledger`."""
        path = self.root / "harness.toml"
        path.write_text(self.config)
        environ = {**SECRETS, REHEARSAL: self.forge.base, **self.environ}
        looked = CliRunner().invoke(cli, [*words, "--config", str(path)], env=environ)
        if looked.exception:
            raise looked.exception
        return looked.output

    def undo(self, run: str, *words: str) -> dict[str, Any]:
        """What `harness undo RUN --json` prints, its exit code in it. Raises what it would say."""
        path = self.root / "harness.toml"
        path.write_text(self.config)
        environ = {**SECRETS, REHEARSAL: self.forge.base, **self.environ}
        called = ["undo", run, "--json", *words, "--config", str(path)]
        undone = CliRunner().invoke(cli, called, env=environ)
        if undone.exception and not isinstance(undone.exception, SystemExit):
            raise undone.exception
        told: dict[str, Any] = json.loads(undone.stdout)
        assert undone.exit_code == told["exit_code"]
        return told

    def pass_time(self, **span: float) -> None:
        """Let the rehearsal's time pass; the span is a timedelta's."""
        self.house().clock.wait(timedelta(**span).total_seconds())

    # -- what came of it ---------------------------------------------------------------------------
    @contextmanager
    def store(self) -> Iterator[SqliteStore]:
        """The store, for looking at."""
        store = self.house().open_store()
        try:
            yield store
        finally:
            store.close()

    @property
    def newest_run(self) -> str:
        """The newest run's id."""
        with self.store() as store:
            return store.runs(1)[0].id

    def newest_run_of(self, command: str) -> str:
        """The id of the newest run of a command."""
        with self.store() as store:
            return next(run.id for run in store.runs(20) if run.command == command)

    @property
    def reports(self) -> dict[int, ItemReport]:
        """The newest run's reports by item."""
        with self.store() as store:
            return {report.item: report for report in store.runs(1)[0].reports}

    @property
    def outcomes(self) -> dict[int, str]:
        """The newest run's outcomes by item."""
        return {item: report.outcome.value for item, report in self.reports.items()}

    @property
    def standings(self) -> dict[str, Standing]:
        """The ledger by title."""
        with self.store() as store:
            listed = store.list_standings(None, state=None, scope=None, limit=500)
            return {one.finding.title: one for one in listed}

    @property
    def states(self) -> dict[str, str]:
        """The ledger's states by title."""
        return {title: one.state.value for title, one in self.standings.items()}

    def only(self, *numbers: int) -> None:
        """Close the demo's other issues before anybody looks."""
        for number in {1, 2, 3, 4} - set(numbers):
            self.forge.people.close(self.slug, MAINTAINER, number)

    def push(self, files: dict[str, str | None], branch: str = "harness/issue-1") -> str:
        """A person commits on our branch; returns the commit."""
        return self.forge.people.commit(self.slug, MAINTAINER, branch, files, "By hand")

    def push_old(self, files: dict[str, str | None], branch: str = "harness/issue-1") -> str:
        """A person pushes what was committed long ago; returns the commit."""
        forge = self.forge.forge
        repository = forge.repository(self.slug)
        assert repository is not None
        author, at = (MAINTAINER, f"{MAINTAINER}@people.localhost"), "1577836800"
        with forge.lock:
            sha = repository.bare.write_files(branch, files, "Long ago", author=author, at=at)
            follow_all(forge, forge.add_account(MAINTAINER))
        return sha

    def say(self, number: int, text: str, login: str = MAINTAINER) -> None:
        """Somebody comments on an item."""
        self.forge.people.comment(self.slug, login, number, text)

    def text(self, path: str, branch: str = "harness/issue-1") -> str:
        """A file at the tip of a branch on the forge."""
        repository = self.forge.forge.repository(self.slug)
        assert repository is not None
        return repository.bare.run("show", f"{branch}:{path}")

    def briefs(self, headline: str) -> list[str]:
        """The briefs of all questions whose headline fits this glob, each once, in order."""
        asked = [one.question for one in self.models.requests if one.question]
        fitting = [one.brief for one in asked if fnmatchcase(one.headline, headline)]
        return list(dict.fromkeys(fitting))

    @property
    def repository(self) -> Repository:
        """The repository as the forge keeps it."""
        found = self.forge.forge.repository(self.slug)
        assert found is not None
        return found

    @property
    def said(self) -> Counter[str]:
        """How many pull requests, comments and commit statuses there are."""
        items = self.repository.items.values()
        return Counter(
            pulls=sum(1 for item in items if item.pull),
            comments=sum(len(item.comments) for item in items),
            statuses=len(self.repository.statuses),
        )

    def item(self, number: int) -> Any:
        """An issue or pull request as the forge keeps it."""
        repository = self.forge.forge.repository(self.slug)
        assert repository is not None
        return repository.items[number]

    def labels(self, number: int) -> set[str]:
        """The labels of an item."""
        return set(self.item(number).labels)

    def branch_tip(self, branch: str) -> str:
        """The tip of a branch on the forge."""
        repository = self.forge.forge.repository(self.slug)
        assert repository is not None
        return repository.bare.tip(branch)

    @property
    def branches(self) -> set[str]:
        """The branches on the forge."""
        repository = self.forge.forge.repository(self.slug)
        assert repository is not None
        return set(repository.bare.branches())

    @property
    def statuses(self) -> list[Any]:
        """All commit statuses, oldest first."""
        repository = self.forge.forge.repository(self.slug)
        assert repository is not None
        return repository.statuses

    def comments(self, number: int) -> list[str]:
        """What was said on an item."""
        return [comment.body for comment in self.item(number).comments]


@contextmanager
def open_stage(root: Path, script: Script) -> Iterator[Stage]:
    """The demo's forge with this script; the config can still be changed."""
    root.chmod(0o755)
    with GithubDouble(root / "forge") as forge:
        furnish(forge, TOKEN)
        with ModelDouble(script) as models:
            yield Stage(root, forge, models, config_text(forge, models.url, root / "state"))
