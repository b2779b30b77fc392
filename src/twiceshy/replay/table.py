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
    "net: tokens a session, turns saved less what was told; saved: share of the turns lost to repeated mistakes;",
    "PER: share of repeated mistakes prevented or stopped, with 95 % bounds; repair: right note beside the failure;",
    "precision: notes about what failed then or later; tokens: told in a session, idle: in one without a repeated",
    "failure; false: texts for 100 calls that worked; stops: calls stopped of 1,000 that would have worked.",
)


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
