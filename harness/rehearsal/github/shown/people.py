"""Accounts as payloads show them."""

from __future__ import annotations

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import Account, ReactionRow, Repository
from harness.rehearsal.github.shown.addresses import api, node_id, when

REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")
ROLE_NAMES = {"maintain": "write", "triage": "read"}


def show_account(base: str, account: Account) -> Json:
    """`simple-user`."""
    url = api(base, f"/users/{account.login}")
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id(account.kind, account.id),
        "avatar_url": f"{base}/avatars/{account.id}",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{base}/{account.login}",
        "followers_url": f"{url}/followers",
        "following_url": f"{url}/following{{/other_user}}",
        "gists_url": f"{url}/gists{{/gist_id}}",
        "starred_url": f"{url}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{url}/subscriptions",
        "organizations_url": f"{url}/orgs",
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events{{/privacy}}",
        "received_events_url": f"{url}/received_events",
        "type": account.kind,
        "site_admin": False,
    }


def show_author(base: str, account: Account | None) -> Json | None:
    """`nullable-simple-user`: null where the account is gone."""
    return None if account is None else show_account(base, account)


def show_profile(forge: Forge, account: Account) -> Json:
    """`public-user`."""
    made = when(forge.stamp.replace(year=2020, month=1, day=1))
    return show_account(forge.base, account) | {
        "name": account.login,
        "company": None,
        "blog": "",
        "location": None,
        "email": None,
        "hireable": None,
        "bio": None,
        "public_repos": 0,
        "public_gists": 0,
        "followers": 0,
        "following": 0,
        "created_at": made,
        "updated_at": made,
        "user_view_type": "public",
    }


def show_permission(forge: Forge, repository: Repository, account: Account) -> Json:
    """`repository-collaborator-permission`: the old four words, and the role's own name."""
    role = forge.role(repository, account)
    person = show_account(forge.base, account) | {"role_name": role}
    return {"permission": ROLE_NAMES.get(role, role), "role_name": role, "user": person}


def association(forge: Forge, repository: Repository, account: Account | None) -> str:
    """What GitHub says a person is to a repository."""
    if account is None:
        return "NONE"
    if account is repository.owner:
        return "OWNER"
    if account.login.casefold() in repository.roles and forge.role(repository, account) != "none":
        return "MEMBER" if repository.owner.kind == "Organization" else "COLLABORATOR"
    merged = (item for item, pull in forge.pulls(repository) if pull.merged_at)
    return "CONTRIBUTOR" if any(item.author is account for item in merged) else "NONE"


def show_reactions(url: str, rows: list[ReactionRow]) -> Json:
    """`reaction-rollup`."""
    counts: Json = {name: sum(row.content == name for row in rows) for name in REACTIONS}
    return {"url": f"{url}/reactions", "total_count": len(rows)} | counts


def show_reaction(base: str, row: ReactionRow) -> Json:
    """`reaction`."""
    return {
        "id": row.id,
        "node_id": node_id("Reaction", row.id),
        "user": show_account(base, row.author),
        "content": row.content,
        "created_at": when(row.at),
    }
