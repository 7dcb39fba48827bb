"""`harness status`, word by word."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from harness.edges.store import SqliteStore
from harness.facts.decisions import ItemReport, Outcome
from harness.facts.journal import Failed
from harness.facts.money import Usage
from harness.facts.trees import PullRow
from tests.cli.making import (
    NOON,
    WIDE,
    Harness,
    make_answered,
    make_asked,
    make_brief,
    make_repo,
    make_report,
    make_run,
)

PULL = PullRow(
    repo_id=1,
    number=14,
    item=12,
    branch="harness/issue-12",
    base="main",
    origin="ours",
    attempt=1,
    state="open",
    closed_by="",
    status_comment=0,
)


def end(store: SqliteStore, report: ItemReport, minutes: int = 0) -> None:
    at = NOON + timedelta(minutes=minutes)
    store.record_outcome("a1b2c3", 1, report, at)


@pytest.fixture
def filled(store: SqliteStore) -> SqliteStore:
    """One item of each kind that a reader cares about."""
    store.note_repo(make_repo())
    store.start_run(make_run())
    patch = "3 rounds are used up (patch: /state/patches/ada-engine-12-abc.patch)"
    end(store, make_report(12, Outcome.ESCALATED, reason=patch, pull=14))
    store.call_person(1, 12, patch, NOON)
    again = NOON + timedelta(minutes=90)
    told = {"reason": "the forge limits us", "not_before": again}
    end(store, make_report(13, Outcome.WAITING, **told), minutes=1)
    end(store, make_report(15, Outcome.MERGED, pull=16))
    end(store, make_report(17, Outcome.APPROVED, pull=18))
    store.note_pull(PULL)
    return store


def test_what_waits_for_a_person_comes_first(harness: Harness, filled: SqliteStore) -> None:
    said = harness("status", "--repo", "ada/engine")

    assert said.code == 0
    assert (
        said.out
        == """\
1 item waits for a person

ada/engine #12  escalated  Issue 12
  3 rounds are used up (patch: /state/patches/ada-engine-12-abc.patch)
  since 2026-11-30 12:00 UTC, pull request #14
  to do: comment on #14 or push to it, then `harness resume 14 --repo ada/engine`; or close it

ada/engine: spent 0.0000 $ of 20.00 $ today
  item  outcome    since (UTC)       not before        pull  title
  #12   escalated  2026-11-30 12:00                    #14   Issue 12
  #13   waiting    2026-11-30 12:01  2026-11-30 13:30        Issue 13
      the forge limits us
  #17   approved   2026-11-30 12:00                    #18   Issue 17
  over: 1 merged
  working on #14: harness/issue-12 into main
"""
    )


def test_what_is_over_is_listed_when_everything_is_asked_for(
    harness: Harness, filled: SqliteStore
) -> None:
    said = harness("status", "--all", "--repo", "ada/engine")

    assert "#15   merged     2026-11-30 12:00" in said.out
    assert "over:" not in said.out


def test_a_repository_that_no_run_has_reached_says_so(
    harness: Harness, filled: SqliteStore
) -> None:
    said = harness("status", "--repo", "Ada/Shop")

    assert (
        said.out
        == """\
nothing waits for a person

ada/shop: spent 0.0000 $ of 20.00 $ today
  no run has reached it yet
