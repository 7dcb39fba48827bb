from __future__ import annotations

from typing import Any

import pytest

from harness.edges.store import SqliteStore
from harness.errors import StoreError
from harness.facts.entries import Disposition, Standing, State
from harness.facts.matching import Plan

KEY = (1, "one", "a.py")


def seen(store: SqliteStore, scope: str, key: tuple[int, str, str] = KEY) -> Standing:
    (standing,) = store.known([key], scope)
    return standing


@pytest.fixture
def refuted(store: SqliteStore, made: Any) -> SqliteStore:
    """The entry `one` was refuted in pr:5."""
    store.record_events([made.entry("one")], [], made.refuted("one"))
    return store


def test_a_refuted_entry_is_known_with_its_whole_story(refuted: SqliteStore, made: Any) -> None:
    standing = seen(refuted, "pr:5")

    assert standing.state is State.REFUTED
    assert standing.finding == made.finding("one")
    assert [(event.kind.value, event.clock) for event in standing.events] == [
        ("raised", 1),
        ("claimed_refuted", 2),
        ("agreed", 3),
    ]
    assert standing.events[1] == made.refuted("one")[1].model_copy(update={"clock": 2})


def test_points_come_in_the_order_of_their_places_whatever_their_ids(
    store: SqliteStore, made: Any
) -> None:
    named = [("one", "b.py", "2"), ("two", "a.py", "9"), ("three", "a.py", "1")]
    for title, file, id_ in named:
        entry = made.entry(title, file=file, id=id_)
        store.record_events([entry], [], [made.event(id_, title, "raised", entry_id=id_)])

    standings = store.in_scope(1, "pr:5")

    assert [one.entry.title for one in standings] == ["three", "two", "one"]


def test_a_story_told_again_changes_nothing(refuted: SqliteStore, made: Any) -> None:
    before = seen(refuted, "pr:5")

    refuted.record_events([made.entry("one")], [], made.refuted("one"))

    assert seen(refuted, "pr:5") == before


def test_a_story_cut_short_is_told_to_its_end(store: SqliteStore, made: Any) -> None:
    story = made.refuted("one")
    store.record_events([made.entry("one")], [], story[:1])

    store.record_events([made.entry("one")], [], story)

    assert [event.clock for event in seen(store, "pr:5").events] == [1, 2, 3]


def test_a_story_about_an_unknown_entry_is_refused_whole(store: SqliteStore, made: Any) -> None:
    events = [made.event("1", "one", "raised"), made.event("2", "nobody", "raised")]

    with pytest.raises(StoreError, match="no entry entry-nobody"):
        store.record_events([made.entry("one")], [], events)

    assert store.known([KEY], "pr:5") == ()


def test_what_is_settled_in_one_pull_request_is_a_precedent_in_another(
    refuted: SqliteStore,
) -> None:
    elsewhere = seen(refuted, "pr:6")

    assert (elsewhere.scope, elsewhere.state) == ("pr:5", State.REFUTED)
    assert elsewhere.precedent
    assert not seen(refuted, "pr:5").precedent


def test_the_narrowest_scope_with_a_state_holds(refuted: SqliteStore, made: Any) -> None:
    refuted.record_events(
        [],
        [],
        [
            made.event("r", "one", "suppressed", scope="repo"),
            made.event("f", "one", "raised", scope="file:a.py"),
            made.event("n", "one", "reraised", scope="branch:b"),  # says nothing of the state
        ],
    )

    told = {scope: seen(refuted, scope) for scope in ("pr:5", "pr:6", "branch:b", "repo")}

    assert {scope: (one.scope, one.state.value) for scope, one in told.items()} == {
        "pr:5": ("pr:5", "refuted"),
        "pr:6": ("file:a.py", "open"),
        "branch:b": ("file:a.py", "open"),
        "repo": ("repo", "suppressed"),
    }


def test_another_files_scope_counts_only_where_the_entry_has_been(
    refuted: SqliteStore, made: Any
) -> None:
    refuted.record_events([], [], [made.event("f", "one", "suppressed", scope="file:old.py")])
    before = seen(refuted, "pr:6")

    refuted.record_events([], [("entry-one", "one", "old.py")], [])

    assert (before.scope, before.precedent) == ("file:old.py", True)
    after = seen(refuted, "pr:6")
    assert (after.scope, after.precedent) == ("file:old.py", False)


