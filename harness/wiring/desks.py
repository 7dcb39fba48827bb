"""A desk: what one thread needs to work one repository, laid from doors, settings and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from harness.config import the_two
from harness.doors.notify import Progress
from harness.doors.store import Lease, Store
from harness.edges.editing import read_editor
from harness.edges.files import StateFiles
from harness.edges.keys import read_marker_key
from harness.edges.notifying import CommandNotify
from harness.edges.pace import FilePace
from harness.edges.staging import Staged
from harness.edges.store import NO_CAPS, SqliteStore, WriteCaps
from harness.errors import SetupFailed
from harness.facts.forge import Author, Comment
from harness.facts.intents import Intent, Receipt, Write
from harness.facts.settings import RepoSettings
from harness.facts.turns import AgentPin
from harness.rooms import read_prompts, read_schemas
from harness.rules.markers import Kind, mark_write, verify_marker
from harness.rules.outgoing import OutgoingPolicy, pass_write
from harness.rules.standing import Whose, whose_text
from harness.runs.desk import Desk
from harness.runs.one_by_one import OneByOne
from harness.runs.outbox import Outbox
from harness.wiring.forge import Forge, open_forge
from harness.wiring.house import House
from harness.wiring.vendors import Vendors
from harness.words.commit_message import trailers


@dataclass(frozen=True)
class Calling:
    """How one command was called."""

    run_id: str
    started: datetime
    named: frozenset[int] = frozenset()
    anyway: bool = False
    adopt: bool = False
    dry: bool = False
    undoing: bool = False  # taking back is not held up by the caps on writes
    turned_away: dict[AgentPin, str] = field(default_factory=dict)
    """Agents that this command asks no more, and why; only ever added to."""
    setups: dict[str, SetupFailed] = field(default_factory=dict)
    """Setups that this command runs no more; only ever added to."""
    one_by_one: OneByOne = field(default_factory=OneByOne)
    """Makes what its threads share once; only ever added to."""
    mistakes: list[str] = field(default_factory=list)
    """What is wrong with one of several repositories; only ever added to."""


@contextmanager
def open_desk(
    house: House,
    repo: RepoSettings,
    calling: Calling,
    progress: Progress,
    said: Callable[[Intent, Receipt], None] | None = None,
) -> Iterator[Desk]:
    """A desk for this thread; `said` is told each write of a dry run."""
    staged = Staged(said or _say_nothing) if calling.dry else None
    desk = _make_desk(house, repo, calling, progress, staged)
    try:
        yield desk
    finally:
        desk.close()


def _make_desk(
    house: House,
    repo: RepoSettings,
    calling: Calling,
    progress: Progress,
    staged: Staged | None,
) -> Desk:
    with ExitStack() as ending:
        store = house.open_store(dry=calling.dry)
        ending.callback(store.close)
        forge = open_forge(house, repo, store, staged, ending)
        vendors = Vendors(house)
        ending.callback(vendors.close)
        kept = ExitStack()
        desk = _lay_desk(
            house, repo, calling, progress, staged, store, forge, vendors, close=kept.close
        )
        kept.push(ending.pop_all())
    return desk


def _lay_desk(
    house: House,
    repo: RepoSettings,
    calling: Calling,
    progress: Progress,
    staged: Staged | None,
    store: SqliteStore,
    forge: Forge,
    vendors: Vendors,
    *,
    close: Callable[[], None],
) -> Desk:
    told, me = forge.reading.repo(), forge.reading.whoami()
    store.note_repo(told)
    key = read_marker_key(house.state, house.environ)
    limits = repo.limits
    caps = WriteCaps(item_day=limits.writes_item_day, day=limits.writes_day)
    capped = store.limited(NO_CAPS if calling.undoing else caps)

    policy = OutgoingPolicy(
        mask=house.mask,
        mentions=frozenset(repo.loop.escalate_to),
        trailers=trailers(house.settings.commit),
        body_chars=limits.body_chars,
        comment_chars=limits.comment_chars,
    )

    def dress(write: Write, nonce: str) -> Write:
        return mark_write(pass_write(write, policy), key=key, repo_id=told.id, nonce=nonce)

    def fresh(lease: Lease | None) -> Desk:
        desk = _make_desk(house, repo, calling, progress, staged)
        return desk.under(lease) if lease and staged is None else desk

    outbox = Outbox(
        store=capped,
        writing=forge.writing,
        clock=house.clock,
        pace=FilePace(house.state / "outbox.lock", house.clock),
        dress=dress,
    )
    return Desk(
        settings=house.settings,
        choice=repo,
        repo=told,
        me=me,
        agents=the_two(house.settings, repo),
        run_id=calling.run_id,
        started=calling.started,
        named=calling.named,
        anyway=calling.anyway,
        adopt=calling.adopt,
        store=capped,
        reading=forge.reading,
        trees=forge.trees,
        workbench=house.workbench(repo, (str(forge.trees.mirror.path),)),
        turns=vendors.turns,
        turned_away=calling.turned_away,
        setups=calling.setups,
        mistakes=calling.mistakes,
        one_by_one=calling.one_by_one,
        outbox=outbox,
        files=StateFiles(house.state),
        clock=house.clock,
        progress=progress,
        notify=CommandNotify(() if calling.dry else house.settings.notify.command, house.mask),
        prompts=read_prompts(),
        schemas=read_schemas(),
        prices=house.prices,
        editor=read_editor(),
        scrub=house.mask,
        spot=house.spot,
        whose=_whose(me, told.id, key, store, house.settings.github.bots),
        fresh=fresh,
        close=close,
    )


def _whose(
    me: Author, repo_id: int, key: bytes, store: Store, bots: tuple[str, ...]
) -> Callable[[Comment, int], Whose]:
    def whose(comment: Comment, number: int) -> Whose:
        kind, write = _TEXTS[comment.where]
        verdict = verify_marker(key, repo_id=repo_id, kind=kind, parent=number, body=comment.body)
        known = store.is_delivered(repo_id, write, comment.id)
        delivered = (comment.id,) if known else ()
        return whose_text(
            text_id=comment.id,
            author=comment.author,
            us=me,
            delivered=delivered,
            marker=verdict,
            bots=bots,
        )

    return whose


_TEXTS: dict[str, tuple[Kind, Literal["comment", "reply", "review"]]] = {
    "issue": ("comment", "comment"),
    "thread": ("thread", "reply"),
    "review": ("review", "review"),
}
"""Where a text stands: the kind of its marker, and of the write that made it."""


def _say_nothing(_intent: Intent, _receipt: Receipt) -> None:
    """A dry run that nobody listens to."""
