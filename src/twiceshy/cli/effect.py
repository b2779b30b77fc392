"""``twiceshy effect``: measure the effect of notes."""

from collections.abc import Iterator, Sequence

import click

from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import flatten_text, print_result
from twiceshy.core.note import short_handle
from twiceshy.core.prices import Prices, read_prices
from twiceshy.effect import measure
from twiceshy.effect.rank import ChosenEffects, choose_effects
from twiceshy.effect.stops import describe_stops

_HEAD = ("shown", "withheld", "wrong with", "without", "fewer of 100", "tokens", "per error")
_WIDTHS = (6, 8, 10, 9, 16, 7, 9)
_NAME = 28


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
    lines = _format_report(found, said, prices, only=bool(name), everything=everything)
    print_result(plain, lines, as_json=as_json)


def _format_report(
    found: measure.EffectReport, said: str, prices: Prices, *, only: bool, everything: bool
) -> Iterator[str]:
    yield said
    if found.overall.tokens:
        yield _describe_cost(found.overall)
    if found.overall.prevented is not None:
        yield _describe_net(found.overall, prices)
    if stops := describe_stops(found.stops):
        yield f"Stops: {stops}."
    for title, effects in (
        () if only else (("skill", found.by_skill), ("note", _name_notes(found)))
    ):
        if effects:
            yield from _format_table(title, choose_effects(effects, everything=everything))


def _name_notes(found: measure.EffectReport) -> dict[str, measure.NoteEffect]:
    return {
        f"{short_handle(key)} {found.notes[key].text}": one for key, one in found.by_note.items()
    }


def _format_table(title: str, chosen: ChosenEffects) -> Iterator[str]:
    yield ""
    yield _format_row(title, _HEAD)
    yield from (_format_row(called, _format_cells(one)) for called, one in chosen.best)
    if chosen.left_out:
        yield f"{chosen.left_out:,} more between these; all of them: twiceshy effect --all"
    yield from (_format_row(called, _format_cells(one)) for called, one in chosen.worst)


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
