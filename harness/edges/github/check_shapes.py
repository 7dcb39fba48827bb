"""Commit statuses, check runs and their annotations as GitHub sends them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from harness.edges.github.shapes import Shape, UserShape


class StatusShape(Shape):
    """`status`."""

    id: int
    node_id: str
    context: str
    state: Literal["error", "failure", "pending", "success"]
    description: str | None = None
    target_url: str | None = None
    creator: UserShape | None = None
    created_at: datetime


class AppShape(Shape):
    """The App behind a check run."""

    slug: str = ""


class CheckRunShape(Shape):
    """`check-run`."""

    class Output(Shape):
        """What the check says of itself."""

        annotations_count: int = 0

    id: int
    node_id: str
    name: str
    status: str
    conclusion: str | None = None
    external_id: str | None = None
    details_url: str | None = None
    html_url: str | None = None
    output: Output = Output()
    app: AppShape | None = None


class CheckRunsShape(Shape):
    """A page of check runs."""

    check_runs: list[CheckRunShape]


class AnnotationShape(Shape):
    """`check-annotation`."""

    path: str
    start_line: int
    annotation_level: str | None = None
    title: str | None = None
    message: str | None = None
