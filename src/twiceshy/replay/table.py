"""Render replay results: a table, a sentence, and JSON."""

from collections.abc import Iterator, Mapping

from twiceshy.replay.play import Replayed
from twiceshy.replay.score import ReplayScore

ENOUGH = 5  # recurrences, below which a share says nothing
_NAME = 24
_TITLES = ("PER", "wrong", "fix", "cost", "repair", "precision", "tokens", "idle", "false")
_WIDTHS = (12, 6, 5, 5, 7, 10, 7, 6, 6)
LEGEND = (
    "PER: share of repeated mistakes before which the right note was shown, with 95 % bounds;",
    "wrong: of calls that were wrong in themselves; fix: where what works was known; cost: by lost calls;",
    "repair: right note with the failing call; precision: notes about what failed then or later;",
    "tokens: for a session, idle: for one without a repeated mistake; false: for 100 calls, in vain.",
)


def render_table(scores: Mapping[str, ReplayScore]) -> Iterator[str]:
    """Yield table lines of at most 100 columns."""
    rows = {"": _TITLES, **{name: _format_cells(score) for name, score in scores.items()}}
    for name, row in rows.items():
        cells = zip(row, _WIDTHS, strict=True)
        yield f"{name:<{_NAME}}" + "".join(f"{cell:>{width}}" for cell, width in cells)


def describe_result(score: ReplayScore) -> str:
    """Describe the result of twiceshy in a sentence."""
    if not score.sessions:
        return "There is no session in which a call was made, so there is nothing to replay."
    count = f" {score.sessions:,} sessions" if score.sessions > 1 else " session"
    last = f"On your last{count}"
    cost = f"{score.tokens / score.sessions:,.0f} tokens a session"
    if not score.recurrences:
        return f"{last}, nothing failed in a session that had failed in an earlier one; twiceshy would have cost {cost}."
    wrongly = f" ({score.wrong_covered:,} of {score.wrong:,} that were called wrongly)"
    said = (
        f"{last}, twiceshy would have shown the right note before {score.covered:,} of "
        f"{score.recurrences:,} repeated mistakes{wrongly if score.wrong else ''}, for {cost}."
    )
    return said if score.recurrences >= ENOUGH else f"{said} So few prove nothing."


def result_to_json(replayed: Replayed) -> dict[str, object]:
    """Return every measured figure."""
    return {
        "sentence": describe_result(replayed.own_score),
        "enough": replayed.own_score.recurrences >= ENOUGH,
        "policies": _format_number(replayed.scores),
        "projects": {
            project: _format_number(scores) for project, scores in replayed.projects.items()
        },
        "passed_over": [each.fields() for each in replayed.passed_over],
        "broken_lines": replayed.broken_lines,
        "faults": list(replayed.faults),
    }


def _format_number(scores: Mapping[str, ReplayScore]) -> dict[str, object]:
    return {name: {**score.fields(), **score.to_figures()} for name, score in scores.items()}


def _format_cells(score: ReplayScore) -> Iterator[str]:
    figures = score.to_figures()
    yield _format_in_time(score)
    for name in ("per_called_wrongly", "per_with_fix", "per_by_cost", "repair_at_1", "precision"):
        yield _format_share(figures[name])
    for name in ("tokens_per_session", "tokens_per_idle_session"):
        yield f"{figures[name]:,.0f}" if figures[name] is not None else "–"
    false = figures["false_fires_per_100_calls"]
    yield f"{false:.1f}" if false is not None else "–"


def _format_in_time(score: ReplayScore) -> str:
    if score.prevention_rate is None:
        return "–"
    low, high = score.rate_interval
    return f"{_format_share(score.prevention_rate)} {_format_share(low)}-{_format_share(high)}"


def _format_share(value: float | None) -> str:
    if value is None:
        return "–"
    return "1.0" if value > 0.995 else f"{value:.2f}".removeprefix("0")
