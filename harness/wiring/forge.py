"""One repository's forge and git, for one thread."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from harness.doors.store import Store
from harness.edges.staging import Staged, StagedReading, StagedTrees, StagedWriting
from harness.errors import ConfigError, ForgeError
from harness.facts.forge import Repo
from harness.facts.settings import GithubSettings, RepoSettings
from harness.wiring.house import House
from harness.words.moved import renamed_sentence

if TYPE_CHECKING:
    from harness.doors.reading import Reading
    from harness.doors.writing import Writing
    from harness.edges.git import GitTrees
    from harness.edges.github.app import AppToken


@dataclass(frozen=True)
class Forge:
    """One repository's forge and git, for one thread."""

    reading: Reading
    writing: Writing
    trees: GitTrees
    app: AppToken | None = None  # what we log in as, where that is an App


def open_forge(
    house: House,
    repo: RepoSettings,
    store: Store,
    staged: Staged | None,
    ending: ExitStack,
) -> Forge:
    """The forge and the git of one repository. ForgeError when it cannot be read."""
    from harness.edges.git import GitPushing, GitTrees
    from harness.edges.github.etags import CleanEtags
    from harness.edges.github.reading import GithubReading
    from harness.edges.github.wire import Wire
    from harness.edges.github.writing import GithubWriting
    from harness.edges.routing import RoutedWriting

    app = _open_app(house, repo, ending)
    token, bot = app or house.check_forge_secret, app.bot if app else None
    wire = Wire(house.settings.github.api_url, token, now=house.clock.now)
    ending.callback(wire.close)
    etags = CleanEtags(store, house.quotes_ours)
    reading = GithubReading(wire, repo.name, etags=etags, bot=bot, mask=house.mask)
    told = _read_repo(house, reading, repo)
    url = repo.git_url or told.clone_url
    kind = GitTrees if staged is None else StagedTrees
    trees = kind(
        house.state,
        told.id,
        url,
        token if _is_same_host(url, told.clone_url) else None,
        house.settings.commit,
        repo.protected,
        house.settings.sandbox.uid if house.settings.sandbox.kind == "bwrap" else None,
        environ=house.environ,
    )
    if staged is not None:
        assert isinstance(trees, StagedTrees)
        trees.staged = staged
        return Forge(
            StagedReading(reading, staged), StagedWriting(staged, reading, house.clock), trees, app
        )
    pushing = GitPushing(trees.mirror, told.default_branch, reading.is_protected)
    writing = RoutedWriting(GithubWriting(wire, repo.name, bot=bot), pushing)
    return Forge(reading, writing, trees, app)


def _open_app(house: House, repo: RepoSettings, ending: ExitStack) -> AppToken | None:
    """The App that we log in as; None where it is a token. ConfigError without its key."""
    from harness.edges.github.app import AppToken

    github = house.settings.github
    if github.auth != "app":
        return None
    app = AppToken(
        github.api_url,
        app_id=str(github.app_id),
        private_key=house.check_forge_secret(),
        repo=repo.name,
        now=house.clock.now,
        told=house.issued.add,
    )
    ending.callback(app.close)
    return app


def _read_repo(house: House, reading: Reading, repo: RepoSettings) -> Repo:
    try:
        return reading.repo()
    except ForgeError as error:
        if error.reason == "gone":
            raise ConfigError(
                f"there is no repository {repo.name}, or this credential may not see it"
            ) from None
        if error.reason == "moved":
            raise ConfigError(renamed_sentence(repo.name, error.to)) from None
        if error.reason == "unauthorised":
            raise ConfigError(_unauthorised(house.settings.github, error)) from None
        raise


def _unauthorised(github: GithubSettings, error: ForgeError) -> str:
    if github.auth == "app":
        return f"{error}: look at [github] app_id and at the key in {github.private_key_env}"
    return f"GitHub does not take the token in {github.token_env}: make a new token and set it"


def _is_same_host(one: str, other: str) -> bool:
    """The forge's token goes to the forge's host and nowhere else."""
    return urlsplit(one).netloc == urlsplit(other).netloc
