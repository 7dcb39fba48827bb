from __future__ import annotations

import pytest

from harness.rules.missing import called_missing

THERE = ("docs/logo.png", "shop/cart.py", "min.js", "README")


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("`docs/logo.png` is missing", "docs/logo.png"),
        ("docs/logo.png was never added to this commit", "docs/logo.png"),
        ("'min.js' does not exist in the repository", "min.js"),
        ("./shop/cart.py cannot be found, so the import fails", "shop/cart.py"),
        ("Missing file: `min.js`.", "min.js"),
        ("The new file is not included in the diff", "README"),
        ("This file is missing.", "README"),
    ],
)
def test_a_file_called_missing_is_looked_up(title: str, path: str) -> None:
    assert called_missing("README", title, "", THERE) == path
    assert called_missing("README", "It fails", f"{title}\nMore words.", THERE) == path
    assert called_missing("README", title, "", ()) == ""


@pytest.mark.parametrize(
    "title",
    [
        "shop/cart.py is missing a check for negative quantities",
        "`total` in shop/cart.py is missing",
        "Start-up crashes if min.js is missing",
        "When docs/logo.png does not exist, the page is blank",
        "min.js is missing from the wheel",
        "min.js is not there at run time",
        "A missing file min.js crashes the start",
        "It raises No such file: min.js",
        "other.js is missing",
        "The file is missing a licence header",
    ],
)
def test_what_is_missing_in_a_file_or_at_run_time_is_another_matter(title: str) -> None:
    assert called_missing("README", title, "", THERE) == ""


def test_only_what_a_finding_begins_with_is_its_claim() -> None:
    detail = "The loop never ends. Also, min.js is missing."

    assert called_missing("", "It hangs", detail, THERE) == ""
