"""The one text gateway: every title, body, comment, note, status and commit message passes it.

    pass_text(text, where, policy)     one text
    pass_write(write, policy)          all texts of one write

What comes out is valid UTF-8, within limits, its markup closed, without secrets, and wakes nobody
who was not meant: no mention, no other bot's command, no closing keyword. Passing twice changes
nothing more.
"""

from harness.rules.outgoing.fences import code_span, fence
from harness.rules.outgoing.gateway import pass_text
from harness.rules.outgoing.markup import close_line, close_markup
from harness.rules.outgoing.policy import OutgoingPolicy, Where
from harness.rules.outgoing.writes import pass_write

__all__ = [
    "OutgoingPolicy",
    "Where",
    "close_line",
    "close_markup",
    "code_span",
    "fence",
    "pass_text",
    "pass_write",
]
