"""`harness ledger`, word by word."""

from __future__ import annotations

import pytest

from harness.edges.store import SqliteStore
from harness.facts.entries import Disposition, EventKind
from harness.facts.findings import Evidence
from tests.cli.making import Harness, make_entry, make_event, make_repo

QUOTE = Evidence(kind="quote", file="a.py", line=3, text="if x is None:\n    return")
RAN = Evidence(kind="command", file="make test", line=1, text="1 failed")


@pytest.fixture
def filled(store: SqliteStore) -> SqliteStore:
    """One entry refuted in one scope and open in another, one that needs a person."""
    store.note_repo(make_repo())
    store.record_events(
        (make_entry("crash", "3fa29c0111111111"), make_entry("leak", "3fb0000011111111")),
        (("entry-crash", "it crashes", "a.py"),),
        (
            make_event("crash", EventKind.RAISED, 0, reasoning="Seen in review.", evidence=(RAN,)),
            make_event(
                "crash", EventKind.CLAIMED_REFUTED, 1, actor="gpt", reasoning="It is checked.",
                evidence=(QUOTE,),
            ),
            make_event("crash", EventKind.AGREED, 2, disposition=Disposition.REFUTED),
            make_event("leak", EventKind.RAISED, 3),
            make_event("leak", EventKind.ESCALATED, 4, actor="harness"),
            make_event("crash", EventKind.RAISED, 5, scope="pr:20", round=2, id="again"),
        ),
    )  # fmt: skip
    return store


def test_entries_are_listed_newest_first_with_their_state_in_each_scope(
    harness: Harness, filled: SqliteStore
) -> None:
    said = harness("ledger", "list")

    assert (
        said.out
        == """\
id        state        scope  where  last (UTC)        title
3fa29c01  open         pr:20  a.py   2026-11-30 12:05  crash
3fb00000  needs human  pr:14  a.py   2026-11-30 12:04  leak
3fa29c01  refuted      pr:14  a.py   2026-11-30 12:02  crash
"""
    )


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--state", "refuted"), ["crash"]),
        (("--scope", "pr:14"), ["leak", "crash"]),
        (("--scope", "pr:14", "--state", "open"), []),
        (("--repo", "ada/engine", "--limit", "1"), ["crash"]),
    ],
    ids=["state", "scope", "both", "limit"],
)
def test_a_list_can_be_narrowed(
    harness: Harness, filled: SqliteStore, words: tuple[str, ...], found: list[str]
) -> None:
    page = harness("ledger", "list", "--json", *words).json

    assert page["schema"] == "harness.ledger/1"
    assert [entry["title"] for entry in page["entries"]] == found


def test_a_list_that_is_cut_says_so(harness: Harness, filled: SqliteStore) -> None:
    said = harness("ledger", "list", "--limit", "2")

    assert said.out.endswith("only the newest 2; --limit shows more\n")


def test_an_entry_shows_its_finding_its_states_and_its_whole_story(
    harness: Harness, filled: SqliteStore
) -> None:
    said = harness("ledger", "show", "3fa2")

    assert (
        said.out
        == """\
3fa29c01 crash
ada/engine, v1:3fa29c0111111111
also worded: it crashes

  scope  state    last (UTC)
  pr:14  refuted  2026-11-30 12:02 by claude
  pr:20  open     2026-11-30 12:05 by claude

  title: crash
  where: a.py:3-3 at hhhhhhh
  severity: blocking; category: correctness
  scenario: empty input
  detail: It crashes.
  evidence, quote of a.py:3:
  x = 1

what happened (4 events)

  2026-11-30 12:00  raised by claude (pr:14, round 1, at hhhhhhh)
    Seen in review.
    $ make test (exit status 1)
    | 1 failed

  2026-11-30 12:01  claimed refuted by gpt (pr:14, round 1, at hhhhhhh)
    It is checked.
    a.py:3
    | if x is None:
    |     return

  2026-11-30 12:02  agreed: refuted by claude (pr:14, round 1, at hhhhhhh)

  2026-11-30 12:05  raised by claude (pr:20, round 2, at hhhhhhh)
"""
    )


@pytest.mark.parametrize("prefix", ["3fa29c01", "v1:3fa29c0111111111", "entry-crash"])
def test_an_entry_is_found_by_id_or_fingerprint(
    harness: Harness, filled: SqliteStore, prefix: str
) -> None:
    page = harness("ledger", "show", prefix, "--json").json

    assert page["schema"] == "harness.entry/1"
    assert page["fingerprint"] == "v1:3fa29c0111111111"
    assert [scope["state"] for scope in page["scopes"]] == ["refuted", "open"]


def test_a_ruling_by_a_person_says_so(harness: Harness, filled: SqliteStore) -> None:
    ruled = make_event(
        "leak", EventKind.RULED, 6, actor="ada", by_person=True, disposition=Disposition.REFUTED
    )
    filled.record_events((), (), (ruled,))

    said = harness("ledger", "show", "3fb")

    assert "pr:14  refuted (by a person)  2026-11-30 12:06 by ada" in said.out
    assert "ruled: refuted by ada (a person) (pr:14, round 1" in said.out


@pytest.mark.parametrize(
    ("prefix", "told"),
    [
        ("3f", "3f is the beginning of several entries: 3fa29c01 (crash), 3fb00000 (leak)"),
        ("9", 'there is no entry "9"; `harness ledger list` lists them'),
        ("", 'there is no entry ""; `harness ledger list` lists them'),
    ],
    ids=["ambiguous", "unknown", "empty"],
)
def test_an_id_that_names_not_one_entry_is_one_sentence(
    harness: Harness, filled: SqliteStore, prefix: str, told: str
) -> None:
    said = harness("ledger", "show", prefix)

    assert (said.code, said.out, said.err) == (2, "", f"harness: {told}\n")


def test_a_repository_that_no_run_has_reached_is_one_sentence(
    harness: Harness, filled: SqliteStore
) -> None:
    said = harness("ledger", "list", "--repo", "ada/shop")

    assert (said.code, said.err) == (
        2,
        "harness: no run has reached ada/shop yet: nothing is known of it\n",
    )


def test_a_state_that_is_none_is_refused_with_those_that_are(
    harness: Harness, filled: SqliteStore
) -> None:
    said = harness("ledger", "list", "--state", "closed")

    assert said.code == 2
    assert "'needs_human'" in said.err
