"""Whether a finding is this change's: the diff decides before the reviewer does."""

from __future__ import annotations

from harness.facts.places import Diff
from harness.facts.replies import FindingReply
from harness.rules.hunks import added_lines
from harness.rules.identity import file_key


def is_in_scope(finding: FindingReply, diff: Diff) -> bool:
    """In scope unless the reply says no and none of its lines was added by the diff.

    A finding about a whole file, without lines, is in scope when the diff added the file.
    """
    if finding.in_scope:
        return True
    file = file_key(finding.file)
    if not file:
        return False
    if finding.start_line < 1:
        return any(one.status == "added" and one.new_path == file for one in diff.files)
    end = max(finding.start_line, finding.end_line)
    return not added_lines(diff, file).isdisjoint(range(finding.start_line, end + 1))
