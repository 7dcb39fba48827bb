"""`harness runs`, word by word."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from harness.edges.store import SqliteStore
from harness.facts.decisions import Outcome
from harness.facts.intents import Push, Receipt
from harness.facts.journal import Ended, Ending, Exchange, ExchangeKind
from harness.facts.money import Usage
from tests.cli.making import (
    NOON,
    WIDE,
    Harness,
    make_answered,
    make_asked,
    make_brief,
    make_intent,
    make_repo,
    make_report,
    make_run,
)

USAGE = Usage(input=1_000, cache_read=9_000, cache_write=0, output=500)


def ask(store: SqliteStore, exchange: Exchange, ending: Ending, reason: str = "") -> None:
    store.ask(exchange.id, make_asked(1, 50_000), WIDE, "2026-11-30", NOON)
    store.append(exchange.id, make_answered(1, 42_000, USAGE), NOON)
    store.append(exchange.id, Ended(result=ending, reason=reason), NOON)


@pytest.fixture
def review(store: SqliteStore) -> Exchange:
    """A run with a review that was answered, an open question, and two writes."""
    store.note_repo(make_repo())
    store.start_run(make_run())
    exchange = store.open_exchange("a1b2c3", make_brief(), NOON)
    ask(store, exchange, Ending.REPLIED)
    store.open_exchange("a1b2c3", make_brief(kind=ExchangeKind.RESPOND), NOON)
    push = Push(branch="harness/issue-12", sha="c" * 40, expected="")
    store.open_intent(make_intent("push", write=push, why="the check is green"))
    told = store.open_intent(make_intent("tell"))
    url = "https://github.com/ada/engine/issues/12#issuecomment-1"
    store.settle_intent(told.id, "delivered", "", Receipt(id=1, url=url), NOON)
    return exchange


def end(store: SqliteStore) -> None:
    reports = (
        make_report(12, Outcome.ESCALATED, reason="disputed", pull=14),
        make_report(13, Outcome.APPROVED),
    )
    at = NOON + timedelta(minutes=7)
    store.end_run("a1b2c3", at=at, exit_code=1, reports=reports)


def test_runs_are_listed_with_what_they_came_to(
    harness: Harness, store: SqliteStore, review: Exchange
) -> None:
    end(store)
    later = NOON + timedelta(hours=1)
    store.start_run(make_run("d4e5f6", command="triage", dry=True, started_at=later))

    said = harness("runs")

    assert (
        said.out
        == """\
run     started (UTC)     command       exit  tokens  spent     outcomes
d4e5f6  2026-11-30 13:00  triage (dry)  -     0       0.0000 $
a1b2c3  2026-11-30 12:00  run           1     10,500  0.0420 $  1 approved, 1 escalated
"""
    )


def test_a_run_shows_its_items_its_exchanges_and_its_writes(
    harness: Harness, store: SqliteStore, review: Exchange, state: Path
) -> None:
    end(store)
    folder = state / "transcripts" / "ada-engine"
    folder.mkdir(parents=True)
    (folder / "12-review-claude-1-1.md").touch()
    asked, other = (one.id[:8] for one in store.exchanges_of_run("a1b2c3"))

    said = harness("runs", "a1")

    assert (
        said.out
        == f"""\
run a1b2c3
harness run
started 2026-11-30 12:00 UTC, ended 2026-11-30 12:07 UTC, exit code 1
1 request, 10,000 tokens in (90 % from cache), 500 out, 0.0420 $

items
  item            outcome    pull  title
  ada/engine #12  escalated  #14   Issue 12
      disputed
  ada/engine #13  approved         Issue 13

exchanges
  exchange  item            kind     agent       round.try  result   turns  tokens  cached  spent
  {asked}  ada/engine #12  review   claude (m)  1.1        replied  1      10,500  90 %    0.0420 $
      {folder}/12-review-claude-1-1.md
  {other}  ada/engine #12  respond  claude (m)  1.1        open     0      0       0 %     0.0000 $

