from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from harness.edges.files import StateFiles


def test_a_kept_file_is_whole_private_and_listed(tmp_path: Path) -> None:
    files = StateFiles(tmp_path)

    where = files.keep("patches/a.patch", "+x\n")
    files.keep("patches/a.patch", "+y\n")

    assert Path(where).read_text() == "+y\n"
    assert Path(where).stat().st_mode & 0o777 == 0o600
    (listed,) = files.kept("patches")
    assert listed[0] == "patches/a.patch"
    assert (datetime.now(UTC) - listed[1]).total_seconds() < 60


def test_a_dropped_file_is_gone_and_dropping_it_again_is_no_error(tmp_path: Path) -> None:
    files = StateFiles(tmp_path)
    files.keep("transcripts/o-r/12.md", "")

    files.drop("transcripts/o-r/12.md")
    files.drop("transcripts/o-r/12.md")

    assert files.kept("transcripts/o-r") == ()
    assert files.kept("never/was") == ()
