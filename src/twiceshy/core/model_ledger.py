"""The ledger of model calls: purpose, tokens, time; failed calls included."""

from __future__ import annotations

from twiceshy.core.moment import DAY
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

# A model that failed may be asked about the same material again, but not for ever.
MOST_ATTEMPTS = 8


class ModelCall(Value):
    """A model call; ``material`` identifies the input, ``error`` is empty on success."""

    at: int
    purpose: str
    project: str
    session: str
    backend: str
    model: str
    material: str
    tokens_in: int
    tokens_out: int
    milliseconds: int
    error: str = ""


class ModelSpending(Value):
    """Totals of several model calls."""

    calls: int = 0
    failures: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    milliseconds: int = 0


def sum_model_calls(spendings: Iterable[ModelCall]) -> ModelSpending:
    """Sum up model calls."""
    every = list(spendings)
    return ModelSpending(
        calls=len(every),
        failures=sum(bool(one.error) for one in every),
        tokens_in=sum(one.tokens_in for one in every),
        tokens_out=sum(one.tokens_out for one in every),
        milliseconds=sum(one.milliseconds for one in every),
    )


def is_spent(spendings: Iterable[ModelCall], material: str) -> bool:
    """True if a model answered about a material, or failed too often to be asked again."""
    errors = [one.error for one in spendings if one.material == material]
    return "" in errors or len(errors) >= MOST_ATTEMPTS


def find_last_answer(spendings: Iterable[ModelCall], *, session: str) -> int:
    """Return the end of the session part already distilled and paid for."""
    return max(
        (one.at for one in spendings if one.session == session and not one.error),
        default=0,
    )


def start_of_day(now: int) -> int:
    """Return the start of the UTC day, which caps the number of calls."""
    return now - now % DAY