def test_a_persons_ruling_in_a_wider_scope_beats_a_models_in_a_narrower(
    store: SqliteStore, made: Any
) -> None:
    ruling = {"scope": "repo", "actor": "mia", "by_person": True}
    store.record_events(
        [made.entry("one")],
        [],
        [
            made.event("p", "one", "ruled", disposition=Disposition.REFUTED, **ruling),
            made.event("m", "one", "raised", scope="pr:5"),
            made.event("n", "one", "reraised", scope="pr:5", new_evidence=True),
        ],
    )

    standing = seen(store, "pr:5")

    assert (standing.scope, standing.state, standing.by_person) == ("repo", State.REFUTED, True)
    assert [event.id for event in standing.events] == ["p", "m", "n"]


def test_what_was_taken_back_does_not_hold(refuted: SqliteStore, made: Any) -> None:
    refuted.record_events([], [], [made.event("undo", "one", "revoked", revokes="one-3")])

    standing = seen(refuted, "pr:5")

    assert (standing.state, standing.claim) == (State.CLAIMED, Disposition.REFUTED)


def test_an_entry_of_which_all_was_taken_back_may_be_raised_anew(
    store: SqliteStore, made: Any
) -> None:
    undo = made.event("undo", "one", "revoked", revokes="1")
    store.record_events([made.entry("one")], [], [made.event("1", "one", "raised"), undo])
    taken_back = store.known([KEY], "pr:5")

    anew = made.entry("anew", title_key="one")
    store.record_events([anew], [], [made.event("2", "anew", "raised")])

    assert taken_back == ()
    assert (seen(store, "pr:5").entry.id, seen(store, "pr:5").state) == ("entry-one", State.OPEN)


def test_an_earlier_wording_and_an_earlier_file_lead_to_the_entry(
    refuted: SqliteStore, made: Any
) -> None:
    wordings = [("entry-one", "uno", "a.py"), ("entry-one", "one", "old.py")]
    own = ("entry-one", "one", "a.py")

    refuted.record_events([], [*wordings, own], [])

    assert seen(refuted, "pr:5", (1, "uno", "a.py")).aliases == ("one", "uno")
    assert [one.entry.id for one in refuted.in_files(1, ["old.py"], "pr:5")] == ["entry-one"]
    assert refuted._records.number("SELECT count(*) FROM aliases") == 2


def test_several_keys_are_answered_once_each_and_only_in_their_repository(
    refuted: SqliteStore, made: Any
) -> None:
    refuted.record_events(
        [made.entry("two"), made.entry("far", repo_id=2, title_key="one")],
        [("entry-two", "one", "a.py")],
        [made.event("2", "two", "raised"), made.event("3", "far", "raised")],
    )

    found = refuted.known([KEY, KEY, (1, "two", "a.py"), (1, "none", "a.py")], "pr:5")

    assert [one.entry.id for one in found] == ["entry-one", "entry-two"]


def test_an_entry_that_nobody_raised_has_no_standing(store: SqliteStore, made: Any) -> None:
    store.record_events([made.entry("one")], [], [made.event("s", "one", "suppressed")])

    assert store.known([KEY], "pr:5") == ()


def test_entries_of_a_scope_and_of_files_are_found(refuted: SqliteStore, made: Any) -> None:
    refuted.record_events(
        [made.entry("two", file="b.py"), made.entry("three", file="b.py")],
        [],
        [made.event("2", "two", "raised", scope="pr:6"), made.event("3", "three", "raised")],
    )

    in_files = refuted.in_files(1, ["b.py", "c.py"], "pr:6")
    in_scope = refuted.in_scope(1, "pr:5")

    assert {one.entry.id for one in in_files} == {"entry-two", "entry-three"}
    assert {one.entry.id for one in in_scope} == {"entry-one", "entry-three"}
    assert refuted.in_scope(2, "pr:5") == ()


def test_the_same_key_gets_the_next_ordinal(refuted: SqliteStore, made: Any) -> None:
    key = made.entry("one").key
    second = made.entry("second", title_key="one", ordinal=refuted.next_ordinal(key))

    refuted.record_events([second], [], [made.event("s", "second", "raised")])

    assert [one.entry.key.ordinal for one in refuted.known([KEY], "pr:5")] == [1, 2]
    assert refuted.next_ordinal(key) == 3
    assert refuted.next_ordinal(made.entry("new").key) == 1


