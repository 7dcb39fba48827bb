"""Commits, files and refs through the API."""

from __future__ import annotations

from base64 import encodebytes

from harness.rehearsal.github.answers import Answer, Json, Listing, Refusal, not_found
from harness.rehearsal.github.call import NOTHING, Call, Route, created, ok
from harness.rehearsal.github.changes import changed_files
from harness.rehearsal.github.heads import follow_all
from harness.rehearsal.github.routes.checks import resolve
from harness.rehearsal.github.rows import Repository
from harness.rehearsal.github.shown.addresses import api_of, page_of
from harness.rehearsal.github.shown.history import show_commit
from harness.rehearsal.github.shown.items import show_pull_in_list
from harness.rehearsal.github.shown.repositories import show_ref


def list_commits(call: Call) -> Listing:
    """GET ~/commits, newest first; `sha` is a branch or a commit, `path` a file."""
    repository = call.repository()
    start = resolve(repository, call.query.get("sha") or repository.default_branch)
    path = call.query.get("path")
    rows = repository.bare.run("rev-list", start, "--", *([path] if path else [])).split()
    return Listing(rows, lambda sha: show_commit(call.forge.base, repository, sha))


def list_pulls_of_commit(call: Call) -> Listing:
    """GET ~/commits/{sha}/pulls: those whose head line holds the commit."""
    repository = call.repository()
    sha = resolve(repository, call.path["commit_sha"])
    rows = [
        item
        for item, pull in call.forge.pulls(repository)
        if sha in {pull.merge_sha, *repository.bare.commits(pull.base_sha, pull.head_sha)}
    ]
    return Listing(rows, lambda item: show_pull_in_list(call.forge, repository, item))


def compare(call: Call) -> Answer:
    """GET ~/compare/{base}...{head}."""
    repository, base_url = call.repository(), call.forge.base
    base_name, dots, head_name = call.path["basehead"].partition("...")
    if not dots:
        raise not_found()
    base, head = resolve(repository, base_name), resolve(repository, head_name)
    common = repository.bare.merge_base(base, head)
    if not common:
        raise Refusal(404, f"No common ancestor between {base_name} and {head_name}.")
    ahead, behind = repository.bare.commits(base, head), repository.bare.commits(head, base)
    status = "identical" if base == head else "ahead" if not behind else "behind"
    page = page_of(base_url, repository, f"/compare/{base_name}...{head_name}")
    return ok(
        {
            "url": api_of(base_url, repository, f"/compare/{base_name}...{head_name}"),
            "html_url": page,
            "permalink_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "base_commit": show_commit(base_url, repository, base),
            "merge_base_commit": show_commit(base_url, repository, common),
            "status": "diverged" if ahead and behind else status,
            "ahead_by": len(ahead),
            "behind_by": len(behind),
            "total_commits": len(ahead),
            "commits": [show_commit(base_url, repository, sha) for sha in ahead],
            "files": changed_files(base_url, repository, common, head),
        }
    )


def show_file(call: Call) -> Answer:
    """GET ~/contents/{path} of a file; folders are not shown here."""
    repository, path = call.repository(), call.path["path"]
    sha = resolve(repository, call.query.get("ref") or repository.default_branch)
    content = repository.bare.read(sha, path)
    if content is None:
        raise not_found()
    return ok(_file(call, repository, sha, path, content))


def _file(call: Call, repository: Repository, sha: str, path: str, content: bytes) -> Json:
    base = call.forge.base
    blob = repository.bare.run_once("rev-parse", f"{sha}:{path}").strip()
    url = api_of(base, repository, f"/contents/{path}?ref={sha}")
    git_url = api_of(base, repository, f"/git/blobs/{blob}")
    page = page_of(base, repository, f"/blob/{sha}/{path}")
    return {
        "type": "file",
        "encoding": "base64",
        "size": len(content),
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "content": encodebytes(content).decode(),
        "sha": blob,
        "url": url,
        "git_url": git_url,
        "html_url": page,
        "download_url": page_of(base, repository, f"/raw/{sha}/{path}"),
        "_links": {"self": url, "git": git_url, "html": page},
    }


def create_ref(call: Call) -> Answer:
    """POST ~/git/refs."""
    repository = call.repository("write")
    ref, sha = call.text("ref", "Reference"), call.text("sha", "Reference")
    if not ref.startswith("refs/") or ref.count("/") < 2:  # noqa: PLR2004 - refs/heads/name
        raise Refusal(422, f"{ref} is not a valid ref name.")
    if not repository.bare.has(sha):
        raise Refusal(422, "Object does not exist")
    if ref in repository.bare.refs():
        raise Refusal(422, "Reference already exists")
    repository.bare.move(ref, sha)
    follow_all(call.forge, call.account)
    return created(show_ref(call.forge.base, repository, ref, sha))


def update_ref(call: Call) -> Answer:
    """PATCH ~/git/refs/{ref}: fast-forwards, unless forced."""
    repository = call.repository("write")
    ref, sha = f"refs/{call.path['ref']}", call.text("sha", "Reference")
    before = repository.bare.refs().get(ref)
    if before is None:
        raise Refusal(422, "Reference does not exist")
    if not repository.bare.has(sha):
        raise Refusal(422, "Object does not exist")
    if not call.given("force") and not repository.bare.is_ancestor(before, sha):
        raise Refusal(422, "Update is not a fast forward")
    repository.bare.move(ref, sha)
    follow_all(call.forge, call.account)
    return ok(show_ref(call.forge.base, repository, ref, sha))


def delete_ref(call: Call) -> Answer:
    """DELETE ~/git/refs/{ref}, whatever it points at."""
    repository = call.repository("write")
    ref = f"refs/{call.path['ref']}"
    if ref not in repository.bare.refs():
        raise Refusal(422, "Reference does not exist")
    repository.bare.move(ref, "")
    follow_all(call.forge, call.account)
    return NOTHING


ROUTES: tuple[Route, ...] = (
    ("GET", "/repos/{owner}/{repo}/commits", list_commits),
    ("GET", "/repos/{owner}/{repo}/commits/{commit_sha}/pulls", list_pulls_of_commit),
    ("GET", "/repos/{owner}/{repo}/compare/{basehead*}", compare),
    ("GET", "/repos/{owner}/{repo}/contents/{path*}", show_file),
    ("POST", "/repos/{owner}/{repo}/git/refs", create_ref),
    ("PATCH", "/repos/{owner}/{repo}/git/refs/{ref*}", update_ref),
    ("DELETE", "/repos/{owner}/{repo}/git/refs/{ref*}", delete_ref),
)
