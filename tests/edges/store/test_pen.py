from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from harness.edges.store import SqliteStore
from harness.errors import StoreError

URLS = "SELECT count(*) FROM etags"


def test_a_transaction_that_raises_leaves_nothing(store: SqliteStore) -> None:
    with pytest.raises(KeyError), store._records.writing():  # noqa: PT012 - the write must come first
        store.store_etag("half", "e", "")
        raise KeyError("half")

    assert store.etag("half") is None


def test_a_write_outside_a_transaction_is_refused(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="outside a transaction"):
        store._records.insert("etags", {"url": "u", "etag": "e", "body": ""})


def test_an_error_of_sqlite_is_a_store_error_that_names_the_file(
    store: SqliteStore, path: Path
) -> None:
    with pytest.raises(StoreError, match=f"the store {path}: no such table") as error:
        store._records.rows("SELECT 1 FROM nowhere")

    assert isinstance(error.value.__cause__, sqlite3.OperationalError)


def test_a_second_writer_waits_for_the_first_and_reads_what_it_wrote(
    store: SqliteStore, path: Path
) -> None:
    begun, seen = threading.Event(), []

    def second() -> None:
        other = SqliteStore.open(path)
        begun.set()
        with other._records.writing():
            seen.append(other._records.number(URLS))
        other.close()

    with store._records.writing():
        writer = threading.Thread(target=second)
        writer.start()
        assert begun.wait(10)
        store.store_etag("first", "e", "")
    writer.join(30)

    assert seen == [1]


def test_several_questions_are_answered_by_one_state_of_the_file(
    store: SqliteStore, path: Path
) -> None:
    other = SqliteStore.open(path)

    with store._records.reading():
        before = store._records.number(URLS)
        other.store_etag("meanwhile", "e", "")
        after = store._records.number(URLS)

    assert (before, after, store._records.number(URLS)) == (0, 0, 1)
    other.close()


@pytest.mark.slow
def test_eight_writers_and_a_long_reader_lose_nothing(
    store: SqliteStore, path: Path, others: Any, tmp_path: Path
) -> None:
    writers = [others.start("write_pairs", path, number) for number in range(8)]
    for writer in writers:
        assert others.hear(writer) == "ready"

    with store._records.reading():
        assert store._records.number(URLS) == 0
        for writer in writers:
            others.tell(writer)
        assert [writer.wait(60) for writer in writers] == [0] * 8
        assert store._records.number(URLS) == 0

    assert store._records.number(URLS) == 800


def test_a_backup_while_others_write_is_whole(
    store: SqliteStore, path: Path, others: Any, tmp_path: Path
) -> None:
    writers = [others.start("write_pairs", path, number) for number in range(2)]
    for writer in writers:
        assert others.hear(writer) == "ready"

    for writer in writers:
        others.tell(writer)
    counts = []
    while any(writer.poll() is None for writer in writers) or not counts:
        target = tmp_path / f"copy-{len(counts)}.db"
        store.back_up(target)
        copy = sqlite3.connect(target)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        counts.append(copy.execute(URLS).fetchone()[0])
        copy.close()
        target.unlink()

    assert [count % 2 for count in counts] == [0] * len(counts)
    assert store._records.number(URLS) == 200


def test_a_kill_in_the_middle_leaves_whole_transactions(path: Path, others: Any) -> None:
    process = others.start("die_half_way", path)
    assert process.wait(30) == -9

    store = SqliteStore.open(path)

    assert store.etag("before") == ("e", "")
    assert store.etag("half") is None
    store.close()
