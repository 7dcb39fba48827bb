"""What several replies are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Reply(BaseModel):
    """A closed object, parsed strictly."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Handle = Annotated[str, Field(description="The handle of the point, exactly as it was shown.")]


IssueTitle = Annotated[
    str,
    Field(
        description='Title of the issue to be filed: the defect or the wish, one line; "" when '
        "nothing is to be filed."
    ),
]


IssueBody = Annotated[
    str,
    Field(
        description="Body of the issue to be filed, Markdown, with the sections Problem, "
        "Reproduction, Impact and Expected behaviour, for somebody who picks it up cold, months "
        'later; "" when nothing is to be filed.'
    ),
]


class EvidenceReply(Reply):
    """One piece of proof. It is checked; one that does not check fells the point it stands for."""

    kind: Literal["quote", "removed", "command"] = Field(
        description="quote: text that stands in the file now. removed: a line that the diff "
        "removes. command: a command that you ran in this exchange, or the check."
    )
    path: str = Field(
        description="quote and removed: the file's path as in the repository, no line number. "
        "command: the command line, exactly as it was run."
    )
    line: int = Field(
        description="quote: the line where the text starts, right to within 10 lines. removed: 0. "
        "command: its exit status."
    )
    text: str = Field(
        description="quote and removed: the exact text, copied, without line numbers or diff "
        "signs, nothing left out; a few lines at most. command: the last lines that it printed, "
        "copied."
    )
