"""What comes next in an exchange, from its journal alone.

    asked, nothing heard ──> ask again (the one repeat after a kill)
    failed ──> wait and ask │ anew from the brief (signature) │ overflow, unusable, unreachable
    turned away ──> ask again, as if it had not been asked: the operator has acted since
    cut off ──> ask again with a larger output bound, once ──> truncated
    calls ──> one after another: run │ answer without running (interrupted, unknown, seen too often)
      all done ──> judge the last reply │ ask on
    no call ──> nudge, once ──> invalid        (an exchange without tools: its text is the reply)
    judged ──> complain, once │ accept, faulty points fallen │ invalid
    replied ──> finish

Total and pure: the same journal gives the same move, so a kill after any row changes nothing.
"""

from __future__ import annotations

from harness.errors import TURNED_AWAY
from harness.facts.journal import Brief, Ending, Failed, JournalRow
from harness.facts.judgement import Judgement
from harness.facts.moves import (
    Accept,
    AnswerCall,
    Ask,
    Complain,
    ExchangeLimits,
    Finish,
    Judge,
    Move,
    Nudge,
    RunCall,
)
from harness.facts.turns import Call, Conversation, ReplySchema, Stop, Tools
from harness.rules.calls import find_fault
from harness.rules.complaints import word_complaint
from harness.rules.last_reply import list_findings, pick_complete, take_last
from harness.rules.retelling import INTERRUPTED, Latest, Story, close_turn, refuse, retell
from harness.rules.same_call import SEEN, is_stuck

MOST_FAILURES = 6  # in a row, before an agent counts as unreachable
NUDGE = (
    "Your turn ended without a call of the tool `reply`. Nothing outside of it is read as your "
    "answer. Call `reply` now, with the complete answer."
)
_SHOWN = 500  # characters of a vendor's or an agent's words in a reason


def next_move(
    brief: Brief,
    exchange_id: str,
    reply: ReplySchema,
    journal: tuple[JournalRow, ...],
    limits: ExchangeLimits,
) -> Move:
    """The next move of this exchange; of an ended one its `Finish` again."""
    story = retell(brief, journal)
    if story.ended:
        return Finish(
            ending=story.ended.result,
            reason=story.ended.reason,
            not_before=story.ended.not_before,
        )
    if story.replied:
        return Finish(ending=Ending.REPLIED, reason="")
    over = _is_over(story) or _is_endless(story, limits)
    if over:
        return over
    latest = story.latest
    if story.failed or latest is None or latest.said or latest.is_paused:
        return _ask(brief, exchange_id, reply, story, limits)
    if latest.pending:
        return _work_off(story, latest, latest.pending[0], brief.tools)
    if latest.turn.calls and not latest.replies:
        return _ask(brief, exchange_id, reply, story, limits)
    return _close(story, latest, brief.tools, limits)


def is_overtaken(stored: Brief, wanted: Brief) -> bool:
    """Whether what was asked is no longer what is to be asked."""
    return (stored.head, stored.base, stored.decision) != (
        wanted.head,
        wanted.base,
        wanted.decision,
    )


def after_judgement(judge: Judge, judgement: Judgement) -> Complain | Accept | Finish:
    """One repair turn in total; then a bad shape is no answer, and faulty claims fall singly."""
    faulty = judgement.shape or judgement.claims
    if faulty and judge.repairable:
        return Complain(text=word_complaint(judgement), call_id=judge.call_id)
    if judgement.shape:
        reason = "the reply was invalid twice: " + "; ".join(judgement.shape)
        return Finish(ending=Ending.INVALID, reason=reason)
    return Accept(text=judge.text, call_id=judge.call_id, fallen=judgement.claims)


def _is_over(story: Story) -> Finish | None:
    if story.lost >= MOST_FAILURES:
        reason = f"the harness was stopped {story.lost} times in a row while it asked"
        return Finish(ending=Ending.UNREACHABLE, reason=reason)
    if story.failed:
        return _after_failure(story, story.failed)
    if len(story.cut_off) > 1 and not story.in_doubt:
        return Finish(ending=Ending.TRUNCATED, reason=_tell_truncation(story))
    stop = story.latest.turn.stop if story.latest else None
    if story.latest and stop is Stop.REFUSED:
        said = _quote(story.latest.turn.text)
        return Finish(ending=Ending.REFUSED, reason=f"the vendor refused to answer{said}")
    if stop is Stop.OVERFLOW:
        return Finish(ending=Ending.OVERFLOW, reason="the context window is full")
    return None


