"""The exchanges of a branch as custody sees them: what was asked, answered, used."""

from __future__ import annotations

from harness.facts.case import Told
from harness.facts.exchanges import EXCHANGES, REPLY_TYPES
from harness.facts.journal import Ended, Ending, Exchange, ExchangeKind, Replied
from harness.facts.replies import AnyReply, ImplementationReply, ResponseReply, ReviewReply
from harness.facts.trees import CommitRow, Left
from harness.rules.conflicts import has_markers
from harness.rules.evidence import VERDICT
from harness.rules.heirs import inherit_told
from harness.runs.desk import Desk
from harness.runs.inheriting import the_two_of
from harness.runs.job import Job
from harness.words.briefs import LEAK_TARGET


def tell(desk: Desk, job: Job, rows: tuple[CommitRow, ...]) -> tuple[Told, ...]:
    """All exchanges of this branch, oldest first, with what became of their answers."""
    recorded = dict(desk.store.recorded(desk.repo_id, job.item))
    undone = _undone(desk, job)
    committed = {row.exchange_id for row in rows}
    two = the_two_of(desk)
    return tuple(
        _as_undone(told) if exchange.id in undone else inherit_told(told, exchange.brief.pin, two)
        for exchange in desk.store.exchanges(desk.repo_id, job.item)
        if exchange.brief.branch == job.branch
        for told in (_tell_one(desk, exchange, recorded, committed),)
    )


def supersede_stale(
    desk: Desk, told: tuple[Told, ...], head: str, rows: tuple[CommitRow, ...]
) -> bool:
    """End open exchanges that ask about a head that is not there any more; whether any was.

    A story that is told again after a dry run comes to its later heads again: they wait for it.
    """
    elsewhere = [
        one for one in told if one.result is None and one.head != head and one.kind in _ON_HEAD
    ]
    known = {row.sha for row in rows}
    stale = [one for one in elsewhere if one.head in known or not _may_come(desk, head, one.head)]
    for one in stale:
        reason = f"the head moved from {one.head[:12]} to {head[:12]}"
        row = Ended(result=Ending.SUPERSEDED, reason=reason)
        desk.store.append(one.id, row, desk.clock.now())
    return bool(stale)


def _may_come(desk: Desk, head: str, later: str) -> bool:
    return desk.trees.has(later) and desk.trees.is_ancestor(head, later)


def parse_recorded(kind: ExchangeKind, replied: Replied) -> AnyReply:
    """The reply that counts, which was judged when it came."""
    return REPLY_TYPES[EXCHANGES[kind].reply].model_validate_json(replied.text)


_ON_HEAD = frozenset(
    {
        ExchangeKind.REVIEW,
        ExchangeKind.CLOSE,
        ExchangeKind.RESPOND,
        ExchangeKind.FIX_OWN,
        ExchangeKind.FIX_CHECK,
        ExchangeKind.REBUT,
        ExchangeKind.UPDATE,
    }
)


def _undone(desk: Desk, job: Job) -> frozenset[str]:
    """Exchanges whose answers a run recorded that was taken back since."""
    runs = {one.run_id for one in desk.store.undone(desk.repo_id, job.item)}
    if not runs:
        return frozenset()
    by = desk.store.recorded_by(desk.repo_id, job.item)
    return frozenset(exchange for exchange, run in by if run in runs)


def _as_undone(told: Told) -> Told:
    return _without_answer(told, "its run was undone")


def _without_answer(told: Told, reason: str) -> Told:
    """Its answer counts no more; where the question still stands it is asked anew."""
    return told.model_copy(
        update={"result": Ending.SUPERSEDED, "reason": reason, "recorded": False, "held": ()}
    )


def _tell_one(
    desk: Desk,
    exchange: Exchange,
    recorded: dict[str, tuple[str, ...]],
    committed: set[str],
) -> Told:
    brief = exchange.brief
    told = Told(
        id=exchange.id,
        run_id=exchange.run_id,
        kind=brief.kind,
        agent=brief.pin.agent,
        round=brief.round,
        attempt=brief.attempt,
        head=brief.head,
        base=brief.base,
        result=exchange.result,
        reason=exchange.reason,
        not_before=exchange.not_before,
        at=exchange.created_at,
        heard=brief.heard,
        recorded=exchange.id in recorded,
        held=recorded.get(exchange.id, ()),
        committed=exchange.id in committed,
        of_leak=any(target == LEAK_TARGET for _, target in brief.handles.handles),
    )
    replied = desk.store.reply(exchange.id) if exchange.result is Ending.REPLIED else None
    if replied is None:
        return told
    told = _with_reply(told, replied)
    if _is_lost(desk, told, replied):
        return _without_answer(told, "what it left is lost")
    return _with_merge(desk, told, replied) if told.kind is ExchangeKind.UPDATE else told


def _is_lost(desk: Desk, told: Told, replied: Replied) -> bool:
    """Whether changes that are not committed lay in a mirror that is not there any more."""
    changes = told.edited or told.kind is ExchangeKind.UPDATE  # a merge may need no edit
    if replied.left is None or not changes or told.committed or told.refused:
        return False
    return not desk.trees.has_tree(replied.left.tree_sha)


def _with_reply(told: Told, replied: Replied) -> Told:
    left = replied.left
    seen: dict[str, object] = {
        "edited": left is not None and not left.is_empty,
        "refused": tuple(f"{path.path} ({path.refused})" for path in left.refused) if left else (),
    }
    match parse_recorded(told.kind, replied):
        case ImplementationReply() as reply:
            seen |= {"not_worth_doing": reply.not_worth_doing, "reason": reply.reason}
        case ReviewReply() as reply:
            seen |= {
                "fix_myself": reply.next_action == "fix_myself",
                "asks_for_changes": reply.verdict == "changes_requested"
                and any(fault.point == VERDICT for fault in replied.fallen),
                "not_reviewed": tuple(f"{one.path} ({one.reason})" for one in reply.not_reviewed),
            }
        case ResponseReply(dispositions=(one,)) if told.kind in _ABOUT_ONE:
            seen |= {"reason": one.reasoning}
        case _:
            pass
    return told.model_copy(update=seen)


_ABOUT_ONE = frozenset({ExchangeKind.FIX_CHECK, ExchangeKind.UPDATE})


def _with_merge(desk: Desk, told: Told, replied: Replied) -> Told:
    """A merge is solved when its author says so and no marker is left; it may need no edit."""
    reply, left = parse_recorded(told.kind, replied), replied.left
    assert isinstance(reply, ResponseReply)
    if left is None or any(one.action != "fixed" for one in reply.dispositions):
        return told.model_copy(update={"edited": False})
    if told.committed or not (desk.trees.has(told.head) and desk.trees.has(told.base)):
        return told.model_copy(update={"edited": True})
    return told.model_copy(update={"edited": True, "unsolved": _unsolved(desk, told, left)})


def _unsolved(desk: Desk, told: Told, left: Left) -> tuple[str, ...]:
    _, conflicts = desk.trees.merge_tree(told.head, told.base)
    return tuple(
        path
        for path in conflicts
        if has_markers(
            desk.trees.read(left.tree_sha, path) or b"",
            (desk.trees.read(side, path) or b"" for side in (told.head, told.base)),
        )
    )
