"""Render replay results of several policies: a table, and JSON."""

from collections.abc import Iterator, Mapping

from twiceshy.core.prices import Prices
from twiceshy.replay.play import Replayed
from twiceshy.replay.score import ReplayScore

ENOUGH = 5  # repeated mistakes, below which a share says nothing
_NAME = 28
_TITLES = ("net", "saved", "PER", "repair", "precision", "tokens", "idle", "false", "stops")
_WIDTHS = (8, 6, 12, 7, 10, 7, 6, 6, 6)
LEGEND = (
    "net        tokens gained in a session: what the saved turns would have cost, less what was told",
    "saved      share of the turns lost to repeated mistakes that would not have been lost",
    "PER        share of repeated mistakes that were prevented or stopped, with 95 % bounds",
    "repair     share of the others where the first note beside the error was the right one",
    "precision  share of the told notes about something that failed then or later in the session",
    "tokens     told in a session; idle: told in a session in which no mistake came back",
    "false      notes told before 100 calls that worked; stops: of 1,000 working calls, how many were stopped",
)


def describe_prices(prices: Prices) -> str:
    """Say what a turn and a told token count in the net figure."""
    return f"           (a turn counts {prices.turn:,} tokens, a told token {prices.told:,})"


def render_table(scores: Mapping[str, ReplayScore], prices: Prices) -> Iterator[str]:
    """Yield table lines of at most 100 columns."""
    rows = {"": _TITLES, **{name: _format_cells(score, prices) for name, score in scores.items()}}
    for name, row in rows.items():
        cells = zip(row, _WIDTHS, strict=True)
        yield f"{name:<{_NAME}}" + "".join(f"{cell:>{width}}" for cell, width in cells)


def result_to_json(replayed: Replayed, prices: Prices) -> dict[str, object]:
    """Return every measured figure."""
    return {
        "enough": replayed.own_score.mistakes >= ENOUGH,
        "prices": prices.fields(),
        "mistakes": [each.fields() for each in replayed.mistakes],
        "policies": _scores_to_json(replayed.scores, prices),
        "projects": {
            project: _scores_to_json(scores, prices)
            for project, scores in replayed.projects.items()
        },
        "passed_over": [each.fields() for each in replayed.passed_over],
        "broken_lines": replayed.broken_lines,
        "faults": list(replayed.faults),
    }


def _scores_to_json(scores: Mapping[str, ReplayScore], prices: Prices) -> dict[str, object]:
    return {name: {**score.fields(), **score.to_figures(prices)} for name, score in scores.items()}


def _format_cells(score: ReplayScore, prices: Prices) -> Iterator[str]:
    figures = score.to_figures(prices)
    yield _format_whole(figures["net_tokens"])
    yield _format_share(figures["saved_share"])
    yield _format_interval(score, figures["per"])
    yield _format_share(figures["repair_at_1"])
    yield _format_share(figures["precision"])
    yield _format_whole(figures["tokens_per_session"])
    yield _format_whole(figures["tokens_per_idle_session"])
    for name in ("false_fires_per_100_calls", "false_stops_per_1000_calls"):
        yield "–" if (value := figures[name]) is None else f"{value:.1f}"


def _format_interval(score: ReplayScore, share: float | None) -> str:
    if share is None:
        return "–"
    low, high = score.rate_interval
    return f"{_format_share(share)} {_format_share(low)}-{_format_share(high)}"


def _format_whole(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _format_share(value: float | None) -> str:
    if value is None:
        return "–"
    return "1.0" if value > 0.995 else f"{value:.2f}".removeprefix("0")
