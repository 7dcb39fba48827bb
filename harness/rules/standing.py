"""Whose a text is, judged by identity and never by what it says.

    the store recorded its id as delivered                      ours
    its author is our App's account                             ours
    its author is our login    a marker that verifies           ours
                               no marker                        the operator's
                               a marker that does not verify    nobody's
    another App, a bot's account, a login listed as a bot's     a bot's
    a deleted account                                           nobody's
    anybody else                                                a person's

Being ours only ever takes authority away; being the operator's gives what their permission gives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, assert_never

from harness.facts.forge import Author, Comment, Permission
from harness.rules.markers import MarkerVerdict

Whose = Literal["ours", "operator", "person", "bot", "nobody"]


def whose_text(
    *,
    text_id: int,
    author: Author,
    us: Author,
    delivered: Collection[int],
    marker: MarkerVerdict,
    bots: Collection[str] = (),
) -> Whose:
    """Whose one text is; `us` is our account, `delivered` ids of this kind of text.

    `bots` are logins that the operator knows to be machines.
    """
    if text_id in delivered:
        return "ours"
    if author.kind == "ghost" or author.id == 0:
        return "nobody"
    if author.id == us.id:
        return _under_our_account(us, marker)
    return "bot" if is_bot(author, bots) else "person"


def is_bot(author: Author, bots: Collection[str] = ()) -> bool:
    """Whether the forge (an App's login ends in `[bot]`) or the operator says it is no person."""
    login = author.login.casefold()
    listed = login in {one.casefold() for one in bots}
    return author.kind == "app" or login.endswith("[bot]") or listed


def counts(whose: Whose, permission: Permission) -> bool:
    """Whether a text may decide anything: a person's, or the operator's, with write access."""
    return whose in {"person", "operator"} and permission.may_write


def is_input(whose: Whose) -> bool:
    """Whether a text is shown to agents as what somebody else said."""
    return whose in {"person", "operator"}


def others_comments(comments: Iterable[tuple[Comment, Whose]]) -> tuple[Comment, ...]:
    """What people wrote: neither our own texts, nor other bots', nor nobody's."""
    return tuple(comment for comment, whose in comments if is_input(whose))


def _under_our_account(us: Author, marker: MarkerVerdict) -> Whose:
    if us.kind == "app":
        return "ours"
    match marker:
        case "verified":
            return "ours"
        case "absent":
            return "operator"
        case "forged":
            return "nobody"
        case _:
            assert_never(marker)
