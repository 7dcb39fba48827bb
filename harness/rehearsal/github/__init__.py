"""A GitHub on loopback: REST and GraphQL over real git, with scripted people and faults."""

from harness.rehearsal.github.double import GithubDouble, serve
from harness.rehearsal.github.faults import Fault

__all__ = ["Fault", "GithubDouble", "serve"]
