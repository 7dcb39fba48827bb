"""What happens to a text on its way out, in order, until nothing changes any more."""

from __future__ import annotations

import re

from harness.rules.outgoing.blocks import Block, read_blocks
from harness.rules.outgoing.characters import BREAK, one_line, visible_text
from harness.rules.outgoing.closing import break_closing
from harness.rules.outgoing.limits import CUT, PLAIN_CUT, beginning, cut_text, fits
from harness.rules.outgoing.markup import close_markup
from harness.rules.outgoing.mentions import break_commands, break_mentions, wakes_a_bot
from harness.rules.outgoing.pieces import read_pieces
from harness.rules.outgoing.policy import OutgoingPolicy, Where
from harness.rules.outgoing.stable import until_stable
from harness.rules.outgoing.trailers import break_skips, break_trailers

_SPACE = " "
_REFERENCE = re.compile(r"\n\n(?:Closes|Refs) #\d+\Z")


def pass_text(text: str, where: Where, policy: OutgoingPolicy) -> str:
    """The text as it may leave; passing it again changes nothing."""

    def once(said: str) -> str:
        return _plain(said, where, policy) if where.is_plain else _markdown(said, where, policy)

    def settled(said: str) -> str:
        return until_stable(said, once)

    done = settled(text)
    chars, size = policy.limits(where)
    if fits(done, chars, size):
        return done
    if where.is_one_line:
        return settled(f"{beginning(done, chars - 1, size - 3).rstrip()}…")
    say = PLAIN_CUT if where.is_plain else CUT
    close = str if where.is_plain else close_markup
    last = _reference(done, where)
    return cut_text(
        done.removesuffix(last),
        chars,
        size,
        say=say,
        finish=lambda kept, sentence: settled(f"{close(kept).rstrip()}\n\n{sentence}{last}"),
    )


def _reference(text: str, where: Where) -> str:
    """The last paragraph of a body where it links the item that the body is for: never cut off."""
    found = _REFERENCE.search(text) if where is Where.BODY else None
    return found[0] if found else ""


def _plain(text: str, where: Where, policy: OutgoingPolicy) -> str:
    said = policy.mask(visible_text(text))
    said = one_line(said) if where.is_one_line else said
    said = said.replace("<!--", "< !--")
    said = break_mentions(said, policy.mentions, _SPACE)
    said = break_commands(said, _SPACE)
    said = break_closing(said, policy.closes, _SPACE, plain=True)
    said = break_skips(said)
    if where is Where.COMMIT:
        said = break_trailers(said, policy.trailers)
    return said.strip("\n").rstrip()


def _markdown(text: str, where: Where, policy: OutgoingPolicy) -> str:
    said = close_markup(policy.mask(visible_text(text)))
    parts: list[tuple[str, bool]] = [
        (_passed(block, where, policy), _is_suggestion(block, where)) for block in read_blocks(said)
    ]
    done = "".join(
        part if kept else break_closing(part, policy.closes, BREAK) for part, kept in _joined(parts)
    )
    return done.strip("\n").rstrip()


def _passed(block: Block, where: Where, policy: OutgoingPolicy) -> str:
    if _is_suggestion(block, where):
        return block.text
    if block.kind == "fence":
        text = break_mentions(block.text, policy.mentions, BREAK, code=True)
        return break_commands(_without_info(text, block), BREAK)
    pieces = read_pieces(block.text, spans=block.kind == "text")
    text = "".join(
        break_mentions(piece.text, policy.mentions, BREAK, code=piece.kind == "span")
        for piece in pieces
    )
    return break_commands(text, BREAK)


def _is_suggestion(block: Block, where: Where) -> bool:
    """A block that GitHub applies to a file: changed by nothing, or it is no suggestion."""
    meant = where is Where.NOTE and block.top and block.info == "suggestion"
    return meant and not wakes_a_bot(block.text)


def _without_info(text: str, block: Block) -> str:
    if block.info != "suggestion":
        return text
    first, _, rest = text.partition("\n")
    return f"{first.replace('suggestion', 'text')}\n{rest}"


def _joined(parts: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Neighbours of one kind put together, so that a keyword and its reference are seen at once."""
    joined: list[tuple[str, bool]] = []
    for text, kept in parts:
        if joined and joined[-1][1] == kept:
            joined[-1] = (joined[-1][0] + text, kept)
        else:
            joined.append((text, kept))
    return joined
