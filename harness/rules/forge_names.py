"""Every name we use on the forge and in the store: branches, labels, scopes, leases, purposes.

A purpose is why a write is made. The same purpose on the same item is the same write for ever, so
each holds what makes the occasion new: a head, a hash of the text, or the occasion of a call.
"""

from __future__ import annotations

import hashlib
import re

NEEDS_A_PERSON = "harness: needs a person"
SKIP = "harness: skip"
GO = "harness: go"
LABELS = (NEEDS_A_PERSON, SKIP, GO)
STATUS_CONTEXT = "harness/review"
REPO_SCOPE = "repo"

_BRANCH = re.compile(r"harness/issue-([1-9][0-9]*)(?:-([1-9][0-9]*))?")


# -- branches -------------------------------------------------------------------------------------
def branch_name(issue: int, attempt: int = 1) -> str:
    """The branch of the first attempt at an issue, or of a later one."""
    return f"harness/issue-{issue}" if attempt <= 1 else f"harness/issue-{issue}-{attempt}"


def item_of_branch(branch: str) -> tuple[int, int] | None:
    """(issue, attempt) of a branch that is named as ours are; a name alone gives no authority."""
    found = _BRANCH.fullmatch(branch)
    if found is None:
        return None
    issue, attempt = int(found[1]), int(found[2] or 1)
    return (issue, attempt) if branch == branch_name(issue, attempt) else None


# -- scopes of the ledger -------------------------------------------------------------------------
def pull_scope(number: int) -> str:
    """The scope of one pull request."""
    return f"pr:{number}"


def branch_scope(branch: str) -> str:
    """The scope of the work on one branch."""
    return f"branch:{branch}"


def file_scope(path: str) -> str:
    """The scope of one file."""
    return f"file:{path}"


# -- leases ---------------------------------------------------------------------------------------
def item_lease(repo_id: int, number: int) -> str:
    """Held by whoever works this item."""
    return f"item:{repo_id}:{number}"


def triage_lease(repo_id: int) -> str:
    """Held by whoever triages this repository."""
    return f"triage:{repo_id}"


# -- purposes of intents --------------------------------------------------------------------------
def short_hash(text: str) -> str:
    """16 hex digits that stand for a text in a purpose."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def push_purpose(branch: str, sha: str) -> str:
    """One push of one commit to one branch."""
    return f"push:{branch}:{sha}"


def open_purpose(branch: str) -> str:
    """The one pull request of a branch."""
    return f"open:{branch}"


def body_purpose(number: int, body: str) -> str:
    """This wording of a body of ours."""
    return f"body:{number}:{short_hash(body)}"


def decline_purpose(made_on: str) -> str:
    """The one decline comment on what was decided."""
    return f"decline:{made_on[:16]}"


def close_purpose(made_on: str) -> str:
    """Closing an issue on what was decided."""
    return f"close:{made_on[:16]}"


def status_comment_purpose(number: int) -> str:
    """The one status comment of a pull request."""
    return f"status-comment:{number}"


def edit_status_purpose(number: int, was: str, body: str) -> str:
    """The status comment going from one text (its hash) to another."""
    return f"status-comment:{number}:{was[:16]}:{short_hash(body)}"


def commit_status_purpose(sha: str, state: str, description: str, before: str = "") -> str:
    """One state of our commit status on one head; `before` is the purpose of the one it follows."""
    purpose = f"commit-status:{sha}:{state}:{short_hash(description)}"
    return f"{purpose}:{short_hash(before)}" if before else purpose


def call_purpose(occasion: str) -> str:
    """The comment that calls a person; `occasion` is the head or the reason it is about."""
    return f"call:{short_hash(occasion)}"


def label_purpose(name: str, occasion: str) -> str:
    """Putting a label on, on one occasion."""
    return f"label:{name}:{short_hash(occasion)}"


def unlabel_purpose(name: str, occasion: str) -> str:
    """Taking our label off, on one occasion."""
    return f"unlabel:{name}:{short_hash(occasion)}"


def assign_purpose(occasion: str) -> str:
    """Assigning who is called, on one occasion."""
    return f"assign:{short_hash(occasion)}"


def ready_purpose(sha: str) -> str:
    """Taking the pull request out of draft at this head."""
    return f"ready:{sha}"


def merge_purpose(sha: str) -> str:
    """The merge of this head."""
    return f"merge:{sha}"


def file_purpose(entry_id: str) -> str:
    """The one issue filed for an entry of the ledger."""
    return f"file:{entry_id}"


def delete_branch_purpose(branch: str, sha: str) -> str:
    """Deleting our branch at this tip."""
    return f"delete-branch:{branch}:{sha}"


def undo_purpose(intent_id: str) -> str:
    """Taking back one write."""
    return f"undo:{intent_id}"
