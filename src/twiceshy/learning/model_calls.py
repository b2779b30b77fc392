"""Count the model calls of the last days: number, cost, and calls left today."""

from twiceshy.app import App
from twiceshy.core.model_ledger import ModelCall, ModelSpending, start_of_day, sum_model_calls
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.value import Value

_NO_MODEL = ("none", "null")


class ModelCalls(Value):
    """Model calls of some days: sums in total and by day, backend and model, and failed calls."""

    backend: str
    daily_calls: int
    today: int
    total: ModelSpending
    sums: tuple[tuple[str, str, str, ModelSpending], ...]
    failures: tuple[ModelCall, ...]

    @property
    def asks_model(self) -> bool:
        """True if a model is configured."""
        return self.backend not in _NO_MODEL

    @property
    def calls_left(self) -> int:
        """Return the number of calls left today."""
        return max(0, self.daily_calls - self.today) if self.asks_model else 0


def count_model_calls(app: App, *, days: int) -> ModelCalls:
    """Add up the model calls of the last days, including today."""
    today = start_of_day(app.store.now())
    calls = app.store.list_model_calls(since=today - (days - 1) * DAY)
    groups: dict[tuple[str, str, str], list[ModelCall]] = {}
    for call in calls:
        groups.setdefault((format_day(call.at), call.backend, call.model), []).append(call)
    return ModelCalls(
        backend=app.config.text("distiller.backend"),
        daily_calls=app.config.integer("distiller.daily_calls"),
        today=sum_model_calls(call for call in calls if call.at >= today).calls,
        total=sum_model_calls(calls),
        sums=tuple((*key, sum_model_calls(groups[key])) for key in sorted(groups)),
        failures=tuple(call for call in calls if call.error),
    )
