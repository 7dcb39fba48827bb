from __future__ import annotations

from harness.facts.settings import CommitSettings
from harness.words.commit_message import (
    commit_message,
    merge_message,
    squash_message,
    squash_title,
)

PLAIN = CommitSettings(author="harness <h@x.y>")
SIGNED = CommitSettings(
    author="harness <h@x.y>", signoff=True, trailers=("Assisted-by: two agents",)
)


def mask(text: str) -> str:
    return text.replace("s3cret", "****")


def test_a_commit_says_what_changed_and_for_which_item() -> None:
    message = commit_message("Return the sum.", item=12, settings=PLAIN, mask=mask)

    assert message == "Return the sum\n\nRefs #12\n"


def test_a_long_summary_is_cut_in_the_subject_and_whole_in_the_body() -> None:
    summary = "Return the sum of both numbers where the second one is negative, instead of zero."

    message = commit_message(summary, item=12, settings=PLAIN, mask=mask)

    assert message == (
        "Return the sum of both numbers where the second one is negative…\n\n"
        "Return the sum of both numbers where the second one is negative, instead of zero.\n\n"
        "Refs #12\n"
    )


def test_trailers_are_exactly_the_configured_ones() -> None:
    message = commit_message("Do it", item=1, settings=SIGNED, mask=mask)

    assert message == (
        "Do it\n\nRefs #1\n\nAssisted-by: two agents\nSigned-off-by: harness <h@x.y>\n"
    )


def test_no_model_signs_for_a_person_or_closes_an_issue_or_leaks() -> None:
    summary = "Fixes #99 with s3cret [skip ci]"

    message = commit_message(summary, item=1, settings=PLAIN, mask=mask)

    assert message == "Fixes # 99 with **** [ skip ci]\n\nRefs #1\n"


def test_a_commit_without_a_summary_still_has_a_subject() -> None:
    assert commit_message(" ", item=1, settings=PLAIN, mask=mask) == (
        "Change what was asked for\n\nRefs #1\n"
    )


def test_a_merge_of_the_base_says_what_went_where() -> None:
    assert merge_message("main", "harness/issue-1", settings=PLAIN, mask=mask) == (
        "Merge main into harness/issue-1\n"
    )


def test_a_merged_pull_request_closes_only_its_issue() -> None:
    assert squash_title("Return the sum", 9) == "Return the sum (#9)"
    assert squash_message("It returned zero.", closes=12, settings=SIGNED) == (
        "It returned zero.\n\nCloses #12\n\nAssisted-by: two agents\nSigned-off-by: harness <h@x.y>"
    )
    assert squash_message("It returned zero.", closes=0, settings=PLAIN) == "It returned zero."
