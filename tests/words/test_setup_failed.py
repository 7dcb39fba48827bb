from __future__ import annotations

from harness.facts.builds import Build
from harness.words.setup_failed import setup_output, setup_sentence


def failed(tail: str, tries: int = 1) -> Build:
    return Build(
        repo_id=1, key="k", path="", state="failed", tail=tail, ended="exit 4", tries=tries
    )


def test_a_setup_that_fails_is_told_with_its_end_and_what_to_do() -> None:
    assert setup_sentence("o/calc", "a" * 40, failed("one\ntwo\n"), given_up=False) == (
        "the setup of o/calc failed at aaaaaaaaaaaa in 1 try (exit 4: two); mend `setup` under "
        "[[repos]], or what it needs; the next run tries it again"
    )


def test_one_that_is_given_up_says_when_it_is_run_again() -> None:
    told = setup_sentence("o/calc", "a" * 40, failed("", tries=3), given_up=True)

    assert "in 3 tries (exit 4: no output)" in told
    assert told.endswith(
        "it is run again when its command, a lock file or the commit changes, or for an issue you "
        "name"
    )


def test_its_last_lines_follow() -> None:
    lines = "".join(f"line {number}\n" for number in range(30))

    assert setup_output(failed(lines)).splitlines() == [
        f"    line {number}" for number in range(20, 30)
    ]
    assert setup_output(failed("")) == ""