writes
  item            write    target            state      why
  ada/engine #12  push     harness/issue-12  open       the check is green
  ada/engine #12  comment  #12               delivered  to say so
      https://github.com/ada/engine/issues/12#issuecomment-1
"""
    )


def test_a_run_that_was_killed_says_that_it_has_no_end(
    harness: Harness, store: SqliteStore, review: Exchange
) -> None:
    said = harness("runs", "a1b2c3")

    assert "it goes on, or was killed, exit code -\n" in said.out


def test_why_an_exchange_gave_no_answer_stands_below_it(
    harness: Harness, store: SqliteStore
) -> None:
    store.start_run(make_run())
    exchange = store.open_exchange("a1b2c3", make_brief(), NOON)
    ask(store, exchange, Ending.TRUNCATED, "cut off at 32,000 tokens")

    said = harness("runs", "a1b2c3")

    assert "  truncated  1" in said.out
    assert "\n      cut off at 32,000 tokens\n" in said.out
    assert "repository 1 #12" in said.out


def test_json_of_a_run_has_every_number_whole(
    harness: Harness, store: SqliteStore, review: Exchange
) -> None:
    end(store)

    page = harness("runs", "a1b2c3", "--json").json

    assert page["schema"] == "harness.run-page/1"
    assert page["run"]["outcomes"] == {"escalated": 1, "approved": 1}
    assert page["exchanges"][0]["cost"] == {
        "requests": 1,
        "input": 10_000,
        "cache_read": 9_000,
        "output": 500,
        "micro_dollars": 42_000,
    }
    assert [write["state"] for write in page["writes"]] == ["open", "delivered"]


def test_a_transcript_is_printed_by_the_beginning_of_its_exchange(
    harness: Harness, review: Exchange
) -> None:
    said = harness("runs", "--transcript", review.id[:10])

    assert said.code == 0
    assert said.out.startswith("# review of #12 by claude, round 1, try 1\n")
    assert "exchange: review ada/engine#12 round 1" in said.out


def test_a_forgotten_transcript_says_so(
    harness: Harness, store: SqliteStore, review: Exchange
) -> None:
    end(store)
    for one in store.exchanges_of_run("a1b2c3"):
        if one.result is None:
            store.append(one.id, Ended(result=Ending.SUPERSEDED, reason=""), NOON)
    store.forget_bodies(NOON + timedelta(days=1))

    said = harness("runs", "--transcript", review.id)

    assert said.err == "what was said is forgotten (90 days after the item's end)\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("zz",), 'harness: there is no run "zz"; `harness runs` lists them\n'),
        (("",), 'harness: there is no run ""; `harness runs` lists them\n'),
        (
            ("a1b2",),
            "harness: a1b2 is the beginning of several runs: a1b2ff, a1b2c3\n",
        ),
        (
            ("--transcript", "zz"),
            'harness: there is no exchange "zz"; `harness runs RUN` lists them\n',
        ),
    ],
    ids=["unknown", "empty", "ambiguous", "no exchange"],
)
def test_an_id_that_names_not_one_is_one_sentence(
    harness: Harness, store: SqliteStore, words: tuple[str, ...], told: str
) -> None:
    store.start_run(make_run())
    store.start_run(make_run("a1b2ff", started_at=NOON + timedelta(minutes=1)))

    said = harness("runs", *words)

    assert (said.code, said.out, said.err) == (2, "", told)


def test_no_run_yet_is_no_empty_table(harness: Harness, store: SqliteStore) -> None:
    assert harness("runs").out == "there was no run yet\n"
    assert harness("runs", "--json").json == {"schema": "harness.runs/1", "runs": []}


def test_a_store_that_is_newer_than_the_code_is_the_callers_mistake(
    harness: Harness, store: SqliteStore, state: Path
) -> None:
    store._records.database.conn.execute("PRAGMA user_version = 99")

    said = harness("runs")

    assert said.code == 2
    assert "newer than this harness" in said.err
