"""Pushing: only what descends from what it replaces, only to our own branches, only under a lease.

A lease alone pushes a commit that does not descend from the tip it names, so that both are asked.
Every attempt can be asked about afterwards: the tip is the commit, or descends from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import assert_never

from harness.edges.git.mirror import Mirror
from harness.edges.git.names import is_branch
from harness.edges.git.objects import has_commit, is_ancestor
from harness.errors import ForgeError, GitError, Refused
from harness.facts.intents import DeleteBranch, Intent, Push, PushLedger, Receipt

OURS = "harness/"
LEDGER = "refs/harness/"

Move = Push | DeleteBranch | PushLedger

_FLAGS = (
    "--no-verify",
    "--no-follow-tags",
    "--no-signed",
    "--recurse-submodules=no",
    "--quiet",
)
_REJECTED = re.compile(r"^ ! \[remote rejected\] .* \((.*)\)$", re.MULTILINE)
_PASSING = re.compile(r"(?i)lock|failed to update ref|internal|timed? ?out|temporar|unpack")


class GitPushing:
    """The part of `doors.writing.Writing` that goes through git.

    `is_protected` asks the forge about a branch, before each push and delete; what it raises is
    passed on.
    """

    def __init__(
        self,
        mirror: Mirror,
        default_branch: str,
        is_protected: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._mirror = mirror
        self._default = default_branch
        self._is_protected = is_protected

    def deliver(self, intent: Intent) -> Receipt:
        """Push once.

        Raises GitError when it is in doubt or the lease did not hold, ForgeError when the forge
        says no for good, Refused for a push that must never be made.
        """
        move = _move_of(intent)
        never = self._never(move) or self._would_overwrite(move)
        if never:
            raise Refused(never)
        ref, old, new = _ref_of(move), _expected(move), _wanted(move)
        if not new and not self._mirror.remote_ref(ref):
            return Receipt()
        try:
            self._mirror.ask(
                "push", *_FLAGS, f"--force-with-lease={ref}:{old}", self._mirror.url, f"{new}:{ref}"
            )
        except GitError as error:
            raise _told_by_forge(error) from None
        return Receipt(sha=new)

    def read_back(self, intent: Intent) -> Receipt | None:
        """What the remote says now; a tip that somebody built on top of ours is ours too."""
        move = _move_of(intent)
        ref, new = _ref_of(move), _wanted(move)
        tip = self._mirror.remote_ref(ref)
        if not new:
            return None if tip else Receipt()
        if tip == new or (tip and self._descends(tip, new, ref)):
            return Receipt(sha=new)
        return None

    def unmet(self, intent: Intent) -> str:
        """Why this must not be pushed (any more); "" when it may, or has happened already."""
        move = _move_of(intent)
        never = self._never(move) or self._would_overwrite(move)
        if never:
            return never
        ref, old = _ref_of(move), _expected(move)
        tip = self._mirror.remote_ref(ref)
        if tip in {old, _wanted(move)}:
            return ""
        if not tip:
            return f"{ref} is gone; it was at {old[:10]}"
        return f"{ref} moved to {tip[:10]}; {old[:10] or 'nothing'} was expected there"

    def _never(self, move: Move) -> str:
        match move:
            case PushLedger(ref=ref):
                fine = ref.startswith(LEDGER) and is_branch(ref)
                return "" if fine else f"{ref} is not a ledger ref: those start with {LEDGER}"
            case Push(branch=branch, adopted=adopted):
                return self._never_branch(branch, adopted=adopted)
            case DeleteBranch(branch=branch):
                return self._never_branch(branch, adopted=False)
            case _:
                assert_never(move)

    def _never_branch(self, branch: str, *, adopted: bool) -> str:
        if not is_branch(branch):
            return f"{branch!r} is not a branch name"
        if not adopted and not branch.startswith(OURS):
            return f"{branch} is not a branch of ours: those start with {OURS}"
        if branch == self._default or self._is_protected(branch):
            return f"{branch} is the default branch or protected: nothing is pushed there"
        return ""

    def _would_overwrite(self, move: Move) -> str:
        old, new = _expected(move), _wanted(move)
        if not new:
            return ""
        if not has_commit(self._mirror, new):
            return f"{new[:10]} is not here"
        if old and not (has_commit(self._mirror, old) and is_ancestor(self._mirror, old, new)):
            return f"{new[:10]} does not descend from {old[:10]}: it would overwrite it"
        return ""

    def _descends(self, tip: str, new: str, ref: str) -> bool:
        if not has_commit(self._mirror, tip):
            self._mirror.fetch_object(ref)
        return (
            has_commit(self._mirror, tip)
            and has_commit(self._mirror, new)
            and is_ancestor(self._mirror, new, tip)
        )


def _move_of(intent: Intent) -> Move:
    write = intent.write
    if not isinstance(write, Push | DeleteBranch | PushLedger):
        raise TypeError(f"{write.kind} is not made through git")
    return write


def _ref_of(move: Move) -> str:
    return move.ref if isinstance(move, PushLedger) else f"refs/heads/{move.branch}"


def _expected(move: Move) -> str:
    return move.sha if isinstance(move, DeleteBranch) else move.expected


def _wanted(move: Move) -> str:
    return "" if isinstance(move, DeleteBranch) else move.sha


def _told_by_forge(error: GitError) -> GitError | ForgeError:
    """A refusal that will not pass becomes the forge's no; all else stays in doubt."""
    rejected = _REJECTED.search(error.stderr)
    if rejected and not _PASSING.search(rejected[1]):
        said = " ".join(re.findall(r"(?m)^remote: (.*\S)\s*$", error.stderr))[:500]
        why = f"{rejected[1]}: {said}" if said else rejected[1]
        return ForgeError(f"the forge refused the push: {why}", reason="forbidden")
    if "Authentication failed" in error.stderr or "could not read Username" in error.stderr:
        message = "the forge knows no such credential (401 to git push)"
        return ForgeError(message, reason="unauthorised", status=401)
    if "returned error: 403" in error.stderr:
        message = "this credential may not push there (403 to git push)"
        return ForgeError(message, reason="forbidden", status=403)
    return error
