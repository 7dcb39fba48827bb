"""What a fact is: a frozen, closed, strictly typed value."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Fact(BaseModel):
    """A value that never changes and knows all its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)
