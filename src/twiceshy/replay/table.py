"""Render replay results: a table, a sentence, and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.replay.engine import Replayed
    from twiceshy.replay.score import Score

ENOUGH = 5  # recurrences, below which a share says nothing
_NAME = 24
_HEAD = (
    ("PER", 12),
    ("wrong", 6),
    ("fix", 5),
    ("cost", 5),
    ("repair", 7),
    ("precision", 10),
    ("tokens", 7),
    ("idle", 6),
    ("false", 6),
)
LEGEND = (
    "PER: share of repeated mistakes before which the right note was shown, with 95 % bounds;",
    "wrong: of calls that were wrong in themselves; fix: where what works was known; cost: by lost calls;",
    "repair: right note with the failing call; precision: notes about what failed then or later;",
    "tokens: for a session, idle: for one without a repeated mistake; false: for 100 calls, in vain.",
)


def table(scores: Mapping[str, Score]) -> Iterator[str]:
    """Yield table lines of at most 100 columns."""
    yield f"{'':<{_NAME}}" + "".join(f"{title:>{width}}" for title, width in _HEAD)
    for name, score in scores.items():
        cells = zip(_cells(score), _HEAD, strict=True)
        yield f"{name:<{_NAME}}" + "".join(f"{cell:>{width}}" for cell, (_, width) in cells)


def sentence(score: Score) -> str:
    """Describe the result of twiceshy in a sentence."""
    if not score.sessions:
        return "There is no session in which a call was made, so there is nothing to replay."
    last = (
        "On your last session"
        if score.sessions == 1
        else f"On your last {score.sessions:,} sessions"
    )
    cost = f"{score.tokens / score.sessions:,.0f} tokens a session"
    if not score.recurrences:
        return f"{last}, nothing failed in a session that had failed in an earlier one; twiceshy would have cost {cost}."
    wrongly = (
        f" ({score.wrong_covered:,} of {score.wrong:,} that were called wrongly)"
        if score.wrong
        else ""
    )
    said = (
        f"{last}, twiceshy would have shown the right note before {score.covered:,} of "
        f"{score.recurrences:,} repeated mistakes{wrongly}, for {cost}."
    )
    return said if score.recurrences >= ENOUGH else f"{said} So few prove nothing."


def as_json(replayed: Replayed) -> dict[str, object]:
    """Return every measured figure."""
    return {
        "sentence": sentence(replayed.ours),
        "enough": replayed.ours.recurrences >= ENOUGH,
        "policies": _plain(replayed.scores),
        "projects": {project: _plain(scores) for project, scores in replayed.projects.items()},
        "passed_over": [each.fields() for each in replayed.passed_over],
        "broken_lines": replayed.broken_lines,
        "faults": list(replayed.faults),
    }


def _plain(scores: Mapping[str, Score]) -> dict[str, object]:
    return {name: {**score.fields(), **score.figures()} for name, score in scores.items()}


def _cells(score: Score) -> Iterator[str]:
    figures = score.figures()
    yield _in_time(score)
    for name in ("per_called_wrongly", "per_with_fix", "per_by_cost", "repair_at_1", "precision"):
        yield _share(figures[name])
    for name in ("tokens_per_session", "tokens_per_idle_session"):
        yield f"{figures[name]:,.0f}" if figures[name] is not None else "–"
    false = figures["false_fires_per_100_calls"]
    yield f"{false:.1f}" if false is not None else "–"


def _in_time(score: Score) -> str:
    if score.per is None:
        return "–"
    low, high = score.interval
    return f"{_share(score.per)} {_share(low)}-{_share(high)}"


def _share(value: float | None) -> str:
    if value is None:
        return "–"
    return "1.0" if value > 0.995 else f"{value:.2f}".removeprefix("0")
