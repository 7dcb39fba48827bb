"""Money: what a request may cost at most, what a turn did cost, and what stopped it.

A bound is never below the cost: every token counts as at least a byte, new input is taken at the
dearest input price (writing to the cache), and tiers at the dearest that the bound can reach.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pydantic import ValidationError

from harness.facts.money import Caps, MicroDollars, Price, PriceList, Spend, Usage
from harness.facts.moves import Ask
from harness.facts.settings import LimitSettings

MICRO = 1_000_000  # micro-dollars in a dollar, and tokens in what a price is for
NO_CAP = 2**62
_MARGIN = 1_000  # tokens of frames and names that are in no message


def caps_of(limits: LimitSettings, overall: LimitSettings, item: int) -> Caps:
    """The caps for an exchange about this item; triage (item 0) has none of its own per item."""
    return Caps(
        exchange=to_micro(limits.dollars_exchange),
        item=to_micro(limits.dollars_item) if item else NO_CAP,
        repo_day=to_micro(limits.dollars_repo_day),
        day=to_micro(overall.dollars_day),
    )


def day_of(at: datetime) -> str:
    """The UTC day that caps per day count in."""
    return at.astimezone(UTC).strftime("%Y-%m-%d")


def to_micro(dollars: float) -> int:
    """Whole micro-dollars."""
    return round(dollars * MICRO)


def bound_input(ask: Ask, whole: int) -> int:
    """The most input tokens this request can have.

    `whole` bounds the request by its bytes alone; once a turn was counted by the vendor, its total
    and its output and the bytes of what was said since are a closer bound.
    """
    if not ask.counted:
        return whole
    return min(whole, ask.counted + ask.since + _MARGIN)


def bound_cost(input_tokens: int, max_tokens: int, prices: PriceList) -> MicroDollars:
    """What a request with so much input and output can cost at most."""
    reachable = [tier for tier in prices.tiers if tier.from_tokens <= input_tokens]
    costs = [
        input_tokens * max(tier.input, tier.cache_write, tier.cache_read) + max_tokens * tier.output
        for tier in reachable or prices.tiers[:1]
    ]
    return _ceil(max(costs))


def cost_of(usage: Usage, prices: PriceList) -> MicroDollars:
    """What a turn cost, rounded up; its tier follows from its total input."""
    price = _tier(usage.total_input, prices)
    return _ceil(
        usage.input * price.input
        + usage.cache_read * price.cache_read
        + usage.cache_write * price.cache_write
        + usage.output * price.output
    )


def read_partial_usage(usage_json: str) -> Usage | None:
    """What a failed request used, as told; None where nobody knows: its whole bound is spent."""
    try:
        return Usage.model_validate_json(usage_json)
    except ValidationError:
        return None


def next_day(now: datetime) -> datetime:
    """When the caps per day begin anew."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=1)


def fits_another_day(caps: Caps, spent: Spend, bound: MicroDollars) -> bool:
    """Whether a refused request has only caps per day against it, and room under them when empty.

    What was paid for in its exchange so far is then worth keeping: it goes on when the day is over.
    """
    lasting = spent.exchange + bound <= caps.exchange and spent.item + bound <= caps.item
    return lasting and bound <= min(caps.repo_day, caps.day)


def word_refusal(caps: Caps, spent: Spend, reserved: Spend, bound: MicroDollars) -> str:
    """Which cap stops a request, with its amounts; the first one that has no room."""
    for cap, name in _CAPS:
        limit = getattr(caps, cap)
        used, held = getattr(spent, cap), getattr(reserved, cap)
        if used + held + bound > limit:
            holding = f", {dollars(held)} held by running requests" if held else ""
            return (
                f"the limit of {dollars(limit)} {name} is reached: {dollars(used)} spent{holding}, "
                f"the next request may cost {dollars(bound)}"
            )
    return f"no room for a request that may cost {dollars(bound)}"


def dollars(amount: int) -> str:
    """An amount as people read it: to the cent, tiny ones exactly."""
    cents, rest = divmod(amount, MICRO // 100)
    if rest and amount < MICRO:
        return f"{amount / MICRO:.6f}".rstrip("0") + " $"
    return f"{(cents + (1 if rest else 0)) / 100:.2f} $"


_CAPS = (
    ("exchange", "for one exchange"),
    ("item", "for this item"),
    ("repo_day", "a day for this repository"),
    ("day", "a day in all"),
)


def _tier(total_input: int, prices: PriceList) -> Price:
    reached = [tier for tier in prices.tiers if tier.from_tokens <= total_input]
    return reached[-1] if reached else prices.tiers[0]


def _ceil(token_prices: int) -> MicroDollars:
    """Prices are per million tokens: back to one, rounded up."""
    return MicroDollars(-(-token_prices // MICRO))
