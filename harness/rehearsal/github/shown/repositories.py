"""Repositories, branches and refs as payloads show them."""

from __future__ import annotations

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.forge import Forge
from harness.rehearsal.github.rows import Account, Guard, LabelRow, Repository
from harness.rehearsal.github.shown.addresses import api_of, node_id, page_of, when
from harness.rehearsal.github.shown.people import show_account

TEMPLATES = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}


def show_repository(forge: Forge, repository: Repository, viewer: Account | None = None) -> Json:
    """`full-repository` (and, with keys to spare, `repository` and `minimal-repository`)."""
    base = forge.base
    role = forge.role(repository, viewer)
    page = page_of(base, repository)
    count = sum(item.state == "open" and not item.gone for item in repository.items.values())
    return {
        "id": repository.id,
        "node_id": node_id("Repository", repository.id),
        "name": repository.name,
        "full_name": repository.slug,
        "owner": show_account(base, repository.owner),
        "private": repository.private,
        "html_url": page,
        "description": None,
        "fork": bool(repository.fork_of),
        "url": api_of(base, repository),
        **{key: api_of(base, repository, path) for key, path in TEMPLATES.items()},
        "clone_url": f"{page}.git",
        "git_url": f"git:{page.partition(':')[2]}.git",
        "ssh_url": f"git@localhost:{repository.slug}.git",
        "svn_url": page,
        "mirror_url": None,
        "homepage": None,
        "language": None,
        "license": None,
        "default_branch": repository.default_branch,
        "archived": repository.archived,
        "disabled": False,
        "visibility": "private" if repository.private else "public",
        "has_issues": True,
        "has_projects": False,
        "has_wiki": False,
        "has_pages": False,
        "has_downloads": True,
        "has_discussions": False,
        "forks": 0,
        "forks_count": 0,
        "network_count": 0,
        "subscribers_count": 0,
        "stargazers_count": 0,
        "watchers": 0,
        "watchers_count": 0,
        "size": 1,
        "open_issues": count,
        "open_issues_count": count,
        "created_at": when(repository.created_at),
        "updated_at": when(repository.created_at),
        "pushed_at": when(repository.created_at),
        "allow_squash_merge": repository.allow_squash,
        "allow_merge_commit": repository.allow_merge,
        "allow_rebase_merge": repository.allow_rebase,
        "allow_auto_merge": False,
        "delete_branch_on_merge": repository.delete_branch_on_merge,
        "permissions": {
            "admin": role == "admin",
            "maintain": role in {"maintain", "admin"},
            "push": role in {"write", "maintain", "admin"},
            "triage": role in {"triage", "write", "maintain", "admin"},
            "pull": role != "none",
        },
    }


def show_label(base: str, repository: Repository, row: LabelRow) -> Json:
    """`label`."""
    return {
        "id": row.id,
        "node_id": node_id("Label", row.id),
        "url": api_of(base, repository, f"/labels/{row.name}".replace(" ", "%20")),
        "name": row.name,
        "color": row.color,
        "description": row.description,
        "default": row.name in {"bug", "enhancement", "question"},
    }


def show_ref(base: str, repository: Repository, ref: str, sha: str) -> Json:
    """`git-ref`."""
    return {
        "ref": ref,
        "node_id": node_id("Ref", repository.id) + sha[:8],
        "url": api_of(base, repository, f"/git/{ref}"),
        "object": {
            "type": "commit",
            "sha": sha,
            "url": api_of(base, repository, f"/git/commits/{sha}"),
        },
    }


def show_protection(base: str, repository: Repository, branch: str, guard: Guard | None) -> Json:
    """`branch-protection`, as a branch carries it."""
    url = api_of(base, repository, f"/branches/{branch}/protection")
    required = guard.required if guard and not guard.by_rules else ()
    return {
        "enabled": guard is not None and not guard.by_rules,
        "url": url,
        "required_status_checks": {
            "url": f"{url}/required_status_checks",
            "enforcement_level": "non_admins" if required else "off",
            "strict": bool(guard and guard.strict),
            "contexts": list(required),
            "checks": [{"context": name, "app_id": None} for name in required],
            "contexts_url": f"{url}/required_status_checks/contexts",
        },
    }


def show_rules(repository: Repository, guard: Guard | None) -> list[Json]:
    """`repository-rule-detailed`s that guard a branch."""
    if guard is None or not guard.by_rules:
        return []
    of_ruleset = {
        "ruleset_source_type": "Repository",
        "ruleset_source": repository.slug,
        "ruleset_id": repository.id,
    }
    checks: Json = {
        "type": "required_status_checks",
        "parameters": {
            "required_status_checks": [{"context": name} for name in guard.required],
            "strict_required_status_checks_policy": guard.strict,
        },
    }
    return [{"type": "deletion"} | of_ruleset, checks | of_ruleset]
