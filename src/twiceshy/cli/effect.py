"""``twiceshy effect``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json
from twiceshy.core.model_ledger import midnight
from twiceshy.core.moment import DAY
from twiceshy.core.note import handle
from twiceshy.core.text import clean, one_line
from twiceshy.effect.measure import effect_of, sentence
from twiceshy.notes.naming import known_skill, the_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.effect.measure import Arm, Effect

_HEAD = ("shown", "withheld", "wrong with", "without", "fewer of 100", "tokens", "per error")
_WIDTHS = (6, 8, 10, 9, 16, 7, 9)
_NAME = 28


@click.command("effect")
@click.option("--note", "name", metavar="ID", help="Of this note alone.")
@click.option("--skill", metavar="S", help="Of the notes of this skill.")
@click.option("--days", type=click.IntRange(1, 36_500), help="How far to look back; default: all.")
@json_option
def command(*, name: str | None, skill: str | None, days: int | None, as_json: bool) -> None:
    """Measure what notes do: sessions that were shown one against those it was withheld from.

    Example: twiceshy effect --days 30
    """
    if name and skill:
        raise click.UsageError("--note and --skill exclude each other")
    with opened() as app:
        since = midnight(app.store.now()) - (days - 1) * DAY if days else 0
        notes, outcomes = _asked_for(app, name, skill)
    overall = effect_of(outcomes, since=since)
    said = sentence(overall, many=not name)
    by_note = _by(outcomes, {note_id: note_id for note_id in notes}, since)
    by_skill = _by(outcomes, {note_id: note.scope.skill for note_id, note in notes.items()}, since)
    if as_json:
        print_json(
            {
                "days": days,
                "overall": _fields(overall) | {"sentence": said},
                "skills": {key: _fields(each) for key, each in by_skill.items() if key},
                "notes": {
                    key: {"skill": notes[key].scope.skill or None, **_fields(each)}
                    | {"sentence": sentence(each)}
                    for key, each in by_note.items()
                },
            }
        )
        return
    click.echo(said)
    if overall.tokens:
        click.echo(_price(overall))
    for title, groups in (("skill", by_skill), ("note", {} if name else by_note)):
        rows = [(_called(key, notes), each) for key, each in groups.items() if key]
        if rows and (title == "note" or not name):
            click.echo()
            click.echo(_row(title, _HEAD))
            for called, each in rows:
                click.echo(_row(called, _cells(each)))


def _asked_for(
    app: App, name: str | None, skill: str | None
) -> tuple[dict[str, Note], list[Outcome]]:
    """Return the notes that were asked for, and what came of them; forgotten ones have left nothing."""
    only = the_note(app, name).id if name else ""
    skill = known_skill(app, skill) if skill else None
    outcomes = app.store.outcomes(note=only)
    found = {note_id: app.store.note(note_id) for note_id in {each.note for each in outcomes}}
    notes = {
        note_id: note
        for note_id, note in sorted(found.items())
        if note and skill in (None, note.scope.skill)
    }
    return notes, [each for each in outcomes if each.note in notes]


def _by(outcomes: Iterable[Outcome], groups: Mapping[str, str], since: int) -> dict[str, Effect]:
    """Measure groups of notes apart; those that were shown most come first."""
    parts: dict[str, list[Outcome]] = {}
    for each in outcomes:
        parts.setdefault(groups[each.note], []).append(each)
    effects = {key: effect_of(some, since=since) for key, some in parts.items()}
    seen = {key: each for key, each in effects.items() if each.shown + each.withheld}
    return dict(sorted(seen.items(), key=lambda pair: (-pair[1].shown, pair[0])))


def _price(effect: Effect) -> str:
    spent = f"{effect.tokens:,} tokens were spent"
    alarms = f"; {effect.false_alarms} came in vain" if effect.false_alarms else ""
    if effect.cost is None:
        return f"{spent}{alarms}."
    saved = f", about {effect.calls_saved:,.0f} calls saved" if effect.calls_saved >= 1 else ""
    return f"{spent}, about {effect.cost:,.0f} for each mistake that was avoided{saved}{alarms}."


def _cells(effect: Effect) -> tuple[str, ...]:
    known = effect.prevented is not None
    spread = f"({100 * effect.low:.0f}…{100 * effect.high:.0f})"
    return (
        f"{effect.shown:,}",
        f"{effect.withheld:,}",
        _of(effect.told) if known else "",
        _of(effect.untold) if known else "",
        f"{100 * (effect.prevented or 0.0):.0f} {spread}" if known else "too early",
        f"{effect.tokens:,}",
        f"{effect.cost:,.0f}" if effect.cost is not None else "",
    )


def _of(arm: Arm) -> str:
    return f"{arm.failed} of {arm.sessions}"


def _row(name: str, cells: Sequence[str]) -> str:
    aligned = (f"{cell:>{width}}" for cell, width in zip(cells, _WIDTHS, strict=True))
    return f"{one_line(clean(name), limit=_NAME):<{_NAME}} {' '.join(aligned)}".rstrip()


def _called(key: str, notes: Mapping[str, Note]) -> str:
    return f"{handle(key)} {notes[key].text}" if key in notes else key


def _fields(effect: Effect) -> dict[str, object]:
    plain = {
        name: value for name, value in effect.fields().items() if name not in ("told", "untold")
    }
    return plain | {
        "told": effect.told.fields(),
        "untold": effect.untold.fields(),
        "avoided": effect.avoided,
        "calls_saved": effect.calls_saved,
        "tokens_per_avoided": effect.cost,
    }