"""
    )


def test_an_item_that_ended_well_after_a_call_does_not_wait_any_more(
    harness: Harness, store: SqliteStore
) -> None:
    store.note_repo(make_repo())
    store.call_person(1, 12, "an old question", NOON)
    end(store, make_report(12, Outcome.APPROVED, pull=14), minutes=1)

    said = harness("status", "--json", "--repo", "ada/engine")

    (item,) = said.json["repos"][0]["items"]
    assert (item["needs_person"], item["called"]) == (False, "")


@pytest.mark.parametrize("outcome", [Outcome.ERROR, Outcome.WAITING, Outcome.UNJUDGED])
def test_what_went_wrong_after_a_call_does_not_hide_it(
    harness: Harness, store: SqliteStore, outcome: Outcome
) -> None:
    store.note_repo(make_repo())
    end(store, make_report(12, Outcome.ESCALATED, reason="refused (patch: /state/a.patch)"))
    store.call_person(1, 12, "refused (patch: /state/a.patch)", NOON)
    end(store, make_report(12, outcome, reason="GitHub answered 502"), minutes=1)

    said = harness("status", "--repo", "ada/engine")

    assert "1 item waits for a person\n\nada/engine #12  called  " in said.out
    assert "\n  refused (patch: /state/a.patch)\n  since 2026-11-30 12:00 UTC" in said.out
    assert "\n      GitHub answered 502\n" in said.out


def test_a_call_for_an_item_that_never_ended_waits(harness: Harness, store: SqliteStore) -> None:
    store.note_repo(make_repo())
    store.call_person(1, 19, "who decides?", NOON)

    said = harness("status", "--repo", "ada/engine")

    assert "ada/engine #19  called\n  who decides?\n" in said.out


@pytest.mark.parametrize(
    ("outcome", "pull", "told"),
    [
        (Outcome.CONTESTED, 0, "`harness run 12 --anyway --repo ada/engine` does it"),
        (Outcome.PARKED, 0, "`harness run 12 --repo ada/engine` says go"),
        (Outcome.NO_CHANGE, 0, "say on #12 what is missing, then `harness run 12 --repo"),
        (Outcome.ESCALATED, 0, "comment on #12 or push to it, then `harness run 12 --repo"),
    ],
)
def test_every_outcome_that_stops_says_what_to_do(
    harness: Harness, store: SqliteStore, outcome: Outcome, pull: int, told: str
) -> None:
    store.note_repo(make_repo())
    end(store, make_report(12, outcome, pull=pull))

    said = harness("status", "--repo", "ada/engine")

    assert f"to do: {told}" in said.out


def test_money_spent_today_and_held_stands_beside_its_caps(
    harness: Harness, filled: SqliteStore
) -> None:
    exchange = filled.open_exchange("a1b2c3", make_brief(), NOON)
    today = harness("status", "--json").json["day"]
    filled.ask(exchange.id, make_asked(1, 1_250_000), WIDE, today, NOON)

    said = harness("status", "--json")

    purse = {"spent": 0, "presumed": 0, "held": 1_250_000}
    assert said.json["today"] == {**purse, "cap": 50_000_000}
    assert said.json["repos"][0]["today"] == {**purse, "cap": 20_000_000}
    assert "(1.25 $ held for requests on their way)" in harness("status").out


def test_the_reserve_of_a_request_that_was_cut_off_is_told_apart(
    harness: Harness, filled: SqliteStore
) -> None:
    exchange = filled.open_exchange("a1b2c3", make_brief(), NOON)
    today = harness("status", "--json").json["day"]
    filled.ask(exchange.id, make_asked(1, 1_250_000), WIDE, today, NOON)
    unknown = Failed(n=1, why="unreachable", detail="", usage=None, not_before=None, cost=None)
    filled.append(exchange.id, unknown, NOON)

    said = harness("status", "--repo", "ada/engine")

    assert (
        "ada/engine: spent 1.25 $ of 20.00 $ (1.25 $ of it reserved by requests that were killed "
        "or cut off: what they cost is not known, so all of it counts) today\n"
    ) in said.out


def test_a_dry_run_before_any_other_stands_in_the_sum(harness: Harness, store: SqliteStore) -> None:
    store.start_run(make_run(dry=True))
    exchange = store.open_exchange("a1b2c3", make_brief(), NOON)
    today = harness("status", "--json").json["day"]
    store.ask(exchange.id, make_asked(1, 90_000), WIDE, today, NOON)
    usage = Usage(input=9, cache_read=0, cache_write=0, output=1)
    store.append(exchange.id, make_answered(1, 60_000, usage), NOON)

    said = harness("status", "--repo", "ada/engine")

    assert "ada/engine: spent 0.0000 $ of 20.00 $ today\n  no run has reached it yet" in said.out
    assert (
        f"all: spent 0.0600 $ of 50.00 $ on {today} (UTC), 0.0600 $ of it in no line above: other "
        "repositories, and dry runs of one that no other run has reached\n"
    ) in said.out


def test_an_item_that_was_interrupted_is_unfinished(harness: Harness, filled: SqliteStore) -> None:
    late = NOON + timedelta(minutes=9)
    filled.open_exchange("a1b2c3", make_brief(item=15), late)
    filled.open_exchange("a1b2c3", make_brief(item=19), late)
    filled.open_exchange("a1b2c3", make_brief(item=17), NOON - timedelta(minutes=9))
    held = filled.claim("item:1:20", late)

    said = harness("status", "--json")

    found = {one["item"]: one for one in said.json["repos"][0]["items"]}
    assert held is not None
    assert [number for number, one in found.items() if one["unfinished"]] == [15, 19, 20]
    assert found[20]["outcome"] is None
    assert not found[20]["needs_person"]
    assert (
        "  #19   unfinished  2026-11-30 12:09\n"
        "      a run works on it, or was stopped: `harness run` goes on where it stood\n"
    ) in harness("status").out


def test_what_strangers_wrote_cannot_steer_the_terminal(
    harness: Harness, store: SqliteStore
) -> None:
    store.note_repo(make_repo())
    title, reason = "\x1b[2J\x1b]0;owned\x07wipe", "one\ntwo \x1b[31mred\u202e"
    end(store, make_report(12, Outcome.ESCALATED, title=title, reason=reason))

    said = harness("status", "--repo", "ada/engine")

    assert "\x1b" not in said.out
    assert "\u202e" not in said.out
    assert "  one\n  two [31mred\n" in said.out


def test_before_any_work_there_is_one_sentence_and_nothing_is_made(
    harness: Harness, state: Path
) -> None:
    said = harness("status")

    assert (said.code, said.out) == (0, f"nothing was worked yet: there is no store in {state}\n")
    assert not state.exists()


@pytest.mark.parametrize("words", [("status",), ("runs",), ("ledger", "list"), ("clean",)])
def test_a_state_directory_that_is_a_file_is_the_callers_mistake(
    harness: Harness, state: Path, words: tuple[str, ...]
) -> None:
    state.touch()

    said = harness(*words)

    told = f"harness: the state directory {state} is no directory: look at [paths] state\n"
    assert (said.code, said.out, said.err) == (2, "", told)


def test_before_any_work_json_is_still_whole(harness: Harness, state: Path) -> None:
    said = harness("status", "--json")

    assert said.json["schema"] == "harness.status/1"
    assert [repo["met"] for repo in said.json["repos"]] == [False, False]
    assert not state.exists()


def test_an_unknown_repository_is_one_sentence_that_names_the_nearest(harness: Harness) -> None:
    said = harness("status", "--repo", "ada/engin")

    assert said.code == 2
    assert said.err == (
        "harness: ada/engin is no configured repository; did you mean ada/engine?\n"
    )
