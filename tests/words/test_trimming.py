from __future__ import annotations

import pytest

from harness.words.trimming import cut_diff, cut_on_line, keep_newest, tail_on_line


@pytest.mark.parametrize(
    ("limit", "kept", "cut"),
    [
        (100, "one\ntwo\nthree", 0),
        (13, "one\ntwo\nthree", 0),
        (12, "one\ntwo", 6),
        (7, "one\ntwo", 6),
        (5, "one", 10),
        (2, "on", 11),
    ],
    ids=["fits", "fits exactly", "a line less", "on the line end", "two lines less", "in a line"],
)
def test_a_text_is_cut_on_a_line(limit: int, kept: str, cut: int) -> None:
    assert cut_on_line("one\ntwo\nthree", limit) == (kept, cut)


@pytest.mark.parametrize(
    ("limit", "kept", "cut"),
    [
        (13, "one\ntwo\nthree", 0),
        (10, "two\nthree", 4),
        (9, "two\nthree", 4),
        (6, "three", 8),
        (5, "three", 8),
        (3, "ree", 10),
    ],
    ids=["fits", "a line less", "on the line", "two less", "exactly a line", "in a line"],
)
def test_of_a_log_the_end_is_kept(limit: int, kept: str, cut: int) -> None:
    assert tail_on_line("one\ntwo\nthree", limit) == (kept, cut)


@pytest.mark.parametrize(
    ("limit", "kept"),
    [(9, ("a", "b", "c")), (6, ("b", "c")), (1, ("c",))],
    ids=["all", "the oldest dropped", "always the newest"],
)
def test_the_oldest_are_dropped_whole(limit: int, kept: tuple[str, ...]) -> None:
    assert keep_newest(("a", "b", "c"), (3, 3, 3), limit) == (kept, 3 - len(kept))


def test_nothing_is_kept_of_nothing() -> None:
    assert keep_newest((), (), 10) == ((), 0)


def test_files_of_a_diff_are_shown_whole_or_named() -> None:
    small = "diff --git a/s.py b/s.py\n+x\n"
    large = "diff --git a/l.py b/l.py\n" + "+y\n" * 100
    last = "diff --git a/z.py b/z.py\n+z\n"

    shown = cut_diff(small + large + last, 100)

    assert shown == (small + last, ("l.py",), ())


def test_an_endless_line_is_cut_and_marked() -> None:
    shown = cut_diff("diff --git a/m.js b/m.js\n+" + "x" * 5_000 + "\n", 3_000)

    assert "[3001 more characters]" in shown.text
    assert (shown.left_out, shown.cut) == ((), ("m.js",))


def test_an_empty_diff_stays_empty() -> None:
    assert cut_diff("", 10) == ("", (), ())
