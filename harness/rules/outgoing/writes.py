"""All texts of one write through the gateway, each for the place it goes to."""

from __future__ import annotations

from dataclasses import replace

from harness.facts.intents import (
    CommentOn,
    CreateIssue,
    EditBody,
    EditComment,
    EditIssue,
    InlineNote,
    MakeCheckRun,
    Merge,
    OpenPull,
    PostReview,
    ReplaceReview,
    ReplyIn,
    SetStatus,
    Write,
)
from harness.rules.forge_names import item_of_branch
from harness.rules.outgoing.gateway import pass_text
from harness.rules.outgoing.policy import OutgoingPolicy, Where


def pass_write(write: Write, policy: OutgoingPolicy) -> Write:
    """The write with every text passed; kinds without a text are unchanged.

    Only a pull request of ours, its body and its merge may close something: what the policy names,
    the issue that our branch is named for, and what the merge says.
    """
    closing = _meant(write, policy)
    silent = replace(policy, closes=frozenset())
    match write:
        case OpenPull() | CreateIssue():
            return write.model_copy(
                update={
                    "title": pass_text(write.title, Where.TITLE, silent),
                    "body": pass_text(write.body, Where.BODY, closing),
                }
            )
        case EditBody():
            return write.model_copy(update={"body": pass_text(write.body, Where.BODY, closing)})
        case CommentOn() | EditComment():
            return write.model_copy(update={"body": pass_text(write.body, Where.COMMENT, silent)})
        case ReplyIn():
            return write.model_copy(update={"body": pass_text(write.body, Where.NOTE, silent)})
        case ReplaceReview():
            return write.model_copy(update={"body": pass_text(write.body, Where.REVIEW, silent)})
        case PostReview():
            return write.model_copy(
                update={
                    "body": pass_text(write.body, Where.REVIEW, silent),
                    "notes": tuple(_pass_note(note, silent) for note in write.notes),
                }
            )
        case EditIssue():
            return write.model_copy(update={"title": pass_text(write.title, Where.TITLE, silent)})
        case SetStatus():
            description = pass_text(write.description, Where.STATUS, silent)
            return write.model_copy(update={"description": description})
        case MakeCheckRun():
            return write.model_copy(
                update={
                    "title": pass_text(write.title, Where.TITLE, silent),
                    "summary": pass_text(write.summary, Where.BODY, silent),
                }
            )
        case Merge():
            return write.model_copy(
                update={
                    "title": pass_text(write.title, Where.TITLE, silent),
                    "message": pass_text(write.message, Where.COMMIT, closing),
                }
            )
        case _:
            return write


def _pass_note(note: InlineNote, policy: OutgoingPolicy) -> InlineNote:
    return note.model_copy(update={"body": pass_text(note.body, Where.NOTE, policy)})


def _meant(write: Write, policy: OutgoingPolicy) -> OutgoingPolicy:
    match write:
        case OpenPull():
            ours = item_of_branch(write.branch)
            return replace(policy, closes=policy.closes | ({ours[0]} if ours else set()))
        case Merge():
            return replace(policy, closes=policy.closes | ({write.closes} - {0}))
        case EditBody():
            return policy
        case _:
            return replace(policy, closes=frozenset())
