"""``twiceshy effect``: measure the effect of notes."""

from collections.abc import Iterable, Iterator, Sequence

import click

from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import flatten_text, print_result
from twiceshy.core.note import short_handle
from twiceshy.core.prices import Prices, read_prices
from twiceshy.core.value import Value
from twiceshy.effect import measure
from twiceshy.effect.stops import describe_stops

_HEAD = ("shown", "withheld", "wrong with", "without", "fewer of 100", "tokens", "per error")
_WIDTHS = (6, 8, 10, 9, 16, 7, 9)
_NAME = 28
_BEST = 5  # rows of a table that are shown, and as many of the worst


class Table(Value):
    """The rows of a table: all of them, or the best and the worst."""

    title: str
    best: Sequence[tuple[str, measure.NoteEffect]]
    left_out: int = 0
    worst: Sequence[tuple[str, measure.NoteEffect]] = ()


@click.command("effect")
@click.option("--note", "name", metavar="ID", help="Only this note.")
@click.option("--skill", metavar="S", help="Only notes of this skill.")
@click.option("--days", type=click.IntRange(1, 36_500), help="Days to look back; default: all.")
@click.option("--all", "everything", is_flag=True, help="Every note, not only ten.")
@json_option
def command(
    *, name: str | None, skill: str | None, days: int | None, everything: bool, as_json: bool
) -> None:
    """Measure the effect of notes: sessions with a note against sessions without.

    Compares sessions that saw a note with sessions from which the note was withheld. Shows
    the five notes that prevent most and the five that prevent least.

    Example: twiceshy effect --days 30
    """
    if name and skill:
        raise click.UsageError("--note and --skill exclude each other")
    with open_app() as app:
        found = measure.report_effect(app, note=name, skill=skill, days=days)
        prices = read_prices(app.config)
        weekly = app.config.integer("holdout.weekly") * bool(app.config.number("holdout.share"))
    said = measure.describe_effect(found.overall, many=not name)
    if weekly and found.overall.shown and not found.overall.withheld:
        said += f" Nothing is withheld before a week has {weekly:,} showings (holdout.weekly)."
    plain = {
        "days": days,
        "overall": _effect_to_json(found.overall, prices) | {"sentence": said},
        "stops": found.stops.fields(),
        "skills": {key: _effect_to_json(each, prices) for key, each in found.by_skill.items()},
        "notes": {
            key: {"skill": found.notes[key].scope.skill or None, **_effect_to_json(each, prices)}
            | {"sentence": measure.describe_effect(each)}
            for key, each in found.by_note.items()
        },
    }
    print_result(
        plain,
        _format_report(
            found, said, prices, tables=_choose_tables(found, name, everything=everything)
        ),
        as_json=as_json,
    )


def _format_report(
    found: measure.EffectReport, said: str, prices: Prices, *, tables: Iterable[Table]
) -> Iterator[str]:
    yield said
    if found.overall.tokens:
        yield _describe_cost(found.overall)
    if found.overall.prevented is not None:
        yield _describe_net(found.overall, prices)
    if stops := describe_stops(found.stops):
        yield f"Stops: {stops}."
    for table in tables:
        yield ""
        yield _format_row(table.title, _HEAD)
        yield from (_format_row(called, _format_cells(one)) for called, one in table.best)
        if table.left_out:
            yield f"{table.left_out:,} more between these; all of them: twiceshy effect --all"
        yield from (_format_row(called, _format_cells(one)) for called, one in table.worst)


def _choose_tables(
    found: measure.EffectReport, name: str | None, *, everything: bool
) -> Iterator[Table]:
    """Yield the tables of skills and of notes; none where a single note is asked for."""
    notes = {
        f"{short_handle(key)} {found.notes[key].text}": one for key, one in found.by_note.items()
    }
    for title, rows in () if name else (("skill", found.by_skill), ("note", notes)):
        if everything or len(rows) <= 2 * _BEST:
            chosen = Table(title, tuple(rows.items()))
        else:
            ranked = measure.rank_effects(rows)
            left = len(ranked) - 2 * _BEST
            chosen = Table(title, tuple(ranked[:_BEST]), left, tuple(ranked[-_BEST:]))
        if rows:
            yield chosen


def _describe_cost(effect: measure.NoteEffect) -> str:
    spent = f"{effect.tokens:,} tokens were spent"
    alarms = f"; {effect.false_alarms} were false alarms" if effect.false_alarms else ""
    if effect.tokens_per_avoided is None:
        return f"{spent}{alarms}."
    saved = f", about {effect.calls_saved:,.0f} calls saved" if effect.calls_saved >= 1 else ""
    return f"{spent}, about {effect.tokens_per_avoided:,.0f} for each mistake that was avoided{saved}{alarms}."


def _describe_net(effect: measure.NoteEffect, prices: Prices) -> str:
    """Describe the gain in tokens, and what it cost to measure it."""
    net = prices.net_tokens(effect.calls_saved, effect.tokens)
    lots = prices.net_tokens(effect.calls_withheld, 0)
    return (
        f"Net: about {net:+,.0f} tokens (a turn saved counts {prices.turn:,}, a token told"
        f" {prices.told:,}); withholding to measure it cost about {max(0.0, lots):,.0f}."
    )


def _format_cells(effect: measure.NoteEffect) -> tuple[str, ...]:
    known = effect.prevented is not None
    spread = f"({100 * effect.low:.0f}…{100 * effect.high:.0f})"
    return (
        f"{effect.shown:,}",
        f"{effect.withheld:,}",
        _format_arm(effect.told) if known else "",
        _format_arm(effect.untold) if known else "",
        f"{100 * (effect.prevented or 0.0):.0f} {spread}" if known else "too early",
        f"{effect.tokens:,}",
        f"{effect.tokens_per_avoided:,.0f}" if effect.tokens_per_avoided is not None else "",
    )


def _format_arm(arm: measure.StudyArm) -> str:
    return f"{arm.failed} of {arm.sessions}"


def _format_row(name: str, cells: Sequence[str]) -> str:
    aligned = (f"{cell:>{width}}" for cell, width in zip(cells, _WIDTHS, strict=True))
    return f"{flatten_text(name, limit=_NAME):<{_NAME}} {' '.join(aligned)}".rstrip()


def _effect_to_json(effect: measure.NoteEffect, prices: Prices) -> dict[str, object]:
    return effect.fields() | {
        "told": effect.told.fields(),
        "untold": effect.untold.fields(),
        "avoided": effect.avoided_sessions,
        "calls_saved": effect.calls_saved,
        "net_tokens": prices.net_tokens(effect.calls_saved, effect.tokens),
        "tokens_per_avoided": effect.tokens_per_avoided,
    }
