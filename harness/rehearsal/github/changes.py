"""What a pull request changes, by real git: files, patches, lines that take a comment."""

from __future__ import annotations

import re

from harness.rehearsal.github.answers import Json
from harness.rehearsal.github.rows import Repository
from harness.rehearsal.github.shown.addresses import api_of, page_of

STATUSES = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied"}
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def changed_files(base: str, repository: Repository, older: str, newer: str) -> list[Json]:
    """`diff-entry`s between two commits."""
    span = f"{older}..{newer}"
    fields = repository.bare.run_once("diff", "-z", "--name-status", "-M", span).split("\0")[:-1]
    found = []
    while fields:
        kind = fields.pop(0)
        before = fields.pop(0)
        path = fields.pop(0) if kind[0] in "RC" else before
        found.append(_entry(base, repository, span, newer, kind[0], before, path))
    return found


def _entry(
    base: str, repository: Repository, span: str, head: str, kind: str, before: str, path: str
) -> Json:
    patch = patch_of(repository, span, before, path)
    lines = patch.splitlines()
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    blob = repository.bare.run("rev-parse", f"{head}:{path}").strip() if kind != "D" else None
    shown: Json = {
        "sha": blob,
        "filename": path,
        "status": STATUSES.get(kind, "changed"),
        "additions": added,
        "deletions": removed,
        "changes": added + removed,
        "blob_url": page_of(base, repository, f"/blob/{head}/{path}"),
        "raw_url": page_of(base, repository, f"/raw/{head}/{path}"),
        "contents_url": api_of(base, repository, f"/contents/{path}?ref={head}"),
    }
    if patch:
        shown["patch"] = patch
    if before != path:
        shown["previous_filename"] = before
    return shown


def patch_of(repository: Repository, span: str, before: str, path: str) -> str:
    """The hunks of one file, "" for what is no text."""
    text = repository.bare.run_once("diff", "-M", span, "--", before, path)
    start = text.find("\n@@ ")
    return text[start + 1 :].rstrip("\n") if start >= 0 else ""


def shown_lines(
    repository: Repository, base: str, head: str, path: str
) -> list[set[tuple[str, int]]]:
    """Per hunk the (side, line) pairs that take a comment."""
    span = f"{repository.bare.start_of(base, head)}..{head}"
    hunks: list[set[tuple[str, int]]] = []
    left = right = 0
    for line in patch_of(repository, span, path, path).splitlines():
        header = HUNK.match(line)
        if header:
            left, right = int(header[1]), int(header[3])
            hunks.append(set())
            continue
        if line.startswith("+"):
            hunks[-1].add(("RIGHT", right))
            right += 1
        elif line.startswith("-"):
            hunks[-1].add(("LEFT", left))
            left += 1
        elif line.startswith(" ") or not line:
            hunks[-1] |= {("LEFT", left), ("RIGHT", right)}
            left, right = left + 1, right + 1
    return hunks


def hunk_to(repository: Repository, base: str, head: str, path: str, side: str, line: int) -> str:
    """The hunk up to a line: GitHub's `diff_hunk`."""
    span = f"{repository.bare.start_of(base, head)}..{head}"
    kept: list[str] = []
    left = right = 0
    for row in patch_of(repository, span, path, path).splitlines():
        header = HUNK.match(row)
        if header:
            kept, left, right = [row], int(header[1]) - 1, int(header[3]) - 1
            continue
        kept.append(row)
        left += not row.startswith(("+", "\\"))
        right += not row.startswith(("-", "\\"))
        if (right if side == "RIGHT" else left) == line and not row.startswith(
            "-" if side == "RIGHT" else "+"
        ):
            return "\n".join(kept)
    return "\n".join(kept)