def test_two_who_raise_the_same_key_at_once_make_one_entry(refuted: SqliteStore, made: Any) -> None:
    late = made.entry("late", title_key="one")
    story = ([late], [("entry-late", "uno", "a.py")], [made.event("l", "late", "reraised")])

    refuted.record_events(*story)
    refuted.record_events(*story)

    standing = seen(refuted, "pr:5")
    assert standing.entry.id == "entry-one"
    assert [event.id for event in standing.events][-1] == "l"
    assert standing.aliases == ("uno",)
    assert refuted.by_id(["entry-late"], "pr:5") == (standing,)


def test_a_reply_is_recorded_whole_and_once(store: SqliteStore, made: Any) -> None:
    plan = Plan(entries=(made.entry("one"),), aliases=(), events=made.refuted("one"), met=())

    store.record_reply("x1", 1, 12, plan, ("F2", "F3"), made.noon)
    store.record_reply("x1", 1, 12, plan, (), made.after(1))
    store.record_reply("x2", 1, 12, plan, ("F1",), made.after(2))

    assert store.recorded(1, 12) == (("x1", ()), ("x2", ("F1",)))
    assert store.recorded(1, 13) == ()
    assert len(seen(store, "pr:5").events) == 3


def test_a_reply_whose_plan_fails_is_not_recorded(store: SqliteStore, made: Any) -> None:
    plan = Plan(entries=(), aliases=(), events=made.refuted("one"), met=())

    with pytest.raises(StoreError):
        store.record_reply("x1", 1, 12, plan, (), made.noon)

    assert store.recorded(1, 12) == ()


def test_standings_are_listed_newest_first_and_filtered(refuted: SqliteStore, made: Any) -> None:
    later = {"at": made.after(60)}
    refuted.record_events(
        [made.entry("two"), made.entry("far", repo_id=2)],
        [],
        [
            made.event("2", "two", "raised", **later),
            made.event("3", "far", "raised", at=made.after(90)),
            made.event("4", "one", "raised", scope="pr:6", at=made.after(30)),
        ],
    )

    def listed(repo_id: int | None = None, limit: int = 9, **by: str) -> list[tuple[str, str]]:
        asked = {"state": None, "scope": None} | by
        found = refuted.list_standings(repo_id, limit=limit, **asked)
        return [(one.entry.title, one.scope) for one in found]

    assert listed() == [("far", "pr:5"), ("two", "pr:5"), ("one", "pr:6"), ("one", "pr:5")]
    assert listed(limit=2) == [("far", "pr:5"), ("two", "pr:5")]
    assert listed(1, state="open") == [("two", "pr:5"), ("one", "pr:6")]
    assert listed(scope="pr:6") == [("one", "pr:6")]
    assert listed(state="refuted", scope="pr:6") == []


def test_more_standings_than_a_page_are_all_listed(store: SqliteStore, made: Any) -> None:
    names = [f"n{number}" for number in range(620)]
    store.record_events(
        [made.entry(name) for name in names],
        [],
        [made.event(name, name, "raised") for name in names],
    )

    found = store.list_standings(None, state="open", scope=None, limit=1000)

    assert {one.entry.title for one in found} == set(names)


def test_an_entry_is_found_by_the_beginning_of_its_id_or_fingerprint(
    refuted: SqliteStore, made: Any
) -> None:
    refuted.record_events([], [], [made.event("r", "one", "raised", scope="repo")])
    fingerprint = made.entry("one").fingerprint
    asked = (fingerprint, fingerprint[3:11], "entry-o")

    found = [{one.scope for one in refuted.entry(prefix)} for prefix in asked]

    assert found == [{"pr:5", "repo"}] * 3
    assert refuted.entry("%") == refuted.entry("") == ()


def test_text_that_utf8_cannot_hold_is_mended_not_lost(store: SqliteStore, made: Any) -> None:
    odd = {"reasoning": "half \ud83d and NUL \x00", "finding": made.finding("t \udc00")}
    store.record_events([made.entry("one")], [], [made.event("1", "one", "raised", **odd)])

    standing = seen(store, "pr:5")

    assert standing.events[0].reasoning == "half \ufffd and NUL \x00"
    assert standing.finding.title == "t \ufffd"
