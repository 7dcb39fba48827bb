"""What `doctor` looks at: the host, the agents, each repository. No paid call, no secret shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from harness.cli.checkup.agents import look_at_agents
from harness.cli.checkup.host import look_at_host
from harness.cli.checkup.repos import look_at_repos
from harness.facts.looking import Look
from harness.facts.settings import RepoSettings
from harness.wiring import House


def look_around(house: House, repos: tuple[RepoSettings, ...]) -> Iterator[Look]:
    """Everything, in the order in which it has to be mended."""
    looks = (look_at_host(house, repos[0]), look_at_agents(house), look_at_repos(house, repos))
    yield from (look for area in looks for look in area)


def exit_of(looks: Iterable[Look]) -> int:
    """2 when the caller has to mend something, else 3 when the world failed, else 0."""
    states = {look.state for look in looks}
    return 2 if "mend" in states else 3 if "failed" in states else 0