def _after_failure(story: Story, failed: Failed) -> Finish | None:
    detail = failed.words[:_SHOWN]
    match failed.why:
        case "overflow":
            return Finish(ending=Ending.OVERFLOW, reason=detail)
        case "bad_request":
            return Finish(ending=Ending.UNUSABLE, reason=detail)
        case why if why in TURNED_AWAY:
            return None
        case "bad_signature" if story.anew > 1:
            return Finish(ending=Ending.UNUSABLE, reason=f"also after a new start, {detail}")
        case _ if story.failures >= MOST_FAILURES:
            reason = f"{story.failures} requests in a row failed, the last with {detail}"
            return Finish(ending=Ending.UNREACHABLE, reason=reason, not_before=failed.not_before)
        case _:
            return None


def _is_endless(story: Story, limits: ExchangeLimits) -> Finish | None:
    """No more turns, and none of those that were made replied."""
    if story.turns < limits.turns or story.in_doubt:
        return None
    if story.latest and _may_reply(story.latest):
        return None
    reason = f"no reply within {limits.turns} turns"
    return Finish(ending=Ending.ENDLESS, reason=reason)


def _may_reply(latest: Latest) -> bool:
    """Whether the latest turn holds a reply that nobody has complained about yet."""
    has_one = bool(latest.replies) or not latest.turn.calls
    return has_one and latest.said is None and not latest.is_paused


def _work_off(story: Story, latest: Latest, call: Call, tools: Tools) -> Move:
    if latest.started:
        return AnswerCall(result=refuse(call, INTERRUPTED))
    fault = find_fault(call, tools)
    if is_stuck(story.seen, call):
        if story.told:
            reason = f"the same call of `{call.name}` again and again"
            return Finish(ending=Ending.ENDLESS, reason=reason)
        return AnswerCall(result=refuse(call, SEEN))
    if fault:
        return AnswerCall(result=refuse(call, fault))
    return RunCall(call=call)


def _close(story: Story, latest: Latest, tools: Tools, limits: ExchangeLimits) -> Move:
    repairable = not story.repaired and story.turns < limits.turns
    if latest.replies:
        chosen = pick_complete(latest.replies)
        return Judge(text=chosen.arguments, call_id=chosen.id, repairable=repairable)
    if tools is Tools.NOTHING:
        return Judge(text=take_last(latest.turn.text), call_id="", repairable=repairable)
    if story.nudged or story.turns >= limits.turns:
        said = _quote(latest.turn.text)
        return Finish(ending=Ending.INVALID, reason=f"ended its turn without a reply{said}")
    return Nudge(text=NUDGE)


def _ask(
    brief: Brief,
    exchange_id: str,
    reply: ReplySchema,
    story: Story,
    limits: ExchangeLimits,
) -> Ask:
    closed = close_turn(story)
    conversation = Conversation(
        exchange_id=exchange_id,
        pin=brief.pin,
        system=brief.system,
        tools=brief.tools,
        reply=reply,
        messages=closed.messages,
        max_tokens=_bound_output(story, brief.tools, limits),
    )
    return Ask(
        conversation=conversation,
        n=story.asks + 1,
        not_before=story.failed.not_before if story.failed else None,
        failures=story.failures,
        failed=story.failed.words[:_SHOWN] if story.failed else "",
        counted=closed.counted,
        since=closed.since,
    )


def _bound_output(story: Story, tools: Tools, limits: ExchangeLimits) -> int:
    """A repeat asks as before; after a cut at least twice as much; more where a reply is due."""
    asked = story.asked
    if asked and story.cut_off and not (story.in_doubt or story.failed):
        return max(2 * asked.max_tokens, limits.reply_tokens)
    if asked and (story.in_doubt or story.failed):
        return asked.max_tokens
    if tools is Tools.NOTHING or (story.latest and story.latest.said):
        return limits.reply_tokens
    return limits.tool_output_tokens


def _quote(said: str) -> str:
    """What was said instead, to follow a reason; "" for nothing."""
    shown = " ".join(said.split())[:_SHOWN]
    return f": {shown}" if shown else ""


def _tell_truncation(story: Story) -> str:
    """What a person is shown of an answer that was cut off twice; it never counts as a reply."""
    bound = story.asked.max_tokens if story.asked else 0
    reason = f"cut off at the output limit twice, the second time at {bound} tokens"
    complete = list_findings(story.cut_off[-1]) or list_findings(story.cut_off[0])
    if not complete:
        return reason
    return f"{reason}; complete before the cut, not counted: " + "; ".join(complete)
