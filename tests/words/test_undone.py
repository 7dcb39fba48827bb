from __future__ import annotations

from harness.facts.undoing import UndoneLine, UndonePage, UndoneState
from harness.words.undone import resting_reason, undone_text


def line(kind: str, state: UndoneState, why: str = "", command: str = "") -> UndoneLine:
    return UndoneLine(
        repo="ada/shop",
        item=12,
        kind=kind,
        target="#5",
        state=state,
        why=why,
        command=command,
        url="https://forge/5",
    )


def page(*lines: UndoneLine, events: int = 2, dry: bool = False) -> UndonePage:
    return UndonePage(
        run="3fa29c01d4e2", dry=dry, exit_code=0, events=events, lines=lines, items=(12,)
    )


LINES = (
    line("merge", "left", "a merge is never taken back by itself", "git revert --no-edit -m 1 abc"),
    line("edit_comment", "nothing_to_do", "it goes with what it changed"),
    line("comment", "taken_back"),
)


def test_each_write_is_on_a_line_and_what_is_left_says_what_to_do() -> None:
    assert (
        undone_text(page(*LINES))
        == """\
ada/shop
  item  write         target                 why
  #12   merge         #5      left           a merge is never taken back by itself
      git revert --no-edit -m 1 abc
      https://forge/5
  #12   edit comment  #5      nothing to do  it goes with what it changed
  #12   comment       #5      taken back

1 of 3 writes taken back, 1 left, 2 ledger events revoked.
What is left needs a person: it was changed since, or no undo can reach it.
Not worked again by themselves, only when you name them: #12.
"""
    )


def test_quiet_shows_only_what_is_left() -> None:
    said = undone_text(page(*LINES), quiet=True)

    assert "merge" in said
    assert "comment" not in said


def test_a_dry_undo_says_would() -> None:
    said = undone_text(page(line("comment", "taken_back"), dry=True))

    assert "  #12   comment  #5      would be taken back\n" in said
    assert said.endswith("Dry run: nothing was changed.\n")


def test_nothing_left_to_take_back_is_one_sentence() -> None:
    said = undone_text(page(line("comment", "nothing_to_do"), events=0), quiet=True)

    assert said == "nothing of run 3fa29c01 is left to be taken back\n"


def test_what_rests_says_how_it_works_again() -> None:
    assert resting_reason("3fa29c01d4e2") == (
        "run 3fa29c01 was undone on it; name it on the command line to work it again"
    )


def test_where_it_could_not_be_done_is_said_beside_what_was() -> None:
    failed = ("ada/web: git fetch failed",)

    some = undone_text(page(*LINES).model_copy(update={"failed": failed}))
    none = undone_text(page(events=0).model_copy(update={"failed": failed, "items": ()}))

    assert "1 of 3 writes taken back" in some
    assert some.endswith("Not done, run it again: ada/web: git fetch failed\n")
    assert none == (
        "nothing of run 3fa29c01 is left to be taken back elsewhere\n"
        "Not done, run it again: ada/web: git fetch failed\n"
    )
