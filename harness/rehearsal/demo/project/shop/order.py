"""The lines of an order."""

from typing import NamedTuple


class Line(NamedTuple):
    """So many pieces of one thing at a price each."""

    name: str
    cents: int
    quantity: int


def make_line(name: str, cents: int, quantity: int) -> Line:
    """A line that makes sense; everything else trusts it."""
    if cents < 0 or quantity < 1:
        raise ValueError(f"no such line: {quantity} x {name} at {cents}")
    return Line(name, cents, quantity)
