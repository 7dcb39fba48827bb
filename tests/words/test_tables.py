from __future__ import annotations

from datetime import UTC, datetime

from harness.words.tables import Cell, Tone, columns, indented, minute, on_line, table


def in_brackets(text: str, tone: Tone) -> str:
    return text if tone == "plain" else f"<{tone} {text}>"


def test_columns_are_aligned_and_lines_end_where_their_text_ends() -> None:
    rows = [
        [Cell("#1"), Cell("approved"), Cell("a title")],
        [Cell("#1234"), Cell("no"), Cell("")],
        [Cell(""), Cell(""), Cell("")],
    ]

    assert columns(rows, margin=" ") == " #1     approved  a title\n #1234  no\n"


def test_paint_does_not_move_a_column() -> None:
    rows = [[Cell("a", "bad"), Cell("x")], [Cell("abc"), Cell("y", "good")]]

    assert columns(rows, in_brackets) == "<bad a  >  x\nabc  <good y>"


def test_notes_stand_below_their_rows() -> None:
    rows = [[Cell("1"), Cell("one")], [Cell("2"), Cell("two")]]

    told = table(("n", "word"), rows, notes=("", "      why"), margin="")

    assert told == "n  word\n1  one\n2  two\n      why"


def test_what_could_steer_a_terminal_is_taken_out() -> None:
    wild = "a\x1b[31mb\x07\r\nc\u202ed\ttab"

    assert on_line(wild) == "a[31mb cd tab"
    assert indented(wild, "> ") == "> a[31mb\n> cd\ttab"


def test_times_are_minutes_and_none_is_empty() -> None:
    assert minute(datetime(2026, 11, 30, 9, 5, 59, tzinfo=UTC)) == "2026-11-30 09:05"
    assert minute(None) == ""
