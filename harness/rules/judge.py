"""A reply as it came in, judged: what must be read first, then everything that is wrong with it."""

from __future__ import annotations

from harness.facts.journal import Brief
from harness.facts.judgement import Judgement, ShapeFaults
from harness.facts.sources import Read, Sources
from harness.rules.evidence import check_claims, wanted_reads
from harness.rules.shape import read_reply


def wanted(brief: Brief, text: str) -> tuple[Read, ...]:
    """What has to be read before this text can be judged; nothing when it is no reply."""
    reply = read_reply(brief, text)
    return () if isinstance(reply, ShapeFaults) else wanted_reads(brief, reply)


def judge(brief: Brief, text: str, sources: Sources) -> Judgement:
    """Shape complaints, or else the claims that do not check."""
    reply = read_reply(brief, text)
    if isinstance(reply, ShapeFaults):
        return Judgement(shape=reply.complaints, claims=())
    return Judgement(shape=(), claims=check_claims(brief, reply, sources))
