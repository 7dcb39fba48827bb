"""GO only if everything that is asked for is known and good; what is unknown is a reason against.

approve_gate    this head is reviewed by the agent that did not move it, nothing that blocks is
                open, claimed, disputed or with a person, people were heard and nobody asks for
                changes, and the checks pass
merge_gate      the same, and a person allowed merging: auto_merge, a green check of our own,
                the forge calls it mergeable, no protected path, no person spoke since it was opened
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from harness.facts.case import Case, PullView
from harness.facts.gate import Verdict
from harness.rules.custody import (
    blockers,
    elsewhere,
    is_outdated,
    review_of_head,
    unheard,
    was_rewritten,
)
from harness.rules.forge_names import NEEDS_A_PERSON

Question = Callable[[Case], Iterator[str]]


def approve_gate(case: Case) -> Verdict:
    """Whether this head may be called approved."""
    return _verdict(case, _APPROVE)


def merge_gate(case: Case) -> Verdict:
    """Whether this head may be merged by itself."""
    return _verdict(case, (*_APPROVE, *_MERGE))


def _verdict(case: Case, questions: tuple[Question, ...]) -> Verdict:
    reasons = tuple(reason for question in questions for reason in question(case))
    return Verdict(go=not reasons, reasons=reasons)


# -- what approval asks for -----------------------------------------------------------------------
def _is_there(case: Case) -> Iterator[str]:
    if case.left_alone:
        yield case.left_alone
    if case.parked:
        yield case.parked
    if not case.head:
        yield "there is no change"
    if case.unaccounted:
        yield case.unaccounted
    if case.pull is None:
        yield "there is no pull request"
    elif case.pull.state != "open":
        yield f"the pull request is {case.pull.state}"
    if not case.item_open:
        yield f"#{case.item} is closed"


def _head_stands(case: Case) -> Iterator[str]:
    if case.pull is not None and case.pull.head != case.head:
        yield "the pull request's head is not the head that was reviewed"
    if where := elsewhere(case):
        yield where
    if case.pushed != case.head:
        yield "the branch on the forge is not at the head that was reviewed"


def _is_reviewed(case: Case) -> Iterator[str]:
    review = review_of_head(case)
    if review is None:
        yield "no valid review of this head by the agent that did not move it"
        return
    if words := unheard(case, review):
        who = ", ".join(sorted({word.by for word in words}))
        yield f"the review was not shown what was said by {who}"
    if is_outdated(case, review):
        yield f"the review was shown another text of #{case.item}"
    if review.held:
        yield _held(len(review.held))
    if review.not_reviewed:
        yield f"the review left out {', '.join(review.not_reviewed)}"
    if review.asks_for_changes:
        yield f"{review.agent} asks for changes and names nothing that blocks"


def _held(count: int) -> str:
    if count == 1:
        return "1 finding may be a settled point; its raiser has not said"
    return f"{count} findings may be settled points; their raiser has not said"


def _nothing_blocks(case: Case) -> Iterator[str]:
    for point in blockers(case):
        yield f"{point.state.value.replace('_', ' ')}: {point.title}"
    if case.called:
        yield "a person was called and has not acted since"


def _nobody_objects(case: Case) -> Iterator[str]:
    if case.objections:
        yield f"{', '.join(case.objections)} asked for changes"


def _own_check_passes(case: Case) -> Iterator[str]:
    check = case.head_check
    if not case.has_check:
        return
    if check is None or check.sha != case.head:
        yield "the check has not run on this head"
    elif not check.passes:
        yield f"the check is {check.state}"


def _forge_checks_pass(case: Case) -> Iterator[str]:
    for check in case.forge_checks:
        if not check.required or check.state == "green":
            continue
        if check.state == "pending":
            yield f"the required check {check.name} is not done"
        elif check.state == "stopped":
            yield f"the required check {check.name} ended without a result"
        elif check.name not in case.forge_checks_red_on_base:
            yield f"the required check {check.name} is red"


# -- what merging asks for beside it ---------------------------------------------------------------
def _is_allowed(case: Case) -> Iterator[str]:
    if not case.loop.auto_merge:
        yield "auto_merge is off"
    if case.method_allowed is None:
        yield "it is not known whether the repository allows this way to merge"
    elif not case.method_allowed:
        yield f"the repository does not allow to merge by {case.loop.merge}"


def _is_approved(case: Case) -> Iterator[str]:
    if not case.approved or case.approved != case.head:
        yield "this head is not approved"


def _own_check_is_green(case: Case) -> Iterator[str]:
    check = case.head_check
    if not case.has_check or check is None or check.state == "absent":
        yield "without a check nothing merges by itself"
    elif check.state == "unchanged":
        dark = ", and which tests fail is not known" if check.is_in_the_dark else ""
        yield f"the check is red on the base too{dark}"


def _all_forge_checks_are_green(case: Case) -> Iterator[str]:
    red = set(case.forge_checks_red_on_base)
    for check in case.forge_checks:
        if check.required and check.state == "red" and check.name in red:
            yield f"the required check {check.name} is red on the base too"


def _forge_would_merge(case: Case) -> Iterator[str]:
    if case.pull is None:
        return
    yield from _pull_stands(case.pull)
    if case.update_needed:
        yield "the branch has to take the base in first"


def _pull_stands(pull: PullView) -> Iterator[str]:
    if pull.draft:
        yield "it is a draft"
    if pull.mergeable is None:
        yield "the forge has not said whether it can be merged"
    elif not pull.mergeable or pull.conflicts:
        yield "the forge says it cannot be merged"


def _nobody_is_passed_over(case: Case) -> Iterator[str]:
    if case.protected_paths is None:
        yield "it is not known whether protected paths are touched"
    elif case.protected_paths:
        yield f"protected paths need a person: {', '.join(case.protected_paths)}"
    if case.objections is None:
        yield "it is not known whether somebody objects"
    if case.person_wanted:
        yield f'the label "{NEEDS_A_PERSON}" is on it: merging is left to people'
    if was_rewritten(case):
        yield f"the text of #{case.item} was changed since a review: merging is left to people"
    if speakers := spoke_since_it_was_opened(case):
        yield f"{', '.join(speakers)} wrote about it: merging is left to people"


def spoke_since_it_was_opened(case: Case) -> tuple[str, ...]:
    """Whoever wrote on the pull request, and who may write on the issue since it is open."""
    opened = case.pull.opened_at if case.pull else None
    spoke = {
        word.by
        for word in case.words
        if word.place == "pull" or (word.may_write and (opened is None or word.at > opened))
    }
    return tuple(sorted(spoke))


_APPROVE: tuple[Question, ...] = (
    _is_there,
    _head_stands,
    _is_reviewed,
    _nothing_blocks,
    _nobody_objects,
    _own_check_passes,
    _forge_checks_pass,
)
_MERGE: tuple[Question, ...] = (
    _is_allowed,
    _is_approved,
    _own_check_is_green,
    _all_forge_checks_are_green,
    _forge_would_merge,
    _nobody_is_passed_over,
)
