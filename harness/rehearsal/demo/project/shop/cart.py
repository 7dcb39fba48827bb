"""Adding up an order."""

from shop.order import Line


def total(lines: list[Line], discount_percent: int = 0) -> int:
    """The price of all lines in cents, after the discount, rounded half up."""
    whole = sum(line.cents for line in lines)
    return (whole * (100 - discount_percent) + 50) // 100
