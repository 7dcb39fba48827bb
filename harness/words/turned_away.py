"""What the operator is told of an agent whose vendor turned it away, and what there is to do."""

from __future__ import annotations


def turned_away_sentence(agent: str, model: str, why: str, said: str, *, variable: str) -> str:
    """One sentence; `variable` names the environment variable that holds the agent's key."""
    return (
        f"agent {agent} ({model}) is not asked any more, its vendor turns it away "
        f"({said.rstrip('. ')}): {remedy(agent, why, variable)}, then run the same command; "
        "it goes on where it stopped"
    )


def remedy(agent: str, why: str, variable: str) -> str:
    """What the operator does about it."""
    match why:
        case "unpaid":
            return (
                f"add credit or raise the limit there, or put another account's key in {variable}"
            )
        case "misconfigured":
            return (
                f"set model, effort and base_url under [agents.{agent}] to what {variable} may use"
            )
        case _:
            return f"put a key in {variable} that is valid for this model"
