from __future__ import annotations

from harness.words.decline import decline_comment, not_worth_doing_comment


def test_a_decline_is_written_to_the_person_and_leaves_the_door_open() -> None:
    comment = decline_comment([("ann", "This works as documented in `README.md`.")], closes=False)

    assert comment == (
        "This works as documented in `README.md`.\n\n"
        "Two automated reviewers read this issue, each for itself, and came to the same view. "
        "It stays open for a maintainer to decide, and what is added here is read again."
    )


def test_both_reasons_are_said_where_they_differ() -> None:
    comment = decline_comment([("ann", "One."), ("bob", "Two.")], closes=True)

    assert comment == (
        "One.\n\nTwo.\n\n"
        "Two automated reviewers read this issue, each for itself, and came to the same view. "
        "It is closed for now; a maintainer can open it again."
    )


def test_a_reason_cannot_swallow_the_other() -> None:
    comment = decline_comment([("ann", "See:\n```\nx"), ("bob", "<details>Two")], closes=False)

    assert comment.startswith("See:\n```\nx\n```\n\n<details>Two\n\n</details>\n\nTwo automated")


def test_not_worth_doing_says_what_was_found_in_the_code() -> None:
    assert not_worth_doing_comment("It was fixed by `add`.") == (
        "It was fixed by `add`.\n\n"
        "This was found while working on the issue in the code; no pull request is opened. "
        "It stays open for a maintainer to decide, and what is added here is read again."
    )
